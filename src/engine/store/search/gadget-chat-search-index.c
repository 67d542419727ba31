/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The index of all texts, in tables of the same database (see gadget-store-schema.c):
 *
 *   search          an FTS5 table without contents: a row for each prompt with its attachments, and
 *                   for each settled item
 *   search_pending  rows of "search" that have to be written again. Triggers add them in the
 *                   transaction that changes the texts, whoever writes it: a journal, a branch, a
 *                   repair, a deletion
 *   search_build    "next": the prompts and items of this turn and of those with a lower number are
 *                   not indexed yet. The newest chats can be searched first
 *
 * So a commit of a chat never waits for FTS5 and never fails because of it, and a process that is
 * killed between a commit and its indexing leaves pending rows for the next one. A step takes a few
 * of them, in a transaction of its own.
 *
 * Other jobs of the store wait for a step, so it has to be short. FTS5 writes a segment for the
 * rows of a transaction, and another one whenever a row has a smaller number than the one before;
 * so a step writes its rows in ascending order. FTS5 also merges segments by itself, which took up
 * to 60 ms of CPU time in a step. That is switched off: after each step that wrote, steps of their
 * own merge a few pages each, until there is nothing to merge. With 60,000 texts of 50 words the
 * longest step takes 20 ms, the longest merge 8 ms, and all of it 2.3 s instead of 3.8 s.
 *
 * The number of a row is that of the turn, times 2^16, plus the position of the item + 1 (0 for the
 * prompt), times 4, plus a GadgetChatSearchIn. So it needs no table of its own, rows are in the
 * order of the turns, and a query knows the chat and the kind of a match without reading its text.
 * The 16,383rd item of a turn and those behind it are not indexed.
 *
 * Measured with 500,000 texts of 317 bytes (random words with the frequencies of a language, 15 %
 * in Han), SQLite 3.46.1, as the size of the index by that of the texts:
 *
 *   detail=full    0.84
 *   with prefixes  1.14 for prefix='2', 1.65 for prefix='2 3'
 *   detail=column  0.80
 *   detail=none    0.53
 *
 * That was with the turn times 2^20. With 200,000 of the texts, rows numbered without gaps take
 * 0.33 instead of 0.55 (full: 0.65 instead of 0.87).
 *
 * Without positions, a phrase is looked for in the texts that have its words. Rows without gaps
 * would need a table of their own, or a look at each item that is found, to tell the chat. In
 * "./dev bench library" it is 0.57 of 240 MB, built in 40 to 60 s beside other work (plain FTS5
 * in one statement, full: 0.58 and 19 s). The triggers add 4 us to a write of a journal (14 us). */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-chat-search-index-private.h"

#include "common/gadget-clock.h"
#include "gadget-chat-search-text-private.h"
#include "gadget-chat-search-texts-private.h"
#include "store/gadget-sql.h"
#include "store/gadget-store-schema.h"

/* A step goes on until so much time has passed, so that other jobs of the store need not wait. */
#define STEP_US 6000
/* A step counts the chats if it is the last one, or so long after the count before. */
#define COUNT_US (250 * G_TIME_SPAN_MILLISECOND)
/* Pending rows that a step reads at most, turns that a step builds at most, and pages that it
 * merges. */
#define MAX_PENDING "64"
#define MAX_TURNS 256
#define MERGED_PAGES "32"
/* Nothing is indexed during an import, but after so long it may be one that was killed. */
#define MAX_IMPORT_MS (10 * 60 * 1000)

/* --- Writing rows ----------------------------------------------------------------------------- */

/* A step, and the statements that it uses again and again. */
typedef struct
{
  GadgetChatSearchStep *step;
  sqlite3 *db;
  gint64 begin_us;
  gboolean more; /* whether something was not indexed when the step began */
  sqlite3_stmt *find;
  sqlite3_stmt *delete;
  sqlite3_stmt *insert;
  sqlite3_stmt *turn; /* reads all texts of a turn */
  GadgetChatSearchTextReader reader;
  gboolean index_failed; /* whether a statement on the index failed, and no other */
} Writer;

