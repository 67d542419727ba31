/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/model/gadget-diff.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_DIFF_COLORS (gadget_diff_colors_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffColors, gadget_diff_colors, GADGET, DIFF_COLORS, GObject)

/**
 * GadgetDiffColors:
 *
 * The colors of the code in a difference, by the rules of the language that files of such a name
 * are in. Lines are added in their order and are known by their numbers, so that two views of the
 * same difference share one of these. "colored" tells that more of the colors are known.
 */
GadgetDiffColors *gadget_diff_colors_new         (const char       *name);
const char       *gadget_diff_colors_get_name    (GadgetDiffColors *self);

/* A line without its sign and its end: valid UTF-8, which is copied. */
void              gadget_diff_colors_add_line    (GadgetDiffColors *self,
                                                  GadgetDiffLine    kind,
                                                  const char       *line,
                                                  gsize             length);
guint             gadget_diff_colors_get_n_lines (GadgetDiffColors *self);

/* Finds out a little at once, and the rest when there is time. */
void              gadget_diff_colors_begin       (GadgetDiffColors *self);

/* Adds what is known of a line to a text that shows it from @at on. */
void              gadget_diff_colors_apply       (GadgetDiffColors *self,
                                                  guint             number,
                                                  PangoAttrList    *attributes,
                                                  gsize             at);

G_END_DECLS
