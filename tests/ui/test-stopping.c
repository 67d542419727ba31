/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stop of a whole window: real widgets, keys and clicks that really come from the display
 * server. The clock of the button and of Esc stands still until a test advances it. */

#include "config.h"

#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-toast.h"
#include "ui/transcript/gadget-receipt-text.h"
#include "ui/transcript/gadget-transcript.h"
#include "wait.h"

static GadgetSession *
get_session (TestWindow *self)
{
  return gadget_window_get_session (self->window);
}

static gboolean
is_busy (TestWindow *self)
{
  return gadget_session_get_active_run (get_session (self)) != NULL;
}

/* The button and the session tell the same. */
static void
assert_button (TestWindow *self)
{
  const char *face = test_window_get_face (self);

  if (!is_busy (self))
    g_assert_cmpstr (face, ==, "Send");
  else if (g_str_equal (face, "Cancel"))
    g_assert_true (gtk_widget_get_sensitive (self->button));
  else
    g_assert_cmpstr (face, ==, "Aborting…");
}

static void
assert_goes_on (TestWindow *self)
{
  test_run_for (150);
  g_assert_true (is_busy (self));
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  g_assert_true (gtk_widget_get_sensitive (self->button));
  g_assert_true (fake_provider_is_waiting (self->provider));
}

static void
assert_aborted (TestWindow *self)
{
  wait_until (!is_busy (self));
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (get_session (self))), ==,
                   GADGET_TURN_ABORTED);
  g_assert_cmpuint (self->n_completed, ==, 1);
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  test_run_for (100);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
}

static GadgetTurn *
start (TestWindow *self)
{
  GadgetTurn *turn = test_window_send (self, "hello");

  fake_provider_text (self->provider, "Some text");
  test_window_advance (self, 1000);
  assert_goes_on (self);
  return turn;
}

static char *
dup_composer_text (TestWindow *self)
{
  return gadget_composer_dup_text (self->composer);
}

static void
announced_cb (GString *said, const char *text)
{
  g_string_append_printf (said, "%s\n", text);
}

/* What screen readers are told from now on, a line for each announcement. */
static GString *
listen (void)
{
  GString *said = g_string_new (NULL);

  g_signal_connect_swapped (gadget_announcer_get_default (), "announced", G_CALLBACK (announced_cb),
                            said);
  return said;
}

static void
stop_listening (GString *said)
{
  g_signal_handlers_disconnect_by_data (gadget_announcer_get_default (), said);
  g_string_free (said, TRUE);
}

/* --- The button --------------------------------------------------------------------------------
 */

static void
test_cancel_click (TestWindow *self, gconstpointer data)
{
  start (self);
  test_click (self->button);
  assert_aborted (self);
}

static void
test_cancel_keyboard (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  gtk_widget_grab_focus (self->button);
  /* The keyboard is not guarded: the clock has not moved since the button changed. */
  test_key ("space");
  assert_aborted (self);
  g_assert_true (gtk_widget_is_focus (self->text));
}

/* A screen reader's press acts as soon as a pointer's: GTK would show the button pressed first. */
static void
test_cancel_activate (TestWindow *self, gconstpointer data)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  GadgetRun *run;

  start (self);
  run = gadget_registry_find (registry, gadget_session_get_active_run (get_session (self)));
  g_assert_true (gtk_widget_activate (self->button));
  g_assert_true (gadget_run_is_aborted (run));
  assert_aborted (self);
}

static void
test_double_click_on_send (TestWindow *self, gconstpointer data)
{
  test_type ("hello");
  test_point_at_end (self->button);
  test_xdo ("click", "--repeat", "2", "--delay", "60", "1", NULL);
  wait_until (fake_provider_is_waiting (self->provider));
  assert_goes_on (self);
  test_xdo ("click", "1", NULL);
  assert_goes_on (self);
  test_window_advance (self, 400);
  test_xdo ("click", "1", NULL);
  wait_until (!is_busy (self));
  g_assert_cmpuint (self->n_completed, ==, 1);
}

