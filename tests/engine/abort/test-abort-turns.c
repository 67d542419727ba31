/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cases that need more than one moment of a turn: what comes after an abort, and what must not. */

#include "config.h"

#include "abort-fixture.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

static void
set_up (AbortFixture *f, gconstpointer data)
{
  abort_set_up (f, FAKE_SERVER_PLAIN, NULL);
}

static void
tear_down (AbortFixture *f, gconstpointer data)
{
  abort_tear_down (f);
}

static gboolean
has_text (AbortFixture *f)
{
  return gadget_turn_get_n_items (f->turn) > 0;
}

/* --- L1: a call that comes late -----------------------------------------------------------------
 */

/* The server has not heard of the abort, and sends a call of a tool half a second later. */
static void
test_late_call (AbortFixture *f, gconstpointer data)
{
  g_autofree char *proof = g_build_filename (f->workspace, "PROOF", NULL);
  FakeReply *reply = fake_server_add_reply (f->server);

  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_text (f->dialect, reply, "Let me see.");
  fake_reply_delay (reply, 600);
  fake_dialect_call (f->dialect, reply, 0, "shell", "{\"command\":\"touch PROOF\"}");
  fake_dialect_end_calls (f->dialect, reply);
  abort_start (f, "go", GADGET_APPROVAL_AUTO);
  wait_until (has_text (f));
  abort_press (f);
  test_run_for (1000);
  g_assert_false (g_file_test (proof, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (gadget_turn_get_n_items (f->turn), ==, 1);
  abort_assert_invariants (f);
}

/* --- T17, T18: retries --------------------------------------------------------------------------
 */

/* A wait of a day is no wait: the turn fails at once, and says why. */
static void
test_retry_after_a_day (AbortFixture *f, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;

  fake_reply_body (fake_server_add_reply (f->server), 429, "application/json",
                   "{\"error\":{\"message\":\"slow down\"}}", "Retry-After: 86400\r\n");
  abort_start (f, "go", GADGET_APPROVAL_ASK);
  wait_until (f->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (f->turn), ==, GADGET_TURN_ERROR);
  ack = gadget_agent_abort (gadget_engine_get_agent (f->engine), gadget_session_get_id (f->session),
                            NULL, GADGET_STOP_USER);
  g_assert_false (ack->aborted);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

typedef struct
{
  const char *name;
  guint n_failures; /* answers that may be tried again, before the one that is aborted */
  gboolean head;
  gboolean piece;
} Attempt;

static const Attempt attempts[] = {
  { "T18-first-attempt", 0, FALSE, FALSE },
  { "T18-first-attempt-after-head", 0, TRUE, FALSE },
  { "T18-first-attempt-mid-text", 0, TRUE, TRUE },
  { "T18-second-attempt", 1, FALSE, FALSE },
  { "T18-third-attempt-mid-text", 2, TRUE, TRUE },
};

/* An abort is never taken for something that may be tried again. */
static void
test_attempt (AbortFixture *f, gconstpointer data)
{
  const Attempt *attempt = data;
  FakeReply *reply;

  for (guint i = 0; i < attempt->n_failures; i++)
    fake_reply_body (fake_server_add_reply (f->server), 503, "text/plain", "busy",
                     "Retry-After: 0\r\n");
  reply = fake_server_add_reply (f->server);
  if (attempt->head)
    fake_dialect_begin_text (f->dialect, reply);
  if (attempt->piece)
    fake_dialect_text (f->dialect, reply, "some text");
  fake_reply_stall (reply);

  abort_start (f, "go", GADGET_APPROVAL_ASK);
  wait_until (fake_server_get_n_requests (f->server) == attempt->n_failures + 1
              && (!attempt->piece || has_text (f)));
  test_run_for (30);
  abort_press (f);
  /* Longer than the longest of the first three delays. */
  test_run_for (1200);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, attempt->n_failures + 1);
  abort_assert_invariants (f);
}

/* --- U4: again and again ------------------------------------------------------------------------
 */

static void
test_ten_times (AbortFixture *f, gconstpointer data)
{
  FakeReply *reply = fake_server_add_reply (f->server);

  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_text (f->dialect, reply, "some text");
  fake_reply_stall (reply);
  abort_start (f, "go", GADGET_APPROVAL_ASK);
  wait_until (has_text (f));
  for (guint i = 0; i < 9; i++)
    {
      g_autoptr (GadgetAbortAck) ack = gadget_agent_abort (
          gadget_engine_get_agent (f->engine), gadget_session_get_id (f->session), NULL,
          i % 2 == 0 ? GADGET_STOP_USER : GADGET_STOP_API);

      g_assert_true (ack->aborted);
      g_assert_cmpstr (ack->message, ==, GADGET_ABORT_SIGNALED);
    }
  abort_press (f);
  g_assert_cmpuint (f->n_completed, ==, 1);
  abort_assert_invariants (f);
}

/* --- H13: the next message in the same instant --------------------------------------------------
 */

static void
send_at_once_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
                 AbortFixture *f)
{
  if (f->n_completed == 1)
    abort_start (f, "and now?", GADGET_APPROVAL_ASK);
}

static void
test_next_at_once (AbortFixture *f, gconstpointer data)
{
  FakeReply *reply = fake_server_add_reply (f->server);
  g_autofree char *id = g_strdup (gadget_session_get_id (f->session));
  g_autoptr (GadgetSession) stored = NULL;
  GadgetStore *store;

  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_text (f->dialect, reply, "The key is 42");
  fake_reply_stall (reply);
  reply = fake_server_add_reply (f->server);
  fake_reply_when (reply, "and now?");
  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_text (f->dialect, reply, "Fine.");
  fake_dialect_end_text (f->dialect, reply);
  g_signal_connect_after (gadget_engine_get_agent (f->engine), "completed",
                          G_CALLBACK (send_at_once_cb), f);
  abort_start (f, "go", GADGET_APPROVAL_ASK);
  wait_until (has_text (f));
  abort_press (f);
  wait_until (f->n_completed == 2);
  /* H12: what was shown is in the request. */
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 1)->body, "The key is 42"));

  g_clear_object (&f->session);
  abort_close_engine (f);
  store = test_store_open (f->directory);
  stored = test_store_load (store, id);
  test_store_close (store);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 2);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (stored, 0)), ==,
                   GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (stored, 1)), ==,
                   GADGET_TURN_FINISHED);
}

