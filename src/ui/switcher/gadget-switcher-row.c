/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-switcher"

#include "config.h"

#include "gadget-switcher-row.h"

#include "ui/common/gadget-keycap.h"
#include "ui/common/gadget-text-attributes.h"

#include <string.h>

struct _GadgetSwitcherRow
{
  GtkListBoxRow parent_instance;

  GtkBox *box;
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *detail;

  GadgetSwitcherEntry *entry;
};

G_DEFINE_FINAL_TYPE (GadgetSwitcherRow, gadget_switcher_row, GTK_TYPE_LIST_BOX_ROW)

/* Finds a case-folded word in a text. Case folding may change lengths, so the text is folded from
 * each character on. */
static gboolean
find_word (const char *text, const char *word, gsize *begin, gsize *end)
{
  for (const char *from = text; *from != '\0'; from = g_utf8_next_char (from))
    for (const char *to = from; *to != '\0';)
      {
        g_autofree char *folded = NULL;

        to = g_utf8_next_char (to);
        folded = g_utf8_casefold (from, to - from);
        if (g_str_equal (folded, word))
          {
            *begin = (gsize) (from - text);
            *end = (gsize) (to - text);
            return TRUE;
          }
        if (!g_str_has_prefix (word, folded))
          break;
      }
  return FALSE;
}

static void
mark_words (GadgetSwitcherRow *self, const char *text)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *folded = g_utf8_casefold (words[i], -1);
      gsize begin, end;

      if (*folded != '\0' && find_word (self->entry->title, folded, &begin, &end))
        gadget_text_attributes_embolden (attributes, begin, end);
    }
  gtk_label_set_attributes (self->title, attributes);
}

/* GtkListBoxRow takes care of the child, which is the template. */
static void
gadget_switcher_row_finalize (GObject *object)
{
  GadgetSwitcherRow *self = GADGET_SWITCHER_ROW (object);

  gadget_switcher_entry_free (self->entry);

  G_OBJECT_CLASS (gadget_switcher_row_parent_class)->finalize (object);
}

static void
gadget_switcher_row_class_init (GadgetSwitcherRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gadget_switcher_row_finalize;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/switcher/gadget-switcher-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcherRow, box);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcherRow, icon);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcherRow, title);
  gtk_widget_class_bind_template_child (widget_class, GadgetSwitcherRow, detail);
}

static void
gadget_switcher_row_init (GadgetSwitcherRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_switcher_row_new (GadgetSwitcherEntry *entry, const char *text, gboolean narrow)
{
  GadgetSwitcherRow *self = g_object_new (GADGET_TYPE_SWITCHER_ROW, NULL);

  self->entry = entry;
  gtk_image_set_from_icon_name (self->icon, entry->icon);
  gtk_label_set_label (self->title, entry->title);
  gtk_label_set_label (self->detail, entry->detail != NULL ? entry->detail : "");
  if (entry->group != GADGET_SWITCHER_SEARCH)
    mark_words (self, text);
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "switcher-search");
  if (entry->accelerator != NULL && !narrow)
    gtk_box_append (self->box, gadget_keycap_new (entry->accelerator));
  return GTK_WIDGET (self);
}

const GadgetSwitcherEntry *
gadget_switcher_row_get_entry (GadgetSwitcherRow *self)
{
  g_return_val_if_fail (GADGET_IS_SWITCHER_ROW (self), NULL);
  return self->entry;
}
