/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pages of the ledger over all chats: their order, filters and counts, and how long they take. */

#include "config.h"

#include "store/export/gadget-effect-export.h"
#include "store/gadget-effect-query.h"
#include "test-store.h"

#include <string.h>

/* Two chats, of which the second is in a folder within a folder. The turn of the first has five
 * effects, of which the change of a.c was undone, that of b.c undone and redone. */
#define ROWS                                                                                       \
  "INSERT INTO chat_folder (id, name, parent) VALUES ('work', 'Work', NULL), ('part', 'P', "       \
  "'work');"                                                                                       \
  "INSERT INTO session (number, id, title, workspace, created_at, updated_at, chat_folder) VALUES" \
  " (1, 'one', 'First', '/w', 1, 1, NULL), (2, 'two', NULL, NULL, 1, 1, 'part');"                  \
  "INSERT INTO turn (number, id, session, position, prompt, status, stop_reason, started_at,"      \
  " ended_at, changed_at, input_tokens, output_tokens, usage_estimated) VALUES"                    \
  " (1, 't1', 1, 0, 'p', 'finished', 'end', 1, 1, 1, 0, 0, 0),"                                    \
  " (2, 't2', 2, 0, 'p', 'finished', 'end', 1, 1, 1, 0, 0, 0);"                                    \
  "INSERT INTO item (turn, position, kind, status, step, call_id, call_summary, started_at,"       \
  " ended_at) VALUES (1, 0, 'tool-call', 'finished', 0, 'c1',"                                     \
  " '{\"kind\":\"edited\",\"subject\":\"a.c\",\"numbers\":[12,3]}', 1, 1);"                        \
  "INSERT INTO effect (number, turn, owner, call_turn, call_id, kind, subject, root, started_at,"  \
  " ended_at, outcome, recording) VALUES"                                                          \
  " (1, 1, 'o', 't1', 'c1', 'change', '/w/src/a.c', '/w', 1000, 1001, 'done', 'done'),"            \
  " (2, 1, 'o', 't1', 'c2', 'change', '/w/src/b_c', '/w', 2000, 2001, 'done', 'done'),"            \
  " (3, 1, 'o', 't1', 'c3', 'command', 'make, \"all\"', '/w', 3000, 3500, 'exit 0', 'done'),"      \
  " (4, 1, 'o', 't1', NULL, 'undo', '', NULL, 4000, 4001, 'done', 'done'),"                        \
  " (5, 1, 'o', 't1', NULL, 'redo', '', NULL, 5000, 5001, 'done', 'done'),"                        \
  " (6, 2, 'o', 't2', 'c1', 'host', 'example.org', NULL, 6000, 6001, '200', 'none'),"              \
  " (7, 2, 'o', 't2', 'c2', 'read', '/w/src/a.c', NULL, 6000, 6001, 'done', 'none'),"              \
  " (8, 2, 'o', 't2', 'c3', 'change', '/w/lost', '/w', 500, 501, 'done', 'lost');"                 \
  "INSERT INTO change (effect, path, old_type, old_mode, old_size, old_mtime, new_type, new_mode," \
  " new_size, new_mtime) VALUES"                                                                   \
  " (1, CAST ('src' AS BLOB), 'folder', 0, 0, 0, 'folder', 0, 0, 0),"                              \
  " (1, CAST ('src/a.c' AS BLOB), 'file', 0, 0, 0, 'file', 0, 0, 0),"                              \
  " (2, CAST ('src/b_c' AS BLOB), 'none', 0, 0, 0, 'file', 0, 0, 0),"                              \
  " (4, CAST ('src/a.c' AS BLOB), 'file', 0, 0, 0, 'file', 0, 0, 0),"                              \
  " (4, CAST ('src/b_c' AS BLOB), 'file', 0, 0, 0, 'none', 0, 0, 0),"                              \
  " (5, CAST ('src/b_c' AS BLOB), 'none', 0, 0, 0, 'file', 0, 0, 0);"

static void
set_up (StoreFixture *fixture, gconstpointer data)
{
  test_store_set_up (fixture, data);
  test_store_run_sql (fixture->store, ROWS);
}

