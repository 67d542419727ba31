/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "session": shows and deletes chats. Its other commands are in the files that are
 * named after them. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "agent/gadget-failure.h"
#include "agent/gadget-stop-text.h"
#include "common/gadget-json.h"
#include "cli-session-private.h"
#include "cli-writer.h"
#include "store/gadget-store-effects.h"

int
_gadget_cli_session_run (GadgetCliSession *command, GadgetCliStart start)
{
  int status;

  status = gadget_cli_run_command (&command->cli, start, command);
  g_clear_pointer (&command->effects, g_ptr_array_unref);
  g_clear_object (&command->session);
  return status;
}

void
_gadget_cli_session_fail_unknown (GadgetCliSession *command)
{
  g_autofree char *what = g_strdup_printf (_ ("There is no session “%s”."), command->id);

  gadget_cli_fail (command->cli, what, _ ("“gadget-cli session list” names those there are."));
}

static void
add_time (JsonBuilder *builder, const char *name, gint64 ms)
{
  json_builder_set_member_name (builder, name);
  if (ms > 0)
    json_builder_add_int_value (builder, ms);
  else
    json_builder_add_null_value (builder);
}

void
_gadget_cli_session_add (GadgetCli *cli, JsonBuilder *builder, GadgetSession *session)
{
  GadgetChatFolders *folders = gadget_engine_get_chat_folders (gadget_cli_get_engine (cli));
  GadgetChatFolder *folder = gadget_chat_folders_find_for (folders, session);
  g_autofree char *path = folder != NULL ? _gadget_cli_session_dup_path (folders, folder) : NULL;

  gadget_cli_json_add_string (builder, "session", gadget_session_get_id (session));
  gadget_cli_json_add_string (builder, "title", gadget_session_get_title (session));
  gadget_cli_json_add_string (builder, "workspace", gadget_session_get_workspace (session));
  gadget_cli_json_add_string (builder, "provider", gadget_session_get_provider (session));
  gadget_cli_json_add_string (builder, "model", gadget_session_get_model (session));
  add_time (builder, "created_at", gadget_session_get_created_at (session));
  add_time (builder, "updated_at", gadget_session_get_updated_at (session));
  gadget_cli_json_add_string (
      builder, "status", gadget_turn_status_to_string (gadget_session_get_last_status (session)));
  gadget_json_add_boolean (builder, "pinned", gadget_session_get_pinned (session));
  gadget_json_add_boolean (builder, "archived", gadget_session_get_archived (session));
  gadget_json_add_boolean (builder, "unread", gadget_session_get_unread (session));
  gadget_cli_json_add_string (builder, "folder", path);
  gadget_cli_json_add_string (builder, "folder_id",
                              folder != NULL ? gadget_chat_folder_get_id (folder) : NULL);
  gadget_cli_json_add_string (builder, "origin", gadget_session_get_origin_id (session));
  gadget_cli_json_add_string (builder, "origin_turn", gadget_session_get_origin_turn_id (session));
}

/* --- show --------------------------------------------------------------------------------------*/

static void
add_picture (JsonBuilder *builder, const GadgetPicture *picture)
{
  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "name", gadget_picture_get_name (picture));
  gadget_cli_json_add_string (builder, "type", gadget_picture_get_mime_type (picture));
  gadget_json_add_int (builder, "width", gadget_picture_get_width (picture));
  gadget_json_add_int (builder, "height", gadget_picture_get_height (picture));
  gadget_json_add_int (builder, "bytes", (gint64) gadget_picture_get_size (picture));
  json_builder_end_object (builder);
}

/* Adds the descriptions of pictures, without their bytes. */
static void
add_pictures (JsonBuilder *builder, GPtrArray *pictures)
{
  json_builder_set_member_name (builder, "pictures");
  json_builder_begin_array (builder);
  for (guint i = 0; pictures != NULL && i < pictures->len; i++)
    add_picture (builder, g_ptr_array_index (pictures, i));
  json_builder_end_array (builder);
}

/* Adds the descriptions of what was attached to a message, which is a turn or a steering message,
 * without its contents. A PDF is the text that was read from it. "bytes" is the size of the
 * file. */
