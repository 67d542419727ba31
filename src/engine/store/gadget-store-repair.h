/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-effects.h"
#include "gadget-store-rows.h"

G_BEGIN_DECLS

/* Private to this folder. */
gboolean _gadget_store_repair (sqlite3     *db,
                               const char  *directory,
                               const char  *session_id,
                               GHashTable  *chats,
                               GError     **error);

/* The same for the rows of the ledger, which may outlive their turn. */
gboolean _gadget_store_repair_effects (sqlite3     *db,
                                       const char  *directory,
                                       GError     **error);

/* Words of the database. */
GadgetEffectKind _gadget_effect_kind_from_string (const char *word);
GadgetRecording  _gadget_recording_from_string   (const char *word);

G_END_DECLS
