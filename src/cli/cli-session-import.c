/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "session import": chats of files, and the undo of that. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-app.h"
#include "cli-writer.h"
#include "common/gadget-json.h"
#include "store/gadget-store-error.h"
#include "store/import/gadget-import-undo.h"
#include "store/import/gadget-import.h"

/* The command line, and the state of the import. */
typedef struct
{
  GadgetCli *cli;
  gboolean json;
  gboolean undo;
  gint64 number;
  char **paths;
  GCancellable *cancellable;
} Import;

static void
fail (Import *import, const GError *error)
{
  const gboolean is_unknown =
      g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);

  gadget_cli_fail (import->cli, is_unknown ? _ ("There is no import to undo.") : error->message,
                   NULL);
}

static void
print_json (Import *import, const GadgetImportReport *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_json_add_int (builder, "import", report->number);
  gadget_json_add_int (builder, "added", report->n_added);
  gadget_json_add_int (builder, "branches", report->n_branches);
  gadget_json_add_int (builder, "extended", report->n_extended);
  gadget_json_add_int (builder, "unchanged", report->n_unchanged);
  gadget_json_add_int (builder, "kept", report->n_kept);
  gadget_json_add_int (builder, "empty", report->n_empty);
  gadget_json_add_int (builder, "broken", report->n_broken);
  gadget_json_add_int (builder, "too_large", report->n_too_large);
  gadget_json_add_int (builder, "foreign", report->n_foreign);
  gadget_json_add_int (builder, "missing_files", report->n_missing);
  gadget_json_add_int (builder, "branches_left_out", report->n_left_out);
  gadget_json_add_int (builder, "instructions_left_out", report->n_instructions);
  gadget_json_add_int (builder, "cut_files", report->n_cut);
  gadget_json_add_int (builder, "damaged_files", report->n_damaged);
  gadget_json_add_int (builder, "absent_files", report->n_gaps);
  json_builder_end_object (builder);
  gadget_cli_print_json (import->cli, builder);
}

/* Says a line of the report, if there is something to say. */
#define SAY(import, text, n)                                                                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if ((n) > 0)                                                                                   \
      gadget_cli_say ((import)->cli, text, n);                                                     \
  }                                                                                                \
  G_STMT_END

