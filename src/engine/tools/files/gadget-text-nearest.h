/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a model is shown of a file when its edit was refused. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetTextSpan:
 * @first: the first line, from 0
 * @n_lines: how many lines
 *
 * Some lines of a text.
 */
typedef struct
{
  guint first;
  guint n_lines;
} GadgetTextSpan;

/* Shows the place of a file that has the most lines in common with @old_text, or else the line that
 * is most similar to its longest one, and the difference. @file is (element-type GadgetTextLine),
 * @hashes has the hash of each of its lines. Returns: (transfer full) */
char *_gadget_text_describe_nearest (const GArray *file,
                                     const guint  *hashes,
                                     const char   *old_text);

/* Shows the lines of several places with their numbers, shortened. @spans is (element-type
 * GadgetTextSpan). Returns: (transfer full) */
char *_gadget_text_describe_spans   (const GArray *file,
                                     const GArray *spans);

G_END_DECLS
