/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of a session, and what a session in memory knows about the stored one.
 *
 * Several processes may show one session and change its settings and its queue. A process therefore
 * writes only what the user changed in it. It remembers, as data of the #GadgetSession, the
 * settings and the queue that it read or wrote last, and compares them with the current ones when
 * it takes a row. All functions about a #GadgetSession run on the main context; those with a
 * sqlite3 argument run on the store's thread. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-clock.h"
#include "gadget-store-deletion-private.h"
#include "gadget-store-rows.h"
#include "gadget-store-sessions.h"
#include "gadget-store-turns-private.h"

static const char read_queue_key[] = "gadget-store-read-queue";
static const char queue_owned_key[] = "gadget-store-own-queue";

static void
free_rows (gpointer rows)
{
  _gadget_attachment_rows_free (rows);
}

static gboolean
are_same (char **a, char **b)
{
  return g_strv_equal ((const char *const *) a, (const char *const *) b);
}

static char **
dup_queue (GadgetSession *session, GPtrArray *attachments)
{
  GListModel *queue = gadget_session_get_queue (session);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      g_autoptr (GadgetAttachmentRows) rows =
          _gadget_attachment_rows_new_from (gadget_attachments_get (message));

      g_strv_builder_add (builder, gadget_queued_message_get_text (message));
      g_strv_builder_add (builder, rows != NULL ? rows->json : "");
      if (rows != NULL && attachments != NULL)
        g_ptr_array_add (attachments, g_steal_pointer (&rows));
    }
  return g_strv_builder_end (builder);
}

/* Tells whether the queue in memory is the session's real queue, which is so for a new session and
 * for one that was loaded once. The empty queue of a session that was only listed means nothing. */
gboolean
_gadget_session_has_loaded_queue (GadgetSession *session)
{
  static const char key[] = "gadget-store-knows-queue";

  if (gadget_session_get_loaded (session))
    g_object_set_data (G_OBJECT (session), key, GINT_TO_POINTER (TRUE));
  return g_object_get_data (G_OBJECT (session), key) != NULL;
}

/* Remembers @queue as the one that was read. As long as the session's queue equals it, the queue is
 * not written, since another process may have changed the stored one. */
void
_gadget_session_note_queue (GadgetSession *session, char **queue)
{
  g_object_set_data_full (G_OBJECT (session), read_queue_key, g_strdupv (queue),
                          (GDestroyNotify) g_strfreev);
}

/* Tells whether @queue, which was just read, replaces the queue in memory: that one is unchanged
 * since the last reading, and @queue differs from it. */
gboolean
_gadget_session_should_replace_queue (GadgetSession *session, char **queue)
{
  g_auto (GStrv) here = dup_queue (session, NULL);
  char **read = g_object_get_data (G_OBJECT (session), read_queue_key);

  if (!_gadget_session_has_loaded_queue (session))
    return here[0] == NULL;
  return read != NULL && are_same (read, here) && !are_same (read, queue);
}

/* Returns the wall-clock time in milliseconds at which the queue last differed from the one taken
 * before; 0 for never. */
static gint64
note_change (GadgetSession *session, char **queue)
{
  static const char taken_key[] = "gadget-store-taken-queue";
  static const char changed_key[] = "gadget-store-queue-changed";
  GObject *object = G_OBJECT (session);
  char **taken = g_object_get_data (object, taken_key);
  gint64 *changed_at = g_object_get_data (object, changed_key);

  if (changed_at == NULL)
    {
      changed_at = g_new0 (gint64, 1);
      g_object_set_data_full (object, changed_key, changed_at, g_free);
    }
  if (taken != NULL ? !are_same (taken, queue) : queue[0] != NULL)
    *changed_at = gadget_clock_wall_ms ();
  g_object_set_data_full (object, taken_key, g_strdupv (queue), (GDestroyNotify) g_strfreev);
  return *changed_at;
}

/* Returns the queue to be written, or NULL to leave the stored one alone. From its first change
 * here on, the queue belongs to this process and is always written. The queue of a session that was
 * created here counts as read and empty until then. */
