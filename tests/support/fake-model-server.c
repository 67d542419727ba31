/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fake server as a program, for tests in other languages. Runs until it is terminated, or
 * until its standard input ends if asked so. See fake-script.c for the script. The log has one
 * JSON object a line:
 *
 *   {"event":"request","connection":0,"us":123,"method":"POST","path":"…","body":"…"}
 *
 * "us" is CLOCK_MONOTONIC in microseconds (time.monotonic_ns () // 1000 in Python). */

#include "config.h"

#include "fake-server.h"

#include <json-glib/json-glib.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char *port_file;
static char *script_file;
static char *script_text;
static char *log_file;
static gboolean until_input_ends;

static const GOptionEntry options[] = {
  { "port-file", 0, 0, G_OPTION_ARG_FILENAME, &port_file, "Where to write the port", "FILE" },
  { "script", 0, 0, G_OPTION_ARG_FILENAME, &script_file, "What to answer", "FILE" },
  { "script-text", 0, 0, G_OPTION_ARG_STRING, &script_text, "What to answer", "JSON" },
  { "log", 0, 0, G_OPTION_ARG_FILENAME, &log_file, "Where to note what happens", "FILE" },
  { "until-input-ends", 0, 0, G_OPTION_ARG_NONE, &until_input_ends, "End with the input", NULL },
  { NULL },
};

static void
add_string (JsonObject *object, const char *name, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  json_object_set_string_member (object, name, valid);
}

static void
log_event (const FakeEvent *event, const FakeRequest *request, gpointer user_data)
{
  FILE *out = user_data;
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *line = NULL;

  json_object_set_string_member (object, "event", fake_event_type_to_string (event->type));
  json_object_set_int_member (object, "connection", event->connection);
  json_object_set_int_member (object, "us", event->time_us);
  if (request != NULL)
    {
      add_string (object, "method", request->method);
      add_string (object, "path", request->path);
      add_string (object, "head", request->head);
      add_string (object, "body", request->body);
    }
  json_node_set_object (node, object);
  line = json_to_string (node, FALSE);
  fprintf (out, "%s\n", line);
  fflush (out);
}

static int
fail (const char *what, const GError *error)
{
  fprintf (stderr, "fake-model-server: %s: %s\n", what, error != NULL ? error->message : "failed");
  return 1;
}

static void
wait_for_end (const sigset_t *signals)
{
  int number;
  char byte;

  if (until_input_ends)
    while (read (STDIN_FILENO, &byte, 1) > 0)
      ;
  else
    sigwait (signals, &number);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *port = NULL;
  g_autofree char *part = NULL;
  sigset_t signals;
  FakeServer *server;
  FILE *out = NULL;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return fail ("arguments", error);

  prctl (PR_SET_PDEATHSIG, SIGTERM);
  sigemptyset (&signals);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGINT);
  if (!until_input_ends)
    pthread_sigmask (SIG_BLOCK, &signals, NULL);

  if (script_file != NULL && !g_file_get_contents (script_file, &script_text, NULL, &error))
    return fail (script_file, error);
  server = fake_server_new ();
  if (script_text != NULL && !fake_server_load (server, script_text, &error))
    return fail ("the script", error);
  if (log_file != NULL)
    {
      out = fopen (log_file, "we");
      if (out == NULL)
        return fail (log_file, NULL);
      fake_server_set_listener (server, log_event, out);
    }

  port = g_strdup_printf ("%u\n", fake_server_get_port (server));
  if (port_file == NULL)
    fputs (port, stdout);
  else
    {
      part = g_strconcat (port_file, ".part", NULL);
      if (!g_file_set_contents (part, port, -1, &error) || rename (part, port_file) != 0)
        return fail (port_file, error);
    }
  fflush (stdout);

  wait_for_end (&signals);
  fake_server_free (server);
  if (out != NULL)
    fclose (out);
  return 0;
}
