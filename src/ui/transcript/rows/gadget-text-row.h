/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A piece of reasoning, or of what a tool was called with or answered. */
#define GADGET_TYPE_TEXT_ROW (gadget_text_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTextRow, gadget_text_row, GADGET, TEXT_ROW, GadgetRow)

G_END_DECLS
