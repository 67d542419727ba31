/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A tool call: one line, with Stop while it runs; and, when it does not heed an abort, what is the
 * matter and the offer to go on without it. */
#define GADGET_TYPE_TOOL_ROW (gadget_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolRow, gadget_tool_row, GADGET, TOOL_ROW, GadgetRow)

/* The icon of a tool by its name. */
const char *_gadget_get_tool_icon (const char *name);

G_END_DECLS
