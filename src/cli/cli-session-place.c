/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The commands "session pin", "unpin", "archive", "unarchive" and "move": the place of a chat in
 * the list. Other processes see the change, also while they work on the chat. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-session-private.h"
#include "store/gadget-store-sessions.h"

/* The commands of this file. */
enum
{
  PIN,
  UNPIN,
  ARCHIVE,
  UNARCHIVE,
  MOVE,
};

/* --- Folders ---------------------------------------------------------------------------------- */

static GadgetChatFolders *
get_folders (GadgetCliSession *command)
{
  return gadget_engine_get_chat_folders (gadget_cli_get_engine (command->cli));
}

char *
_gadget_cli_session_dup_path (GadgetChatFolders *folders, GadgetChatFolder *folder)
{
  GadgetChatFolder *parent =
      gadget_chat_folders_find (folders, gadget_chat_folder_get_parent_id (folder));

  return parent != NULL ? g_strdup_printf ("%s/%s", gadget_chat_folder_get_name (parent),
                                           gadget_chat_folder_get_name (folder))
                        : g_strdup (gadget_chat_folder_get_name (folder));
}

/* Returns a folder with the name or the path (transfer none) (nullable), and how many there are. */
static GadgetChatFolder *
find_by_name (GadgetChatFolders *folders, const char *name, guint *n_found)
{
  GadgetChatFolder *found = NULL;

  *n_found = 0;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (folders)); i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (G_LIST_MODEL (folders), i);
      g_autofree char *path = _gadget_cli_session_dup_path (folders, folder);

      if (!g_str_equal (gadget_chat_folder_get_name (folder), name) && !g_str_equal (path, name))
        continue;
      found = folder;
      ++*n_found;
    }
  return found;
}

GadgetChatFolder *
_gadget_cli_session_find_folder (GadgetCliSession *command)
{
  GadgetChatFolder *found = gadget_chat_folders_find (get_folders (command), command->folder);
  g_autofree char *what = NULL;
  guint n_found;

  if (found != NULL)
    return found;
  found = find_by_name (get_folders (command), command->folder, &n_found);
  if (n_found == 1 || (n_found == 0 && command->create))
    return found;
  if (n_found == 0)
    {
      what = g_strdup_printf (_ ("There is no folder of chats “%s”."), command->folder);
      gadget_cli_fail (command->cli, what, _ ("“gadget-cli session move --create” makes one."));
    }
  else
    {
      what = g_strdup_printf (_ ("More than one folder of chats is called “%s”."), command->folder);
      gadget_cli_fail (command->cli, what,
                       _ ("Write it as FOLDER/SUBFOLDER, or as its ID, which “gadget-cli session"
                          " list --json” has."));
    }
  return NULL;
}

static GadgetChatFolder *
find_top_folder (GadgetChatFolders *folders, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (folders)); i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (G_LIST_MODEL (folders), i);

      if (gadget_chat_folder_get_parent_id (folder) == NULL
          && g_str_equal (gadget_chat_folder_get_name (folder), name))
        return folder; /* the model holds it */
    }
  return NULL;
}

/* Makes the folder that the command names, and the one that it is in if that does not exist.
 * Returns NULL, and makes none, if a name is empty. */
static GadgetChatFolder *
create_folder (GadgetCliSession *command)
{
  GadgetChatFolders *folders = get_folders (command);
  g_auto (GStrv) names = g_strsplit (command->folder, "/", 2);
  GadgetChatFolder *parent;

  if (names[0] == NULL || names[1] == NULL)
    return gadget_chat_folders_create (folders, command->folder, NULL);
  if (*g_strstrip (names[0]) == '\0' || *g_strstrip (names[1]) == '\0')
    return NULL;
  parent = find_top_folder (folders, names[0]);
  if (parent == NULL)
    parent = gadget_chat_folders_create (folders, names[0], NULL);
  return parent != NULL ? gadget_chat_folders_create (folders, names[1], parent) : NULL;
}

static void
folder_failed_cb (GadgetChatFolders *folders, const GError *error, GadgetCliSession *command)
{
  if (!gadget_cli_is_quitting (command->cli))
    gadget_cli_fail (command->cli, error->message, NULL);
}

/* --- Changing --------------------------------------------------------------------------------- */

/* Returns FALSE after gadget_cli_fail (). */
static gboolean
move (GadgetCliSession *command)
{
  GadgetChatFolder *folder = NULL;

  if (command->folder != NULL)
    {
      folder = _gadget_cli_session_find_folder (command);
      if (folder == NULL && gadget_cli_is_quitting (command->cli))
        return FALSE;
      if (folder == NULL)
        {
          g_signal_connect (get_folders (command), "failed", G_CALLBACK (folder_failed_cb),
                            command);
          folder = create_folder (command);
        }
      if (folder == NULL)
        {
          gadget_cli_fail (command->cli,
                           _ ("A folder of chats needs a name, and one that is in"
                              " another folder cannot have subfolders."),
                           NULL);
          return FALSE;
        }
    }
  gadget_session_set_chat_folder (command->session,
                                  folder != NULL ? gadget_chat_folder_get_id (folder) : NULL);
  return TRUE;
}

