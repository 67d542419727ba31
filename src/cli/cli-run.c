/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "run": lists and aborts runs. Each process knows only its own runs, so all Gadget
 * processes are asked over the session bus. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-app.h"
#include "cli-bus.h"
#include "cli-writer.h"
#include "common/gadget-json.h"
#include "common/gadget-visible.h"
#include "control/gadget-control.h"
#include "control/gadget-peers.h"

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  gboolean abort; /* "run abort" instead of "run list" */
  char *session;
  char *run;
  gboolean all;

  GDBusConnection *bus;
  guint silent;    /* number of processes that did not respond */
  char *refused;   /* (nullable): error message of one of them */
  GPtrArray *runs; /* list: (element-type GVariant) of a{sv} */
  GStrv aborted;   /* abort: ids of the runs */
  gboolean any;    /* abort: whether anything was stopped */
} Command;

static void
clear (Command *command)
{
  g_free (command->session);
  g_free (command->run);
  g_free (command->refused);
  g_clear_object (&command->bus);
  g_clear_pointer (&command->runs, g_ptr_array_unref);
  g_clear_pointer (&command->aborted, g_strfreev);
  g_clear_object (&command->cli);
}

static const char *
lookup (GVariant *details, const char *name)
{
  const char *value = "";

  g_variant_lookup (details, name, "&s", &value);
  return value;
}

/* Makes the text safe to print: any program may own a bus name that begins like Gadget's and reply
 * with anything. */
static void
print_line (Command *command, const char *text)
{
  g_autofree char *line = gadget_visible_escape_line (text);

  gadget_cli_print (command->cli, "%s\n", line);
}

static void
print_run (Command *command, GVariant *details)
{
  g_autofree const char **in_flight = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *when = NULL;
  gint64 started = 0;

  g_variant_lookup (details, "started", "x", &started);
  time = g_date_time_new_from_unix_local (started / 1000);
  when = time != NULL ? g_date_time_format (time, "%H:%M:%S") : g_strdup ("");
  if (g_variant_lookup (details, "in-flight", "^a&s", &in_flight))
    joined = g_strjoinv (", ", (char **) in_flight);
  line = g_strdup_printf ("%s  %s  %-10s  %s  %s", lookup (details, "run"),
                          lookup (details, "session"), lookup (details, "kind"), when,
                          joined != NULL ? joined : "");
  print_line (command, line);
}

static void
add_run (JsonBuilder *builder, GVariant *details)
{
  static const char *const names[] = { "run", "session", "turn", "kind", "parent" };
  g_autofree const char **in_flight = NULL;
  gint64 started = 0;

  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = lookup (details, names[i]);

      if (*value != '\0' || !g_str_equal (names[i], "parent"))
        gadget_cli_json_add_string (builder, names[i], value);
    }
  g_variant_lookup (details, "started", "x", &started);
  gadget_json_add_int (builder, "started", started);
  json_builder_set_member_name (builder, "in_flight");
  json_builder_begin_array (builder);
  if (g_variant_lookup (details, "in-flight", "^a&s", &in_flight))
    for (guint i = 0; in_flight[i] != NULL; i++)
      json_builder_add_string_value (builder, in_flight[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
finish_list (Command *command)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < command->runs->len; i++)
    {
      if (command->json)
        add_run (builder, g_ptr_array_index (command->runs, i));
      else
        print_run (command, g_ptr_array_index (command->runs, i));
    }
  json_builder_end_array (builder);
  if (command->json)
    gadget_cli_print_json (command->cli, builder);
  else if (command->runs->len == 0)
    gadget_cli_say (command->cli, _ ("Nothing is going on."));
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
finish_abort (Command *command)
{
  const gboolean aborted = command->any;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_json_add_boolean (builder, "aborted", aborted);
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint i = 0; command->aborted[i] != NULL; i++)
    {
      json_builder_add_string_value (builder, command->aborted[i]);
      if (!command->json)
        print_line (command, command->aborted[i]);
    }
  json_builder_end_array (builder);
  gadget_cli_json_add_string (builder, "message",
                              aborted ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING);
  json_builder_end_object (builder);
  if (command->json)
    gadget_cli_print_json (command->cli, builder);
  if (command->refused != NULL)
    {
      g_autofree char *refused = gadget_visible_escape_line (command->refused);

      gadget_cli_say (command->cli, "gadget-cli: %s", refused);
    }
  else if (!aborted && command->silent == 0)
    gadget_cli_say (command->cli, _ ("gadget-cli: There was nothing to abort."));
  else if (aborted && !command->json)
    gadget_cli_say (command->cli, _ ("Abort signaled."));
  gadget_cli_quit (command->cli, aborted ? GADGET_CLI_FINISHED : GADGET_CLI_ERROR);
}