static void
test_double_click_on_cancel (TestWindow *self, gconstpointer data)
{
  start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("next");
  test_point_at_end (self->button);
  test_xdo ("click", "1", "sleep", "0.25", "click", "1", NULL);
  assert_aborted (self);
  test_run_for (200);
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (self)), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (get_session (self))), ==,
                    0);
  test_window_advance (self, 400);
  test_point_at (self->button);
  test_xdo ("click", "1", NULL);
  wait_until (gadget_session_get_n_turns (get_session (self)) == 2);
}

/* The pointer stays where it was from one message to the next, as a hand does that types. */
static void
test_still_pointer (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;

  for (guint i = 0; i < 3; i++)
    {
      gtk_widget_grab_focus (self->text);
      /* White space alone is nothing to send: the button wakes up later than the text does. */
      test_type (" ");
      if (i == 0)
        test_point_at_end (self->button);
      gadget_test_wait_frames (self->button, 2);
      test_type ("hello");
      wait_until (gtk_widget_is_sensitive (self->button));
      gadget_test_wait_frames (self->button, 2);
      test_xdo ("click", "1", NULL);
      wait_until (fake_provider_is_waiting (self->provider));
      turn = gadget_session_get_last_turn (get_session (self));
      fake_provider_text (self->provider, "Some text");
      test_window_advance (self, 500);
      if (i == 1)
        fake_provider_end (self->provider);
      else
        test_xdo ("click", "1", NULL);
      wait_until (!is_busy (self));
      g_assert_cmpint (gadget_turn_get_status (turn), ==,
                       i == 1 ? GADGET_TURN_FINISHED : GADGET_TURN_ABORTED);
      test_window_advance (self, 500);
    }
}

/* A tool does not listen: the button says so, and can't be pressed. */
static void
test_slow_abort (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  g_autoptr (FakeTool) tool = fake_tool_new ("deaf");
  GString *said;

  fake_tool_set_deaf (tool, TRUE);
  gadget_toolbox_add (gadget_agent_get_toolbox (agent), GADGET_TOOL (tool));
  start (self);
  fake_provider_call (self->provider, 0, "call", "deaf", "{}");
  fake_provider_end (self->provider);
  wait_until (fake_tool_is_running (tool));
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  said = listen ();
  test_click (self->button);
  wait_until (!gtk_widget_get_sensitive (self->button));
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_assert_cmpstr (said->str, ==, "");
  test_window_advance (self, 150);
  g_assert_cmpstr (test_window_get_face (self), ==, "Aborting…");
  g_assert_cmpstr (said->str, ==, "Aborting…\n");
  test_click (self->button);
  g_assert_true (is_busy (self));
  fake_tool_end (tool, "late");
  assert_aborted (self);
  stop_listening (said);
}

static void
enter (TestWindow *self, const char *text)
{
  gtk_widget_grab_focus (self->text);
  test_type (text);
  test_key ("Return");
}

/* What is sent while the turn settles is sent when it has; what was queued before stays. */
static void
test_sent_after_abort (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  g_autoptr (FakeTool) tool = fake_tool_new ("deaf");
  GListModel *queue = gadget_session_get_queue (get_session (self));

  fake_tool_set_deaf (tool, TRUE);
  gadget_toolbox_add (gadget_agent_get_toolbox (agent), GADGET_TOOL (tool));
  start (self);
  enter (self, "before");
  wait_until (g_list_model_get_n_items (queue) == 1);
  fake_provider_call (self->provider, 0, "call", "deaf", "{}");
  fake_provider_end (self->provider);
  wait_until (fake_tool_is_running (tool));
  test_xdo ("key", "--delay", "5", "Escape", "Escape", NULL);
  enter (self, "after");
  wait_until (g_list_model_get_n_items (queue) == 2);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Queued"));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
  fake_tool_end (tool, "late");
  wait_until (self->n_completed == 1 && fake_provider_is_waiting (self->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (get_session (self))), ==,
                   "after");
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 1);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
}

static void
test_could_not_abort (TestWindow *self, gconstpointer data)
{
  gadget_session_set_active_run (get_session (self), "a-run-of-nobody");
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  test_window_advance (self, 1000);
  test_click (self->button);
  wait_until (
      test_find_label (GTK_WIDGET (self->chat), "Could not abort: nothing is running here any more")
      != NULL);
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  gadget_session_set_active_run (get_session (self), NULL);
  test_window_send (self, "hello");
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
}

