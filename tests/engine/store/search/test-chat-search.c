/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is found in all chats, and what is not found any more. */

#include "config.h"

#include "search-fixture.h"

#include "store/gadget-store-turns.h"

static void
expect_first (Fixture *fixture, const char *text, GadgetChatSearchKind kind, const char *subject,
              const char *marked)
{
  g_autoptr (GadgetChatSearchResults) results = search_find (fixture, text);
  const GadgetChatSearchMatch *match = search_get_first (results);
  g_autofree char *found = search_dup_marked (match);

  g_assert_cmpint (match->kind, ==, kind);
  g_assert_cmpstr (match->subject, ==, subject);
  g_assert_cmpstr (found, ==, marked);
}

/* Prompts, answers, reasoning, calls and attachments are found, each as what it is. */
static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "Which kettle is quick?");
  search_add_item (fixture, "t", "reasoning", "Perhaps a samovar.");
  search_add_item (fixture, "t", "text", "A **copper** one.");
  search_add_item (fixture, "t", "note", "gadgetnote");
  search_add_item (fixture, "t", "steer", "Make it porcelain");
  search_add_item (fixture, "t", "tool-call", "live words");
  test_store_run_sql (fixture->store, "UPDATE item SET name = 'shell', arguments ="
                                      " '{\"command\":\"boil\\nwater\"}', result = 'hissing'"
                                      " WHERE kind = 'tool-call'");
  search_add_item (fixture, "t", "tool-call", "");
  test_store_run_sql (fixture->store, "UPDATE item SET name = 'edit_file', arguments ="
                                      " '{\"path\":\"x.c\",\"new\":\"teapot ()\"}',"
                                      " call_summary = '{\"kind\":\"edited\",\"subject\":\"x.c\"}'"
                                      " WHERE text = ''");
  test_store_run_sql (fixture->store,
                      "UPDATE turn SET attachments ="
                      " '[{\"name\":\"leaves.txt\",\"size\":3,\"text\":\"green oolong\"}]'");
  expect_first (fixture, "kettle", GADGET_CHAT_SEARCH_PROMPT, NULL, "kettle");
  expect_first (fixture, "samovar ", GADGET_CHAT_SEARCH_REASONING, NULL, "samovar");
  expect_first (fixture, "COPP", GADGET_CHAT_SEARCH_ANSWER, NULL, "copp");
  expect_first (fixture, "porcelain", GADGET_CHAT_SEARCH_PROMPT, NULL, "porcelain");
  expect_first (fixture, "live", GADGET_CHAT_SEARCH_OUTPUT, "shell", "live");
  expect_first (fixture, "hissing", GADGET_CHAT_SEARCH_OUTPUT, "shell", "hissing");
  expect_first (fixture, "water", GADGET_CHAT_SEARCH_CALL, "shell", "water");
  expect_first (fixture, "teapot", GADGET_CHAT_SEARCH_CHANGE, "x.c", "teapot");
  expect_first (fixture, "oolong", GADGET_CHAT_SEARCH_ATTACHMENT, "leaves.txt", "oolong");
  expect_first (fixture, "leaves.txt", GADGET_CHAT_SEARCH_FILE_NAME, "leaves.txt", "leaves.txt");
  g_assert_cmpuint (search_count (fixture, "gadgetnote"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "nwater"), ==, 0);
}

/* All words must be there; words in quotes, and the parts of an identifier, follow each other. */
static void
test_words (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "the quick brown fox_jump Über getElementById naïve");
  g_assert_cmpuint (search_count (fixture, "fox quick"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "fox slow"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "\"quick brown\""), ==, 1);
  g_assert_cmpuint (search_count (fixture, "\"brown quick\""), ==, 0);
  g_assert_cmpuint (search_count (fixture, "fox_jump"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "jump_fox"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "uber NAIVE"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "über"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "getElem"), ==, 1);
  /* A space behind it ends a word, and only the last one may go on. */
  g_assert_cmpuint (search_count (fixture, "getElem "), ==, 0);
  g_assert_cmpuint (search_count (fixture, "getElem fox"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "fox \"quick bro"), ==, 1);
}

/* Writing without spaces, and emoji. */
static void
test_scripts (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t1", "我住在北京大学附近。東京タワー");
  search_add_turn (fixture, "a", "t2", "대학교에서 공부 สวัสดีครับ");
  search_add_turn (fixture, "a", "t3", "done 🎉✅ all");
  search_add_turn (fixture, "a", "t4", "北大京学 大学北京");
  search_add_turn (fixture, "a", "t5", "мой Ёжик Ελλάδα Ångström");
  g_assert_cmpuint (search_count (fixture, "北京"), ==, 2);
  g_assert_cmpuint (search_count (fixture, "北京大学"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "学"), ==, 2);
  g_assert_cmpuint (search_count (fixture, "近"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "タワ"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "학교"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "สวัสดี"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "МОЙ"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "мой "), ==, 1);
  g_assert_cmpuint (search_count (fixture, "ёжи"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "ελλάδ"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "angstro"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "🎉"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "✅ done"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "🎈"), ==, 0);
  expect_first (fixture, "北京大学", GADGET_CHAT_SEARCH_PROMPT, NULL, "北京大学");
}

