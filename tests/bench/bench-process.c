/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the abort to none left of a command's tree, one row of JSON a case. The floor of a plain
 * sleep is a bare kill () and waitpid () of one, alternating in the same run. */

#include "config.h"

#include "test-process.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 50

typedef struct
{
  const char *name;
  const char *command; /* @ stands for the marker */
  double p95_limit;
  double worst_limit;
  gboolean has_floor;
} Case;

static const Case cases[] = {
  { "plain-sleep", "echo ready; exec sleep @", 20, 500, TRUE },
  { "ignores-term", "sleep @ & setsid sleep @ & trap '' TERM; echo ready; sleep @", 300, 500,
    FALSE },
};

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a;
  double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

static double
measure_floor (void)
{
  gint64 begin;
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      execlp ("sleep", "sleep", "300", NULL);
      _exit (127);
    }
  test_spin (10);
  begin = g_get_monotonic_time ();
  kill (pid, SIGTERM);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static double
measure (const Case *self, GadgetSandbox *sandbox)
{
  g_autofree char *marker = test_marker_new ();
  g_auto (GStrv) parts = g_strsplit (self->command, "@", -1);
  g_autofree char *command = g_strjoinv (marker, parts);
  g_autoptr (TestProcess) process = test_process_start (command, NULL, sandbox, 0);

  test_process_wait_output (process, "ready");
  test_spin (10);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  test_assert_none_alive (marker);
  return (double) (process->result->ended_at - process->aborted_at) / 1000;
}

static gboolean
run_case (const Case *self, GadgetSandbox *sandbox)
{
  double times[N];
  double floors[N] = { 0 };
  char floor[32] = "null";
  char ratio[32] = "null";
  gboolean ok;

  for (guint i = 0; i < N; i++)
    {
      if (self->has_floor)
        floors[i] = measure_floor ();
      times[i] = measure (self, sandbox);
    }
  qsort (times, N, sizeof *times, compare);
  qsort (floors, N, sizeof *floors, compare);
  if (self->has_floor)
    {
      g_snprintf (floor, sizeof floor, "%.3f", floors[N / 2]);
      g_snprintf (ratio, sizeof ratio, "%.2f", times[N / 2] / MAX (floors[N / 2], 0.001));
    }
  ok = times[N * 95 / 100] <= self->p95_limit && times[N - 1] <= self->worst_limit;
  printf ("{\"bench\":\"process\",\"case\":\"%s/%s\",\"metric\":\"none_left_ms\",\"n\":%d,"
          "\"median\":%.3f,\"p95\":%.3f,\"worst\":%.3f,\"floor\":%s,\"ratio\":%s,"
          "\"limit\":\"p95 <= %.0f ms, worst <= %.0f ms, none alive\",\"ok\":%s}\n",
          self->name, sandbox != NULL ? "sandboxed" : "unsandboxed", N, times[N / 2],
          times[N * 95 / 100], times[N - 1], floor, ratio, self->p95_limit, self->worst_limit,
          ok ? "true" : "false");
  fflush (stdout);
  return ok;
}

int
main (void)
{
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      run_case (&cases[i], NULL);
      if (sandbox != NULL)
        run_case (&cases[i], sandbox);
    }
  return sandbox != NULL ? 0 : 1;
}
