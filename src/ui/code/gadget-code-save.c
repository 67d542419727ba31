/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-save.h"

#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

/* The data of the file dialog. */
typedef struct
{
  GtkWidget *widget; /* a reference */
  char *text;
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;

  g_object_unref (save->widget);
  g_free (save->text);
  g_free (save);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Save, save_free)

/* Shows a toast, unless the row of @widget is gone by now. */
static void
toast (GtkWidget *widget, const char *text)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  if (overlay != NULL)
    gadget_toast_show (ADW_TOAST_OVERLAY (overlay), gadget_toast_new (text));
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    text = g_strdup (_ ("The code was saved"));
  else
    text = gadget_error_labels_dup (_ ("The code could not be saved."), error);
  toast (widget, text);
}

void
gadget_code_save_to (GtkWidget *widget, const char *text, GFile *file)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget) && text != NULL && G_IS_FILE (file));

  bytes = g_bytes_new (text, strlen (text));
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                       written_cb, g_object_ref (widget));
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Save) save = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (file != NULL)
    gadget_code_save_to (save->widget, save->text, file);
}

void
gadget_code_save (GtkWidget *widget, const char *text, const char *name)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root;
  Save *save;

  g_return_if_fail (GTK_IS_WIDGET (widget) && text != NULL && name != NULL);

  root = gtk_widget_get_root (widget);
  save = g_new0 (Save, 1);
  save->widget = g_object_ref (widget);
  save->text = g_strdup (text);
  gtk_file_dialog_set_title (dialog, _ ("Save Code"));
  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL, chosen_cb,
                        save);
}
