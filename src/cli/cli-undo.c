/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "undo": undoes or redoes the file changes of a turn, or lists them. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-app.h"
#include "cli-writer.h"
#include "agent/gadget-undo-run.h"
#include "common/gadget-json.h"

/* The state of one command. */
typedef struct
{
  GadgetCli *cli;
  gboolean list; /* list the changes instead of undoing them */
  gboolean redo;
  gboolean skip;      /* leave files alone that have changed since */
  gboolean overwrite; /* replace files that have changed since */
  gboolean json;
  const char *turn_id;
  char **paths; /* (nullable): absolute paths; NULL for all files */
} Command;

static GadgetSnapshotService *
get_snapshot_service (Command *command)
{
  return gadget_agent_get_snapshot_service (
      gadget_engine_get_agent (gadget_cli_get_engine (command->cli)));
}

/* --- Listing -----------------------------------------------------------------------------------
 */

static const char *
get_change (const GadgetUndoEntry *entry)
{
  if (entry->before.type == GADGET_FILE_NONE)
    return "added";
  return entry->after.type == GADGET_FILE_NONE ? "deleted" : "changed";
}

static const char *
get_state (const GadgetUndoEntry *entry)
{
  static const char *const words[] = { "done", "undone", "changed-since" };

  return words[entry->state];
}

static void
add_count (JsonBuilder *builder, const char *name, int n)
{
  json_builder_set_member_name (builder, name);
  if (n >= 0)
    json_builder_add_int_value (builder, n);
  else
    json_builder_add_null_value (builder);
}

static void
print_json (Command *command, GadgetUndoList *found)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_cli_json_add_string (builder, "turn", command->turn_id);
  gadget_cli_json_add_string (builder, "recording", gadget_recording_to_string (found->recording));
  gadget_cli_json_add_string (builder, "skipped", found->skipped);
  json_builder_set_member_name (builder, "changes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < found->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (found->entries, i);
      g_autofree char *path = g_build_filename (entry->root, entry->path, NULL);
      g_autofree char *shown = g_filename_display_name (path);

      if (entry->quiet)
        continue;
      json_builder_begin_object (builder);
      gadget_cli_json_add_string (builder, "path", shown);
      gadget_cli_json_add_string (builder, "change", get_change (entry));
      gadget_cli_json_add_string (builder, "state", get_state (entry));
      gadget_json_add_boolean (builder, "can_undo", entry->can_undo);
      add_count (builder, "lines_added", entry->n_added);
      add_count (builder, "lines_removed", entry->n_removed);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  gadget_cli_print_json (command->cli, builder);
}

static void
print_text (Command *command, GadgetUndoList *found)
{
  for (guint i = 0; i < found->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (found->entries, i);
      g_autofree char *path = g_build_filename (entry->root, entry->path, NULL);
      g_autofree char *shown = g_filename_display_name (path);

      if (!entry->quiet)
        gadget_cli_print (command->cli, "%s  %s  %s\n", get_change (entry), get_state (entry),
                          shown);
    }
  if (found->recording == GADGET_RECORDING_PENDING)
    gadget_cli_say (command->cli, "%s", _ ("The changes of this turn are still being recorded."));
  else if (found->recording > GADGET_RECORDING_DONE)
    gadget_cli_say (command->cli, "%s", _ ("Perhaps not all that this turn changed is on record."));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoList) found = gadget_undo_list_finish (result, &error);

  if (gadget_cli_is_quitting (command->cli))
    return;
  if (found == NULL)
    gadget_cli_say (command->cli, "gadget-cli: %s", error->message);
  else if (command->json)
    print_json (command, found);
  else
    print_text (command, found);
  gadget_cli_quit (command->cli, found != NULL ? GADGET_CLI_FINISHED : GADGET_CLI_ERROR);
}

/* --- Undoing -----------------------------------------------------------------------------------
 */

static void
print_failure (Command *command, const GError *error)
{
  if (g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED))
    gadget_cli_say (command->cli, "%s\n%s\n%s", _ ("These files have changed since:"),
                    error->message,
                    _ ("Nothing was done. Leave them alone with --skip, or replace them with "
                       "--overwrite."));
  else if (g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_PENDING))
    gadget_cli_say (command->cli, "gadget-cli: %s",
                    _ ("The changes of this turn are still being recorded."));
  else if (g_error_matches (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_LOST))
    gadget_cli_say (command->cli, "gadget-cli: %s",
                    _ ("What this turn changed could not be recorded. Nothing was undone."));
  else
    gadget_cli_say (command->cli, "gadget-cli: %s", error->message);
}

