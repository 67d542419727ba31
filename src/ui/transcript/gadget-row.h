/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-block.h"
#include "gadget-text-piece.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ROW (gadget_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (GadgetRow, gadget_row, GADGET, ROW, GtkWidget)

/**
 * GadgetRowClass:
 * @bind: the block was set; called once
 * @update: the block's range or text changed, or it was folded or unfolded; called after @bind too
 *
 * A row of the transcript. It has one child that fills it, and listens by itself to what it shows.
 */
struct _GadgetRowClass
{
  GtkWidgetClass parent_class;

  void (*bind)   (GadgetRow *self);
  void (*update) (GadgetRow *self);
};

void             gadget_row_bind         (GadgetRow       *self,
                                          GadgetBlock     *block);
GadgetBlock     *gadget_row_get_block    (GadgetRow       *self);
void             gadget_row_update       (GadgetRow       *self);

/* For subclasses: the child, and within it the text that can be selected. */
void             gadget_row_set_child    (GadgetRow       *self,
                                          GtkWidget       *child);
void             gadget_row_set_piece    (GadgetRow       *self,
                                          GadgetTextPiece *piece);
GadgetTextPiece *gadget_row_get_piece    (GadgetRow       *self);

/* Folds or unfolds what the block folds away. The transcript does it. */
void             gadget_row_set_expanded (GadgetRow       *self,
                                          gboolean         expanded);

/* For subclasses: whether the row is updated each second, as long as it is on the screen. */
void             gadget_row_set_ticking  (GadgetRow       *self,
                                          gboolean         ticking);

/* For subclasses: the row is updated when more is known of what its turn changed. */
void             gadget_row_watch_changes (GadgetRow      *self);

/* For subclasses: a long text is several rows, which are drawn as one. */
void             gadget_row_join         (GadgetRow       *self,
                                          GtkWidget       *card);

/* The widget for a block, which it is bound to. (transfer floating) */
GtkWidget       *gadget_row_new          (GadgetBlock     *block);

G_END_DECLS
