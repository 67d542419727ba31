/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-text-row"

#include "config.h"

#include "gadget-text-row.h"

#include <glib/gi18n.h>

struct _GadgetTextRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetSelectableText *piece;
};

G_DEFINE_FINAL_TYPE (GadgetTextRow, gadget_text_row, GADGET_TYPE_ROW)

static void
gadget_text_row_update (GadgetRow *row)
{
  GadgetTextRow *self = GADGET_TEXT_ROW (row);
  gsize length;
  const char *text = gadget_row_data_get_text (gadget_row_get_data (row), &length);

  gadget_selectable_text_set_text (self->piece, text, length);
  gadget_row_join_card (row, self->card);
}

static void
name_row (GadgetTextRow *self, const char *css_class, const char *name)
{
  gtk_widget_add_css_class (self->card, css_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
gadget_text_row_bind (GadgetRow *row)
{
  GadgetTextRow *self = GADGET_TEXT_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  const GadgetRowKind kind = gadget_row_data_get_kind (data);

  if (kind == GADGET_ROW_KIND_REASONING_TEXT)
    name_row (self, "reasoning-text",
              gadget_item_get_kind (gadget_row_data_get_item (data)) == GADGET_ITEM_SUMMARY
                  ? _ ("Summary")
                  : _ ("Reasoning"));
  else if (kind == GADGET_ROW_KIND_TOOL_ARGUMENTS)
    name_row (self, "tool-arguments", _ ("Tool arguments"));
  else
    name_row (self, "tool-output", _ ("Tool output"));
}

static void
gadget_text_row_class_init (GadgetTextRowClass *klass)
{
  GadgetRowClass *row_class = GADGET_ROW_CLASS (klass);

  row_class->bind = gadget_text_row_bind;
  row_class->update = gadget_text_row_update;
}

static void
gadget_text_row_init (GadgetTextRow *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_WRAP));
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->piece));
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), self->piece);
}
