/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "abort-fixture.h"

#include "strict-request.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include "session/gadget-history.h"

#include <string.h>

/* No iteration of the main loop may take longer between the press and the completion. A wait for a
 * process or a disk on it takes longer, a busy machine does not. */
#define STALL_MS 1500

/* --- Fixture ---------------------------------------------------------------------------------- */

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              AbortFixture *f)
{
  f->n_completed++;
  g_set_str (&f->completed_turn, turn_id);
  g_assert_null (gadget_session_get_active_run (f->session));
}

static gboolean
asked_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  ++*(guint *) user_data;
  return TRUE;
}

/* What the server counts comes to it a moment later, and perhaps only then to its notice; what
 * this program asks for is counted as it asks. */
static void
count_requests (AbortFixture *f)
{
  const guint queued = g_signal_lookup ("request-queued", g_type_from_name ("SoupSession"));

  f->asked_hook = g_signal_add_emission_hook (queued, 0, asked_cb, &f->n_asked, NULL);
}

void
abort_new_session (AbortFixture *f)
{
  g_clear_object (&f->session);
  f->turn = NULL;
  f->session = gadget_engine_new_session (f->engine);
  gadget_session_set_model (f->session, "fake", "m");
  gadget_session_set_workspace (f->session, f->workspace);
}

/* On a busy machine a command may end later than promised. The tests assert that it ends, the
 * benchmarks when. */
static gboolean
is_fatal_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return strstr (message, "did not end within its time") == NULL;
}

void
abort_set_up (AbortFixture *f, FakeServerKind kind, const FakeDialect *dialect)
{
  g_autofree char *url = NULL;
  g_autoptr (GadgetProviderConfig) config = NULL;

  g_test_log_set_fatal_handler (is_fatal_cb, NULL);
  f->dialect = dialect != NULL ? dialect : &fake_dialects[0];
  f->directory = test_dir_new ();
  f->workspace = test_dir_new ();
  f->marker = test_marker_new ();
  f->server = fake_server_new_of_kind (kind);
  f->engine = gadget_engine_new (f->directory);
  test_engine_open (f->engine);
  url = fake_server_dup_url (f->server, f->dialect->path);
  config = gadget_provider_config_new ("fake", "Fake", f->dialect->kind, url, "m");
  test_engine_add_provider (f->engine, config);
  count_requests (f);
  abort_new_session (f);
  g_signal_connect (gadget_engine_get_agent (f->engine), "completed", G_CALLBACK (completed_cb), f);
}

void
abort_close_engine (AbortFixture *f)
{
  test_engine_close (f->engine, GADGET_STOP_CLOSED);
  g_clear_object (&f->engine);
}

void
abort_tear_down (AbortFixture *f)
{
  g_clear_object (&f->session);
  if (f->engine != NULL)
    abort_close_engine (f);
  g_signal_remove_emission_hook (
      g_signal_lookup ("request-queued", g_type_from_name ("SoupSession")), f->asked_hook);
  fake_server_free (f->server);
  test_dir_free (f->directory);
  test_dir_free (f->workspace);
  g_free (f->marker);
  g_free (f->completed_turn);
}

void
abort_start (AbortFixture *f, const char *prompt, GadgetApproval approval)
{
  const GadgetTurnOptions options = { .approval = approval, .interactive = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = NULL;

  if (f->n_fds == 0)
    {
      f->n_fds = wait_n_fds ();
      f->n_threads = wait_n_threads ();
    }
  run = gadget_agent_start (gadget_engine_get_agent (f->engine), f->session, prompt, &options,
                            &error);
  g_assert_no_error (error);
  f->turn = gadget_session_get_last_turn (f->session);
}

void
abort_script_call (AbortFixture *f, const char *name, const char *arguments)
{
  FakeReply *reply = fake_server_add_reply (f->server);

  fake_dialect_begin_calls (f->dialect, reply);
  fake_dialect_call (f->dialect, reply, 0, name, arguments);
  fake_dialect_end_calls (f->dialect, reply);
}

/* --- The press -------------------------------------------------------------------------------- */

typedef struct
{
  gint64 last_us;
  gint64 longest_us;
} Watchdog;

static gboolean
watch_cb (gpointer user_data)
{
  Watchdog *watchdog = user_data;
  const gint64 now_us = g_get_monotonic_time ();

  watchdog->longest_us = MAX (watchdog->longest_us, now_us - watchdog->last_us);
  watchdog->last_us = now_us;
  return G_SOURCE_CONTINUE;
}

void
abort_press (AbortFixture *f)
{
  const guint n_before = f->n_completed;
  const gint64 begun = g_get_monotonic_time ();
  Watchdog watchdog = { begun, 0 };
  guint source = g_timeout_add_full (G_PRIORITY_HIGH, 1, watch_cb, &watchdog, NULL);
  g_autoptr (GadgetAbortAck) ack = NULL;

  f->n_asked_before = f->n_asked;
  ack = gadget_agent_abort (gadget_engine_get_agent (f->engine), gadget_session_get_id (f->session),
                            NULL, GADGET_STOP_USER);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, ABORT_WIDE_MS * 1000);
  g_assert_true (ack->aborted);
  g_assert_cmpstr (ack->message, ==, GADGET_ABORT_SIGNALED);
  wait_until (f->n_completed > n_before);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, ABORT_WIDE_MS * 1000);
  watch_cb (&watchdog);
  g_source_remove (source);
  g_assert_cmpint (watchdog.longest_us, <, STALL_MS * 1000);
  g_assert_cmpuint (f->n_asked, ==, f->n_asked_before); /* I2 */
}

