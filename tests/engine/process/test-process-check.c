/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is looked at after a command, where that hangs: reading the index of a repository. The
 * result does not wait for it, and says so; what a command planted is made harmless in the end. */

#include "config.h"

#include "hung-read.h"
#include "test-sandbox.h"
#include "wait.h"

#include <unistd.h>

static const char plant[] = "mkdir -p .git/hooks sub/.git/hooks; cp /bin/true sub/.git/hooks/x; "
                            "echo x > sub/.git/HEAD; echo planted; ";

static gboolean
is_armed (TestSandbox *self)
{
  g_autofree char *path = g_build_filename (self->workspace, "sub/.git/hooks/x", NULL);

  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE);
}

/* Many repositories have the index whose reading hangs: one after the other is looked at. */
#define N_SLOW 9
#define SLOW_MS 400

static void
make_many (TestSandbox *self)
{
  g_autofree char *index = g_build_filename (self->workspace, ".git", "index", NULL);

  for (guint i = 0; i < N_SLOW; i++)
    {
      g_autofree char *name = g_strdup_printf ("slow-%u/.git/HEAD", i);
      g_autofree char *path = g_strdup_printf ("%s/slow-%u/.git/index", self->workspace, i);

      test_write_file (self->workspace, name, "ref: refs/heads/main\n");
      g_assert_cmpint (link (index, path), ==, 0);
    }
}

/* The disk hangs from when the command has planted something. */
static TestProcess *
start_hung_with (TestSandbox *self, const char *rest, guint time_limit_ms, gboolean many)
{
  g_autofree char *path = g_build_filename (self->workspace, ".git", "index", NULL);
  g_autofree char *command = g_strconcat (plant, rest, NULL);
  TestProcess *process;

  test_write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  test_write_file (self->workspace, ".git/index", "slow");
  if (many)
    make_many (self);
  process = test_process_start (command, self->workspace, self->sandbox, time_limit_ms);
  test_process_wait_output (process, "planted");
  hung_read_begin (path);
  return process;
}

static TestProcess *
start_hung (TestSandbox *self, const char *rest, guint time_limit_ms)
{
  return start_hung_with (self, rest, time_limit_ms, FALSE);
}

static void
assert_late (TestSandbox *self, TestProcess *process)
{
  g_assert_no_error (process->error);
  g_assert_true (process->result->unchecked);
  g_assert_cmpstr (process->result->disarmed, ==, "");
  g_assert_true (is_armed (self));
  g_test_expect_message ("gadget-process", G_LOG_LEVEL_MESSAGE, "sub/.git: *made harmless, late");
  hung_read_answer ();
  wait_until (!is_armed (self));
  test_spin (50);
  g_test_assert_expected_messages ();
}

static void
test_stopped (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *rest = g_strdup_printf ("sleep %s", marker);
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, rest, 0);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpint (process->ended_at - process->aborted_at, <, 500 * G_TIME_SPAN_MILLISECOND);
  g_assert_true (process->result->aborted);
  g_assert_true (process->result->confirmed);
  test_assert_none_alive (marker);
  assert_late (self, process);
}

/* Nothing is stopped: the limit alone ends the wait. */
static void
test_ended (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, data, 1000);
  test_process_wait (process);
  g_assert_false (process->result->aborted);
  assert_late (self, process);
}

/* The command had ended by itself, and is waited for all the same. */
static void
test_stopped_late (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, "sleep 0.2", 0);
  wait_until (hung_read_count () == 1);
  test_spin (150);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpint (process->ended_at - process->aborted_at, <, 500 * G_TIME_SPAN_MILLISECOND);
  g_assert_false (process->result->aborted);
  g_assert_cmpint (process->result->exit_status, ==, 0);
  assert_late (self, process);
}

/* The disk is slow, but not for too long. */
static void
test_slow (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung (self, "sleep 0.2", 0);
  wait_until (hung_read_count () == 1);
  test_spin (150);
  hung_read_answer ();
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_false (process->result->unchecked);
  g_assert_cmpstr (process->result->disarmed, ==, "sub/.git");
  g_assert_false (is_armed (self));
}

/* The disk answers, but takes longer than one that hangs is waited for. */
static void
test_slow_all_the_time (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung_with (self, "sleep 0.2", 0, TRUE);
  for (guint i = 0; i < N_SLOW; i++)
    {
      wait_until (hung_read_count () == 1);
      test_spin (SLOW_MS);
      hung_read_let_go ();
    }
  hung_read_answer ();
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_false (process->result->unchecked);
  g_assert_cmpstr (process->result->disarmed, ==, "sub/.git");
  g_assert_false (is_armed (self));
}

/* Then a stop is answered at once all the same. */
static void
test_slow_stopped (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  process = start_hung_with (self, "sleep 0.2", 0, TRUE);
  for (guint i = 0; i < N_SLOW - 2; i++)
    {
      wait_until (hung_read_count () == 1);
      test_spin (SLOW_MS);
      hung_read_let_go ();
    }
  g_assert_false (process->ended);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpint (process->ended_at - process->aborted_at, <, 500 * G_TIME_SPAN_MILLISECOND);
  assert_late (self, process);
}

static void
checks_ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *ended = user_data;

  gadget_process_wait_for_checks_finish (result);
  *ended = TRUE;
}

/* Who leaves waits for what goes on, but not for ever. */
static void
test_leaving (TestSandbox *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;
  gboolean late = FALSE;
  gboolean ended = FALSE;

  if (self->sandbox == NULL)
    return;
  gadget_process_wait_for_checks_async (60000, checks_ended_cb, &ended);
  wait_until (ended);
  process = start_hung (self, "sleep 0.2", 1000);
  test_process_wait (process);
  ended = FALSE;
  gadget_process_wait_for_checks_async (60000, checks_ended_cb, &ended);
  gadget_process_wait_for_checks_async (100, checks_ended_cb, &late);
  wait_until (late);
  g_assert_false (ended);
  assert_late (self, process);
  wait_until (ended);
}

#define ADD(path, data, function)                                                                  \
  g_test_add ("/engine/process-check/" path, TestSandbox, data, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("stopped", NULL, test_stopped);
  ADD ("ended", "sleep 0.2", test_ended);
  ADD ("time-limit", "sleep 100", test_ended);
  ADD ("stopped-late", NULL, test_stopped_late);
  ADD ("slow", NULL, test_slow);
  ADD ("slow-all-the-time", NULL, test_slow_all_the_time);
  ADD ("slow-stopped", NULL, test_slow_stopped);
  ADD ("leaving", NULL, test_leaving);
  return test_sandbox_finish ();
}
