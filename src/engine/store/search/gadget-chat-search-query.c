/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A search, on a thread and a connection of its own: it does not wait for jobs of the store, and
 * can be interrupted without disturbing them. It only reads.
 *
 * FTS5 gives the rows with all words, the newest first. The row's number says the turn, and
 * gadget-chat-search-turns.c the chat of the turn. Texts are read only of the matches that are
 * returned, and of the candidates for a phrase.
 *
 * A common word is in 200,000 texts, which takes up to 100 ms. So after FIRST_US the best of the
 * newest matches are returned first. For the beginning of a word, FTS5 merges the rows of all words
 * that begin so before it gives the first one. So the first results are those of the first such
 * words, and if these are all, they are asked for instead.
 *
 * The rank of a match is the sum of what it is in (a prompt before an answer, before reasoning,
 * before calls) and of how new it is; that of a chat is the rank of its best match, and somewhat
 * more for each doubling of its matches. The function bm25() of FTS5 is not used: it counts all
 * texts with each word first, 500 ms for a common one. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include <math.h>
#include <string.h>

#include "gadget-chat-search-query-private.h"

#include "common/gadget-clock.h"
#include "gadget-chat-search-text-private.h"
#include "gadget-chat-search-texts-private.h"
#include "gadget-chat-search-turns-private.h"
#include "session/gadget-attachment.h"
#include "session/gadget-call-summary.h"
#include "store/gadget-sql.h"

/* The first results are returned after so long, and phrases are looked for in texts for so long. */
#define FIRST_US (3 * G_TIME_SPAN_MILLISECOND)
#define PHRASE_US (60 * G_TIME_SPAN_MILLISECOND)
/* More chats of the first results are hardly seen before the last ones are there. */
#define FIRST_CHATS 8
/* So many words are asked for in place of their beginning, and so many rows for first results. */
#define MAX_ENDS 24
#define FIRST_ROWS 200
/* In a library with more turns, a beginning of fewer characters is only that of MAX_ENDS words: all
 * would take 200 ms for 35,000 turns with 500,000 items. */
#define LARGE 10000
#define MIN_BEGIN 4
/* Rows between two looks at the clock and the cancellable. */
#define LOOK_AFTER 256

#define DEFAULT_LIMIT 20
#define DEFAULT_CHAT_LIMIT 3
/* Matches and chats that are returned at most. */
#define MAX_LIMIT 1000

#define DAY_MS (24.0 * 60 * 60 * 1000)

struct _GadgetChatSearchReader
{
  char *path;
  sqlite3 *db;
  GadgetChatSearchTurns turns;
};

typedef struct
{
  gint64 row;
  gint64 time;
  double rank;
} Hit;

/* The hits of one chat. */
typedef struct
{
  gint64 session;
  guint n_matches;
  double rank;
  GArray *best; /* of Hit, the best first */
} Chat;

/* A search. */
typedef struct
{
  GadgetChatSearchReader *reader;
  const GadgetChatSearchQuery *query;
  GadgetChatSearchWords *words;
  GCancellable *cancellable;
  GadgetChatSearchEmitFunc emit; /* (nullable): NULL when it was called, too */
  gpointer emit_data;
  gboolean incomplete; /* whether something was not searched, since it takes too long */
  gint64 begin_us;
  gint64 now_ms;
  GHashTable *chats; /* gint64 → Chat */
  guint n_matches;
  guint n_best; /* hits of each chat to remember */
  GadgetChatSearchTextReader texts;
  sqlite3_stmt *ids;     /* reads the ids of a turn and its session */
  gboolean index_failed; /* whether reading the index failed, and nothing else */
} Find;

static void
chat_free (gpointer data)
{
  Chat *chat = data;

  g_array_unref (chat->best);
  g_free (chat);
}

