/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is reported of a command, its errors, its output, and what it is given. Every case runs with
 * and without a sandbox: the test's data says which. */

#include "config.h"

#include "common/gadget-fd-limit.h"
#include "process-fixture.h"
#include "process/gadget-process.h"
#include "test-process.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* --- What is reported --------------------------------------------------------------------------
 */

static void
test_status (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autoptr (TestProcess) exits = NULL;
  g_autoptr (TestProcess) signalled = NULL;

  if (skip)
    return;
  exits = test_process_start ("echo one; echo two >&2; echo three; exit 7", NULL, sandbox, 0);
  test_process_wait (exits);
  g_assert_no_error (exits->error);
  g_assert_cmpint (exits->result->exit_status, ==, 7);
  g_assert_cmpint (exits->result->signal, ==, 0);
  g_assert_cmpstr (exits->output->str, ==, "one\ntwo\nthree\n");
  g_assert_false (exits->result->aborted);
  g_assert_true (exits->result->confirmed);
  g_assert_cmpfloat (exits->result->none_left_ms, ==, 0);

  signalled = test_process_start ("kill -USR1 $$", NULL, sandbox, 0);
  test_process_wait (signalled);
  g_assert_no_error (signalled->error);
  g_assert_cmpint (signalled->result->exit_status, ==, -1);
  g_assert_cmpint (signalled->result->signal, ==, SIGUSR1);
}

/* --- Errors ------------------------------------------------------------------------------------
 */

static void
test_errors (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autofree char *folder = g_strdup (g_getenv ("GADGET_LIBEXEC_DIR"));
  g_autoptr (TestProcess) no_command = NULL;
  g_autoptr (TestProcess) no_folder = NULL;
  g_autoptr (TestProcess) no_helper = NULL;

  if (skip)
    return;
  no_command = test_process_start ("exec /no/such/program", NULL, sandbox, 0);
  test_process_wait (no_command);
  g_assert_no_error (no_command->error);
  g_assert_cmpint (no_command->result->exit_status, ==, 127);

  no_folder = test_process_start ("true", "/no/such/folder", sandbox, 0);
  test_process_wait (no_folder);
  g_assert_error (no_folder->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY);
  g_assert_null (no_folder->result);

  g_setenv ("GADGET_LIBEXEC_DIR", "/no/such/libexec", TRUE);
  no_helper = test_process_start ("true", NULL, sandbox, 0);
  test_process_wait (no_helper);
  g_setenv ("GADGET_LIBEXEC_DIR", folder, TRUE);
  g_assert_error (no_helper->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_HELPER);
}

typedef struct
{
  GMainLoop *loop;
  GadgetProcessResult *result;
  GError *error;
} Plain;

static void
plain_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Plain *plain = user_data;

  plain->result = gadget_process_run_finish (result, &plain->error);
  g_main_loop_quit (plain->loop);
}

static void
test_exec_failure (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  const char *missing[] = { "/no/such/program", "argument", NULL };
  GadgetProcessSpec spec = { .argv = missing, .sandbox = sandbox };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Plain plain = { .loop = loop };

  if (skip)
    return;
  gadget_process_run_async (&spec, NULL, plain_cb, &plain);
  g_main_loop_run (loop);
  g_assert_null (plain.result);
  g_assert_error (plain.error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_COMMAND);
  g_assert_nonnull (strstr (plain.error->message, "No such file"));
  g_clear_error (&plain.error);
}

