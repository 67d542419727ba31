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

#include <string.h>

#include "gadget-chat-search-index-private.h"

#include "common/gadget-json.h"
#include "common/gadget-types.h"
#include "gadget-chat-search-text-private.h"
#include "store/gadget-sql.h"
#include "store/gadget-store-attachments-private.h"
#include "store/gadget-store-schema.h"

/* A step goes on until so much time has passed, so that other jobs of the store need not wait. */
#define STEP_US 6000
/* A step counts the chats if it is the last one, or so long after the count before. */
#define COUNT_US (250 * G_TIME_SPAN_MILLISECOND)

/* --- Texts ------------------------------------------------------------------------------------ */

void
_gadget_chat_search_texts_free (GadgetChatSearchTexts *self)
{
  g_free (self->text);
  g_free (self->arguments);
  g_free (self->tool);
  g_free (self->call_summary);
  g_clear_pointer (&self->attachments, g_ptr_array_unref);
  g_free (self);
}

static void
add_values (GString *to, JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObjectIter iter;
      JsonNode *member;

      json_object_iter_init_ordered (&iter, json_node_get_object (node));
      while (json_object_iter_next_ordered (&iter, NULL, &member))
        add_values (to, member);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        add_values (to, json_array_get_element (array, i));
    }
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_string_append (to, json_node_get_string (node));
      g_string_append_c (to, '\n');
    }
}

/* Returns the strings in the JSON of the arguments, since "\n" in it is no word. */
static char *
dup_values (const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  GString *values;

  if (node == NULL)
    return g_strdup (arguments);
  values = g_string_new (NULL);
  add_values (values, node);
  return g_string_free (values, FALSE);
}

/* Returns the output of a call, and its result, if that says anything else. */
static char *
dup_output (char *text, char *result)
{
  g_autofree char *shown = text;
  g_autofree char *returned = result;

  if (returned == NULL || (shown != NULL && strstr (shown, returned) != NULL))
    return g_steal_pointer (&shown);
  if (shown == NULL || strstr (returned, shown) != NULL)
    return g_steal_pointer (&returned);
  return g_strconcat (shown, "\n", returned, NULL);
}

static gboolean
get_in (const char *kind, GadgetChatSearchIn *in)
{
  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      *in = GADGET_CHAT_SEARCH_IN_ANSWER;
      return TRUE;
    case GADGET_ITEM_REASONING:
      *in = GADGET_CHAT_SEARCH_IN_REASONING;
      return TRUE;
    case GADGET_ITEM_TOOL_CALL:
      *in = GADGET_CHAT_SEARCH_IN_CALL;
      return TRUE;
    case GADGET_ITEM_STEER:
      *in = GADGET_CHAT_SEARCH_IN_PROMPT;
      return TRUE;
    /* What these say is in the other items too. */
    case GADGET_ITEM_NOTE:
    case GADGET_ITEM_SUMMARY:
    default:
      return FALSE;
    }
}

#define ITEM_COLUMNS "kind, text, attachments, name, arguments, result, call_summary"
#define PROMPT_COLUMNS "'steer', prompt, attachments, NULL, NULL, NULL, NULL"
#define SETTLED "status NOT IN ('streaming', 'pending', 'running')"

/* Returns NULL if the row has no texts. */
static GadgetChatSearchTexts *
read_texts (sqlite3_stmt *stmt)
{
  const char *arguments = (const char *) sqlite3_column_text (stmt, 4);
  g_autofree char *kind = _gadget_sql_dup_text (stmt, 0);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, 2);
  GadgetChatSearchTexts *self;
  GadgetChatSearchIn in;

  if (!get_in (kind, &in))
    return NULL;
  self = g_new0 (GadgetChatSearchTexts, 1);
  self->in = in;
  self->text = _gadget_sql_dup_text (stmt, 1);
  self->attachments = _gadget_attachments_parse (attachments);
  if (in != GADGET_CHAT_SEARCH_IN_CALL)
    return self;
  self->text = dup_output (self->text, _gadget_sql_dup_text (stmt, 5));
  self->arguments = arguments != NULL ? dup_values (arguments) : NULL;
  self->tool = _gadget_sql_dup_text (stmt, 3);
  self->call_summary = _gadget_sql_dup_text (stmt, 6);
  return self;
}

void
_gadget_chat_search_text_reader_clear (GadgetChatSearchTextReader *self)
{
  g_clear_pointer (&self->prompt, sqlite3_finalize);
  g_clear_pointer (&self->item, sqlite3_finalize);
}

static sqlite3_stmt *
get_statement (sqlite3 *db, sqlite3_stmt **stmt, const char *sql, GError **error)
{
  if (*stmt == NULL)
    *stmt = _gadget_sql_prepare (db, sql, error);
  return *stmt;
}

GadgetChatSearchTexts *
_gadget_chat_search_texts_read (GadgetChatSearchTextReader *reader, gint64 row, GError **error)
{
  const int position = GADGET_CHAT_SEARCH_ROW_POSITION (row);
  sqlite3_stmt *stmt =
      position < 0 ? get_statement (reader->db, &reader->prompt,
                                    "SELECT " PROMPT_COLUMNS " FROM turn WHERE number = ?1", error)
                   : get_statement (reader->db, &reader->item,
                                    "SELECT " ITEM_COLUMNS " FROM item WHERE turn = ?1"
                                    " AND position = ?2 AND " SETTLED,
                                    error);
  GadgetChatSearchTexts *texts = NULL;
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_int (stmt, 1, GADGET_CHAT_SEARCH_ROW_TURN (row));
  if (position >= 0)
    _gadget_sql_bind_int (stmt, 2, position);
  if (_gadget_sql_next (stmt, &has_row, error) && has_row)
    texts = read_texts (stmt);
  sqlite3_reset (stmt);
  return texts;
}

