/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of storage: how much the data takes, what can be cleared, and backups of the chats. A
 * backup shows what restoring it would change when its row is opened. After a restoration, and
 * after everything was deleted, the objects in memory are outdated, so the program is started
 * again. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-page.h"

#include "common/gadget-clock.h"
#include "gadget-import-dialog.h"
#include "gadget-preferences-rows.h"
#include "gadget-storage-clearing.h"
#include "gadget-storage-erasing.h"
#include "store/gadget-backup.h"
#include "store/gadget-storage.h"
#include "store/gadget-store-restore.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-toast.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* How long unsaved text may take to be saved before a restoration, in milliseconds. */
#define SETTLE_MS 1000

struct _GadgetStoragePage
{
  AdwPreferencesPage parent_instance;

  AdwActionRow *chats_row;
  AdwActionRow *attachments_row;
  GtkLabel *chats_size;
  GtkLabel *attachments_size;
  GtkLabel *undo_size;
  GtkLabel *caches_size;
  GtkButton *back_up_button;
  GtkWidget *clear_undo_button;
  GtkWidget *clear_caches_button;
  GtkListBox *backups;

  GadgetEngine *engine;
  GadgetStorage storage; /* what was measured last */
};

G_DEFINE_FINAL_TYPE (GadgetStoragePage, gadget_storage_page, ADW_TYPE_PREFERENCES_PAGE)

static GadgetStore *
get_store (GadgetStoragePage *self)
{
  return gadget_engine_get_store (self->engine);
}

/* Tells whether the dialog was closed, while something was being read. */
static gboolean
is_closed (GadgetStoragePage *self)
{
  return self->engine == NULL;
}

static void
show_toast (GadgetStoragePage *self, const char *text)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_PREFERENCES_DIALOG);
  AdwToast *toast;

  if (dialog == NULL)
    return;
  toast = gadget_toast_new (text);
  gadget_toast_announce (dialog, toast);
  adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (dialog), toast);
}

static void
show_error (GadgetStoragePage *self, const GError *error)
{
  g_autofree char *text = NULL;

  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    text = g_strdup (_ ("A reply is still being written. Stop it first."));
  else
    text = gadget_labels_error (error, NULL);
  show_toast (self, text);
}

/* --- Space --- */

static void
show_size (GtkLabel *label, gint64 size)
{
  g_autofree char *text = g_format_size ((guint64) size);

  gtk_label_set_label (label, text);
}

static char *
dup_chats_text (const GadgetStorage *storage)
{
  g_autofree char *chats =
      g_strdup_printf (ngettext ("%'u chat", "%'u chats", storage->n_chats), storage->n_chats);
  g_autofree char *archived = NULL;

  if (storage->n_archived == 0)
    return g_steal_pointer (&chats);
  archived = g_strdup_printf (ngettext ("%'u archived", "%'u archived", storage->n_archived),
                              storage->n_archived);
  /* Translators: "3 chats, 2 archived" */
  return g_strdup_printf (_ ("%s, %s"), chats, archived);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *chats = NULL;
  g_autofree char *files = NULL;
  GadgetStorage storage;

  if (!gadget_storage_measure_finish (result, &storage, &error))
    g_message ("the data could not be measured: %s", error->message);
  if (error != NULL || is_closed (self))
    return;
  chats = dup_chats_text (&storage);
  files = g_strdup_printf (
      ngettext ("%'u file or image", "%'u files and images", storage.n_attachments),
      storage.n_attachments);
  self->storage = storage;
  gadget_preferences_set_sensitive (self->clear_undo_button, storage.undo > 0);
  gadget_preferences_set_sensitive (self->clear_caches_button, storage.caches > 0);
  adw_action_row_set_subtitle (self->chats_row, chats);
  adw_action_row_set_subtitle (self->attachments_row, files);
  show_size (self->chats_size, storage.chats);
  show_size (self->attachments_size, storage.attachments);
  show_size (self->undo_size, storage.undo);
  show_size (self->caches_size, storage.caches);
}

static void
measure (GadgetStoragePage *self)
{
  g_autofree char *caches = g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);

  gadget_storage_measure_async (gadget_store_get_directory (get_store (self)), caches, NULL,
                                measured_cb, g_object_ref (self));
}

/* --- Clearing --- */

static void
cleared (GtkWidget *page, const char *text, const GError *error)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  if (is_closed (self))
    return;
  if (error != NULL)
    show_error (self, error);
  else
    show_toast (self, text);
  measure (self);
}

