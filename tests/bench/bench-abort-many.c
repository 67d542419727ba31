/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Twenty chats at work, with 60 streams from one host and 100 calls of tools, stopped by one abort:
 * see many-turns.h. Each round is checked for leftovers outside of what is measured. */

#include "config.h"

#include "bench-row.h"
#include "many-turns.h"

#include <stdio.h>

#define N 50
#define CASE "20-chats-60-streams-100-calls"

static gboolean
print (const char *metric, GArray *values, const char *limit, double worst)
{
  const gboolean ok = bench_get_rank (values, 1) <= worst;

  bench_print_row ("abort", CASE, metric, values, 0, limit, ok);
  return ok;
}

static void
add (GArray *values, double value)
{
  g_array_append_val (values, value);
}

int
main (int argc, char **argv)
{
  g_autoptr (ManyTurns) many = many_turns_new ();
  g_autoptr (GArray) ack = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) close = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) completion = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean ok = TRUE;

  if (!many->commands)
    fprintf (stderr, "bench-abort-many: no sandbox here, so waits stand in for commands\n");
  for (guint i = 0; i < N; i++)
    {
      many_turns_start (many);
      many_turns_abort (many);
      many_turns_assert_stopped (many);
      add (ack, many->ack_ms);
      add (close, many->close_ms);
      add (processes, many->processes_ms);
      add (completion, many->completion_ms);
    }
  ok &= print ("ack_ms", ack, "worst <= 50 ms", 50);
  ok &= print ("close_ms", close, "worst, of the last of 60 connections, <= 200 ms", 200);
  if (many->commands)
    ok &= print ("processes_ms", processes, "worst, of the last of 40 commands, <= 500 ms", 500);
  ok &= print ("completion_ms", completion, "worst, of the last of 20 turns, <= 750 ms", 750);
  return ok ? 0 : 1;
}
