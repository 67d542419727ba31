/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-text-piece.h"
#include "ui/transcript/model/gadget-block.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ROW (gadget_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (GadgetRow, gadget_row, GADGET, ROW, GtkWidget)

/**
 * GadgetRowClass:
 * @bind: the block was set; called once
 * @update: the block's range or text changed, or it was folded or unfolded; called after @bind too
 * @to_source: where in the source of its block a byte of its text comes from; without it the text
 *   is the source from the block's start on
 * @from_source: which byte of its text shows, or follows, a byte of the source
 *
 * A row of the transcript. It has one child that fills it, and listens by itself to what it shows.
 */
struct _GadgetRowClass
{
  GtkWidgetClass parent_class;

  void  (*bind)        (GadgetRow *self);
  void  (*update)      (GadgetRow *self);
  gsize (*to_source)   (GadgetRow *self,
                        guint      offset);
  guint (*from_source) (GadgetRow *self,
                        gsize      offset);
};

void             gadget_row_bind         (GadgetRow       *self,
                                          GadgetBlock     *block);
GadgetBlock     *gadget_row_get_block    (GadgetRow       *self);
void             gadget_row_update       (GadgetRow       *self);

/* For subclasses: the child, and within it the texts that can be selected, in their order. */
void             gadget_row_set_child    (GadgetRow       *self,
                                          GtkWidget       *child);
void             gadget_row_set_piece    (GadgetRow       *self,
                                          GadgetTextPiece *piece);
void             gadget_row_take_pieces  (GadgetRow       *self,
                                          GPtrArray       *pieces);
GadgetTextPiece *gadget_row_get_piece    (GadgetRow       *self);

/* The text of a row: that of its pieces, with one byte between two of them. Of what a text offers to
 * a pointer and to a selection, the row offers the same for all of it. */
gboolean         gadget_row_has_text     (GadgetRow       *self);
guint            gadget_row_get_length   (GadgetRow       *self);
void             gadget_row_set_selection (GadgetRow      *self,
                                          guint            start,
                                          guint            end);
void             gadget_row_set_head     (GadgetRow       *self,
                                          int              offset);
gboolean         gadget_row_get_offset_at (GadgetRow      *self,
                                          GtkWidget       *widget,
                                          double           x,
                                          double           y,
                                          guint           *offset);
gboolean         gadget_row_get_char_at  (GadgetRow       *self,
                                          GtkWidget       *widget,
                                          double           x,
                                          double           y,
                                          guint           *offset);
void             gadget_row_get_word_at  (GadgetRow       *self,
                                          guint            offset,
                                          guint           *start,
                                          guint           *end);
void             gadget_row_get_line_at  (GadgetRow       *self,
                                          guint            offset,
                                          guint           *start,
                                          guint           *end);

/* The way by the keyboard from one place in the text to another. */
gboolean         gadget_row_move         (GadgetRow       *self,
                                          guint           *offset,
                                          GadgetTextUnit   unit,
                                          gboolean         forward);
gboolean         gadget_row_move_line    (GadgetRow       *self,
                                          GtkWidget       *widget,
                                          guint           *offset,
                                          double           x,
                                          gboolean         down);
gboolean         gadget_row_get_caret_box (GadgetRow      *self,
                                          GtkWidget       *widget,
                                          guint            offset,
                                          graphene_rect_t *box);
void             gadget_row_reveal       (GadgetRow       *self,
                                          guint            offset);
double           gadget_row_get_beside   (GadgetRow       *self,
                                          GtkWidget       *widget,
                                          guint            offset,
                                          double           x);
void             gadget_row_scroll_sideways (GadgetRow    *self,
                                          guint            offset,
                                          double           distance);
gboolean         gadget_row_is_rtl_at    (GadgetRow       *self,
                                          guint            offset);

/* From its text to the source of its block and back. */
gsize            gadget_row_to_source    (GadgetRow       *self,
                                          guint            offset);
guint            gadget_row_from_source  (GadgetRow       *self,
                                          gsize            offset);

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

G_END_DECLS
