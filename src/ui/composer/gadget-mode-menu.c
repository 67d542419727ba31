/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-mode-menu.h"

#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

struct _GadgetModeMenu
{
  GtkPopover parent_instance;

  GtkListBox *list;
  GtkWidget *checks[GADGET_MODE_SANDBOX + 1];
  GadgetMode used;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* The order in the menu: from the mode that does the least without asking to that which does the
 * most. */
static const GadgetMode order[] = { GADGET_MODE_READ_ONLY, GADGET_MODE_ASK,
                                    GADGET_MODE_ACCEPT_EDITS, GADGET_MODE_SANDBOX };

G_DEFINE_FINAL_TYPE (GadgetModeMenu, gadget_mode_menu, GTK_TYPE_POPOVER)

static GtkListBoxRow *
get_row (GadgetModeMenu *self, GadgetMode mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (order[i] == mode)
      return gtk_list_box_get_row_at_index (self->list, (int) i);
  return NULL;
}

static void
row_activated_cb (GadgetModeMenu *self, GtkListBoxRow *row)
{
  const GadgetMode mode = order[gtk_list_box_row_get_index (row)];

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, (int) mode);
}

/* The current mode gets the focus. */
static void
map_cb (GadgetModeMenu *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (get_row (self, self->used)));
}

static GtkWidget *
make_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  if (css_class != NULL)
    {
      gtk_widget_add_css_class (label, css_class);
      gtk_widget_add_css_class (label, "dimmed");
    }
  return label;
}

static void
add_mode (GadgetModeMenu *self, GadgetMode mode)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (gadget_labels_mode_icon (mode)));
  gtk_box_append (GTK_BOX (words), make_text (gadget_labels_mode (mode), NULL));
  gtk_box_append (GTK_BOX (words), make_text (gadget_labels_mode_detail (mode), "caption"));
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), check);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gadget_labels_mode (mode), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  gadget_labels_mode_detail (mode), -1);
  gtk_list_box_append (self->list, row);
  self->checks[mode] = check;
}

static void
gadget_mode_menu_class_init (GadgetModeMenuClass *klass)
{
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
gadget_mode_menu_init (GadgetModeMenu *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Permissions"), -1);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    add_mode (self, order[i]);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  g_signal_connect (self, "map", G_CALLBACK (map_cb), NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "menu");
  gtk_widget_add_css_class (GTK_WIDGET (self), "model-menu");
  gtk_popover_set_child (GTK_POPOVER (self), GTK_WIDGET (self->list));
}

GtkWidget *
gadget_mode_menu_new (void)
{
  return g_object_new (GADGET_TYPE_MODE_MENU, NULL);
}

void
gadget_mode_menu_show (GadgetModeMenu *self, GadgetMode mode)
{
  g_return_if_fail (GADGET_IS_MODE_MENU (self));

  self->used = mode;
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      GtkListBoxRow *row = get_row (self, order[i]);

      gtk_widget_set_opacity (self->checks[order[i]], order[i] == mode ? 1 : 0);
      gtk_accessible_update_state (
          GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_CHECKED,
          order[i] == mode ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
    }
}
