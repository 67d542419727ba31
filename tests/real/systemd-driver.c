/* SPDX-License-Identifier: GPL-3.0-or-later */

/* systemd-driver: runs commands in the sandbox with limits by the systemd of the session's bus, and
 * looks from inside where they are. Prints one line for each case; exits 1 where one is not right,
 * and 77 where there is no such manager. */

#include "config.h"

#include "common/gadget-bus.h"
#include "process/sandbox/gadget-systemd.h"
#include "test-sandbox.h"

#include <string.h>

/* In how many groups the processes are, and how many processes there are. */
#define LOOK                                                                                       \
  "cat /proc/[0-9]*/cgroup 2>/dev/null | grep ^0:: | sort | uniq -c | sed 's/^ *//; "              \
  "s/gadget-command-[0-9-]*/X/'"

static guint n_wrong;

static void
try_command (TestSandbox *self, const char *name, const char *command)
{
  g_autofree char *output = test_sandbox_run (self, self->workspace, command);
  const gboolean right = strstr (output, "X.scope") != NULL && strchr (output, '\n') == NULL;

  g_print ("%s %s: %s\n", right ? "ok" : "NOT OK", name, output);
  n_wrong += right ? 0 : 1;
}

static double
measure (TestSandbox *self)
{
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (TestProcess) process =
      test_process_start ("exit 0", self->workspace, self->sandbox, 0);

  test_process_wait (process);
  g_assert_no_error (process->error);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a;
  const double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
compare_starts (TestSandbox *self, GadgetSystemd *systemd)
{
  double with[100];
  double without[100];

  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    {
      gadget_sandbox_set_systemd (self->sandbox, NULL);
      without[i] = measure (self);
      gadget_sandbox_set_systemd (self->sandbox, systemd);
      with[i] = measure (self);
    }
  qsort (with, G_N_ELEMENTS (with), sizeof *with, compare);
  qsort (without, G_N_ELEMENTS (without), sizeof *without, compare);
  g_print ("start and end of a shell: median %.1f ms, p95 %.1f; without a scope %.1f, p95 %.1f\n",
           with[50], with[95], without[50], without[95]);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_get_current_dir ();
  g_autofree char *address = gadget_bus_dup_address ();
  g_autoptr (GadgetSystemd) systemd = NULL;
  TestSandbox self = { 0 };

  g_setenv ("G_TEST_BUILDDIR", folder, FALSE);
  test_sandbox_make_home ();
  test_sandbox_set_up (&self, NULL);
  g_assert_nonnull (self.sandbox);
  systemd = gadget_systemd_new (address);
  gadget_sandbox_set_systemd (self.sandbox, systemd);
  test_spin (300);
  test_sandbox_assert (&self, self.workspace, "", "sleep 0.3");
  if (!gadget_systemd_get_works (systemd))
    {
      g_print ("the user's systemd is not on this bus\n");
      return 77;
    }
  for (guint i = 0; i < 5; i++)
    {
      try_command (&self, "one", "sleep 0.3; " LOOK);
      try_command (&self, "many", "for i in $(seq 50); do sleep 9 & done; sleep 0.5; " LOOK);
      /* Those that are gone again when they would be moved. */
      try_command (&self, "short-lived",
                   "(while :; do (exec sleep 0.003); done) & (while :; do /bin/true; done) & "
                   "sleep 0.5; " LOOK);
    }
  compare_starts (&self, systemd);
  test_sandbox_tear_down (&self, NULL);
  test_sandbox_remove_home ();
  return n_wrong > 0;
}
