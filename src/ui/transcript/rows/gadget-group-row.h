/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The line that stands for several tool calls of one step, and unfolds to them. */
#define GADGET_TYPE_GROUP_ROW (gadget_group_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetGroupRow, gadget_group_row, GADGET, GROUP_ROW, GadgetRow)

G_END_DECLS
