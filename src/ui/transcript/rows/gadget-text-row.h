/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A part of a text that is no Markdown: reasoning, a summary, or the arguments or the output of a
 * tool call. */
#define GADGET_TYPE_TEXT_ROW (gadget_text_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTextRow, gadget_text_row, GADGET, TEXT_ROW, GadgetRow)

G_END_DECLS