static void
writer_clear (Writer *self)
{
  g_clear_pointer (&self->find, sqlite3_finalize);
  g_clear_pointer (&self->delete, sqlite3_finalize);
  g_clear_pointer (&self->insert, sqlite3_finalize);
  g_clear_pointer (&self->turn, sqlite3_finalize);
  _gadget_chat_search_text_reader_clear (&self->reader);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

/* The index stores this setting, but not when it was emptied after damage. */
static gboolean
stop_merging (sqlite3 *db, GError **error)
{
  gint64 stopped;

  return _gadget_sql_get_int (db,
                              "SELECT count(*) FROM search_config WHERE k = 'automerge' AND v = 0",
                              &stopped, error)
         && (stopped != 0
             || _gadget_sql_exec (db, "INSERT INTO search (search, rank) VALUES ('automerge', 0)",
                                  error));
}

static gboolean
writer_init (Writer *self, GError **error)
{
  self->reader.db = self->db;
  self->index_failed = TRUE;
  if (!stop_merging (self->db, error))
    return FALSE;
  self->find = _gadget_sql_prepare (
      self->db, "SELECT id FROM search_docsize WHERE id BETWEEN ?1 AND ?2", error);
  if (self->find == NULL)
    return FALSE;
  self->delete = _gadget_sql_prepare (self->db, "DELETE FROM search WHERE rowid = ?1", error);
  if (self->delete == NULL)
    return FALSE;
  self->insert =
      _gadget_sql_prepare (self->db, "INSERT INTO search (rowid, text) VALUES (?1, ?2)", error);
  self->index_failed = self->insert == NULL;
  return self->insert != NULL;
}

/* Deletes the rows from @first to @last. */
static gboolean
delete_rows (Writer *self, gint64 first, gint64 last, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean has_row;

  self->index_failed = TRUE;
  _gadget_sql_bind_int (self->find, 1, first);
  _gadget_sql_bind_int (self->find, 2, last);
  do
    {
      gint64 row;

      if (!_gadget_sql_next (self->find, &has_row, error))
        {
          sqlite3_reset (self->find);
          return FALSE;
        }
      row = sqlite3_column_int64 (self->find, 0);
      if (has_row)
        g_array_append_val (rows, row);
    }
  while (has_row);
  sqlite3_reset (self->find);
  for (guint i = 0; i < rows->len; i++)
    {
      _gadget_sql_bind_int (self->delete, 1, g_array_index (rows, gint64, i));
      if (!_gadget_sql_run (self->delete, error))
        return FALSE;
    }
  self->index_failed = FALSE;
  return TRUE;
}

static gboolean
write_texts (Writer *self, gint64 row, const GadgetChatSearchTexts *texts, GError **error)
{
  g_autoptr (GString) all = _gadget_chat_search_texts_join (texts);
  g_autoptr (GString) prepared = g_string_sized_new (all->len + 64);
  gboolean ok;

  if (texts->tool != NULL)
    _gadget_chat_search_text_add_tool (prepared, texts->tool);
  _gadget_chat_search_text_prepare (prepared, all->str, all->len);
  _gadget_sql_bind_int (self->insert, 1, row | texts->in);
  _gadget_sql_bind_bytes (self->insert, 2, prepared->str, prepared->len);
  ok = _gadget_sql_run (self->insert, error);
  self->index_failed = !ok;
  return ok;
}

/* Writes the row of a prompt or an item again. */
static gboolean
write_row (Writer *self, gint64 row, GError **error)
{
  g_autoptr (GadgetChatSearchTexts) texts = NULL;
  GError *local_error = NULL;

  if (!delete_rows (self, row, row | 3, error))
    return FALSE;
  texts = _gadget_chat_search_texts_read (&self->reader, row, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  return texts == NULL || write_texts (self, row, texts, error);
}

static gint64
get_elapsed (const Writer *self)
{
  return g_get_monotonic_time () - self->begin_us;
}

static gboolean
has_time (const Writer *self)
{
  return get_elapsed (self) < STEP_US;
}

/* Returns the numbers in the first column of the rows. */
static GArray *
list_numbers (sqlite3 *db, const char *sql, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  gboolean has_row;

  while (stmt != NULL && _gadget_sql_next (stmt, &has_row, error))
    {
      const gint64 number = sqlite3_column_int64 (stmt, 0);

      if (!has_row)
        return g_steal_pointer (&numbers);
      g_array_append_val (numbers, number);
    }
  return NULL;
}

static gboolean
run_with_row (sqlite3 *db, const char *sql, gint64 row, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, row);
  return _gadget_sql_run (stmt, error);
}

/* Takes the newest pending rows, as long as there is time. */
static gboolean
take_pending (Writer *self, GError **error)
{
  g_autoptr (GArray) rows =
      list_numbers (self->db,
                    "SELECT number FROM (SELECT number FROM search_pending"
                    " ORDER BY number DESC LIMIT " MAX_PENDING ") ORDER BY number",
                    error);

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->len && (i == 0 || has_time (self)); i++)
    {
      const gint64 row = g_array_index (rows, gint64, i);

      if (!run_with_row (self->db, "DELETE FROM search_pending WHERE number = ?1", row, error)
          || !write_row (self, row, error))
        return FALSE;
    }
  self->step->more = rows->len > 0;
  return TRUE;
}