/* Nothing that is typed is an error of syntax, or means anything but its words. */
static void
test_syntax (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = { "",     " ",       "\"",     "\"\"",     "*",     "a*",
                                       "^a",   "a:b",     "text:a", "NEAR(a)",  "{a}",   "(",
                                       "AND",  "OR NOT",  "a AND",  "-a",       "+",     "'",
                                       "a\"b", "\"a\" b", "->",     "\xff\xfe", "a\xff", "\\",
                                       "NULL", "%",       "search", "rank",     "rowid", "a + b" };

  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "one and two");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GadgetChatSearchResults) results = search_find (fixture, texts[i]);

      g_assert_true (results->complete);
    }
  g_assert_cmpuint (search_count (fixture, "one AND two"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "one OR three"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "NOT one"), ==, 0);
}

/* The line begins so that the match is seen, and has no control characters. */
static void
test_line (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("First sentence. ");
  g_autoptr (GadgetChatSearchResults) results = NULL;
  g_autofree char *marked = NULL;
  const GadgetChatSearchMatch *match;

  for (guint i = 0; i < 40; i++)
    g_string_append (text, "padding ");
  g_string_append (text, "needle\t\x1b[31m  and   Needle more");
  for (guint i = 0; i < 100; i++)
    g_string_append (text, " behind");
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", text->str);
  results = search_find (fixture, "needle");
  match = search_get_first (results);
  marked = search_dup_marked (match);
  g_assert_cmpstr (marked, ==, "needle|Needle");
  g_assert_true (g_str_has_prefix (match->text, "… padding"));
  g_assert_true (g_str_has_suffix (match->text, " …"));
  g_assert_nonnull (strstr (match->text, "needle [31m and Needle more"));
  g_assert_cmpint (g_utf8_pointer_to_offset (match->text, strstr (match->text, "needle")), <, 40);
}

static void
wait_for (Fixture *fixture,
          void (*ask) (GadgetStore *, const char *, const char *, GAsyncReadyCallback, gpointer),
          const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  ask (fixture->store, "a", turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
}

/* What is removed, deleted or changed is not found, what is restored is. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t1", "apple");
  search_add_turn (fixture, "a", "t2", "apple pie");
  search_add_item (fixture, "t2", "text", "apple sauce");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 3);
  wait_for (fixture, gadget_store_remove_turn_async, "t2");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 1);
  wait_for (fixture, gadget_store_restore_turns_async, "t2");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 3);
  test_store_run_sql (fixture->store, "UPDATE item SET text = 'pear'");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 2);
  g_assert_cmpuint (search_count (fixture, "pear"), ==, 1);
  test_store_delete (fixture->store, "a");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "pear"), ==, 0);
  /* The numbers of the rows are used again. */
  search_add_session (fixture, "b");
  search_add_turn (fixture, "b", "t3", "plum");
  g_assert_cmpuint (search_count (fixture, "apple"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "plum"), ==, 1);
}

/* An item is indexed when it is settled, and not while its pieces are written. */
static void
test_journal (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "streamed prompt");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GError) error = NULL;

  gadget_session_append (session, turn);
  journal = gadget_journal_new (fixture->store, session, turn);
  gadget_turn_append (turn, item);
  gadget_item_append_text (item, "orchid", -1);
  test_journal_flush (journal);
  g_assert_cmpuint (search_count (fixture, "streamed"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "orchid"), ==, 0);
  gadget_item_append_text (item, " and tulip", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  test_journal_flush (journal);
  g_assert_cmpuint (search_count (fixture, "orchid tulip"), ==, 1);
}

/* A branch has its own copies, and the words of a subagent are those of its topmost chat. */
static void
test_relatives (Fixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetChatSearchResults) results = NULL;
  const GadgetChatSearchMatch *match;

  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "cherry");
  gadget_store_branch_async (fixture->store, "a", "t", "b", "Branch", test_result_cb, &slot);
  result = test_take_result (&slot);
  results = search_find (fixture, "cherry");
  g_assert_cmpuint (results->n_chats, ==, 2);

  search_add_session (fixture, "child");
  test_store_run_sql (fixture->store,
                      "UPDATE session SET parent = (SELECT number FROM session WHERE id = 'a')"
                      " WHERE id = 'child'");
  search_add_turn (fixture, "child", "u", "walnut");
  g_clear_pointer (&results, gadget_chat_search_results_free);
  results = search_find (fixture, "walnut");
  match = search_get_first (results);
  g_assert_cmpstr (((GadgetChatSearchResult *) g_ptr_array_index (results->chats, 0))->session_id,
                   ==, "a");
  g_assert_cmpstr (match->session_id, ==, "child");
  g_assert_cmpstr (match->turn_id, ==, "u");
  g_assert_cmpint (match->position, ==, -1);
}