static char **
dup_queue_to_write (GadgetSession *session, GPtrArray *attachments)
{
  g_auto (GStrv) queue = dup_queue (session, attachments);
  GObject *object = G_OBJECT (session);
  char **read = g_object_get_data (object, read_queue_key);

  if (g_object_get_data (object, queue_owned_key) == NULL
      && (read != NULL ? are_same (read, queue) : queue[0] == NULL))
    {
      if (read == NULL)
        _gadget_session_note_queue (session, queue);
      return NULL;
    }
  g_object_set_data (object, queue_owned_key, GINT_TO_POINTER (TRUE));
  g_object_set_data (object, read_queue_key, NULL);
  return g_steal_pointer (&queue);
}

static gboolean
remove_equal_pair (GPtrArray *pairs, char **pair)
{
  for (guint i = 0; i + 1 < pairs->len; i += 2)
    if (g_str_equal (g_ptr_array_index (pairs, i), pair[0])
        && g_str_equal (g_ptr_array_index (pairs, i + 1), pair[1]))
      {
        g_ptr_array_remove_range (pairs, i, 2);
        return TRUE;
      }
  return FALSE;
}

/* Appends the messages of @queue that the session's queue does not have. They are paused, because
 * messages that were queued in an earlier process are not sent without the user. */
static void
append_missing (GadgetSession *session, char **queue)
{
  g_auto (GStrv) here = dup_queue (session, NULL);
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();

  for (guint i = 0; here[i] != NULL; i++)
    g_ptr_array_add (pairs, here[i]);
  for (guint i = 0; queue[i] != NULL && queue[i + 1] != NULL; i += 2)
    {
      g_autoptr (GadgetQueuedMessage) message = NULL;
      g_autoptr (GPtrArray) attachments = NULL;

      if (remove_equal_pair (pairs, queue + i))
        continue;
      message = gadget_queued_message_new (queue[i]);
      attachments = _gadget_attachments_parse (queue[i + 1]);
      gadget_attachments_set (message, attachments);
      gadget_queued_message_set_paused (message, TRUE);
      gadget_session_insert_queued (session, G_MAXUINT, message);
    }
}

/* @queue: a queue that was read from the store, or is being stored from a recovery file
 *
 * Adds @queue to the session's queue if that was changed here, and returns TRUE. Returns FALSE if
 * it was not changed: then the stored queue replaces it. */
gboolean
_gadget_session_merge_queue (GadgetSession *session, char **queue)
{
  g_auto (GStrv) here = dup_queue (session, NULL);
  char **read = g_object_get_data (G_OBJECT (session), read_queue_key);

  if (read != NULL ? are_same (read, here)
                   : here[0] == NULL && !_gadget_session_has_loaded_queue (session))
    return FALSE;
  append_missing (session, queue);
  return TRUE;
}

/* --- Settings ----------------------------------------------------------------------------------
 */

/* A session has a row with the stored settings, as they were last read or written; its "kept" says
 * which of them are still known. A setting that equals the stored one is not written, since another
 * process may have changed it. Once a setting was changed here, its stored value counts as unknown
 * until a write of the new one succeeds. */
static const char stored_settings_key[] = "gadget-store-settings";
static const char n_changes_key[] = "gadget-store-settings-changes";

static void
free_row (gpointer row)
{
  _gadget_session_row_free (row);
}

guint
_gadget_session_count_changes (GadgetSession *session)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (session), n_changes_key));
}

void
_gadget_session_note_settings (GadgetSession *session, const GadgetSessionRow *row, guint n_changes)
{
  GadgetSessionRow *stored;

  /* Settings that were taken later may be stored by now or not, so @row is not the stored state. */
  if (n_changes != _gadget_session_count_changes (session))
    return;
  stored = g_new0 (GadgetSessionRow, 1);
  stored->kept = _gadget_session_get_all_settings ();
  _gadget_session_row_replace (stored, row, stored->kept);
  g_object_set_data_full (G_OBJECT (session), stored_settings_key, stored, free_row);
}

