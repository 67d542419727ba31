/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An abort at each phase of a turn, for each kind of provider, through the whole engine: its store
 * on disk, its tools in their sandbox. Measured from the call of abort:
 *
 *   ack_ms         to its answer
 *   close_ms       to the server seeing the connection end, where one is open; bare libsoup and a
 *                  bare socket take turns with it, against the same script
 *   processes_ms   to none left of a command's processes, where one runs
 *   completion_ms  to "completed": the turn is on disk, and the next message is accepted
 *
 * Last come uploads through a narrow network: bytes that still reach the server after the abort.
 *
 * What is ok is ABORT.md's table of budgets: the medians its goals, the worst its hard limits.
 *
 * A dialect is an entry of fake_dialects, and measured as soon as the engine knows its kind; a
 * phase is an entry of phases. The Guide has no server. */

#include "config.h"

#include "bench-abort-floor.h"
#include "bench-abort-upload.h"
#include "bench-row.h"
#include "fake-dialect.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include "agent/gadget-engine.h"

#include <stdio.h>
#include <string.h>

#define N 50
#define LONG 1000000
#define COMMAND "{\"command\":\"echo line 1; exec sleep 600\"}"

typedef struct
{
  const char *name;
  FakeServerKind server;
  void (*script) (const FakeDialect *dialect, FakeServer *server);
  gboolean (*ready) (GadgetTurn *turn, FakeServer *server);
  const char *guide; /* what to ask the Guide for, to be in this phase; NULL if it never is */
  gboolean closes;   /* a connection that the server sees end */
  gboolean command;  /* a command of the shell tool runs */
} Phase;

typedef struct
{
  GArray *ack;
  GArray *close;
  GArray *processes;
  GArray *completion;
} Times;

typedef struct
{
  const Phase *phase;
  const char *kind;
  char *directory;
  FakeServer *server; /* NULL for the Guide */
  GadgetEngine *engine;
  Times times;
  gint64 completed_us;
} Bench;

/* --- What the server does --------------------------------------------------------------------- */

static void
script_mute (const FakeDialect *dialect, FakeServer *server)
{
  fake_reply_stall (fake_server_add_reply (server));
}

static void
flow (const FakeDialect *dialect, FakeServer *server, double per_second)
{
  FakeReply *reply = fake_server_add_reply (server);

  fake_dialect_begin_text (dialect, reply);
  fake_dialect_flow (dialect, reply, "word ", LONG, per_second);
}

static void
script_text_20 (const FakeDialect *dialect, FakeServer *server)
{
  flow (dialect, server, 20);
}

static void
script_text_2000 (const FakeDialect *dialect, FakeServer *server)
{
  flow (dialect, server, 2000);
}

static void
script_stalled (const FakeDialect *dialect, FakeServer *server)
{
  FakeReply *reply = fake_server_add_reply (server);

  fake_dialect_begin_text (dialect, reply);
  fake_dialect_text (dialect, reply, "some text");
  fake_reply_stall (reply);
}

static void
script_cut_call (const FakeDialect *dialect, FakeServer *server)
{
  FakeReply *reply = fake_server_add_reply (server);

  fake_dialect_begin_calls (dialect, reply);
  fake_dialect_cut_call (dialect, reply, 0, "shell");
  fake_reply_stall (reply);
}

/* Returns its reply, which comes to any request. */
static FakeReply *
call (const FakeDialect *dialect, FakeServer *server, const char *name, const char *arguments)
{
  FakeReply *reply = fake_server_add_reply (server);

  fake_dialect_begin_calls (dialect, reply);
  fake_dialect_call (dialect, reply, 0, name, arguments);
  fake_dialect_end_calls (dialect, reply);
  return reply;
}

static void
script_command (const FakeDialect *dialect, FakeServer *server)
{
  call (dialect, server, "shell", COMMAND);
}

/* The subagent's request is told apart by its prompt. */
static void
script_subagent (const FakeDialect *dialect, FakeServer *server)
{
  fake_reply_when (call (dialect, server, "shell", COMMAND), "Count the lines");
  call (dialect, server, "task", "{\"description\":\"Lines\",\"prompt\":\"Count the lines\"}");
}

static void
script_wait (const FakeDialect *dialect, FakeServer *server)
{
  call (dialect, server, "wait", "{\"seconds\":3600}");
}

