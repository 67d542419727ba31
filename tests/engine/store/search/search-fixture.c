/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "search-fixture.h"

void
search_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
  fixture->search = gadget_chat_search_new (fixture->store);
  gadget_chat_search_start (fixture->search);
}

void
search_tear_down (Fixture *fixture, gconstpointer data)
{
  search_settle (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->search));
  test_store_close (fixture->store);
  test_dir_free (fixture->directory);
}

static void run_sql (Fixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
run_sql (Fixture *fixture, const char *format, ...)
{
  va_list values;
  char *sql;

  va_start (values, format);
  sql = sqlite3_vmprintf (format, values);
  va_end (values);
  test_store_run_sql (fixture->store, sql);
  sqlite3_free (sql);
}

void
search_add_session (Fixture *fixture, const char *id)
{
  run_sql (fixture,
           "INSERT INTO session (id, title, workspace, created_at, updated_at)"
           " VALUES ('%s', 'Title of %s', '/w', 1000, 2000)",
           id, id);
}

void
search_add_turn (Fixture *fixture, const char *session_id, const char *id, const char *prompt)
{
  g_auto (GStrv) parts = g_strsplit (prompt, "'", -1);
  g_autofree char *quoted = g_strjoinv ("''", parts);

  run_sql (fixture,
           "INSERT INTO turn (id, session, position, prompt, status, stop_reason, provider,"
           " started_at, ended_at, changed_at, input_tokens, output_tokens, usage_estimated)"
           " SELECT '%s', number, (SELECT count(*) FROM turn WHERE session = session.number),"
           " '%s', 'finished', 'none', 'p', 1000 + (SELECT count(*) FROM turn), 0, 0, 0, 0, 0"
           " FROM session WHERE id = '%s'",
           id, quoted, session_id);
}

void
search_add_item (Fixture *fixture, const char *turn_id, const char *kind, const char *text)
{
  run_sql (fixture,
           "INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
           " SELECT number, (SELECT count(*) FROM item WHERE turn = turn.number), '%s',"
           " 'finished', 0, '%s', 0, 0 FROM turn WHERE id = '%s'",
           kind, text, turn_id);
}

void
search_settle (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_chat_search_settle_async (fixture->search, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_chat_search_settle_finish (fixture->search, result, &error);
  g_assert_no_error (error);
}

GadgetChatSearchResults *
search_run (Fixture *fixture, const GadgetChatSearchQuery *query)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetChatSearchResults *results;

  search_settle (fixture);
  gadget_chat_search_find_async (fixture->search, query, NULL, NULL, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  results = gadget_chat_search_find_finish (fixture->search, result, &error);
  g_assert_no_error (error);
  return results;
}

GadgetChatSearchResults *
search_find (Fixture *fixture, const char *text)
{
  return search_run (fixture, &(const GadgetChatSearchQuery) { .text = text });
}

guint
search_count (Fixture *fixture, const char *text)
{
  g_autoptr (GadgetChatSearchResults) results = search_find (fixture, text);

  return results->n_matches;
}

const GadgetChatSearchMatch *
search_get_first (const GadgetChatSearchResults *results)
{
  const GadgetChatSearchResult *chat;

  g_assert_cmpuint (results->chats->len, >, 0);
  chat = g_ptr_array_index (results->chats, 0);
  g_assert_cmpuint (chat->matches->len, >, 0);
  return g_ptr_array_index (chat->matches, 0);
}

char *
search_dup_marked (const GadgetChatSearchMatch *match)
{
  GString *marked = g_string_new (NULL);

  for (guint i = 0; i < match->ranges->len; i++)
    {
      const GadgetChatSearchRange *range = &g_array_index (match->ranges, GadgetChatSearchRange, i);

      g_assert_cmpuint (range->begin, <, range->end);
      g_assert_cmpuint (range->end, <=, strlen (match->text));
      if (i > 0)
        g_string_append_c (marked, '|');
      g_string_append_len (marked, match->text + range->begin,
                           (gssize) (range->end - range->begin));
    }
  return g_string_free_and_steal (marked);
}