static void
add_line (GString *to, const char *text)
{
  if (text == NULL)
    return;
  g_string_append (to, text);
  g_string_append_c (to, '\n');
}

GString *
_gadget_chat_search_texts_join (const GadgetChatSearchTexts *self)
{
  GString *all = g_string_new (NULL);

  add_line (all, self->text);
  add_line (all, self->arguments);
  for (guint i = 0; self->attachments != NULL && i < self->attachments->len; i++)
    {
      const GadgetAttachment *attachment = g_ptr_array_index (self->attachments, i);

      add_line (all, gadget_attachment_get_name (attachment));
      add_line (all, gadget_attachment_get_text (attachment));
    }
  return all;
}

/* --- Writing rows ----------------------------------------------------------------------------- */

/* A step, and the statements that it uses again and again. */
typedef struct
{
  GadgetChatSearchStep *step;
  sqlite3 *db;
  gint64 end_us;
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

static gboolean
writer_init (Writer *self, GError **error)
{
  self->reader.db = self->db;
  self->index_failed = TRUE;
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

static gboolean
has_time (const Writer *self)
{
  return g_get_monotonic_time () < self->end_us;
}

/* Takes pending rows, the newest first, as long as there is time. */
static gboolean
take_pending (Writer *self, GError **error)
{
  do
    {
      g_autoptr (sqlite3_stmt) forget = NULL;
      GError *local_error = NULL;
      gint64 row;

      if (!_gadget_sql_get_int (self->db,
                                "SELECT number FROM search_pending ORDER BY number DESC LIMIT 1",
                                &row, &local_error))
        {
          if (g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
            {
              g_clear_error (&local_error);
              return TRUE;
            }
          g_propagate_error (error, local_error);
          return FALSE;
        }
      forget =
          _gadget_sql_prepare (self->db, "DELETE FROM search_pending WHERE number = ?1", error);
      if (forget == NULL)
        return FALSE;
      _gadget_sql_bind_int (forget, 1, row);
      if (!_gadget_sql_run (forget, error) || !write_row (self, row, error))
        return FALSE;
    }
  while (has_time (self));
  self->step->more = TRUE;
  return TRUE;
}

static gboolean
write_read_texts (Writer *self, gint64 turn, GError **error)
{
  gboolean has_row;

  while (_gadget_sql_next (self->turn, &has_row, error))
    {
      g_autoptr (GadgetChatSearchTexts) texts = has_row ? read_texts (self->turn) : NULL;

      if (!has_row)
        return TRUE;
      if (texts != NULL
          && !write_texts (self, (turn << 16) | sqlite3_column_int64 (self->turn, 7), texts, error))
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
    self->turn = _gadget_sql_prepare (self->db,
                                      "SELECT " PROMPT_COLUMNS ", 0 FROM turn WHERE number = ?1"
                                      " UNION ALL SELECT " ITEM_COLUMNS ", (position + 1) * 4"
                                      " FROM item WHERE turn = ?1 AND position < 16382"
                                      " AND " SETTLED,
                                      error);
  if (self->turn == NULL)
    return FALSE;
  _gadget_sql_bind_int (self->turn, 1, turn);
  ok = write_read_texts (self, turn, error);
  sqlite3_reset (self->turn);
  return ok;
}

/* Finds the turn with the highest number up to @next; 0 if there is none. */
static gboolean
find_turn (sqlite3 *db, gint64 next, gint64 *turn, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT coalesce (max (number), 0) FROM turn WHERE number <= %" G_GINT64_FORMAT, next);

  return _gadget_sql_get_int (db, sql, turn, error);
}

/* Goes on with the turns that are not indexed yet, as long as there is time. */
static gboolean
build (Writer *self, GError **error)
{
  g_autofree char *sql = NULL;
  gint64 next;

  if (!_gadget_sql_get_int (self->db, "SELECT max (next) FROM search_build", &next, error))
    return FALSE;
  if (next <= 0)
    return TRUE;
  do
    {
      gint64 turn;

      if (!find_turn (self->db, next, &turn, error)
          || (turn > 0 && !write_turn (self, turn, error)))
        return FALSE;
      next = turn - 1;
    }
  while (next > 0 && has_time (self));
  self->step->more = next > 0;
  sql = g_strdup_printf ("UPDATE search_build SET next = %" G_GINT64_FORMAT, MAX (next, 0));
  return _gadget_sql_exec (self->db, sql, error);
}

static gboolean
work (sqlite3 *db, gpointer data, GError **error)
{
  Writer *self = data;

  return writer_init (self, error) && take_pending (self, error)
         && (self->step->more || build (self, error));
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
  g_auto (Writer) writer = { .step = step, .db = db, .end_us = begin_us + STEP_US };
  g_autoptr (GError) local_error = NULL;
  gint64 any;

  step->more = step->damaged = FALSE;
  if (!_gadget_sql_get_int (db,
                            "SELECT EXISTS (SELECT 1 FROM search_pending)"
                            " OR (SELECT max (next) FROM search_build) > 0",
                            &any, error))
    return FALSE;
  if (any != 0 && !_gadget_sql_transaction (db, work, &writer, &local_error))
    {
      step->more = FALSE;
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
