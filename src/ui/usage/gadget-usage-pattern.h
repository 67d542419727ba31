/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * GadgetUsagePattern:
 *
 * The ways in which parts of a bar are drawn. They differ in lightness and in what they are made
 * of, so that they can be told apart without seeing colors.
 */
typedef enum
{
  GADGET_USAGE_PATTERN_SOLID,
  GADGET_USAGE_PATTERN_DEEP,
  GADGET_USAGE_PATTERN_HATCHED,
  GADGET_USAGE_PATTERN_HOLLOW,
  GADGET_USAGE_N_PATTERNS,
} GadgetUsagePattern;

/* Draws a pattern in a rectangle. TEXT is the color of the text beside it. */
void       _gadget_usage_pattern_draw (GadgetUsagePattern           pattern,
                                       cairo_t                     *cr,
                                       const cairo_rectangle_int_t *bounds,
                                       const GdkRGBA               *text);

/* Makes a small square with a pattern, for a legend. (transfer floating) */
GtkWidget *_gadget_usage_sample_new   (GadgetUsagePattern           pattern);

G_END_DECLS