static void
test_prompt_comes_back (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  test_window_send (self, "hello");
  g_assert_true (gadget_composer_is_empty (self->composer));
  test_key ("shift+Escape");
  assert_aborted (self);
  text = dup_composer_text (self);
  g_assert_cmpstr (text, ==, "hello");
}

/* Screen readers are told who or what stopped it, as the card in the chat says it. */
static void
test_sentence (TestWindow *self, gconstpointer data)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  GadgetTurn *turn = start (self);
  g_autoptr (GadgetTurn) limited = gadget_turn_new ("t", "hello");
  g_autofree char *stopped = NULL;
  g_autofree char *at_limit = NULL;

  gadget_run_abort (
      gadget_registry_find (registry, gadget_session_get_active_run (get_session (self))),
      GADGET_STOP_DEADLINE);
  assert_aborted (self);
  stopped = gadget_stop_dup_sentence (turn);
  g_assert_true (g_str_has_prefix (
      stopped, "The turn was aborted because its time limit was reached. Stopped in "));
  g_assert_true (g_str_has_suffix (stopped, ": 1 connection."));

  gadget_turn_set_limit (limited, "limit/steps", "20");
  gadget_turn_abort (limited, GADGET_STOP_BUDGET);
  at_limit = gadget_stop_dup_sentence (limited);
  g_assert_cmpstr (at_limit, ==, "The turn was aborted at its limit: 20 steps.");
}

/* How to confirm, and what came of it. "Aborting…" in between would only be in the way. */
static void
test_announced (TestWindow *self, gconstpointer data)
{
  GString *said;

  start (self);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  said = listen ();
  test_key ("Escape");
  wait_until (strcmp (said->str, "Press Esc again to abort\n") == 0);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  test_key ("Escape");
  assert_aborted (self);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  test_window_advance (self, 1000);
  g_assert_true (g_str_has_prefix (said->str, "Press Esc again to abort\n"
                                              "The turn was aborted by you. Stopped in "));
  g_assert_null (strstr (said->str, "Aborting…"));
  stop_listening (said);
}

static gboolean
is_transcript (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TRANSCRIPT (widget);
}

/* --- Esc ---------------------------------------------------------------------------------------
 */

static void
test_escape_single (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  assert_goes_on (self);
}

static void
test_escape_double (TestWindow *self, gconstpointer data)
{
  start (self);
  test_xdo ("key", "--delay", "5", "Escape", "Escape", NULL);
  assert_aborted (self);
}

static AdwToast *
show_other_toast (TestWindow *self)
{
  AdwToast *toast = gadget_toast_new ("Something else");

  adw_toast_set_timeout (toast, 0);
  gadget_chat_add_toast (self->chat, g_object_ref (toast));
  wait_until (test_window_has_toast (self, "Something else"));
  return toast;
}

static gboolean
is_toast_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget)
         && gtk_widget_get_ancestor (widget, g_type_from_name ("AdwToastWidget")) != NULL;
}

/* Two presses are enough when another toast is up, wherever the focus is. */
static void
test_escape_other_toast (TestWindow *self, gconstpointer data)
{
  g_autoptr (AdwToast) last = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (AdwToast) toast = NULL;

      start (self);
      toast = show_other_toast (self);
      gtk_widget_grab_focus (
          test_find (GTK_WIDGET (self->chat), i == 0 ? is_transcript : is_toast_button, NULL));
      test_key ("Escape");
      wait_until (test_window_has_toast (self, "Press Esc again to abort"));
      test_run_for (300);
      test_key ("Escape");
      assert_aborted (self);
      self->n_completed = 0;
      adw_toast_dismiss (toast);
      gtk_widget_grab_focus (self->text);
    }
  /* Where nothing runs, Esc dismisses the toast. */
  test_window_advance (self, 1000);
  wait_until (!test_window_has_toast (self, "Aborting…"));
  test_run_for (400);
  last = show_other_toast (self);
  gtk_widget_grab_focus (test_find (GTK_WIDGET (self->chat), is_toast_button, NULL));
  test_key ("Escape");
  wait_until (!test_window_has_toast (self, "Something else"));
}

