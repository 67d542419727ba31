/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-clearing.h"

#include "effects/gadget-snapshot-service.h"
#include "gadget-preferences-rows.h"
#include "process/sandbox/gadget-sandbox-cache.h"

#include <glib/gi18n.h>

/* One thing to clear, from its question to its end. */
typedef struct
{
  GWeakRef page;
  GadgetEngine *engine;
  GtkCheckButton *pinned; /* (nullable) */
  GadgetStorageCleared cleared;
  void (*start) (gpointer clearing);
} Clearing;

static Clearing *
clearing_new (GtkWidget *page, GadgetEngine *engine, GadgetStorageCleared cleared,
              void (*start) (gpointer clearing))
{
  Clearing *clearing = g_atomic_rc_box_new0 (Clearing);

  g_weak_ref_init (&clearing->page, page);
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
  g_object_unref (clearing->engine);
  g_clear_object (&clearing->pinned);
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
    clearing->cleared (page, error == NULL ? text : NULL, error);
  clearing_unref (clearing);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Clearing *clearing = user_data;

  if (g_str_equal (response, "clear"))
    clearing->start (g_atomic_rc_box_acquire (clearing));
}

/* @clearing is (transfer full). */
static void
ask (GtkWidget *page, Clearing *clearing, const char *title, const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (title, body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "clear",
                                  _ ("C_lear"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "clear",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  if (clearing->pinned != NULL)
    adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (clearing->pinned));
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered_cb), clearing, closure_unref,
                         G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, page);
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
  GtkWidget *pinned = gadget_preferences_check (_ ("Also of chats that are pinned"));

  clearing->pinned = GTK_CHECK_BUTTON (g_object_ref_sink (pinned));
  ask (page, clearing, _ ("Clear Undo Data?"), body);
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

  ask (page, clearing_new (page, engine, cleared, start_caches), _ ("Clear Caches?"), body);
}
