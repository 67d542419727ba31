/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_DIFF_GUTTER (gadget_diff_gutter_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffGutter, gadget_diff_gutter, GADGET, DIFF_GUTTER, GtkWidget)

/**
 * GadgetDiffGutter:
 *
 * The numbers of the lines of a difference, beside its text: those in the old and in the new file,
 * or, in the minimum width, one a line: of a removed line that in the old file. They are drawn and
 * are no text, so that nobody selects, copies or hears them.
 */
GtkWidget *gadget_diff_gutter_new  (GadgetTextPiece  *piece);

/* The text of the piece is another one. */
void       gadget_diff_gutter_look (GadgetDiffGutter *self);

/* The numbers of a line, counted from 0; 0 where it has none. */
void       gadget_diff_gutter_get_numbers (GadgetDiffGutter *self,
                                           guint             line,
                                           guint            *old_number,
                                           guint            *new_number);

G_END_DECLS
