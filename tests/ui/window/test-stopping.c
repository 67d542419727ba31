/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stop of a whole window: real widgets, keys and clicks that really come from the display
 * server. The clock of the button and of Esc stands still until a test advances it. */

#include "config.h"

#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "test-stop.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-announcer.h"
#include "ui/transcript/model/gadget-receipt-text.h"
#include "wait.h"

/* --- The button --------------------------------------------------------------------------------
 */

static void
test_cancel_click (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  test_click (self->button);
  test_stop_assert_aborted (self);
}

static void
test_cancel_keyboard (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  gtk_widget_grab_focus (self->button);
  /* The keyboard is not guarded: the clock has not moved since the button changed. */
  test_key ("space");
  test_stop_assert_aborted (self);
  g_assert_true (gtk_widget_is_focus (self->text));
}

/* A screen reader's press acts as soon as a pointer's: GTK would show the button pressed first. */
static void
test_cancel_activate (TestWindow *self, gconstpointer data)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  GadgetRun *run;

  test_stop_start (self);
  run =
      gadget_registry_find (registry, gadget_session_get_active_run (test_stop_get_session (self)));
  g_assert_true (gtk_widget_activate (self->button));
  g_assert_true (gadget_run_is_aborted (run));
  test_stop_assert_aborted (self);
}

static void
test_double_click_on_send (TestWindow *self, gconstpointer data)
{
  test_type ("hello");
  test_point_at_end (self->button);
  test_xdo ("click", "--repeat", "2", "--delay", "60", "1", NULL);
  wait_until (fake_provider_is_waiting (self->provider));
  test_stop_assert_goes_on (self);
  test_xdo ("click", "1", NULL);
  test_stop_assert_goes_on (self);
  test_window_advance (self, 400);
  test_xdo ("click", "1", NULL);
  wait_until (!test_stop_is_busy (self));
  g_assert_cmpuint (self->n_completed, ==, 1);
}

static void
test_double_click_on_cancel (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("next");
  test_point_at_end (self->button);
  test_xdo ("click", "1", "sleep", "0.25", "click", "1", NULL);
  test_stop_assert_aborted (self);
  test_run_for (200);
  g_assert_cmpuint (gadget_session_get_n_turns (test_stop_get_session (self)), ==, 1);
  g_assert_cmpuint (
      g_list_model_get_n_items (gadget_session_get_queue (test_stop_get_session (self))), ==, 0);
  test_window_advance (self, 400);
  test_point_at (self->button);
  test_xdo ("click", "1", NULL);
  wait_until (gadget_session_get_n_turns (test_stop_get_session (self)) == 2);
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
      turn = gadget_session_get_last_turn (test_stop_get_session (self));
      fake_provider_text (self->provider, "Some text");
      test_window_advance (self, 500);
      if (i == 1)
        fake_provider_end (self->provider);
      else
        test_xdo ("click", "1", NULL);
      wait_until (!test_stop_is_busy (self));
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
  test_stop_start (self);
  fake_provider_call (self->provider, 0, "call", "deaf", "{}");
  fake_provider_end (self->provider);
  wait_until (fake_tool_is_running (tool));
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  said = gadget_test_listen ();
  test_click (self->button);
  wait_until (!gtk_widget_get_sensitive (self->button));
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_assert_cmpstr (said->str, ==, "");
  test_window_advance (self, 150);
  g_assert_cmpstr (test_window_get_face (self), ==, "Aborting…");
  g_assert_cmpstr (said->str, ==, "Aborting…\n");
  test_click (self->button);
  g_assert_true (test_stop_is_busy (self));
  fake_tool_end (tool, "late");
  test_stop_assert_aborted (self);
  gadget_test_stop_listening (said);
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
  GListModel *queue = gadget_session_get_queue (test_stop_get_session (self));

  fake_tool_set_deaf (tool, TRUE);
  gadget_toolbox_add (gadget_agent_get_toolbox (agent), GADGET_TOOL (tool));
  test_stop_start (self);
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
  g_assert_cmpstr (
      gadget_turn_get_prompt (gadget_session_get_last_turn (test_stop_get_session (self))), ==,
      "after");
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 1);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
}

static void
test_could_not_abort (TestWindow *self, gconstpointer data)
{
  gadget_session_set_active_run (test_stop_get_session (self), "a-run-of-nobody");
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  test_window_advance (self, 1000);
  test_click (self->button);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Could not abort: nothing to stop")
              != NULL);
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  gadget_session_set_active_run (test_stop_get_session (self), NULL);
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
  test_stop_assert_aborted (self);
  text = gadget_composer_dup_text (self->composer);
  g_assert_cmpstr (text, ==, "hello");
}

