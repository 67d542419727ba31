/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* The card of an item that waits for the user: a question or a permission. It never takes the focus
 * by itself. */
#define GADGET_TYPE_ASK_ROW (gadget_ask_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskRow, gadget_ask_row, GADGET, ASK_ROW, GadgetRow)

/* Focuses the entry of the card, or else its first widget or button. */
void _gadget_ask_row_focus     (GadgetAskRow *self);

/* For tests: answers are ignored until the card was visible for so many milliseconds of CLOCK
 * (nullable: the system's clock), so that a key or a click that was meant for something else cannot
 * allow anything. 0 turns this off. Applies to all cards. */
void _gadget_ask_row_set_guard (GadgetClock  *clock,
                                guint         milliseconds);

G_END_DECLS
