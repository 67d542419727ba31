/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A session that begins with copies of the turns of another.
 *
 * The turns, their items and pictures are copied under new ids, in one transaction. So are the
 * sessions of the subagents that worked for these turns, up to the turn that each call started: a
 * subagent can be continued in both chats independently. The records of changed files stay with the
 * original turns; these changes cannot be undone from the copy. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-turns.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"
#include "gadget-sql.h"
#include "gadget-store-attachments-private.h"
#include "gadget-store-deletion-private.h"
#include "gadget-store-rows.h"
#include "session/gadget-history.h"

/* The job that copies a session. */
typedef struct
{
  char *session_id;
  char
      *turn_id; /* (nullable): NULL for the last turn that has ended, and then no origin is noted */
  char *new_id;
  char *title;
  GHashTable *sessions; /* sessions of subagents: old id → new id */
  GHashTable *turns;    /* old id → new id */
} Branch;

/* A turn to be copied. */
typedef struct
{
  gint64 number;
  char *id;
} OldTurn;

static void
branch_free (gpointer data)
{
  Branch *branch = data;

  g_free (branch->session_id);
  g_free (branch->turn_id);
  g_free (branch->new_id);
  g_free (branch->title);
  g_hash_table_unref (branch->sessions);
  g_hash_table_unref (branch->turns);
  g_free (branch);
}

static void
old_turn_free (gpointer data)
{
  OldTurn *turn = data;

  g_free (turn->id);
  g_free (turn);
}

/* Runs @sql with the given texts, up to NULL, as ?1 and so on. */
static gboolean run (sqlite3 *db, GError **error, const char *sql, ...) G_GNUC_NULL_TERMINATED;

static gboolean
run (sqlite3 *db, GError **error, const char *sql, ...)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  const char *text;
  int n = 0;
  va_list texts;

  if (stmt == NULL)
    return FALSE;
  va_start (texts, sql);
  while ((text = va_arg (texts, const char *)) != NULL)
    _gadget_sql_bind_text (stmt, ++n, text);
  va_end (texts);
  return _gadget_sql_run (stmt, error);
}

/* Returns a statement that copies the row OLD of @from. The columns @names, which are not in the
 * list or not copied by a branch, get @values. */
static char *
dup_copy_sql (const GadgetStoreTable *table, const char *names, const char *values,
              const char *from)
{
  g_autofree char *copied = _gadget_store_table_dup_names (table, NULL, GADGET_STORE_NOT_BRANCHED);
  g_autofree char *old = _gadget_store_table_dup_names (table, "old", GADGET_STORE_NOT_BRANCHED);

  return g_strdup_printf ("INSERT INTO %s (%s, %s) SELECT %s, %s FROM %s", table->name, names,
                          copied, values, old, from);
}

/* Lists the turns of the session up to @last_id, without removed ones and those still
 * processing. */
static GPtrArray *
list_turns (sqlite3 *db, const char *session_id, const char *last_id, GError **error)
{
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (old_turn_free);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT turn.number, turn.id FROM turn JOIN turn AS last ON last.session = turn.session"
      " WHERE last.id = ?2 AND last.session = (SELECT number FROM session WHERE id = ?1)"
      " AND turn.position <= last.position AND turn.removed_at IS NULL"
      " AND turn.status != 'processing' ORDER BY turn.position",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_text (stmt, 2, last_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      OldTurn *turn;

      if (!has_row)
        return g_steal_pointer (&turns);
      turn = g_new0 (OldTurn, 1);
      turn->number = sqlite3_column_int64 (stmt, 0);
      turn->id = _gadget_sql_dup_text (stmt, 1);
      g_ptr_array_add (turns, turn);
    }
  return NULL;
}

static gboolean
copy_rows (sqlite3 *db, const char *old_turn, const char *new_turn, GError **error)
{
  g_autofree char *sql =
      dup_copy_sql (&_gadget_item_table, "turn", "copy.number",
                    "item AS old JOIN turn ON turn.number = old.turn, turn AS copy"
                    " WHERE turn.id = ?1 AND copy.id = ?2 ORDER BY old.position");

  return run (db, error, sql, old_turn, new_turn, NULL)
         && run (db, error,
                 "INSERT INTO picture (id, turn, item, position, name, mime_type, width, height,"
                 " data)"
                 " SELECT lower (hex (randomblob (16))), copy.number, item, picture.position, name,"
                 " mime_type, width, height, data"
                 " FROM picture JOIN turn ON turn.number = picture.turn, turn AS copy"
                 " WHERE turn.id = ?1 AND copy.id = ?2",
                 old_turn, new_turn, NULL);
}

