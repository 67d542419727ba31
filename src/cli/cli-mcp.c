/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "mcp": lists, tests, adds, removes and switches MCP servers. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "cli-app.h"
#include "cli-input.h"
#include "cli-writer.h"
#include "common/gadget-json.h"
#include "common/gadget-path.h"
#include "mcp/gadget-mcp-downloader.h"

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  const char *id;          /* (nullable): the server's id, from the command line */
  gboolean enable;         /* whether to switch the server on or off */
  GadgetMcpConfig *config; /* (nullable): the server to add */
  char *secrets;           /* (nullable): secrets for the keyring */
} Command;

static GadgetMcpList *
get_list (Command *command)
{
  return gadget_engine_get_mcp (gadget_cli_get_engine (command->cli));
}

static GadgetMcpServer *
find (Command *command)
{
  GadgetMcpServer *server = gadget_mcp_list_find (get_list (command), command->id);
  g_autofree char *what = NULL;

  if (server != NULL)
    return server;
  what = g_strdup_printf (_ ("There is no MCP server “%s”."), command->id);
  gadget_cli_fail (command->cli, what, _ ("“gadget-cli mcp list” names those there are."));
  return NULL;
}

/* Parses the command line of a command whose only argument is an id. */
static gboolean
parse_id (const char *synopsis, const char *description, const GOptionEntry *entries, char ***argv,
          Command *command, int *status)
{
  return gadget_cli_parse_id (synopsis, description, entries, _ ("One ID of a server is needed"),
                              argv, &command->id, status);
}

static void
add_names (JsonBuilder *builder, GadgetMcpServer *server)
{
  GPtrArray *tools = gadget_mcp_server_get_tools (server);

  json_builder_set_member_name (builder, "tools");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tools->len; i++)
    json_builder_add_string_value (builder,
                                   gadget_mcp_tool_info_get_name (g_ptr_array_index (tools, i)));
  json_builder_end_array (builder);
}

/* --- list --------------------------------------------------------------------------------------*/

static void
list_json (Command *command)
{
  GListModel *servers = G_LIST_MODEL (get_list (command));
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GadgetMcpServer) server = g_list_model_get_item (servers, i);
      const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
      g_autofree char *where = gadget_mcp_config_describe (config);

      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "id", config->id);
      gadget_cli_json_add_string (builder, config->url != NULL ? "url" : "command", where);
      gadget_json_add_boolean (builder, "enabled", gadget_mcp_server_get_enabled (server));
      gadget_json_add_boolean (builder, "network", config->network);
      gadget_json_add_boolean (builder, "confined", config->confined);
      add_names (builder, server);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  gadget_cli_print_json (command->cli, builder);
}

static void
list_text (Command *command)
{
  GListModel *servers = G_LIST_MODEL (get_list (command));

  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GadgetMcpServer) server = g_list_model_get_item (servers, i);
      const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
      const guint n_tools = gadget_mcp_server_get_tools (server)->len;
      g_autofree char *where = gadget_mcp_config_describe (config);
      g_autofree char *tools = g_strdup_printf (ngettext ("%u tool", "%u tools", n_tools), n_tools);

      gadget_cli_print (command->cli, "%s %-16s %-10s %s\n",
                        gadget_mcp_server_get_enabled (server) ? "*" : " ", config->id, tools,
                        where);
    }
  if (g_list_model_get_n_items (servers) == 0)
    gadget_cli_say (command->cli,
                    _ ("No MCP server is set up. “gadget-cli mcp add --help” says how."));
}

static void
start_list (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (command->json)
    list_json (command);
  else
    list_text (command);
  gadget_cli_quit (cli, GADGET_CLI_FINISHED);
}

static int
mcp_list (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("mcp list [--json]",
                         _ ("Lists the MCP servers; those that are switched on have a star."),
                         entries, &words, &status))
    return status;
  if (words[1] != NULL)
    return gadget_cli_usage ("mcp list", _ ("“%s” is one word too many"), words[1]);
  return gadget_cli_run_command (&command.cli, start_list, &command);
}

/* --- test --------------------------------------------------------------------------------------*/

/* Returns whether the command contains the path of a file in the home folder that the sandbox
 * hides. */