/* The toast is in the way between the chat and the window. */
static void
test_escape_in_chat (TestWindow *self, gconstpointer data)
{
  start (self);
  gtk_widget_grab_focus (test_find (GTK_WIDGET (self->chat), is_transcript, NULL));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (500);
  test_key ("Escape");
  assert_aborted (self);
}

static void
test_escape_too_late (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_window_advance (self, 3100);
  wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  assert_goes_on (self);
  test_window_advance (self, 2900);
  test_key ("Escape");
  assert_aborted (self);
}

static void
test_escape_held (TestWindow *self, gconstpointer data)
{
  start (self);
  /* The server repeats it, as for a hand. */
  test_xdo ("keydown", "Escape", NULL);
  test_run_for (1500);
  test_xdo ("keyup", "Escape", NULL);
  assert_goes_on (self);
  test_key ("Escape");
  assert_aborted (self);
}

static void
test_escape_compose (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  test_have_compose_key ();
  start (self);
  gtk_widget_grab_focus (self->text);
  test_key ("Multi_key");
  test_key ("Escape");
  assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  /* A finished sequence is text, and nothing else. */
  test_xdo ("key", "Multi_key", "apostrophe", "e", NULL);
  text = dup_composer_text (self);
  g_assert_cmpstr (text, ==, "é");
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
}

static void
test_escape_popover (TestWindow *self, gconstpointer data)
{
  start (self);
  gadget_composer_open_models (self->composer);
  test_run_for (300);
  test_key ("Escape");
  assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  assert_aborted (self);
}

static gboolean
is_open_popover (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget);
}

/* The stop at the first press needs nothing to be closed first. */
static void
test_shift_escape_popover (TestWindow *self, gconstpointer keys)
{
  start (self);
  gadget_composer_open_models (self->composer);
  wait_until (test_find (GTK_WIDGET (self->window), is_open_popover, NULL) != NULL);
  test_run_for (300);
  test_key (keys);
  assert_aborted (self);
  self->n_completed = 0;
  gtk_popover_popdown (GTK_POPOVER (test_find (GTK_WIDGET (self->window), is_open_popover, NULL)));
  gtk_widget_grab_focus (self->text);

  start (self);
  test_key ("F10");
  wait_until (test_find (GTK_WIDGET (self->window), is_open_popover, NULL) != NULL);
  test_run_for (300);
  test_key (keys);
  assert_aborted (self);
}

static void
test_escape_dialog (TestWindow *self, gconstpointer data)
{
  start (self);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.shortcuts", NULL);
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
              != NULL);
  test_run_for (500);
  test_key ("Escape");
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
              == NULL);
  assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (500);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
}

static void
test_escape_overlay_sidebar (TestWindow *self, gconstpointer data)
{
  start (self);
  adw_overlay_split_view_set_collapsed (self->window->split_view, TRUE);
  adw_overlay_split_view_set_show_sidebar (self->window->split_view, TRUE);
  test_run_for (400);
  test_key ("Escape");
  wait_until (!adw_overlay_split_view_get_show_sidebar (self->window->split_view));
  assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (400);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
}

static void
test_escape_search (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("ctrl+k");
  test_type ("hel");
  test_key ("Escape");
  assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
}

static void
test_escape_dismissed (TestWindow *self, gconstpointer data)
{
  GtkWidget *toast;
  GtkWidget *close;

  start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (400);
  toast = gtk_widget_get_ancestor (
      test_find_label (GTK_WIDGET (self->chat), "Press Esc again to abort"),
      g_type_from_name ("AdwToastWidget"));
  close = gtk_widget_get_last_child (toast);
  test_click (close);
  wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  assert_goes_on (self);
}

static void
test_escape_completion (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  fake_provider_end (self->provider);
  wait_until (!is_busy (self));
  wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  test_run_for (100);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (get_session (self))), ==,
                   GADGET_TURN_FINISHED);
}

static void
test_shift_escape (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("shift+Escape");
  assert_aborted (self);
}

static void
test_control_shift_escape (TestWindow *self, gconstpointer data)
{
  start (self);
  test_key ("ctrl+shift+Escape");
  assert_aborted (self);
}

static gboolean
is_open_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