static void
test_aborted_before (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autofree char *folder = NULL;
  g_autofree char *proof = NULL;
  const char *argv[] = { "/bin/touch", "proof", NULL };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  Plain plain = { .loop = loop };
  g_autoptr (TestProcess) at_once = NULL;

  if (skip)
    return;
  folder = g_dir_make_tmp ("gadget-before-XXXXXX", NULL);
  proof = g_build_filename (folder, "proof", NULL);

  GadgetProcessSpec spec = { .argv = argv, .workspace = folder, .sandbox = sandbox };

  g_cancellable_cancel (cancelled);
  gadget_process_run_async (&spec, cancelled, plain_cb, &plain);
  g_main_loop_run (loop);
  g_assert_error (plain.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&plain.error);
  test_spin (100);
  g_assert_false (g_file_test (proof, G_FILE_TEST_EXISTS));

  /* Right after the start the sandbox may not be up yet: it ran or it did not, and is gone. */
  at_once = test_process_start ("sleep 1; touch proof", folder, sandbox, 0);
  test_process_abort (at_once);
  test_process_wait (at_once);
  g_assert_true (at_once->result != NULL
                     ? at_once->result->aborted
                     : g_error_matches (at_once->error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  test_spin (1200);
  g_assert_false (g_file_test (proof, G_FILE_TEST_EXISTS));
  g_rmdir (folder);
}

/* --- Output ------------------------------------------------------------------------------------
 */

static void
test_utf8 (void)
{
  g_autoptr (TestProcess) process = NULL;

  process = test_process_start ("printf 'a\\342'; sleep 0.1; printf '\\202'; sleep 0.1; "
                                "printf '\\254b\\377c\\000d\\303'",
                                NULL, NULL, 0);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpstr (process->output->str, ==,
                   "a€b\xef\xbf\xbd"
                   "c\xef\xbf\xbd"
                   "d\xef\xbf\xbd");
}

static void
test_ten_megabytes (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autoptr (TestProcess) process = NULL;

  if (skip)
    return;
  process = test_process_start ("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo end", NULL,
                                sandbox, 0);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpint (process->result->exit_status, ==, 0);
  g_assert_cmpuint (process->output->len, ==, 10000005);
  g_assert_true (g_str_has_suffix (process->output->str, "x\nend\n"));
}

/* A command that writes without end can hold neither the main context nor the abort. */
static void
test_chatty (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) process = NULL;
  gsize length;

  if (skip)
    return;
  command = g_strdup_printf ("trap '' TERM; yes %s | cat", marker);
  process = test_process_start (command, NULL, sandbox, 0);
  test_process_wait_output (process, marker);
  length = process->output->len;
  test_process_abort (process);
  test_process_wait (process);
  process_assert_ended (process, marker);
  g_assert_cmpfloat ((double) (process->ended_at - process->aborted_at) / 1000, <, 2000);
  g_assert_cmpuint (process->output->len - length, <=, 1 << 20);
}

/* A process outside of the tree that keeps the pipe open holds nothing up. */
static void
test_pipe_held_outside (void)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) process = NULL;
  gint64 before = g_get_monotonic_time ();

  /* The helper is killed, so that what it watched over escapes with the pipe. */
  command = g_strdup_printf ("trap '' TERM; sleep %s & echo kept; kill -9 $PPID; sleep %s", marker,
                             marker);
  process = test_process_start (command, NULL, NULL, 0);
  test_process_wait (process);
  g_assert_error (process->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_LOST);
  g_assert_cmpstr (process->output->str, ==, "kept\n");
  g_assert_cmpint (g_get_monotonic_time () - before, <, 5 * G_USEC_PER_SEC);

  test_kill_alive (marker);
}

/* --- Around it ---------------------------------------------------------------------------------
 */

/* A command that is started while Gadget itself may open more has the usual limit, and may ask for
 * more as well. */
