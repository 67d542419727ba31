/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands on a terminal, with and without a sandbox: the test's data says which. */

#include "config.h"

#include "test-process.h"

#include <string.h>

#define SANDBOXED GINT_TO_POINTER (1)
#define N_ABORTS 5

static TestProcess *
start (const char *command, gconstpointer data, GadgetSandbox **sandbox)
{
  *sandbox = data != NULL ? test_get_sandbox () : NULL;
  if (data != NULL && *sandbox == NULL)
    return NULL;
  return test_process_start_with (
      command,
      (GadgetProcessSpec) { .sandbox = *sandbox, .terminal = TRUE, .time_limit_ms = 60000 });
}

static void
assert_output (gconstpointer data, const char *command, const char *expected)
{
  g_autoptr (GadgetSandbox) sandbox = NULL;
  g_autoptr (TestProcess) process = start (command, data, &sandbox);

  if (process == NULL)
    return;
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  g_assert_cmpstr (process->output->str, ==, expected);
}

static void
test_is_terminal (gconstpointer data)
{
  assert_output (data,
                 "for i in 0 1 2; do test -t $i && echo $i; done; stty size; echo $TERM; "
                 "(echo to the terminal > /dev/tty); test \"$(tty)\" -ef /dev/fd/0 && echo named",
                 "0\r\n1\r\n2\r\n24 80\r\nxterm-256color\r\nto the terminal\r\nnamed\r\n");
}

/* All of it arrives, also what is written in the last moment, and more than any buffer holds. */
static void
test_whole_output (gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = NULL;
  g_autoptr (TestProcess) process =
      start ("head -c 3000000 /dev/zero | tr '\\0' x; printf end", data, &sandbox);

  if (process == NULL)
    return;
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpuint (process->output->len, ==, 3000003);
  g_assert_true (g_str_has_suffix (process->output->str, "xend"));
}

static void
test_exit_status (gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = NULL;
  g_autoptr (TestProcess) process = start ("exit 7", data, &sandbox);

  if (process == NULL)
    return;
  test_process_wait (process);
  g_assert_cmpint (process->result->exit_status, ==, 7);
}

/* What has the terminal and what has left it; jobs in groups of their own, stopped ones as well. */
static const char *const trees[] = {
  "bash -i -c 'sleep @ & sleep @ & kill -STOP %2; echo rea\"\"dy; fg %1'",
  "set -m; sleep @ & sleep @ | sleep @ & (setsid sleep @ &); sleep 0.1; echo ready; sleep @",
  "script -qc 'trap \"\" TERM HUP; sleep @ & echo ready; sleep @' /dev/null",
  "trap '' HUP TERM; sleep @ & nohup sleep @ & echo ready; while :; do sleep @; done",
  /* Like top: redraws, and wants to know of the window. */
  "trap '' WINCH; sleep @ & echo ready; while printf '\\033[H%s\\033[J' 1; do sleep 0.01; done",
  "sleep @ & echo ready; yes",
};

static void
test_abort (gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (trees) * N_ABORTS; i++)
    {
      g_autofree char *marker = test_marker_new ();
      g_auto (GStrv) parts = g_strsplit (trees[i % G_N_ELEMENTS (trees)], "@", -1);
      g_autofree char *command = g_strjoinv (marker, parts);
      g_autoptr (GadgetSandbox) sandbox = NULL;
      g_autoptr (TestProcess) process = start (command, data, &sandbox);

      if (process == NULL)
        return;
      test_process_wait_output (process, "ready");
      test_process_abort (process);
      test_process_wait (process);
      g_assert_no_error (process->error);
      g_assert_true (process->result->aborted);
      g_assert_true (process->result->confirmed);
      test_assert_none_alive (marker);
    }
}

static void
test_leftover (gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("setsid sleep %s & sleep 0.1; printf done", marker);
  g_autoptr (GadgetSandbox) sandbox = NULL;
  g_autoptr (TestProcess) process = start (command, data, &sandbox);

  if (process == NULL)
    return;
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpstr (process->output->str, ==, "done");
  g_assert_cmpstr (process->result->leftovers, ==, "sleep");
  g_assert_cmpuint (process->result->n_terminated, ==, 1);
  test_assert_none_alive (marker);
}

static void
add (const char *name, GTestDataFunc function)
{
  g_autofree char *plain = g_strdup_printf ("/engine/process-terminal/%s/unsandboxed", name);
  g_autofree char *sandboxed = g_strdup_printf ("/engine/process-terminal/%s/sandboxed", name);

  g_test_add_data_func (plain, NULL, function);
  g_test_add_data_func (sandboxed, SANDBOXED, function);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("is-terminal", test_is_terminal);
  add ("whole-output", test_whole_output);
  add ("exit-status", test_exit_status);
  add ("abort", test_abort);
  add ("leftover", test_leftover);
  return g_test_run ();
}
