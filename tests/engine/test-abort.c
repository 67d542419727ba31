/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abort contract from end to end: a real store, a real connection to a server that this test
 * scripts, real commands in the real sandbox. One case a moment; after each the invariants:
 *
 *   I1 one completion for the turn          I5 no live descendant
 *   I2 no request and no tool afterwards    I6 file descriptors and threads at the baseline
 *   I3 stored text is displayed text        I7 no prompt left
 *   I4 the next message is accepted         I8 status aborted, session idle
 */

#include "config.h"

#include "agent/gadget-engine.h"
#include "fake-server.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

#define WIDE_MS 3000 /* far above what benchmarks measure, far below "hangs" */

typedef struct
{
  char *directory;
  char *workspace;
  GadgetEngine *engine;
  GadgetSession *session;
  FakeServer *server;
  GadgetTurn *turn;
  char *marker;
  guint n_completed;
  char *completed_turn;
} Fixture;

typedef struct
{
  const char *name;
  void (*script) (Fixture *fixture);
  gboolean (*ready) (Fixture *fixture);
  GadgetApproval approval;
  gboolean deaf;
  const char *receipt; /* a kind that must be in it, or NULL */
} Moment;

/* --- What the server does before the abort ---------------------------------------------------- */

static void
script_mute (Fixture *fixture)
{
  fake_reply_stall (fake_server_add_reply (fixture->server));
}

static void
script_head (Fixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_stall (reply);
}

static void
script_text (Fixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "The key is 42");
  fake_reply_stall (reply);
}

static void
script_flow (Fixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chat_flow (reply, "word ", 100000, 2000);
  fake_reply_chat_finish (reply, "stop");
}

static void
script_cut_call (Fixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chunk (reply,
                    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
                    "\"id\":\"c\",\"function\":{\"name\":\"shell\",\"arguments\":"
                    "\"{\\\"comm\"}}]}}]}\n\n");
  fake_reply_stall (reply);
}

static void
script_retry (Fixture *fixture)
{
  fake_reply_body (fake_server_add_reply (fixture->server), 429, "application/json",
                   "{\"error\":{\"message\":\"slow down\"}}", "Retry-After: 30\r\n");
}

static void
script_call (Fixture *fixture, const char *name, const char *arguments)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chat_call (reply, 0, "c", name, arguments);
  fake_reply_chat_finish (reply, "tool_calls");
}

static void
script_wait (Fixture *fixture)
{
  script_call (fixture, "wait", "{\"seconds\":3600}");
}

static void
script_question (Fixture *fixture)
{
  script_call (fixture, "ask_user", "{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}");
}

static void
script_command (Fixture *fixture)
{
  g_autofree char *arguments =
      g_strdup_printf ("{\"command\":\"echo begun; sleep %s\"}", fixture->marker);

  script_call (fixture, "shell", arguments);
}

/* The line that others leave running: in the background, in a session of its own, deaf to TERM. */
static void
script_stubborn (Fixture *fixture)
{
  g_autofree char *arguments = g_strdup_printf (
      "{\"command\":\"echo begun; sleep %s & setsid sleep %s & trap '' TERM; sleep %s\"}",
      fixture->marker, fixture->marker, fixture->marker);

  script_call (fixture, "shell", arguments);
}

/* --- When it is aborted ----------------------------------------------------------------------- */

static gboolean
ready_at_once (Fixture *fixture)
{
  return TRUE;
}

static gboolean
ready_connecting (Fixture *fixture)
{
  return gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (fixture->turn)) > 0;
}

static gboolean
ready_asked (Fixture *fixture)
{
  return fake_server_get_n_requests (fixture->server) > 0;
}

static gboolean
ready_head (Fixture *fixture)
{
  return fake_server_count (fixture->server, FAKE_EVENT_HEAD) > 0;
}

static gboolean
ready_shown (Fixture *fixture)
{
  return gadget_turn_get_n_items (fixture->turn) > 0;
}

static gboolean
ready_retrying (Fixture *fixture)
{
  return gadget_turn_get_phase (fixture->turn) == GADGET_PHASE_RETRYING;
}

static gboolean
ready_running (Fixture *fixture)
{
  return ready_shown (fixture)
         && gadget_item_get_status (gadget_turn_get_item (fixture->turn, 0)) == GADGET_ITEM_RUNNING;
}

static gboolean
ready_output (Fixture *fixture)
{
  return ready_running (fixture)
         && strstr (gadget_item_get_text (gadget_turn_get_item (fixture->turn, 0)), "begun") != NULL
         && test_count_alive (fixture->marker) > 0;
}

