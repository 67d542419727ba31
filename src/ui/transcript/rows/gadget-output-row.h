/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

#define GADGET_TYPE_OUTPUT_ROW (gadget_output_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetOutputRow, gadget_output_row, GADGET, OUTPUT_ROW, GadgetRow)

/* Makes COLOR readable on BACKGROUND, 4.5 to 1, by as much of TOWARDS as that takes. */
void gadget_output_row_make_readable (GdkRGBA       *color,
                                      const GdkRGBA *background,
                                      const GdkRGBA *towards);

/* Of WCAG 2.2, 1.4.3. */
float gadget_output_row_get_contrast (const GdkRGBA *a,
                                      const GdkRGBA *b);

G_END_DECLS