static void
find_clear (Find *self)
{
  g_clear_pointer (&self->words, _gadget_chat_search_words_free);
  g_clear_pointer (&self->chats, g_hash_table_unref);
  g_clear_pointer (&self->ids, sqlite3_finalize);
  _gadget_chat_search_text_reader_clear (&self->texts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Find, find_clear)

/* --- The database ----------------------------------------------------------------------------- */

static gboolean
open_database (GadgetChatSearchReader *self, GError **error)
{
  sqlite3 *db = NULL;
  int code;

  _gadget_sql_enter_thread ();
  if (self->db != NULL)
    return TRUE;
  code = sqlite3_open_v2 (self->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL);
  if (code == SQLITE_OK)
    {
      sqlite3_extended_result_codes (db, 1);
      sqlite3_busy_timeout (db, 1000);
      if (_gadget_sql_exec (db,
                            "CREATE VIRTUAL TABLE temp.search_words"
                            " USING fts5vocab (main, search, instance);"
                            "PRAGMA query_only = ON; PRAGMA cache_size = -8000",
                            error))
        {
          g_atomic_pointer_set (&self->db, db);
          return TRUE;
        }
    }
  else
    _gadget_sql_set_error (db, code, error);
  sqlite3_close_v2 (db);
  return FALSE;
}

/* --- Ranking ---------------------------------------------------------------------------------- */

static double
get_rank (const Find *find, gint64 row, gint64 time)
{
  static const double in[] = { [GADGET_CHAT_SEARCH_IN_PROMPT] = 1.0,
                               [GADGET_CHAT_SEARCH_IN_ANSWER] = 0.9,
                               [GADGET_CHAT_SEARCH_IN_REASONING] = 0.5,
                               [GADGET_CHAT_SEARCH_IN_CALL] = 0.4 };

  switch (find->query->order)
    {
    case GADGET_CHAT_SEARCH_NEWEST:
      return (double) time;
    case GADGET_CHAT_SEARCH_OLDEST:
      return -(double) time;
    case GADGET_CHAT_SEARCH_BEST_MATCH:
    default:
      return in[GADGET_CHAT_SEARCH_ROW_IN (row)]
             + 1 / (1 + (double) MAX (find->now_ms - time, 0) / (30 * DAY_MS));
    }
}

static void
add_hit (Find *find, gint64 row, const GadgetChatSearchTurn *turn)
{
  const Hit hit = { row, turn->time, get_rank (find, row, turn->time) };
  Chat *chat = g_hash_table_lookup (find->chats, &turn->session);
  guint i;

  if (chat == NULL)
    {
      chat = g_new0 (Chat, 1);
      chat->session = turn->session;
      chat->best = g_array_new (FALSE, FALSE, sizeof (Hit));
      g_hash_table_insert (find->chats, &chat->session, chat);
    }
  chat->n_matches++;
  find->n_matches++;
  i = chat->best->len;
  if (i >= find->n_best && g_array_index (chat->best, Hit, i - 1).rank >= hit.rank)
    return;
  while (i > 0 && g_array_index (chat->best, Hit, i - 1).rank < hit.rank)
    i--;
  g_array_insert_val (chat->best, i, hit);
  if (chat->best->len > find->n_best)
    g_array_set_size (chat->best, find->n_best);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const Chat *first = *(const Chat *const *) a;
  const Chat *second = *(const Chat *const *) b;

  if (first->rank != second->rank)
    return first->rank < second->rank ? 1 : -1;
  return (first->session < second->session) - (first->session > second->session);
}

/* Returns all chats, the best first (transfer container). */
static GPtrArray *
sort_chats (Find *find)
{
  GPtrArray *chats = g_hash_table_get_values_as_ptr_array (find->chats);

  for (guint i = 0; i < chats->len; i++)
    {
      Chat *chat = g_ptr_array_index (chats, i);

      chat->rank = g_array_index (chat->best, Hit, 0).rank;
      if (find->query->order == GADGET_CHAT_SEARCH_BEST_MATCH)
        chat->rank += 0.1 * log2 (chat->n_matches);
    }
  g_ptr_array_sort (chats, compare_ranks);
  return chats;
}

/* --- Results ---------------------------------------------------------------------------------- */

static gboolean
is_change (const GadgetCallSummary *summary)
{
  switch (summary->kind)
    {
    case GADGET_CALL_SUMMARY_EDITING:
    case GADGET_CALL_SUMMARY_EDITED:
    case GADGET_CALL_SUMMARY_WRITING:
    case GADGET_CALL_SUMMARY_CREATED:
    case GADGET_CALL_SUMMARY_CREATED_LINES:
    case GADGET_CALL_SUMMARY_WROTE:
    case GADGET_CALL_SUMMARY_WROTE_LINES:
    case GADGET_CALL_SUMMARY_UNCHANGED:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Takes the text as that of the match if it has any of the words. */
static gboolean
try_text (const Find *find, GadgetChatSearchMatch *match, const char *text,
          GadgetChatSearchKind kind, const char *subject)
{
  g_clear_pointer (&match->text, g_free);
  g_clear_pointer (&match->ranges, g_array_unref);
  match->kind = kind;
  g_set_str (&match->subject, subject);
  return _gadget_chat_search_words_cut (find->words, text != NULL ? text : "", match);
}

static gboolean
try_call (const Find *find, GadgetChatSearchMatch *match, const GadgetChatSearchTexts *texts)
{
  g_autoptr (GadgetCallSummary) summary =
      texts->call_summary != NULL ? gadget_call_summary_from_json (texts->call_summary) : NULL;

  if (summary != NULL && is_change (summary)
      && try_text (find, match, texts->arguments, GADGET_CHAT_SEARCH_CHANGE, summary->subject))
    return TRUE;
  return try_text (find, match, texts->text, GADGET_CHAT_SEARCH_OUTPUT, texts->tool)
         || try_text (find, match, texts->arguments, GADGET_CHAT_SEARCH_CALL, texts->tool);
}

static gboolean
try_attachments (const Find *find, GadgetChatSearchMatch *match, const GadgetChatSearchTexts *texts)
{
  for (guint i = 0; texts->attachments != NULL && i < texts->attachments->len; i++)
    {
      const GadgetAttachment *attachment = g_ptr_array_index (texts->attachments, i);
      const char *name = gadget_attachment_get_name (attachment);

      if (try_text (find, match, gadget_attachment_get_text (attachment),
                    GADGET_CHAT_SEARCH_ATTACHMENT, name)
          || try_text (find, match, name, GADGET_CHAT_SEARCH_FILE_NAME, name))
        return TRUE;
    }
  return FALSE;
}

/* Sets what the match is in, and its line. The words may be in several texts; the first one with
 * any of them is shown. */
static void
cut (const Find *find, GadgetChatSearchMatch *match, const GadgetChatSearchTexts *texts)
{
  static const GadgetChatSearchKind kinds[] = {
    [GADGET_CHAT_SEARCH_IN_PROMPT] = GADGET_CHAT_SEARCH_PROMPT,
    [GADGET_CHAT_SEARCH_IN_ANSWER] = GADGET_CHAT_SEARCH_ANSWER,
    [GADGET_CHAT_SEARCH_IN_REASONING] = GADGET_CHAT_SEARCH_REASONING
  };

  if (texts->in == GADGET_CHAT_SEARCH_IN_CALL)
    {
      try_call (find, match, texts);
      return;
    }
  if (!try_text (find, match, texts->text, kinds[texts->in], NULL)
      && !try_attachments (find, match, texts))
    try_text (find, match, texts->text, kinds[texts->in], NULL);
}

static gboolean
read_ids (Find *find, const Hit *hit, GadgetChatSearchMatch *match, GError **error)
{
  gboolean has_row;

  if (find->ids == NULL)
    find->ids = _gadget_sql_prepare (find->reader->db,
                                     "SELECT turn.id, session.id FROM turn"
                                     " JOIN session ON session.number = turn.session"
                                     " WHERE turn.number = ?1",
                                     error);
  if (find->ids == NULL)
    return FALSE;
  _gadget_sql_bind_int (find->ids, 1, GADGET_CHAT_SEARCH_ROW_TURN (hit->row));
  if (!_gadget_sql_next (find->ids, &has_row, error))
    return FALSE;
  if (has_row)
    {
      match->turn_id = _gadget_sql_dup_text (find->ids, 0);
      match->session_id = _gadget_sql_dup_text (find->ids, 1);
    }
  sqlite3_reset (find->ids);
  return TRUE;
}

/* Adds the match, unless its text is not there any more. */
static gboolean
read_match (Find *find, const Hit *hit, GPtrArray *matches, GError **error)
{
  GError *local_error = NULL;
  g_autoptr (GadgetChatSearchTexts) texts =
      _gadget_chat_search_texts_read (&find->texts, hit->row, &local_error);
  GadgetChatSearchMatch *match;

  if (local_error != NULL)
    g_propagate_error (error, local_error);
  if (texts == NULL)
    return local_error == NULL;
  match = g_new0 (GadgetChatSearchMatch, 1);
  g_ptr_array_add (matches, match);
  match->position = GADGET_CHAT_SEARCH_ROW_POSITION (hit->row);
  match->time = hit->time;
  cut (find, match, texts);
  return read_ids (find, hit, match, error);
}

static gboolean
read_matches (Find *find, const Chat *chat, GPtrArray *matches, GError **error)
{
  for (guint i = find->query->chat_offset; i < chat->best->len; i++)
    if (g_cancellable_set_error_if_cancelled (find->cancellable, error)
        || !read_match (find, &g_array_index (chat->best, Hit, i), matches, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_result (Find *find, const Chat *chat, GPtrArray *results, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      find->reader->db, "SELECT id, title, workspace, updated_at FROM session WHERE number = ?1",
      error);
  GadgetChatSearchResult *result;
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, chat->session);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    return TRUE;
  result = g_new0 (GadgetChatSearchResult, 1);
  result->session_id = _gadget_sql_dup_text (stmt, 0);
  result->title = _gadget_sql_dup_text (stmt, 1);
  result->workspace = _gadget_sql_dup_text (stmt, 2);
  result->time = sqlite3_column_int64 (stmt, 3);
  result->n_matches = chat->n_matches;
  result->matches = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_chat_search_match_free);
  g_ptr_array_add (results, result);
  return read_matches (find, chat, result->matches, error);
}

static GadgetChatSearchResults *
make_results (Find *find, gboolean complete, guint most, GError **error)
{
  g_autoptr (GadgetChatSearchResults) results = g_new0 (GadgetChatSearchResults, 1);
  const GadgetChatSearchQuery *query = find->query;
  const guint limit = MIN (query->limit > 0 ? query->limit : DEFAULT_LIMIT, most);
  g_autoptr (GPtrArray) chats = sort_chats (find);

  results->chats = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_chat_search_result_free);
  results->n_chats = chats->len;
  results->n_matches = find->n_matches;
  results->complete = complete;
  for (guint i = query->offset; i < chats->len && i - query->offset < limit; i++)
    if (!add_result (find, g_ptr_array_index (chats, i), results->chats, error))
      return NULL;
  return g_steal_pointer (&results);
}

/* --- Searching -------------------------------------------------------------------------------- */

/* Sets @matches to whether the phrases are in the texts of the row. */
static gboolean
match_phrases (Find *find, gint64 row, gboolean *matches, GError **error)
{
  GError *local_error = NULL;
  g_autoptr (GadgetChatSearchTexts) texts =
      _gadget_chat_search_texts_read (&find->texts, row, &local_error);
  g_autoptr (GString) all = NULL;

  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  all = texts != NULL ? _gadget_chat_search_texts_join (texts) : NULL;
  *matches = all != NULL && _gadget_chat_search_words_match (find->words, all->str, all->len);
  return TRUE;
}

static gboolean
emit_first (Find *find, GError **error)
{
  GadgetChatSearchResults *results = make_results (find, FALSE, FIRST_CHATS, error);

  if (results == NULL)
    return FALSE;
  find->emit (results, find->emit_data);
  find->emit = NULL;
  return TRUE;
}

/* Reads the rows of the index, and returns the first results after a while with @may_emit. */
static gboolean
read_rows (Find *find, sqlite3_stmt *stmt, gboolean may_emit, GError **error)
{
  const gboolean inexact = _gadget_chat_search_words_are_inexact (find->words);
  const GadgetChatSearchTurn *turn = NULL;
  gboolean has_row;

  for (guint n = 1; _gadget_sql_next (stmt, &has_row, error); n++)
    {
      const gint64 row = has_row ? sqlite3_column_int64 (stmt, 0) : 0;
      gboolean matches = TRUE;

      find->index_failed = FALSE;
      if (!has_row)
        return TRUE;
      if (turn == NULL || turn->number != GADGET_CHAT_SEARCH_ROW_TURN (row))
        turn = _gadget_chat_search_turns_find (&find->reader->turns,
                                               GADGET_CHAT_SEARCH_ROW_TURN (row));
      if (turn != NULL && turn->searched)
        {
          if (inexact && !match_phrases (find, row, &matches, error))
            return FALSE;
          if (matches)
            add_hit (find, row, turn);
        }
      find->index_failed = !inexact && n % LOOK_AFTER != 0;
      if (find->index_failed)
        continue;
      if (g_cancellable_set_error_if_cancelled (find->cancellable, error))
        return FALSE;
      if (inexact && g_get_monotonic_time () - find->begin_us > PHRASE_US)
        {
          find->incomplete = TRUE;
          return TRUE;
        }
      if (may_emit && find->emit != NULL && find->n_matches > 0
          && g_get_monotonic_time () - find->begin_us > FIRST_US && !emit_first (find, error))
        return FALSE;
      find->index_failed = TRUE;
    }
  return FALSE;
}

/* Sets @ends to the first words that begin with @begin, as far as they are all or MAX_ENDS. */
static gboolean
read_ends (const Find *find, const char *begin, GPtrArray *ends, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      find->reader->db,
      "SELECT term FROM temp.search_words WHERE term >= ?1 AND term <= ?2 LIMIT 1", error);
  g_autofree char *last = g_strconcat (begin, "\U0010ffff", NULL);
  g_autofree char *from = g_strdup (begin);

  if (stmt == NULL)
    return FALSE;
  while (ends->len < MAX_ENDS)
    {
      gboolean has_row;

      _gadget_sql_bind_text (stmt, 1, from);
      _gadget_sql_bind_text (stmt, 2, last);
      if (!_gadget_sql_next (stmt, &has_row, error))
        return FALSE;
      if (!has_row)
        break;
      g_ptr_array_add (ends, _gadget_sql_dup_text (stmt, 0));
      g_free (from);
      from = g_strconcat (g_ptr_array_index (ends, ends->len - 1), "\x01", NULL);
      sqlite3_reset (stmt);
    }
  return TRUE;
}

/* @ends is (nullable); @limit is 0 for all rows, else these are for first results. */
static gboolean
search_for (Find *find, const GPtrArray *ends, guint limit, GError **error)
{
  g_autofree char *match =
      _gadget_chat_search_words_dup_match (find->words, find->query->tool, ends);
  g_autoptr (sqlite3_stmt) stmt = NULL;

  find->index_failed = TRUE;
  stmt = _gadget_sql_prepare (
      find->reader->db,
      "SELECT rowid FROM search WHERE search MATCH ?1 ORDER BY rowid DESC LIMIT ?2", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, match);
  _gadget_sql_bind_int (stmt, 2, limit > 0 ? (gint64) limit : -1);
  return read_rows (find, stmt, limit == 0, error);
}

/* Returns the matches of some words first, and then forgets them. */
static gboolean
search_first (Find *find, const GPtrArray *ends, GError **error)
{
  if (!search_for (find, ends, FIRST_ROWS, error)
      || (find->n_matches > 0 && !emit_first (find, error)))
    return FALSE;
  g_hash_table_remove_all (find->chats);
  find->n_matches = 0;
  find->incomplete = FALSE;
  return TRUE;
}

static gboolean
search (Find *find, GError **error)
{
  g_autofree char *begin = _gadget_chat_search_words_dup_begin (find->words);
  g_autoptr (GPtrArray) ends = g_ptr_array_new_with_free_func (g_free);

  find->index_failed = TRUE;
  if (begin != NULL && !read_ends (find, begin, ends, error))
    return FALSE;
  if (ends->len < MAX_ENDS)
    return search_for (find, ends->len > 0 ? ends : NULL, 0, error);
  if (find->reader->turns.turns->len > LARGE && g_utf8_strlen (begin, -1) < MIN_BEGIN)
    {
      find->incomplete = TRUE;
      return search_for (find, ends, 0, error);
    }
  return (find->emit == NULL || search_first (find, ends, error))
         && search_for (find, NULL, 0, error);
}

/* In a transaction, so that all is read from one state of the database. */
static GadgetChatSearchResults *
search_in_transaction (Find *find, GError **error)
{
  GadgetChatSearchResults *results = NULL;
  gint64 any;

  if (!_gadget_sql_exec (find->reader->db, "BEGIN", error))
    return NULL;
  /* The first read begins the transaction, and so decides on the version of the data. */
  if (_gadget_sql_get_int (find->reader->db, "SELECT count(*) FROM search_build", &any, error)
      && _gadget_chat_search_turns_read (&find->reader->turns, find->reader->db, error)
      && (find->words == NULL
          || (_gadget_chat_search_turns_filter (&find->reader->turns, find->reader->db, find->query,
                                                error)
              && search (find, error))))
    results = make_results (find, !find->incomplete, MAX_LIMIT, error);
  if (!sqlite3_get_autocommit (find->reader->db))
    _gadget_sql_exec (find->reader->db, "ROLLBACK", NULL);
  return results;
}

GadgetChatSearchReader *
_gadget_chat_search_reader_new (const char *path)
{
  GadgetChatSearchReader *self = g_new0 (GadgetChatSearchReader, 1);

  self->path = g_strdup (path);
  _gadget_chat_search_turns_init (&self->turns);
  return self;
}

void
_gadget_chat_search_reader_free (GadgetChatSearchReader *self)
{
  sqlite3_close_v2 (self->db);
  _gadget_chat_search_turns_clear (&self->turns);
  g_free (self->path);
  g_free (self);
}

void
_gadget_chat_search_reader_interrupt (GadgetChatSearchReader *self)
{
  sqlite3 *db = g_atomic_pointer_get (&self->db);

  if (db != NULL)
    sqlite3_interrupt (db);
}

static Find
find_make (GadgetChatSearchReader *reader, const GadgetChatSearchQuery *query,
           GCancellable *cancellable)
{
  const guint chat_limit = query->chat_limit > 0 ? query->chat_limit : DEFAULT_CHAT_LIMIT;

  return (Find) {
    .reader = reader,
    .query = query,
    .words = _gadget_chat_search_words_new (query->text),
    .cancellable = cancellable,
    .begin_us = g_get_monotonic_time (),
    .now_ms = gadget_clock_wall_ms (),
    .chats = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, chat_free),
    .n_best = MIN (query->chat_offset, G_MAXUINT - MAX_LIMIT) + MIN (chat_limit, MAX_LIMIT),
  };
}

