/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns whose owner died.
 *
 * A turn is written with status "processing" only under its session's lease, and the lease is kept
 * until the turn's end was committed. So: first read which turns are processing, then ask whether
 * the session's lease is held. If it is not, the owner of those turns is gone, or has ended them
 * meanwhile, which the transaction looks at again. A new owner who takes the lease after that
 * question writes turns of its own, which are not among those read. Hence the lease need not be
 * taken here, and a user who sends a message while we look is never told that the session is busy.
 *
 * What is made of such a turn is what an abort would have made of it: its pieces are folded into
 * its items; text, reasoning and a running tool's output are kept and the item is aborted; a call
 * that waited was not run; one whose arguments were still streaming neither, and has no result, by
 * which the history knows that it has no valid input. All of it in one transaction, and a second
 * repair finds nothing to do. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-lease.h"
#include "gadget-store-repair.h"

typedef struct
{
  gint64 number;
  char *lease_id; /* the session under whose lease it was written */
} Unfinished;

static void
unfinished_free (gpointer data)
{
  Unfinished *turn = data;

  g_free (turn->lease_id);
  g_free (turn);
}

static GPtrArray *
find_unfinished (sqlite3 *db, const char *session_id, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (unfinished_free);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      /* The uppermost session is the one with the lease. */
      "SELECT turn.number,"
      " (WITH RECURSIVE above (id, parent) AS (VALUES (session.id, session.parent)"
      "   UNION ALL SELECT up.id, up.parent FROM session AS up JOIN above"
      "   ON up.number = above.parent)"
      "  SELECT id FROM above WHERE parent IS NULL)"
      " FROM turn JOIN session ON session.number = turn.session"
      " WHERE turn.status = 'processing' AND (?1 IS NULL OR session.id = ?1)"
      " ORDER BY turn.session, turn.position",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, session_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return g_steal_pointer (&found);

      Unfinished *turn = g_new0 (Unfinished, 1);

      turn->number = sqlite3_column_int64 (stmt, 0);
      turn->lease_id = _gadget_sql_dup_text (stmt, 1);
      g_ptr_array_add (found, turn);
    }
  return NULL;
}

static void
keep_dead (GPtrArray *turns, const char *directory)
{
  for (guint i = turns->len; i > 0; i--)
    {
      const Unfinished *turn = g_ptr_array_index (turns, i - 1);

      if (gadget_lease_is_held (directory, turn->lease_id))
        g_ptr_array_remove_index (turns, i - 1);
    }
}

static gboolean
read_items (sqlite3 *db, gint64 turn_number, GPtrArray *items, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "SELECT " GADGET_ITEM_COLUMNS " FROM item WHERE turn = ?1 ORDER BY position", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return _gadget_pieces_read (db, turn_number, items, error);
      g_ptr_array_add (items, _gadget_item_row_read (stmt, 0));
    }
  return FALSE;
}

static gboolean
end_turn (sqlite3 *db, gint64 turn_number, gint64 *ended_at, gboolean *ended, GError **error)
{
  /* It ended when it was last seen alive, not now. */
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE turn SET status = 'aborted', stop_reason = 'interrupted',"
                           " ended_at = changed_at"
                           " WHERE number = ?1 AND status = 'processing' RETURNING ended_at",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  if (!_gadget_sql_next (stmt, ended, error))
    return FALSE;
  if (!*ended)
    return TRUE;
  *ended_at = sqlite3_column_int64 (stmt, 0);
  return _gadget_sql_next (stmt, &has_row, error);
}

static gboolean
repair_turn (sqlite3 *db, gint64 turn_number, GError **error)
{
  g_autoptr (GPtrArray) items =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_item_row_free);
  gint64 ended_at = 0;
  gboolean ended;

  if (!end_turn (db, turn_number, &ended_at, &ended, error))
    return FALSE;
  if (!ended)
    return TRUE;
  if (!read_items (db, turn_number, items, error))
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      GadgetItemRow *item = g_ptr_array_index (items, i);

      _gadget_item_row_seal (item, ended_at);
      if (!_gadget_item_row_write (item, db, turn_number, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
repair_all (sqlite3 *db, gpointer data, GError **error)
{
  const GPtrArray *turns = data;

  for (guint i = 0; i < turns->len; i++)
    {
      const Unfinished *turn = g_ptr_array_index (turns, i);

      if (!repair_turn (db, turn->number, error))
        return FALSE;
    }
  return TRUE;
}

static void
add_chats (GPtrArray *turns, GHashTable *chats)
{
  for (guint i = 0; i < turns->len; i++)
    g_hash_table_add (chats, g_strdup (((Unfinished *) g_ptr_array_index (turns, i))->lease_id));
}

static gboolean
repair_turns (sqlite3 *db, const char *directory, const char *session_id, GHashTable *chats,
              GError **error)
{
  g_autoptr (GPtrArray) turns = find_unfinished (db, session_id, error);

  if (turns == NULL)
    return FALSE;
  keep_dead (turns, directory);
  if (turns->len == 0)
    return TRUE;
  g_info ("%u unfinished turns have no owner any more", turns->len);
  if (!_gadget_sql_transaction (db, repair_all, turns, error))
    return FALSE;
  if (chats != NULL)
    add_chats (turns, chats);
  return TRUE;
}

/* Ends the turns, of one session or (@session_id NULL) of all, and the effects, whose owner is
 * dead. The ids of the chats of these turns are added to @chats (nullable). */
gboolean
_gadget_store_repair (sqlite3 *db, const char *directory, const char *session_id, GHashTable *chats,
                      GError **error)
{
  return repair_turns (db, directory, session_id, chats, error)
         && _gadget_store_repair_effects (db, directory, error);
}
