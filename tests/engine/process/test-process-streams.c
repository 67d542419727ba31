/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A command that is spoken to: its standard input and output are pipes of the caller's, what it
 * says besides is its output, and its environment is in nobody's command line. */

#include "config.h"

#include "process/gadget-process.h"
#include "test-process.h"
#include "test-wait.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#define SANDBOXED GINT_TO_POINTER (1)

typedef struct
{
  int to;   /* what the command reads */
  int from; /* what it writes */
  GCancellable *cancellable;
  GString *complaints;
  GAsyncResult *result;
} Talk;

static void
output_cb (const char *text, gsize length, gpointer user_data)
{
  g_string_append_len (((Talk *) user_data)->complaints, text, (gssize) length);
}

static void
talk_start (Talk *self, const char *command, const char *const *environment, GadgetSandbox *sandbox)
{
  const char *argv[] = { "/bin/bash", "-c", command, NULL };
  int input[2];
  int output[2];
  int streams[2];
  GadgetProcessSpec spec = {
    .argv = argv,
    .sandbox = sandbox,
    .output = output_cb,
    .output_data = self,
    .streams = streams,
    .environment = environment,
  };

  g_assert_true (g_unix_open_pipe (input, O_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (output, O_CLOEXEC, NULL));
  streams[0] = input[0];
  streams[1] = output[1];
  self->to = input[1];
  self->from = output[0];
  self->cancellable = g_cancellable_new ();
  self->complaints = g_string_new (NULL);
  self->result = NULL;
  gadget_process_run_async (&spec, self->cancellable, test_result_cb, &self->result);
  /* They were lent. */
  close (input[0]);
  close (output[1]);
}

static void
talk_say (Talk *self, const char *words)
{
  g_assert_cmpint (write (self->to, words, strlen (words)), ==, (gssize) strlen (words));
}

/* One line of what it answers, read while the main context runs. */
static char *
talk_hear (Talk *self)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  char c;

  g_assert_true (g_unix_set_fd_nonblocking (self->from, TRUE, NULL));
  for (;;)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      if (read (self->from, &c, 1) != 1)
        test_run_for (5);
      else if (c == '\n')
        return g_string_free (g_steal_pointer (&line), FALSE);
      else
        g_string_append_c (line, c);
    }
}

static GadgetProcessResult *
talk_end (Talk *self)
{
  g_autoptr (GError) error = NULL;
  GadgetProcessResult *ended;

  g_assert_true (test_wait_result (&self->result, 10000));
  ended = gadget_process_run_finish (self->result, &error);
  g_assert_no_error (error);
  g_clear_object (&self->result);
  g_clear_object (&self->cancellable);
  g_string_free (self->complaints, TRUE);
  g_clear_fd (&self->to, NULL);
  g_clear_fd (&self->from, NULL);
  return ended;
}

static GadgetSandbox *
get_sandbox (gconstpointer data, gboolean *skip)
{
  GadgetSandbox *sandbox = data != NULL ? test_get_sandbox () : NULL;

  *skip = data != NULL && sandbox == NULL;
  return sandbox;
}

static void
test_answers (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autoptr (GadgetProcessResult) ended = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  Talk talk;

  if (skip)
    return;
  talk_start (&talk, "while read line; do echo \"got $line\"; echo hm >&2; done; exit 5", NULL,
              sandbox);
  talk_say (&talk, "one\n");
  first = talk_hear (&talk);
  g_assert_cmpstr (first, ==, "got one");
  talk_say (&talk, "two\n");
  second = talk_hear (&talk);
  g_assert_cmpstr (second, ==, "got two");
  while (talk.complaints->len < 6)
    test_run_for (5);
  g_assert_cmpstr (talk.complaints->str, ==, "hm\nhm\n");

  /* The end of its input is how it is asked to leave. */
  g_clear_fd (&talk.to, NULL);
  ended = talk_end (&talk);
  g_assert_cmpint (ended->exit_status, ==, 5);
  g_assert_false (ended->aborted);
}

static void
test_abort (gconstpointer data)
{
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autoptr (GadgetProcessResult) ended = NULL;
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command =
      g_strdup_printf ("echo up; setsid sleep %s & sleep %s", marker, marker);
  g_autofree char *line = NULL;
  Talk talk;

  if (skip)
    return;
  talk_start (&talk, command, NULL, sandbox);
  line = talk_hear (&talk);
  g_cancellable_cancel (talk.cancellable);
  ended = talk_end (&talk);
  g_assert_true (ended->aborted);
  test_wait_alive (marker, 0);
}

static gboolean
is_in_a_command_line (const char *word)
{
  return test_count_alive (word) > 0;
}

static void
test_environment (gconstpointer data)
{
  static const char *const environment[] = { "TOKEN=very-secret-93127", "EMPTY=", "no variable",
                                             "TERM=other", NULL };
  gboolean skip;
  g_autoptr (GadgetSandbox) sandbox = get_sandbox (data, &skip);
  g_autoptr (GadgetProcessResult) ended = NULL;
  g_autofree char *line = NULL;
  Talk talk;

  if (skip)
    return;
  talk_start (&talk, "echo \"$TOKEN,${EMPTY-unset},$TERM\"; read line", environment, sandbox);
  line = talk_hear (&talk);
  g_assert_cmpstr (line, ==, "very-secret-93127,,other");
  g_assert_false (is_in_a_command_line ("very-secret-93127"));
  g_assert_true (is_in_a_command_line ("${EMPTY-unset}"));
  g_clear_fd (&talk.to, NULL);
  ended = talk_end (&talk);
  g_assert_cmpint (ended->exit_status, ==, 1);
}

static void
test_environment_too_large (void)
{
  g_autofree char *large = g_strnfill (70000, 'x');
  g_autofree char *variable = g_strconcat ("BIG=", large, NULL);
  const char *environment[] = { variable, NULL };
  const char *argv[] = { "/bin/true", NULL };
  GadgetProcessSpec spec = { .argv = argv, .environment = environment };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_process_run_async (&spec, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, 10000));
  g_assert_null (gadget_process_run_finish (result, &error));
  g_assert_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START);
}

static void
add (const char *name, GTestDataFunc function)
{
  g_autofree char *plain = g_strdup_printf ("/engine/process-streams/%s", name);
  g_autofree char *sandboxed = g_strdup_printf ("/engine/process-streams/sandboxed/%s", name);

  g_test_add_data_func (plain, NULL, function);
  g_test_add_data_func (sandboxed, SANDBOXED, function);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("answers", test_answers);
  add ("abort", test_abort);
  add ("environment", test_environment);
  g_test_add_func ("/engine/process-streams/environment-too-large", test_environment_too_large);

  return g_test_run ();
}
