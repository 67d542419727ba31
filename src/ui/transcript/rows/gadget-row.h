/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/code/gadget-code.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/text/gadget-text-pattern.h"
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
 * @find: appends a #GadgetRowFound for each match of a pattern; without it, matches are found in
 *   the pieces as they are
 * @show_found: shows the first matches of @find as found, and one as the current one (-1 for none);
 *   without it, the pieces do
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
  void  (*find)        (GadgetRow *self,
                        GadgetTextPattern *pattern,
                        GArray    *found);
  void  (*show_found)  (GadgetRow *self,
                        GArray    *found,
                        int        current,
                        const GadgetFoundColors *colors);
};

/* A match in a row: the number of its piece, and offsets in the text of that. They are behind the
 * text where that is folded. */
typedef struct
{
  guint piece;
  guint start;
  guint end;
} GadgetRowFound;

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

/* Finds the matches of a pattern, in the order of the text, an array of GadgetRowFound (transfer
 * full); and shows the first @n of them as found, with the number of the current one, or -1. With
 * @n 0 nothing is shown as found. */
GArray               *gadget_row_find                     (GadgetRow            *self,
                                                           GadgetTextPattern    *pattern);
void                  gadget_row_show_found               (GadgetRow            *self,
                                                           GadgetTextPattern    *pattern,
                                                           guint                 n,
                                                           int                   current,
                                                           const GadgetFoundColors *colors);

/* Gets the range of a match in the row's text; FALSE when the row does not show it as text now. */
gboolean              gadget_row_get_found_range          (GadgetRow            *self,
                                                           const GadgetRowFound *found,
                                                           guint                *start,
                                                           guint                *end);

/* Returns the block of code that the match is in, NULL when it is in none. (transfer none)
 * (nullable) */
GadgetCode           *gadget_row_get_found_code           (GadgetRow            *self,
                                                           const GadgetRowFound *found);

/* Convert between offsets in the row's text and in the source of its row data. */
gsize                 gadget_row_to_source                (GadgetRow            *self,
                                                           guint                 offset);
guint                 gadget_row_from_source              (GadgetRow            *self,
                                                           gsize                 offset);

/* Asks the transcript to unfold or fold what the row can fold. Emits "expand". */
void                  gadget_row_set_expanded             (GadgetRow            *self,
                                                           gboolean              expanded);
/* Folds the row if it is unfolded, or else unfolds it. */
void                  gadget_row_toggle                   (GadgetRow            *self);

/* For subclasses: sets whether update () is called each second while the row is mapped. */
void                  gadget_row_set_ticking              (GadgetRow            *self,
                                                           gboolean              ticking);

/* For subclasses: has update () called when the known changes of the root turn change. */
void                  gadget_row_watch_file_changes       (GadgetRow            *self);

/* For subclasses: the card of a text that is several rows is drawn as one. */
void                  gadget_row_join_card                (GadgetRow            *self,
                                                           GtkWidget            *card);

G_END_DECLS