/* Notes that the store has the settings of @row, whose reading was requested at a count of
 * @n_changes. Then overwrites in @row the settings that were changed here and may not be stored
 * yet, and those of @more: reading never reverts a change of the user. */
void
_gadget_session_merge_settings (GadgetSession *session, GadgetSessionRow *row, guint n_changes,
                                GadgetSessionSettings more)
{
  GadgetSessionRow *stored = g_object_get_data (G_OBJECT (session), stored_settings_key);
  g_autoptr (GadgetSessionRow) here = g_new0 (GadgetSessionRow, 1);
  GadgetSessionSettings unsaved = 0;

  _gadget_session_row_copy_columns (here, session);
  if (stored != NULL)
    unsaved = (_gadget_session_get_all_settings () & ~stored->kept)
              | _gadget_session_row_compare (here, stored);
  _gadget_session_note_settings (session, row, n_changes);
  stored = g_object_get_data (G_OBJECT (session), stored_settings_key);
  if (stored != NULL)
    stored->kept &= ~unsaved;
  _gadget_session_row_replace (row, here, unsaved | more);
}

/**
 * gadget_store_apply_listed:
 * @fresh: the same session, from gadget_store_list_sessions_finish ()
 *
 * Gives the settings of @fresh to @session, like title, workspace, model and mode. Settings that
 * were changed here and are not stored yet stay.
 */
void
gadget_store_apply_listed (GadgetSession *session, GadgetSession *fresh)
{
  const GadgetSessionRow *listed;
  g_autoptr (GadgetSessionRow) row = NULL;

  g_return_if_fail (GADGET_IS_SESSION (session) && GADGET_IS_SESSION (fresh));

  listed = g_object_get_data (G_OBJECT (fresh), stored_settings_key);
  g_return_if_fail (listed != NULL);
  row = g_new0 (GadgetSessionRow, 1);
  _gadget_session_row_replace (row, listed, _gadget_session_get_all_settings ());
  _gadget_session_merge_settings (session, row, _gadget_session_count_changes (session), 0);
  _gadget_session_row_apply_settings (row, session);
}

/* Sets row->kept to the settings that were not changed here, and counts the row if one was. */
static void
take_settings (GadgetSession *session, GadgetSessionRow *row)
{
  GObject *object = G_OBJECT (session);
  GadgetSessionRow *stored = g_object_get_data (object, stored_settings_key);
  const GadgetSessionSettings all = _gadget_session_get_all_settings ();

  row->n_changes = _gadget_session_count_changes (session);
  if (stored != NULL)
    {
      row->kept = stored->kept &= ~_gadget_session_row_compare (row, stored);
      row->before = g_new0 (GadgetSessionRow, 1);
      _gadget_session_row_replace (row->before, stored, all);
    }
  if (row->kept != all)
    g_object_set_data (object, n_changes_key, GUINT_TO_POINTER (++row->n_changes));
}

/* --- The row -----------------------------------------------------------------------------------
 */

GadgetSessionRow *
_gadget_session_row_new_from (GadgetSession *session)
{
  GadgetSessionRow *self = g_new0 (GadgetSessionRow, 1);

  g_assert (!gadget_session_get_incognito (session));
  _gadget_session_row_copy_columns (self, session);
  take_settings (session, self);
  if (_gadget_session_has_loaded_queue (session))
    {
      self->queue_attachments = g_ptr_array_new_with_free_func (free_rows);
      self->queue = dup_queue_to_write (session, self->queue_attachments);
    }
  /* Recovering an older queue compares this time, and sees that the stored queue is newer. */
  if (self->queue != NULL)
    self->updated_at = MAX (self->updated_at, note_change (session, self->queue));
  return self;
}

GadgetSessionRow *
_gadget_session_row_read (sqlite3_stmt *stmt)
{
  GadgetSessionRow *self = g_new0 (GadgetSessionRow, 1);

  _gadget_store_table_read (&_gadget_session_table, self, stmt, 0);
  return self;
}

