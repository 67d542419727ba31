/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "store/gadget-effect-query.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * GadgetLedgerEntry:
 *
 * An effect in a #GadgetLedgerList. The signal "changed" is emitted when anything of it changes.
 */
#define GADGET_TYPE_LEDGER_ENTRY (gadget_ledger_entry_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLedgerEntry, gadget_ledger_entry, GADGET, LEDGER_ENTRY, GObject)

const GadgetFoundEffect *gadget_ledger_entry_get_found   (GadgetLedgerEntry *self);

/* Returns the chat, or NULL when it is gone. (transfer none) */
GadgetSession           *gadget_ledger_entry_get_session (GadgetLedgerEntry *self);

/* Tell whether the effect is the first, or the last, of its day in the list. */
gboolean                 gadget_ledger_entry_is_first    (GadgetLedgerEntry *self);
gboolean                 gadget_ledger_entry_is_last     (GadgetLedgerEntry *self);

/**
 * GadgetLedgerList:
 *
 * A #GListModel of the effects of all chats, newest first, in pages that are read when they are
 * asked for; a section of the #GtkSectionModel is a day. Signals: "loaded", when the effects that
 * match a new query are in the list, or those that it has were read again; "failed", when a read
 * failed, which leaves the list as it was.
 */
#define GADGET_TYPE_LEDGER_LIST (gadget_ledger_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLedgerList, gadget_ledger_list, GADGET, LEDGER_LIST, GObject)

GadgetLedgerList  *gadget_ledger_list_new       (GadgetEngine            *engine);

/* Reads the first page of @query, whose page is ignored. The list stays as it is until then. */
void               gadget_ledger_list_set_query (GadgetLedgerList        *self,
                                                 const GadgetEffectQuery *query);

/* Returns the query, whose strings are valid until the next one is set. */
GadgetEffectQuery  gadget_ledger_list_get_query (GadgetLedgerList        *self);

/* Reads the next page, if there is one and none is being read. */
void               gadget_ledger_list_load_more (GadgetLedgerList        *self);

/* Reads what the list has again. */
void               gadget_ledger_list_refresh   (GadgetLedgerList        *self);

/* Returns the effect with a number. (transfer none) (nullable) */
GadgetLedgerEntry *gadget_ledger_list_find      (GadgetLedgerList        *self,
                                                 gint64                   number);

G_END_DECLS
