/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ledger-list.h"

G_BEGIN_DECLS

#define GADGET_TYPE_LEDGER_ROW (gadget_ledger_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLedgerRow, gadget_ledger_row, GADGET, LEDGER_ROW, GtkBox)

/**
 * GadgetLedgerRow:
 *
 * An effect in the list of all chats: what it is, in which chat it was and when, and a button that
 * activates "ledger.undo" with its number. Properties: "narrow", and "description", what a screen
 * reader says of the row.
 */
GtkWidget *gadget_ledger_row_new       (void);

/* @entry: (nullable) */
void       gadget_ledger_row_set_entry (GadgetLedgerRow   *self,
                                        GadgetLedgerEntry *entry);

G_END_DECLS
