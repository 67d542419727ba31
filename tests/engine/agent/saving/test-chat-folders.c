/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folders of chats: in one process, in two on one store, and when they cannot be stored. */

#include "config.h"

#include "engine-fixture.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

static GadgetChatFolders *
get_folders (EngineFixture *fixture)
{
  return gadget_engine_get_chat_folders (fixture->engine);
}

/* Returns the names of the folders as "Name" or "Parent/Name", in the order of the model.
 * (transfer full) */
static char *
dup_names (GadgetChatFolders *folders)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (folders)); i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (G_LIST_MODEL (folders), i);
      GadgetChatFolder *parent =
          gadget_chat_folders_find (folders, gadget_chat_folder_get_parent_id (folder));

      g_assert_true (gadget_chat_folders_find (folders, gadget_chat_folder_get_id (folder))
                     == folder);
      g_assert_true ((parent == NULL) == (gadget_chat_folder_get_parent_id (folder) == NULL));
      g_string_append_printf (names, "%s%s%s%s", i > 0 ? " " : "",
                              parent != NULL ? gadget_chat_folder_get_name (parent) : "",
                              parent != NULL ? "/" : "", gadget_chat_folder_get_name (folder));
    }
  return g_string_free_and_steal (names);
}

static gboolean
has_names (GadgetChatFolders *folders, const char *expected)
{
  g_autofree char *names = dup_names (folders);

  return g_str_equal (names, expected);
}

static void
assert_names (GadgetChatFolders *folders, const char *expected)
{
  g_autofree char *names = dup_names (folders);

  g_assert_cmpstr (names, ==, expected);
}

/* Returns the folder of the other process that is the same as @folder. */
static GadgetChatFolder *
find_same (GadgetEngine *engine, GadgetChatFolder *folder)
{
  GadgetChatFolders *folders = gadget_engine_get_chat_folders (engine);

  return gadget_chat_folders_find (folders, gadget_chat_folder_get_id (folder));
}

/* --- One process ------------------------------------------------------------------------------ */

static void
assert_sorted (GadgetChatFolders *folders, guint n_folders)
{
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (folders)), ==, n_folders);
  for (guint i = 1; i < n_folders; i++)
    {
      g_autoptr (GadgetChatFolder) before = g_list_model_get_item (G_LIST_MODEL (folders), i - 1);
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (G_LIST_MODEL (folders), i);

      g_assert_cmpint (g_utf8_collate (gadget_chat_folder_get_name (before),
                                       gadget_chat_folder_get_name (folder)),
                       <=, 0);
    }
}

static void
test_sorted (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *folder;

  gadget_chat_folders_create (folders, "Work", NULL);
  folder = gadget_chat_folders_create (folders, "  Berlin ", NULL);
  gadget_chat_folders_create (folders, "Ärzte", NULL);
  gadget_chat_folders_create (folders, "attic", NULL);
  gadget_chat_folders_create (folders, "Work", NULL);
  assert_sorted (folders, 5);
  g_assert_cmpstr (gadget_chat_folder_get_name (folder), ==, "Berlin");
  g_assert_true (gadget_chat_folders_rename (folders, folder, "Xylophone"));
  assert_sorted (folders, 5);
}

static void
test_names (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *folder = gadget_chat_folders_create (folders, "Work", NULL);

  g_assert_null (gadget_chat_folders_create (folders, "", NULL));
  g_assert_null (gadget_chat_folders_create (folders, " \t\n", NULL));
  g_assert_false (gadget_chat_folders_rename (folders, folder, "  "));
  assert_names (folders, "Work");
  g_assert_true (gadget_chat_folders_rename (folders, folder, "a\u202eb"));
  g_assert_cmpstr (gadget_chat_folder_get_name (folder), ==, "a\\u202eb");
  g_assert_true (gadget_chat_folders_rename (folders, folder, "a\xff"));
  g_assert_cmpstr (gadget_chat_folder_get_name (folder), ==, "a\uFFFD");
}

