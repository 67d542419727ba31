/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of general preferences. It shows GSettings: most rows are bound to a key, and the others
 * are set from it and write it in their callbacks. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-general-page.h"

#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-settings.h"

#include <glib/gi18n.h>

struct _GadgetGeneralPage
{
  AdwPreferencesPage parent_instance;

  AdwComboRow *style_row;
  AdwPreferencesGroup *chats_group;
  AdwComboRow *mode_row;
  AdwActionRow *folder_row;
  GtkWidget *clear_button;
  GtkWidget *minutes_row;
  GtkWidget *steps_row;
  GtkWidget *tokens_row;
  GtkWidget *cost_row;
  GtkWidget *day_cost_row;
  GtkWidget *hard_row;
  GtkWidget *writing_group;
  GtkWidget *spelling_row;

  GSettings *settings; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GadgetGeneralPage, gadget_general_page, ADW_TYPE_PREFERENCES_PAGE)

static const char *const styles[] = { "default", "light", "dark" };

static const GadgetMode modes[] = { GADGET_MODE_ASK, GADGET_MODE_ACCEPT_EDITS,
                                    GADGET_MODE_READ_ONLY, GADGET_MODE_SANDBOX };

/* --- Reading the settings --- */

static void
show_style (GadgetGeneralPage *self)
{
  g_autofree char *style = g_settings_get_string (self->settings, "color-scheme");

  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    if (g_str_equal (styles[i], style))
      adw_combo_row_set_selected (self->style_row, i);
}

static void
show_mode (GadgetGeneralPage *self)
{
  const GadgetMode mode = gadget_settings_get_mode (self->settings);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (modes[i] == mode)
      adw_combo_row_set_selected (self->mode_row, i);
  /* The detail is the description of the group, because in the row it would leave no space for the
   * mode's name in a narrow window. The row gets it as its accessible description; the relation to
   * the empty subtitle would take precedence, so it is reset. */
  adw_preferences_group_set_description (self->chats_group, gadget_labels_mode_detail (mode));
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->mode_row),
                                 GTK_ACCESSIBLE_RELATION_DESCRIBED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->mode_row),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  gadget_labels_mode_detail (mode), -1);
}

static void
show_folder (GadgetGeneralPage *self)
{
  g_autofree char *path = gadget_settings_dup_folder (self->settings);
  g_autofree char *shown = path != NULL ? gadget_effect_labels_dup_path (path, NULL) : NULL;

  adw_action_row_set_subtitle (self->folder_row,
                               shown != NULL ? shown : _ ("That of the chat before"));
  gtk_widget_set_visible (self->clear_button, path != NULL);
}

/* --- Writing the settings --- */

static void
style_cb (GadgetGeneralPage *self)
{
  if (self->settings != NULL)
    g_settings_set_string (self->settings, "color-scheme",
                           styles[adw_combo_row_get_selected (self->style_row)]);
}

static void
mode_cb (GadgetGeneralPage *self)
{
  if (self->settings == NULL)
    return;
  g_settings_set_string (
      self->settings, "default-mode",
      gadget_mode_to_string (modes[adw_combo_row_get_selected (self->mode_row)]));
  show_mode (self);
}

static void
clear_cb (GadgetGeneralPage *self)
{
  if (self->settings != NULL)
    g_settings_reset (self->settings, "default-folder");
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetGeneralPage) self = user_data;
  g_autoptr (GFile) folder =
      gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (folder != NULL && g_file_peek_path (folder) != NULL && self->settings != NULL)
    gadget_settings_set_folder (self->settings, g_file_peek_path (folder));
}

static void
choose_cb (GadgetGeneralPage *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Choose a Folder"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Choose"));
  gtk_file_dialog_select_folder (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, g_object_ref (self));
}

/* --- The object --- */

static void
gadget_general_page_dispose (GObject *object)
{
  g_clear_object (&GADGET_GENERAL_PAGE (object)->settings);
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_GENERAL_PAGE);

  G_OBJECT_CLASS (gadget_general_page_parent_class)->dispose (object);
}

static void
gadget_general_page_class_init (GadgetGeneralPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_general_page_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-general-page.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, style_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, chats_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, mode_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, folder_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, clear_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, minutes_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, steps_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, tokens_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, cost_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, day_cost_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, hard_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, writing_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetGeneralPage, spelling_row);
  gtk_widget_class_bind_template_callback (widget_class, style_cb);
  gtk_widget_class_bind_template_callback (widget_class, mode_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
}

static void
fill_modes (GadgetGeneralPage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    gtk_string_list_append (names, gadget_labels_mode (modes[i]));
  adw_combo_row_set_model (self->mode_row, G_LIST_MODEL (names));
}

static void
bind_limits (GadgetGeneralPage *self)
{
  g_settings_bind (self->settings, "limit-minutes", self->minutes_row, "value",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "limit-steps", self->steps_row, "value",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "limit-kilotokens", self->tokens_row, "value",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "limit-dollars", self->cost_row, "value",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "limit-day-dollars", self->day_cost_row, "value",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "limits-hard", self->hard_row, "active",
                   G_SETTINGS_BIND_DEFAULT);
}

static void
gadget_general_page_init (GadgetGeneralPage *self)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  fill_modes (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self), settings != NULL);
  if (settings == NULL)
    return;
  self->settings = g_object_ref (settings);
  show_style (self);
  show_mode (self);
  show_folder (self);
  bind_limits (self);
  g_signal_connect_object (settings, "changed::default-folder", G_CALLBACK (show_folder), self,
                           G_CONNECT_SWAPPED);
#ifdef HAVE_SPELLING
  gtk_widget_set_visible (self->writing_group, TRUE);
  g_settings_bind (settings, "check-spelling", self->spelling_row, "active",
                   G_SETTINGS_BIND_DEFAULT);
#endif
}