static void
test_descriptors (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autoptr (TestProcess) process = NULL;
  struct rlimit before;
  struct rlimit limit;

  if (skip)
    return;
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  limit = (struct rlimit) { 400, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpuint (gadget_fd_limit_raise (900), ==, 900);
  g_assert_cmpuint (gadget_fd_limit_get_usual (), ==, 400);
  process = test_process_start ("ulimit -Sn; ulimit -Sn 800; ulimit -Sn", NULL, sandbox, 0);
  test_process_wait (process);
  gadget_fd_limit_lower ();
  g_assert_cmpuint (gadget_fd_limit_get_usual (), ==, 400);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  g_assert_no_error (process->error);
  g_assert_cmpstr (process->output->str, ==, "400\n800\n");
}

static void
test_environment (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  g_autoptr (TestProcess) process = NULL;
  g_auto (GStrv) lines = NULL;

  if (skip)
    return;
  g_setenv ("GADGET_TEST_SECRET", "sk-visible", TRUE);
  process = test_process_start ("env -0 | tr '\\0' '\\n'; "
                                "cat /proc/self/status | grep -E 'SigBlk|SigIgn'; "
                                "echo core $(ulimit -c); readlink /proc/self/fd/0; "
                                "echo fds $(ls /proc/self/fd | wc -l)",
                                NULL, sandbox, 0);
  test_process_wait (process);
  g_unsetenv ("GADGET_TEST_SECRET");
  g_assert_no_error (process->error);
  g_assert_null (strstr (process->output->str, "sk-visible"));
  g_assert_nonnull (strstr (process->output->str, "TERM=dumb\n"));
  g_assert_nonnull (strstr (process->output->str, "SigBlk:\t0000000000000000\n"));
  g_assert_nonnull (strstr (process->output->str, "SigIgn:\t0000000000000000\n"));
  g_assert_nonnull (strstr (process->output->str, "core 0\n"));
  g_assert_nonnull (strstr (process->output->str, "/dev/null\n"));
  g_assert_nonnull (strstr (process->output->str, "fds 4\n"));

  lines = g_strsplit (process->output->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL && !g_str_has_prefix (lines[i], "SigBlk"); i++)
    {
      static const char *const allowed[] = { "PATH=", "HOME=",  "LANG=", "TERM=",
                                             "PWD=",  "SHLVL=", "_=" };
      gboolean known = FALSE;

      for (guint j = 0; j < G_N_ELEMENTS (allowed); j++)
        known = known || g_str_has_prefix (lines[i], allowed[j]);
      if (!known)
        g_error ("not expected in the environment: %s", lines[i]);
    }
}

static void
test_back_to_baseline (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  guint n_fds;
  guint n_threads;

  if (skip)
    return;
  n_fds = test_count_fds ();
  n_threads = test_count_threads ();
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (TestProcess) process =
          test_process_start (i % 3 == 0 ? "true" : "sleep 100 & sleep 100", NULL, sandbox, 0);

      if (i % 3 == 1)
        test_spin (20);
      if (i % 3 != 0)
        test_process_abort (process);
    }
  test_spin (50);
  g_assert_cmpuint (test_count_fds (), ==, n_fds);
  /* GLib keeps some threads of its pools for later: as many as once worked side by side. */
  g_assert_cmpuint (test_count_threads (), <=, n_threads + 4);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
}

/* Three that take TERM in three ways, again and again; bench-process has the exact time. */
static void
test_issue (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
  double worst = 0;

  if (skip)
    return;
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *marker = test_marker_new ();
      g_autofree char *command = process_make_command (
          "sleep @ & setsid sleep @ & trap '' TERM; echo ready; sleep @", marker);
      g_autoptr (TestProcess) process = test_process_start (command, NULL, sandbox, 0);

      test_process_wait_output (process, "ready");
      test_process_abort (process);
      test_process_wait (process);
      process_assert_ended (process, marker);
      worst = MAX (worst, (double) (process->ended_at - process->aborted_at) / 1000);
    }
  g_test_message ("worst %.1f ms", worst);
  g_assert_cmpfloat (worst, <, 2000);
}

/* A helper that is gone can be written to: no SIGPIPE, no error. */
static void
test_write_after_kill (void)
{
  signal (SIGPIPE, SIG_DFL);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (TestProcess) process =
          test_process_start ("echo ready; kill -9 $PPID", NULL, NULL, 0);

      test_process_wait_output (process, "ready");
      test_process_abort (process);
      test_process_wait (process);
      g_assert_true (process->result != NULL || process->error != NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  process_add_both ("status", test_status);
  process_add_both ("descriptors", test_descriptors);
  process_add_both ("errors", test_errors);
  process_add_both ("exec-failure", test_exec_failure);
  process_add_both ("aborted-before", test_aborted_before);
  g_test_add_func ("/engine/process/utf8", test_utf8);
  process_add_both ("ten-megabytes", test_ten_megabytes);
  process_add_both ("abort-chatty", test_chatty);
  g_test_add_func ("/engine/process/pipe-held-outside", test_pipe_held_outside);
  process_add_both ("environment", test_environment);
  process_add_both ("back-to-baseline", test_back_to_baseline);
  process_add_both ("issue", test_issue);
  g_test_add_func ("/engine/process/write-after-kill", test_write_after_kill);
  return g_test_run ();
}
