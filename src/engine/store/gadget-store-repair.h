/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Private to this folder. Ends the unfinished turns of SESSION_ID, or of all sessions if it is
 * NULL, and the unfinished effects whose owner has died. Adds the ids of the chats of these turns
 * to CHATS (nullable). */
gboolean _gadget_store_repair (sqlite3     *db,
                               const char  *directory,
                               const char  *session_id,
                               GHashTable  *chats,
                               GError     **error);

/* Ends the effects alone. They have owners of their own, since they may outlive their turn. */
gboolean _gadget_store_repair_effects (sqlite3     *db,
                                       const char  *directory,
                                       GError     **error);
/* Repairs, and returns whether no turn goes on, here or in another process, that would be written
 * into a database that gets another content; GADGET_STORE_ERROR_BUSY if one does. */
gboolean _gadget_store_check_idle (sqlite3     *db,
                               const char  *directory,
                               GError     **error);

G_END_DECLS
