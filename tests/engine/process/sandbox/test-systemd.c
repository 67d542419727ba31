/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Limits of commands by the user's systemd: whatever that does, a command starts, runs and ends as
 * it does without. */

#include "config.h"

#include "fake-systemd.h"
#include "process/sandbox/gadget-systemd.h"
#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct
{
  TestSandbox base;
  FakeSystemd *fake;
  GadgetSystemd *systemd;
  guint n_changed;
} Fixture;

static void
changed_cb (GadgetSystemd *systemd, Fixture *self)
{
  self->n_changed++;
}

/* Waits until the manager was asked whether it is there, or nobody was found. */
static void
open_systemd (Fixture *self, const char *address)
{
  self->systemd = gadget_systemd_new (address);
  g_signal_connect (self->systemd, "changed", G_CALLBACK (changed_cb), self);
  gadget_sandbox_set_systemd (self->base.sandbox, self->systemd);
  for (guint i = 0; i < 2000 && (self->fake == NULL || self->fake->n_subscribed == 0); i += 50)
    {
      test_spin (50);
      if (self->fake == NULL || self->fake->connection == NULL)
        break;
    }
  test_spin (50);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  test_sandbox_set_up (&self->base, NULL);
  if (self->base.sandbox == NULL || data == NULL)
    return;
  self->fake = fake_systemd_new (TRUE);
  self->fake->kind = GPOINTER_TO_INT (data) - 1;
  open_systemd (self, g_test_dbus_get_bus_address (self->fake->bus));
  g_assert_cmpuint (self->fake->n_subscribed, ==, 1);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_sandbox_tear_down (&self->base, NULL);
  if (self->fake != NULL)
    g_queue_clear_full (&self->fake->late, g_object_unref);
  if (self->systemd != NULL)
    {
      /* A call that nobody answers holds it until its time is over. */
      g_signal_handlers_disconnect_by_data (self->systemd, self);
      g_clear_object (&self->systemd);
    }
  g_clear_pointer (&self->fake, fake_systemd_free);
}

static TestProcess *
start (Fixture *self, const char *command, gboolean network)
{
  return test_process_start_with (command, (GadgetProcessSpec) {
                                               .workspace = self->base.workspace,
                                               .sandbox = self->base.sandbox,
                                               .network = network,
                                               .time_limit_ms = 20000,
                                           });
}

static void
run (Fixture *self, const char *command)
{
  g_autoptr (TestProcess) process = start (self, command, FALSE);

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  g_assert_cmpint (process->result->exit_status, ==, 0);
  g_assert_cmpstr (process->output->str, ==, "said\n");
}

/* The first process of the sandbox: in its own namespace it is number 1. */
static void
assert_first (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *text = NULL;
  const char *numbers;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  numbers = strstr (text, "NSpid:");
  g_assert_nonnull (numbers);
  g_autofree char *line = g_strndup (numbers, strcspn (numbers, "\n"));

  g_assert_true (g_str_has_suffix (line, "\t1"));
}

static void
test_works (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  g_assert_false (gadget_systemd_get_works (self->systemd));
  process = start (self, "echo ready; exec sleep 100", FALSE);
  test_process_wait_output (process, "ready");
  test_spin (100);
  g_assert_cmpuint (self->fake->n_started, ==, 1);
  g_assert_true (g_str_has_prefix (self->fake->unit, "gadget-command-"));
  g_assert_true (g_str_has_suffix (self->fake->unit, ".scope"));
  g_assert_cmpuint (self->fake->n_by_number, ==, 0);
  assert_first (self->fake->pid);
  g_assert_cmpuint (fake_systemd_get_number (self->fake, "TasksMax"), ==, GADGET_SYSTEMD_MAX_TASKS);
  g_assert_cmpuint (fake_systemd_get_number (self->fake, "MemoryMax"), ==,
                    gadget_systemd_get_max_memory ());
  g_assert_cmpuint (fake_systemd_get_number (self->fake, "MemoryHigh"), <,
                    gadget_systemd_get_max_memory ());
  g_assert_cmpuint (fake_systemd_get_number (self->fake, "CPUWeight"), <, 100);
  g_assert_true (gadget_systemd_get_works (self->systemd));
  g_assert_cmpuint (self->n_changed, ==, 1);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_true (process->result->confirmed);

  run (self, "echo said");
  test_spin (50);
  g_assert_cmpuint (self->fake->n_started, ==, 2);
}

/* The second net: systemd ends what is in a scope, and that is an end as any other. */
static void
test_stopped (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command =
      g_strdup_printf ("setsid sleep %s & echo ready; sleep %s", marker, marker);
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  process = start (self, command, FALSE);
  test_process_wait_output (process, "ready");
  test_spin (100);
  g_assert_cmpint ((int) syscall (SYS_pidfd_send_signal, self->fake->pidfd, SIGTERM, NULL, 0), ==,
                   0);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  g_assert_false (process->result->aborted);
  test_assert_none_alive (marker);
}

static void
test_old (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  process = start (self, "echo ready; exec sleep 100", FALSE);
  test_process_wait_output (process, "ready");
  test_spin (100);
  g_assert_cmpuint (self->fake->n_started, ==, 2);
  g_assert_cmpuint (self->fake->n_by_number, ==, 1);
  assert_first (self->fake->pid);
  g_assert_true (gadget_systemd_get_works (self->systemd));
  test_process_abort (process);
  test_process_wait (process);
  run (self, "echo said; sleep 0.1");
  g_assert_cmpuint (self->fake->n_started, ==, 3);
  g_assert_cmpuint (self->fake->n_by_number, ==, 2);
}

