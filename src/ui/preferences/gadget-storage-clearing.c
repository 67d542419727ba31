/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be cleared. Each question says how much it is, and what no longer works then. Undo data
 * and caches are cleared as a whole, chats and their attachments by the time since they were used.
 */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-clearing.h"

#include "common/gadget-clock.h"
#include "effects/gadget-snapshot-service.h"
#include "gadget-preferences-rows.h"
#include "process/sandbox/gadget-sandbox-cache.h"
#include "store/gadget-storage.h"
#include "store/gadget-store-clear.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

#define DAY_MS (G_GINT64_CONSTANT (24) * 60 * 60 * 1000)
#define OLD_DAYS_DEFAULT 90
#define OLD_DAYS_MAX 3650

/* One thing to clear, from its question to its end. */
typedef struct
{
  GWeakRef page;
  GadgetEngine *engine;
  GtkCheckButton *pinned; /* (nullable) */
  GadgetStorageCleared cleared;
  void (*start) (gpointer clearing);

  /* Of chats that were not used for long: */
  gboolean only_attachments;
  GCancellable *cancellable; /* (nullable) */
  void (*started) (GtkWidget *page, GCancellable *cancellable);
  GWeakRef dialog;
  AdwSpinRow *days;  /* (unowned): as long as the dialog is there */
  GtkLabel *preview; /* (unowned): the same */
  guint n_measured;
} Clearing;

static Clearing *
clearing_new (GtkWidget *page, GadgetEngine *engine, GadgetStorageCleared cleared,
              void (*start) (gpointer clearing))
{
  Clearing *clearing = g_atomic_rc_box_new0 (Clearing);

  g_weak_ref_init (&clearing->page, page);
  g_weak_ref_init (&clearing->dialog, NULL);
  clearing->engine = g_object_ref (engine);
  clearing->cleared = cleared;
  clearing->start = start;
  return clearing;
}

static void
clearing_clear (gpointer data)
{
  Clearing *clearing = data;

  g_weak_ref_clear (&clearing->page);
  g_weak_ref_clear (&clearing->dialog);
  g_object_unref (clearing->engine);
  g_clear_object (&clearing->pinned);
  g_clear_object (&clearing->cancellable);
}

static void
clearing_unref (gpointer clearing)
{
  g_atomic_rc_box_release_full (clearing, clearing_clear);
}

static void
closure_unref (gpointer data, GClosure *closure)
{
  clearing_unref (data);
}

/* Ends it. @clearing is (transfer full). */
static void
report (Clearing *clearing, const char *text, const GError *error)
{
  g_autoptr (GtkWidget) page = g_weak_ref_get (&clearing->page);

  if (page != NULL)
    clearing->cleared (page, clearing->cancellable, error == NULL ? text : NULL, error);
  clearing_unref (clearing);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Clearing *clearing = user_data;

  if (g_str_equal (response, "clear"))
    clearing->start (g_atomic_rc_box_acquire (clearing));
}

/* @clearing is (transfer full); @extra is (nullable). */
static AdwDialog *
ask (GtkWidget *page, Clearing *clearing, const char *title, const char *body, GtkWidget *extra)
{
  AdwDialog *dialog = adw_alert_dialog_new (title, body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "clear",
                                  _ ("C_lear"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "clear",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog), extra);
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered_cb), clearing, closure_unref,
                         G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, page);
  return dialog;
}

/* Makes the check button of the question. */
static GtkWidget *
add_pinned (Clearing *clearing, const char *text)
{
  GtkWidget *pinned = gadget_preferences_check (text);

  clearing->pinned = GTK_CHECK_BUTTON (g_object_ref_sink (pinned));
  return pinned;
}

/* --- Undo data -------------------------------------------------------------------------------- */

static void
undo_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  gadget_snapshot_service_clear_finish (GADGET_SNAPSHOT_SERVICE (source), result, &error);
  report (user_data, _ ("Undo data cleared"), error);
}

static void
start_undo (gpointer data)
{
  Clearing *clearing = data;
  GadgetAgent *agent = gadget_engine_get_agent (clearing->engine);

  gadget_snapshot_service_clear_async (gadget_agent_get_snapshot_service (agent),
                                       gtk_check_button_get_active (clearing->pinned),
                                       undo_cleared_cb, clearing);
}

