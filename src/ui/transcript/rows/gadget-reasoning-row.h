/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The line that stands for reasoning: its duration, or its last line while it streams. Also the
 * line that stands for a summary of earlier messages. */
#define GADGET_TYPE_REASONING_ROW (gadget_reasoning_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetReasoningRow, gadget_reasoning_row, GADGET, REASONING_ROW, GadgetRow)

G_END_DECLS
