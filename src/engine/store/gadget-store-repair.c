/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns and effects whose owner died.
 *
 * A turn is stored with status "processing" only under its session's lease, and the lease is kept
 * until the turn's end was committed. Therefore the repair first reads which turns are processing,
 * and then checks whether the leases of their sessions are held. If a lease is not held, the owner
 * of the turn has died, or has ended the turn meanwhile, which the transaction checks again. A new
 * owner who takes the lease after that check writes other turns than those that were read. Hence
 * the repair need not take the lease, and a user who sends a message during a repair is never told
 * that the session is busy.
 *
 * Such a turn ends as if it had been aborted: its pieces are folded into its items; text, reasoning
 * and the output of a running tool are kept, and the item is aborted; a waiting call was not run;
 * neither was a call whose arguments were still streaming, and it gets no result, which tells
 * gadget-history.c that its arguments are not valid. All of this is one transaction, and a second
 * repair finds nothing to do.
 *
 * The rows of effects are closed as far as possible. The changes of a command can still be found,
 * and those of an edit if the state of its file was recorded before it, see gadget-store-orphans.c.
 * An edit without a recorded state cannot be undone, so its changes count as lost. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-repair.h"

#include "store/lease/gadget-lease.h"
#include "gadget-store-rows.h"
#include "gadget-store-schema.h"

/* --- Turns ------------------------------------------------------------------------------------ */

/* A turn that is stored as processing. */
typedef struct
{
  gint64 number;
  char *lease_id; /* the topmost session, under whose lease the turn was written */
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
  /* With the plus SQLite does not read all turns in their order, but the index of these. */
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT turn.number, " GADGET_SQL_LEASE_ID
                           " FROM turn JOIN session ON session.number = turn.session"
                           " WHERE turn.status = 'processing' AND (?1 IS NULL OR session.id = ?1)"
                           " ORDER BY +turn.session, turn.position",
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

/* Removes from @turns those whose lease is held. */
static void
remove_living (GPtrArray *turns, const char *directory)
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
  g_autofree char *columns = _gadget_store_table_dup_read (&_gadget_item_table);
  g_autofree char *sql =
      g_strdup_printf ("SELECT %s FROM item WHERE turn = ?1 ORDER BY position", columns);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
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
  /* The turn ended when it was last seen alive, not now. */
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

      _gadget_item_row_interrupt (item, ended_at);
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
  remove_living (turns, directory);
  if (turns->len == 0)
    return TRUE;
  g_info ("%u unfinished turns have no owner any more", turns->len);
  if (!_gadget_sql_transaction (db, repair_all, turns, error))
    return FALSE;
  if (chats != NULL)
    add_chats (turns, chats);
  return TRUE;
}

/* --- Effects ---------------------------------------------------------------------------------- */

static GPtrArray *
find_owners (sqlite3 *db, GError **error)
{
  g_autoptr (GPtrArray) owners = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "SELECT DISTINCT owner FROM effect WHERE outcome IS NULL OR recording = 'pending'",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return g_steal_pointer (&owners);
      g_ptr_array_add (owners, _gadget_sql_dup_text (stmt, 0));
    }
  return NULL;
}

static gboolean
close_rows_of (sqlite3 *db, gpointer data, GError **error)
{
  static const char *const updates[] = {
    /* The effect ended when its turn was last seen alive, not now. */
    "UPDATE effect SET outcome = 'interrupted', ended_at = max (started_at,"
    " (SELECT changed_at FROM turn WHERE turn.number = effect.turn))"
    " WHERE owner = ?1 AND outcome IS NULL",
    /* The changes of the other effects can still be found. */
    "UPDATE effect SET recording = 'lost' WHERE owner = ?1 AND recording = 'pending'"
    " AND kind != 'command'"
    " AND NOT EXISTS (SELECT 1 FROM change WHERE change.effect = effect.number)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (updates); i++)
    {
      g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, updates[i], error);

      if (stmt == NULL)
        return FALSE;
      _gadget_sql_bind_text (stmt, 1, data);
      if (!_gadget_sql_run (stmt, error))
        return FALSE;
    }
  return TRUE;
}

/* A process that was killed leaves its lock file behind; releasing the lease removes it. */
static void
remove_lock_file (const char *directory, const char *owner)
{
  GadgetLease *lease = gadget_lease_acquire (directory, owner, NULL);

  if (lease != NULL)
    gadget_lease_release (lease);
}

gboolean
_gadget_store_repair_effects (sqlite3 *db, const char *directory, GError **error)
{
  g_autoptr (GPtrArray) owners = find_owners (db, error);

  if (owners == NULL)
    return FALSE;
  for (guint i = 0; i < owners->len; i++)
    {
      char *owner = g_ptr_array_index (owners, i);

      if (gadget_lease_is_held (directory, owner))
        continue;
      if (!_gadget_sql_transaction (db, close_rows_of, owner, error))
        return FALSE;
      remove_lock_file (directory, owner);
    }
  return TRUE;
}

gboolean
_gadget_store_repair (sqlite3 *db, const char *directory, const char *session_id, GHashTable *chats,
                      GError **error)
{
  return repair_turns (db, directory, session_id, chats, error)
         && _gadget_store_repair_effects (db, directory, error);
}

gboolean
_gadget_store_check_idle (sqlite3 *db, const char *directory, GError **error)
{
  gint64 n_processing;

  if (!_gadget_store_repair (db, directory, NULL, NULL, error)
      || !_gadget_sql_get_int (db, "SELECT count(*) FROM turn WHERE status = 'processing'",
                               &n_processing, error))
    return FALSE;
  if (n_processing == 0)
    return TRUE;
  g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "a turn is processing");
  return FALSE;
}
