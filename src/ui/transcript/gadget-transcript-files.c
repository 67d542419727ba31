/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opening the files that tools read and wrote. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "ui/transcript/model/gadget-tool-file.h"

#include "common/gadget-visible.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

/* A file that the user opens, while its path is looked up and a program is started. */
typedef struct
{
  GtkWidget *widget;
  char *name; /* the file's name for toasts */
} Opening;

static void
opening_free (Opening *self)
{
  g_object_unref (self->widget);
  g_free (self->name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static void
report (const Opening *self, const GError *error)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (self->widget, ADW_TYPE_TOAST_OVERLAY);
  g_autofree char *text = NULL;

  g_message ("a file was not opened: %s", error->message);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    /* Translators: %s is the name of a file */
    text = g_strdup_printf (_ ("“%s” is no longer there"), self->name);
  else
    /* Translators: %s is the name of a file */
    text = g_strdup_printf (_ ("“%s” could not be opened"), self->name);
  if (overlay != NULL)
    gadget_toast_show (ADW_TOAST_OVERLAY (overlay), gadget_toast_new (text));
}

static void
finish (Opening *opening, gboolean done, const GError *error)
{
  if (!done && !g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
      && !g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED))
    report (opening, error);
}

static void
launched_cb (GObject *launcher, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autoptr (GError) error = NULL;

  finish (opening, gtk_file_launcher_launch_finish (GTK_FILE_LAUNCHER (launcher), result, &error),
          error);
}

static void
shown_cb (GObject *launcher, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autoptr (GError) error = NULL;

  finish (opening,
          gtk_file_launcher_open_containing_folder_finish (GTK_FILE_LAUNCHER (launcher), result,
                                                           &error),
          error);
}

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetToolFile) found = gadget_tool_file_query_finish (result, &error);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GtkFileLauncher) launcher = NULL;
  GtkRoot *root;

  if (found == NULL)
    {
      report (opening, error);
      return;
    }
  root = gtk_widget_get_root (opening->widget);
  if (root == NULL)
    return;
  file = g_file_new_for_path (found->path);
  launcher = gtk_file_launcher_new (file);
  gtk_file_launcher_set_writable (launcher, TRUE);
  if (found->runs)
    gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (root), NULL, shown_cb,
                                              g_steal_pointer (&opening));
  else
    gtk_file_launcher_launch (launcher, GTK_WINDOW (root), NULL, launched_cb,
                              g_steal_pointer (&opening));
}

static void
open_file_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (widget);
  const char *path = g_variant_get_string (parameter, NULL);
  g_autofree char *base = NULL;
  Opening *opening;

  if (self->model == NULL || !g_path_is_absolute (path))
    return;
  base = g_path_get_basename (path);
  opening = g_new0 (Opening, 1);
  opening->widget = g_object_ref (widget);
  opening->name = gadget_visible_escape_line (base);
  gadget_tool_file_query_async (gadget_session_get_workspace (gadget_transcript_get_session (self)),
                                path, queried_cb, opening);
}

void
_gadget_transcript_files_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.open-file", "s", open_file_action);
}
