/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that the user removes from a chat.
 *
 * Nothing is deleted: a removed turn keeps its row, its position and everything that belongs to it
 * (items, pictures, its changes of files, the sessions of its subagents) until its chat is deleted.
 * Such a turn is only not read with the others.
 *
 * Turns that were removed together have the same "removed_at", which is unique for each removal
 * within a session. If they were replaced, "replaced_by" names the first turn of the replacement.
 * Restoring them then removes the replacement and everything behind it: the two groups swap, and
 * can be swapped again.
 *
 * Each of these operations is one transaction. A turn and the turns that it replaces are written in
 * one transaction too: see gadget-journal.c. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-turns.h"

#include "gadget-store-deletion-private.h"
#include "gadget-store-turns-private.h"
#include "common/gadget-clock.h"

/* --- The number of edits known in memory ------------------------------------------------------ */

/* Attached to a #GadgetSession. */
typedef struct
{
  gint64 read;
  guint n_edits; /* gadget_session_get_n_edits () when "read" was noted */
} Known;

static const char known_key[] = "gadget-store-known-edits";

gint64
_gadget_session_get_known_edits (GadgetSession *session)
{
  const Known *known = g_object_get_data (G_OBJECT (session), known_key);
  const guint n_edits = gadget_session_get_n_edits (session);

  return known != NULL ? known->read + (gint64) (n_edits - known->n_edits) : n_edits;
}

void
_gadget_session_note_edits (GadgetSession *session, gint64 edits)
{
  Known *known = g_new0 (Known, 1);

  known->read = edits;
  known->n_edits = gadget_session_get_n_edits (session);
  g_object_set_data_full (G_OBJECT (session), known_key, known, g_free);
}

/* --- On the thread ---------------------------------------------------------------------------- */

/* The job that removes or restores turns. */
typedef struct
{
  char *session_id;
  char *turn_id; /* (nullable): the last removal */
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_free (edit->session_id);
  g_free (edit->turn_id);
  g_free (edit);
}

gboolean
_gadget_turns_count_edit (sqlite3 *db, const char *session_id, gint64 updated_at, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE session SET edits = edits + 1,"
                           " updated_at = max (updated_at + 1, ?2) WHERE id = ?1",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_int (stmt, 2, updated_at);
  return _gadget_sql_run (stmt, error);
}

static gboolean
count_edit_now (sqlite3 *db, const char *session_id, GError **error)
{
  return _gadget_turns_count_edit (db, session_id, gadget_clock_wall_ms (), error);
}

/* Gets a time, in milliseconds, that is later than every earlier removal of the session. */
static gboolean
get_time (sqlite3 *db, const char *session_id, gint64 *time, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT max (?2, coalesce (max (removed_at) + 1, 0)) FROM turn"
      " WHERE session = (SELECT number FROM session WHERE id = ?1) AND removed_at IS NOT NULL",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_int (stmt, 2, gadget_clock_wall_ms ());
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  *time = sqlite3_column_int64 (stmt, 0);
  return TRUE;
}

static gboolean
not_found (sqlite3 *db, const Edit *edit, GError **error)
{
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
               "there is no such turn %s in session %s", edit->turn_id != NULL ? edit->turn_id : "",
               edit->session_id);
  _gadget_deletion_explain (db, edit->session_id, error);
  return FALSE;
}

/* Removes the turn; a turn that is processing stays. */
static gboolean
mark_removed (sqlite3 *db, const char *session_id, const char *turn_id, gint64 time, const char *by,
              GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE turn SET removed_at = ?3, replaced_by = ?4"
                           " WHERE id = ?2 AND session = (SELECT number FROM session WHERE id = ?1)"
                           " AND removed_at IS NULL AND status != 'processing'",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_text (stmt, 2, turn_id);
  _gadget_sql_bind_int (stmt, 3, time);
  _gadget_sql_bind_text (stmt, 4, by);
  return _gadget_sql_run (stmt, error);
}

static gboolean
remove_turn (sqlite3 *db, gpointer data, GError **error)
{
  const Edit *edit = data;
  gint64 time;

  if (!get_time (db, edit->session_id, &time, error)
      || !mark_removed (db, edit->session_id, edit->turn_id, time, NULL, error))
    return FALSE;
  if (sqlite3_changes (db) == 0)
    return not_found (db, edit, error);
  return count_edit_now (db, edit->session_id, error);
}

gboolean
_gadget_turns_replace (sqlite3 *db, const char *session_id, const char *by, const char *const *ids,
                       GError **error)
{
  int n_taken = 0;
  gint64 time;

  if (!get_time (db, session_id, &time, error))
    return FALSE;
  for (guint i = 0; ids[i] != NULL; i++)
    {
      if (!mark_removed (db, session_id, ids[i], time, by, error))
        return FALSE;
      n_taken += sqlite3_changes (db);
    }
  return n_taken == 0 || count_edit_now (db, session_id, error);
}