static void
add_attachments (JsonBuilder *builder, gpointer message)
{
  GPtrArray *attachments = gadget_attachments_get (message);

  json_builder_set_member_name (builder, "attachments");
  json_builder_begin_array (builder);
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      const GadgetAttachment *attachment = g_ptr_array_index (attachments, i);

      if (gadget_attachment_get_picture (attachment) != NULL)
        {
          add_picture (builder, gadget_attachment_get_picture (attachment));
          continue;
        }
      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "name", gadget_attachment_get_name (attachment));
      gadget_cli_json_add_string (builder, "type", "text/plain");
      gadget_json_add_int (builder, "bytes", (gint64) gadget_attachment_get_size (attachment));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_item (JsonBuilder *builder, GadgetItem *item)
{
  const gboolean is_call = gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL;

  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "kind",
                              gadget_item_kind_to_string (gadget_item_get_kind (item)));
  gadget_cli_json_add_string (builder, "status",
                              gadget_item_status_to_string (gadget_item_get_status (item)));
  if (is_call)
    {
      g_autofree char *summary = gadget_item_dup_plain_summary (item);

      gadget_cli_json_add_string (builder, "id", gadget_item_get_call_id (item));
      gadget_cli_json_add_string (builder, "name", gadget_item_get_name (item));
      gadget_cli_json_add_arguments (builder, gadget_item_get_arguments (item));
      gadget_cli_json_add_string (builder, "summary", summary);
      gadget_cli_json_add_string (builder, "content", gadget_item_get_result (item));
      add_pictures (builder, gadget_item_get_pictures (item));
    }
  gadget_cli_json_add_string (builder, is_call ? "output" : "text", gadget_item_get_text (item));
  if (gadget_item_get_kind (item) == GADGET_ITEM_STEER)
    add_attachments (builder, item);
  json_builder_end_object (builder);
}

