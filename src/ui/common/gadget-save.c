/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-save.h"

#include "gadget-error-labels.h"
#include "gadget-toast.h"

#include <glib/gi18n.h>

/* The data of asynchronous calls: bytes to be saved, and the toast for it. */
typedef struct
{
  GWeakRef toasts;
  GBytes *bytes;
  char *saved;
} Save;

static Save *
save_new (AdwToastOverlay *toasts, GBytes *bytes, const char *saved)
{
  Save *save = g_new0 (Save, 1);

  g_weak_ref_init (&save->toasts, toasts);
  save->bytes = g_bytes_ref (bytes);
  save->saved = g_strdup (saved);
  return save;
}

static void
save_free (Save *save)
{
  g_weak_ref_clear (&save->toasts);
  g_bytes_unref (save->bytes);
  g_free (save->saved);
  g_free (save);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Save, save_free)

/* Shows the outcome. @error: (nullable): why the file is not saved */
static void
report (Save *save, const GError *error)
{
  g_autoptr (AdwToastOverlay) toasts = g_weak_ref_get (&save->toasts);
  g_autofree char *text =
      error != NULL ? gadget_error_labels_dup (_ ("The file could not be saved."), error) : NULL;

  if (toasts != NULL)
    gadget_toast_show (toasts, gadget_toast_new (text != NULL ? text : save->saved));
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Save) save = user_data;
  g_autoptr (GError) error = NULL;

  g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);
  report (save, error);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Save) save = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, &error);
  GBytes *bytes = save->bytes;

  if (file != NULL)
    g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                         written_cb, g_steal_pointer (&save));
  else if (!g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED)
           && !g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED))
    report (save, error);
}

void
gadget_save_ask (GtkWidget *parent, AdwToastOverlay *toasts, const char *title, const char *name,
                 GBytes *bytes, const char *saved)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (parent);

  gtk_file_dialog_set_title (dialog, title);
  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL, chosen_cb,
                        save_new (toasts, bytes, saved));
}

void
gadget_save_copy (GtkWidget *parent, AdwToastOverlay *toasts, GdkContentProvider *content)
{
  g_autoptr (GdkContentProvider) owned = content;

  gdk_clipboard_set_content (gtk_widget_get_clipboard (parent), owned);
  if (toasts != NULL)
    gadget_toast_show (toasts, gadget_toast_new (_ ("Copied to the clipboard")));
}