static void
test_nested_once (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *a = gadget_chat_folders_create (folders, "A", NULL);
  GadgetChatFolder *b = gadget_chat_folders_create (folders, "B", a);
  GadgetChatFolder *c = gadget_chat_folders_create (folders, "C", NULL);

  assert_names (folders, "A A/B C");
  g_assert_null (gadget_chat_folders_create (folders, "D", b));
  g_assert_false (gadget_chat_folders_may_move (folders, c, b));
  g_assert_false (gadget_chat_folders_move (folders, c, b));
  g_assert_false (gadget_chat_folders_move (folders, a, c));
  g_assert_false (gadget_chat_folders_move (folders, c, c));
  assert_names (folders, "A A/B C");
  g_assert_true (gadget_chat_folders_move (folders, b, c));
  assert_names (folders, "A C/B C");
  g_assert_true (gadget_chat_folders_move (folders, b, NULL));
  assert_names (folders, "A B C");
}

/* What was in a removed folder is in none, subfolders with their chats. */
static void
test_remove (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  g_autoptr (GadgetChatFolder) a = g_object_ref (gadget_chat_folders_create (folders, "A", NULL));
  GadgetChatFolder *b = gadget_chat_folders_create (folders, "B", a);

  gadget_session_set_chat_folder (fixture->session, gadget_chat_folder_get_id (a));
  g_assert_true (gadget_chat_folders_find_for (folders, fixture->session) == a);
  gadget_chat_folders_remove (folders, a);
  assert_names (folders, "B");
  g_assert_null (gadget_chat_folders_find_for (folders, fixture->session));
  gadget_session_set_chat_folder (fixture->session, gadget_chat_folder_get_id (b));
  g_assert_true (gadget_chat_folders_find_for (folders, fixture->session) == b);

  /* The removed folder does not come back. */
  gadget_chat_folders_remove (folders, a);
  g_assert_false (gadget_chat_folders_rename (folders, a, "Again"));
  g_assert_false (gadget_chat_folders_move (folders, a, NULL));
  g_assert_false (gadget_chat_folders_move (folders, b, a));
  g_assert_null (gadget_chat_folders_create (folders, "C", a));
  assert_names (folders, "B");
}

/* A removed folder comes back with what was in it, for other processes too. */
static void
test_restore (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *a = gadget_chat_folders_create (folders, "A", NULL);
  g_autoptr (GadgetChatFolder) b = g_object_ref (gadget_chat_folders_create (folders, "B", a));
  g_autoptr (GadgetChatFolder) hold = g_object_ref (a);
  GadgetEngine *other;

  gadget_session_set_chat_folder (fixture->session, gadget_chat_folder_get_id (a));
  gadget_chat_folders_remove (folders, b);
  gadget_chat_folders_restore (folders, b);
  assert_names (folders, "A A/B");
  gadget_chat_folders_remove (folders, a);
  assert_names (folders, "B");
  gadget_chat_folders_restore (folders, a);
  gadget_chat_folders_restore (folders, a);
  assert_names (folders, "A A/B");
  g_assert_true (gadget_chat_folders_find_for (folders, fixture->session) == a);

  other = engine_fixture_open (fixture->directory, fixture->provider);
  wait_until (has_names (gadget_engine_get_chat_folders (other), "A A/B"));
  engine_fixture_close (other);
}

static void
changed_cb (GListModel *model, guint position, guint removed, guint added, GPtrArray *mirror)
{
  for (guint i = 0; i < removed; i++)
    g_ptr_array_remove_index (mirror, position);
  for (guint i = 0; i < added; i++)
    g_ptr_array_insert (mirror, (gint) (position + i), g_list_model_get_item (model, position + i));
  g_assert_cmpuint (mirror->len, ==, g_list_model_get_n_items (model));
}

/* The signals of the model say what it has. */
static void
test_signals (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  g_autoptr (GPtrArray) mirror = g_ptr_array_new_with_free_func (g_object_unref);
  GadgetChatFolder *b;

  g_signal_connect (folders, "items-changed", G_CALLBACK (changed_cb), mirror);
  b = gadget_chat_folders_create (folders, "B", NULL);
  gadget_chat_folders_create (folders, "C", b);
  gadget_chat_folders_create (folders, "A", NULL);
  gadget_chat_folders_rename (folders, b, "D");
  gadget_chat_folders_remove (folders, b);
  g_assert_cmpuint (mirror->len, ==, 2);
  for (guint i = 0; i < mirror->len; i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (G_LIST_MODEL (folders), i);

      g_assert_true (g_ptr_array_index (mirror, i) == folder);
    }
  g_signal_handlers_disconnect_by_data (folders, mirror);
}