/* Copies the turn as the last one of the session. */
static gboolean
copy_turn (sqlite3 *db, Branch *branch, const OldTurn *turn, const char *new_session,
           GError **error)
{
  char *new_id = gadget_id_new ();
  g_autofree char *sql =
      dup_copy_sql (&_gadget_turn_table, "id, session, position, changed_at",
                    "?2, session.number,"
                    " (SELECT coalesce (max (position) + 1, 0) FROM turn AS before"
                    "  WHERE before.session = session.number), old.changed_at",
                    "turn AS old, session WHERE old.id = ?1 AND session.id = ?3");

  g_hash_table_insert (branch->turns, g_strdup (turn->id), new_id);
  return run (db, error, sql, turn->id, new_id, new_session, NULL)
         && copy_rows (db, turn->id, new_id, error) && _gadget_attachments_copy (db, new_id, error);
}

/* A summary of the earlier turns is stored with a digest of their ids, which is replaced by the
 * digest of the copies. A summary with another digest stays invalid. */
static gboolean
mark_summaries (sqlite3 *db, GPtrArray *old_ids, GPtrArray *new_ids, const char *new_turn,
                GError **error)
{
  g_autofree char *before = gadget_history_digest_turns (old_ids);
  g_autofree char *after = gadget_history_digest_turns (new_ids);

  return run (db, error,
              "UPDATE item SET replay = ?3"
              " WHERE turn = (SELECT number FROM turn WHERE id = ?1) AND replay = ?2"
              " AND replay_source = '" GADGET_HISTORY_SUMMARY_SOURCE "'",
              new_turn, before, after, NULL);
}

/* Declared here because subagents may have subagents. */
static gboolean copy_turns (sqlite3 *db, Branch *branch, const char *old_session,
                            const char *last_id, const char *new_session, GError **error);

static gboolean
copy_child (sqlite3 *db, Branch *branch, const char *old_child, const char *old_turn,
            const char *new_parent, GError **error)
{
  const char *new_child = g_hash_table_lookup (branch->sessions, old_child);
  g_autofree char *sql = NULL;

  if (new_child == NULL)
    {
      char *id = gadget_id_new ();

      g_hash_table_insert (branch->sessions, g_strdup (old_child), id);
      new_child = id;
      sql = dup_copy_sql (&_gadget_session_table, "id, parent, title, created_at, updated_at",
                          "?2, above.number, old.title, old.created_at, old.updated_at",
                          "session AS old, session AS above WHERE old.id = ?1 AND above.id = ?3");
      if (!run (db, error, sql, old_child, new_child, new_parent, NULL))
        return FALSE;
    }
  return copy_turns (db, branch, old_child, old_turn, new_child, error);
}

/* A call that started a subagent. */
typedef struct
{
  gint64 item;
  char *child;
  char *child_turn;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  g_free (call->child);
  g_free (call->child_turn);
  g_free (call);
}

/* Lists the calls of a copied turn that were handed to subagents. */
static GPtrArray *
list_calls (sqlite3 *db, const char *new_turn, GError **error)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (call_free);
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT number, child, child_turn FROM item"
                           " WHERE turn = (SELECT number FROM turn WHERE id = ?1)"
                           " AND child IS NOT NULL ORDER BY position",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, new_turn);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      Call *call;

      if (!has_row)
        return g_steal_pointer (&calls);
      call = g_new0 (Call, 1);
      call->item = sqlite3_column_int64 (stmt, 0);
      call->child = _gadget_sql_dup_text (stmt, 1);
      call->child_turn = _gadget_sql_dup_text (stmt, 2);
      g_ptr_array_add (calls, call);
    }
  return NULL;
}

/* The result of the call tells the model the id of the subagent, so the id is replaced there
 * too. */
static gboolean
rename_child (sqlite3 *db, Branch *branch, const Call *call, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE item SET child = ?2, child_turn = ?3,"
                           " result = replace (result, ?4, ?2) WHERE number = ?1",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, call->item);
  _gadget_sql_bind_text (stmt, 2, g_hash_table_lookup (branch->sessions, call->child));
  _gadget_sql_bind_text (
      stmt, 3,
      call->child_turn != NULL ? g_hash_table_lookup (branch->turns, call->child_turn) : NULL);
  _gadget_sql_bind_text (stmt, 4, call->child);
  return _gadget_sql_run (stmt, error);
}

static gboolean
copy_children (sqlite3 *db, Branch *branch, const char *new_turn, const char *new_session,
               GError **error)
{
  g_autoptr (GPtrArray) calls = list_calls (db, new_turn, error);

  if (calls == NULL)
    return FALSE;
  for (guint i = 0; i < calls->len; i++)
    {
      const Call *call = g_ptr_array_index (calls, i);

      if (!copy_child (db, branch, call->child, call->child_turn, new_session, error)
          || !rename_child (db, branch, call, error))
        return FALSE;
    }
  return TRUE;
}

