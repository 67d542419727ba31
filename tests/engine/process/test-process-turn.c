/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Many processes that are to be started at once take turns, so that the main context is seen to. */

#include "config.h"

#include "process/gadget-spawn-throttle.h"

#define N_TURNS 100

typedef struct
{
  guint n_iterations; /* of the main context, seen by a source that is always ready */
  guint n_turns;
  guint last;  /* iteration in which somebody had a turn */
  guint worst; /* most turns in one iteration */
  guint n_now;
} Seen;

static gboolean
iterated_cb (gpointer user_data)
{
  ((Seen *) user_data)->n_iterations++;
  return G_SOURCE_CONTINUE;
}

static void
turn_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Seen *seen = user_data;

  gadget_spawn_throttle_wait_finish (result);
  seen->n_now = seen->last == seen->n_iterations ? seen->n_now + 1 : 1;
  seen->last = seen->n_iterations;
  seen->worst = MAX (seen->worst, seen->n_now);
  seen->n_turns++;
}

static void
take_turns (Seen *seen, GCancellable *cancellable, guint n)
{
  for (guint i = 0; i < n; i++)
    gadget_spawn_throttle_wait_async (cancellable, turn_cb, seen);
  g_assert_cmpuint (seen->n_turns, ==, 0);
}

/* Runs until @n had their turn, and says how many iterations of the main context that took. */
static void
run_until (Seen *seen, guint n)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, iterated_cb, seen, NULL);
  g_source_attach (source, NULL);
  while (seen->n_turns < n)
    g_main_context_iteration (NULL, TRUE);
  g_source_destroy (source);
}

static void
test_one_by_one (void)
{
  Seen seen = { 0 };

  take_turns (&seen, NULL, N_TURNS);
  run_until (&seen, N_TURNS);
  /* Sources of one iteration may be called in either order. */
  g_assert_cmpuint (seen.worst, <=, 2);
  g_assert_cmpuint (seen.n_iterations, >=, N_TURNS - 2);
}

/* After a stop nobody waits for a turn. */
static void
test_stopped (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Seen seen = { 0 };

  take_turns (&seen, cancellable, N_TURNS);
  run_until (&seen, 3);
  g_cancellable_cancel (cancellable);
  seen.n_iterations = 0;
  run_until (&seen, N_TURNS);
  g_assert_cmpuint (seen.n_iterations, <=, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/process-turn/one-by-one", test_one_by_one);
  g_test_add_func ("/engine/process-turn/stopped", test_stopped);

  return g_test_run ();
}
