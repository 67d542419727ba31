/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of an item. Its pictures are in a table of their own, see gadget-store-pictures.c. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

GADGET_STORE_DEFINE_WORDS (GadgetItemKind, gadget_item_kind);
GADGET_STORE_DEFINE_WORDS (GadgetItemStatus, gadget_item_status);

#define COLUMN(member) GADGET_STORE_COLUMN (GadgetItemRow, member)

static const GadgetStoreColumn columns[] = {
  { COLUMN (position), .flags = GADGET_STORE_IMMUTABLE },
  { COLUMN (kind), .words = &gadget_item_kind_words },
  { COLUMN (status), .words = &gadget_item_status_words },
  { COLUMN (step) },
  { COLUMN (text), .setting_bit = GADGET_ITEM_KEEP_TEXT },
  { COLUMN (arguments), .setting_bit = GADGET_ITEM_KEEP_TEXT },
  { COLUMN (call_id) },
  { COLUMN (name) },
  { COLUMN (result) },
  { COLUMN (summary) },
  { COLUMN (call_summary) },
  { COLUMN (replay_source) },
  { COLUMN (replay) },
  { COLUMN (child) },
  { COLUMN (child_turn) },
  { COLUMN (attachments), .flags = GADGET_STORE_IGNORE_NULL },
  { COLUMN (started_at) },
  { COLUMN (ended_at) },
};

const GadgetStoreTable _gadget_item_table = { "item", columns, G_N_ELEMENTS (columns) };