static void
script_question (const FakeDialect *dialect, FakeServer *server)
{
  call (dialect, server, "ask_user", "{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}");
}

static void
script_retry (const FakeDialect *dialect, FakeServer *server)
{
  fake_reply_body (fake_server_add_reply (server), 429, "application/json",
                   "{\"error\":{\"message\":\"slow down\"}}", "Retry-After: 30\r\n");
}

/* --- When it is aborted ----------------------------------------------------------------------- */

static GadgetItem *
get_last_item (GadgetTurn *turn)
{
  const guint n = gadget_turn_get_n_items (turn);

  return n > 0 ? gadget_turn_get_item (turn, n - 1) : NULL;
}

static gboolean
ready_in_flight (GadgetTurn *turn, FakeServer *server)
{
  return gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)) > 0;
}

static gboolean
ready_accepted (GadgetTurn *turn, FakeServer *server)
{
  return fake_server_count (server, FAKE_EVENT_ACCEPT) > fake_server_count_ends (server);
}

static gboolean
ready_asked (GadgetTurn *turn, FakeServer *server)
{
  return fake_server_count (server, FAKE_EVENT_REQUEST) > fake_server_count_ends (server);
}

/* Of a call that is cut, some dialects show nothing: they have it whole or not at all. */
static gboolean
ready_answered (GadgetTurn *turn, FakeServer *server)
{
  return fake_server_count (server, FAKE_EVENT_HEAD) > fake_server_count_ends (server);
}

static gboolean
ready_shown (GadgetTurn *turn, FakeServer *server)
{
  return get_last_item (turn) != NULL;
}

static gboolean
ready_running (GadgetTurn *turn, FakeServer *server)
{
  GadgetItem *item = get_last_item (turn);

  return item != NULL && gadget_item_get_status (item) == GADGET_ITEM_RUNNING
         && gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL;
}

static gboolean
ready_output (GadgetTurn *turn, FakeServer *server)
{
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_status (item) == GADGET_ITEM_RUNNING
          && strstr (gadget_item_get_text (item), "line 1") != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
ready_output_of_subagent (GadgetTurn *turn, FakeServer *server)
{
  GadgetItem *item = get_last_item (turn);
  GadgetTurn *child = item != NULL ? gadget_item_get_child_turn (item) : NULL;

  return child != NULL && ready_output (child, server);
}

static gboolean
ready_prompt (GadgetTurn *turn, FakeServer *server)
{
  GadgetItem *item = get_last_item (turn);

  return item != NULL && gadget_item_get_prompt (item) != NULL;
}

static gboolean
ready_retrying (GadgetTurn *turn, FakeServer *server)
{
  return gadget_turn_get_phase (turn) == GADGET_PHASE_RETRYING;
}

static const Phase phases[] = {
  { "connect", FAKE_SERVER_DEAF, NULL, ready_in_flight, NULL, FALSE, FALSE },
  { "tls", FAKE_SERVER_TLS_HALF, script_mute, ready_accepted, NULL, TRUE, FALSE },
  { "before-headers", FAKE_SERVER_PLAIN, script_mute, ready_asked, NULL, TRUE, FALSE },
  { "mid-text-20", FAKE_SERVER_PLAIN, script_text_20, ready_shown, "story", TRUE, FALSE },
  { "mid-text-2000", FAKE_SERVER_PLAIN, script_text_2000, ready_shown, NULL, TRUE, FALSE },
  { "mid-text-2000-tls", FAKE_SERVER_TLS, script_text_2000, ready_shown, NULL, TRUE, FALSE },
  { "mid-tool-call", FAKE_SERVER_PLAIN, script_cut_call, ready_answered, NULL, TRUE, FALSE },
  { "stalled", FAKE_SERVER_PLAIN, script_stalled, ready_shown, NULL, TRUE, FALSE },
  { "in-command", FAKE_SERVER_PLAIN, script_command, ready_output, "a slow command", FALSE, TRUE },
  { "in-subagent-command", FAKE_SERVER_PLAIN, script_subagent, ready_output_of_subagent, NULL,
    FALSE, TRUE },
  { "in-wait", FAKE_SERVER_PLAIN, script_wait, ready_running, "timer", FALSE, FALSE },
  { "in-retry-wait", FAKE_SERVER_PLAIN, script_retry, ready_retrying, NULL, FALSE, FALSE },
  { "in-question", FAKE_SERVER_PLAIN, script_question, ready_prompt, "ask me something", FALSE,
    FALSE },
};

/* --- One engine ------------------------------------------------------------------------------- */

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              Bench *self)
{
  self->completed_us = g_get_monotonic_time ();
}