static gboolean
names_hidden_file (const GadgetMcpConfig *config)
{
  for (guint i = 0; config->command[i] != NULL; i++)
    {
      const char *word = config->command[i];
      gboolean shown = FALSE;

      for (guint k = 0; config->folders[k] != NULL; k++)
        shown = shown || gadget_path_is_within (word, config->folders[k]);
      if (!shown && g_path_is_absolute (word) && gadget_path_is_within (word, g_get_home_dir ())
          && g_file_test (word, G_FILE_TEST_EXISTS))
        return TRUE;
    }
  return FALSE;
}

/* Returns advice for the most frequent problems of a server that was just set up, or NULL. */
static const char *
find_hint (const GadgetMcpConfig *config, const GError *error)
{
  if (config->url != NULL)
    return g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED)
               ? _ ("A key is given with “--secret Authorization” and a line "
                    "“Authorization=Bearer …” on standard input; a login in a browser is not "
                    "supported.")
               : NULL;
  /* A server that did not start at all has another problem. */
  if (!config->confined
      || (!g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE)
          && !g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT)))
    return NULL;
  if (names_hidden_file (config))
    return _ (
        "It ran in the sandbox, which hides your home folder; “--folder DIR” shows it a folder "
        "of that.");
  if (gadget_mcp_downloader_find ((const char *const *) config->command) != NULL
      && !config->network)
    return _ ("“--network” gives it the network. What it has downloaded is kept for it, so that it "
              "may do without the next time.");
  if (config->folders[0] == NULL && !config->network)
    return _ ("It ran in the sandbox, which gives it no folder of yours and no network; "
              "“--folder DIR” and “--network” do.");
  if (config->folders[0] == NULL)
    return _ ("It ran in the sandbox, which shows it no folder of yours; “--folder DIR” does.");
  if (!config->network)
    return _ ("It ran in the sandbox, without the network; “--network” gives it that.");
  return NULL;
}

static void
fail_connect (Command *command, GadgetMcpServer *server, const GError *error)
{
  const char *hint = find_hint (gadget_mcp_server_get_config (server), error);
  g_autofree char *complaints = gadget_mcp_server_dup_complaints (server);
  g_autofree char *words = NULL;

  if (complaints != NULL)
    words = g_strdup_printf (_ ("It wrote:\n%s"), g_strchomp (complaints));
  if (words != NULL && hint != NULL)
    {
      g_autofree char *wrote = g_steal_pointer (&words);

      words = g_strdup_printf ("%s\n%s", wrote, hint);
    }
  gadget_cli_fail (command->cli, error->message, words != NULL ? words : hint);
}

static void
print_tools (Command *command, GadgetMcpServer *server)
{
  GPtrArray *tools = gadget_mcp_server_get_tools (server);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (command->json)
    {
      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "id", command->id);
      gadget_cli_json_add_string (builder, "version", gadget_mcp_server_get_version (server));
      add_names (builder, server);
      json_builder_end_object (builder);
      gadget_cli_print_json (command->cli, builder);
      return;
    }
  gadget_cli_say (command->cli,
                  ngettext ("“%s” answers (MCP %s) and has %u tool:",
                            "“%s” answers (MCP %s) and has %u tools:", tools->len),
                  command->id, gadget_mcp_server_get_version (server), tools->len);
  for (guint i = 0; i < tools->len; i++)
    gadget_cli_print (command->cli, "%s\n",
                      gadget_mcp_tool_info_get_name (g_ptr_array_index (tools, i)));
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GadgetMcpServer *server = GADGET_MCP_SERVER (source);
  g_autoptr (GError) error = NULL;
  const gboolean connected = gadget_mcp_server_connect_finish (server, result, &error);

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!connected)
    {
      fail_connect (command, server, error);
      return;
    }
  print_tools (command, server);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_test (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;
  GadgetMcpServer *server = find (command);

  if (server != NULL)
    gadget_mcp_server_connect_async (server, TRUE, NULL, connected_cb, command);
}

static int
mcp_test (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("mcp test ID [--json]",
                 _ ("Starts an MCP server, or reaches it, and lists its tools."), entries, &words,
                 &command, &status))
    return status;
  return gadget_cli_run_command (&command.cli, start_test, &command);
}

/* --- add ---------------------------------------------------------------------------------------*/

