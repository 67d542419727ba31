/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Esc, Shift+Esc and Ctrl+Shift+Esc in a window: what they stop, what they leave alone, and from
 * wherever the focus is. The clock of Esc stands still until a test advances it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-stop.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-toast.h"
#include "ui/transcript/gadget-transcript.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static void
test_escape_single (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_stop_assert_goes_on (self);
}

static void
test_escape_double (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_xdo ("key", "--delay", "5", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
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

      test_stop_start (self);
      toast = show_other_toast (self);
      gtk_widget_grab_focus (
          test_find (GTK_WIDGET (self->chat), i == 0 ? test_is_transcript : is_toast_button, NULL));
      test_key ("Escape");
      wait_until (test_window_has_toast (self, "Press Esc again to abort"));
      test_run_for (300);
      test_key ("Escape");
      test_stop_assert_aborted (self);
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

/* What tells of a stop does not lie over the status of the next turn. The clock stands, so that the
 * time that it takes to be read is not over. What offers something keeps its own. */
static void
test_escape_next_turn (TestWindow *self, gconstpointer data)
{
  g_autoptr (AdwToast) undo = gadget_toast_new ("Chat deleted");

  test_stop_start (self);
  test_xdo ("key", "--delay", "5", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
  g_assert_true (test_window_has_toast (self, "Aborting…"));
  test_window_send (self, "next");
  wait_until (!test_window_has_toast (self, "Aborting…"));

  self->n_completed = 0;
  fake_provider_text (self->provider, "some words");
  adw_toast_set_timeout (undo, 0);
  adw_toast_set_button_label (undo, "_Undo");
  gadget_chat_add_toast (self->chat, g_object_ref (undo));
  wait_until (test_window_has_toast (self, "Chat deleted"));
  test_key ("ctrl+shift+Escape");
  test_stop_assert_aborted (self);
  g_assert_nonnull (self->chat->stopped_toast);
  test_window_send (self, "and another");
  g_assert_null (self->chat->stopped_toast);
  test_run_for (700);
  g_assert_true (test_window_has_toast (self, "Chat deleted"));
}

/* The toast is in the way between the chat and the window. */
static void
test_escape_in_chat (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  gtk_widget_grab_focus (test_find (GTK_WIDGET (self->chat), test_is_transcript, NULL));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (500);
  test_key ("Escape");
  test_stop_assert_aborted (self);
}

static void
test_escape_too_late (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_window_advance (self, 3100);
  wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  test_stop_assert_goes_on (self);
  test_window_advance (self, 2900);
  test_key ("Escape");
  test_stop_assert_aborted (self);
}

static void
test_escape_held (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  /* The server repeats it, as for a hand. */
  test_xdo ("keydown", "Escape", NULL);
  test_run_for (1500);
  test_xdo ("keyup", "Escape", NULL);
  test_stop_assert_goes_on (self);
  test_key ("Escape");
  test_stop_assert_aborted (self);
}

static void
test_escape_compose (TestWindow *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  test_have_compose_key ();
  test_stop_start (self);
  gtk_widget_grab_focus (self->text);
  test_key ("Multi_key");
  test_key ("Escape");
  test_stop_assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  /* A finished sequence is text, and nothing else. */
  test_xdo ("key", "Multi_key", "apostrophe", "e", NULL);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "é");
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
}

static void
test_escape_popover (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  gadget_composer_open_models (self->composer);
  test_run_for (300);
  test_key ("Escape");
  test_stop_assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  test_stop_assert_aborted (self);
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
  test_stop_start (self);
  gadget_composer_open_models (self->composer);
  wait_until (test_find (GTK_WIDGET (self->window), is_open_popover, NULL) != NULL);
  test_run_for (300);
  test_key (keys);
  test_stop_assert_aborted (self);
  self->n_completed = 0;
  gtk_popover_popdown (GTK_POPOVER (test_find (GTK_WIDGET (self->window), is_open_popover, NULL)));
  gtk_widget_grab_focus (self->text);

  test_stop_start (self);
  test_key ("F10");
  wait_until (test_find (GTK_WIDGET (self->window), is_open_popover, NULL) != NULL);
  test_run_for (300);
  test_key (keys);
  test_stop_assert_aborted (self);
}

static void
test_escape_dialog (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.shortcuts", NULL);
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
              != NULL);
  test_run_for (500);
  test_key ("Escape");
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
              == NULL);
  test_stop_assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (500);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
}

static void
test_escape_overlay_sidebar (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  adw_overlay_split_view_set_collapsed (self->window->split_view, TRUE);
  adw_overlay_split_view_set_show_sidebar (self->window->split_view, TRUE);
  test_run_for (400);
  test_key ("Escape");
  wait_until (!adw_overlay_split_view_get_show_sidebar (self->window->split_view));
  test_stop_assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_run_for (400);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
}

static void
test_escape_search (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("ctrl+shift+k");
  test_type ("hel");
  test_key ("Escape");
  test_stop_assert_goes_on (self);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
}

static void
test_escape_dismissed (TestWindow *self, gconstpointer data)
{
  GtkWidget *toast;
  GtkWidget *close;

  test_stop_start (self);
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
  test_stop_assert_goes_on (self);
}

static void
test_escape_completion (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  fake_provider_end (self->provider);
  wait_until (!test_stop_is_busy (self));
  wait_until (!test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  test_run_for (100);
  g_assert_cmpint (
      gadget_turn_get_status (gadget_session_get_last_turn (test_stop_get_session (self))), ==,
      GADGET_TURN_FINISHED);
}

static void
test_shift_escape (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("shift+Escape");
  test_stop_assert_aborted (self);
}

static void
test_control_shift_escape (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_key ("ctrl+shift+Escape");
  test_stop_assert_aborted (self);
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
  test_stop_start (self);
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
      test_stop_assert_goes_on (self);
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

  test_stop_start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("a draft");
  test_xdo ("key", "Left", "Left", NULL);
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
  g_assert_true (gtk_widget_is_focus (self->text));
  text = gadget_composer_dup_text (self->composer);
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

  test_stop_start (self);
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
  test_stop_assert_goes_on (self);
}

#define add_with(path, function, data)                                                             \
  g_test_add ("/ui/stopping/" path, TestWindow, data, test_window_set_up, function,                \
              test_window_tear_down)
#define add(path, function) add_with (path, function, NULL)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("escape-main-menu", test_escape_main_menu);
  add ("escape-single", test_escape_single);
  add ("escape-double", test_escape_double);
  add ("escape-other-toast", test_escape_other_toast);
  add ("escape-next-turn", test_escape_next_turn);
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

  return g_test_run ();
}
