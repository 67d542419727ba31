/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of storage: how much the data takes, what can be cleared, limits, and backups of the
 * chats, for which see gadget-storage-page-backups.c. After a restoration, and after everything was
 * deleted, the objects in memory are outdated, so the program is started again. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-page-private.h"

#include "gadget-import-dialog.h"
#include "gadget-preferences-rows.h"
#include "gadget-storage-clearing.h"
#include "gadget-storage-erasing.h"
#include "store/gadget-store-providers.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

/* How long nothing stands in place of a size before a spinner does, in milliseconds. */
#define SPINNER_MS 150

enum
{
  PROP_MEASURING = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetStoragePage, gadget_storage_page, ADW_TYPE_PREFERENCES_PAGE)

GadgetStore *
_gadget_storage_page_get_store (GadgetStoragePage *self)
{
  return gadget_engine_get_store (self->engine);
}

gboolean
_gadget_storage_page_is_closed (GadgetStoragePage *self)
{
  return self->engine == NULL;
}

void
_gadget_storage_page_show_toast (GadgetStoragePage *self, const char *text)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_PREFERENCES_DIALOG);
  AdwToast *toast;

  if (dialog == NULL)
    return;
  toast = gadget_toast_new (text);
  gadget_toast_announce (dialog, toast);
  adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (dialog), toast);
}

void
_gadget_storage_page_show_error (GadgetStoragePage *self, const GError *error)
{
  g_autofree char *text = NULL;

  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY))
    text = g_strdup (_ ("A reply, an import or a backup still goes on. Stop it or wait."));
  else if (error->domain == GADGET_SECRETS_ERROR)
    text = g_strdup (
        _ ("The keyring did not remove all keys. Unlock it and try again. No chat was deleted."));
  else
    text = gadget_labels_error (error, NULL);
  _gadget_storage_page_show_toast (self, text);
}

void
_gadget_storage_page_set_restoring (GadgetStoragePage *self, gboolean restoring)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_DIALOG);

  gadget_preferences_set_sensitive (GTK_WIDGET (self), !restoring);
  if (dialog != NULL)
    adw_dialog_set_can_close (ADW_DIALOG (dialog), !restoring);
}

/* --- Space --- */

static void
set_measuring (GadgetStoragePage *self, gboolean measuring)
{
  g_clear_handle_id (&self->measuring_id, g_source_remove);
  if (self->measuring == measuring)
    return;
  self->measuring = measuring;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MEASURING]);
}

static void
late_cb (gpointer user_data)
{
  GadgetStoragePage *self = user_data;

  self->measuring_id = 0;
  set_measuring (self, TRUE);
}

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
show_sum (GadgetStoragePage *self)
{
  const GadgetStorage *storage = &self->storage;
  g_autofree char *taken = g_format_size (
      (guint64) (storage->chats + storage->attachments + storage->undo + storage->caches));
  g_autofree char *left = g_format_size ((guint64) storage->free);
  /* Translators: both are sizes, as "3 MB" */
  g_autofree char *text =
      g_strdup_printf (_ ("Gadget takes %s of this computer. %s are free."), taken, left);

  adw_preferences_group_set_description (self->space_group, text);
  gadget_storage_bar_set_sizes (self->bar, (const gint64[]) { storage->chats, storage->attachments,
                                                              storage->undo, storage->caches });
}

static void
update_buttons (GadgetStoragePage *self)
{
  const gboolean idle = self->cancellable == NULL;
  const GadgetStorage *storage = &self->storage;

  gadget_preferences_set_sensitive (self->clear_chats_button,
                                    idle && storage->n_chats + storage->n_archived > 0);
  gadget_preferences_set_sensitive (self->clear_attachments_button,
                                    idle && storage->n_attachments > 0);
  gadget_preferences_set_sensitive (self->clear_undo_button, idle && storage->undo > 0);
  gadget_preferences_set_sensitive (self->clear_caches_button, idle && storage->caches > 0);
  gtk_widget_set_visible (self->clearing_row, !idle);
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
  if (!_gadget_storage_page_is_closed (self))
    set_measuring (self, FALSE);
  if (error != NULL || _gadget_storage_page_is_closed (self))
    return;
  chats = dup_chats_text (&storage);
  files = g_strdup_printf (
      ngettext ("%'u file or image", "%'u files and images", storage.n_attachments),
      storage.n_attachments);
  self->storage = storage;
  update_buttons (self);
  show_sum (self);
  adw_action_row_set_subtitle (self->chats_row, chats);
  adw_action_row_set_subtitle (self->attachments_row, files);
  show_size (self->chats_size, storage.chats);
  show_size (self->attachments_size, storage.attachments);
  show_size (self->undo_size, storage.undo);
  show_size (self->caches_size, storage.caches);
}

void
_gadget_storage_page_measure (GadgetStoragePage *self)
{
  g_autofree char *caches = g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);

  if (self->measuring_id == 0 && gtk_label_get_label (self->chats_size)[0] == '\0')
    self->measuring_id = g_timeout_add_once (SPINNER_MS, late_cb, self);
  gadget_storage_measure_async (gadget_store_get_directory (_gadget_storage_page_get_store (self)),
                                caches, NULL, measured_cb, g_object_ref (self));
}

/* --- Clearing --- */

static void
cleared (GtkWidget *page, GCancellable *cancellable, const char *text, const GError *error)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  if (self->cancellable == cancellable)
    g_clear_object (&self->cancellable);
  if (_gadget_storage_page_is_closed (self))
    return;
  update_buttons (self);
  if (error != NULL)
    _gadget_storage_page_show_error (self, error);
  else
    _gadget_storage_page_show_toast (self, text);
  _gadget_storage_page_measure (self);
}