void
gadget_storage_clearing_ask_undo (GtkWidget *page, GadgetEngine *engine, gint64 size,
                                  GadgetStorageCleared cleared)
{
  Clearing *clearing = clearing_new (page, engine, cleared, start_undo);
  g_autofree char *shown = g_format_size ((guint64) size);
  /* Translators: %s is a size, as "3 MB" */
  g_autofree char *body = g_strdup_printf (
      _ ("The earlier versions of files that chats have changed take up to %s. Without them these "
         "changes can no longer be undone. The files themselves stay as they are, and so do the "
         "changes that the chats show."),
      shown);

  ask (page, clearing, _ ("Clear Undo Data?"), body,
       add_pinned (clearing, _ ("Also of chats that are pinned")));
}

/* --- Caches ----------------------------------------------------------------------------------- */

static void
caches_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_sandbox_cache_clean_finish (result);
  report (user_data, _ ("Caches cleared"), NULL);
}

static void
start_caches (gpointer data)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);

  gadget_sandbox_cache_clean_async (folder, 0, caches_cleared_cb, data);
}

void
gadget_storage_clearing_ask_caches (GtkWidget *page, GadgetEngine *engine, gint64 size,
                                    GadgetStorageCleared cleared)
{
  g_autofree char *shown = g_format_size ((guint64) size);
  /* Translators: %s is a size, as "3 MB" */
  g_autofree char *body = g_strdup_printf (
      _ ("What commands have downloaded and built takes %s. They do it again when they need it, "
         "which takes time. What was used within the last hour stays."),
      shown);

  ask (page, clearing_new (page, engine, cleared, start_caches), _ ("Clear Caches?"), body, NULL);
}

/* --- Chats that were not used for long -------------------------------------------------------- */

static gint64
get_before (const Clearing *clearing)
{
  return gadget_clock_wall_ms () - (gint64) adw_spin_row_get_value (clearing->days) * DAY_MS;
}

static void
chats_deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n;

  gadget_engine_clear_chats_finish (GADGET_ENGINE (source), result, &n, &error);
  text = g_strdup_printf (ngettext ("%'u chat deleted", "%'u chats deleted", n), n);
  report (user_data, text, error);
}

static void
images_removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n;

  gadget_store_clear_attachments_finish (GADGET_STORE (source), result, &n, &error);
  text = g_strdup_printf (ngettext ("%'u image removed", "%'u images removed", n), n);
  report (user_data, text, error);
}

static void
start_old (gpointer data)
{
  Clearing *clearing = data;
  g_autoptr (GtkWidget) page = g_weak_ref_get (&clearing->page);
  const gint64 before = get_before (clearing);
  const gboolean also_pinned = gtk_check_button_get_active (clearing->pinned);

  if (page == NULL)
    {
      clearing_unref (clearing);
      return;
    }
  clearing->started (page, clearing->cancellable);
  if (clearing->only_attachments)
    gadget_store_clear_attachments_async (gadget_engine_get_store (clearing->engine), before,
                                          also_pinned, clearing->cancellable, images_removed_cb,
                                          clearing);
  else
    gadget_engine_clear_chats_async (clearing->engine, before, also_pinned, clearing->cancellable,
                                     chats_deleted_cb, clearing);
}

static char *
dup_preview (const Clearing *clearing, const GadgetStorageOld *old)
{
  const guint n = clearing->only_attachments ? old->n_attachments : old->n_chats;
  g_autofree char *size = g_format_size (
      (guint64) (clearing->only_attachments ? old->attachments : old->texts + old->attachments));

  if (n == 0)
    return g_strdup (clearing->only_attachments ? _ ("There is no such image.")
                                                : _ ("There is no such chat."));
  if (clearing->only_attachments)
    /* Translators: the second argument is a size, as "3 MB" */
    return g_strdup_printf (ngettext ("%'u image is removed, which takes %s.",
                                      "%'u images are removed, which take %s.", n),
                            n, size);
  /* Translators: the second argument is a size, as "3 MB" */
  return g_strdup_printf (
      ngettext ("%'u chat is deleted, which takes %s.", "%'u chats are deleted, which take %s.", n),
      n, size);
}

