/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "many-turns.h"

#include "fake-dialect.h"
#include "strict-request.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include "session/gadget-history.h"

#include <string.h>

#define N_TASKS (MANY_STREAMS / MANY_SESSIONS)
#define N_OTHERS (MANY_CALLS / MANY_SESSIONS)
#define LONG 1000000
#define PER_SECOND 20
#define PROMPT "Count the lines"

/* --- Fixture ---------------------------------------------------------------------------------- */

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              ManyTurns *self)
{
  self->n_completed++;
  self->completed_us = g_get_monotonic_time ();
}

/* A subagent's request is told apart by its prompt. */
static void
script (ManyTurns *self, const FakeDialect *dialect)
{
  FakeReply *stream = fake_server_add_reply (self->server);
  FakeReply *calls = fake_server_add_reply (self->server);
  g_autofree char *command =
      g_strdup_printf ("{\"command\":\"echo begun; exec sleep %s\"}", self->marker);
  guint n = 0;

  fake_reply_when (stream, PROMPT);
  fake_dialect_begin_text (dialect, stream);
  fake_dialect_flow (dialect, stream, "word ", LONG, PER_SECOND);

  fake_dialect_begin_calls (dialect, calls);
  for (guint i = 0; i < N_TASKS; i++)
    fake_dialect_call (dialect, calls, n++, "task",
                       "{\"description\":\"Lines\",\"prompt\":\"" PROMPT "\"}");
  for (guint i = 0; i < 2; i++)
    {
      if (self->commands)
        fake_dialect_call (dialect, calls, n++, "shell", command);
      else
        fake_dialect_call (dialect, calls, n++, "wait", "{\"seconds\":3600}");
      fake_dialect_call (dialect, calls, n++, "wait", "{\"seconds\":3600}");
    }
  fake_dialect_call (dialect, calls, n++, "ask_user",
                     "{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}");
  fake_dialect_end_calls (dialect, calls);
  g_assert_cmpuint (n, ==, N_TASKS + N_OTHERS);
}

ManyTurns *
many_turns_new (void)
{
  const FakeDialect *dialect = &fake_dialects[0];
  ManyTurns *self = g_new0 (ManyTurns, 1);
  g_autoptr (GadgetProviderConfig) config = NULL;
  g_autofree char *url = NULL;

  self->directory = test_dir_new ();
  self->workspace = test_dir_new ();
  self->marker = test_marker_new ();
  self->sessions = g_ptr_array_new_with_free_func (g_object_unref);
  self->server = fake_server_new ();
  self->engine = gadget_engine_new (self->directory);
  test_engine_open (self->engine);
  self->commands = gadget_commands_get_offered (gadget_engine_get_commands (self->engine));
  script (self, dialect);
  url = fake_server_dup_url (self->server, dialect->path);
  config = gadget_provider_config_new ("fake", "Fake", dialect->kind, url, "m");
  test_engine_add_provider (self->engine, config);
  g_signal_connect (gadget_engine_get_agent (self->engine), "completed", G_CALLBACK (completed_cb),
                    self);
  return self;
}

void
many_turns_free (ManyTurns *self)
{
  g_ptr_array_unref (self->sessions);
  test_engine_close (self->engine, GADGET_STOP_CLOSED);
  g_object_unref (self->engine);
  fake_server_free (self->server);
  test_dir_free (self->directory);
  test_dir_free (self->workspace);
  g_free (self->marker);
  g_free (self);
}

static GadgetTurn *
get_turn (ManyTurns *self, guint index)
{
  return gadget_session_get_last_turn (g_ptr_array_index (self->sessions, index));
}

/* --- Until all is in flight ------------------------------------------------------------------- */

static gboolean
is_at_work (ManyTurns *self, GadgetItem *item)
{
  const char *name = gadget_item_get_name (item);

  if (gadget_item_get_status (item) != GADGET_ITEM_RUNNING)
    return FALSE;
  if (g_str_equal (name, "task"))
    {
      GadgetTurn *child = gadget_item_get_child_turn (item);

      return child != NULL && gadget_turn_get_n_items (child) > 0
             && gadget_item_get_length (gadget_turn_get_item (child, 0)) > 0;
    }
  if (g_str_equal (name, "shell"))
    return strstr (gadget_item_get_text (item), "begun") != NULL;
  return !g_str_equal (name, "ask_user") || gadget_item_get_prompt (item) != NULL;
}

static gboolean
are_at_work (ManyTurns *self)
{
  for (guint i = 0; i < self->sessions->len; i++)
    {
      GadgetTurn *turn = get_turn (self, i);

      if (gadget_turn_get_n_items (turn) != N_TASKS + N_OTHERS)
        return FALSE;
      for (guint k = 0; k < gadget_turn_get_n_items (turn); k++)
        if (!is_at_work (self, gadget_turn_get_item (turn, k)))
          return FALSE;
    }
  return TRUE;
}