gboolean
_gadget_session_row_find (sqlite3 *db, const char *id, GadgetSessionRow **row, GError **error)
{
  g_autofree char *columns = _gadget_store_table_dup_read (&_gadget_session_table);
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM session WHERE session.id = ?1", columns);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  gboolean found;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  if (!_gadget_sql_next (stmt, &found, error))
    return FALSE;
  *row = found ? _gadget_session_row_read (stmt) : NULL;
  return TRUE;
}

static gboolean
clear_queue (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "DELETE FROM queued WHERE session = (SELECT number FROM session WHERE id = ?1)", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->id);
  return _gadget_attachments_spare (db,
                                    "SELECT attachments AS json FROM queued WHERE session ="
                                    " (SELECT number FROM session WHERE id = ?1)",
                                    self->id, error)
         && _gadget_sql_run (stmt, error);
}

/* Counts the messages from the start of the queue to @index that equal the one at @index in text
 * and attachments. */
static gint64
count_alike (char **queue, guint index)
{
  gint64 n = 0;

  for (guint i = 0; i <= index; i += 2)
    n += g_str_equal (queue[i], queue[index]) && g_str_equal (queue[i + 1], queue[index + 1]);
  return n;
}

/* Appends the queue to the stored one. With @missing, a message is appended only if the stored
 * queue has fewer equal messages than @self has up to that one. */
static gboolean
append_queue (const GadgetSessionRow *self, sqlite3 *db, gboolean missing, GError **error)
{
  g_autoptr (sqlite3_stmt) insert = _gadget_sql_prepare (
      db,
      "INSERT INTO queued (session, position, text, attachments)"
      " SELECT number,"
      "  (SELECT coalesce (max (position) + 1, 0) FROM queued WHERE queued.session = number),"
      "  ?2, nullif (?3, '')"
      " FROM session WHERE id = ?1 AND ?4 > (SELECT count (*) FROM queued"
      "  WHERE queued.session = number AND text = ?2 AND attachments IS nullif (?3, ''))",
      error);

  if (insert == NULL)
    return FALSE;
  for (guint i = 0; self->queue[i] != NULL; i += 2)
    {
      _gadget_sql_bind_text (insert, 1, self->id);
      _gadget_sql_bind_text (insert, 2, self->queue[i]);
      _gadget_sql_bind_text (insert, 3, self->queue[i + 1]);
      _gadget_sql_bind_int (insert, 4, missing ? count_alike (self->queue, i) : G_MAXINT64);
      if (!_gadget_sql_run (insert, error))
        return FALSE;
    }
  for (guint i = 0; i < self->queue_attachments->len; i++)
    if (!_gadget_attachment_rows_write (g_ptr_array_index (self->queue_attachments, i), db,
                                        self->id, FALSE, error))
      return FALSE;
  return TRUE;
}

/* A subagent's session without its parent would appear as a chat of the user's. */
static gboolean
check_parent (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (self->parent == NULL)
    return TRUE;
  stmt = _gadget_sql_prepare (db, "SELECT 1 FROM session WHERE id = ?1", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->parent);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (has_row)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "there is no session %s",
               self->parent);
  _gadget_deletion_explain (db, self->parent, error);
  return FALSE;
}

static char *
dup_write_sql (void)
{
  const GadgetStoreTable *table = &_gadget_session_table;
  g_autofree char *names = _gadget_store_table_dup_names (table, NULL, 0);
  g_autofree char *values = _gadget_store_table_dup_values (table);
  g_autofree char *updates = _gadget_store_table_dup_updates (table);
  g_autofree char *changes = _gadget_store_table_dup_changes (table);

  /* Writing unchanged values would wake every other process for nothing. */
  return g_strdup_printf ("INSERT INTO session (%s) VALUES (%s)"
                          " ON CONFLICT (id) DO UPDATE SET %s WHERE %s",
                          names, values, updates, changes);
}

static const char *
get_write_sql (void)
{
  static char *sql;

  if (g_once_init_enter_pointer (&sql))
    g_once_init_leave_pointer (&sql, dup_write_sql ());
  return sql;
}