static void
started (GtkWidget *page, GCancellable *cancellable)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  g_set_object (&self->cancellable, cancellable);
  update_buttons (self);
}

/* What is not cleared yet stays. The row goes when the last step has ended. */
static void
stop_clearing_cb (GadgetStoragePage *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
ask_old (GadgetStoragePage *self, gboolean only_attachments)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  gadget_storage_clearing_ask_old (GTK_WIDGET (self), self->engine, only_attachments, cancellable,
                                   started, cleared);
}

static void
clear_chats_cb (GadgetStoragePage *self)
{
  ask_old (self, FALSE);
}

static void
clear_attachments_cb (GadgetStoragePage *self)
{
  ask_old (self, TRUE);
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

/* --- Limits --- */

static void
limit_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error)
      && !_gadget_storage_page_is_closed (self))
    _gadget_storage_page_show_error (self, error);
}

static void
save_limit (GadgetStoragePage *self, const char *key, AdwSpinRow *row)
{
  g_autofree char *value = g_strdup_printf ("%d", (int) adw_spin_row_get_value (row));

  gadget_store_set_setting_async (_gadget_storage_page_get_store (self), key, value, limit_saved_cb,
                                  g_object_ref (self));
}

static void
days_changed_cb (GadgetStoragePage *self)
{
  save_limit (self, GADGET_SETTING_UNDO_DAYS, self->undo_days_row);
}

static void
megabytes_changed_cb (GadgetStoragePage *self)
{
  save_limit (self, GADGET_SETTING_UNDO_MEGABYTES, self->undo_megabytes_row);
}

static void
show_limit (AdwSpinRow *row, GHashTable *settings, const char *key, int initial)
{
  const char *value = g_hash_table_lookup (settings, key);

  adw_spin_row_set_value (row, value != NULL ? g_ascii_strtod (value, NULL) : initial);
}

static void
limits_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) settings =
      gadget_store_list_settings_finish (GADGET_STORE (source), result, &error);

  if (_gadget_storage_page_is_closed (self))
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->undo_days_row), settings != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->undo_megabytes_row), settings != NULL);
  if (settings == NULL)
    {
      _gadget_storage_page_show_error (self, error);
      return;
    }
  show_limit (self->undo_days_row, settings, GADGET_SETTING_UNDO_DAYS, GADGET_UNDO_DAYS_DEFAULT);
  show_limit (self->undo_megabytes_row, settings, GADGET_SETTING_UNDO_MEGABYTES,
              GADGET_UNDO_MEGABYTES_DEFAULT);
  g_signal_connect_object (self->undo_days_row, "notify::value", G_CALLBACK (days_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->undo_megabytes_row, "notify::value",
                           G_CALLBACK (megabytes_changed_cb), self, G_CONNECT_SWAPPED);
}

/* --- Deleting everything --- */

static void
erased_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetStoragePage) self = user_data;
  g_autoptr (GError) error = NULL;

  _gadget_storage_page_set_restoring (self, FALSE);
  if (gadget_storage_erasing_run_finish (result, &error))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-empty", NULL);
  else
    _gadget_storage_page_show_error (self, error);
}

static void
erase_confirmed (GtkWidget *page, gboolean also_keys)
{
  GadgetStoragePage *self = GADGET_STORAGE_PAGE (page);

  if (_gadget_storage_page_is_closed (self))
    return;
  _gadget_storage_page_set_restoring (self, TRUE);
  gadget_storage_erasing_run_async (page, self->engine, also_keys, erased_cb, g_object_ref (self));
}

static void
erase_cb (GadgetStoragePage *self)
{
  gadget_storage_erasing_ask (GTK_WIDGET (self), erase_confirmed);
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

  /* What is being cleared cannot be stopped without the page. */
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->measuring_id, g_source_remove);
  g_clear_object (&self->engine);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_STORAGE_PAGE);

  G_OBJECT_CLASS (gadget_storage_page_parent_class)->dispose (object);
}

static void
gadget_storage_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, GADGET_STORAGE_PAGE (object)->measuring);
}

static void
gadget_storage_page_class_init (GadgetStoragePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_storage_page_dispose;
  G_OBJECT_CLASS (klass)->get_property = gadget_storage_page_get_property;

  /**
   * GadgetStoragePage:measuring:
   *
   * Whether the sizes are not known yet, and take long enough to say so.
   */
  props[PROP_MEASURING] = g_param_spec_boolean ("measuring", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);

  g_type_ensure (GADGET_TYPE_STORAGE_BAR);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-storage-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, space_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, bar);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, clearing_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, undo_days_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, undo_megabytes_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, clear_chats_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetStoragePage, clear_attachments_button);
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
  gtk_widget_class_bind_template_callback (widget_class, _gadget_storage_page_back_up_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_attachments_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_caches_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_chats_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_undo_cb);
  gtk_widget_class_bind_template_callback (widget_class, erase_cb);
  gtk_widget_class_bind_template_callback (widget_class, import_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_clearing_cb);
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
  _gadget_storage_page_measure (self);
  _gadget_storage_page_list_backups (self);
  gadget_store_list_settings_async (_gadget_storage_page_get_store (self), "undo-", limits_read_cb,
                                    g_object_ref (self));
  return ADW_PREFERENCES_PAGE (self);
}