/* After a few it is left in peace. */
static void
test_refuses (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox == NULL)
    return;
  for (guint i = 0; i < 5; i++)
    run (self, "echo said; sleep 0.1");
  g_assert_cmpuint (self->fake->n_started, ==, 3);
  g_assert_false (gadget_systemd_get_works (self->systemd));
}

static void
test_fails (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox == NULL)
    return;
  run (self, "echo said; sleep 0.1");
  g_assert_cmpuint (self->fake->n_started, ==, 1);
  g_assert_false (gadget_systemd_get_works (self->systemd));
}

static void
test_dies (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    run (self, "echo said; sleep 0.1");
  g_assert_cmpuint (self->fake->n_started, ==, 1);
  g_assert_false (gadget_systemd_get_works (self->systemd));
}

/* Nobody waits for it: not a start, not an end, not an abort. */
static void
test_hangs (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("echo ready; sleep %s", marker);
  const gint64 begin = g_get_monotonic_time ();

  if (self->base.sandbox == NULL)
    return;
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (TestProcess) process = start (self, command, FALSE);

      test_process_wait_output (process, "ready");
      test_process_abort (process);
      test_process_wait (process);
      g_assert_no_error (process->error);
      g_assert_true (process->result->aborted);
      g_assert_true (process->result->confirmed);
      test_assert_none_alive (marker);
    }
  run (self, "echo said");
  g_assert_cmpuint (self->fake->n_started, >=, 5);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);

  /* After its time it is not asked any more. */
  test_spin (5500);
  const guint n_started = self->fake->n_started;

  run (self, "echo said; sleep 0.1");
  g_assert_cmpuint (self->fake->n_started, ==, n_started);
}

/* The answer comes when the command is over, and the next one is in the middle. */
static void
test_late (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  run (self, "echo said; sleep 0.1");
  process = start (self, "echo ready; sleep 0.5", FALSE);
  test_process_wait_output (process, "ready");
  test_spin (100);
  g_assert_cmpuint (self->fake->n_started, ==, 2);
  g_assert_cmpuint (g_queue_get_length (&self->fake->late), ==, 2);
  fake_systemd_answer (self->fake);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpint (process->result->exit_status, ==, 0);
  g_assert_true (gadget_systemd_get_works (self->systemd));
  run (self, "echo said; sleep 0.1");
  fake_systemd_answer (self->fake);
  test_spin (50);
}

/* There is a bus, and nobody of that name. */
static void
test_absent (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox == NULL)
    return;
  self->fake = fake_systemd_new (FALSE);
  open_systemd (self, g_test_dbus_get_bus_address (self->fake->bus));
  run (self, "echo said");
  g_assert_false (gadget_systemd_get_works (self->systemd));
}

static void
test_no_bus (Fixture *self, gconstpointer data)
{
  static const char *const addresses[] = { NULL, "unix:path=/nowhere/bus", "nonsense" };

  if (self->base.sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      open_systemd (self, addresses[i]);
      run (self, "echo said");
      g_assert_false (gadget_systemd_get_works (self->systemd));
      gadget_sandbox_set_systemd (self->base.sandbox, NULL);
      g_assert_finalize_object (g_steal_pointer (&self->systemd));
    }
}

/* The bus goes, and nothing of ours goes with it. */
static void
test_bus_dies (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  process = start (self, "echo ready; sleep 0.5; echo said", FALSE);
  test_process_wait_output (process, "ready");
  test_spin (100);
  g_assert_true (gadget_systemd_get_works (self->systemd));
  g_clear_pointer (&self->fake, fake_systemd_free);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpint (process->result->exit_status, ==, 0);
  g_assert_false (gadget_systemd_get_works (self->systemd));
  run (self, "echo said");
}

/* Nothing is left of a hundred commands, some of which end before they are asked for. */
static void
test_many (Fixture *self, gconstpointer data)
{
  guint n_fds;

  if (self->base.sandbox == NULL)
    return;
  run (self, "echo said");
  test_spin (50);
  g_clear_fd (&self->fake->pidfd, NULL);
  n_fds = test_count_fds ();
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (TestProcess) first = start (self, "exec sleep 100", FALSE);
      g_autoptr (TestProcess) second = start (self, "exit 0", FALSE);

      test_spin (i % 10);
      test_process_abort (first);
      test_process_wait (first);
      test_process_wait (second);
    }
  test_spin (100);
  g_clear_fd (&self->fake->pidfd, NULL);
  g_assert_cmpuint (test_count_fds (), ==, n_fds);
}

#define ADD(path, kind, function)                                                                  \
  g_test_add ("/engine/systemd/" path, Fixture, GINT_TO_POINTER (kind), set_up, function, tear_down)
#define WITH(kind) ((kind) + 1)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("works", WITH (FAKE_SYSTEMD_WORKS), test_works);
  ADD ("stopped", WITH (FAKE_SYSTEMD_WORKS), test_stopped);
  ADD ("old", WITH (FAKE_SYSTEMD_OLD), test_old);
  ADD ("refuses", WITH (FAKE_SYSTEMD_REFUSES), test_refuses);
  ADD ("fails", WITH (FAKE_SYSTEMD_FAILS), test_fails);
  ADD ("dies", WITH (FAKE_SYSTEMD_DIES), test_dies);
  ADD ("hangs", WITH (FAKE_SYSTEMD_HANGS), test_hangs);
  ADD ("late", WITH (FAKE_SYSTEMD_LATE), test_late);
  ADD ("absent", 0, test_absent);
  ADD ("no-bus", 0, test_no_bus);
  ADD ("bus-dies", WITH (FAKE_SYSTEMD_WORKS), test_bus_dies);
  ADD ("many", WITH (FAKE_SYSTEMD_WORKS), test_many);
  return test_sandbox_finish ();
}