/* Copies the turns of @old_session up to @last_id, except those that were copied before. */
static gboolean
copy_turns (sqlite3 *db, Branch *branch, const char *old_session, const char *last_id,
            const char *new_session, GError **error)
{
  g_autoptr (GPtrArray) turns = list_turns (db, old_session, last_id, error);
  g_autoptr (GPtrArray) old_ids = g_ptr_array_new ();
  g_autoptr (GPtrArray) new_ids = g_ptr_array_new ();

  for (guint i = 0; turns != NULL && i < turns->len; i++)
    {
      const OldTurn *turn = g_ptr_array_index (turns, i);
      const gboolean is_new = !g_hash_table_contains (branch->turns, turn->id);
      const char *new_id;

      if (is_new && !copy_turn (db, branch, turn, new_session, error))
        return FALSE;
      new_id = g_hash_table_lookup (branch->turns, turn->id);
      if (is_new
          && (!mark_summaries (db, old_ids, new_ids, new_id, error)
              || !copy_children (db, branch, new_id, new_session, error)))
        return FALSE;
      g_ptr_array_add (old_ids, turn->id);
      g_ptr_array_add (new_ids, (gpointer) new_id);
    }
  return turns != NULL;
}

/* Returns the last turn of the session that can be copied. (transfer full) (nullable): NULL with an
 * error, also if there is none */
static char *
dup_last_turn (sqlite3 *db, const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT turn.id FROM turn JOIN session ON session.number = turn.session"
      " WHERE session.id = ?1 AND removed_at IS NULL AND status != 'processing'"
      " ORDER BY position DESC LIMIT 1",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_text (stmt, 1, session_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return NULL;
  if (has_row)
    return _gadget_sql_dup_text (stmt, 0);
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
               "no turn of session %s has ended", session_id);
  _gadget_deletion_explain (db, session_id, error);
  return NULL;
}

static gboolean
branch_session (sqlite3 *db, gpointer data, GError **error)
{
  Branch *branch = data;
  g_autofree char *now = g_strdup_printf ("%" G_GINT64_FORMAT, gadget_clock_wall_ms ());
  g_autofree char *last = branch->turn_id != NULL ? g_strdup (branch->turn_id)
                                                  : dup_last_turn (db, branch->session_id, error);
  g_autofree char *sql = dup_copy_sql (
      &_gadget_session_table, "id, title, created_at, updated_at, origin, origin_turn",
      branch->turn_id != NULL ? "?2, ?3, CAST (?4 AS INTEGER), CAST (?4 AS INTEGER), ?1, ?5"
                              : "?2, ?3, CAST (?4 AS INTEGER), CAST (?4 AS INTEGER), NULL, NULL",
      "session AS old WHERE old.id = ?1");

  if (last == NULL
      || !run (db, error, sql, branch->session_id, branch->new_id, branch->title, now,
               branch->turn_id, NULL)
      || !copy_turns (db, branch, branch->session_id, last, branch->new_id, error))
    return FALSE;
  if (g_hash_table_contains (branch->turns, last))
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
               "there is no turn %s in session %s", last, branch->session_id);
  _gadget_deletion_explain (db, branch->session_id, error);
  return FALSE;
}

static gboolean
branch_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, branch_session, data, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_branch_async:
 * @session_id: the id of the session to copy from
 * @turn_id: (nullable): the last turn of @session_id to be copied, which is noted as the origin of
 *   the new session; %NULL to copy all turns that have ended, without an origin
 * @new_id: the id of the new session
 * @title: the title of the new session
 *
 * Creates a session with copies of the turns of another; see the comment at the top of this file.
 */
void
gadget_store_branch_async (GadgetStore *self, const char *session_id, const char *turn_id,
                           const char *new_id, const char *title, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Branch *branch;

  g_return_if_fail (GADGET_IS_STORE (self) && session_id != NULL);
  g_return_if_fail (new_id != NULL && title != NULL);

  branch = g_new0 (Branch, 1);
  branch->session_id = g_strdup (session_id);
  branch->turn_id = g_strdup (turn_id);
  branch->new_id = g_strdup (new_id);
  branch->title = g_strdup (title);
  branch->sessions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  branch->turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gadget_store_run_async (self, branch_in_transaction, branch, branch_free, callback, user_data);
}

/**
 * gadget_store_branch_finish:
 *
 * Returns: whether the new session was created; else @error is %GADGET_STORE_ERROR_NOT_FOUND, if
 *   the turn does not exist or has not ended, or no turn has, %GADGET_STORE_ERROR_DELETED or
 * another #GadgetStoreError
 */
gboolean
gadget_store_branch_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
