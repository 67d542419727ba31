/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/model/gadget-row-data.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ROW (gadget_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (GadgetRow, gadget_row, GADGET, ROW, GtkWidget)

/**
 * GadgetRowClass:
 * @bind: called once, after the row data were set
 * @update: called when the range or the text of the row data changed, or the row was folded or
 *   unfolded; and once after @bind
 * @to_source: converts an offset in the row's text to an offset in the source of its row data;
 *   without it, the text is the source from the start of the range on
 * @from_source: converts an offset in the source to the offset in the row's text that shows it or
 *   follows
 *
 * A row of the transcript. It has one child, which fills it, and connects by itself to the signals
 * of the objects that it shows. All offsets are in bytes.
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

/* gadget_row_bind () sets the row data once, gadget_row_get_data () returns them (transfer none),
 * and gadget_row_update () shows their changes. */
void                  gadget_row_bind                     (GadgetRow            *self,
                                                           GadgetRowData        *data);
GadgetRowData        *gadget_row_get_data                 (GadgetRow            *self);
void                  gadget_row_update                   (GadgetRow            *self);

/* For subclasses: set the child, and its selectable texts (the row's pieces) in their order. The
 * getter returns the first piece. (transfer none) (nullable) */
void                  gadget_row_set_child                (GadgetRow            *self,
                                                           GtkWidget            *child);
void                  gadget_row_set_piece                (GadgetRow            *self,
                                                           GadgetSelectableText *piece);
void                  gadget_row_take_pieces              (GadgetRow            *self,
                                                           GPtrArray            *pieces);
GadgetSelectableText *gadget_row_get_piece                (GadgetRow            *self);

/* The text of a row is that of its pieces, with one byte between two of them. These functions do
 * for the whole text what those of GadgetSelectableText do for a piece; @x and @y are coordinates
 * of @widget. */
gboolean              gadget_row_has_text                 (GadgetRow            *self);
guint                 gadget_row_get_length               (GadgetRow            *self);
void                  gadget_row_set_selection            (GadgetRow            *self,
                                                           guint                 start,
                                                           guint                 end);
void                  gadget_row_set_head                 (GadgetRow            *self,
                                                           int                   offset);
gboolean              gadget_row_get_offset_at            (GadgetRow            *self,
                                                           GtkWidget            *widget,
                                                           double                x,
                                                           double                y,
                                                           guint                *offset);
gboolean              gadget_row_get_char_at              (GadgetRow            *self,
                                                           GtkWidget            *widget,
                                                           double                x,
                                                           double                y,
                                                           guint                *offset);
void                  gadget_row_get_word_at              (GadgetRow            *self,
                                                           guint                 offset,
                                                           guint                *start,
                                                           guint                *end);
void                  gadget_row_get_line_at              (GadgetRow            *self,
                                                           guint                 offset,
                                                           guint                *start,
                                                           guint                *end);

/* Move an offset as keys do, locate a caret, and scroll a wide text horizontally. @x and @box are
 * in coordinates of @widget. */
gboolean              gadget_row_move                     (GadgetRow            *self,
                                                           guint                *offset,
                                                           GadgetTextUnit        unit,
                                                           gboolean              forward);
gboolean              gadget_row_move_line                (GadgetRow            *self,
                                                           GtkWidget            *widget,
                                                           guint                *offset,
                                                           double                x,
                                                           gboolean              down);
gboolean              gadget_row_get_caret_box            (GadgetRow            *self,
                                                           GtkWidget            *widget,
                                                           guint                 offset,
                                                           graphene_rect_t      *box);
void                  gadget_row_reveal                   (GadgetRow            *self,
                                                           guint                 offset);
double                gadget_row_get_horizontal_overshoot (GadgetRow            *self,
                                                           GtkWidget            *widget,
                                                           guint                 offset,
                                                           double                x);
void                  gadget_row_scroll_horizontally      (GadgetRow            *self,
                                                           guint                 offset,
                                                           double                distance);
gboolean              gadget_row_is_rtl_at                (GadgetRow            *self,
                                                           guint                 offset);

/* Convert between offsets in the row's text and in the source of its row data. */
gsize                 gadget_row_to_source                (GadgetRow            *self,
                                                           guint                 offset);
guint                 gadget_row_from_source              (GadgetRow            *self,
                                                           gsize                 offset);

/* Asks the transcript to unfold or fold what the row can fold. Emits "expand". */
void                  gadget_row_set_expanded             (GadgetRow            *self,
                                                           gboolean              expanded);

/* For subclasses: sets whether update () is called each second while the row is mapped. */
void                  gadget_row_set_ticking              (GadgetRow            *self,
                                                           gboolean              ticking);

/* For subclasses: has update () called when the known changes of the root turn change. */
void                  gadget_row_watch_changes            (GadgetRow            *self);

/* For subclasses: the card of a text that is several rows is drawn as one. */
void                  gadget_row_join                     (GadgetRow            *self,
                                                           GtkWidget            *card);

G_END_DECLS