static void
print_counts (Command *command, const GadgetUndoReport *report)
{
  const guint n_files = report->n_done - report->n_folders_done;
  const guint n_folders = report->n_folders_done;
  const guint n_folders_left = report->n_left - report->n_files_left;

  if (n_files > 0 || n_folders == 0)
    gadget_cli_say (command->cli,
                    ngettext ("%u file was changed.", "%u files were changed.", n_files), n_files);
  if (n_folders > 0)
    gadget_cli_say (command->cli,
                    ngettext ("%u folder was changed.", "%u folders were changed.", n_folders),
                    n_folders);
  if (report->n_files_left > 0)
    gadget_cli_say (command->cli,
                    ngettext ("It was stopped before %u file; the same command goes on with it.",
                              "It was stopped before %u files; the same command goes on with them.",
                              report->n_files_left),
                    report->n_files_left);
  if (n_folders_left > 0)
    gadget_cli_say (
        command->cli,
        ngettext ("It was stopped before %u folder; the same command goes on with it.",
                  "It was stopped before %u folders; the same command goes on with them.",
                  n_folders_left),
        n_folders_left);
}

static void
print_report (Command *command, const GadgetUndoReport *report)
{
  for (guint i = 0; i < report->problems->len; i++)
    gadget_cli_say (command->cli, "%s", (const char *) g_ptr_array_index (report->problems, i));
  if (report->is_partial)
    gadget_cli_say (
        command->cli, "%s",
        _ ("Not all that the turn changed could be recorded. The rest stays as it is."));
  print_counts (command, report);
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = gadget_undo_run_finish (result, &error);

  if (report != NULL)
    print_report (command, report);
  /* If a signal stopped the command, the program is ending already. */
  if (gadget_cli_is_quitting (command->cli))
    return;
  if (report == NULL)
    print_failure (command, error);
  gadget_cli_quit (command->cli, report != NULL && report->problems->len == 0 && !report->is_partial
                                         && report->n_left == 0
                                     ? GADGET_CLI_FINISHED
                                     : GADGET_CLI_ERROR);
}

static void
start (GadgetCli *cli, gpointer user_data)
{
  Command *command = user_data;
  GadgetAgent *agent = gadget_engine_get_agent (gadget_cli_get_engine (cli));
  const GadgetUndoPolicy policy = command->overwrite ? GADGET_UNDO_OVERWRITE
                                  : command->skip    ? GADGET_UNDO_SKIP
                                                     : GADGET_UNDO_REFUSE;

  if (command->list)
    gadget_undo_list_async (get_snapshot_service (command), command->turn_id, listed_cb, command);
  else
    g_object_unref (gadget_undo_run_start (
        gadget_agent_get_registry (agent), get_snapshot_service (command), NULL, command->turn_id,
        command->redo, (const char *const *) command->paths, policy, applied_cb, command));
}

static char **
make_absolute (char **words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (words[0] == NULL)
    return NULL;
  for (guint i = 0; words[i] != NULL; i++)
    g_strv_builder_take (builder, g_canonicalize_filename (words[i], NULL));
  return g_strv_builder_end (builder);
}

int
gadget_cli_undo (char **argv)
{
  Command command = { 0 };
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_NONE, &command.list, N_ ("List the changes, and do nothing"),
      NULL },
    { "redo", 0, 0, G_OPTION_ARG_NONE, &command.redo, N_ ("Make the changes again"), NULL },
    { "skip", 0, 0, G_OPTION_ARG_NONE, &command.skip,
      N_ ("Leave files alone that have changed since"), NULL },
    { "overwrite", 0, 0, G_OPTION_ARG_NONE, &command.overwrite,
      N_ ("Replace files that have changed since"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) words = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse ("undo TURN [--list | --redo] [--skip | --overwrite] [FILE…]",
                         _ ("Takes back what a turn did to files."), entries, &words, &status))
    return status;
  if (words[1] == NULL)
    return gadget_cli_usage ("undo", _ ("The ID of a turn is needed"));
  command.turn_id = words[1];
  command.paths = make_absolute (words + 2);
  command.cli = gadget_cli_new ();
  status = gadget_cli_run (command.cli, TRUE, start, NULL, &command);
  g_clear_object (&command.cli);
  g_strfreev (command.paths);
  return status;
}