static void
test_stored (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *a = gadget_chat_folders_create (folders, "A", NULL);

  gadget_chat_folders_create (folders, "B", a);
  gadget_chat_folders_remove (folders, gadget_chat_folders_create (folders, "C", a));
  gadget_chat_folders_rename (folders, a, "Z");
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  assert_names (get_folders (fixture), "Z/B Z");
}

/* --- Two processes ---------------------------------------------------------------------------- */

static void
test_followed (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetChatFolders *there = gadget_engine_get_chat_folders (other);
  GadgetChatFolder *a = gadget_chat_folders_create (get_folders (fixture), "A", NULL);
  GadgetChatFolder *b = gadget_chat_folders_create (get_folders (fixture), "B", NULL);
  GadgetChatFolder *same;
  gint64 begun = g_get_monotonic_time ();

  wait_until (has_names (there, "A B"));
  g_test_message ("followed after %d ms", (int) ((g_get_monotonic_time () - begun) / 1000));
  same = find_same (other, b);
  /* What each changes of one folder is kept. */
  gadget_chat_folders_rename (get_folders (fixture), b, "C");
  gadget_chat_folders_move (there, same, find_same (other, a));
  wait_until (has_names (there, "A A/C"));
  wait_until (has_names (get_folders (fixture), "A A/C"));
  g_assert_true (find_same (other, b) == same);
  gadget_chat_folders_remove (there, find_same (other, a));
  wait_until (has_names (get_folders (fixture), "C"));
  engine_fixture_close (other);
}

static void
failed_cb (GadgetChatFolders *folders, const GError *error, GError **failure)
{
  g_clear_error (failure);
  *failure = g_error_copy (error);
}

/* A folder is renamed here that another process has removed, and both remove another. */
static void
test_removed_elsewhere (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetChatFolders *there = gadget_engine_get_chat_folders (other);
  GadgetChatFolder *a = gadget_chat_folders_create (get_folders (fixture), "A", NULL);
  GadgetChatFolder *b = gadget_chat_folders_create (get_folders (fixture), "B", NULL);
  g_autoptr (GError) failure = NULL;

  g_signal_connect (get_folders (fixture), "failed", G_CALLBACK (failed_cb), &failure);
  wait_until (has_names (there, "A B"));
  gadget_chat_folders_remove (there, find_same (other, b));
  test_store_run_sql (gadget_engine_get_store (other), "SELECT 1");
  gadget_chat_folders_remove (get_folders (fixture), b);
  test_store_run_sql (gadget_engine_get_store (fixture->engine), "SELECT 1");
  wait_idle ();
  g_assert_no_error (failure);

  gadget_chat_folders_remove (there, find_same (other, a));
  test_store_run_sql (gadget_engine_get_store (other), "SELECT 1");
  gadget_chat_folders_rename (get_folders (fixture), a, "Z");
  wait_until (failure != NULL);
  g_assert_error (failure, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  wait_until (has_names (get_folders (fixture), ""));
  engine_fixture_close (other);
}

/* One process removes the folder into which the other moves a chat. */
static void
test_moved_into_removed (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) chat =
      engine_fixture_chat (fixture->engine, fixture->provider, "hello");
  const char *id = gadget_session_get_id (chat);
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetChatFolders *there = gadget_engine_get_chat_folders (other);
  g_autoptr (GadgetChatFolder) a =
      g_object_ref (gadget_chat_folders_create (get_folders (fixture), "A", NULL));
  GadgetSession *same = gadget_engine_find_session (other, id);

  wait_until (has_names (there, "A"));
  gadget_session_set_chat_folder (same, gadget_chat_folder_get_id (a));
  gadget_engine_save (other, same);
  gadget_chat_folders_remove (get_folders (fixture), a);
  wait_until (has_names (there, ""));
  wait_until (gadget_session_get_chat_folder (chat) != NULL);
  g_assert_null (gadget_chat_folders_find_for (get_folders (fixture), chat));
  g_assert_null (gadget_chat_folders_find_for (there, same));
  /* It can be moved again. */
  gadget_session_set_chat_folder (
      same, gadget_chat_folder_get_id (gadget_chat_folders_create (there, "B", NULL)));
  gadget_engine_save (other, same);
  wait_until (gadget_chat_folders_find_for (get_folders (fixture), chat) != NULL);
  engine_fixture_close (other);
}

