/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_DIFF_VIEW (gadget_diff_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffView, gadget_diff_view, GADGET, DIFF_VIEW, GtkWidget)

/**
 * GadgetDiffView:
 *
 * The lines of a difference beside their numbers. Added and removed lines have a tint and a colored
 * sign. Lines do not wrap; the view scrolls horizontally.
 */
GtkWidget            *gadget_diff_view_new       (void);
/* Shows @text. @name (nullable) is the name of the file, by which the language of the code is
 * found; without it the code has no colors. */
void                  gadget_diff_view_set_text  (GadgetDiffView *self,
                                                  const char     *name,
                                                  const char     *text,
                                                  gsize           length);

/* Returns the selectable text with all lines. (transfer none) */
GadgetSelectableText *gadget_diff_view_get_piece (GadgetDiffView *self);

G_END_DECLS
