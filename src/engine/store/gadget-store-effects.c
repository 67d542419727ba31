/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of the ledger.
 *
 * Each row names its owner, a lease that the process holds as long as it lives. An effect may
 * outlive its turn: a command that the user stopped waiting for, or the snapshot of its changes. An
 * open row whose owner's lease is not held belongs to a process that died. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-effects.h"

#include "common/gadget-clock.h"
#include "store/lease/gadget-lease.h"
#include "gadget-sql.h"
#include "gadget-store-effects-private.h"
#include "gadget-store-repair.h"

static const char *const kinds[] = { "read", "change", "delete", "command",
                                     "host", "mcp",    "undo",   "redo" };
static const char *const recordings[] = { "none", "pending", "done", "partly", "lost" };

const char *
gadget_effect_kind_to_string (GadgetEffectKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);
  return kinds[kind];
}

/* gadget_recording_to_string: returns the name in the database, which is static and never
 * changes. */
const char *
gadget_recording_to_string (GadgetRecording recording)
{
  g_return_val_if_fail (recording < G_N_ELEMENTS (recordings), NULL);
  return recordings[recording];
}

static guint
find_word (const char *const *words, guint n_words, const char *word)
{
  for (guint i = 0; i < n_words; i++)
    if (g_strcmp0 (words[i], word) == 0)
      return i;
  return 0;
}

GadgetEffectKind
_gadget_effect_kind_from_string (const char *word)
{
  return (GadgetEffectKind) find_word (kinds, G_N_ELEMENTS (kinds), word);
}

GadgetRecording
_gadget_recording_from_string (const char *word)
{
  return (GadgetRecording) find_word (recordings, G_N_ELEMENTS (recordings), word);
}

/* gadget_effect_row_free: frees the texts, too; @self must not be %NULL. */
void
gadget_effect_row_free (GadgetEffectRow *self)
{
  g_free (self->turn_id);
  g_free (self->call_turn_id);
  g_free (self->call_id);
  g_free (self->subject);
  g_free (self->detail);
  g_free (self->root);
  g_free (self->outcome);
  g_free (self->skipped);
  g_free (self);
}

static void
free_row (gpointer data)
{
  if (data != NULL)
    gadget_effect_row_free (data);
}

/* Strings of a tool may have any bytes; texts in the database are valid UTF-8. */
static char *
dup_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

/* --- Beginning and ending ----------------------------------------------------------------------
 */

/* The job that stores a new row. */
typedef struct
{
  GadgetEffectRow *row;
  char *owner;
} Begin;

static void
begin_free (gpointer data)
{
  Begin *begin = data;

  gadget_effect_row_free (begin->row);
  g_free (begin->owner);
  g_free (begin);
}

/* The statement is a transaction of its own, so when it returns the row survives the process. */
static gboolean
insert (sqlite3 *db, gpointer data, GError **error)
{
  const Begin *begin = data;
  GadgetEffectRow *row = begin->row;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO effect (turn, owner, call_turn, call_id, kind, subject, detail, root,"
      " started_at, recording, network)"
      " SELECT number, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM turn WHERE id = ?1",
      error);
  int index = 1;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, index++, row->turn_id);
  _gadget_sql_bind_text (stmt, index++, begin->owner);
  _gadget_sql_bind_text (stmt, index++, row->call_turn_id);
  _gadget_sql_bind_text (stmt, index++, row->call_id);
  _gadget_sql_bind_text (stmt, index++, kinds[row->kind]);
  _gadget_sql_bind_text (stmt, index++, row->subject);
  _gadget_sql_bind_text (stmt, index++, row->detail);
  _gadget_sql_bind_text (stmt, index++, row->root);
  _gadget_sql_bind_int (stmt, index++, row->started_at);
  _gadget_sql_bind_text (stmt, index++, recordings[row->recording]);
  if (row->kind == GADGET_EFFECT_COMMAND && row->network >= 0)
    _gadget_sql_bind_int (stmt, index, row->network);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  if (sqlite3_changes (db) == 0)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                           "the turn is not saved");
      return FALSE;
    }
  row->number = sqlite3_last_insert_rowid (db);
  return TRUE;
}