/* Changes the session. Returns FALSE after gadget_cli_fail (). */
static gboolean
change_session (GadgetCliSession *command)
{
  if (command->change == MOVE)
    return move (command);
  if (command->change == PIN || command->change == UNPIN)
    gadget_session_set_pinned (command->session, command->change == PIN);
  else
    gadget_session_set_archived (command->session, command->change == ARCHIVE);
  return TRUE;
}

static void
say_done (GadgetCliSession *command)
{
  switch (command->change)
    {
    case PIN:
      gadget_cli_say (command->cli, _ ("Session “%s” was pinned."), command->id);
      break;
    case UNPIN:
      gadget_cli_say (command->cli, _ ("Session “%s” was unpinned."), command->id);
      break;
    case ARCHIVE:
      gadget_cli_say (command->cli, _ ("Session “%s” was archived."), command->id);
      break;
    case UNARCHIVE:
      gadget_cli_say (command->cli, _ ("Session “%s” is in the list again."), command->id);
      break;
    case MOVE:
    default:
      if (command->folder != NULL)
        gadget_cli_say (command->cli, _ ("Session “%s” was moved."), command->id);
      else
        gadget_cli_say (command->cli, _ ("Session “%s” is in no folder."), command->id);
    }
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  g_autoptr (GError) error = NULL;

  gadget_store_save_session_finish (GADGET_STORE (source), result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      _gadget_cli_session_fail_unknown (command);
      return;
    }
  if (error != NULL)
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  say_done (command);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_change (GadgetCli *cli, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  GadgetEngine *engine = gadget_cli_get_engine (cli);

  g_set_object (&command->session, gadget_engine_find_session (engine, command->id));
  if (command->session == NULL)
    _gadget_cli_session_fail_unknown (command);
  else if (change_session (command))
    gadget_store_update_session_async (gadget_engine_get_store (engine), command->session, saved_cb,
                                       command);
}

static int
run (const char *synopsis, const char *description, char **argv, int change)
{
  GadgetCliSession command = { .change = change };
  g_auto (GStrv) arguments = g_strdupv (argv);
  int status;

  if (!_gadget_cli_session_parse_id (synopsis, description, NULL, &arguments, &command, &status))
    return status;
  return _gadget_cli_session_run (&command, start_change);
}

/* --- The commands ----------------------------------------------------------------------------- */

int
_gadget_cli_session_pin (char **argv)
{
  return run ("session pin ID", _ ("Keeps a chat at the top of the list."), argv, PIN);
}

int
_gadget_cli_session_unpin (char **argv)
{
  return run ("session unpin ID", _ ("Keeps a chat at the top of the list no longer."), argv,
              UNPIN);
}

int
_gadget_cli_session_archive (char **argv)
{
  return run ("session archive ID", _ ("Puts a chat into the archive, and deletes nothing."), argv,
              ARCHIVE);
}

int
_gadget_cli_session_unarchive (char **argv)
{
  return run ("session unarchive ID", _ ("Brings a chat back from the archive."), argv, UNARCHIVE);
}

int
_gadget_cli_session_move (char **argv)
{
  GadgetCliSession command = { .change = MOVE };
  gboolean none = FALSE;
  const GOptionEntry entries[] = { { "none", 0, 0, G_OPTION_ARG_NONE, &none,
                                     N_ ("Take the chat out of its folder"), NULL },
                                   { "create", 0, 0, G_OPTION_ARG_NONE, &command.create,
                                     N_ ("Make the folder if it does not exist"), NULL },
                                   G_OPTION_ENTRY_NULL };
  g_auto (GStrv) arguments = g_strdupv (argv);
  guint n_arguments;
  int status;

  if (!gadget_cli_parse ("session move ID (FOLDER [--create] | --none)",
                         _ ("Puts a chat into a folder of chats, which is named by its name, as"
                            " FOLDER/SUBFOLDER, or by its ID; or takes it out of its folder."),
                         entries, &arguments, &status))
    return status;
  n_arguments = g_strv_length (arguments);
  if (n_arguments != (none ? 2 : 3) || (none && command.create))
    return gadget_cli_usage ("session move", "%s",
                             _ ("One ID of a session and either a folder or --none are needed"));
  command.id = arguments[1];
  command.folder = arguments[2];
  return _gadget_cli_session_run (&command, start_change);
}