static gboolean
ready_prompt (Fixture *fixture)
{
  return ready_shown (fixture)
         && gadget_item_get_prompt (gadget_turn_get_item (fixture->turn, 0)) != NULL;
}

static const Moment moments[] = {
  { "A2-at-once", script_mute, ready_at_once, GADGET_APPROVAL_ASK, FALSE, NULL },
  { "T2-connecting", NULL, ready_connecting, GADGET_APPROVAL_ASK, TRUE, "connection" },
  { "T6-before-headers", script_mute, ready_asked, GADGET_APPROVAL_ASK, FALSE, "connection" },
  { "T1-headers-then-stall", script_head, ready_head, GADGET_APPROVAL_ASK, FALSE, "connection" },
  { "T8-mid-text", script_text, ready_shown, GADGET_APPROVAL_ASK, FALSE, "connection" },
  { "T1-2000-chunks-a-second", script_flow, ready_shown, GADGET_APPROVAL_ASK, FALSE, "connection" },
  { "H3-mid-arguments", script_cut_call, ready_shown, GADGET_APPROVAL_ASK, FALSE, "connection" },
  { "T17-retry-wait", script_retry, ready_retrying, GADGET_APPROVAL_ASK, FALSE, NULL },
  { "X16-in-wait", script_wait, ready_running, GADGET_APPROVAL_ASK, FALSE, "tool" },
  { "X15-in-question", script_question, ready_prompt, GADGET_APPROVAL_ASK, FALSE, "question" },
  { "X15-in-permission", script_command, ready_prompt, GADGET_APPROVAL_ASK, FALSE, "question" },
  { "X1-in-command", script_command, ready_output, GADGET_APPROVAL_AUTO, FALSE, "process" },
  { "X3-X4-stubborn-command", script_stubborn, ready_output, GADGET_APPROVAL_AUTO, FALSE,
    "process" },
};

/* --- Fixture ---------------------------------------------------------------------------------- */

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              Fixture *fixture)
{
  fixture->n_completed++;
  g_set_str (&fixture->completed_turn, turn_id);
  g_assert_null (gadget_session_get_active_run (fixture->session));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const Moment *moment = data;
  g_autofree char *url = NULL;
  g_autoptr (GadgetProviderConfig) config = NULL;
  gboolean opened = FALSE;
  gboolean added = FALSE;

  fixture->directory = test_dir_new ();
  fixture->workspace = test_dir_new ();
  fixture->marker = test_marker_new ();
  fixture->server = moment->deaf ? fake_server_new_deaf () : fake_server_new ();
  fixture->engine = gadget_engine_new (fixture->directory);
  gadget_engine_open_async (fixture->engine, done_cb, &opened);
  wait_until (opened);
  url = fake_server_dup_url (fixture->server, "/v1");
  config = gadget_provider_config_new ("fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "m");
  gadget_provider_list_add_async (gadget_engine_get_providers (fixture->engine), config, NULL,
                                  done_cb, &added);
  wait_until (added);
  fixture->session = gadget_engine_new_session (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "m");
  gadget_session_set_workspace (fixture->session, fixture->workspace);
  g_signal_connect (gadget_engine_get_agent (fixture->engine), "completed",
                    G_CALLBACK (completed_cb), fixture);
}

static void
close_engine (Fixture *fixture)
{
  gboolean closed = FALSE;

  gadget_engine_close_async (fixture->engine, GADGET_STOP_CLOSED, done_cb, &closed);
  wait_until (closed);
  g_clear_object (&fixture->engine);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->session);
  if (fixture->engine != NULL)
    close_engine (fixture);
  fake_server_free (fixture->server);
  test_dir_free (fixture->directory);
  test_dir_free (fixture->workspace);
  g_free (fixture->marker);
  g_free (fixture->completed_turn);
}

static void
start (Fixture *fixture, const char *prompt, GadgetApproval approval)
{
  const GadgetTurnOptions options = { .approval = approval, .interactive = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (fixture->engine),
                                                  fixture->session, prompt, &options, &error);

  g_assert_no_error (error);
  fixture->turn = gadget_session_get_last_turn (fixture->session);
}

static char *
dup_shown (GadgetTurn *turn)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    g_string_append_printf (shown, "[%s]", gadget_item_get_text (gadget_turn_get_item (turn, i)));
  return g_string_free_and_steal (g_steal_pointer (&shown));
}

static gboolean
receipt_has (GadgetReceipt *receipt, const char *kind)
{
  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    if (g_str_equal (gadget_receipt_kind_to_string (gadget_receipt_get_line (receipt, i)->kind),
                     kind))
      return TRUE;
  return FALSE;
}

