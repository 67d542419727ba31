/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "session list". */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-session-private.h"
#include "cli-writer.h"

static const char *
get_status_text (GadgetTurnStatus status)
{
  switch (status)
    {
    case GADGET_TURN_PROCESSING:
      return _ ("processing");
    case GADGET_TURN_FINISHED:
      return _ ("finished");
    case GADGET_TURN_ABORTED:
      return _ ("aborted");
    case GADGET_TURN_ERROR:
    default:
      return _ ("error");
    }
}

/* Returns the status padded to the widest status in the current language. The width is counted in
 * characters, which printf () does not do. */
static char *
dup_status_column (GadgetTurnStatus status)
{
  static const GadgetTurnStatus all[] = { GADGET_TURN_PROCESSING, GADGET_TURN_FINISHED,
                                          GADGET_TURN_ABORTED, GADGET_TURN_ERROR };
  const char *text = get_status_text (status);
  long width = 0;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    width = MAX (width, g_utf8_strlen (get_status_text (all[i]), -1));
  return g_strdup_printf ("%s%*s", text, (int) (width - g_utf8_strlen (text, -1)), "");
}

static void
print_session_line (GadgetCliSession *command, GadgetSession *session)
{
  const gint64 ms = gadget_session_get_updated_at (session);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (ms / 1000);
  g_autofree char *when = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : NULL;
  g_autofree char *status = dup_status_column (gadget_session_get_last_status (session));
  const char *title = gadget_session_get_title (session);

  gadget_cli_print (command->cli, "%s  %s  %s  %s\n", gadget_session_get_id (session),
                    when != NULL ? when : "", status,
                    title != NULL && *title != '\0' ? title : _ ("New chat"));
}

/* Returns whether the command names the chat: it is archived if the command asks for the archive,
 * and in @folder unless that is NULL. */
static gboolean
is_listed (GadgetCliSession *command, GadgetSession *session, GadgetChatFolder *folder)
{
  GadgetChatFolders *folders =
      gadget_engine_get_chat_folders (gadget_cli_get_engine (command->cli));

  return gadget_session_get_archived (session) == command->archived
         && (folder == NULL || gadget_chat_folders_find_for (folders, session) == folder);
}

static void
start_list (GadgetCli *cli, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  GListModel *sessions = gadget_engine_get_sessions (gadget_cli_get_engine (cli));
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GadgetChatFolder *folder = NULL;

  if (command->folder != NULL)
    {
      folder = _gadget_cli_session_find_folder (command);
      if (folder == NULL)
        return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (!is_listed (command, session, folder))
        continue;
      if (!command->json)
        {
          print_session_line (command, session);
          continue;
        }
      json_builder_begin_object (builder);
      _gadget_cli_session_add (cli, builder, session);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  if (command->json)
    gadget_cli_print_json (cli, builder);
  gadget_cli_quit (cli, GADGET_CLI_FINISHED);
}

int
_gadget_cli_session_list (char **argv)
{
  GadgetCliSession command = { 0 };
  g_autofree char *folder = NULL;
  const GOptionEntry entries[] = {
    { "archived", 0, 0, G_OPTION_ARG_NONE, &command.archived,
      N_ ("List the archived chats instead of the others"), NULL },
    /* Translators: an argument of an option; the name of a folder of chats */
    { "folder", 0, 0, G_OPTION_ARG_STRING, &folder, N_ ("List only the chats in this folder"),
      N_ ("NAME") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("session list [--archived] [--folder NAME] [--json]",
                         _ ("Lists the chats, the last used first."), entries, &arguments, &status))
    return status;
  if (arguments[1] != NULL)
    return gadget_cli_usage ("session list", _ ("“%s” is one word too many"), arguments[1]);
  command.folder = folder;
  return _gadget_cli_session_run (&command, start_list);
}
