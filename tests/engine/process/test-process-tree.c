/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nothing of a tree of processes is left when its command is stopped or ends. Every case runs with
 * and without a sandbox: the test's data says which. What was started is found again in /proc by a
 * duration of sleep that nobody else uses, so that a survivor in another namespace, session or
 * parent is seen as well. */

#include "config.h"

#include "process-fixture.h"
#include "process/gadget-process.h"
#include "test-process.h"

#include <glib/gstdio.h>
#include <signal.h>

/* What the helper leaves between TERM and KILL. */
#define GRACE_MS 200

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
  { "grandchild-ignores", "trap '' TERM; setsid sleep @ & trap - TERM; echo ready; wait", 1, TRUE,
    SIGTERM },
  { "fifty", "for i in {1..50}; do sleep @ & done; echo ready; wait", 50, FALSE, SIGTERM },
  { "stopped", "sleep @ & kill -STOP $!; echo ready; wait", 1, FALSE, SIGTERM },
  { "make",
    "printf 'all: a b c d e f g h\\n%%:\\n\\ttest $* != d || echo ready; "
    "sh -c \"sleep @ & wait\"\\n' | make -j4 -s -f -",
    0, FALSE, 0 },
  { "holds-pipe", "trap '' TERM; setsid sh -c 'sleep @; :' & echo ready; exit 0", 0, TRUE, 0 },
  { "issue", "sleep @ & setsid sleep @ & trap '' TERM; echo ready; sleep @", 0, TRUE, SIGKILL },
};

typedef struct
{
  const Tree *tree;
  gboolean sandboxed;
} TreeCase;

static void
test_tree (gconstpointer data)
{
  const TreeCase *self = data;
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox =
      process_get_sandbox (self->sandboxed ? SANDBOXED : NULL, &skip);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = process_make_command (self->tree->command, marker);
  g_autoptr (TestProcess) process = NULL;
  double ms;

  if (skip)
    return;
  process = test_process_start (command, NULL, sandbox, 0);
  test_process_wait_output (process, "ready");
  g_assert_cmpuint (test_count_alive (marker), >, 0);
  test_process_abort (process);
  test_process_wait (process);

  if (!process_assert_ended (process, marker))
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

/* The command's own handler runs, within its grace, and its status is told. */
static void
test_trap (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
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
  g_autoptr (GadgetSandbox) sandbox = process_get_sandbox (data, &skip);
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

/* --- Around it ---------------------------------------------------------------------------------
 */

/* The program that started it is killed: end of file does what a byte would have done. */
static void
test_parent_killed (gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf (
      "trap '' TERM; setsid sleep %s & trap - TERM; sleep %s & echo ready; wait", marker, marker);
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "support", "process-owner", NULL);
  const char *mode = data != NULL ? "sandboxed" : "plain";
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSandbox) sandbox = NULL;
  gboolean skip;

  sandbox = process_get_sandbox (data, &skip);
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
  process_add_both ("abort-runs-trap", test_trap);
  process_add_both ("leftovers", test_leftovers);
  process_add_both ("time-limit", test_time_limit);
  process_add_both ("parent-killed", test_parent_killed);
  return g_test_run ();
}
