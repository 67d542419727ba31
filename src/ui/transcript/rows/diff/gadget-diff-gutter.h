/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_DIFF_GUTTER (gadget_diff_gutter_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffGutter, gadget_diff_gutter, GADGET, DIFF_GUTTER, GtkWidget)

/**
 * GadgetDiffGutter:
 *
 * The line numbers of a difference beside its text: the numbers in the old and in the new file or,
 * at the minimum width, one for each line (for a removed line the one in the old file). The numbers
 * are drawn and are no text, so they are not selected, copied or read by screen readers.
 */
GtkWidget *gadget_diff_gutter_new         (GadgetSelectableText *piece);

/* Reads the text of the piece again after it has changed. */
void       gadget_diff_gutter_update      (GadgetDiffGutter     *self);

/* Gets the numbers of a line, which is counted from 0; 0 where it has none. For tests. */
void       gadget_diff_gutter_get_numbers (GadgetDiffGutter     *self,
                                           guint                 line,
                                           guint                *old_number,
                                           guint                *new_number);

G_END_DECLS
