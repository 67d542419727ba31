/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetLineDiff:
 * @n_added: lines that only the new text has
 * @n_removed: lines that only the old text has
 * @unified: the difference in the format of "diff -u", UTF-8; "" when there is none
 *
 * The difference between two texts.
 */
typedef struct
{
  guint n_added;
  guint n_removed;
  char *unified;
} GadgetLineDiff;

/* Compares two texts line by line. A text may be NULL: a file that does not exist. (transfer
 * full) */
GadgetLineDiff *gadget_line_diff_new  (const char      *old_text,
                                       gsize            old_length,
                                       const char      *new_text,
                                       gsize            new_length,
                                       const char      *name,
                                       gsize            max_length);
void            gadget_line_diff_free (GadgetLineDiff  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLineDiff, gadget_line_diff_free)

/* The number of lines of a text; a last line without an end of line counts too. */
guint           gadget_line_count     (const char      *text,
                                       gsize            length);

G_END_DECLS
