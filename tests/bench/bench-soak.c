/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ten thousand turns of one program, most of them stopped: what it holds on to in the end, and
 * whether the last ones cost more than the first. A chat has ten turns and is deleted after them,
 * so that whatever is left was forgotten. The server is another process: what it keeps is not
 * counted.
 *
 * The baseline is taken after the first thousand. */

#include "config.h"

#include "bench-row.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include "agent/gadget-engine.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define N_TURNS 10000
#define N_BLOCK 1000
#define N_OF_CHAT 10
#define HEAP_LIMIT_KB 256

static const char script[] =
    "{\"replies\":["
    "{\"when\":\"kind-flow\",\"text\":\"word \",\"repeat\":100000,\"per_second\":1000},"
    "{\"when\":\"kind-mute\",\"steps\":[{\"stall\":true}]},"
    "{\"when\":\"\\\"role\\\":\\\"tool\\\"\",\"text\":\"I have read it.\"},"
    "{\"when\":\"kind-tool\",\"tool_calls\":[{\"id\":\"c1\",\"name\":\"read_file\","
    "\"arguments\":{\"path\":\"note.txt\"}}],\"finish\":\"tool_calls\"},"
    "{\"text\":\"Fine.\"}]}";

typedef enum
{
  KIND_FINISH,
  KIND_FLOW,
  KIND_TOOL,
  KIND_MUTE,
  N_KINDS,
} Kind;

static const char *const prompts[] = { "hello", "kind-flow", "kind-tool", "kind-mute" };

typedef struct
{
  char *directory;
  char *workspace; /* not where the store is, or its own files would be watched */
  GSubprocess *server;
  GadgetEngine *engine;
  GadgetSession *session;
  guint n_completed;
  gint n_alive; /* runs, turns and chats */
} Soak;

typedef struct
{
  double heap_kb;
  double rss_kb;
  guint n_fds;
  guint n_threads;
} State;

/* --- Set-up -------------------------------------------------------------------------------------
 */

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
gone_cb (gpointer data, GObject *where_it_was)
{
  --*(gint *) data;
}

static void
watch (Soak *self, gpointer object)
{
  self->n_alive++;
  g_object_weak_ref (object, gone_cb, &self->n_alive);
}

static char *
start_server (Soak *self)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (program);
  g_autofree char *path = g_build_filename (folder, "..", "support", "fake-model-server", NULL);
  g_autoptr (GDataInputStream) out = NULL;
  g_autofree char *port = NULL;
  g_autoptr (GError) error = NULL;

  self->server =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        path, "--until-input-ends", "--script-text", script, NULL);
  g_assert_no_error (error);
  out = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->server));
  port = g_data_input_stream_read_line (out, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_strdup_printf ("http://127.0.0.1:%s/v1", port);
}

static void
set_up (Soak *self)
{
  g_autofree char *url = start_server (self);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "m");
  g_autofree char *note = NULL;

  self->directory = test_dir_new ();
  self->workspace = test_dir_new ();
  note = g_build_filename (self->workspace, "note.txt", NULL);
  g_assert_true (g_file_set_contents (note, "a note\n", -1, NULL));
  self->engine = gadget_engine_new (self->directory);
  test_engine_open (self->engine);
  test_engine_add_provider (self->engine, config);
  test_count_completed (gadget_engine_get_agent (self->engine), &self->n_completed);
}

static void
tear_down (Soak *self)
{
  test_engine_close (self->engine, GADGET_STOP_CLOSED);
  g_object_unref (self->engine);
  g_object_unref (self->server);
  test_dir_free (self->directory);
  test_dir_free (self->workspace);
}

/* --- A turn -------------------------------------------------------------------------------------
 */

static void
new_chat (Soak *self)
{
  self->session = gadget_engine_new_session (self->engine);
  gadget_session_set_model (self->session, "fake", "m");
  gadget_session_set_workspace (self->session, self->workspace);
  watch (self, self->session);
}

static void
delete_chat (Soak *self)
{
  gboolean deleted = FALSE;

  gadget_engine_delete_async (self->engine, self->session, GADGET_DELETE_UNUSED, done_cb, &deleted);
  wait_until (deleted);
  g_clear_object (&self->session);
}