/* Creates or updates the row; its turns are not touched. The row of a deleted session is not
 * created again: %GADGET_STORE_ERROR_DELETED. */
gboolean
_gadget_session_row_write (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;

  if (!check_parent (self, db, error))
    return FALSE;
  stmt = _gadget_sql_prepare (db, get_write_sql (), error);
  if (stmt == NULL)
    return FALSE;
  _gadget_store_table_bind (&_gadget_session_table, self, stmt);
  _gadget_sql_bind_int (stmt, (int) _gadget_session_table.n_columns + 1, self->kept);
  return _gadget_sql_run (stmt, error)
         && (self->queue == NULL
             || (clear_queue (self, db, error) && append_queue (self, db, FALSE, error)));
}

static gboolean
is_stored (const GadgetSessionRow *self, sqlite3 *db, gboolean *stored, gboolean *newer,
           GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT updated_at > ?2 FROM session WHERE id = ?1", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->id);
  _gadget_sql_bind_int (stmt, 2, self->updated_at);
  if (!_gadget_sql_next (stmt, stored, error))
    return FALSE;
  *newer = *stored && sqlite3_column_int (stmt, 0) != 0;
  return TRUE;
}

/* Stores the row of a recovery file. If the session is not stored, the row becomes the session.
 * Else the stored settings are newer and stay; the queue of the file replaces the stored queue if
 * the session was not changed since, and otherwise its messages are appended. */
gboolean
_gadget_session_row_recover (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  gboolean stored;
  gboolean newer;

  if (!is_stored (self, db, &stored, &newer, error))
    return FALSE;
  if (!stored)
    return _gadget_session_row_write (self, db, error);
  if (!_gadget_turns_count_edit (db, self->id, self->updated_at, error))
    return FALSE;
  if (self->queue == NULL)
    return TRUE;
  return (newer || clear_queue (self, db, error)) && append_queue (self, db, newer, error);
}

/* Keeps a stored setting that differs from self->before, because it was chosen later than the one
 * in the row. If self->before is unknown, a stored session that is newer keeps all settings. */
static gboolean
keep_later_settings (GadgetSessionRow *self, sqlite3 *db, gboolean newer, GError **error)
{
  g_autoptr (GadgetSessionRow) stored = NULL;

  if (self->before == NULL)
    {
      self->kept = newer ? _gadget_session_get_all_settings () : self->kept;
      return TRUE;
    }
  if (!_gadget_session_row_find (db, self->id, &stored, error))
    return FALSE;
  if (stored != NULL)
    self->kept |= _gadget_session_row_compare (self->before, stored);
  return TRUE;
}

/* Stores the row of a recovery file without turns, which has only changes of a stored session.
 * Fails with %GADGET_STORE_ERROR_NOT_FOUND or %GADGET_STORE_ERROR_DELETED if it is not stored. */
gboolean
_gadget_session_row_recover_changes (const GadgetSessionRow *self, sqlite3 *db, GError **error)
{
  GadgetSessionRow row = *self;
  gboolean stored;
  gboolean newer;

  if (!is_stored (self, db, &stored, &newer, error))
    return FALSE;
  if (!stored)
    {
      if (_gadget_deletion_check (db, self->id, error))
        g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                     "there is no session %s", self->id);
      return FALSE;
    }
  if (newer)
    row.queue = NULL;
  return keep_later_settings (&row, db, newer, error)
         && _gadget_turns_count_edit (db, self->id, self->updated_at, error)
         && _gadget_session_row_write (&row, db, error)
         && (!newer || self->queue == NULL || append_queue (self, db, TRUE, error));
}

void
_gadget_session_row_free (GadgetSessionRow *self)
{
  _gadget_store_table_clear (&_gadget_session_table, self);
  g_strfreev (self->queue);
  g_clear_pointer (&self->queue_attachments, g_ptr_array_unref);
  g_clear_pointer (&self->before, _gadget_session_row_free);
  g_free (self);
}