static GArray *
new_times (void)
{
  return g_array_new (FALSE, FALSE, sizeof (double));
}

/* DIALECT is NULL for the Guide. */
static Bench *
bench_new (const Phase *phase, const FakeDialect *dialect)
{
  Bench *self = g_new0 (Bench, 1);
  g_autoptr (GadgetProviderConfig) config = NULL;
  g_autofree char *url = NULL;

  self->phase = phase;
  self->kind = dialect != NULL ? dialect->kind : "guide";
  self->times = (Times) { new_times (), new_times (), new_times (), new_times () };
  self->directory = test_dir_new ();
  self->engine = gadget_engine_new (self->directory);
  test_engine_open (self->engine);
  g_signal_connect (gadget_engine_get_agent (self->engine), "completed", G_CALLBACK (completed_cb),
                    self);
  if (dialect == NULL)
    return self;

  self->server = fake_server_new_of_kind (phase->server);
  if (phase->script != NULL)
    phase->script (dialect, self->server);
  url = fake_server_dup_url (self->server, dialect->path);
  config = gadget_provider_config_new ("fake", "Fake", dialect->kind, url, "fake-model");
  test_engine_add_provider (self->engine, config);
  return self;
}

static void
bench_free (Bench *self)
{
  test_engine_close (self->engine, GADGET_STOP_CLOSED);
  g_object_unref (self->engine);
  fake_server_free (self->server);
  test_dir_free (self->directory);
  g_array_unref (self->times.ack);
  g_array_unref (self->times.close);
  g_array_unref (self->times.processes);
  g_array_unref (self->times.completion);
  g_free (self);
}

/* --- One abort -------------------------------------------------------------------------------- */

static void
add (GArray *times, double ms)
{
  g_array_append_val (times, ms);
}

static double
since (gint64 began_us, gint64 us)
{
  return (double) (us - began_us) / 1000;
}

static void
add_processes (GArray *times, GadgetReceipt *receipt)
{
  double longest = 0;

  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    {
      const GadgetReceiptLine *line = gadget_receipt_get_line (receipt, i);

      if (line->kind == GADGET_RECEIPT_PROCESS)
        longest = MAX (longest, line->ms);
    }
  add (times, longest);
}

static void
measure (Bench *self, guint wait_ms)
{
  const GadgetTurnOptions options = { .approval = GADGET_APPROVAL_AUTO, .interactive = TRUE };
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  g_autoptr (GadgetSession) session = gadget_engine_new_session (self->engine);
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurn *turn;
  gint64 began_us;

  gadget_session_set_workspace (session, self->directory);
  gadget_session_set_model (session, self->server != NULL ? "fake" : "guide", "fake-model");
  run = gadget_agent_start (agent, session, self->server != NULL ? "go" : self->phase->guide,
                            &options, &error);
  g_assert_no_error (error);
  turn = gadget_session_get_last_turn (session);
  wait_until (self->phase->ready (turn, self->server));
  test_run_for (wait_ms);
  self->completed_us = 0;

  began_us = g_get_monotonic_time ();
  ack = gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER);
  add (self->times.ack, since (began_us, g_get_monotonic_time ()));
  g_assert_true (ack->aborted);
  wait_until (self->completed_us != 0);
  add (self->times.completion, since (began_us, self->completed_us));
  if (self->phase->closes && self->server != NULL)
    add (self->times.close, bench_await_end (self->server, began_us));
  if (self->phase->command)
    add_processes (self->times.processes, gadget_turn_get_receipt (turn));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static gboolean
is_within (GArray *times, double goal, double hard)
{
  return bench_get_rank (times, 0.5) <= goal && bench_get_rank (times, 1) <= hard;
}

static gboolean
print_row (const char *client, const Phase *phase, const char *metric, GArray *times, double floor,
           const char *limit, gboolean ok)
{
  g_autofree char *name = g_strdup_printf ("%s/%s", client, phase->name);

  bench_print_row ("abort", name, metric, times, floor, limit, ok);
  return ok;
}

