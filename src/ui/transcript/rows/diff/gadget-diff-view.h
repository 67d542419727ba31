/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_DIFF_VIEW (gadget_diff_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffView, gadget_diff_view, GADGET, DIFF_VIEW, GtkWidget)

/**
 * GadgetDiffView:
 *
 * The lines of a difference, none of them wrapped, beside their numbers: on a tint, and with a
 * colored sign, where they are not the same on both sides. They scroll sideways by themselves.
 */
GtkWidget       *gadget_diff_view_new       (void);
/* @name: of the file, by which its code is colored; NULL for no colors. */
void             gadget_diff_view_set_text  (GadgetDiffView *self,
                                             const char     *name,
                                             const char     *text,
                                             gsize           length);
GadgetTextPiece *gadget_diff_view_get_piece (GadgetDiffView *self);

G_END_DECLS