/* When the time is over, the texts that are left are pending ones. */
static gboolean
write_read_texts (Writer *self, gint64 turn, GError **error)
{
  gboolean has_row;

  while (_gadget_sql_next (self->turn, &has_row, error))
    {
      const gint64 row = (turn << 16) | sqlite3_column_int64 (self->turn, 7);
      const gboolean late = has_row && !has_time (self);
      g_autoptr (GadgetChatSearchTexts) texts =
          has_row && !late ? _gadget_chat_search_texts_new (self->turn) : NULL;

      if (!has_row)
        return TRUE;
      if ((late
           && !run_with_row (self->db, "INSERT OR IGNORE INTO search_pending (number) VALUES (?1)",
                             row, error))
          || (texts != NULL && !write_texts (self, row, texts, error)))
        return FALSE;
    }
  return FALSE;
}

/* Writes all rows of a turn for the first time, or again. */
static gboolean
write_turn (Writer *self, gint64 turn, GError **error)
{
  gboolean ok;

  if (!delete_rows (self, turn << 16, (turn << 16) | 0xffff, error))
    return FALSE;
  if (self->turn == NULL)
    self->turn = _gadget_sql_prepare (
        self->db,
        "SELECT " GADGET_CHAT_SEARCH_PROMPT_COLUMNS ", 0 FROM turn WHERE number = ?1"
        " UNION ALL SELECT " GADGET_CHAT_SEARCH_ITEM_COLUMNS ", (position + 1) * 4"
        " FROM item WHERE turn = ?1 AND position < 16382"
        " AND " GADGET_CHAT_SEARCH_SETTLED,
        error);
  if (self->turn == NULL)
    return FALSE;
  _gadget_sql_bind_int (self->turn, 1, turn);
  ok = write_read_texts (self, turn, error);
  sqlite3_reset (self->turn);
  return ok;
}

/* The next step builds so many turns that it takes the time that a step may take. */
static void
choose_n_turns (Writer *self)
{
  const guint n = self->step->n_turns;

  if (!has_time (self))
    self->step->n_turns = MAX (n / 2, 1);
  else if (get_elapsed (self) < STEP_US / 2)
    self->step->n_turns = MIN (n * 2, MAX_TURNS);
}

/* Goes on with the turns that are not indexed yet, the newest first. */
static gboolean
build (Writer *self, GError **error)
{
  g_autoptr (GArray) turns = NULL;
  g_autofree char *select = NULL;
  g_autofree char *update = NULL;
  gint64 next;

  if (!_gadget_sql_get_int (self->db, "SELECT max (next) FROM search_build", &next, error))
    return FALSE;
  if (next <= 0)
    return TRUE;
  self->step->n_turns = MAX (self->step->n_turns, 1);
  select = g_strdup_printf ("SELECT number FROM (SELECT number FROM turn"
                            " WHERE number <= %" G_GINT64_FORMAT " ORDER BY number DESC LIMIT %u)"
                            " ORDER BY number",
                            next, self->step->n_turns);
  turns = list_numbers (self->db, select, error);
  if (turns == NULL)
    return FALSE;
  for (guint i = 0; i < turns->len; i++)
    if (!write_turn (self, g_array_index (turns, gint64, i), error))
      return FALSE;
  choose_n_turns (self);
  next = turns->len > 0 ? g_array_index (turns, gint64, 0) - 1 : 0;
  self->step->more = turns->len > 0;
  update = g_strdup_printf ("UPDATE search_build SET next = %" G_GINT64_FORMAT, next);
  return _gadget_sql_exec (self->db, update, error);
}

/* The command counts as one change if there is nothing to merge. */
static gboolean
merge (Writer *self, GError **error)
{
  const int n_before = sqlite3_total_changes (self->db);

  self->index_failed = TRUE;
  if (!_gadget_sql_exec (
          self->db, "INSERT INTO search (search, rank) VALUES ('merge', " MERGED_PAGES ")", error))
    return FALSE;
  self->index_failed = FALSE;
  self->step->merge = sqlite3_total_changes (self->db) - n_before >= 2;
  self->step->more = self->step->merge || self->more;
  return TRUE;
}

