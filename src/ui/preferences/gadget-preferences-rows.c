/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows, buttons and questions that several pages of the preferences use. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-preferences-rows.h"

#include <glib/gi18n.h>

GtkWidget *
gadget_preferences_mark (const char *icon, const char *style)
{
  GtkWidget *image = gtk_image_new_from_icon_name (icon);

  gtk_widget_add_css_class (image, style);
  return image;
}

GtkWidget *
gadget_preferences_icon_button (const char *icon, const char *tooltip, const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return button;
}

/* GTK labels the activatable widget of a row by the row's title, which says less than @label. */
GtkWidget *
gadget_preferences_add_change_button (AdwActionRow *row, const char *name)
{
  /* Translators: the accessible name of a button; the name of a provider or tool server */
  g_autofree char *label = g_strdup_printf (_ ("Change %s"), name);
  GtkWidget *button = gadget_preferences_icon_button ("go-next-symbolic", NULL, label);

  adw_action_row_add_suffix (row, button);
  adw_action_row_set_activatable_widget (row, button);
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  return button;
}

GtkWidget *
gadget_preferences_add_row (const char *title)
{
  GtkWidget *row = adw_button_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_button_row_set_start_icon_name (ADW_BUTTON_ROW (row), "list-add-symbolic");
  return row;
}

char *
gadget_preferences_dup_text (AdwEntryRow *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

void
gadget_preferences_set_text (AdwEntryRow *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
}

void
gadget_preferences_set_sensitive (GtkWidget *form, gboolean sensitive)
{
  GtkRoot *root = gtk_widget_get_root (form);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!sensitive && focus != NULL && gtk_widget_is_ancestor (focus, form))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_sensitive (form, sensitive);
}

/* --- Questions --- */

GtkWidget *
gadget_preferences_check (const char *text)
{
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), label);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  label, NULL, -1);
  return check;
}

/* The data of the dialog: what to call when the user agrees. */
typedef struct
{
  GWeakRef owner;
  void (*confirmed) (GtkWidget *owner);
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
  Question *question = data;

  g_weak_ref_clear (&question->owner);
  g_free (question);
}

static void
answered_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GtkWidget) owner = g_weak_ref_get (&question->owner);

  if (owner != NULL && g_str_equal (response, "confirm"))
    question->confirmed (owner);
}

void
gadget_preferences_confirm (GtkWidget *owner, const char *title, const char *body,
                            const char *action, void (*confirmed) (GtkWidget *owner))
{
  AdwDialog *dialog = adw_alert_dialog_new (title, body);
  Question *question = g_new0 (Question, 1);

  g_weak_ref_init (&question->owner, owner);
  question->confirmed = confirmed;
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "confirm",
                                  action, NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "confirm",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered_cb), question, question_free,
                         G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, owner);
}

void
gadget_preferences_confirm_exposed (GtkWidget *owner, void (*confirmed) (GtkWidget *owner))
{
  gadget_preferences_confirm (
      owner, _ ("Send Without Encryption?"),
      _ ("The address begins with http:, and is not in your own network. Everything that is sent "
         "there, the key too, can be read and changed on its way."),
      _ ("_Save Anyway"), confirmed);
}

/* Scrolls in the second frame: the row is laid out in the first. */
static gboolean
reveal_cb (GtkWidget *row, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (row, GTK_TYPE_VIEWPORT);
  guint *n_frames = user_data;

  if (++*n_frames == 1)
    return G_SOURCE_CONTINUE;
  if (viewport != NULL)
    gtk_viewport_scroll_to (GTK_VIEWPORT (viewport), row, NULL);
  return G_SOURCE_REMOVE;
}

void
gadget_preferences_reveal (GtkWidget *row)
{
  gtk_widget_add_tick_callback (row, reveal_cb, g_new0 (guint, 1), g_free);
}
