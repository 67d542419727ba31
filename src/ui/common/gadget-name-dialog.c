/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-name-dialog.h"

#include <glib/gi18n.h>

AdwDialog *
gadget_name_dialog_new (const char *heading, const char *name, const char *accept)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, NULL);
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry), name);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Title"), -1);
  adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog), entry);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "accept",
                                  accept, NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "accept",
                                            ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "accept");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  return dialog;
}

char *
gadget_name_dialog_dup_name (AdwAlertDialog *dialog, const char *response)
{
  GtkWidget *entry = adw_alert_dialog_get_extra_child (dialog);
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

  return g_str_equal (response, "accept") && *name != '\0' ? g_steal_pointer (&name) : NULL;
}

void
gadget_name_dialog_present (AdwDialog *dialog, GtkWidget *parent)
{
  adw_dialog_present (dialog, parent);
  gtk_widget_grab_focus (adw_alert_dialog_get_extra_child (ADW_ALERT_DIALOG (dialog)));
}