static GPtrArray *
find (StoreFixture *fixture, const GadgetEffectQuery *query)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *found;

  gadget_store_find_effects_async (fixture->store, query, test_result_cb, &slot);
  result = test_take_result (&slot);
  found = gadget_store_find_effects_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  return found;
}

/* The numbers of the effects, with spaces between them. */
static char *
list (GPtrArray *found)
{
  GString *numbers = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const GadgetFoundEffect *effect = g_ptr_array_index (found, i);

      g_string_append_printf (numbers, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "",
                              effect->row->number);
    }
  return g_string_free_and_steal (numbers);
}

static void
expect (StoreFixture *fixture, GadgetEffectQuery query, const char *numbers)
{
  g_autoptr (GPtrArray) found = find (fixture, &query);
  g_autofree char *listed = list (found);

  g_assert_cmpstr (listed, ==, numbers);
}

#define QUERY(...) ((GadgetEffectQuery) { __VA_ARGS__ })

static void
test_filters (StoreFixture *fixture, gconstpointer data)
{
  /* By time, and at the same time by number. */
  expect (fixture, QUERY (.kinds = 0), "7 6 5 4 3 2 1 8");
  expect (fixture, QUERY (.kinds = 1u << GADGET_EFFECT_CHANGE), "2 1 8");
  expect (fixture, QUERY (.kinds = 1u << GADGET_EFFECT_HOST | 1u << GADGET_EFFECT_COMMAND), "6 3");
  expect (fixture, QUERY (.text = "A.C"), "7 1");
  /* No character of the text is a wildcard. */
  expect (fixture, QUERY (.text = "b_c"), "2");
  expect (fixture, QUERY (.text = "a_c"), "");
  expect (fixture, QUERY (.text = "%"), "");
  expect (fixture, QUERY (.text = "'"), "");
  expect (fixture, QUERY (.since = 3000, .until = 5000), "4 3");
  expect (fixture, QUERY (.turn_id = "t1"), "5 4 3 2 1");
  expect (fixture, QUERY (.turn_id = "t1", .kinds = 1u << GADGET_EFFECT_UNDO), "4");
  /* The change of a.c was undone, and that of lost was not recorded. */
  expect (fixture, QUERY (.can_undo = TRUE), "2");
  expect (fixture, QUERY (.can_undo = TRUE, .text = "b_c"), "2");
  expect (fixture, QUERY (.can_undo = TRUE, .text = "a.c"), "");
  expect (fixture, QUERY (.session_id = "two"), "7 6 8");
  expect (fixture, QUERY (.session_id = "one", .text = "A.C"), "1");
  /* Subfolders count, too. */
  expect (fixture, QUERY (.chat_folder = "work"), "7 6 8");
  expect (fixture, QUERY (.chat_folder = "part", .text = "lost"), "8");
  expect (fixture, QUERY (.chat_folder = "other"), "");
}

static void
test_states (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = find (fixture, &QUERY (.kinds = 1u << GADGET_EFFECT_CHANGE));
  const GadgetFoundEffect *redone = g_ptr_array_index (found, 0);
  const GadgetFoundEffect *undone = g_ptr_array_index (found, 1);
  const GadgetFoundEffect *lost = g_ptr_array_index (found, 2);

  g_assert_true (gadget_found_effect_can_undo (redone));
  g_assert_cmpint (redone->undone_at, ==, 0);
  g_assert_true (redone->row->made);
  g_assert_null (redone->summary);
  g_assert_true (gadget_found_effect_can_undo (undone));
  g_assert_cmpint (undone->undone_at, ==, 4000);
  g_assert_false (undone->row->made);
  g_assert_cmpstr (undone->session_id, ==, "one");
  g_assert_cmpstr (undone->title, ==, "First");
  g_assert_cmpstr (undone->workspace, ==, "/w");
  g_assert_nonnull (undone->summary);
  g_assert_cmpint (undone->summary->kind, ==, GADGET_CALL_SUMMARY_EDITED);
  g_assert_cmpint (undone->summary->numbers[0], ==, 12);
  g_assert_false (gadget_found_effect_can_undo (lost));
  g_assert_null (lost->title);
}

/* An undo records what it changed, too, but it is not undone by itself. */
static void
test_undo_itself (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) found = find (fixture, &QUERY (.kinds = 1u << GADGET_EFFECT_UNDO));
  const GadgetFoundEffect *undo = g_ptr_array_index (found, 0);

  g_assert_true (undo->has_changes);
  g_assert_cmpint (undo->undone_at, ==, 0);
}

