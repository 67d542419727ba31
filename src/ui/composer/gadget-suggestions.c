/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The popover for commands and mentions. It has no focus: the composer passes on the keys that are
 * pressed in its text. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-suggestions.h"

#include "common/gadget-bidi.h"
#include "ui/common/gadget-announcer.h"

#include <glib/gi18n.h>

#define VALUE_KEY "gadget-value"
#define LABEL_KEY "gadget-label"
#define NAME_CHARACTERS 40
#define NARROW_NAME_CHARACTERS 20
/* These are at least as wide whatever is in them, see make_content (). */
#define LEAST_NAME_CHARACTERS 11
#define LEAST_DETAIL_CHARACTERS 3

struct _GadgetSuggestions
{
  GtkPopover parent_instance;

  GtkListBox *list;
  gboolean narrow;
  gboolean attachable;
};

enum
{
  CHOSEN,
  ATTACH,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSuggestions, gadget_suggestions, GTK_TYPE_POPOVER)

static void
activated_cb (GadgetSuggestions *self, GtkListBoxRow *row)
{
  g_autofree char *value = g_strdup (g_object_get_data (G_OBJECT (row), VALUE_KEY));

  g_signal_emit (self, signals[CHOSEN], 0, value);
}

static void
gadget_suggestions_class_init (GadgetSuggestionsClass *klass)
{
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ATTACH] = g_signal_new ("attach", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* GTK closes a popover that gets less than its minimum size. When it is shown again, or when its
 * rows change, it may get the size that it had before first. So the minimum must not depend on the
 * rows. */
static GtkWidget *
make_content (GadgetSuggestions *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  return scrolled;
}

static void
gadget_suggestions_init (GadgetSuggestions *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_widget_set_can_focus (GTK_WIDGET (self->list), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "suggestions");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Suggestions"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (activated_cb), self);

  gtk_popover_set_child (GTK_POPOVER (self), make_content (self));
  gtk_popover_set_autohide (GTK_POPOVER (self), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self), GTK_POS_TOP);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "menu");
}

GtkWidget *
gadget_suggestions_new (void)
{
  return g_object_new (GADGET_TYPE_SUGGESTIONS, NULL);
}

void
gadget_suggestions_clear (GadgetSuggestions *self, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_SUGGESTIONS (self));

  self->narrow = narrow;
  gtk_list_box_remove_all (self->list);
}

void
gadget_suggestions_set_attachable (GadgetSuggestions *self)
{
  g_return_if_fail (GADGET_IS_SUGGESTIONS (self));
  self->attachable = TRUE;
}

static void
attach_cb (GtkWidget *button, GadgetSuggestions *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
  g_autofree char *value = g_strdup (g_object_get_data (G_OBJECT (row), VALUE_KEY));

  g_signal_emit (self, signals[ATTACH], 0, value);
}

/* Adds a button for the pointer; the focus stays in the text. */
static void
add_attach_button (GadgetSuggestions *self, GtkWidget *row, GtkWidget *box)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("mail-attachment-symbolic");

  gtk_widget_set_can_focus (button, FALSE);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_tooltip_text (button, _ ("Attach Instead (Ctrl+Enter)"));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "suggestion-attach");
  g_signal_connect_object (button, "clicked", G_CALLBACK (attach_cb), self, G_CONNECT_DEFAULT);
  gtk_box_append (GTK_BOX (box), button);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Ctrl+Enter attaches it instead"), -1);
}

/**
 * gadget_suggestions_add:
 * @value: the argument of "chosen" and "attach"
 * @title: the text of the row
 * @detail: what the suggestion does, or where it is; may be ""
 */
