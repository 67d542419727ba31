/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Random moments: 600 turns that would never end by themselves (each answer calls a tool). The seed
 * is printed by the test framework, and fixed in the gate. */

#include "config.h"

#include "abort-fixture.h"
#include "test-process.h"
#include "test-wait.h"
#include "wait.h"

/* --- L3, R2, R3 ---------------------------------------------------------------------------------
 */

#define N_ROUNDS 600
#define N_WARM 100

static void
set_up (AbortFixture *f, gconstpointer dialect)
{
  abort_set_up (f, FAKE_SERVER_PLAIN, dialect);
}

static void
tear_down (AbortFixture *f, gconstpointer dialect)
{
  abort_tear_down (f);
}

static void
gone_cb (gpointer data, GObject *where_it_was)
{
  ++*(guint *) data;
}

/* The run that was just started, watched until it is gone. */
static void
watch_run (AbortFixture *f, guint *n_gone)
{
  GadgetRun *run =
      gadget_registry_find (gadget_agent_get_registry (gadget_engine_get_agent (f->engine)),
                            gadget_session_get_active_run (f->session));

  g_object_weak_ref (G_OBJECT (run), gone_cb, n_gone);
  g_object_weak_ref (G_OBJECT (gadget_run_get_cancellable (run)), gone_cb, n_gone);
}

typedef struct
{
  AbortFixture *f;
  guint n_fds;
  guint n_threads;
} Baseline;

/* A connection that may be used again is kept for a while; both of its ends are in this process. */
static guint
count_other_fds (AbortFixture *f)
{
  const guint n_open =
      fake_server_count (f->server, FAKE_EVENT_ACCEPT) - fake_server_count_ends (f->server);

  return test_count_fds () - 2 * n_open;
}

static gboolean
is_at_baseline (gpointer user_data)
{
  const Baseline *baseline = user_data;

  g_thread_pool_stop_unused_threads ();
  return count_other_fds (baseline->f) <= baseline->n_fds + 1
         && test_count_threads () <= baseline->n_threads + 1;
}

static void
run_one (AbortFixture *f, guint round)
{
  const gint64 until = g_get_monotonic_time () + g_test_rand_int_range (0, 25000);
  g_autoptr (GCancellable) cancellable = NULL;
  guint n_gone = 0;

  abort_start (f, "go", GADGET_APPROVAL_AUTO);
  watch_run (f, &n_gone);
  cancellable = g_object_ref (gadget_run_get_cancellable (
      gadget_registry_find (gadget_agent_get_registry (gadget_engine_get_agent (f->engine)),
                            gadget_session_get_active_run (f->session))));
  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
  abort_press (f);
  abort_assert_settled (f);
  g_assert_cmpuint (f->n_completed, ==, round + 1);
  wait_idle ();
  g_assert_false (g_signal_has_handler_pending (
      cancellable, g_signal_lookup ("cancelled", G_TYPE_CANCELLABLE), 0, TRUE));
  g_clear_object (&cancellable);
  /* A thread that was reading the folder may hold the cancellable a moment longer. */
  wait_until (n_gone == 2);
  g_assert_cmpuint (f->n_asked, ==, f->n_asked_before);
}

static void
test_anywhere (AbortFixture *f, gconstpointer dialect)
{
  g_autofree char *note = g_build_filename (f->workspace, "note.txt", NULL);
  Baseline baseline = { f, 0, 0 };
  FakeReply *reply = fake_server_add_reply (f->server);

  g_assert_true (g_file_set_contents (note, "a note\n", -1, NULL));
  fake_reply_delay (reply, 1);
  fake_dialect_begin_calls (f->dialect, reply);
  fake_dialect_flow (f->dialect, reply, "word ", 4, 2000);
  fake_dialect_call (f->dialect, reply, 0, "read_file", "{\"path\":\"note.txt\"}");
  fake_dialect_end_calls (f->dialect, reply);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      if (i % 10 == 0)
        abort_new_session (f);
      if (i == N_WARM)
        {
          g_thread_pool_stop_unused_threads ();
          test_run_for (50);
          baseline = (Baseline) { f, count_other_fds (f), test_count_threads () };
        }
      run_one (f, i);
    }
  g_assert_true (test_wait_until (is_at_baseline, &baseline, 5000));
  g_assert_cmpuint (f->n_asked, >, N_ROUNDS / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/abort/R2-600-random-moments", AbortFixture, NULL, set_up, test_anywhere, tear_down);
  return g_test_run ();
}
