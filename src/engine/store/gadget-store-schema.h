/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the database schema and the migration of older databases to
 * it. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* An SQL expression beside a row of "session": the id of its topmost ancestor, under whose lease the
 * session works. */
#define GADGET_SQL_LEASE_ID                                                    \
  "(WITH RECURSIVE above (id, parent) AS (VALUES (session.id, session.parent)" \
  "  UNION ALL SELECT up.id, up.parent FROM session AS up JOIN above"          \
  "  ON up.number = above.parent)"                                             \
  " SELECT id FROM above WHERE parent IS NULL)"

/* SQL conditions on a row of "session": it is hidden since the import that adds it goes on or was not
 * completed; it is a chat that lists have. */
#define GADGET_SQL_IS_HIDDEN                                                   \
  "EXISTS (SELECT 1 FROM import WHERE import.number = session.import"         \
  " AND import.ended_at IS NULL)"
#define GADGET_SQL_IS_CHAT "session.parent IS NULL AND NOT " GADGET_SQL_IS_HIDDEN
/* It has a draft or queued messages. */
#define GADGET_SQL_IS_UNSENT                                                   \
  "(trim (session.draft) != '' OR session.draft_attachments IS NOT NULL"       \
  " OR EXISTS (SELECT 1 FROM queued WHERE queued.session = session.number))"

/* A recursive table "old" of an SQL query: the numbers of chats that were used last before ?1, with
 * the sessions of their subagents; without chats that run, without pinned ones unless ?2, and without
 * those with something unsent unless ?3. */
#define GADGET_SQL_OLD_CHATS                                                   \
  "old (number) AS (SELECT number FROM session WHERE " GADGET_SQL_IS_CHAT      \
  "  AND updated_at < ?1 AND (?2 OR NOT pinned)"                               \
  "  AND (?3 OR NOT " GADGET_SQL_IS_UNSENT ") AND NOT EXISTS"                   \
  "   (SELECT 1 FROM turn WHERE turn.session = session.number"                 \
  "    AND turn.status = 'processing')"                                        \
  " UNION ALL SELECT below.number FROM session AS below"                       \
  "  JOIN old ON below.parent = old.number)"

/* The newest version of the schema, which is the number of its steps. */
guint    _gadget_store_schema_get_version (void);
/* Returns the version of @db if it is to be migrated; 0 if it is empty or of the newest version, or
 * cannot be used. */
guint    _gadget_store_schema_get_old_version (sqlite3 *db);
/* Tells whether @db can be used or migrated; else @error is that of
 * _gadget_store_schema_migrate (). */
gboolean _gadget_store_schema_check       (sqlite3 *db,
                                           GError **error);
/* Migrates @db to the newest version in one transaction. Returns FALSE and leaves @db as it was,
 * with %GADGET_STORE_ERROR_NEWER if a newer Gadget wrote it, %GADGET_STORE_ERROR_CORRUPT if it is
 * not a database of Gadget's, or another #GadgetStoreError. */
gboolean _gadget_store_schema_migrate     (sqlite3 *db,
                                           GError **error);

G_END_DECLS