static guint
count (Fixture *fixture, GadgetChatSearchQuery query)
{
  g_autoptr (GadgetChatSearchResults) results = NULL;

  query.text = "fig";
  results = search_run (fixture, &query);
  return results->n_matches;
}

static void
test_filters (Fixture *fixture, gconstpointer data)
{
  const char *excluded[] = { "a", "unknown", NULL };

  search_add_session (fixture, "a");
  search_add_session (fixture, "b");
  search_add_turn (fixture, "a", "t1", "fig one");
  search_add_turn (fixture, "a", "t2", "fig two");
  search_add_turn (fixture, "b", "t3", "fig three");
  search_add_item (fixture, "t3", "tool-call", "fig four");
  test_store_run_sql (fixture->store,
                      "UPDATE item SET name = 'mcp__x.y';"
                      "UPDATE turn SET status = 'error', provider = 'q' WHERE id = 't2';"
                      "UPDATE session SET workspace = '/v', chat_folder = 'inner' WHERE id = 'b';"
                      "INSERT INTO chat_folder (id, name, parent) VALUES ('outer', 'Outer', NULL),"
                      " ('inner', 'Inner', 'outer');"
                      "INSERT INTO effect (turn, owner, call_turn, kind, subject, started_at,"
                      " recording) SELECT number, 'o', 't1', 'command', 'x', 0, 'done' FROM turn;"
                      "INSERT INTO change (effect, path, old_type, old_mode, old_size, old_mtime,"
                      " new_type, new_mode, new_size, new_mtime)"
                      " VALUES (1, x'61', 'none', 0, 0, 0, 'file', 0, 0, 0)");
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { 0 }), ==, 4);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .session_id = "a" }), ==, 2);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .workspace = "/v" }), ==, 2);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .chat_folder = "inner" }), ==, 2);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .chat_folder = "outer" }), ==, 2);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .tool = "mcp__x.y" }), ==, 1);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .tool = "mcp" }), ==, 0);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .status = "error" }), ==, 1);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .provider = "q" }), ==, 1);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .since = 1001 }), ==, 3);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .until = 1001 }), ==, 1);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .changed_files = TRUE }), ==, 1);
  g_assert_cmpuint (count (fixture, (GadgetChatSearchQuery) { .excluded = excluded }), ==, 2);
}

static void
expect_order (Fixture *fixture, GadgetChatSearchQuery query, const char *expected)
{
  g_autoptr (GadgetChatSearchResults) results = NULL;
  g_autoptr (GString) found = g_string_new (NULL);

  query.text = "fig";
  results = search_run (fixture, &query);
  g_assert_cmpuint (results->n_chats, ==, 2);
  g_assert_cmpuint (results->n_matches, ==, 6);
  for (guint i = 0; i < results->chats->len; i++)
    {
      const GadgetChatSearchResult *chat = g_ptr_array_index (results->chats, i);

      g_string_append_printf (found, "%s%u:", chat->session_id, chat->n_matches);
      for (guint j = 0; j < chat->matches->len; j++)
        {
          const GadgetChatSearchMatch *match = g_ptr_array_index (chat->matches, j);

          g_string_append_printf (found, "%s ", match->turn_id);
        }
    }
  g_assert_cmpstr (found->str, ==, expected);
}

/* Three matches of a chat are returned, and more on request. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_session (fixture, "b");
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);

      search_add_turn (fixture, "a", id, "fig");
    }
  search_add_turn (fixture, "b", "t6", "fig");
  expect_order (fixture, (GadgetChatSearchQuery) { .order = GADGET_CHAT_SEARCH_NEWEST },
                "b1:t6 a5:t5 t4 t3 ");
  expect_order (fixture, (GadgetChatSearchQuery) { .order = GADGET_CHAT_SEARCH_OLDEST },
                "a5:t1 t2 t3 b1:t6 ");
  expect_order (fixture,
                (GadgetChatSearchQuery) { .order = GADGET_CHAT_SEARCH_OLDEST, .offset = 1 },
                "b1:t6 ");
  expect_order (fixture, (GadgetChatSearchQuery) { .order = GADGET_CHAT_SEARCH_OLDEST, .limit = 1 },
                "a5:t1 t2 t3 ");
  expect_order (
      fixture,
      (GadgetChatSearchQuery) {
          .order = GADGET_CHAT_SEARCH_OLDEST, .limit = 1, .chat_offset = 3, .chat_limit = 9 },
      "a5:t4 t5 ");
  /* More matches make a chat better. */
  expect_order (fixture, (GadgetChatSearchQuery) { .chat_limit = 1 }, "a5:t5 b1:t6 ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/chat-search/" path, Fixture, NULL, search_set_up, function, search_tear_down)
  ADD ("kinds", test_kinds);
  ADD ("words", test_words);
  ADD ("scripts", test_scripts);
  ADD ("syntax", test_syntax);
  ADD ("line", test_line);
  ADD ("gone", test_gone);
  ADD ("journal", test_journal);
  ADD ("relatives", test_relatives);
  ADD ("filters", test_filters);
  ADD ("order", test_order);
#undef ADD

  return g_test_run ();
}
