/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "permission": lists, revokes and makes permission rules. Each command reads the rules
 * from the store first. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-app.h"
#include "agent/instructions/gadget-folder-instructions.h"
#include "common/gadget-visible.h"
#include "tools/policy/gadget-rule-labels.h"

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  gboolean all;     /* revoke all rules */
  const char *id;   /* (nullable): the rule to revoke */
  GadgetRule *rule; /* (nullable): the rule to add */
} Command;

static GadgetPermissionRules *
get_rules (Command *command)
{
  return gadget_policy_get_rules (
      gadget_agent_get_policy (gadget_engine_get_agent (gadget_cli_get_engine (command->cli))));
}

/* Finishes reading the rules. Returns FALSE after ending the command with an error message. */
static gboolean
finish_reading (Command *command, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;

  if (gadget_permission_rules_refresh_finish (get_rules (command), result, &error))
    return TRUE;
  gadget_cli_fail (command->cli, error->message, NULL);
  return FALSE;
}

/* --- list --------------------------------------------------------------------------------------*/

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GListModel *rules = G_LIST_MODEL (source);

  if (gadget_cli_is_quitting (command->cli) || !finish_reading (command, result))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (rules); i++)
    {
      g_autoptr (GadgetRule) rule = g_list_model_get_item (rules, i);
      g_autofree char *what = gadget_rule_labels_dup_what (rule);
      g_autofree char *where = gadget_rule_labels_dup_where (rule);

      gadget_cli_print (command->cli, "%s\t%s\t%s\n", gadget_rule_get_data (rule)->id, what, where);
    }
  if (g_list_model_get_n_items (rules) == 0)
    gadget_cli_say (command->cli, _ ("Nothing is allowed or denied for longer than once."));
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_list (GadgetCli *cli, gpointer user_data)
{
  gadget_permission_rules_refresh_async (get_rules (user_data), listed_cb, user_data);
}

static int
permission_list (char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  Command command = { 0 };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("permission list", _ ("What is allowed or denied without asking."),
                         entries, &words, &status))
    return status;
  return gadget_cli_run_command (&command.cli, start_list, &command);
}

/* --- revoke ------------------------------------------------------------------------------------*/

static void
revoked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  GadgetPermissionRules *rules = GADGET_PERMISSION_RULES (source);
  guint n = 0;

  if (gadget_cli_is_quitting (command->cli) || !finish_reading (command, result))
    return;
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (rules)); i > 0; i--)
    {
      g_autoptr (GadgetRule) rule = g_list_model_get_item (G_LIST_MODEL (rules), i - 1);

      if (!command->all && !g_str_equal (gadget_rule_get_data (rule)->id, command->id))
        continue;
      gadget_permission_rules_revoke (rules, rule);
      n++;
    }
  /* The changes that the store was asked for are written before it is closed. */
  if (n == 0 && !command->all)
    {
      gadget_cli_say (command->cli, _ ("There is no permission “%s”."), command->id);
      gadget_cli_say (command->cli, _ ("“gadget-cli permission list” names those there are."));
    }
  gadget_cli_quit (command->cli, n == 0 && !command->all ? GADGET_CLI_ERROR : GADGET_CLI_FINISHED);
}

static void
start_revoke (GadgetCli *cli, gpointer user_data)
{
  gadget_permission_rules_refresh_async (get_rules (user_data), revoked_cb, user_data);
}

static int
permission_revoke (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = { { "all", 0, 0, G_OPTION_ARG_NONE, &command.all,
                                     N_ ("All there are"), NULL },
                                   G_OPTION_ENTRY_NULL };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("permission revoke (ID | --all)", _ ("Asks again from now on."), entries,
                         &words, &status))
    return status;
  if (g_strv_length (words) != (command.all ? 1 : 2))
    return gadget_cli_usage ("permission revoke", _ ("One ID of a permission is needed, or --all"));
  command.id = words[1];
  return gadget_cli_run_command (&command.cli, start_revoke, &command);
}

/* --- allow -------------------------------------------------------------------------------------*/

/* The rule holds for the text that the file has now. */
static gboolean
parse_instructions (const char *path, GadgetRuleData *data, char **subject, char **fingerprint)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autoptr (GadgetFolderInstructions) found = gadget_folder_instructions_read (absolute);

  if (found == NULL)
    return FALSE;
  g_set_str (subject, found->path);
  *fingerprint = g_strdup (found->digest);
  data->subject = *subject;
  data->fingerprint = *fingerprint;
  data->exact = TRUE;
  data->unconfined = TRUE;
  return TRUE;
}

