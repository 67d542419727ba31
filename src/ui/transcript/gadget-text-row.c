/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-text-row"

#include "config.h"

#include "gadget-text-row.h"

#include <glib/gi18n.h>

struct _GadgetTextRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetTextPiece *piece;
};

G_DEFINE_FINAL_TYPE (GadgetTextRow, gadget_text_row, GADGET_TYPE_ROW)

/* The caret is at the end of a text that is still being written. */
static void
update_caret (GadgetTextRow *self)
{
  GadgetBlock *block = gadget_row_get_block (GADGET_ROW (self));
  GadgetItem *item = gadget_block_get_item (block);

  gadget_text_piece_set_caret (
      self->piece, gadget_block_get_kind (block) == GADGET_BLOCK_TEXT
                       && gadget_item_get_status (item) == GADGET_ITEM_STREAMING
                       && gadget_block_get_end (block) >= gadget_item_get_length (item));
}

static void
status_cb (GadgetTextRow *self)
{
  update_caret (self);
}

static void
gadget_text_row_update (GadgetRow *row)
{
  GadgetTextRow *self = GADGET_TEXT_ROW (row);
  gsize length;
  const char *text = gadget_block_get_text (gadget_row_get_block (row), &length);

  gadget_text_piece_set_text (self->piece, text, length);
  gadget_row_join (row, self->card);
  update_caret (self);
}

static void
name_row (GadgetTextRow *self, const char *css_class, const char *name)
{
  if (css_class != NULL)
    gtk_widget_add_css_class (self->card, css_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
gadget_text_row_bind (GadgetRow *row)
{
  GadgetTextRow *self = GADGET_TEXT_ROW (row);
  GadgetBlock *block = gadget_row_get_block (row);

  switch (gadget_block_get_kind (block))
    {
    case GADGET_BLOCK_NOTE:
      name_row (self, "note", _ ("Note"));
      break;
    case GADGET_BLOCK_REASONING_TEXT:
      name_row (self, "reasoning-text",
                gadget_item_get_kind (gadget_block_get_item (block)) == GADGET_ITEM_SUMMARY
                    ? _ ("Summary")
                    : _ ("Reasoning"));
      break;
    case GADGET_BLOCK_TOOL_ARGUMENTS:
      name_row (self, "tool-arguments", _ ("Arguments of the tool"));
      break;
    case GADGET_BLOCK_TOOL_OUTPUT:
      name_row (self, "tool-output", _ ("Output of the tool"));
      break;
    case GADGET_BLOCK_TEXT:
    case GADGET_BLOCK_PROMPT:
    case GADGET_BLOCK_STEER:
    case GADGET_BLOCK_SUMMARY:
    case GADGET_BLOCK_REASONING:
    case GADGET_BLOCK_TOOL:
    case GADGET_BLOCK_DIFF:
    case GADGET_BLOCK_GROUP:
    case GADGET_BLOCK_PICTURE:
    case GADGET_BLOCK_ASK:
    case GADGET_BLOCK_ABORTED:
    case GADGET_BLOCK_ERROR:
    case GADGET_BLOCK_UNSAVED:
    case GADGET_BLOCK_FOOTER:
    default:
      name_row (self, NULL, _ ("Answer"));
      break;
    }
  g_signal_connect_object (gadget_block_get_item (block), "notify::status", G_CALLBACK (status_cb),
                           self, G_CONNECT_SWAPPED);
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
  self->piece = GADGET_TEXT_PIECE (gadget_text_piece_new (GADGET_TEXT_WRAP));
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->piece));
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), self->piece);
}
