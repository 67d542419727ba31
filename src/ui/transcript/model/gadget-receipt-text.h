/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* A receipt (what a stop has ended) as text. _dup_summary () returns "Stopped in 12 ms · 1
 * connection, 1 command", or NULL when nothing was in flight; _dup_line () describes one line, with
 * code between U+2068 and U+2069. (transfer full) */
char *_gadget_receipt_dup_summary (GadgetReceipt           *receipt);
char *_gadget_receipt_dup_line    (const GadgetReceiptLine *line);

/* Returns a sentence for screen readers: by whom or by what an aborted turn was stopped, and what
 * was stopped with it. @turn must be aborted. (transfer full) */
char *gadget_receipt_dup_sentence (GadgetTurn              *turn);

G_END_DECLS
