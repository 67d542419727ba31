/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* The change that a tool call made in a file. */
#define GADGET_TYPE_DIFF_ROW (gadget_diff_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDiffRow, gadget_diff_row, GADGET, DIFF_ROW, GadgetRow)

G_END_DECLS
