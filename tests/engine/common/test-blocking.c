/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocking calls: what they return, that a stop does not wait for them, and that few of them are
 * left behind. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "wait.h"

#include <pthread.h>

/* Work that a test holds: it stands until the gate is opened. */
typedef struct
{
  GMutex mutex;
  GCond cond;
  gboolean open;
  guint n_inside;
  guint n_freed;
  guint n_dropped;
} Gate;

typedef struct
{
  guint n_answers;
  gpointer result;
  GError *error;
} Outcome;

static Gate gate;

static void
set_up (void)
{
  g_assert_cmpuint (gate.n_inside, ==, 0);
  gate.open = FALSE;
  gate.n_freed = gate.n_dropped = 0;
}

static guint
peek (const guint *count)
{
  guint n;

  g_mutex_lock (&gate.mutex);
  n = *count;
  g_mutex_unlock (&gate.mutex);
  return n;
}

static void
count (guint *counter)
{
  g_mutex_lock (&gate.mutex);
  ++*counter;
  g_mutex_unlock (&gate.mutex);
}

static void
open_gate (void)
{
  g_mutex_lock (&gate.mutex);
  gate.open = TRUE;
  g_cond_broadcast (&gate.cond);
  g_mutex_unlock (&gate.mutex);
  wait_until (peek (&gate.n_inside) == 0);
}

static void
free_cb (gpointer data)
{
  count (&gate.n_freed);
}

static void
drop_cb (gpointer data)
{
  g_free (data);
  count (&gate.n_dropped);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->n_answers++;
  outcome->result = gadget_blocking_run_finish (result, &outcome->error);
}

static void
outcome_clear (Outcome *outcome)
{
  g_clear_pointer (&outcome->result, g_free);
  g_clear_error (&outcome->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static gpointer
stand (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_mutex_lock (&gate.mutex);
  gate.n_inside++;
  while (!gate.open)
    g_cond_wait (&gate.cond, &gate.mutex);
  gate.n_inside--;
  g_mutex_unlock (&gate.mutex);
  return g_strdup (data);
}

static gpointer
commit_and_stand (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  if (gadget_blocking_commit (job))
    return stand (job, data, cancellable, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not begun");
  return NULL;
}

static gpointer
stand_and_commit (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_free (stand (job, data, cancellable, error));
  return commit_and_stand (job, data, cancellable, error);
}

static gpointer
fail (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no such thing");
  return NULL;
}

static void
run (GadgetBlockingFunc work, GCancellable *cancellable, Outcome *outcome)
{
  gadget_blocking_run_async (cancellable, work, (gpointer) "done", free_cb, drop_cb, answered_cb,
                             outcome);
}

static void
test_returns (void)
{
  g_auto (Outcome) outcome = { 0 };
  g_auto (Outcome) failure = { 0 };

  set_up ();
  gate.open = TRUE;
  run (stand, NULL, &outcome);
  run (fail, NULL, &failure);
  g_assert_cmpuint (outcome.n_answers, ==, 0);
  wait_until (outcome.n_answers == 1 && failure.n_answers == 1);
  g_assert_cmpstr (outcome.result, ==, "done");
  g_assert_error (failure.error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  wait_until (peek (&gate.n_freed) == 2);
  g_assert_cmpuint (gate.n_dropped, ==, 0);
}

static void
test_stopped_before (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Outcome) outcome = { 0 };

  set_up ();
  g_cancellable_cancel (cancellable);
  run (stand, cancellable, &outcome);
  wait_until (outcome.n_answers == 1);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_until (peek (&gate.n_freed) == 1);
  g_assert_cmpuint (peek (&gate.n_inside), ==, 0);
}

static void
test_stopped_inside (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Outcome) outcome = { 0 };

  set_up ();
  run (stand, cancellable, &outcome);
  wait_until (peek (&gate.n_inside) == 1);
  g_cancellable_cancel (cancellable);
  wait_idle ();
  g_assert_cmpuint (outcome.n_answers, ==, 1);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (peek (&gate.n_freed), ==, 0);

  open_gate ();
  wait_until (peek (&gate.n_freed) == 1 && peek (&gate.n_dropped) == 1);
  g_assert_cmpuint (outcome.n_answers, ==, 1);
}

/* It is there, but nobody has heard of it when the stop comes. */
static void
test_result_wins (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Outcome) outcome = { 0 };

  set_up ();
  gate.open = TRUE;
  run (stand, cancellable, &outcome);
  g_assert_true (g_main_context_acquire (NULL));
  for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
       !g_main_context_pending (NULL) && g_get_monotonic_time () < end;)
    g_usleep (1000);
  g_main_context_release (NULL);
  g_assert_cmpuint (outcome.n_answers, ==, 0);
  g_cancellable_cancel (cancellable);
  wait_until (outcome.n_answers == 1);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.result, ==, "done");
  wait_until (peek (&gate.n_freed) == 1);
}