/* Adds what the turn, including its subagents, did outside of the chat. */
static void
add_effects (JsonBuilder *builder, GPtrArray *effects, const char *turn_id)
{
  json_builder_set_member_name (builder, "effects");
  json_builder_begin_array (builder);
  for (guint i = 0; i < effects->len; i++)
    {
      const GadgetEffectRow *row = g_ptr_array_index (effects, i);

      /* The second is the turn of a subagent, in its own session. */
      if (!g_str_equal (row->turn_id, turn_id) && !g_str_equal (row->call_turn_id, turn_id))
        continue;
      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "kind", gadget_effect_kind_to_string (row->kind));
      gadget_cli_json_add_string (builder, "subject", row->subject);
      gadget_cli_json_add_string (builder, "detail", row->detail);
      gadget_cli_json_add_string (builder, "outcome", row->outcome);
      add_time (builder, "started_at", row->started_at);
      add_time (builder, "ended_at", row->ended_at);
      gadget_cli_json_add_string (builder, "call", row->call_id);
      gadget_cli_json_add_string (builder, "call_turn", row->call_turn_id);
      gadget_cli_json_add_string (builder, "recording",
                                  gadget_recording_to_string (row->recording));
      gadget_cli_json_add_string (builder, "skipped", row->skipped);
      json_builder_set_member_name (builder, "network");
      if (row->network >= 0)
        json_builder_add_boolean_value (builder, row->network);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_turn (JsonBuilder *builder, GadgetTurn *turn, GPtrArray *effects)
{
  const GadgetStopReason reason = gadget_turn_get_stop_reason (turn);

  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "turn", gadget_turn_get_id (turn));
  gadget_cli_json_add_string (builder, "prompt", gadget_turn_get_prompt (turn));
  add_attachments (builder, turn);
  gadget_cli_json_add_string (builder, "status",
                              gadget_turn_status_to_string (gadget_turn_get_status (turn)));
  gadget_cli_json_add_string (builder, "stop_reason",
                              reason != GADGET_STOP_NONE ? gadget_stop_reason_to_string (reason)
                                                         : NULL);
  gadget_cli_json_add_string (builder, "error", gadget_turn_get_error_code (turn));
  gadget_cli_json_add_string (builder, "error_detail", gadget_turn_get_error_detail (turn));
  gadget_cli_json_add_string (builder, "provider", gadget_turn_get_provider (turn));
  gadget_cli_json_add_string (builder, "model", gadget_turn_get_model (turn));
  add_time (builder, "started_at", gadget_turn_get_started_at (turn));
  add_time (builder, "ended_at", gadget_turn_get_ended_at (turn));
  gadget_cli_json_add_usage (builder, gadget_turn_get_usage (turn));
  json_builder_set_member_name (builder, "receipt");
  json_builder_add_value (builder, gadget_receipt_to_json (gadget_turn_get_receipt (turn)));
  add_effects (builder, effects, gadget_turn_get_id (turn));
  json_builder_set_member_name (builder, "items");
  json_builder_begin_array (builder);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    add_item (builder, gadget_turn_get_item (turn, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
show_json (GadgetCliSession *command)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  _gadget_cli_session_add (command->cli, builder, command->session);
  json_builder_set_member_name (builder, "turns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < gadget_session_get_n_turns (command->session); i++)
    add_turn (builder, gadget_session_get_turn (command->session, i), command->effects);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  gadget_cli_print_json (command->cli, builder);
}

/* Prints a message of the user, which is a turn or a steering message, and what is attached. */
static void
print_message (GadgetCliSession *command, const char *text, gpointer message)
{
  GPtrArray *attachments = gadget_attachments_get (message);

  gadget_cli_print (command->cli, "> %s\n", text);
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      const char *name = gadget_attachment_get_name (g_ptr_array_index (attachments, i));
      /* Translators: the name of a file */
      g_autofree char *line = name != NULL ? g_strdup_printf (_ ("Attached: %s"), name)
                                           : g_strdup (_ ("Attached: a picture"));

      gadget_cli_print (command->cli, "> [%s]\n", line);
    }
  gadget_cli_print (command->cli, "\n");
}

static void
print_item (GadgetCliSession *command, GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);
  g_autofree char *result = NULL;

  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TOOL_CALL:
      result = gadget_cli_dup_result_text (item);
      gadget_cli_print (command->cli, "%s\n\n", result);
      break;
    case GADGET_ITEM_STEER:
      print_message (command, text, item);
      break;
    case GADGET_ITEM_SUMMARY:
      gadget_cli_print (command->cli, "[%s]\n\n", _ ("Earlier messages were summarized"));
      break;
    case GADGET_ITEM_NOTE:
      gadget_cli_print (command->cli, "[%s]\n\n", text);
      break;
    case GADGET_ITEM_TEXT:
      gadget_cli_print (command->cli, "%s\n\n", text);
      break;
    case GADGET_ITEM_REASONING:
    default:
      break;
    }
}

/* Returns the line below a turn that did not simply finish (transfer full); NULL for one that
 * did. */
static char *
dup_outcome_text (GadgetTurn *turn)
{
  g_autoptr (GadgetFailure) failure = NULL;

  switch (gadget_turn_get_status (turn))
    {
    case GADGET_TURN_ABORTED:
      return gadget_turn_dup_stop_text (turn);
    case GADGET_TURN_ERROR:
      failure =
          gadget_failure_new (gadget_turn_get_error_code (turn), gadget_turn_get_provider (turn));
      return g_strdup (failure->title);
    case GADGET_TURN_PROCESSING:
      return g_strdup (_ ("The turn is going on."));
    case GADGET_TURN_FINISHED:
    default:
      return NULL;
    }
}