/* Forty sandboxes and eighty streams at once: a busy machine takes its time. */
static void
wait_for_work (ManyTurns *self)
{
  const gint64 end_us = g_get_monotonic_time () + 5 * WAIT_S * G_USEC_PER_SEC;
  const guint wake = wait_begin ();

  while (!are_at_work (self))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (wake);
}

void
many_turns_start (ManyTurns *self)
{
  const GadgetTurnOptions options = { .approval = GADGET_APPROVAL_AUTO, .interactive = TRUE };

  self->n_completed = 0;
  self->first_request = fake_server_get_n_requests (self->server);
  g_ptr_array_set_size (self->sessions, 0);
  for (guint i = 0; i < MANY_SESSIONS; i++)
    {
      GadgetSession *session = gadget_engine_new_session (self->engine);
      g_autoptr (GadgetRun) run = NULL;
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (self->sessions, session);
      gadget_session_set_model (session, "fake", "m");
      gadget_session_set_workspace (session, self->workspace);
      run = gadget_agent_start (gadget_engine_get_agent (self->engine), session, "go", &options,
                                &error);
      g_assert_no_error (error);
    }
  wait_for_work (self);
}

/* --- The abort -------------------------------------------------------------------------------- */

/* When the last connection that a subagent's request came on ended; 0 while one is open. */
static gint64
get_last_end (ManyTurns *self)
{
  guint n_streams = 0;
  gint64 last = 0;

  for (guint i = self->first_request; i < fake_server_get_n_requests (self->server); i++)
    {
      const FakeRequest *request = fake_server_get_request (self->server, i);
      gint64 ended;

      if (strstr (request->body, PROMPT) == NULL)
        continue;
      ended = fake_server_get_end_time (self->server, request->connection);
      if (ended == 0)
        return 0;
      n_streams++;
      last = MAX (last, ended);
    }
  g_assert_cmpuint (n_streams, ==, MANY_STREAMS);
  return last;
}

static double
get_longest_process (ManyTurns *self)
{
  double longest = 0;

  for (guint i = 0; i < self->sessions->len; i++)
    {
      GadgetReceipt *receipt = gadget_turn_get_receipt (get_turn (self, i));

      for (guint k = 0; k < gadget_receipt_get_n_lines (receipt); k++)
        if (gadget_receipt_get_line (receipt, k)->kind == GADGET_RECEIPT_PROCESS)
          longest = MAX (longest, gadget_receipt_get_line (receipt, k)->ms);
    }
  return longest;
}

void
many_turns_abort (ManyTurns *self)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  gint64 began_us;

  self->completed_us = 0;
  began_us = g_get_monotonic_time ();
  ack = gadget_agent_abort (gadget_engine_get_agent (self->engine), NULL, NULL, GADGET_STOP_USER);
  self->ack_ms = (double) (g_get_monotonic_time () - began_us) / 1000;
  g_assert_true (ack->aborted);
  self->n_aborted = g_strv_length (ack->runs);
  wait_until (self->n_completed >= MANY_SESSIONS);
  self->completion_ms = (double) (self->completed_us - began_us) / 1000;
  wait_until (get_last_end (self) != 0);
  self->close_ms = (double) (get_last_end (self) - began_us) / 1000;
  self->processes_ms = get_longest_process (self);
}

static void
assert_turn_stopped (GadgetTurn *turn)
{
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_assert_true (gadget_item_is_settled (item));
      g_assert_null (gadget_item_get_prompt (item));
      if (gadget_item_get_child_turn (item) != NULL)
        assert_turn_stopped (gadget_item_get_child_turn (item));
    }
}

void
many_turns_assert_stopped (ManyTurns *self)
{
  g_autoptr (GPtrArray) runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self->engine)));
  const guint n_requests = fake_server_get_n_requests (self->server);

  g_assert_cmpuint (self->n_aborted, ==, MANY_SESSIONS + MANY_STREAMS);
  g_assert_cmpuint (runs->len, ==, 0);
  /* On a busy machine their end may come after the results; how soon it comes is measured by the
   * benchmark. */
  test_wait_alive (self->marker, 0);
  for (guint i = 0; i < self->sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (self->sessions, i);
      g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "Go on");
      g_autoptr (GadgetRequest) request = NULL;

      assert_turn_stopped (get_turn (self, i));
      g_assert_null (gadget_session_get_active_run (session));
      gadget_session_append (session, next);
      request = gadget_history_build (session, NULL);
      strict_request_assert (request);
    }
  test_run_for (100);
  g_assert_cmpuint (fake_server_get_n_requests (self->server), ==, n_requests);
  g_assert_cmpuint (self->n_completed, ==, MANY_SESSIONS);
}
