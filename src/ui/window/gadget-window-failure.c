/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Actions for data that cannot be opened. Each of them ends by starting the program again, with all
 * objects made anew; except for the one that shows the folder. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-window-private.h"

#include "store/gadget-store.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>

static char *
dup_data_dir (void)
{
  return g_build_filename (g_get_user_data_dir (), "gadget", NULL);
}

static void
start_again_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_signal_emit_by_name (widget, "start-again");
}

/* After everything was deleted: what is in the composers of all windows is not saved as the draft
 * of the new chat. */
static void
start_empty_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (GADGET_IS_WINDOW (window))
        gadget_chat_discard_drafts (GADGET_WINDOW (window)->chat);
    }
  g_signal_emit_by_name (widget, "start-again");
}

static void
show_data_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *path = dup_data_dir ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (folder);

  gtk_file_launcher_launch (launcher, GTK_WINDOW (widget), NULL, NULL, NULL);
}

static void
set_aside_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (gadget_store_set_aside_finish (result, &error))
    {
      g_signal_emit_by_name (self, "start-again");
      return;
    }
  text = gadget_error_labels_dup (_ ("The file could not be set aside."), error);
  gadget_chat_add_toast (self->chat, gadget_toast_new (text));
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, GadgetWindow *self)
{
  g_autofree char *path = dup_data_dir ();

  if (g_str_equal (response, "start"))
    gadget_store_set_aside_async (path, set_aside_cb, g_object_ref (self));
}

static void
start_fresh_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  AdwDialog *dialog = adw_alert_dialog_new (
      _ ("Start Fresh?"),
      _ ("Gadget begins without chats, providers and rules. The file that cannot be opened is kept "
         "in its folder, under another name."));

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "start",
                                  _ ("_Start Fresh"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "start",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), widget, G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, widget);
}

void
_gadget_window_install_failure (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.start-again", NULL, start_again_action);
  gtk_widget_class_install_action (widget_class, "win.start-empty", NULL, start_empty_action);
  gtk_widget_class_install_action (widget_class, "win.show-data", NULL, show_data_action);
  gtk_widget_class_install_action (widget_class, "win.start-fresh", NULL, start_fresh_action);

  /* Emitted when the program is to leave and to be started anew. */
  g_signal_new ("start-again", G_TYPE_FROM_CLASS (widget_class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 0);
}
