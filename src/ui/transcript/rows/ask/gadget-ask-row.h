/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* The card of an item that waits for an answer: a question, or a permission. Its first button can
 * be focused by _gadget_ask_row_focus (); it never takes the focus by itself. */
#define GADGET_TYPE_ASK_ROW (gadget_ask_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskRow, gadget_ask_row, GADGET, ASK_ROW, GadgetRow)

void _gadget_ask_row_focus (GadgetAskRow *self);

/* Nothing on a card acts before it was there for so long, in milliseconds of CLOCK (nullable: the
 * system's): a key or a click that was meant for something else must not allow anything. For tests;
 * 0 ends it. */
void _gadget_ask_row_set_guard (GadgetClock *clock,
                                guint        milliseconds);

G_END_DECLS
