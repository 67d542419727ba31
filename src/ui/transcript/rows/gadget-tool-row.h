/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A tool call: one line, with a Stop button while it runs. When the tool does not react to an
 * abort, a warning and a button to stop waiting for it are shown below. */
#define GADGET_TYPE_TOOL_ROW (gadget_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolRow, gadget_tool_row, GADGET, TOOL_ROW, GadgetRow)

/* Returns the icon name of the tool called @name. (transfer none) */
const char *_gadget_get_tool_icon (const char *name);

G_END_DECLS