static GadgetEffectCounts
count (StoreFixture *fixture, const GadgetEffectQuery *query)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetEffectCounts counts;

  gadget_store_count_effects_async (fixture->store, query, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_count_effects_finish (fixture->store, result, &counts, &error);
  g_assert_no_error (error);
  return counts;
}

static void
test_counts (StoreFixture *fixture, gconstpointer data)
{
  GadgetEffectCounts counts = count (fixture, &QUERY (.kinds = 0));

  g_assert_cmpuint (counts.n_effects, ==, 8);
  g_assert_cmpuint (counts.n_files, ==, 3);
  g_assert_cmpuint (counts.n_commands, ==, 1);
  g_assert_cmpuint (counts.n_hosts, ==, 1);
  counts = count (fixture, &QUERY (.turn_id = "t1", .text = "b_c"));
  g_assert_cmpuint (counts.n_effects, ==, 1);
  g_assert_cmpuint (counts.n_files, ==, 1);
  g_assert_cmpuint (counts.n_commands, ==, 0);
}

static void
expect_same (StoreFixture *fixture, GadgetEffectQuery query, const char *numbers)
{
  g_auto (GStrv) listed = g_strsplit (numbers, " ", 0);

  expect (fixture, query, numbers);
  g_assert_cmpuint (count (fixture, &query).n_effects, ==, g_strv_length (listed));
}

/* What is not listed is not counted. */
static void
test_left_out (StoreFixture *fixture, gconstpointer data)
{
  static const char *const first[] = { "one", NULL };
  static const char *const both[] = { "one", "it's none", "two", NULL };

  expect_same (fixture, QUERY (.ignored_chats = first), "7 6 8");
  expect_same (fixture, QUERY (.ignored_chats = first, .chat_folder = "work", .text = "lost"), "8");
  expect_same (fixture, QUERY (.ignored_chats = both), "");
  /* The import of the second chat goes on. */
  test_store_run_sql (fixture->store,
                      "INSERT INTO import (number, name, started_at) VALUES (1, 'i', 1);"
                      "UPDATE session SET import = 1 WHERE id = 'two'");
  expect_same (fixture, QUERY (.kinds = 0), "5 4 3 2 1");
}

/* Goes through all pages. What is added in front meanwhile, by another process, moves none. */
static void
test_pages (StoreFixture *fixture, gconstpointer data)
{
  GadgetEffectQuery query = { .limit = 3 };
  g_autoptr (GString) all = g_string_new (NULL);
  GadgetStore *other = test_store_open (fixture->directory);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GPtrArray) found = find (fixture, &query);
      g_autofree char *listed = list (found);
      g_autofree char *sql = g_strdup_printf (
          "INSERT INTO effect (turn, owner, call_turn, kind, subject, started_at, outcome,"
          " recording) VALUES (2, 'o', 't2', 'read', '/x', %u, 'done', 'none')",
          7000 + i);
      const GadgetFoundEffect *last;

      g_string_append_printf (all, "%s|", listed);
      if (found->len == 0)
        continue;
      last = g_ptr_array_index (found, found->len - 1);
      query.before = last->row->started_at;
      query.before_number = last->row->number;
      test_store_run_sql (other, sql);
    }
  test_store_close (other);
  g_assert_cmpstr (all->str, ==, "7 6 5|4 3 2|1 8||");
  expect (fixture, QUERY (.since = 7000), "11 10 9");
}