static gboolean
work (sqlite3 *db, gpointer data, GError **error)
{
  Writer *self = data;

  if (self->step->merge)
    return merge (self, error);
  if (!writer_init (self, error) || !take_pending (self, error)
      || (!self->step->more && !build (self, error)))
    return FALSE;
  self->step->merge = self->step->more = TRUE;
  return TRUE;
}

/* --- Steps ------------------------------------------------------------------------------------ */

static gboolean
count_chats (sqlite3 *db, GadgetChatSearchStep *step, GError **error)
{
  gint64 n_chats;
  gint64 n_missing;

  if (!_gadget_sql_get_int (db, "SELECT count(*) FROM session WHERE " GADGET_SQL_IS_CHAT, &n_chats,
                            error)
      || !_gadget_sql_get_int (db,
                               "SELECT count(*) FROM session WHERE " GADGET_SQL_IS_CHAT
                               " AND (SELECT max (next) FROM search_build) > 0"
                               " AND EXISTS (SELECT 1 FROM turn WHERE session = session.number"
                               "  AND turn.number <= (SELECT max (next) FROM search_build))",
                               &n_missing, error))
    return FALSE;
  step->n_chats = (guint) n_chats;
  step->n_indexed = (guint) (n_chats - n_missing);
  return TRUE;
}

gboolean
_gadget_chat_search_index_step (sqlite3 *db, gpointer data, GError **error)
{
  GadgetChatSearchStep *step = data;
  const gint64 begin_us = g_get_monotonic_time ();
  g_auto (Writer) writer = { .step = step, .db = db, .begin_us = begin_us };
  g_autoptr (GError) local_error = NULL;
  g_autofree char *sql = NULL;
  gint64 any;

  step->more = step->damaged = FALSE;
  /* An import writes much faster alone, and its chats are not seen before its end. */
  sql = g_strdup_printf ("SELECT (EXISTS (SELECT 1 FROM search_pending)"
                         "  OR (SELECT max (next) FROM search_build) > 0)"
                         " AND NOT EXISTS (SELECT 1 FROM import WHERE ended_at IS NULL"
                         "  AND started_at > %" G_GINT64_FORMAT ")",
                         gadget_clock_wall_ms () - MAX_IMPORT_MS);
  if (!_gadget_sql_get_int (db, sql, &any, error))
    return FALSE;
  writer.more = any != 0;
  if ((any != 0 || step->merge) && !_gadget_sql_transaction (db, work, &writer, &local_error))
    {
      step->more = step->merge = FALSE;
      if (!writer.index_failed
          || !g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      step->damaged = TRUE;
      g_message ("the search index is damaged: %s", local_error->message);
    }
  if (step->more && begin_us - step->counted_us < COUNT_US)
    return TRUE;
  step->counted_us = begin_us;
  return count_chats (db, step, error);
}

static gboolean
begin_again (sqlite3 *db, GError **error)
{
  return _gadget_sql_exec (db,
                           "DELETE FROM search_pending;"
                           "DELETE FROM search_build;"
                           "INSERT INTO search_build (next)"
                           " SELECT coalesce (max (number), 0) FROM turn",
                           error);
}

static gboolean
empty (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_exec (db, "INSERT INTO search (search) VALUES ('delete-all')", error)
         && begin_again (db, error);
}

/* FTS5 neither opens nor drops a table whose structure is damaged. So the tables below it get the
 * contents of an empty one. */
static gboolean
replace_contents (sqlite3 *db, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT replace (sql, 'TABLE search USING', 'TABLE search_empty USING')"
                           " FROM sqlite_schema WHERE name = 'search'",
                           error);
  g_autofree char *sql = NULL;
  gboolean has_row;

  if (stmt == NULL || !_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  sql = has_row ? _gadget_sql_dup_text (stmt, 0) : g_strdup ("");
  sqlite3_reset (stmt);
  return _gadget_sql_exec (db, sql, error)
         && _gadget_sql_exec (db,
                              "DELETE FROM search_data;"
                              "INSERT INTO search_data SELECT * FROM search_empty_data;"
                              "DELETE FROM search_idx;"
                              "INSERT INTO search_idx SELECT * FROM search_empty_idx;"
                              "DELETE FROM search_docsize;"
                              "DELETE FROM search_config;"
                              "INSERT INTO search_config SELECT * FROM search_empty_config;"
                              "DROP TABLE search_empty",
                              error)
         && begin_again (db, error);
}

gboolean
_gadget_chat_search_index_reset (sqlite3 *db, gpointer data, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (_gadget_sql_transaction (db, empty, NULL, &local_error))
    return TRUE;
  if (!g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return _gadget_sql_transaction (db, replace_contents, NULL, error);
}
