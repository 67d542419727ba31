/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* A receipt in words: "Stopped in 12 ms · 1 connection, 1 command", NULL when nothing was in
 * flight; and its lines, with code between U+2068 and U+2069. (transfer full) */
char *_gadget_receipt_dup_summary (GadgetReceipt           *receipt);
char *_gadget_receipt_dup_line    (const GadgetReceiptLine *line);

/* Of an aborted turn: by whom or what it was aborted; and the same with what was stopped, in a
 * sentence, as screen readers are told. (transfer full) */
char *gadget_stop_dup_sentence    (GadgetTurn              *turn);

G_END_DECLS
