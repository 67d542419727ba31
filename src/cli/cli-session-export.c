/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command "session export". Standard output is written to in a thread, since the whole library
 * may be more than memory holds. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "cli-app.h"
#include "store/export/gadget-export.h"

/* The command line, and the state of the export. */
typedef struct
{
  GadgetCli *cli;
  char **ids; /* NULL for all chats */
  GadgetExportFormat format;
  GadgetExportParts parts;
  const char *path; /* (nullable): NULL for standard output */
  GCancellable *cancellable;
} Export;

static void
fail (Export *export, const GError *error)
{
  const gboolean is_unknown =
      g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);

  gadget_cli_fail (export->cli, error->message,
                   is_unknown ? _ ("“gadget-cli session list” names those there are.") : NULL);
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Export *export = user_data;
  g_autoptr (GError) error = NULL;
  guint n_chats = 0;
  const gboolean ok = gadget_export_finish (result, &n_chats, &error);

  if (gadget_cli_is_quitting (export->cli))
    return;
  if (!ok)
    {
      fail (export, error);
      return;
    }
  if (export->path != NULL)
    gadget_cli_say (
        export->cli,
        ngettext ("%u chat was exported to %s.", "%u chats were exported to %s.", n_chats), n_chats,
        export->path);
  gadget_cli_quit (export->cli, GADGET_CLI_FINISHED);
}

static gboolean
signaled_cb (GadgetCli *cli, int number, Export *export)
{
  g_cancellable_cancel (export->cancellable);
  return FALSE;
}

static void
start_export (GadgetCli *cli, gpointer user_data)
{
  Export *export = user_data;
  const char *directory =
      gadget_store_get_directory (gadget_engine_get_store (gadget_cli_get_engine (cli)));
  const char *const *ids = (const char *const *) export->ids;

  g_signal_connect (cli, "signaled", G_CALLBACK (signaled_cb), export);
  if (export->path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (export->path);

      gadget_export_to_file_async (directory, ids, export->format, export->parts, file, NULL,
                                   export->cancellable, exported_cb, export);
    }
  else
    {
      g_autoptr (GOutputStream) stream = g_unix_output_stream_new (STDOUT_FILENO, FALSE);

      gadget_export_async (directory, ids, export->format, export->parts, stream,
                           export->cancellable, exported_cb, export);
    }
}

static gboolean
parse_format (const char *name, GadgetExportFormat *format)
{
  if (name == NULL || g_str_equal (name, "json"))
    *format = GADGET_EXPORT_JSON;
  else if (g_str_equal (name, "markdown"))
    *format = GADGET_EXPORT_MARKDOWN;
  else if (g_str_equal (name, "html"))
    *format = GADGET_EXPORT_HTML;
  else
    return FALSE;
  return TRUE;
}

static int
run (Export *export)
{
  int status;

  export->cancellable = g_cancellable_new ();
  status = gadget_cli_run_command (&export->cli, start_export, export);
  g_clear_object (&export->cancellable);
  return status;
}

int
gadget_cli_session_export (char **argv)
{
  Export export = { .parts = GADGET_EXPORT_TOOLS };
  gboolean all = FALSE;
  gboolean reasoning = FALSE;
  gboolean attachments = FALSE;
  g_autofree char *format = NULL;
  g_autofree char *path = NULL;
  const GOptionEntry entries[] = { { "all", 0, 0, G_OPTION_ARG_NONE, &all,
                                     N_ ("Export all chats, archived ones too"), NULL },
                                   { "format", 0, 0, G_OPTION_ARG_STRING, &format,
                                     N_ ("Write json (the default), markdown or html"), "FORMAT" },
                                   { "output", 0, 0, G_OPTION_ARG_FILENAME, &path,
                                     N_ ("Write to this file instead of standard output"), "FILE" },
                                   { "reasoning", 0, 0, G_OPTION_ARG_NONE, &reasoning,
                                     N_ ("Add the reasoning to Markdown or HTML"), NULL },
                                   { "attachments", 0, 0, G_OPTION_ARG_NONE, &attachments,
                                     N_ ("Add attached files to Markdown or HTML"), NULL },
                                   G_OPTION_ENTRY_NULL };
  g_auto (GStrv) arguments = g_strdupv (argv);
  int status;

  if (!gadget_cli_parse (
          "session export ID… [--format FORMAT] [--output FILE]",
          _ ("Exports chats: as JSON with everything that is stored of them, as Markdown, which "
             "other "
             "programs read, or as one page of HTML. Keys and permissions are never exported."),
          entries, &arguments, &status))
    return status;
  if (all == (arguments[1] != NULL))
    return gadget_cli_usage ("session export", "%s",
                             all ? _ ("IDs of sessions do not go together with --all")
                                 : _ ("The ID of a session is needed, or --all"));
  if (!parse_format (format, &export.format))
    return gadget_cli_usage ("session export", _ ("“%s” is not a format"), format);
  export.ids = all ? NULL : arguments + 1;
  export.parts |= reasoning ? GADGET_EXPORT_REASONING : 0;
  export.parts |= attachments ? GADGET_EXPORT_ATTACHMENTS : 0;
  export.path = path;
  return run (&export);
}