/* The menu opens from wherever its button is, and closing it arms nothing. */
static void
test_escape_main_menu (TestWindow *self, gconstpointer data)
{
  start (self);
  for (guint i = 0; i < 3; i++)
    {
      adw_overlay_split_view_set_collapsed (self->window->split_view, i == 2);
      adw_overlay_split_view_set_show_sidebar (self->window->split_view, i == 0);
      test_run_for (500);
      test_key ("F10");
      wait_until (test_find (GTK_WIDGET (self->window), is_open_menu, NULL) != NULL);
      test_run_for (300);
      test_key ("Escape");
      wait_until (test_find (GTK_WIDGET (self->window), is_open_menu, NULL) == NULL);
      assert_goes_on (self);
      g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
    }
}

/* What the user was doing stays as it was. */
static void
test_escape_leaves_the_rest (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autofree char *text = NULL;
  GtkTextIter iter;

  start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("a draft");
  test_xdo ("key", "Left", "Left", NULL);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
  g_assert_true (gtk_widget_is_focus (self->text));
  text = dup_composer_text (self);
  g_assert_cmpstr (text, ==, "a draft");
  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  g_assert_cmpint (gtk_text_iter_get_offset (&iter), ==, 5);
}

static void
collect_focusable (GtkWidget *widget, GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return;
  if (gtk_widget_get_focusable (widget) && gtk_widget_is_sensitive (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_focusable (child, found);
}

/* Whatever has the focus, the first Esc arms and the second would abort. */
static void
test_escape_everywhere (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) widgets = g_ptr_array_new ();
  guint n = 0;

  start (self);
  collect_focusable (GTK_WIDGET (self->window), widgets);
  g_assert_cmpuint (widgets->len, >, 8);
  for (guint i = 0; i < widgets->len; i++)
    {
      GtkWidget *widget = g_ptr_array_index (widgets, i);

      if (!gtk_widget_grab_focus (widget))
        continue;
      n++;
      g_test_message ("Esc at %s %s", G_OBJECT_TYPE_NAME (widget), gtk_widget_get_name (widget));
      test_key ("Escape");
      wait_until (test_window_has_toast (self, "Press Esc again to abort"));
      test_window_advance (self, 3100);
      wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
    }
  g_assert_cmpuint (n, >, 8);
  assert_goes_on (self);
}

/* --- Queue -------------------------------------------------------------------------------------
 */

static void
test_enter_queues (TestWindow *self, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (get_session (self));

  start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("one");
  test_key ("Return");
  test_type ("two");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  g_assert_true (gadget_composer_is_empty (self->composer));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Queued"));
  assert_goes_on (self);

  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
  test_run_for (200);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 2);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
}

/* A title is made in the background: nothing offers to cancel it, and stopping everything stops it.
 */
static void
test_title (TestWindow *self, gconstpointer data)
{
  gadget_agent_set_titles (gadget_engine_get_agent (self->engine), TRUE);
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  fake_provider_end (self->provider);
  wait_until (self->n_completed == 1 && fake_provider_is_waiting (self->provider));
  test_run_for (200);
  g_assert_false (is_busy (self));
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  assert_button (self);

  /* Esc is for replies. */
  test_key ("Escape");
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  g_assert_true (fake_provider_is_waiting (self->provider));
  test_key ("ctrl+shift+Escape");
  wait_until (!fake_provider_is_waiting (self->provider));
  /* It says what it did. */
  wait_until (test_window_has_toast (self, "Stopping the work on a title"));
  g_assert_false (test_window_has_toast (self, "Nothing is running"));
  g_assert_cmpstr (gadget_session_get_title (get_session (self)), ==, "hello");
}

static gboolean
is_drop_down (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && GTK_IS_POPOVER_MENU (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget)))
         && gtk_widget_get_ancestor (widget, ADW_TYPE_SPLIT_BUTTON) != NULL;
}

/* Said into the turn: with Ctrl+Enter, or from the menu beside "Queue". It waits above the
 * composer, before what is queued; an abort leaves it there, paused. */
