/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every case of a tree runs with and without a sandbox: the test's data says which. What was
 * started is found again in /proc by a duration of sleep that nobody else uses, so that a survivor
 * in another namespace, session or parent is seen as well. */

#include "config.h"

#include "common/gadget-fd-limit.h"
#include "process/gadget-process.h"
#include "test-process.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SANDBOXED GINT_TO_POINTER (1)

/* What the helper leaves between TERM and KILL. */
#define GRACE_MS 200

static GadgetSandbox *
get_sandbox (gconstpointer data, gboolean *skip)
{
  GadgetSandbox *sandbox = data != NULL ? test_get_sandbox () : NULL;

  *skip = data != NULL && sandbox == NULL;
  return sandbox;
}

typedef struct
{
  const char *name;
  const char *command; /* @ stands for the marker; it says "ready" when the tree stands */
  guint n_tree;        /* descendants besides the command that are counted, 0 = any */
  gboolean resists;    /* something must be killed */
  int signal;          /* of the command itself, 0 = any */
} Tree;

static const Tree trees[] = {
  { "plain", "echo ready; exec sleep @", 0, FALSE, SIGTERM },
  { "child", "sleep @ & echo ready; wait", 1, FALSE, SIGTERM },
  { "setsid", "setsid sleep @ & sleep 0.1; echo ready; wait", 1, FALSE, SIGTERM },
  { "double-fork", "(setsid sleep @ &) & wait; sleep 0.1; echo ready; exec sleep @", 1, FALSE,
    SIGTERM },
  { "leader-ignores", "trap '' TERM; sleep @ & echo ready; while :; do sleep @; done", 2, TRUE,
    SIGKILL },
  { "grandchild-ignores", "(trap '' TERM; setsid sleep @) & sleep 0.1; echo ready; wait", 1, TRUE,
    SIGTERM },
  { "fifty", "for i in {1..50}; do sleep @ & done; echo ready; wait", 50, FALSE, SIGTERM },
  { "stopped", "sleep @ & kill -STOP $!; echo ready; wait", 1, FALSE, SIGTERM },
  { "make",
    "printf 'all: a b c d e f g h\\n%%:\\n\\ttest $* != d || echo ready; "
    "sh -c \"sleep @ & wait\"\\n' | make -j4 -s -f -",
    0, FALSE, 0 },
  { "holds-pipe", "setsid sh -c 'trap \"\" TERM; sleep @; :' & sleep 0.1; echo ready; exit 0", 0,
    TRUE, 0 },
  { "issue", "sleep @ & setsid sleep @ & trap '' TERM; sleep 0.1; echo ready; sleep @", 0, TRUE,
    SIGKILL },
};

typedef struct
{
  const Tree *tree;
  gboolean sandboxed;
} TreeCase;

static char *
make_command (const char *template, const char *marker)
{
  g_auto (GStrv) parts = g_strsplit (template, "@", -1);

  return g_strjoinv (marker, parts);
}

/* On a machine that is too busy for it our own deadline comes before the helper's word, and the
 * result says so. That may happen now and then, and everything ends all the same. */
static gboolean
assert_ended (TestProcess *process, const char *marker)
{
  static guint n_late;

  g_assert_no_error (process->error);
  if (process->result->confirmed)
    {
      test_assert_none_alive (marker);
      return TRUE;
    }
  g_test_message ("not confirmed in time");
  g_assert_cmpuint (++n_late, <=, 5);
  test_wait_alive (marker, 0);
  return FALSE;
}

static void
test_tree (gconstpointer data)
{
  const TreeCase *self = data;
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (self->sandboxed ? SANDBOXED : NULL, &skip);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = make_command (self->tree->command, marker);
  g_autoptr (TestProcess) process = NULL;
  double ms;

  if (skip)
    return;
  process = test_process_start (command, NULL, sandbox, 0);
  test_process_wait_output (process, "ready");
  g_assert_cmpuint (test_count_alive (marker), >, 0);
  test_process_abort (process);
  test_process_wait (process);

  if (!assert_ended (process, marker))
    return;
  g_assert_true (process->result->aborted || g_str_equal (self->tree->name, "holds-pipe"));
  g_assert_false (process->result->timed_out);
  if (self->tree->signal != 0)
    g_assert_cmpint (process->result->signal, ==, self->tree->signal);
  if (self->tree->n_tree > 0)
    g_assert_cmpuint (process->result->n_terminated + process->result->n_killed, ==,
                      self->tree->n_tree);
  /* Who does not resist is killed only where it got no time to end by itself. */
  if (!self->tree->resists)
    g_assert_true (process->result->n_killed == 0 || process->result->none_left_ms >= GRACE_MS);
  else if (self->tree->n_tree > 0)
    g_assert_true (process->result->n_killed > 0 || process->result->signal == SIGKILL);

  ms = (double) (process->ended_at - process->aborted_at) / 1000;
  g_test_message ("%.1f ms, none left after %.1f ms", ms, process->result->none_left_ms);
  g_assert_cmpfloat (ms, <, 2000);
}

/* --- What is reported --------------------------------------------------------------------------
 */