/* Parses "KIND:SUBJECT". A folder stands for everything in it, a server of tools for all its tools,
 * and words for each command that begins with them. Returns FALSE if @text is not a rule. */
static gboolean
parse_rule (const char *text, GadgetRuleData *data, char **subject, char **fingerprint)
{
  const char *colon = strchr (text, ':');
  g_autofree char *kind = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : NULL;
  const char *rest = colon != NULL ? colon + 1 : "";

  if (kind == NULL || *rest == '\0' || !gadget_rule_kind_from_string (kind, &data->kind)
      || !gadget_visible_is_plain (rest) || strpbrk (rest, "\n\t") != NULL)
    return FALSE;
  *subject = g_strdup (rest);
  if (data->kind == GADGET_RULE_INSTRUCTIONS)
    return parse_instructions (rest, data, subject, fingerprint);
  /* A command is allowed only as far as the sandbox confines it. */
  data->unconfined = data->kind != GADGET_RULE_COMMAND;
  if (data->kind == GADGET_RULE_READ || data->kind == GADGET_RULE_WRITE)
    {
      if (!g_path_is_absolute (rest))
        return FALSE;
      g_free (*subject);
      *subject = g_canonicalize_filename (rest, "/");
      data->exact = !g_file_test (*subject, G_FILE_TEST_IS_DIR);
    }
  else if (data->kind == GADGET_RULE_MCP)
    data->exact = strchr (rest, '/') != NULL;
  else
    data->exact = data->kind == GADGET_RULE_HOST || data->kind == GADGET_RULE_TOOL;
  data->subject = *subject;
  return TRUE;
}

static void
allow_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;

  if (gadget_cli_is_quitting (command->cli) || !finish_reading (command, result))
    return;
  /* The changes that the store was asked for are written before it is closed. */
  gadget_permission_rules_add (GADGET_PERMISSION_RULES (source), command->rule);
  gadget_cli_print (command->cli, "%s\n", gadget_rule_get_data (command->rule)->id);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_allow (GadgetCli *cli, gpointer user_data)
{
  gadget_permission_rules_refresh_async (get_rules (user_data), allow_read_cb, user_data);
}

static int
permission_allow (char **argv)
{
  Command command = { 0 };
  g_autofree char *folder = NULL;
  g_autofree char *workspace = NULL;
  g_autofree char *subject = NULL;
  g_autofree char *fingerprint = NULL;
  const GOptionEntry entries[] = { { "workspace", 'w', 0, G_OPTION_ARG_FILENAME, &folder,
                                     N_ ("Only in chats of this folder"), N_ ("DIR") },
                                   G_OPTION_ENTRY_NULL };
  g_auto (GStrv) words = g_strdupv (argv);
  GadgetRuleData data = { .scope = GADGET_RULE_ALWAYS, .origin = "gadget-cli permission allow" };
  int status;

  if (!gadget_cli_parse ("permission allow RULE",
                         _ ("Allows without asking. RULE is mcp:SERVER, mcp:SERVER/TOOL, "
                            "command:WORDS, network:WORDS, read:PATH, write:PATH, host:HOST, "
                            "instructions:PATH or tool:NAME."),
                         entries, &words, &status))
    return status;
  if (g_strv_length (words) != 2 || !parse_rule (words[1], &data, &subject, &fingerprint))
    return gadget_cli_usage ("permission allow", _ ("One rule is needed, such as mcp:SERVER/TOOL"));
  if (folder != NULL)
    {
      workspace = g_canonicalize_filename (folder, NULL);
      data.scope = GADGET_RULE_WORKSPACE;
      data.workspace = workspace;
    }
  command.rule = gadget_rule_new (&data);
  status = gadget_cli_run_command (&command.cli, start_allow, &command);
  g_object_unref (command.rule);
  return status;
}

int
gadget_cli_permission (char **argv)
{
  static const GadgetCliCommandEntry commands[] = { { "list", permission_list },
                                                    { "allow", permission_allow },
                                                    { "revoke", permission_revoke },
                                                    { NULL, NULL } };

  return gadget_cli_dispatch ("permission", commands, argv + 1);
}
