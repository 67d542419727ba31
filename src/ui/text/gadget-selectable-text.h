/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_SELECTABLE_TEXT (gadget_selectable_text_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSelectableText, gadget_selectable_text, GADGET, SELECTABLE_TEXT, GtkWidget)

/**
 * GadgetSelectableText:
 *
 * A piece of the transcript's text: one Pango layout, wrapped or on one line. Unlike a label it
 * does not select by itself; it draws the part of the transcript's selection that it is given.
 * Offsets are in bytes of its own text.
 */
typedef enum
{
  GADGET_TEXT_WRAP,      /* wraps at the allocated width */
  GADGET_TEXT_SHRINK,    /* wraps, but requests no more width than its text needs */
  GADGET_TEXT_ELLIPSIZE, /* one line, ellipsized at the end */
  GADGET_TEXT_ELLIPSIZE_MIDDLE, /* one line, ellipsized in the middle */
  GADGET_TEXT_UNBROKEN,  /* does not wrap; as wide as its longest line */
} GadgetTextMode;

/* A marked range of the text: with an @address a link, without one code on a tint. With @is_file
 * the address is the path of a file that a tool read or wrote; marks in text by a model never have
 * it. */
typedef struct
{
  guint start;
  guint end;
  const char *address;
  gboolean is_file;
} GadgetTextMark;

/* @role is the accessible role, by default GTK_ACCESSIBLE_ROLE_PARAGRAPH. (transfer floating) */
GtkWidget  *gadget_selectable_text_new            (GadgetTextMode        mode);
GtkWidget  *gadget_selectable_text_new_with_role  (GadgetTextMode        mode,
                                                   GtkAccessibleRole     role);
void        gadget_selectable_text_set_mode       (GadgetSelectableText *self,
                                                   GadgetTextMode        mode);

/* Sets the text, valid UTF-8 of @length bytes, which is copied. The getters return it, terminated
 * by a NUL (transfer none), and its length. */
void        gadget_selectable_text_set_text       (GadgetSelectableText *self,
                                                   const char           *text,
                                                   gsize                 length);
const char *gadget_selectable_text_get_text       (GadgetSelectableText *self);
gsize       gadget_selectable_text_get_length     (GadgetSelectableText *self);

/* Sets Pango attributes (nullable) for the text as it is now, and the alignment of its lines. */
void        gadget_selectable_text_set_attributes (GadgetSelectableText *self,
                                                   PangoAttrList        *attributes);
void        gadget_selectable_text_set_alignment  (GadgetSelectableText *self,
                                                   PangoAlignment        alignment);

/* Indents the continuation of wrapped lines by the width of @n_digits digits. */
void        gadget_selectable_text_set_hanging    (GadgetSelectableText *self,
                                                   guint                 n_digits);

/* Sets whether a caret at the end shows that more text is coming. */
void        gadget_selectable_text_set_caret      (GadgetSelectableText *self,
                                                   gboolean              caret);

/* Sets the links and the code of the text as it is now, in order; the marks are copied. */
void        gadget_selectable_text_set_marks      (GadgetSelectableText *self,
                                                   const GadgetTextMark *marks,
                                                   guint                 n_marks);

/* A range that a search has found. Of all of them one is the current match. */
typedef struct
{
  guint start;
  guint end;
  gboolean current;
} GadgetTextFound;

/* The colors of these ranges: behind any of them, and behind and of the current one. */
typedef struct
{
  GdkRGBA tint;
  GdkRGBA current_background;
  GdkRGBA current_text;
} GadgetFoundColors;

/* Sets the ranges that are drawn as found; both arguments are copied. Nothing moves by that. */
void        gadget_selectable_text_set_found      (GadgetSelectableText *self,
                                                   const GadgetTextFound *found,
                                                   guint                 n_found,
                                                   const GadgetFoundColors *colors);

/* The selected range; nothing is selected when @start = @end. */
void        gadget_selectable_text_set_selection  (GadgetSelectableText *self,
                                                   guint                 start,
                                                   guint                 end);
void        gadget_selectable_text_get_selection  (GadgetSelectableText *self,
                                                   guint                *start,
                                                   guint                *end);

/* The head of the selection, the end that moves, which screen readers see as the caret; -1 when it
 * is in another piece. */
void        gadget_selectable_text_set_head       (GadgetSelectableText *self,
                                                   int                   offset);
int         gadget_selectable_text_get_head       (GadgetSelectableText *self);

/* Returns the offset nearest to a point, which may be outside. */
guint       gadget_selectable_text_get_offset_at  (GadgetSelectableText *self,
                                                   double                x,
                                                   double                y);

/* Returns where the character under the point begins, even if the point is nearer to its end. */
guint       gadget_selectable_text_get_char_at    (GadgetSelectableText *self,
                                                   double                x,
                                                   double                y);

/* Get the bounds of the word at @offset (or of the gap between two words), and of the line of the
 * text. */
void        gadget_selectable_text_get_word_at    (GadgetSelectableText *self,
                                                   guint                 offset,
                                                   guint                *start,
                                                   guint                *end);
void        gadget_selectable_text_get_line_at    (GadgetSelectableText *self,
                                                   guint                 offset,
                                                   guint                *start,
                                                   guint                *end);

/* The distance that a key moves. */
typedef enum
{
  GADGET_TEXT_UNIT_CHARACTER, /* what a reader sees as one letter */
  GADGET_TEXT_UNIT_WORD,
  GADGET_TEXT_UNIT_PIECE, /* to the end of the piece */
} GadgetTextUnit;

/* Move an offset, locate a caret at an offset, and return whether the text there runs from right to
 * left. */
gboolean    gadget_selectable_text_move           (GadgetSelectableText *self,
                                                   guint                *offset,
                                                   GadgetTextUnit        unit,
                                                   gboolean              forward);
void        gadget_selectable_text_get_caret_box  (GadgetSelectableText *self,
                                                   guint                 offset,
                                                   graphene_rect_t      *box);
gboolean    gadget_selectable_text_is_rtl_at      (GadgetSelectableText *self,
                                                   guint                 offset);

/* Returns the layout of the piece, valid until the piece changes. (transfer none) */
PangoLayout *gadget_selectable_text_get_layout    (GadgetSelectableText *self);

G_END_DECLS
