/* SPDX-License-Identifier: GPL-3.0-or-later */

/* process-owner plain|sandboxed COMMAND: runs a command and passes its output on, until somebody
 * kills this program, which is what it is for. */

#include "config.h"

#include "test-process.h"

#include <string.h>
#include <unistd.h>

static void
output_cb (const char *text, gsize length, gpointer user_data)
{
  (void) !write (STDOUT_FILENO, text, length);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  if (ended == NULL)
    g_printerr ("%s\n", error->message);
  g_main_loop_quit (user_data);
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GadgetSandbox) sandbox = NULL;

  if (argc != 3)
    return 2;
  if (strcmp (argv[1], "sandboxed") == 0 && (sandbox = test_get_sandbox ()) == NULL)
    return 77;

  const char *command[] = { "/bin/bash", "-c", argv[2], NULL };
  GadgetProcessSpec spec = { .argv = command, .sandbox = sandbox, .output = output_cb };

  gadget_process_run_async (&spec, NULL, ended_cb, loop);
  g_main_loop_run (loop);
  return 0;
}
