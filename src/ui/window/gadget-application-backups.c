/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weekly backup: while the program runs it looks each hour whether one is due, for the first
 * time when it has been running for a minute, since a start has other things to do. The database is
 * checked before it is copied; if it is damaged, the user is told once. */

#define G_LOG_DOMAIN "gadget"

#include "config.h"

#include "gadget-application-private.h"

#include "store/gadget-backup.h"

#include <glib/gi18n.h>

#define FIRST_S 60
#define NEXT_S (60 * 60)

static void
answered_cb (AdwAlertDialog *dialog, const char *response, GtkWidget *window)
{
  if (g_str_equal (response, "storage"))
    gtk_widget_activate_action (window, "win.preferences-page", "s", "storage");
}

static void
show_damage (GadgetApplication *self)
{
  GadgetWindow *window = _gadget_application_get_window (self);
  AdwDialog *dialog = adw_alert_dialog_new (
      _ ("Some Data Is Damaged"),
      _ ("Gadget checked its data and could not read all of it. Chats that open are whole. The "
         "backups are from before the damage, and can be restored."));

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "close", _ ("_Later"), "storage",
                                  _ ("_Show Backups"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "storage",
                                            ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "storage");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "close");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), window, G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (window));
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_backups_make_finish (result, &error))
    return;
  g_message ("no backup could be made: %s", error->message);
  if (!g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT) || self->damage_shown
      || _gadget_application_get_window (self) == NULL || self->leaving)
    return;
  self->damage_shown = TRUE;
  show_damage (self);
}

void
_gadget_application_look_for_backup (GadgetApplication *self)
{
  if (!self->leaving)
    gadget_backups_make_async (gadget_store_get_directory (gadget_engine_get_store (self->engine)),
                               FALSE, NULL, made_cb, g_object_ref (self));
}

static gboolean
next_cb (gpointer user_data)
{
  _gadget_application_look_for_backup (user_data);
  return G_SOURCE_CONTINUE;
}

static void
first_cb (gpointer user_data)
{
  GadgetApplication *self = user_data;

  _gadget_application_look_for_backup (self);
  self->backup_id = g_timeout_add_seconds (NEXT_S, next_cb, self);
  g_source_set_name_by_id (self->backup_id, "[gadget] look whether a backup is due");
}

void
_gadget_application_watch_backups (GadgetApplication *self)
{
  if (self->backup_id != 0)
    return;
  self->backup_id = g_timeout_add_seconds_once (FIRST_S, first_cb, self);
  g_source_set_name_by_id (self->backup_id, "[gadget] look whether a backup is due");
}