/* Tests the server that was added, so that its tools are known and the first chat can use them. */
static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GadgetSecrets *secrets = gadget_engine_get_secrets (gadget_cli_get_engine (command->cli));
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_mcp_list_add_finish (GADGET_MCP_LIST (source), result, &error))
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  if (command->secrets != NULL && !gadget_secrets_get_persistent (secrets))
    {
      gadget_cli_fail (command->cli,
                       _ ("The server was added, but there is no keyring to keep its secrets in."),
                       NULL);
      return;
    }
  gadget_cli_say (command->cli, _ ("MCP server “%s” was added."), command->id);
  gadget_mcp_list_set_enabled (get_list (command), find (command), TRUE);
  start_test (command->cli, command);
}

static void
add (Command *command)
{
  gadget_mcp_list_add_async (get_list (command), command->config, command->secrets, added_cb,
                             command);
}

/* @text: (nullable): what was read from standard input; NULL with @error */
static void
add_with_secrets (Command *command, const char *text, GError *error)
{
  g_autoptr (GError) parse_error = NULL;

  if (text == NULL)
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }

  command->secrets = gadget_cli_parse_secrets (command->config->secrets, text, &parse_error);
  if (command->secrets != NULL)
    add (command);
  else
    gadget_cli_fail (command->cli, parse_error->message, NULL);
}

static void
secrets_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  char *text = gadget_cli_read_finish (result, &error);

  if (!gadget_cli_is_quitting (command->cli))
    add_with_secrets (command, text, error);
  gadget_secrets_free_key (text);
}

static void
start_add (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (command->config->secrets[0] != NULL)
    gadget_cli_read_async (STDIN_FILENO, GADGET_CLI_MAX_SECRETS, secrets_read_cb, command);
  else
    add (command);
}

/* Everything after --command belongs to the server's command, including options. Returns it
 * (transfer full) and removes it from @words. */
static char **
split_command (char **words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], "--command"))
      {
        char **command = g_strdupv (words + i + 1);

        for (guint j = i; words[j] != NULL; j++)
          g_clear_pointer (&words[j], g_free);
        return command;
      }
  return NULL;
}

/* Returns whether a command follows the id directly, as other clients expect it. */
static gboolean
lacks_command (char **words)
{
  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], "--url"))
      return FALSE;
  return g_strv_length (words) > 2 && *words[1] != '-' && *words[2] != '-';
}

static void
replace_words (char ***place, char ***given)
{
  if (*given == NULL)
    return;
  g_strfreev (*place);
  *place = g_steal_pointer (given);
}

static void
make_folders_absolute (GadgetMcpConfig *config)
{
  for (guint i = 0; config->folders[i] != NULL; i++)
    {
      char *whole = g_canonicalize_filename (config->folders[i], NULL);

      g_free (config->folders[i]);
      config->folders[i] = whole;
    }
}

/* Prints only the name of the secret, because other people may see the terminal. */
static int
refuse_secret (const char *name)
{
  return gadget_cli_usage ("mcp add",
                           _ ("“%s” looks like a secret, and would be stored as it is. "
                              "“--secret %s” keeps it in the keyring, and reads a line “%s=…” from "
                              "standard input"),
                           name, name, name);
}

