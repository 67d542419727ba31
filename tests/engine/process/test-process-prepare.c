/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is looked at before a command starts is looked at elsewhere: here reading the index of a
 * repository hangs. And what the start lacks is told as an error of processes. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "hung-jobs.h"
#include "hung-read.h"
#include "test-sandbox.h"
#include "wait.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

static gboolean no_pipes;

int
pipe2 (int fds[2], int flags)
{
  int (*next) (int[2], int) = (int (*) (int[2], int)) dlsym (RTLD_NEXT, "pipe2");

  if (!no_pipes)
    return next (fds, flags);
  errno = EMFILE;
  return -1;
}

/* A command whose preparation hangs. */
static TestProcess *
start_hung (TestSandbox *self, const char *marker)
{
  g_autofree char *path = g_build_filename (self->workspace, ".git", "index", NULL);
  g_autofree char *command = g_strdup_printf ("echo ran > ran; sleep %s", marker);
  TestProcess *process;

  test_write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  test_write_file (self->workspace, ".git/index", "slow");
  hung_read_begin (path);
  process = test_process_start (command, self->workspace, self->sandbox, 0);
  wait_until (hung_read_count () == 1);
  return process;
}

static gboolean
has_file (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
has_run (TestSandbox *self)
{
  return has_file (self, "ran");
}

static void
assert_stopped (TestSandbox *self, TestProcess *process, const char *marker)
{
  g_assert_error (process->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_spin (200);
  test_assert_none_alive (marker);
  g_assert_false (has_run (self));
}

/* It is answered at once, and nothing is started when the disk answers in the end. */
static void
test_stopped (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, marker);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpint (process->ended_at - process->aborted_at, <, 500 * G_TIME_SPAN_MILLISECOND);
  hung_read_answer ();
  wait_until (gadget_blocking_get_n_given_up () == 0);
  assert_stopped (self, process, marker);
  /* Nor is anything made then. */
  g_assert_false (has_file (self, ".git/config"));
  g_assert_false (has_file (self, ".git/hooks"));
}

/* A stop between the answer of the disk and the start, both in one iteration. */
static void
test_stopped_late (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, marker);
  hung_read_answer ();
  g_usleep (200 * G_TIME_SPAN_MILLISECOND);
  test_process_abort (process);
  test_process_wait (process);
  assert_stopped (self, process, marker);
}

static void
test_slow (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, marker);
  g_assert_false (has_run (self));
  hung_read_answer ();
  wait_until (has_run (self));
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  test_assert_none_alive (marker);
}

/* The descriptors and threads of those that were never started are gone. */
static void
test_left_over (TestSandbox *self, gconstpointer data)
{
  guint n_fds = 0;

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < 4; i++)
    {
      test_stopped (self, data);
      if (i == 0)
        n_fds = test_count_fds ();
    }
  g_assert_cmpuint (test_count_fds (), ==, n_fds);
}

static void
assert_not_started (TestSandbox *self, const char *words)
{
  g_autoptr (TestProcess) process = test_process_start ("exit 0", self->workspace, NULL, 0);

  test_process_wait (process);
  g_assert_error (process->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START);
  g_assert_true (g_str_has_prefix (process->error->message, "The command could not be started: "));
  g_assert_nonnull (strstr (process->error->message, words));
}

static void
test_no_pipes (TestSandbox *self, gconstpointer data)
{
  no_pipes = TRUE;
  assert_not_started (self, g_strerror (EMFILE));
  no_pipes = FALSE;
}

static void
test_too_many_hang (TestSandbox *self, gconstpointer data)
{
  hung_jobs_begin ();
  assert_not_started (self, "The file system does not answer");
  hung_jobs_end ();
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/process-prepare/" path, TestSandbox, NULL, test_sandbox_set_up, function,   \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("stopped", test_stopped);
  ADD ("stopped-late", test_stopped_late);
  ADD ("slow", test_slow);
  ADD ("left-over", test_left_over);
  ADD ("no-pipes", test_no_pipes);
  ADD ("too-many-hang", test_too_many_hang);
  return test_sandbox_finish ();
}