/* A measurement of what the dialog says; later ones make it outdated. */
typedef struct
{
  Clearing *clearing;
  guint number;
} Measurement;

static void
old_measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Measurement *measurement = user_data;
  Clearing *clearing = measurement->clearing;
  g_autoptr (AdwAlertDialog) dialog = g_weak_ref_get (&clearing->dialog);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetStorageOld old = { 0 };

  if (!gadget_storage_measure_old_finish (result, &old, &error))
    g_message ("old chats could not be measured: %s", error->message);
  if (dialog != NULL && measurement->number == clearing->n_measured)
    {
      text = error == NULL ? dup_preview (clearing, &old) : gadget_labels_error (error, NULL);
      gtk_label_set_label (clearing->preview, text);
      adw_alert_dialog_set_response_enabled (
          dialog, "clear", (clearing->only_attachments ? old.n_attachments : old.n_chats) > 0);
    }
  clearing_unref (clearing);
}

/* Called when the user chooses something else. */
static void
measure_old (Clearing *clearing)
{
  g_autoptr (AdwAlertDialog) dialog = g_weak_ref_get (&clearing->dialog);
  Measurement *measurement = g_new0 (Measurement, 1);

  if (dialog != NULL)
    adw_alert_dialog_set_response_enabled (dialog, "clear", FALSE);
  measurement->clearing = g_atomic_rc_box_acquire (clearing);
  measurement->number = ++clearing->n_measured;
  gadget_storage_measure_old_async (
      gadget_store_get_directory (gadget_engine_get_store (clearing->engine)),
      get_before (clearing), gtk_check_button_get_active (clearing->pinned),
      clearing->only_attachments, old_measured_cb, measurement);
}

static GtkWidget *
make_old_content (Clearing *clearing)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *days = adw_spin_row_new_with_range (1, OLD_DAYS_MAX, 1);
  GtkWidget *preview = gtk_label_new (NULL);

  clearing->days = ADW_SPIN_ROW (days);
  clearing->preview = GTK_LABEL (preview);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (days), _ ("Days Not Used"));
  adw_spin_row_set_value (clearing->days, OLD_DAYS_DEFAULT);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), days);
  gtk_label_set_wrap (clearing->preview, TRUE);
  gtk_label_set_xalign (clearing->preview, 0);
  gtk_widget_add_css_class (preview, "heading");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Which chats"), -1);
  gtk_box_append (GTK_BOX (box), list);
  gtk_box_append (GTK_BOX (box), add_pinned (clearing, clearing->only_attachments
                                                           ? _ ("Also of chats that are pinned")
                                                           : _ ("Also chats that are pinned")));
  gtk_box_append (GTK_BOX (box), preview);
  /* The dialog, which has both, holds a reference to the clearing. */
  g_signal_connect_swapped (days, "notify::value", G_CALLBACK (measure_old), clearing);
  g_signal_connect_swapped (clearing->pinned, "toggled", G_CALLBACK (measure_old), clearing);
  return box;
}

void
gadget_storage_clearing_ask_old (GtkWidget *page, GadgetEngine *engine, gboolean only_attachments,
                                 GCancellable *cancellable,
                                 void (*started) (GtkWidget *page, GCancellable *cancellable),
                                 GadgetStorageCleared cleared)
{
  Clearing *clearing = clearing_new (page, engine, cleared, start_old);
  const char *title = only_attachments ? _ ("Clear Attachments?") : _ ("Clear Chats?");
  const char *body =
      only_attachments
          ? _ ("The images of chats that were not used for so long are removed; their names stay "
               "in the chats. They can no longer be shown, and no model can look at them again. "
               "Texts of attached files stay.")
          : _ ("Chats that were not used for so long are deleted with their attachments, and their "
               "changes of files can no longer be undone. A chat that is running stays, and so "
               "does "
               "one with a message that was not sent.");

  clearing->only_attachments = only_attachments;
  clearing->cancellable = g_object_ref (cancellable);
  clearing->started = started;
  g_weak_ref_set (&clearing->dialog,
                  ask (page, clearing, title, body, make_old_content (clearing)));
  measure_old (clearing);
}