/* Turns that were removed together. */
typedef struct
{
  gint64 time;
  char *first;       /* the id of the first of them */
  char *replaced_by; /* (nullable): the id of the first turn that replaced them */
} Group;

static void
group_clear (Group *group)
{
  g_free (group->first);
  g_free (group->replaced_by);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Group, group_clear)

/* Finds the group of the turn in @edit, or the group that was removed last. */
static gboolean
find_group (sqlite3 *db, const Edit *edit, Group *group, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT removed_at, id, replaced_by FROM turn"
      " WHERE session = (SELECT number FROM session WHERE id = ?1) AND removed_at ="
      "  (SELECT max (removed_at) FROM turn"
      "   WHERE session = (SELECT number FROM session WHERE id = ?1) AND (?2 IS NULL OR id = ?2))"
      " ORDER BY position LIMIT 1",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, edit->session_id);
  _gadget_sql_bind_text (stmt, 2, edit->turn_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    return not_found (db, edit, error);
  group->time = sqlite3_column_int64 (stmt, 0);
  group->first = _gadget_sql_dup_text (stmt, 1);
  group->replaced_by = _gadget_sql_dup_text (stmt, 2);
  return TRUE;
}

/* Removes the turns that replaced @group, so that @group can be restored. */
static gboolean
remove_replacement (sqlite3 *db, const Edit *edit, const Group *group, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gint64 time;

  if (group->replaced_by == NULL)
    return TRUE;
  if (!get_time (db, edit->session_id, &time, error))
    return FALSE;
  stmt = _gadget_sql_prepare (
      db,
      "UPDATE turn SET removed_at = ?3, replaced_by = ?4"
      " WHERE session = (SELECT number FROM session WHERE id = ?1) AND removed_at IS NULL"
      " AND position >= (SELECT position FROM turn WHERE id = ?2)",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, edit->session_id);
  _gadget_sql_bind_text (stmt, 2, group->replaced_by);
  _gadget_sql_bind_int (stmt, 3, time);
  _gadget_sql_bind_text (stmt, 4, group->first);
  return _gadget_sql_run (stmt, error);
}

static gboolean
restore_turns (sqlite3 *db, gpointer data, GError **error)
{
  const Edit *edit = data;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  g_auto (Group) group = { 0 };

  if (!find_group (db, edit, &group, error) || !remove_replacement (db, edit, &group, error))
    return FALSE;
  stmt = _gadget_sql_prepare (
      db,
      "UPDATE turn SET removed_at = NULL, replaced_by = NULL"
      " WHERE session = (SELECT number FROM session WHERE id = ?1) AND removed_at = ?2",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, edit->session_id);
  _gadget_sql_bind_int (stmt, 2, group.time);
  return _gadget_sql_run (stmt, error) && count_edit_now (db, edit->session_id, error);
}

static gboolean
remove_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, remove_turn, data, error);
}

static gboolean
restore_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, restore_turns, data, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

static Edit *
edit_new (const char *session_id, const char *turn_id)
{
  Edit *edit = g_new0 (Edit, 1);

  edit->session_id = g_strdup (session_id);
  edit->turn_id = g_strdup (turn_id);
  return edit;
}

/**
 * gadget_store_remove_turn_async:
 *
 * Removes a turn, which has ended, from its session.
 */
void
gadget_store_remove_turn_async (GadgetStore *self, const char *session_id, const char *turn_id,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && session_id != NULL && turn_id != NULL);

  gadget_store_run_async (self, remove_in_transaction, edit_new (session_id, turn_id), edit_free,
                          callback, user_data);
}

/**
 * gadget_store_remove_turn_finish:
 *
 * Returns: whether the turn was removed; else @error is %GADGET_STORE_ERROR_NOT_FOUND, if it had
 *   been removed before or is processing, %GADGET_STORE_ERROR_DELETED or another #GadgetStoreError
 */
gboolean
gadget_store_remove_turn_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_restore_turns_async:
 * @turn_id: (nullable): a removed turn; %NULL for the last removal
 *
 * Restores the turn, and the turns that were removed together with it, at their positions. The
 * turns that replaced them, and all turns behind those, are removed instead.
 */
void
gadget_store_restore_turns_async (GadgetStore *self, const char *session_id, const char *turn_id,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && session_id != NULL);

  gadget_store_run_async (self, restore_in_transaction, edit_new (session_id, turn_id), edit_free,
                          callback, user_data);
}

/**
 * gadget_store_restore_turns_finish:
 *
 * Returns: whether the turns were restored; else @error is %GADGET_STORE_ERROR_NOT_FOUND, if there
 *   is nothing to restore, %GADGET_STORE_ERROR_DELETED or another #GadgetStoreError
 */
gboolean
gadget_store_restore_turns_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