static void
show_text (GadgetCliSession *command)
{
  for (guint i = 0; i < gadget_session_get_n_turns (command->session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (command->session, i);
      g_autofree char *outcome = dup_outcome_text (turn);

      print_message (command, gadget_turn_get_prompt (turn), turn);
      for (guint j = 0; j < gadget_turn_get_n_items (turn); j++)
        print_item (command, gadget_turn_get_item (turn, j));
      if (outcome != NULL)
        gadget_cli_print (command->cli, "— %s\n\n", outcome);
    }
}

static void
effects_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  g_autoptr (GError) error = NULL;

  command->effects = gadget_store_list_effects_finish (GADGET_STORE (source), result, &error);
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (command->effects == NULL)
    {
      gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  show_json (command);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_engine_load_finish (GADGET_ENGINE (source), result, &error))
    {
      if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
        _gadget_cli_session_fail_unknown (command);
      else
        gadget_cli_fail (command->cli, error->message, NULL);
      return;
    }
  if (command->json)
    {
      gadget_store_list_effects_async (gadget_engine_get_store (GADGET_ENGINE (source)),
                                       command->id, NULL, effects_listed_cb, command);
      return;
    }
  show_text (command);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_show (GadgetCli *cli, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  GadgetEngine *engine = gadget_cli_get_engine (cli);

  /* The chat of a subagent is not in the list of chats, and is loaded by its id. */
  g_set_object (&command->session, gadget_engine_find_session (engine, command->id));
  if (command->session == NULL)
    command->session = gadget_session_new (command->id);
  gadget_engine_load_async (engine, command->session, loaded_cb, command);
}

gboolean
_gadget_cli_session_parse_id (const char *synopsis, const char *description,
                              const GOptionEntry *entries, char ***argv, GadgetCliSession *command,
                              int *status)
{
  return gadget_cli_parse_id (synopsis, description, entries, _ ("One ID of a session is needed"),
                              argv, &command->id, status);
}

static int
session_show (char **argv)
{
  GadgetCliSession command = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL }, G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  int status;

  if (!_gadget_cli_session_parse_id ("session show ID [--json]",
                                     _ ("Prints what was said in a chat."), entries, &arguments,
                                     &command, &status))
    return status;
  return _gadget_cli_session_run (&command, start_show);
}

/* --- delete ------------------------------------------------------------------------------------*/

static void
report_refusal (GadgetCliSession *command, const GError *error)
{
  const char *text = error->message;
  const char *hint = NULL;

  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    {
      text = _ ("The chat is being worked on, or deleted, by another program.");
      hint = _ ("“gadget-cli run list” names what is going on, “gadget-cli run abort” stops it.");
    }
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE))
    {
      text = _ ("The chat is open in a window.");
      hint = _ ("Show another chat there first, or delete it with --force.");
    }
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT))
    {
      text = _ ("The chat has a draft, or messages that wait to be sent.");
      hint = _ ("With --force these are deleted too.");
    }
  gadget_cli_fail (command->cli, text, hint);
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (!gadget_engine_delete_finish (GADGET_ENGINE (source), result, &error))
    {
      report_refusal (command, error);
      return;
    }
  gadget_cli_say (command->cli, _ ("Session “%s” was deleted."), command->id);
  gadget_cli_quit (command->cli, GADGET_CLI_FINISHED);
}

static void
start_delete (GadgetCli *cli, gpointer user_data)
{
  GadgetCliSession *command = user_data;
  GadgetEngine *engine = gadget_cli_get_engine (cli);

  g_set_object (&command->session, gadget_engine_find_session (engine, command->id));
  if (command->session == NULL)
    _gadget_cli_session_fail_unknown (command);
  else
    gadget_engine_delete_async (engine, command->session,
                                command->force ? GADGET_DELETE_FORCE : GADGET_DELETE_UNUSED,
                                deleted_cb, command);
}

static int
session_delete (char **argv)
{
  GadgetCliSession command = { 0 };
  const GOptionEntry entries[] = {
    { "force", 0, 0, G_OPTION_ARG_NONE, &command.force,
      N_ ("Also if it is open in a window, or has something that was not sent"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  int status;

  if (!_gadget_cli_session_parse_id (
          "session delete ID [--force]",
          _ ("Deletes a chat for good. One that is open in a window, or has a draft or messages"
             " that wait to be sent, is deleted only with --force. One that is being worked on"
             " is not deleted."),
          entries, &arguments, &command, &status))
    return status;
  return _gadget_cli_session_run (&command, start_delete);
}

int
gadget_cli_session (char **argv)
{
  static const GadgetCliCommandEntry commands[] = {
    { "list", _gadget_cli_session_list },
    { "show", session_show },
    { "search", gadget_cli_session_search },
    { "export", gadget_cli_session_export },
    { "import", gadget_cli_session_import },
    { "pin", _gadget_cli_session_pin },
    { "unpin", _gadget_cli_session_unpin },
    { "archive", _gadget_cli_session_archive },
    { "unarchive", _gadget_cli_session_unarchive },
    { "move", _gadget_cli_session_move },
    { "delete", session_delete },
    { NULL, NULL },
  };

  return gadget_cli_dispatch ("session", commands, argv + 1);
}