static void
test_status (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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

/* The command's own handler runs, within its grace, and its status is told. */
static void
test_trap (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autoptr (TestProcess) process = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *proof = NULL;
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;

  if (skip)
    return;
  folder = g_dir_make_tmp ("gadget-trap-XXXXXX", NULL);
  proof = g_build_filename (folder, "proof", NULL);
  command = g_strdup_printf ("trap 'echo late; echo ran > proof; exit 42' TERM; echo ready; "
                             "sleep %s & wait",
                             marker);
  process = test_process_start (command, folder, sandbox, 0);
  test_process_wait_output (process, "ready");
  test_process_abort (process);
  test_process_wait (process);

  g_assert_no_error (process->error);
  g_assert_cmpint (process->result->exit_status, ==, 42);
  g_assert_true (process->result->aborted);
  g_assert_true (g_file_test (proof, G_FILE_TEST_EXISTS));
  /* What comes after the abort is added to nothing. */
  g_assert_cmpstr (process->output->str, ==, "ready\n");
  test_assert_none_alive (marker);
  g_unlink (proof);
  g_rmdir (folder);
}

static void
test_leftovers (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) process = NULL;
  g_autoptr (TestProcess) late = NULL;

  if (skip)
    return;
  command = g_strdup_printf ("sleep %s & setsid sleep %s & exit 3", marker, marker);
  process = test_process_start (command, NULL, sandbox, 0);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpint (process->result->exit_status, ==, 3);
  g_assert_cmpuint (process->result->n_terminated, ==, 2);
  g_assert_cmpuint (process->result->n_killed, ==, 0);
  g_assert_false (process->result->aborted);
  test_assert_none_alive (marker);

  /* What ends by itself right after the command is not cut. It waits for the command's end with
   * nothing to start, so that a busy machine does not make it late. */
  late = test_process_start ("(while kill -0 $$ 2>/dev/null; do :; done; echo last) & exit 0", NULL,
                             sandbox, 0);
  test_process_wait (late);
  g_assert_no_error (late->error);
  g_assert_cmpstr (late->output->str, ==, "last\n");
  g_assert_cmpuint (late->result->n_terminated, ==, 0);
}

static void
test_time_limit (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) process = NULL;

  if (skip)
    return;
  command = g_strdup_printf ("echo before; sleep %s", marker);
  process = test_process_start (command, NULL, sandbox, 300);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->timed_out);
  g_assert_false (process->result->aborted);
  g_assert_cmpstr (process->output->str, ==, "before\n");
  g_assert_cmpfloat (process->result->elapsed_ms, >=, 300);
  test_assert_none_alive (marker);
}

/* --- Errors ------------------------------------------------------------------------------------
 */

static void
test_errors (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  assert_ended (process, marker);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
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

/* The program that started it is killed: end of file does what a byte would have done. */
static void
test_parent_killed (gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf (
      "(trap '' TERM; setsid sleep %s) & sleep %s & sleep 0.1; echo ready; wait", marker, marker);
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "support", "process-owner", NULL);
  const char *mode = data != NULL ? "sandboxed" : "plain";
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSandbox) sandbox = NULL;
  gboolean skip;

  sandbox = get_sandbox (data, &skip);
  if (skip)
    return;
  owner = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, mode, command, NULL);
  g_assert_no_error (error);

  char ready[6] = "";

  g_assert_true (
      g_input_stream_read_all (g_subprocess_get_stdout_pipe (owner), ready, 5, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (ready, ==, "ready");
  g_assert_cmpuint (test_count_alive (marker), >=, 3);

  gint64 killed_at = g_get_monotonic_time ();

  g_subprocess_send_signal (owner, SIGKILL);
  test_wait_alive (marker, 0);
  g_test_message ("none left %.1f ms after", (double) (g_get_monotonic_time () - killed_at) / 1000);
  g_assert_cmpint (g_get_monotonic_time () - killed_at, <, 3 * G_USEC_PER_SEC);
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
}

/* Three that take TERM in three ways, again and again; bench-process has the exact time. */
static void
test_issue (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  double worst = 0;

  if (skip)
    return;
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *marker = test_marker_new ();
      g_autofree char *command =
          make_command ("sleep @ & setsid sleep @ & trap '' TERM; echo ready; sleep @", marker);
      g_autoptr (TestProcess) process = test_process_start (command, NULL, sandbox, 0);

      test_process_wait_output (process, "ready");
      test_process_abort (process);
      test_process_wait (process);
      assert_ended (process, marker);
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

static void
add_both (const char *name, GTestDataFunc function)
{
  g_autofree char *plain = g_strdup_printf ("/engine/process/%s/unsandboxed", name);
  g_autofree char *sandboxed = g_strdup_printf ("/engine/process/%s/sandboxed", name);

  g_test_add_data_func (plain, NULL, function);
  g_test_add_data_func (sandboxed, SANDBOXED, function);
}

int
main (int argc, char **argv)
{
  static TreeCase cases[G_N_ELEMENTS (trees) * 2];

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engine/process/abort-%s/%s", trees[i / 2].name,
                                               i % 2 == 0 ? "unsandboxed" : "sandboxed");

      cases[i] = (TreeCase) { &trees[i / 2], i % 2 == 1 };
      g_test_add_data_func (path, &cases[i], test_tree);
    }
  add_both ("status", test_status);
  add_both ("abort-runs-trap", test_trap);
  add_both ("leftovers", test_leftovers);
  add_both ("time-limit", test_time_limit);
  add_both ("descriptors", test_descriptors);
  add_both ("errors", test_errors);
  add_both ("exec-failure", test_exec_failure);
  add_both ("aborted-before", test_aborted_before);
  g_test_add_func ("/engine/process/utf8", test_utf8);
  add_both ("ten-megabytes", test_ten_megabytes);
  add_both ("abort-chatty", test_chatty);
  g_test_add_func ("/engine/process/pipe-held-outside", test_pipe_held_outside);
  add_both ("environment", test_environment);
  add_both ("back-to-baseline", test_back_to_baseline);
  add_both ("parent-killed", test_parent_killed);
  add_both ("issue", test_issue);
  g_test_add_func ("/engine/process/write-after-kill", test_write_after_kill);
  return g_test_run ();
}