static void
print_text (Import *import, const GadgetImportReport *report)
{
  gadget_cli_say (import->cli,
                  ngettext ("%u chat was imported.", "%u chats were imported.", report->n_added),
                  report->n_added);
  SAY (import,
       ngettext ("%u branch of these chats was imported as a chat of its own.",
                 "%u branches of these chats were imported as chats of their own.",
                 report->n_branches),
       report->n_branches);
  SAY (import,
       ngettext ("%u chat that was there got more turns.",
                 "%u chats that were there got more turns.", report->n_extended),
       report->n_extended);
  SAY (import,
       ngettext ("%u chat was there already.", "%u chats were there already.", report->n_unchanged),
       report->n_unchanged);
  SAY (import,
       ngettext ("%u chat went on here, or is open, and was left as it is.",
                 "%u chats went on here, or are open, and were left as they are.", report->n_kept),
       report->n_kept);
  SAY (import,
       ngettext ("%u chat has no messages and was left out.",
                 "%u chats have no messages and were left out.", report->n_empty),
       report->n_empty);
  SAY (import,
       ngettext ("%u entry is damaged and was left out.",
                 "%u entries are damaged and were left out.", report->n_broken),
       report->n_broken);
  SAY (import,
       ngettext ("%u entry is too large and was left out.",
                 "%u entries are too large and were left out.", report->n_too_large),
       report->n_too_large);
  SAY (import,
       ngettext ("%u entry is not a chat and was left out.",
                 "%u entries are not chats and were left out.", report->n_foreign),
       report->n_foreign);
  SAY (import,
       ngettext ("%u attached file was not imported; the chat names it.",
                 "%u attached files were not imported; the chats name them.", report->n_missing),
       report->n_missing);
  SAY (import,
       ngettext ("%u chat has instructions to the model, which were left out.",
                 "%u chats have instructions to the model, which were left out.",
                 report->n_instructions),
       report->n_instructions);
  SAY (import,
       ngettext ("%u further branch was left out, since there are too many.",
                 "%u further branches were left out, since there are too many.",
                 report->n_left_out),
       report->n_left_out);
  SAY (import,
       ngettext ("%u file ends in the middle. What was whole in it was imported.",
                 "%u files end in the middle. What was whole in them was imported.", report->n_cut),
       report->n_cut);
  SAY (import,
       ngettext ("%u file in an archive is damaged. What could be read of it was imported.",
                 "%u files in archives are damaged. What could be read of them was imported.",
                 report->n_damaged),
       report->n_damaged);
  SAY (import,
       ngettext ("%u file is not among the numbered ones of the export.",
                 "%u files are not among the numbered ones of the export.", report->n_gaps),
       report->n_gaps);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree GadgetImportReport *report = gadget_import_finish (result, &error);

  if (gadget_cli_is_quitting (import->cli))
    return;
  if (report == NULL)
    {
      fail (import, error);
      return;
    }
  if (import->json)
    print_json (import, report);
  else
    print_text (import, report);
  gadget_cli_quit (import->cli, GADGET_CLI_FINISHED);
}

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;
  guint n_removed;
  guint n_kept;

  if (!gadget_import_undo_finish (result, &n_removed, &n_kept, &error))
    {
      if (!gadget_cli_is_quitting (import->cli))
        fail (import, error);
      return;
    }
  if (gadget_cli_is_quitting (import->cli))
    return;
  if (import->json)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();

      json_builder_begin_object (builder);
      gadget_json_add_int (builder, "removed", n_removed);
      gadget_json_add_int (builder, "kept", n_kept);
      json_builder_end_object (builder);
      gadget_cli_print_json (import->cli, builder);
    }
  else
    {
      gadget_cli_say (import->cli,
                      ngettext ("What was imported into %u chat was removed.",
                                "What was imported into %u chats was removed.", n_removed),
                      n_removed);
      if (n_kept > 0)
        gadget_cli_say (import->cli,
                        ngettext ("%u chat went on here, or is open, and was left as it is.",
                                  "%u chats went on here, or are open, and were left as they are.",
                                  n_kept),
                        n_kept);
    }
  gadget_cli_quit (import->cli, GADGET_CLI_FINISHED);
}

static gboolean
stop_import_cb (GadgetCli *cli, int number, Import *import)
{
  g_cancellable_cancel (import->cancellable);
  return FALSE;
}

static void
start_import (GadgetCli *cli, gpointer user_data)
{
  Import *import = user_data;
  const char *directory =
      gadget_store_get_directory (gadget_engine_get_store (gadget_cli_get_engine (cli)));

  g_signal_connect (cli, "signaled", G_CALLBACK (stop_import_cb), import);
  if (import->undo)
    gadget_import_undo_async (directory, import->number, FALSE, import->cancellable, undone_cb,
                              import);
  else
    gadget_import_async (directory, (const char *const *) import->paths, import->cancellable, NULL,
                         imported_cb, import);
}

int
gadget_cli_session_import (char **argv)
{
  Import import = { 0 };
  const GOptionEntry entries[] = {
    { "undo", 0, 0, G_OPTION_ARG_NONE, &import.undo,
      N_ ("Remove what the last import added, or the one with the NUMBER"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &import.json, N_ ("Print the report as JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (GStrv) arguments = g_strdupv (argv);
  guint n;
  int status;

  if (!gadget_cli_parse (
          "session import (FILE… | --undo [NUMBER]) [--json]",
          _ ("Imports chats: those that Gadget has exported as JSON, and the exports of ChatGPT,"
             " Claude and other programs. Chats that are there already stay as they are, and get"
             " the turns that the files have besides. Either all files are imported or none."),
          entries, &arguments, &status))
    return status;
  n = g_strv_length (arguments) - 1;
  if (import.undo ? n > 1 : n == 0)
    return gadget_cli_usage ("session import", "%s", _ ("Files are needed, or --undo"));
  if (import.undo && n == 1
      && (!g_ascii_string_to_signed (arguments[1], 10, 1, G_MAXINT64, &import.number, NULL)))
    return gadget_cli_usage ("session import", _ ("“%s” is not the number of an import"),
                             arguments[1]);
  import.paths = arguments + 1;
  import.cancellable = g_cancellable_new ();
  status = gadget_cli_run_command (&import.cli, start_import, &import);
  g_clear_object (&import.cancellable);
  return status;
}
