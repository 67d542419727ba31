/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that the user takes out of a chat.
 *
 * Nothing is deleted: a turn that was taken out keeps its row, its place and all that belongs to it
 * (items, pictures, what it did to files, the chats of its subagents), until its chat is deleted.
 * It is only not read with the others.
 *
 * Turns that went together have the same "removed_at", which is another one for each time within a
 * session. Where they were replaced, "replaced_by" names the first turn that came in their place.
 * Bringing them back then takes out what came in their place, up to the end: the two change places,
 * and can again.
 *
 * Each of these is one transaction. The replacing turn and what it replaces go in one as well: see
 * the journal. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-turns.h"

#include "common/gadget-clock.h"
#include "gadget-store-deletion-private.h"
#include "gadget-store-turns-private.h"

/* --- What is known of it ---------------------------------------------------------------------- */

typedef struct
{
  gint64 read;
  guint n_edits; /* gadget_session_get_n_edits () of then */
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

typedef struct
{
  char *session_id;
  char *turn_id; /* (nullable) */
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_free (edit->session_id);
  g_free (edit->turn_id);
  g_free (edit);
}

static gboolean
count_edit (sqlite3 *db, const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE session SET edits = edits + 1,"
                           " updated_at = max (updated_at + 1, ?2) WHERE id = ?1",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_int (stmt, 2, gadget_clock_wall_ms ());
  return _gadget_sql_run (stmt, error);
}

/* A time that no turn of the session was taken out at before. */
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

/* One that is going on is not taken out. */
static gboolean
take_out (sqlite3 *db, const char *session_id, const char *turn_id, gint64 time, const char *by,
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
      || !take_out (db, edit->session_id, edit->turn_id, time, NULL, error))
    return FALSE;
  if (sqlite3_changes (db) == 0)
    return not_found (db, edit, error);
  return count_edit (db, edit->session_id, error);
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
      if (!take_out (db, session_id, ids[i], time, by, error))
        return FALSE;
      n_taken += sqlite3_changes (db);
    }
  return n_taken == 0 || count_edit (db, session_id, error);
}

/* Turns that went together. */
typedef struct
{
  gint64 time;
  char *first;       /* the id of the first of them */
  char *replaced_by; /* (nullable) */
} Group;

static void
group_clear (Group *group)
{
  g_free (group->first);
  g_free (group->replaced_by);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Group, group_clear)

/* The one that the turn is of, or the last. */
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

/* What came in the place of the turns gives it back. */
static gboolean
change_places (sqlite3 *db, const Edit *edit, const Group *group, GError **error)
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

  if (!find_group (db, edit, &group, error) || !change_places (db, edit, &group, error))
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
  return _gadget_sql_run (stmt, error) && count_edit (db, edit->session_id, error);
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
 * Takes one turn, which has ended, out of its session.
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
 * Returns: whether it is out; else @error is %GADGET_STORE_ERROR_NOT_FOUND, when it was before or
 * is going on, or another #GadgetStoreError
 */
gboolean
gadget_store_remove_turn_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_restore_turns_async:
 * @turn_id: (nullable): one that was taken out; %NULL for what was taken out last
 *
 * Brings it, and what went together with it, back to its place. What came in the place of these
 * turns, and all behind that, is taken out instead.
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
 * Returns: whether they are back; else @error is %GADGET_STORE_ERROR_NOT_FOUND, when there is
 *   nothing to bring back, or another #GadgetStoreError
 */
gboolean
gadget_store_restore_turns_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
