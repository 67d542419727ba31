/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-usage-pattern.h"

G_BEGIN_DECLS

/**
 * GadgetUsageBar:
 * @mark: (nullable): what is written below the bar, where there is room
 * @values: when and how much it was, in little space, as Pango markup
 * @text: the same as a screen reader says it: "Nov 17, 1,302,700 tokens, $0.44, 19 replies"
 * @parts: how much is drawn with each pattern, from the bottom to the top; none is negative
 *
 * A bar of a plot.
 */
typedef struct
{
  char *mark;
  char *values;
  char *text;
  double parts[GADGET_USAGE_N_PATTERNS];
} GadgetUsageBar;

void            _gadget_usage_bar_free     (GadgetUsageBar      *bar);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUsageBar, _gadget_usage_bar_free)

/* Formats a value of the scale: (transfer full). */
typedef char *(*GadgetUsageScaleFunc) (double value);

#define GADGET_TYPE_USAGE_PLOT (gadget_usage_plot_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUsagePlot, gadget_usage_plot, GADGET, USAGE_PLOT, GtkWidget)

/* Shows BARS, (transfer full) (element-type GadgetUsageBar), the earliest first. What is chosen
 * stays so if there are as many as before. DESCRIPTION says what is plotted. */
void            _gadget_usage_plot_set_bars (GadgetUsagePlot     *self,
                                            GPtrArray           *bars,
                                            GadgetUsageScaleFunc dup_scale,
                                            const char          *description);

G_END_DECLS
