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
 * The syntax colors of the code in a difference; the language is found by the name of the file.
 * Lines are added in order and identified by their numbers, so two views of the same difference can
 * share an object. Signal "colored": more colors are known.
 */
GadgetDiffColors *gadget_diff_colors_new         (const char       *name);

/* The name of the file, and the number of lines that were added. (transfer none) */
const char       *gadget_diff_colors_get_name    (GadgetDiffColors *self);

/* Adds a line without its sign and its line end. It must be valid UTF-8, and is copied. */
void              gadget_diff_colors_add_line    (GadgetDiffColors *self,
                                                  GadgetDiffLine    kind,
                                                  const char       *line,
                                                  gsize             length);
guint             gadget_diff_colors_get_n_lines (GadgetDiffColors *self);

/* Computes colors for a short time at once, and the others when the main loop is idle. */
void              gadget_diff_colors_begin       (GadgetDiffColors *self);

/* Adds the known colors of a line to the attributes of a text in which the line begins at @at. */
void              gadget_diff_colors_apply       (GadgetDiffColors *self,
                                                  guint             number,
                                                  PangoAttrList    *attributes,
                                                  gsize             at);

G_END_DECLS
