/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The backups on the page of storage. A backup shows what restoring it would change when its row is
 * opened; a restoration is never suggested. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-page-private.h"

#include "gadget-preferences-rows.h"
#include "store/gadget-backup.h"
#include "store/gadget-store-restore.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* How long unsaved text may take to be saved before a restoration, in milliseconds. */
#define SETTLE_MS 1000

/* --- Restoring --- */

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  _gadget_storage_page_set_restoring (self, FALSE);
  if (gadget_store_restore_backup_finish (GADGET_STORE (source), result, &error))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-again", NULL);
  else
    _gadget_storage_page_show_error (self, error);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GtkWidget *row = user_data;
  GtkWidget *page = gtk_widget_get_ancestor (row, GADGET_TYPE_STORAGE_PAGE);

  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  if (page != NULL)
    gadget_store_restore_backup_async (gadget_engine_get_store (GADGET_ENGINE (source)),
                                       g_object_get_data (G_OBJECT (row), "name"), restored_cb,
                                       g_object_ref (page));
  g_object_unref (row);
}

/* Unsaved changes are saved first, so that they are in the backup of today. */
static void
confirmed (GtkWidget *row)
{
  GtkWidget *page = gtk_widget_get_ancestor (row, GADGET_TYPE_STORAGE_PAGE);
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  _gadget_storage_page_set_restoring (self, TRUE);
  gadget_engine_settle_async (self->engine, SETTLE_MS, settled_cb, g_object_ref (row));
}

static void
restore_cb (GtkWidget *row)
{
  gadget_preferences_confirm (
      row, _ ("Restore This Backup?"),
      _ ("The chats of today are backed up first, so this can be undone the same way. Gadget "
         "starts again."),
      _ ("_Restore"), confirmed);
}

/* --- The list --- */

static void
add_change (AdwExpanderRow *row, const char *icon, const char *title, guint n)
{
  GtkWidget *change = gadget_ui_row_new (title, NULL);
  g_autofree char *text = g_strdup_printf ("%'u", n);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dimmed");
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_prefix (ADW_ACTION_ROW (change), gtk_image_new_from_icon_name (icon));
  adw_action_row_add_suffix (ADW_ACTION_ROW (change), label);
  adw_expander_row_add_row (row, change);
}

static void
add_restore_row (AdwExpanderRow *row)
{
  GtkWidget *last = gadget_ui_row_new (_ ("Today’s chats are backed up first."), NULL);
  GtkWidget *button = gtk_button_new_with_label (_ ("Restore…"));

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (restore_cb), row, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (last), button);
  adw_expander_row_add_row (row, last);
}

static void
previewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwExpanderRow) row = user_data;
  g_autoptr (GError) error = NULL;
  GadgetBackupPreview preview;
  const gboolean ok =
      gadget_store_preview_backup_finish (GADGET_STORE (source), result, &preview, &error);

  if (gtk_widget_get_ancestor (GTK_WIDGET (row), GADGET_TYPE_STORAGE_PAGE) == NULL)
    return;
  if (!ok)
    {
      g_autofree char *text = gadget_labels_error (error, NULL);

      adw_expander_row_add_row (row, gadget_ui_row_new (_ ("This backup cannot be read."), text));
      return;
    }
  add_change (row, "list-add-symbolic", _ ("Chats that come back"), preview.n_returning);
  add_change (row, "edit-undo-symbolic", _ ("Chats that go back to how they were"),
              preview.n_older);
  add_change (row, "list-remove-symbolic", _ ("Chats made since, which are archived"),
              preview.n_newer);
  add_restore_row (row);
}

/* Asks for the preview when the row is opened for the first time. */
static void
expanded_cb (AdwExpanderRow *row, GParamSpec *pspec, GadgetStoragePage *self)
{
  g_signal_handlers_disconnect_by_func (row, expanded_cb, self);
  gadget_store_preview_backup_async (_gadget_storage_page_get_store (self),
                                     g_object_get_data (G_OBJECT (row), "name"), previewed_cb,
                                     g_object_ref (row));
}

static char *
dup_time (gint64 ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (ms / 1000);

  /* Translators: a day and a time, as strftime() writes them */
  return g_date_time_format (time, _ ("%b %-d, %H:%M"));
}

static const char *
get_reason_text (GadgetBackupReason reason)
{
  switch (reason)
    {
    case GADGET_BACKUP_MIGRATION:
      return _ ("Before an update of the data");
    case GADGET_BACKUP_RESTORATION:
      return _ ("Before a backup was restored");
    case GADGET_BACKUP_WEEKLY:
    default:
      return _ ("Copy of all chats");
    }
}

static GtkWidget *
make_row (GadgetStoragePage *self, const GadgetBackup *backup)
{
  GtkWidget *row = adw_expander_row_new ();
  g_autofree char *title = dup_time (backup->made_at);
  g_autofree char *size = g_format_size ((guint64) backup->size);
  /* Translators: why a backup was made, and its size */
  g_autofree char *subtitle =
      g_strdup_printf (_ ("%s · %s"), get_reason_text (backup->reason), size);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), subtitle);
  adw_expander_row_add_prefix (ADW_EXPANDER_ROW (row),
                               gtk_image_new_from_icon_name ("document-open-recent-symbolic"));
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (backup->name), g_free);
  g_signal_connect_object (row, "notify::expanded", G_CALLBACK (expanded_cb), self,
                           G_CONNECT_DEFAULT);
  return row;
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GPtrArray) backups = gadget_backups_list_finish (result, NULL);

  if (_gadget_storage_page_is_closed (self))
    return;
  gtk_list_box_remove_all (self->backups);
  for (guint i = 0; backups != NULL && i < backups->len; i++)
    gtk_list_box_append (self->backups, make_row (self, g_ptr_array_index (backups, i)));
  if (backups == NULL || backups->len == 0)
    gtk_list_box_append (self->backups, gadget_ui_row_new (_ ("There is no backup yet."), NULL));
}

void
_gadget_storage_page_list_backups (GadgetStoragePage *self)
{
  gadget_backups_list_async (gadget_store_get_directory (_gadget_storage_page_get_store (self)),
                             NULL, listed_cb, g_object_ref (self));
}

static void
backed_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  gadget_backups_make_finish (result, &error);
  if (_gadget_storage_page_is_closed (self))
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->back_up_button), TRUE);
  if (error == NULL)
    _gadget_storage_page_show_toast (self, _ ("Backup made"));
  else
    _gadget_storage_page_show_error (self, error);
  _gadget_storage_page_measure (self);
  _gadget_storage_page_list_backups (self);
}

void
_gadget_storage_page_back_up_cb (GadgetStoragePage *self)
{
  gadget_preferences_set_sensitive (GTK_WIDGET (self->back_up_button), FALSE);
  gadget_backups_make_async (gadget_store_get_directory (_gadget_storage_page_get_store (self)),
                             TRUE, NULL, backed_up_cb, g_object_ref (self));
}
