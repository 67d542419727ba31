/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of a turn. Other columns of the table are no part of the row: its place in the
 * session; the time of the last write; what gadget-store-turns.c says of removed turns; and the
 * import that added it, see import/gadget-import-writer.c. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

GADGET_STORE_DEFINE_WORDS (GadgetTurnStatus, gadget_turn_status);
GADGET_STORE_DEFINE_WORDS (GadgetStopReason, gadget_stop_reason);

#define COLUMN(member) GADGET_STORE_COLUMN (GadgetTurnRow, member)
#define COLUMN_AS(name, member) GADGET_STORE_COLUMN_AS (name, GadgetTurnRow, member)

static const GadgetStoreColumn columns[] = {
  { COLUMN (id), .flags = GADGET_STORE_IMMUTABLE | GADGET_STORE_NOT_BRANCHED },
  { COLUMN (prompt) },
  { COLUMN (status), .words = &gadget_turn_status_words },
  { COLUMN (stop_reason), .words = &gadget_stop_reason_words },
  { COLUMN (error_code) },
  { COLUMN (error_detail) },
  { COLUMN (provider) },
  { COLUMN (model) },
  { COLUMN (started_at) },
  { COLUMN (ended_at) },
  { COLUMN_AS ("input_tokens", usage.input_tokens) },
  { COLUMN_AS ("output_tokens", usage.output_tokens) },
  { COLUMN_AS ("usage_estimated", usage.estimated) },
  { COLUMN_AS ("cost", usage.cost) },
  { COLUMN (receipt) },
  { COLUMN (attachments), .flags = GADGET_STORE_IGNORE_NULL },
};

const GadgetStoreTable _gadget_turn_table = { "turn", columns, G_N_ELEMENTS (columns) };
