/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first line is a query, the rest a text. Whatever the query is, FTS5 accepts what is made of
 * it; a text that the index finds for exact words has these words for the line that is shown, too;
 * and the marked ranges are in that line, in their order. */

#include "config.h"

#include "fuzz.h"

#include "store/search/gadget-chat-search-text-private.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3 *
get_index (void)
{
  static sqlite3 *db;

  if (db != NULL)
    return db;
  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "CREATE VIRTUAL TABLE search USING fts5 (text, content = '',"
                                 " contentless_delete = 1, detail = none,"
                                 " tokenize = 'unicode61 remove_diacritics 2')",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  return db;
}

/* Returns whether the index finds the text. */
static gboolean
is_found (const GadgetChatSearchWords *words, const char *text, gsize length)
{
  sqlite3 *db = get_index ();
  g_autofree char *match = _gadget_chat_search_words_dup_match (words, NULL, NULL);
  g_autoptr (GString) prepared = g_string_new (NULL);
  sqlite3_stmt *stmt = NULL;
  int code;

  _gadget_chat_search_text_prepare (prepared, text, length);
  g_assert_cmpint (sqlite3_exec (db, "DELETE FROM search WHERE rowid = 1", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  g_assert_cmpint (
      sqlite3_prepare_v2 (db, "INSERT INTO search (rowid, text) VALUES (1, ?1)", -1, &stmt, NULL),
      ==, SQLITE_OK);
  sqlite3_bind_text64 (stmt, 1, prepared->str, prepared->len, SQLITE_STATIC, SQLITE_UTF8);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_DONE);
  sqlite3_finalize (stmt);
  g_assert_cmpint (
      sqlite3_prepare_v2 (db, "SELECT rowid FROM search WHERE search MATCH ?1", -1, &stmt, NULL),
      ==, SQLITE_OK);
  sqlite3_bind_text (stmt, 1, match, -1, SQLITE_STATIC);
  code = sqlite3_step (stmt);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    g_error ("%s: %s", match, sqlite3_errmsg (db));
  sqlite3_finalize (stmt);
  return code == SQLITE_ROW;
}

static void
check_line (const GadgetChatSearchWords *words, const char *text)
{
  GadgetChatSearchMatch match = { 0 };
  gsize end = 0;

  _gadget_chat_search_words_cut (words, text, &match);
  g_assert_true (g_utf8_validate (match.text, -1, NULL));
  for (guint i = 0; i < match.ranges->len; i++)
    {
      const GadgetChatSearchRange *range = &g_array_index (match.ranges, GadgetChatSearchRange, i);

      g_assert_cmpuint (range->begin, >=, end);
      g_assert_cmpuint (range->end, >=, range->begin);
      g_assert_cmpuint (range->end, <=, strlen (match.text));
      end = range->end;
    }
  g_free (match.text);
  g_array_unref (match.ranges);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *whole = g_strndup ((const char *) data, size);
  char *text = strchr (whole, '\n');
  g_autoptr (GadgetChatSearchWords) words = NULL;

  if (text == NULL)
    return 0;
  *text++ = '\0';
  words = _gadget_chat_search_words_new (whole);
  if (words == NULL)
    return 0;
  if (is_found (words, text, strlen (text)) && !_gadget_chat_search_words_are_inexact (words)
      && g_utf8_validate (text, -1, NULL))
    g_assert_true (_gadget_chat_search_words_match (words, text, strlen (text)));
  check_line (words, text);
  return 0;
}
