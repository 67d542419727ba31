/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TEXT_PIECE (gadget_text_piece_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTextPiece, gadget_text_piece, GADGET, TEXT_PIECE, GtkWidget)

/**
 * GadgetTextPiece:
 *
 * A piece of the transcript's text: one Pango layout, wrapped or (with "ellipsize") on one line.
 * Unlike a label it does not select by itself: it draws the part of the transcript's selection
 * that it is given. Offsets are bytes of its own text.
 */
typedef enum
{
  GADGET_TEXT_WRAP,      /* as wide as it is given */
  GADGET_TEXT_SHRINK,    /* the same, but asks for no more than its text needs */
  GADGET_TEXT_ELLIPSIZE, /* one line, the end of which may be left out */
  GADGET_TEXT_ELLIPSIZE_MIDDLE, /* the same, but its end is always there */
  GADGET_TEXT_UNBROKEN,  /* as wide as its longest line */
} GadgetTextMode;

/* With an @address a link, else code on a tint. With @is_file the address is the path of a file that
 * a tool read or wrote: what a model writes never is. */
typedef struct
{
  guint start;
  guint end;
  const char *address;
  gboolean is_file;
} GadgetTextMark;

GtkWidget  *gadget_text_piece_new            (GadgetTextMode   mode);
GtkWidget  *gadget_text_piece_new_with_role  (GadgetTextMode   mode,
                                              GtkAccessibleRole role);
void        gadget_text_piece_set_mode       (GadgetTextPiece *self,
                                              GadgetTextMode   mode);
void        gadget_text_piece_set_text       (GadgetTextPiece *self,
                                              const char      *text,
                                              gsize            length);
const char *gadget_text_piece_get_text       (GadgetTextPiece *self);
gsize       gadget_text_piece_get_length     (GadgetTextPiece *self);
void        gadget_text_piece_set_attributes (GadgetTextPiece *self,
                                              PangoAttrList   *attributes);
void        gadget_text_piece_set_alignment  (GadgetTextPiece *self,
                                              PangoAlignment   alignment);

/* In a wrapped text the rest of a line begins so many digits from the left. */
void        gadget_text_piece_set_hanging    (GadgetTextPiece *self,
                                              guint            n_digits);
void        gadget_text_piece_set_caret      (GadgetTextPiece *self,
                                              gboolean         caret);

/* Parts of the text that lead somewhere, and parts that are code: ranges as it is now. */
void        gadget_text_piece_set_marks      (GadgetTextPiece *self,
                                              const GadgetTextMark *marks,
                                              guint            n_marks);

/* Nothing is selected when @start = @end. */
void        gadget_text_piece_set_selection  (GadgetTextPiece *self,
                                              guint            start,
                                              guint            end);
void        gadget_text_piece_get_selection  (GadgetTextPiece *self,
                                              guint           *start,
                                              guint           *end);

/* Where the end of the selection that is moved is, which is the caret of a screen reader; -1 when
 * it is in another piece. */
void        gadget_text_piece_set_head       (GadgetTextPiece *self,
                                              int              offset);
int         gadget_text_piece_get_head       (GadgetTextPiece *self);

/* The offset nearest to a point, which may be outside. */
guint       gadget_text_piece_get_offset_at  (GadgetTextPiece *self,
                                              double           x,
                                              double           y);

/* The one that is under the point, and not the nearest edge between two. */
guint       gadget_text_piece_get_char_at    (GadgetTextPiece *self,
                                              double           x,
                                              double           y);
void        gadget_text_piece_get_word_at    (GadgetTextPiece *self,
                                              guint            offset,
                                              guint           *start,
                                              guint           *end);
void        gadget_text_piece_get_line_at    (GadgetTextPiece *self,
                                              guint            offset,
                                              guint           *start,
                                              guint           *end);

/* How far a key goes. */
typedef enum
{
  GADGET_TEXT_UNIT_CHARACTER, /* what is one letter for a reader */
  GADGET_TEXT_UNIT_WORD,
  GADGET_TEXT_UNIT_PIECE, /* all of a piece */
} GadgetTextUnit;

gboolean    gadget_text_piece_move           (GadgetTextPiece *self,
                                              guint           *offset,
                                              GadgetTextUnit   unit,
                                              gboolean         forward);
void        gadget_text_piece_get_caret_box  (GadgetTextPiece *self,
                                              guint            offset,
                                              graphene_rect_t *box);
gboolean    gadget_text_piece_is_rtl_at      (GadgetTextPiece *self,
                                              guint            offset);

G_END_DECLS
