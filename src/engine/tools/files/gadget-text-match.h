/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The match of a line that no old line is. */
#define GADGET_TEXT_NO_LINE G_MAXUINT

/* Finds a longest common subsequence of the lines of two texts, both (element-type GadgetTextLine).
 * Returns: (transfer full) (nullable): for each new line the number, from 0, of the old line that
 * it is, or GADGET_TEXT_NO_LINE, and one more of these at the end; NULL when there are too many
 * lines to compare. */
guint *_gadget_text_lines_match (const GArray *old_lines,
                                 const GArray *new_lines);

G_END_DECLS