static void
finish (Command *command)
{
  if (command->silent > 0)
    gadget_cli_say (command->cli,
                    ngettext ("gadget-cli: %u program does not answer.",
                              "gadget-cli: %u programs do not answer.", command->silent),
                    command->silent);
  if (command->abort)
    finish_abort (command);
  else
    finish_list (command);
}

static void
handle_answers (Command *command, GadgetPeerAnswers *answers)
{
  if (command->abort)
    {
      command->aborted = gadget_peer_answers_dup_aborted (answers, &command->any);
      return;
    }
  for (guint i = 0; i < answers->replies->len; i++)
    {
      g_autoptr (GVariant) runs =
          g_variant_get_child_value (g_ptr_array_index (answers->replies, i), 0);

      for (gsize k = 0; k < g_variant_n_children (runs); k++)
        g_ptr_array_add (command->runs, g_variant_get_child_value (runs, k));
    }
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetPeerAnswers) answers = gadget_peers_call_finish (result, &error);

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (answers == NULL)
    {
      gadget_cli_say (command->cli, "gadget-cli: %s", error->message);
      gadget_cli_quit (command->cli, GADGET_CLI_ERROR);
      return;
    }
  command->silent = answers->n_silent;
  command->refused = g_strdup (answers->refused);
  handle_answers (command, answers);
  finish (command);
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  command->bus = gadget_cli_bus_connect_finish (result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (command->bus == NULL)
    {
      gadget_cli_say (command->cli, "gadget-cli: %s.", error->message);
      gadget_cli_say (command->cli, _ ("Runs are seen and stopped over the session bus. A run in a "
                                       "terminal can be stopped there with Ctrl+C."));
      gadget_cli_quit (command->cli, GADGET_CLI_ERROR);
      return;
    }
  if (command->abort)
    gadget_peers_abort_async (command->bus, command->session != NULL ? command->session : "",
                              command->run != NULL ? command->run : "", answered_cb, command);
  else
    gadget_peers_call_async (command->bus, "ListRuns", NULL, G_VARIANT_TYPE ("(aa{sv})"),
                             answered_cb, command);
}

static void
start (GadgetCli *cli, gpointer user_data)
{
  gadget_cli_bus_connect_async (connected_cb, user_data);
}

static int
run (Command *command)
{
  command->cli = gadget_cli_new ();
  command->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  return gadget_cli_run (command->cli, FALSE, start, NULL, command);
}

static int
run_list (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (gadget_cli_parse ("run list [--json]",
                        _ ("Lists what is going on, in the window and in other terminals: run,\n"
                           "session, kind, start, and what a stop would end."),
                        entries, &words, &status))
    status = words[1] != NULL
                 ? gadget_cli_usage ("run list", _ ("“%s” is one word too many"), words[1])
                 : run (&command);
  clear (&command);
  return status;
}

static int
check_abort (Command *command, char **words)
{
  if (words[1] != NULL)
    return gadget_cli_usage ("run abort", _ ("“%s” is one word too many"), words[1]);
  if (command->all && (command->session != NULL || command->run != NULL))
    return gadget_cli_usage ("run abort", _ ("--all excludes --session and --run"));
  if (!command->all && command->session == NULL && command->run == NULL)
    return gadget_cli_usage ("run abort", _ ("What should be aborted? --session, --run or --all"));
  if (g_strcmp0 (command->session, "") == 0 || g_strcmp0 (command->run, "") == 0)
    return gadget_cli_usage ("run abort", _ ("The ID is empty"));
  return GADGET_CLI_FINISHED;
}

static int
run_abort (char **argv)
{
  Command command = { .abort = TRUE };
  const GOptionEntry entries[] = {
    { "session", 0, 0, G_OPTION_ARG_STRING, &command.session, N_ ("What this chat is doing"),
      "ID" },
    { "run", 0, 0, G_OPTION_ARG_STRING, &command.run, N_ ("This run"), "ID" },
    { "all", 0, 0, G_OPTION_ARG_NONE, &command.all, N_ ("Everything"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (gadget_cli_parse ("run abort (--session ID | --run ID | --all) [--json]",
                        _ ("Aborts what is going on. Exit status: 0 if anything was, else 1."),
                        entries, &words, &status))
    {
      status = check_abort (&command, words);
      if (status == GADGET_CLI_FINISHED)
        status = run (&command);
    }
  clear (&command);
  return status;
}

int
gadget_cli_runs (char **argv)
{
  static const GadgetCliCommandEntry commands[] = {
    { "list", run_list },
    { "abort", run_abort },
    { NULL, NULL },
  };

  return gadget_cli_dispatch ("run", commands, argv + 1);
}
