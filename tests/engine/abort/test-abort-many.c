/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Twenty chats at work, with 60 streams from one host and 100 calls, and one abort of all. How
 * long that takes exactly is for the benchmark. */

#include "config.h"

#include "abort-fixture.h"
#include "many-turns.h"
#include "test-process.h"
#include "test-wait.h"
#include "wait.h"

#define N_ROUNDS 3

static guint
count_threads (void)
{
  g_thread_pool_stop_unused_threads ();
  return test_count_threads ();
}

/* Kept connections (both ends are here) and workers come with the first round, and stay. */
static void
test_many (void)
{
  g_autoptr (ManyTurns) many = many_turns_new ();
  guint n_fds = 0;
  guint n_threads = 0;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      many_turns_start (many);
      many_turns_abort (many);
      g_test_message ("acknowledged after %.1f ms, last stream ended after %.1f ms, last process "
                      "after %.1f ms, last turn completed after %.1f ms",
                      many->ack_ms, many->close_ms, many->processes_ms, many->completion_ms);
      g_assert_cmpfloat (many->ack_ms, <, ABORT_WIDE_MS);
      g_assert_cmpfloat (many->close_ms, <, ABORT_WIDE_MS);
      g_assert_cmpfloat (many->completion_ms, <, ABORT_WIDE_MS);
      many_turns_assert_stopped (many);
      if (i == 0)
        {
          n_fds = test_count_fds ();
          n_threads = count_threads ();
        }
    }
  g_assert_cmpuint (test_count_fds (), <=, n_fds + 2 * MANY_SESSIONS);
  wait_until (count_threads () <= n_threads + 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/abort/many-chats-at-once", test_many);

  return g_test_run ();
}