static void
take_turn (Soak *self, Kind kind)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  const guint n_before = self->n_completed;
  g_autoptr (GadgetRun) run = gadget_agent_start (agent, self->session, prompts[kind], NULL, NULL);
  GadgetTurn *turn = gadget_session_get_last_turn (self->session);
  const gboolean stopped = kind == KIND_FLOW || kind == KIND_MUTE;

  watch (self, run);
  watch (self, turn);
  if (kind == KIND_FLOW)
    wait_until (gadget_turn_get_n_items (turn) > 0);
  else if (kind == KIND_MUTE)
    wait_until (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)) > 0);
  if (stopped)
    gadget_abort_ack_free (
        gadget_agent_abort (agent, gadget_session_get_id (self->session), NULL, GADGET_STOP_USER));
  wait_until (self->n_completed > n_before);
  g_assert_cmpint (gadget_turn_get_status (turn), ==,
                   stopped ? GADGET_TURN_ABORTED : GADGET_TURN_FINISHED);
}

/* --- What is measured ---------------------------------------------------------------------------
 */

static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static double
get_rss_kb (void)
{
  g_autofree char *text = NULL;
  const char *found;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  found = strstr (text, "\nVmRSS:");
  g_assert_nonnull (found);
  return g_ascii_strtod (found + strlen ("\nVmRSS:"), NULL);
}

static State
look (void)
{
  struct mallinfo2 heap;

  g_thread_pool_stop_unused_threads ();
  test_spin (200);
  malloc_trim (0);
  heap = mallinfo2 ();
  return (State) { (double) (heap.uordblks + heap.hblkhd) / 1024, get_rss_kb (), test_count_fds (),
                   test_count_threads () };
}

static gboolean
print_growth (const char *metric, double before, double after, double limit)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *words = g_strdup_printf ("at most %.0f more than after the first %d turns "
                                            "(%.0f)",
                                            limit, N_BLOCK, before);

  g_array_append_val (values, after);
  bench_print_row ("soak", "10000-turns", metric, values, before, words, after <= before + limit);
  return after <= before + limit;
}

/* Of three thousand turns each, since a busy machine makes a thousand dearer by itself. The first
 * thousand warm up. */
static gboolean
print_cost (GArray *blocks)
{
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) last = g_array_new (FALSE, FALSE, sizeof (double));
  double floor;
  gboolean ok;

  g_array_append_vals (first, &g_array_index (blocks, double, 1), 3);
  g_array_append_vals (last, &g_array_index (blocks, double, blocks->len - 3), 3);
  floor = bench_get_rank (first, 0.5);
  ok = bench_get_rank (last, 0.5) <= floor * 1.25 + 0.1;
  bench_print_row ("soak", "last-3000-turns", "cpu_ms_per_turn", last, floor,
                   "median at most a quarter and 0.1 ms more than of turns 1000 to 4000", ok);
  return ok;
}

int
main (void)
{
  Soak self = { 0 };
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (double));
  double begun_ms = 0;
  State before = { 0 };
  State after;
  gboolean ok;

  g_assert_cmpuint (G_N_ELEMENTS (prompts), ==, N_KINDS);
  set_up (&self);
  begun_ms = get_cpu_ms ();
  for (guint i = 0; i < N_TURNS; i++)
    {
      if (i % N_OF_CHAT == 0)
        new_chat (&self);
      take_turn (&self, (Kind) (i / N_OF_CHAT % N_KINDS));
      if (i % N_OF_CHAT == N_OF_CHAT - 1)
        delete_chat (&self);
      if (i % N_BLOCK == N_BLOCK - 1)
        {
          const double per_turn = (get_cpu_ms () - begun_ms) / N_BLOCK;

          g_array_append_val (blocks, per_turn);
          fprintf (stderr, "bench-soak: %u turns\n", i + 1);
          if (i + 1 == N_BLOCK)
            before = look ();
          begun_ms = get_cpu_ms ();
        }
    }
  after = look ();
  ok = print_cost (blocks);
  ok &= print_growth ("heap_kb", before.heap_kb, after.heap_kb, HEAP_LIMIT_KB);
  ok &= print_growth ("rss_kb", before.rss_kb, after.rss_kb, 8 * 1024);
  ok &= print_growth ("fds", before.n_fds, after.n_fds, 1);
  ok &= print_growth ("threads", before.n_threads, after.n_threads, 1);
  ok &= print_growth ("objects", 0, self.n_alive, 0);
  tear_down (&self);
  return ok ? 0 : 1;
}