/* --- Invariants ------------------------------------------------------------------------------- */

char *
abort_dup_shown (GadgetTurn *turn)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    g_string_append_printf (shown, "[%s]", gadget_item_get_text (gadget_turn_get_item (turn, i)));
  return g_string_free_and_steal (g_steal_pointer (&shown));
}

gboolean
abort_has_receipt (GadgetTurn *turn, const char *kind)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);

  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    if (g_str_equal (gadget_receipt_kind_to_string (gadget_receipt_get_line (receipt, i)->kind),
                     kind))
      return TRUE;
  return FALSE;
}

void
abort_assert_settled (AbortFixture *f)
{
  GadgetTurn *turn = f->turn;
  g_autoptr (GPtrArray) runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (f->engine)));

  g_assert_cmpstr (f->completed_turn, ==, gadget_turn_get_id (turn));       /* I1 */
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED); /* I8 */
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_null (gadget_session_get_active_run (f->session));
  g_assert_cmpuint (runs->len, ==, 0);
  g_assert_true (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      g_assert_true (gadget_item_is_settled (gadget_turn_get_item (turn, i)));
      g_assert_null (gadget_item_get_prompt (gadget_turn_get_item (turn, i))); /* I7 */
    }
  g_assert_cmpuint (test_count_alive (f->marker), ==, 0); /* I5 */
}

/* The server saw every connection end on which the turn was waiting. */
static void
assert_connections_ended (AbortFixture *f)
{
  if (abort_has_receipt (f->turn, "connection"))
    wait_until (fake_server_count_ends (f->server)
                == fake_server_count (f->server, FAKE_EVENT_ACCEPT));
}

static void
assert_nothing_follows (AbortFixture *f, const char *shown)
{
  const guint n_requests = fake_server_get_n_requests (f->server);
  const guint n_completed = f->n_completed;
  g_autofree char *still = NULL;

  test_run_for (100);
  still = abort_dup_shown (f->turn);
  g_assert_cmpstr (still, ==, shown);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, n_requests); /* I2 */
  g_assert_cmpuint (f->n_asked, ==, f->n_asked_before);
  g_assert_cmpuint (f->n_completed, ==, n_completed);
  /* One connection whose answer was complete may stay for the next request; its peer is in this
   * process too. Workers of GLib's pools come and stay; one that is about to end has its own files.
   */
  wait_until (wait_n_fds () <= f->n_fds + 4); /* I6 */
  wait_until (wait_n_threads () <= f->n_threads + 4);
}

static void
send_next (AbortFixture *f)
{
  FakeReply *reply = fake_server_add_reply (f->server);
  const guint n_completed = f->n_completed;
  const FakeRequest *request;
  g_autoptr (GadgetRequest) strict = NULL;

  fake_reply_when (reply, "and now?");
  fake_dialect_begin_text (f->dialect, reply);
  fake_dialect_text (f->dialect, reply, "Fine.");
  fake_dialect_end_text (f->dialect, reply);
  abort_start (f, "and now?", GADGET_APPROVAL_ASK);
  strict = gadget_history_build (f->session, NULL);
  strict_request_assert (strict);
  wait_until (f->n_completed == n_completed + 1);
  g_assert_cmpint (gadget_turn_get_status (f->turn), ==, GADGET_TURN_FINISHED); /* I4 */
  request = fake_server_get_request (f->server, fake_server_get_n_requests (f->server) - 1);
  g_assert_nonnull (strstr (request->body, "interrupted"));
}

static void
assert_stored (AbortFixture *f, guint nth, const char *shown)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (f->session));
  g_autoptr (GadgetSession) stored = NULL;
  g_autofree char *kept = NULL;
  GadgetStore *store;

  g_clear_object (&f->session);
  abort_close_engine (f);
  store = test_store_open (f->directory);
  stored = test_store_load (store, id);
  test_store_close (store);
  kept = abort_dup_shown (gadget_session_get_turn (stored, nth));
  g_assert_cmpstr (kept, ==, shown); /* I3 */
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (stored, nth)), ==,
                   GADGET_TURN_ABORTED);
}

void
abort_assert_invariants (AbortFixture *f)
{
  const gboolean deaf = fake_server_get_kind (f->server) != FAKE_SERVER_PLAIN
                        && fake_server_get_kind (f->server) != FAKE_SERVER_TLS;
  const guint nth = gadget_session_get_n_turns (f->session) - 1;
  g_autofree char *shown = abort_dup_shown (f->turn);

  abort_assert_settled (f);
  if (fake_server_get_kind (f->server) != FAKE_SERVER_DEAF)
    assert_connections_ended (f);
  assert_nothing_follows (f, shown);
  if (!deaf)
    send_next (f);
  assert_stored (f, nth, shown);
}