static gboolean
print_bench (Bench *self, double floor)
{
  const Times *times = &self->times;
  gboolean ok;

  ok = print_row (self->kind, self->phase, "ack_ms", times->ack, 0,
                  "median <= 16 ms (a frame), worst <= 50 ms", is_within (times->ack, 16, 50));
  if (times->close->len > 0)
    ok &= print_row (self->kind, self->phase, "close_ms", times->close, floor,
                     "median <= floor (bare libsoup) + 1 ms, p95 <= 5 ms, worst <= 100 ms",
                     is_within (times->close, floor + 1, 100)
                         && bench_get_rank (times->close, 0.95) <= 5);
  if (times->processes->len > 0)
    ok &= print_row (self->kind, self->phase, "processes_ms", times->processes, 0,
                     "median <= 20 ms, worst <= 500 ms", is_within (times->processes, 20, 500));
  ok &= print_row (self->kind, self->phase, "completion_ms", times->completion, 0,
                   "median <= 50 ms, worst <= 750 ms", is_within (times->completion, 50, 750));
  return ok;
}

static gboolean
is_known (const FakeDialect *dialect)
{
  return gadget_provider_config_check ("fake", dialect->kind, "http://127.0.0.1/v1", NULL);
}

static GPtrArray *
make_benches (const Phase *phase)
{
  GPtrArray *benches = g_ptr_array_new_with_free_func ((GDestroyNotify) bench_free);

  for (const FakeDialect *dialect = fake_dialects; dialect->kind != NULL; dialect++)
    if (is_known (dialect))
      g_ptr_array_add (benches, bench_new (phase, dialect));
  if (phase->guide != NULL)
    g_ptr_array_add (benches, bench_new (phase, NULL));
  if (phase->command
      && !gadget_commands_get_offered (
          gadget_engine_get_commands (((Bench *) benches->pdata[0])->engine)))
    {
      fprintf (stderr, "bench-abort: no sandbox here, so no row of %s\n", phase->name);
      g_ptr_array_set_size (benches, 0);
    }
  return benches;
}

static void
measure_floor (BenchFloor floor, FakeServer *server, guint wait_ms, GArray *times)
{
  add (times, floor (server, wait_ms));
}

/* All clients take turns, so that a busy moment of the machine is a busy moment of each. */
static gboolean
run_phase (const Phase *phase)
{
  g_autoptr (GPtrArray) benches = make_benches (phase);
  g_autoptr (FakeServer) server = fake_server_new_of_kind (phase->server);
  g_autoptr (GArray) soup = new_times ();
  g_autoptr (GArray) socket = new_times ();
  const gboolean has_socket = phase->closes && phase->server != FAKE_SERVER_TLS;
  gboolean ok = TRUE;

  if (phase->script != NULL)
    phase->script (&fake_dialects[0], server);
  for (guint i = 0; i < N; i++)
    {
      const guint wait_ms = 20 + i * 7 % 30;

      for (guint j = 0; j < benches->len; j++)
        measure (g_ptr_array_index (benches, j), wait_ms);
      if (phase->closes)
        measure_floor (bench_floor_libsoup, server, wait_ms, soup);
      if (has_socket)
        measure_floor (bench_floor_gsocket, server, wait_ms, socket);
    }
  for (guint j = 0; j < benches->len; j++)
    ok &= print_bench (g_ptr_array_index (benches, j),
                       phase->closes ? bench_get_rank (soup, 0.5) : 0);
  if (phase->closes)
    print_row ("bare-libsoup", phase, "close_ms", soup, 0, "none, for comparison", TRUE);
  if (has_socket)
    print_row ("bare-gsocket", phase, "close_ms", socket, 0, "none, for comparison", TRUE);
  return ok;
}

int
main (int argc, char **argv)
{
  gboolean ok = TRUE;

  fake_tls_set_trusted (TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    if (argc < 2 || g_str_equal (argv[1], phases[i].name))
      ok &= run_phase (&phases[i]);
  if (argc < 2 || g_str_equal (argv[1], "upload"))
    ok &= bench_abort_upload (FAKE_SERVER_PLAIN) & bench_abort_upload (FAKE_SERVER_TLS);
  fake_tls_set_trusted (FALSE);
  return ok ? 0 : 1;
}
