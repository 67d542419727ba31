/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetTextLine:
 * @text: where it begins in the text that was split
 * @length: in bytes, without the line end
 * @n_end: bytes of the line end, "\n" or "\r\n"; 0 for a last line without one
 *
 * A line of a text, which it borrows. It need not be UTF-8.
 */
typedef struct
{
  const char *text;
  gsize length;
  guint n_end;
} GadgetTextLine;

/* Kinds of characters that typography has and keyboards have not. */
typedef enum
{
  GADGET_TEXT_QUOTES = 1 << 0,
  GADGET_TEXT_DASHES = 1 << 1,
  GADGET_TEXT_SPACES = 1 << 2,
} GadgetTextKinds;

/* Splits a text. A text that ends with a line end has no empty line after it. Returns: (transfer
 * full) (element-type GadgetTextLine) */
GArray  *_gadget_text_lines_new         (const char           *text,
                                         gsize                 length);

/* The bytes of blanks (" " and tabs) at the beginning of a line; all of it if it is blank. */
gsize    _gadget_text_line_get_indent   (const GadgetTextLine *line);
/* The length of a line in bytes, without the blanks at its end. */
gsize    _gadget_text_line_get_end      (const GadgetTextLine *line);
gboolean _gadget_text_line_is_blank     (const GadgetTextLine *line);
gboolean _gadget_text_line_equals       (const GadgetTextLine *a,
                                         const GadgetTextLine *b);

/* Hashes a line without the blanks around it, in NFC, and with keyboard characters for typographic
 * ones. Lines that may stand for each other have equal hashes. */
guint    _gadget_text_line_hash         (const GadgetTextLine *line);

/* Returns the keyboard character for a typographic one, and adds its kind to @kinds (nullable);
 * another character as it is. */
gunichar _gadget_text_fold              (gunichar              c,
                                         guint                *kinds);

G_END_DECLS
