/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The output of a tool, with the colors of its terminal sequences. */
#define GADGET_TYPE_OUTPUT_ROW (gadget_output_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetOutputRow, gadget_output_row, GADGET, OUTPUT_ROW, GadgetRow)

/* Mixes COLOR with TOWARDS, as little as possible, until its contrast to BACKGROUND is at least
 * 4.5:1. */
void  gadget_output_row_make_readable (GdkRGBA       *color,
                                       const GdkRGBA *background,
                                       const GdkRGBA *towards);

/* Returns the contrast ratio of two colors as defined by WCAG 2.2 (1.4.3), from 1 to 21. */
float gadget_output_row_get_contrast  (const GdkRGBA *a,
                                       const GdkRGBA *b);

G_END_DECLS