void
gadget_suggestions_add (GadgetSuggestions *self, const char *value, const char *title,
                        const char *detail)
{
  GtkWidget *box;
  GtkWidget *name;
  GtkWidget *words;
  GtkWidget *row;
  g_autofree char *shown_title = NULL;
  g_autofree char *shown_detail = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (GADGET_IS_SUGGESTIONS (self) && value != NULL && title != NULL);

  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  shown_title = gadget_bidi_escape (title);
  shown_detail = gadget_bidi_escape (detail);
  name = gtk_label_new (shown_title);
  words = gtk_label_new (shown_detail);
  row = gtk_list_box_row_new ();
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), LEAST_NAME_CHARACTERS);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (name),
                                 self->narrow ? NARROW_NAME_CHARACTERS : NAME_CHARACTERS);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_label_set_width_chars (GTK_LABEL (words), LEAST_DETAIL_CHARACTERS);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (words), self->narrow ? 20 : 60);
  gtk_widget_add_css_class (words, "dimmed");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), VALUE_KEY, g_strdup (value), g_free);
  label = *detail != '\0' ? g_strdup_printf ("%s, %s", title, detail) : g_strdup (title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data_full (G_OBJECT (row), LABEL_KEY, g_steal_pointer (&label), g_free);
  if (self->attachable)
    add_attach_button (self, row, box);
  gtk_list_box_append (self->list, row);
}

guint
gadget_suggestions_get_n (GadgetSuggestions *self)
{
  guint n = 0;

  g_return_val_if_fail (GADGET_IS_SUGGESTIONS (self), 0);

  while (gtk_list_box_get_row_at_index (self->list, (int) n) != NULL)
    n++;
  return n;
}

const char *
gadget_suggestions_get_selected (GadgetSuggestions *self)
{
  GtkListBoxRow *row;

  g_return_val_if_fail (GADGET_IS_SUGGESTIONS (self), NULL);

  row = gtk_list_box_get_selected_row (self->list);
  return row != NULL ? g_object_get_data (G_OBJECT (row), VALUE_KEY) : NULL;
}

void
gadget_suggestions_select (GadgetSuggestions *self, guint index)
{
  g_return_if_fail (GADGET_IS_SUGGESTIONS (self));
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int) index));
}

/* Selects the next row or the one before, around the end of the list. */
static void
move (GadgetSuggestions *self, gboolean down)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  const guint n = gadget_suggestions_get_n (self);
  guint at;

  if (n == 0)
    return;
  at = row != NULL ? (guint) gtk_list_box_row_get_index (row) : 0;
  gadget_suggestions_select (self, (at + (down ? 1 : n - 1)) % n);
}

void
gadget_suggestions_announce (GadgetSuggestions *self)
{
  GtkListBoxRow *row;

  g_return_if_fail (GADGET_IS_SUGGESTIONS (self));

  row = gtk_list_box_get_selected_row (self->list);
  if (row != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gadget_announce (GTK_WIDGET (self), g_object_get_data (G_OBJECT (row), LABEL_KEY),
                     GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Returns what the key means, without doing it. */
static GadgetSuggestionsKey
read_key (GadgetSuggestions *self, guint keyval)
{
  if (self == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return GADGET_SUGGESTIONS_KEY_OTHER;
  switch (keyval)
    {
    case GDK_KEY_Escape:
      return GADGET_SUGGESTIONS_KEY_CLOSE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return GADGET_SUGGESTIONS_KEY_TAKEN;
    case GDK_KEY_Tab:
      return gadget_suggestions_get_selected (self) != NULL ? GADGET_SUGGESTIONS_KEY_COMPLETE
                                                            : GADGET_SUGGESTIONS_KEY_OTHER;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      return gadget_suggestions_get_selected (self) != NULL ? GADGET_SUGGESTIONS_KEY_CHOOSE
                                                            : GADGET_SUGGESTIONS_KEY_OTHER;
    default:
      return GADGET_SUGGESTIONS_KEY_OTHER;
    }
}

/**
 * gadget_suggestions_wants:
 * @self: (nullable):
 *
 * Returns: whether gadget_suggestions_press () would use the key
 */
gboolean
gadget_suggestions_wants (GadgetSuggestions *self, guint keyval)
{
  return read_key (self, keyval) != GADGET_SUGGESTIONS_KEY_OTHER;
}

GadgetSuggestionsKey
gadget_suggestions_press (GadgetSuggestions *self, guint keyval)
{
  const GadgetSuggestionsKey key = read_key (self, keyval);

  if (key == GADGET_SUGGESTIONS_KEY_TAKEN)
    {
      move (self, keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down);
      gadget_suggestions_announce (self);
    }
  return key;
}