static char *export (StoreFixture *fixture, GadgetEffectFormat format)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  gadget_effect_export_async (
      fixture->store, &QUERY (.kinds = 1u << GADGET_EFFECT_COMMAND | 1u << GADGET_EFFECT_HOST),
      format, test_result_cb, &slot);
  result = test_take_result (&slot);
  bytes = gadget_effect_export_finish (result, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_export (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *csv = export (fixture, GADGET_EFFECT_FORMAT_CSV);
  g_autofree char *json = export (fixture, GADGET_EFFECT_FORMAT_JSON);
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  JsonObject *command;

  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_cmpstr (lines[0], ==,
                   "time,kind,subject,chat,chat_id,folder,outcome,ended,network,undone");
  g_assert_nonnull (strstr (lines[1], ",host,example.org,,two,,200,"));
  g_assert_nonnull (strstr (lines[2], ",command,\"make, \"\"all\"\"\",First,one,/w,exit 0,"));
  g_assert_cmpstr (lines[3], ==, "");
  g_assert_nonnull (node);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (node)), ==, 2);
  command = json_array_get_object_element (json_node_get_array (node), 1);
  g_assert_cmpstr (json_object_get_string_member (command, "subject"), ==, "make, \"all\"");
  g_assert_true (json_object_get_null_member (command, "undone"));
}

/* An export of more than a page has each effect once. */
static void
test_export_long (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  test_store_run_sql (fixture->store,
                      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                      " WHERE i < 1300) INSERT INTO effect (turn, owner, call_turn, kind, subject,"
                      " started_at, outcome, recording)"
                      " SELECT 2, 'o', 't2', 'command', 'true', i / 3, 'done', 'none' FROM n");
  csv = export (fixture, GADGET_EFFECT_FORMAT_CSV);
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 1302 + 1);
}

#define MANY                                                                                       \
  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"              \
  "INSERT INTO effect (turn, owner, call_turn, call_id, kind, subject, root, started_at,"          \
  " ended_at, outcome, recording)"                                                                 \
  " SELECT 1, 'o', 't1', 'c1', CASE i % 4 WHEN 0 THEN 'change' WHEN 1 THEN 'command' WHEN 2 THEN"  \
  " 'host' ELSE 'read' END, '/w/some/folder/file' || (i % 5000), '/w', 10000 + i, 10001 + i,"      \
  " 'done', 'done' FROM n;"                                                                        \
  "INSERT INTO change (effect, path, old_type, old_mode, old_size, old_mtime, new_type, new_mode," \
  " new_size, new_mtime)"                                                                          \
  " SELECT number, CAST (substr (subject, 4) AS BLOB), 'file', 0, 0, 0, 'file', 0, 0, 0"           \
  " FROM effect WHERE kind = 'change' AND started_at > 10000;"

static gint64
measure (StoreFixture *fixture, GadgetEffectQuery query, guint n)
{
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < 5; i++)
    {
      const gint64 start = g_get_monotonic_time ();
      g_autoptr (GPtrArray) found = find (fixture, &query);

      best = MIN (best, g_get_monotonic_time () - start);
      g_assert_cmpuint (found->len, ==, n);
    }
  return best;
}

/* A page of 100,000 effects, all of them of one turn, is read through indexes. The limits are wide,
 * and far below what reading the table would take each time. */
static void
test_many (StoreFixture *fixture, gconstpointer data)
{
  const gint64 limit = 200 * G_TIME_SPAN_MILLISECOND;
  gint64 first, middle, none, old;

  test_store_run_sql (fixture->store, MANY);
  first = measure (fixture, QUERY (.limit = 50), 50);
  middle = measure (fixture, QUERY (.limit = 50, .before = 60000, .before_number = 50000), 50);
  none = measure (fixture, QUERY (.limit = 50, .since = G_MAXINT32), 0);
  old = measure (fixture, QUERY (.limit = 50, .kinds = 1u << GADGET_EFFECT_CHANGE), 50);
  g_test_message ("first %" G_GINT64_FORMAT " µs, middle %" G_GINT64_FORMAT
                  " µs, none %" G_GINT64_FORMAT " µs, changes %" G_GINT64_FORMAT " µs",
                  first, middle, none, old);
  g_assert_cmpint (first, <, limit);
  g_assert_cmpint (middle, <, limit);
  g_assert_cmpint (none, <, limit);
  g_assert_cmpint (old, <, limit);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/effect-query/" path, StoreFixture, NULL, set_up, func, test_store_tear_down)
  ADD ("filters", test_filters);
  ADD ("states", test_states);
  ADD ("undo-itself", test_undo_itself);
  ADD ("counts", test_counts);
  ADD ("left-out", test_left_out);
  ADD ("pages", test_pages);
  ADD ("export", test_export);
  ADD ("export-long", test_export_long);
  ADD ("many", test_many);
#undef ADD

  return g_test_run ();
}