/**
 * gadget_store_begin_effect_async:
 * @row: the effect that is about to happen; its number and its end are ignored
 * @owner: the lease that this process holds, see gadget-lease.h
 *
 * Stores a row of the ledger. When this has finished the row survives the process.
 */
void
gadget_store_begin_effect_async (GadgetStore *self, const GadgetEffectRow *row, const char *owner,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  Begin *begin;

  g_return_if_fail (GADGET_IS_STORE (self) && row != NULL && owner != NULL);
  g_return_if_fail (row->turn_id != NULL && row->call_turn_id != NULL && row->subject != NULL);

  begin = g_new0 (Begin, 1);
  begin->owner = g_strdup (owner);
  begin->row = g_new0 (GadgetEffectRow, 1);
  begin->row->turn_id = g_strdup (row->turn_id);
  begin->row->call_turn_id = g_strdup (row->call_turn_id);
  begin->row->call_id = dup_valid (row->call_id);
  begin->row->kind = row->kind;
  begin->row->subject = dup_valid (row->subject);
  begin->row->detail = dup_valid (row->detail);
  begin->row->root = dup_valid (row->root);
  begin->row->started_at = row->started_at;
  begin->row->recording = row->recording;
  begin->row->network = row->network;
  gadget_store_run_async (self, insert, begin, begin_free, callback, user_data);
}

/**
 * gadget_store_begin_effect_finish:
 *
 * Returns: the row's number. 0 with @error set if the row was not stored, so that the effect must
 *   not happen: %GADGET_STORE_ERROR_NOT_FOUND if the turn is not stored, or another
 *   #GadgetStoreError
 */
gint64
gadget_store_begin_effect_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return 0;
  return ((Begin *) gadget_store_get_job_data (result))->row->number;
}

/* The job that closes a row. */
typedef struct
{
  gint64 number;
  char *outcome;
  gint64 ended_at; /* milliseconds since 1970 */
} End;

static void
end_free (gpointer data)
{
  End *end = data;

  g_free (end->outcome);
  g_free (end);
}

static gboolean
close_row (sqlite3 *db, gpointer data, GError **error)
{
  const End *end = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "UPDATE effect SET outcome = ?2, ended_at = ?3 WHERE number = ?1", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, end->number);
  _gadget_sql_bind_text (stmt, 2, end->outcome);
  _gadget_sql_bind_int (stmt, 3, end->ended_at);
  return _gadget_sql_run (stmt, error);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* The row stays open and is closed as "interrupted" later, which is less precise but not
   * wrong. */
  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    g_message ("the end of an effect could not be recorded: %s", error->message);
}

/**
 * gadget_store_end_effect:
 * @number: the number of the effect
 * @outcome: the result: "done", "failed", "aborted", "exit 0", "signal 9" …
 *
 * Closes a row; returns at once.
 */
void
gadget_store_end_effect (GadgetStore *self, gint64 number, const char *outcome)
{
  End *end;

  g_return_if_fail (GADGET_IS_STORE (self) && number > 0 && outcome != NULL);

  end = g_new0 (End, 1);
  end->number = number;
  end->outcome = dup_valid (outcome);
  end->ended_at = gadget_clock_wall_ms ();
  gadget_store_run_async (self, close_row, end, end_free, closed_cb, NULL);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

/* The job that lists effects. */
typedef struct
{
  char *directory;
  char *session_id; /* (nullable): lists the effects of this session only */
  char *turn_id;    /* (nullable): lists the effects of this turn only */
  GPtrArray *rows;  /* of GadgetEffectRow */
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->directory);
  g_free (listing->session_id);
  g_free (listing->turn_id);
  g_clear_pointer (&listing->rows, g_ptr_array_unref);
  g_free (listing);
}

