/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Selects a range of lines, or of bytes, from a text that comes in pieces. The caller sets the
 * first four members, then calls _gadget_text_range_init (). */
typedef struct
{
  /* The wanted range */
  gint64 first_line; /* from 1 */
  gint64 max_lines;  /* 0 for all */
  gint64 first_byte; /* 0, or the offset to begin at instead of a line */
  gsize max_bytes;

  /* The current position */
  gint64 offset;
  gint64 line; /* the number of the line that the next byte belongs to */
  gboolean in_line;
  GString *text;
  gint64 text_offset; /* the offset at which @text begins; -1 before that */
  gint64 text_line;
  gint64 n_lines; /* whole lines in @text */
  gboolean full;  /* no more text is taken */
} GadgetTextRange;

void   _gadget_text_range_init   (GadgetTextRange *self);
void   _gadget_text_range_clear  (GadgetTextRange *self);
/* Takes the next @length bytes of the text. */
void   _gadget_text_range_feed   (GadgetTextRange *self,
                                  const char      *data,
                                  gsize            length);

/* Returns how many lines were seen so far. */
gint64 _gadget_text_range_count  (GadgetTextRange *self);

/* Called when the whole text, or enough of it, was taken: shortens @text if it is too long. @total
 * is the number of lines of the whole text, 0 when that is not known. Returns: (transfer full)
 * (nullable): a note that tells the model how to get the rest, or why there is no text; NULL when
 * the model has all that it asked for. */
char  *_gadget_text_range_finish (GadgetTextRange *self,
                                  gint64           total);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GadgetTextRange, _gadget_text_range_clear)

G_END_DECLS