GadgetChatSearchResults *
_gadget_chat_search_reader_find (GadgetChatSearchReader *self, const GadgetChatSearchQuery *query,
                                 GadgetChatSearchEmitFunc emit, gpointer data,
                                 GCancellable *cancellable, gboolean *damaged, GError **error)
{
  for (;;)
    {
      g_auto (Find) find = find_make (self, query, cancellable);
      g_autoptr (GError) local_error = NULL;
      GadgetChatSearchResults *results;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !open_database (self, error))
        return NULL;
      find.texts.db = self->db;
      find.emit = emit;
      find.emit_data = data;
      results = search_in_transaction (&find, &local_error);
      if (results != NULL)
        return results;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      /* The interruption was meant for the search before. */
      if (sqlite3_errcode (self->db) == SQLITE_INTERRUPT)
        continue;
      *damaged = find.index_failed
                 && g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
}

static char *
dup_damage (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "PRAGMA integrity_check (search)", error);
  gboolean has_row;

  if (stmt == NULL || !_gadget_sql_next (stmt, &has_row, error))
    return NULL;
  return has_row ? _gadget_sql_dup_text (stmt, 0) : g_strdup ("ok");
}

gboolean
_gadget_chat_search_reader_check (GadgetChatSearchReader *self, gboolean *intact, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  /* In a connection that has searched, the check of FTS5 takes what it remembers of the index for
   * what is there, and reports changes as damage. */
  g_autoptr (GadgetChatSearchReader) fresh = _gadget_chat_search_reader_new (self->path);
  g_autofree char *damage = NULL;

  if (!open_database (fresh, error))
    return FALSE;
  damage = dup_damage (fresh->db, &local_error);
  if (damage == NULL
      && !g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  *intact = g_strcmp0 (damage, "ok") == 0;
  if (!*intact)
    g_message ("the search index is damaged: %s", damage != NULL ? damage : local_error->message);
  return TRUE;
}
