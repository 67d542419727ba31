/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The card of an item that waits for an answer: a question, or a permission. Its first button can
 * be focused by _gadget_ask_row_focus (); it never takes the focus by itself. */
#define GADGET_TYPE_ASK_ROW (gadget_ask_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskRow, gadget_ask_row, GADGET, ASK_ROW, GadgetRow)

void _gadget_ask_row_focus (GadgetAskRow *self);

G_END_DECLS