/* --- G8, L15: the end of everything -------------------------------------------------------------
 */

static void
test_quit_while_aborting (AbortFixture *f, gconstpointer data)
{
  g_autofree char *arguments = g_strdup_printf (
      "{\"command\":\"sleep %s & setsid sleep %s & trap '' TERM; echo begun; sleep %s\"}",
      f->marker, f->marker, f->marker);
  g_autoptr (GadgetAbortAck) ack = NULL;
  gint64 began;

  if (!gadget_commands_get_offered (gadget_engine_get_commands (f->engine)))
    {
      g_test_skip ("no sandbox can be had here");
      return;
    }
  abort_script_call (f, "shell", arguments);
  abort_start (f, "go", GADGET_APPROVAL_AUTO);
  wait_until (test_count_alive (f->marker) > 2);
  began = g_get_monotonic_time ();
  ack = gadget_agent_abort (gadget_engine_get_agent (f->engine), gadget_session_get_id (f->session),
                            NULL, GADGET_STOP_USER);
  g_assert_true (ack->aborted);
  abort_close_engine (f);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (f->n_completed, ==, 1);
  g_assert_cmpint (gadget_turn_get_status (f->turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (f->turn), ==, GADGET_STOP_USER);
  test_wait_alive (f->marker, 0);
}

/* Many turns at once, all stopped by the end of the program, and nobody is left to hear of it. */
static void
test_storm (AbortFixture *f, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE };
  FakeReply *reply = fake_server_add_reply (f->server);
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_completed = 0;

  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_flow (f->dialect, reply, "word ", 100000, 500);
  g_signal_handlers_disconnect_by_data (gadget_engine_get_agent (f->engine), f);
  test_count_completed (gadget_engine_get_agent (f->engine), &n_completed);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GadgetSession) session = gadget_engine_new_session (f->engine);
      g_autoptr (GadgetRun) run = NULL;

      gadget_session_set_model (session, "fake", "m");
      run = gadget_agent_start (gadget_engine_get_agent (f->engine), session, "go", &options, NULL);
      g_assert_nonnull (run);
      g_ptr_array_add (turns, g_object_ref (gadget_session_get_last_turn (session)));
      test_run_for (1 + i % 5);
    }
  g_clear_object (&f->session);
  abort_close_engine (f);
  g_assert_cmpuint (n_completed, ==, turns->len);
  for (guint i = 0; i < turns->len; i++)
    {
      g_assert_cmpint (gadget_turn_get_status (turns->pdata[i]), ==, GADGET_TURN_ABORTED);
      g_assert_cmpint (gadget_turn_get_stop_reason (turns->pdata[i]), ==, GADGET_STOP_CLOSED);
    }
  wait_until (fake_server_count_ends (f->server)
              == fake_server_count (f->server, FAKE_EVENT_ACCEPT));
}

#define ADD(path, func) g_test_add ("/abort/" path, AbortFixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("L1-late-call", test_late_call);
  ADD ("T17-retry-after-a-day", test_retry_after_a_day);
  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autofree char *path = g_strdup_printf ("/abort/%s", attempts[i].name);

      g_test_add (path, AbortFixture, &attempts[i], set_up, test_attempt, tear_down);
    }
  ADD ("U4-ten-times", test_ten_times);
  ADD ("H13-next-message-at-once", test_next_at_once);
  ADD ("G8-quit-while-aborting", test_quit_while_aborting);
  ADD ("L15-storm", test_storm);
  return g_test_run ();
}