/* Screen readers are told who or what stopped it, as the card in the chat says it. */
static void
test_sentence (TestWindow *self, gconstpointer data)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  GadgetTurn *turn = test_stop_start (self);
  g_autoptr (GadgetTurn) limited = gadget_turn_new ("t", "hello");
  g_autofree char *stopped = NULL;
  g_autofree char *at_limit = NULL;

  gadget_run_abort (
      gadget_registry_find (registry, gadget_session_get_active_run (test_stop_get_session (self))),
      GADGET_STOP_DEADLINE);
  test_stop_assert_aborted (self);
  stopped = gadget_receipt_dup_sentence (turn);
  g_assert_true (g_str_has_prefix (
      stopped, "The turn was aborted because its time limit was reached. Stopped in "));
  g_assert_true (g_str_has_suffix (stopped, ": 1 connection."));

  gadget_turn_set_limit (limited, "limit/steps", "20");
  gadget_turn_abort (limited, GADGET_STOP_BUDGET);
  at_limit = gadget_receipt_dup_sentence (limited);
  g_assert_cmpstr (at_limit, ==, "The turn was aborted at its limit: 20 steps.");
}

/* How to confirm, and what came of it. "Aborting…" in between would only be in the way. */
static void
test_announced (TestWindow *self, gconstpointer data)
{
  GString *said;

  test_stop_start (self);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  said = gadget_test_listen ();
  test_key ("Escape");
  wait_until (strcmp (said->str, "Press Esc again to abort\n") == 0);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  test_key ("Escape");
  test_stop_assert_aborted (self);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  test_window_advance (self, 1000);
  g_assert_true (g_str_has_prefix (said->str, "Press Esc again to abort\n"
                                              "The turn was aborted by you. Stopped in "));
  g_assert_null (strstr (said->str, "Aborting…"));
  gadget_test_stop_listening (said);
}

/* --- Always ------------------------------------------------------------------------------------
 */

/* Turns that finish, fail and are aborted, at random: the button always tells what is so. */
static void
test_property (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  GadgetSession *session = test_stop_get_session (self);
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GadgetRun) run = gadget_agent_start (agent, session, "go", &options, NULL);
      int how = g_rand_int_range (rand, 0, 4);

      test_stop_assert_button (self);
      if (how != 0)
        {
          wait_until (fake_provider_is_waiting (self->provider));
          fake_provider_text (self->provider, "text");
        }
      test_stop_assert_button (self);
      if (how == 1)
        fake_provider_end (self->provider);
      else if (how == 2)
        fake_provider_fail (self->provider,
                            g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
      else
        gadget_abort_ack_free (
            gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER));
      while (test_stop_is_busy (self))
        {
          if (!g_str_equal (test_window_get_face (self), "Send"))
            g_assert_true (test_stop_is_busy (self));
          else
            g_assert_false (gtk_widget_get_sensitive (self->button));
          g_main_context_iteration (NULL, TRUE);
        }
      test_stop_assert_button (self);
      gadget_composer_clear (self->composer);
    }
}

/* --- Everything --------------------------------------------------------------------------------
 */

#define add(path, function)                                                                        \
  g_test_add ("/ui/stopping/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

/* --- The practice ------------------------------------------------------------------------------
 */

static GadgetTurn *
get_last_turn (TestWindow *self)
{
  return gadget_session_get_last_turn (test_stop_get_session (self));
}

static void
assert_model (TestWindow *self)
{
  g_assert_cmpstr (gadget_session_get_provider (test_stop_get_session (self)), ==, "fake");
  g_assert_cmpstr (gadget_session_get_model (test_stop_get_session (self)), ==, "model");
}

/* The Guide shows the stop, also when it is continued or replaced; the chat keeps its model for
 * what follows.
 */
static void
test_practice (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = test_stop_get_session (self);

  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.suggest", "s", "stop");
  wait_until (test_stop_is_busy (self));
  g_assert_cmpstr (gadget_turn_get_provider (get_last_turn (self)), ==, GADGET_GUIDE_ID);
  assert_model (self);
  /* From the keyboard, say, while it goes on. */
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.continue", "s",
                              gadget_turn_get_id (get_last_turn (self)));
  wait_until (test_window_has_toast (self, "Not available while a reply is in progress"));
  test_key ("shift+Escape");
  wait_until (!test_stop_is_busy (self));
  assert_model (self);

  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.continue", "s",
                              gadget_turn_get_id (get_last_turn (self)));
  wait_until (gadget_session_get_n_turns (session) == 2 && !test_stop_is_busy (self));
  g_assert_cmpstr (gadget_turn_get_provider (get_last_turn (self)), ==, GADGET_GUIDE_ID);
  assert_model (self);

  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.regenerate", "s",
                              gadget_turn_get_id (get_last_turn (self)));
  wait_until (test_stop_is_busy (self));
  wait_until (!test_stop_is_busy (self));
  g_assert_cmpstr (gadget_turn_get_provider (get_last_turn (self)), ==, GADGET_GUIDE_ID);
  assert_model (self);

  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 0);
  test_window_send (self, "what happened");
  g_assert_cmpstr (gadget_turn_get_provider (get_last_turn (self)), ==, "fake");
  fake_provider_text (self->provider, "You stopped the Guide.");
  fake_provider_end (self->provider);
  wait_until (!test_stop_is_busy (self));
}

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
  add ("slow-abort", test_slow_abort);
  add ("sent-after-abort", test_sent_after_abort);
  add ("could-not-abort", test_could_not_abort);
  add ("prompt-comes-back", test_prompt_comes_back);
  add ("sentence", test_sentence);
  add ("announced", test_announced);
  add ("button-tells-the-truth", test_property);
  add ("practice", test_practice);

  return g_test_run ();
}