/* Both put a folder into another, so that three are stored in a row, and then two in a circle. */
static void
test_nested_by_two (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetChatFolders *here = get_folders (fixture);
  GadgetChatFolders *there = gadget_engine_get_chat_folders (other);
  GadgetChatFolder *a = gadget_chat_folders_create (here, "A", NULL);
  GadgetChatFolder *b = gadget_chat_folders_create (here, "B", NULL);
  GadgetChatFolder *c = gadget_chat_folders_create (here, "C", NULL);

  wait_until (has_names (there, "A B C"));
  gadget_chat_folders_move (here, a, b);
  gadget_chat_folders_move (there, find_same (other, b), find_same (other, c));
  wait_until (has_names (here, "A C/B C") && has_names (there, "A C/B C"));
  gadget_chat_folders_move (here, a, c);
  wait_until (has_names (there, "C/A C/B C"));
  gadget_chat_folders_move (here, a, NULL);
  gadget_chat_folders_move (here, b, NULL);
  wait_until (has_names (there, "A B C"));

  gadget_chat_folders_move (here, a, b);
  gadget_chat_folders_move (there, find_same (other, b), find_same (other, a));
  wait_until (has_names (here, "A B C") && has_names (there, "A B C"));
  engine_fixture_close (other);
}

/* --- Failures --------------------------------------------------------------------------------- */

/* Tells whether the file has these names, sorted. */
static gboolean
is_stored (EngineFixture *fixture, const char *expected)
{
  g_autofree char *path = g_build_filename (fixture->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  gboolean equal;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT group_concat (name, ' ') FROM"
                                       " (SELECT name FROM chat_folder ORDER BY name)",
                                       -1, &stmt, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  equal = g_strcmp0 ((const char *) sqlite3_column_text (stmt, 0), expected) == 0;
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return equal;
}

static void
count_cb (GadgetChatFolders *folders, const GError *error, guint *n_failures)
{
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
  ++*n_failures;
}

/* The disk is full for a while: what is not stored stays as the user has made it, is said once for
 * each folder, is not replaced by what is read, and is stored when that is possible. */
static void
test_full (EngineFixture *fixture, gconstpointer data)
{
  GadgetChatFolders *folders = get_folders (fixture);
  GadgetChatFolder *a = gadget_chat_folders_create (folders, "A", NULL);
  GadgetChatFolder *b = gadget_chat_folders_create (folders, "B", a);
  GadgetChatFolder *gone = gadget_chat_folders_create (folders, "X", NULL);
  guint n_failures = 0;

  g_signal_connect (folders, "failed", G_CALLBACK (count_cb), &n_failures);
  test_store_run_sql (gadget_engine_get_store (fixture->engine), "SELECT 1");
  wait_idle ();
  test_faults_set (TEST_FAULT_FULL);
  gadget_chat_folders_create (folders, "C", NULL);
  gadget_chat_folders_rename (folders, a, "Z");
  gadget_chat_folders_rename (folders, a, "Y");
  gadget_chat_folders_move (folders, b, NULL);
  gadget_chat_folders_remove (folders, gone);
  wait_until (n_failures == 4);
  g_signal_emit_by_name (gadget_engine_get_store (fixture->engine), "changed-outside");
  wait_idle ();
  test_store_run_sql (gadget_engine_get_store (fixture->engine), "SELECT 1");
  wait_idle ();
  assert_names (folders, "B C Y");
  g_assert_cmpuint (n_failures, ==, 4);

  test_faults_set (TEST_FAULT_NONE);
  wait_until (is_stored (fixture, "B C Y"));
  assert_names (folders, "B C Y");
  g_assert_cmpuint (n_failures, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();
#define ADD(name, func)                                                                            \
  g_test_add ("/engine/agent/saving/chat-folders/" name, EngineFixture, NULL,                      \
              engine_fixture_set_up, func, engine_fixture_tear_down)
  ADD ("sorted", test_sorted);
  ADD ("names", test_names);
  ADD ("nested-once", test_nested_once);
  ADD ("remove", test_remove);
  ADD ("restore", test_restore);
  ADD ("signals", test_signals);
  ADD ("stored", test_stored);
  ADD ("followed", test_followed);
  ADD ("removed-elsewhere", test_removed_elsewhere);
  ADD ("moved-into-removed", test_moved_into_removed);
  ADD ("nested-by-two", test_nested_by_two);
  ADD ("full", test_full);
#undef ADD
  return g_test_run ();
}