/* --- The test --------------------------------------------------------------------------------- */

static void
abort_and_settle (Fixture *fixture)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  const gint64 begun = g_get_monotonic_time ();

  ack = gadget_agent_abort (gadget_engine_get_agent (fixture->engine),
                            gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, WIDE_MS * 1000);
  g_assert_true (ack->aborted);
  wait_until (fixture->n_completed > 0);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, WIDE_MS * 1000);
}

static void
assert_settled (Fixture *fixture, const Moment *moment)
{
  GadgetTurn *turn = fixture->turn;
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);

  g_assert_cmpuint (fixture->n_completed, ==, 1); /* I1 */
  g_assert_cmpstr (fixture->completed_turn, ==, gadget_turn_get_id (turn));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED); /* I8 */
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_true (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 0);
  if (moment->receipt != NULL)
    g_assert_true (receipt_has (receipt, moment->receipt));
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      g_assert_true (gadget_item_is_settled (gadget_turn_get_item (turn, i)));
      g_assert_null (gadget_item_get_prompt (gadget_turn_get_item (turn, i))); /* I7 */
    }
  test_assert_none_alive (fixture->marker); /* I5 */
}

/* The server saw every connection of the turn end, but one that it had itself completed. */
static void
assert_connections_ended (Fixture *fixture, const Moment *moment)
{
  if (moment->deaf || fake_server_get_n_requests (fixture->server) == 0 || moment->receipt == NULL
      || !g_str_equal (moment->receipt, "connection"))
    return;
  wait_until (fake_server_count_ends (fixture->server)
              == fake_server_count (fixture->server, FAKE_EVENT_ACCEPT));
}

static void
send_next (Fixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);
  const FakeRequest *request;

  fake_reply_when (reply, "and now?");
  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "Fine.");
  fake_reply_chat_finish (reply, "stop");
  start (fixture, "and now?", GADGET_APPROVAL_ASK);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (fixture->turn), ==, GADGET_TURN_FINISHED); /* I4 */
  request =
      fake_server_get_request (fixture->server, fake_server_get_n_requests (fixture->server) - 1);
  g_assert_nonnull (strstr (request->body, "interrupted"));
}

static void
assert_stored (Fixture *fixture, const char *shown)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));
  g_autoptr (GadgetSession) stored = NULL;
  g_autofree char *kept = NULL;
  GadgetStore *store;

  g_clear_object (&fixture->session);
  close_engine (fixture);
  store = test_store_open (fixture->directory);
  stored = test_store_load (store, id);
  test_store_close (store);
  kept = dup_shown (gadget_session_get_turn (stored, 0));
  g_assert_cmpstr (kept, ==, shown); /* I3 */
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (stored, 0)), ==,
                   GADGET_TURN_ABORTED);
}

static void
test_moment (Fixture *fixture, gconstpointer data)
{
  const Moment *moment = data;
  g_autofree char *shown = NULL;
  g_autofree char *still = NULL;
  GadgetTurn *turn;
  guint n_requests;
  guint n_fds;
  guint n_threads;

  if (moment->script != NULL)
    moment->script (fixture);
  n_fds = wait_n_fds ();
  n_threads = wait_n_threads ();
  start (fixture, "go", moment->approval);
  turn = fixture->turn;
  wait_until (moment->ready (fixture));
  abort_and_settle (fixture);
  assert_settled (fixture, moment);
  assert_connections_ended (fixture, moment);
  n_requests = fake_server_get_n_requests (fixture->server);
  shown = dup_shown (turn);

  test_run_for (100);
  still = dup_shown (turn);
  g_assert_cmpstr (still, ==, shown);
  g_assert_cmpuint (fake_server_get_n_requests (fixture->server), ==, n_requests); /* I2 */
  g_assert_cmpuint (fixture->n_completed, ==, 1);
  /* One connection whose answer was complete may stay for the next request; its peer is in this
   * process too. Workers of GLib's pools come and stay. */
  g_assert_cmpuint (wait_n_fds (), <=, n_fds + 4); /* I6 */
  g_assert_cmpuint (wait_n_threads (), <=, n_threads + 4);

  if (!moment->deaf)
    send_next (fixture);
  assert_stored (fixture, shown);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_autofree char *path = g_strdup_printf ("/abort/%s", moments[i].name);

      g_test_add (path, Fixture, &moments[i], set_up, test_moment, tear_down);
    }
  return g_test_run ();
}