static int
mcp_add (char **argv)
{
  Command command = { 0 };
  g_autofree char *url = NULL;
  g_auto (GStrv) environment = NULL;
  g_auto (GStrv) headers = NULL;
  g_auto (GStrv) secrets = NULL;
  g_auto (GStrv) folders = NULL;
  gboolean network = FALSE;
  gboolean unconfined = FALSE;
  const GOptionEntry entries[] = {
    { "url", 0, 0, G_OPTION_ARG_STRING, &url, N_ ("Its address, if it is reached over HTTP"),
      "URL" },
    { "env", 0, 0, G_OPTION_ARG_STRING_ARRAY, &environment, N_ ("A variable of its environment"),
      "NAME=VALUE" },
    { "header", 0, 0, G_OPTION_ARG_STRING_ARRAY, &headers, N_ ("A header of each request"),
      "NAME: VALUE" },
    { "secret", 0, 0, G_OPTION_ARG_STRING_ARRAY, &secrets,
      N_ ("A variable or header that is kept in the keyring; its line NAME=VALUE is read from "
          "standard input"),
      "NAME" },
    { "folder", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &folders,
      N_ ("A folder that it may use; none unless given"), "DIR" },
    { "network", 0, 0, G_OPTION_ARG_NONE, &network, N_ ("Let it use the network"), NULL },
    { "no-sandbox", 0, 0, G_OPTION_ARG_NONE, &unconfined, N_ ("Run it with all of your own rights"),
      NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  g_auto (GStrv) server = split_command (words);
  g_autofree char *secret = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (server == NULL && lacks_command (words))
    return gadget_cli_usage (
        "mcp add", _ ("Before “%s” there must be --command, or --url before an address"), words[2]);
  if (!gadget_cli_parse ("mcp add ID [OPTION…] (--url URL | --command CMD [ARG…])",
                         _ ("Adds an MCP server, or changes the one of this ID. A command runs in "
                            "the sandbox, with no network and no folder but those given."),
                         entries, &words, &status))
    return status;
  if (g_strv_length (words) > 2 && server == NULL && url == NULL)
    return gadget_cli_usage (
        "mcp add", _ ("Before “%s” there must be --command, or --url before an address"), words[2]);
  if (g_strv_length (words) != 2)
    return gadget_cli_usage ("mcp add", _ ("One ID for the server is needed"));
  command.id = words[1];
  command.config = gadget_mcp_config_new (words[1]);
  command.config->command = g_steal_pointer (&server);
  command.config->url = g_steal_pointer (&url);
  replace_words (&command.config->environment, &environment);
  replace_words (&command.config->headers, &headers);
  replace_words (&command.config->secrets, &secrets);
  replace_words (&command.config->folders, &folders);
  make_folders_absolute (command.config);
  command.config->network = network;
  command.config->confined = !unconfined;
  if (!gadget_mcp_config_check (command.config, &error))
    status = gadget_cli_usage ("mcp add", "%s", error->message);
  else if ((secret = gadget_mcp_config_find_secret (command.config)) != NULL)
    status = refuse_secret (secret);
  else
    status = gadget_cli_run_command (&command.cli, start_add, &command);
  gadget_mcp_config_free (command.config);
  gadget_secrets_free_key (command.secrets);
  return status;
}

/* --- remove, enable, disable -------------------------------------------------------------------*/

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_mcp_list_remove_finish (GADGET_MCP_LIST (source), result, &error))
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  gadget_cli_say (command->cli, _ ("MCP server “%s” was removed."), command->id);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_remove (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;

  if (find (command) != NULL)
    gadget_mcp_list_remove_async (get_list (command), command->id, removed_cb, command);
}

static int
mcp_remove (char **argv)
{
  Command command = { 0 };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("mcp remove ID", _ ("Forgets an MCP server and its secrets."), NULL, &words,
                 &command, &status))
    return status;
  return gadget_cli_run_command (&command.cli, start_remove, &command);
}

/* Switches a server on or off. Quitting waits until the store has written that. */
static void
start_switch (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;
  GadgetMcpServer *server = find (command);

  if (server == NULL)
    return;
  gadget_mcp_list_set_enabled (get_list (command), server, command->enable);
  gadget_cli_say (cli,
                  command->enable ? _ ("MCP server “%s” is switched on.")
                                  : _ ("MCP server “%s” is switched off."),
                  command->id);
  gadget_cli_quit (cli, GADGET_CLI_FINISHED);
}

static int
mcp_enable (char **argv)
{
  Command command = { .enable = TRUE };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("mcp enable ID", _ ("Offers the tools of an MCP server."), NULL, &words, &command,
                 &status))
    return status;
  return gadget_cli_run_command (&command.cli, start_switch, &command);
}

static int
mcp_disable (char **argv)
{
  Command command = { .enable = FALSE };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!parse_id ("mcp disable ID", _ ("Offers the tools of an MCP server no more."), NULL, &words,
                 &command, &status))
    return status;
  return gadget_cli_run_command (&command.cli, start_switch, &command);
}

int
gadget_cli_mcp (char **argv)
{
  static const GadgetCliCommandEntry commands[] = {
    { "list", mcp_list }, { "add", mcp_add },       { "remove", mcp_remove },
    { "test", mcp_test }, { "enable", mcp_enable }, { "disable", mcp_disable },
    { NULL, NULL },
  };

  return gadget_cli_dispatch ("mcp", commands, argv + 1);
}