static void
test_steer (TestWindow *self, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (get_session (self));
  g_autoptr (GadgetQueuedMessage) first = NULL;

  start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("one");
  test_key ("Return");
  test_type ("two");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  g_assert_true (gadget_composer_is_empty (self->composer));
  first = g_list_model_get_item (queue, 0);
  g_assert_cmpstr (gadget_queued_message_get_text (first), ==, "two");
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "With the next step"));

  test_type ("three");
  test_click (test_find (GTK_WIDGET (self->composer), is_drop_down, NULL));
  test_run_for (300);
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  g_assert_true (gadget_composer_is_empty (self->composer));
  assert_goes_on (self);

  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  assert_aborted (self);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 3);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
  g_assert_null (test_find_label (GTK_WIDGET (self->composer), "With the next step"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
}

/* With nothing going on it is the same as Enter. */
static void
test_steer_idle (TestWindow *self, gconstpointer data)
{
  gtk_widget_grab_focus (self->text);
  test_type ("hello");
  test_key ("ctrl+Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (self)), ==, 1);
}

/* --- Always ------------------------------------------------------------------------------------
 */

/* Turns that finish, fail and are aborted, at random: the button always tells what is so. */
static void
test_property (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  GadgetSession *session = get_session (self);
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GadgetRun) run = gadget_agent_start (agent, session, "go", &options, NULL);
      int how = g_rand_int_range (rand, 0, 4);

      assert_button (self);
      if (how != 0)
        {
          wait_until (fake_provider_is_waiting (self->provider));
          fake_provider_text (self->provider, "text");
        }
      assert_button (self);
      if (how == 1)
        fake_provider_end (self->provider);
      else if (how == 2)
        fake_provider_fail (self->provider,
                            g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
      else
        gadget_abort_ack_free (
            gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER));
      while (is_busy (self))
        {
          if (!g_str_equal (test_window_get_face (self), "Send"))
            g_assert_true (is_busy (self));
          else
            g_assert_false (gtk_widget_get_sensitive (self->button));
          g_main_context_iteration (NULL, TRUE);
        }
      assert_button (self);
      gadget_composer_clear (self->composer);
    }
}

#define add_with(path, function, data)                                                             \
  g_test_add ("/ui/stopping/" path, TestWindow, data, test_window_set_up, function,                \
              test_window_tear_down)
#define add(path, function) add_with (path, function, NULL)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("cancel-click", test_cancel_click);
  add ("cancel-keyboard", test_cancel_keyboard);
  add ("cancel-activate", test_cancel_activate);
  add ("double-click-on-send", test_double_click_on_send);
  add ("double-click-on-cancel", test_double_click_on_cancel);
  add ("still-pointer", test_still_pointer);
  add ("escape-main-menu", test_escape_main_menu);
  add ("slow-abort", test_slow_abort);
  add ("sent-after-abort", test_sent_after_abort);
  add ("could-not-abort", test_could_not_abort);
  add ("prompt-comes-back", test_prompt_comes_back);
  add ("sentence", test_sentence);
  add ("announced", test_announced);
  add ("escape-single", test_escape_single);
  add ("escape-double", test_escape_double);
  add ("escape-other-toast", test_escape_other_toast);
  add ("escape-in-chat", test_escape_in_chat);
  add ("escape-too-late", test_escape_too_late);
  add ("escape-held", test_escape_held);
  add ("escape-compose", test_escape_compose);
  add ("escape-popover", test_escape_popover);
  add_with ("shift-escape-popover", test_shift_escape_popover, "shift+Escape");
  add_with ("control-shift-escape-popover", test_shift_escape_popover, "ctrl+shift+Escape");
  add ("escape-dialog", test_escape_dialog);
  add ("escape-overlay-sidebar", test_escape_overlay_sidebar);
  add ("escape-search", test_escape_search);
  add ("escape-dismissed", test_escape_dismissed);
  add ("escape-completion", test_escape_completion);
  add ("shift-escape", test_shift_escape);
  add ("control-shift-escape", test_control_shift_escape);
  add ("escape-leaves-the-rest", test_escape_leaves_the_rest);
  add ("escape-everywhere", test_escape_everywhere);
  add ("enter-queues", test_enter_queues);
  add ("title", test_title);
  add ("steer", test_steer);
  add ("steer-idle", test_steer_idle);
  add ("button-tells-the-truth", test_property);

  return g_test_run ();
}
