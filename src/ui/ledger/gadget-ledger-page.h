/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ledger-list.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_LEDGER_PAGE (gadget_ledger_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLedgerPage, gadget_ledger_page, GADGET, LEDGER_PAGE, AdwBin)

/**
 * GadgetLedgerPage:
 *
 * What was done in all chats: the effects ledger. Signals: "opened" (GadgetLedgerEntry), when the
 * user wants to see an effect in its chat; "undo" (GadgetLedgerEntry), when its change is to be
 * undone, or redone if it is undone; "left", when Esc was pressed in the entry.
 */

/* Sets the engine whose ledger is shown, once. */
void              gadget_ledger_page_set_engine (GadgetLedgerPage *self,
                                                 GadgetEngine     *engine);

/* Shows the last days; or, if @turn_id is not NULL, what that turn did. Gives the focus to the
 * entry. The page follows the ledger until _end () is called. */
void              gadget_ledger_page_begin      (GadgetLedgerPage *self,
                                                 const char       *turn_id);
void              gadget_ledger_page_end        (GadgetLedgerPage *self);

/* Reads what is shown again: a chat is about to be deleted, or is not any more. */
void              gadget_ledger_page_refresh    (GadgetLedgerPage *self);

/* Returns the query for what is shown. Its strings are valid until it is read again. */
GadgetEffectQuery gadget_ledger_page_get_query  (GadgetLedgerPage *self);

G_END_DECLS
