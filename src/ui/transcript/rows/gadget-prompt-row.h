/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The user's message: a card at the end side, at most four fifths of the column wide. A long
 * message is several rows, whose cards join. */
#define GADGET_TYPE_PROMPT_ROW (gadget_prompt_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPromptRow, gadget_prompt_row, GADGET, PROMPT_ROW, GadgetRow)

G_END_DECLS