static void
clear_undo_cb (GadgetStoragePage *self)
{
  gadget_storage_clearing_ask_undo (GTK_WIDGET (self), self->engine, self->storage.undo, cleared);
}

static void
clear_caches_cb (GadgetStoragePage *self)
{
  gadget_storage_clearing_ask_caches (GTK_WIDGET (self), self->engine, self->storage.caches,
                                      cleared);
}

/* --- Restoring --- */

/* A dialog that is closed cannot start the program again. */
static void
set_restoring (GadgetStoragePage *self, gboolean restoring)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_DIALOG);

  gadget_preferences_set_sensitive (GTK_WIDGET (self), !restoring);
  if (dialog != NULL)
    adw_dialog_set_can_close (ADW_DIALOG (dialog), !restoring);
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  set_restoring (self, FALSE);
  if (gadget_store_restore_backup_finish (GADGET_STORE (source), result, &error))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-again", NULL);
  else
    show_error (self, error);
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

  set_restoring (self, TRUE);
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

/* --- Deleting everything --- */

static void
erased_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  set_restoring (self, FALSE);
  if (gadget_storage_erasing_run_finish (result, &error))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-empty", NULL);
  else
    show_error (self, error);
}

static void
erase_confirmed (GtkWidget *page, gboolean also_keys)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  if (is_closed (self))
    return;
  set_restoring (self, TRUE);
  gadget_storage_erasing_run_async (page, self->engine, also_keys, erased_cb, g_object_ref (self));
}

static void
erase_cb (GadgetStoragePage *self)
{
  gadget_storage_erasing_ask (GTK_WIDGET (self), erase_confirmed);
}

/* --- Backups --- */

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
  gadget_store_preview_backup_async (get_store (self), g_object_get_data (G_OBJECT (row), "name"),
                                     previewed_cb, g_object_ref (row));
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

  if (is_closed (self))
    return;
  gtk_list_box_remove_all (self->backups);
  for (guint i = 0; backups != NULL && i < backups->len; i++)
    gtk_list_box_append (self->backups, make_row (self, g_ptr_array_index (backups, i)));
  if (backups == NULL || backups->len == 0)
    gtk_list_box_append (self->backups, gadget_ui_row_new (_ ("There is no backup yet."), NULL));
}

static void
update (GadgetStoragePage *self)
{
  measure (self);
  gadget_backups_list_async (gadget_store_get_directory (get_store (self)), NULL, listed_cb,
                             g_object_ref (self));
}

static void
backed_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  gadget_backups_make_finish (result, &error);
  if (is_closed (self))
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->back_up_button), TRUE);
  if (error == NULL)
    show_toast (self, _ ("Backup made"));
  else
    show_error (self, error);
  update (self);
}

static void
back_up_cb (GadgetStoragePage *self)
{
  gadget_preferences_set_sensitive (GTK_WIDGET (self->back_up_button), FALSE);
  gadget_backups_make_async (gadget_store_get_directory (get_store (self)), TRUE, NULL,
                             backed_up_cb, g_object_ref (self));
}

static void
import_cb (GadgetStoragePage *self)
{
  adw_dialog_present (
      ADW_DIALOG (gadget_import_dialog_new (gadget_engine_get_imports (self->engine))),
      GTK_WIDGET (self));
}

/* --- Object --- */

static void
gadget_storage_page_dispose (GObject *object)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (object);

  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_STORAGE_PAGE);

  G_OBJECT_CLASS (gadget_storage_page_parent_class)->dispose (object);
}

static void
gadget_storage_page_class_init (GadgetStoragePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_storage_page_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-storage-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, chats_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, attachments_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, chats_size);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, attachments_size);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, undo_size);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, caches_size);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, clear_undo_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, clear_caches_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, back_up_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, backups);
  gtk_widget_class_bind_template_callback (widget_class, back_up_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_caches_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_undo_cb);
  gtk_widget_class_bind_template_callback (widget_class, erase_cb);
  gtk_widget_class_bind_template_callback (widget_class, import_cb);
}

static void
gadget_storage_page_init (GadgetStoragePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
gadget_storage_page_new (GadgetEngine *engine)
{
  GadgetStoragePage *self = g_object_new (GADGET_TYPE_STORAGE_PAGE, NULL);

  self->engine = g_object_ref (engine);
  update (self);
  return ADW_PREFERENCES_PAGE (self);
}