GadgetEffectRow *
_gadget_effect_row_read (sqlite3_stmt *stmt)
{
  GadgetEffectRow *row = g_new0 (GadgetEffectRow, 1);
  g_autofree char *kind = NULL;
  g_autofree char *recording = NULL;
  int column = 0;

  row->number = sqlite3_column_int64 (stmt, column++);
  row->turn_id = _gadget_sql_dup_text (stmt, column++);
  row->call_turn_id = _gadget_sql_dup_text (stmt, column++);
  row->call_id = _gadget_sql_dup_text (stmt, column++);
  kind = _gadget_sql_dup_text (stmt, column++);
  row->subject = _gadget_sql_dup_text (stmt, column++);
  row->detail = _gadget_sql_dup_text (stmt, column++);
  row->root = _gadget_sql_dup_text (stmt, column++);
  row->started_at = sqlite3_column_int64 (stmt, column++);
  row->ended_at = sqlite3_column_int64 (stmt, column++);
  row->outcome = _gadget_sql_dup_text (stmt, column++);
  recording = _gadget_sql_dup_text (stmt, column++);
  row->skipped = _gadget_sql_dup_text (stmt, column++);
  row->network = sqlite3_column_type (stmt, column) != SQLITE_NULL
                     ? sqlite3_column_int (stmt, column) != 0
                     : -1;
  row->made = sqlite3_column_int (stmt, column + 1) != 0;
  row->kind = _gadget_effect_kind_from_string (kind);
  row->recording = _gadget_recording_from_string (recording);
  return row;
}

/* The effects of a session. Those of a subagent's are rows of the chat that it works for, which is
 * its topmost ancestor, with calls in its own turns. */
#define OF_SESSION                                                                                 \
  "session.number = (WITH RECURSIVE ancestor (number, parent) AS ("                                \
  " SELECT number, parent FROM session WHERE id = ?1 UNION ALL"                                    \
  " SELECT session.number, session.parent FROM ancestor"                                           \
  " JOIN session ON session.number = ancestor.parent)"                                             \
  " SELECT number FROM ancestor WHERE parent IS NULL)"                                             \
  " AND (session.id = ?1 OR effect.call_turn IN (SELECT own.id FROM turn AS own"                   \
  " WHERE own.session = (SELECT number FROM session WHERE id = ?1)))"

/* Each combination has its own SQL, because SQLite would read the whole ledger for a condition like
 * "?1 IS NULL OR session.id = ?1". */
char *
_gadget_store_make_effects_sql (gboolean of_session, gboolean of_turn)
{
  return g_strconcat ("SELECT " GADGET_EFFECT_COLUMNS
                      " FROM effect JOIN turn ON turn.number = effect.turn"
                      " JOIN session ON session.number = turn.session WHERE ",
                      of_session ? OF_SESSION : "?1 IS NULL", " AND ",
                      of_turn ? "turn.id = ?2" : "?2 IS NULL", " ORDER BY effect.number", NULL);
}

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;
  g_autofree char *sql =
      _gadget_store_make_effects_sql (listing->session_id != NULL, listing->turn_id != NULL);
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (!_gadget_store_repair_effects (db, listing->directory, error))
    return FALSE;
  stmt = _gadget_sql_prepare (db, sql, error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, listing->session_id);
  _gadget_sql_bind_text (stmt, 2, listing->turn_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      g_ptr_array_add (listing->rows, _gadget_effect_row_read (stmt));
    }
  return FALSE;
}

/**
 * gadget_store_list_effects_async:
 * @session_id: (nullable): lists the effects of this session only: of a chat with those of its
 *   subagents, of a subagent's session those of its own calls
 * @turn_id: (nullable): lists the effects of this turn only
 *
 * Reads the ledger in the order in which effects began. Rows of processes that died are closed
 * first.
 */
void
gadget_store_list_effects_async (GadgetStore *self, const char *session_id, const char *turn_id,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = g_new0 (Listing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->rows = g_ptr_array_new_with_free_func (free_row);
  listing->session_id = g_strdup (session_id);
  listing->turn_id = g_strdup (turn_id);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_effects_finish:
 *
 * Returns: (transfer full) (element-type GadgetEffectRow): the rows, or %NULL with @error set to a
 *   #GadgetStoreError
 */
GPtrArray *
gadget_store_list_effects_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_steal_pointer (&((Listing *) gadget_store_get_job_data (result))->rows);
}