/* What has begun to change something is waited for. */
static void
test_commit (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) early = g_cancellable_new ();
  g_auto (Outcome) outcome = { 0 };
  g_auto (Outcome) stopped = { 0 };

  set_up ();
  run (commit_and_stand, cancellable, &outcome);
  run (stand_and_commit, early, &stopped);
  wait_until (peek (&gate.n_inside) == 2);
  g_cancellable_cancel (cancellable);
  g_cancellable_cancel (early);
  wait_idle ();
  g_assert_cmpuint (outcome.n_answers, ==, 0);
  g_assert_cmpuint (stopped.n_answers, ==, 1);
  open_gate ();
  wait_until (outcome.n_answers == 1);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.result, ==, "done");
  /* The other was told that it may not: it would have had a result to drop. */
  wait_until (peek (&gate.n_freed) == 2);
  g_assert_cmpuint (peek (&gate.n_dropped), ==, 0);
}

/* R4: as many as may hang, then an error, and again when they have returned. */
static void
test_bounded (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcomes[GADGET_BLOCKING_MAX_GIVEN_UP] = { 0 };
  g_auto (Outcome) refused = { 0 };
  g_auto (Outcome) served = { 0 };
  guint n_threads;

  set_up ();
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    run (stand, cancellable, &outcomes[i]);
  wait_until (peek (&gate.n_inside) == G_N_ELEMENTS (outcomes));
  g_cancellable_cancel (cancellable);
  wait_idle ();
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      g_assert_cmpuint (outcomes[i].n_answers, ==, 1);
      outcome_clear (&outcomes[i]);
    }

  n_threads = wait_n_threads ();
  run (stand, NULL, &refused);
  wait_until (refused.n_answers == 1);
  g_assert_error (refused.error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_cmpuint (peek (&gate.n_inside), ==, G_N_ELEMENTS (outcomes));
  g_assert_cmpuint (wait_n_threads (), <=, n_threads);

  open_gate ();
  wait_until (peek (&gate.n_dropped) == G_N_ELEMENTS (outcomes));
  run (stand, NULL, &served);
  wait_until (served.n_answers == 1);
  g_assert_no_error (served.error);
  wait_until (peek (&gate.n_freed) == G_N_ELEMENTS (outcomes) + 2);
}

/* One that waits for a thread is stopped as quickly, and is never begun. */
static void
test_stopped_in_queue (void)
{
  enum
  {
    MANY = GADGET_BLOCKING_MAX_GIVEN_UP + 30
  };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcomes[MANY] = { 0 };
  guint n_begun;

  set_up ();
  for (guint i = 0; i < MANY; i++)
    run (stand, cancellable, &outcomes[i]);
  wait_until (peek (&gate.n_inside) > GADGET_BLOCKING_MAX_GIVEN_UP);
  g_usleep (20 * 1000);
  n_begun = peek (&gate.n_inside);
  g_assert_cmpuint (n_begun, <, MANY);
  g_cancellable_cancel (cancellable);
  wait_idle ();
  for (guint i = 0; i < MANY; i++)
    {
      g_assert_cmpuint (outcomes[i].n_answers, ==, 1);
      outcome_clear (&outcomes[i]);
    }
  open_gate ();
  wait_until (peek (&gate.n_freed) == MANY);
  g_assert_cmpuint (peek (&gate.n_dropped), ==, n_begun);
}

/* The stack of a thread that begins from now on. Returns what it was. */
static gsize
set_stack_size (gsize size)
{
  pthread_attr_t attributes;
  size_t before;

  g_assert_cmpint (pthread_getattr_default_np (&attributes), ==, 0);
  g_assert_cmpint (pthread_attr_getstacksize (&attributes, &before), ==, 0);
  g_assert_cmpint (pthread_attr_setstacksize (&attributes, size), ==, 0);
  g_assert_cmpint (pthread_setattr_default_np (&attributes), ==, 0);
  pthread_attr_destroy (&attributes);
  return before;
}

/* There are no threads any more: a command has started so many processes, say. */
static void
test_no_thread (void)
{
  g_auto (Outcome) outcome = { 0 };
  g_auto (Outcome) served = { 0 };
  gsize before;

  set_up ();
  gate.open = TRUE;
  before = set_stack_size (G_GUINT64_CONSTANT (1) << 47);
  gadget_blocking_run_urgent_async (stand, (gpointer) "done", free_cb, drop_cb, answered_cb,
                                    &outcome);
  set_stack_size (before);
  wait_until (outcome.n_answers == 1);
  g_assert_error (outcome.error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN);
  wait_until (peek (&gate.n_freed) == 1);
  gadget_blocking_run_urgent_async (stand, (gpointer) "done", free_cb, drop_cb, answered_cb,
                                    &served);
  wait_until (served.n_answers == 1);
  g_assert_cmpstr (served.result, ==, "done");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/blocking/returns", test_returns);
  g_test_add_func ("/engine/blocking/stopped-before", test_stopped_before);
  g_test_add_func ("/engine/blocking/stopped-inside", test_stopped_inside);
  g_test_add_func ("/engine/blocking/result-wins", test_result_wins);
  g_test_add_func ("/engine/blocking/commit", test_commit);
  g_test_add_func ("/engine/blocking/R4-bounded", test_bounded);
  g_test_add_func ("/engine/blocking/stopped-in-queue", test_stopped_in_queue);
  g_test_add_func ("/engine/blocking/no-thread", test_no_thread);

  return g_test_run ();
}
