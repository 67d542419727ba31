/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deleting everything: no file of the data folder has a word of a chat afterwards, also when the
 * process dies on the way. */

#include "config.h"

#include "engine-fixture.h"
#include "store/gadget-backup.h"
#include "store/gadget-store-erase.h"
#include "test-store.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>

/* In each text of a chat. No program writes it by itself. */
#define WORD "marzipan"

static void
put_file (const char *directory, const char *folder, const char *name, const char *contents)
{
  g_autofree char *parent = g_build_filename (directory, folder, NULL);
  g_autofree char *path = g_build_filename (parent, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (
      g_file_set_contents_full (path, contents, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static char *
dup_cache (EngineFixture *fixture)
{
  return g_build_filename (fixture->directory, "cache", NULL);
}

/* Chats, and the word wherever they may leave it. */
static void
fill (EngineFixture *fixture)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autofree char *draft =
      g_strdup_printf ("text\n{\"gadget-unsaved-draft\":1,\"data\":\"%s\",\"text\":\"" WORD "\"}\n",
                       fixture->directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  /* Debian has SQLite overwrite what is deleted, which others do not. */
  test_store_run_sql (store, "PRAGMA secure_delete = OFF");
  for (guint i = 0; i < 30; i++)
    g_object_unref (
        engine_fixture_chat (fixture->engine, fixture->provider, "A cake of " WORD " and pears"));
  test_store_run_sql (
      store, "UPDATE session SET title = '" WORD "', draft = '" WORD "', workspace = '/" WORD "';"
             "INSERT INTO setting (key, value) VALUES ('draft', '" WORD "');"
             "INSERT INTO chat_folder (id, name) VALUES ('f', '" WORD "');"
             "INSERT INTO import (name, started_at, ended_at) VALUES ('" WORD "', 1, 2);"
             "INSERT INTO attachment (id, session, made_at, data)"
             " SELECT id, number, 1, CAST ('" WORD "' AS BLOB) FROM session;"
             "INSERT INTO rule (id, kind, subject, exact, deny, unconfined, scope, origin, made_at,"
             " used_at) VALUES ('r', 'command', '" WORD "', 1, 0, 0, 'always', '', 1, 1)");
  gadget_backups_make_async (fixture->directory, TRUE, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_backups_make_finish (result, NULL));
  put_file (fixture->directory, "blobs/ab", "cdef", WORD);
  put_file (fixture->directory, "trees", "tree", WORD);
  put_file (fixture->directory, "unsaved", "draft-1.txt", draft);
  put_file (fixture->directory, "", "gadget-20261128-101010.db", WORD);
  put_file (fixture->directory, "cache/pip", "file", WORD);
  g_assert_true (test_dir_has_word (fixture->directory, WORD));
}

static gboolean
erase (EngineFixture *fixture, GError **error)
{
  g_autofree char *cache = dup_cache (fixture);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_erase_async (fixture->engine, cache, FALSE, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_engine_erase_finish (fixture->engine, result, error);
}

static void
assert_empty (EngineFixture *fixture)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);

  g_assert_false (test_dir_has_word (fixture->directory, WORD));
  test_store_run_sql (store, "CREATE TEMP TABLE left_over (n INTEGER CHECK (n = 0));"
                             "INSERT INTO left_over SELECT (SELECT count(*) FROM session)"
                             " + (SELECT count(*) FROM turn) + (SELECT count(*) FROM item)"
                             " + (SELECT count(*) FROM attachment) + (SELECT count(*) FROM rule)"
                             " + (SELECT count(*) FROM search_docsize)"
                             " + (SELECT count(*) FROM setting WHERE key = 'erasing');"
                             "DROP TABLE left_over");
}

/* Another process has no chats either. What is written of a chat that is still in memory does not
 * come back, and new chats can be made and found. */
static void
test_everything (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSession) session = NULL;

  fill (fixture);
  other = engine_fixture_open (fixture->directory, fixture->provider);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (other)), ==, 30);
  session = g_list_model_get_item (gadget_engine_get_sessions (fixture->engine), 0);
  g_assert_true (erase (fixture, &error));
  g_assert_no_error (error);
  assert_empty (fixture);
  wait_until (g_list_model_get_n_items (gadget_engine_get_sessions (other)) == 0);
  engine_fixture_close (other);
  gadget_session_set_title (session, WORD);
  gadget_engine_save (fixture->engine, session);
  gadget_unsaved_drafts_save (gadget_engine_get_drafts (fixture->engine), session, WORD, NULL);
  g_clear_object (&session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  assert_empty (fixture);
  session = engine_fixture_chat (fixture->engine, fixture->provider, "again");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 1);
}

/* The process dies when the rows are deleted, and the files are not. */
static void
test_killed (EngineFixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autofree char *cache = dup_cache (fixture);

  fill (fixture);
  gadget_store_erase_async (store, FALSE, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_erase_finish (store, result, NULL));
  g_assert_true (test_dir_has_word (fixture->directory, WORD));
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  /* The next start deletes the cache of this user, which is another one here. */
  test_dir_free (g_steal_pointer (&cache));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  assert_empty (fixture);
}

/* While a reply is written nothing is deleted. */
static void
test_busy (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n;

  fill (fixture);
  engine_fixture_start (fixture, "go", "x");
  n = g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine));
  g_assert_false (erase (fixture, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, n);
  g_assert_true (test_dir_has_word (fixture->directory, WORD));
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed >= 1
              && gadget_session_get_active_run (fixture->session) == NULL);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = test_dir_new ();
  int status;

  /* Nothing of other programs is deleted. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func)                                                                            \
  g_test_add ("/engine/erase/" path, EngineFixture, NULL, engine_fixture_set_up, func,             \
              engine_fixture_tear_down)
  ADD ("everything", test_everything);
  ADD ("killed", test_killed);
  ADD ("busy", test_busy);
#undef ADD
  status = g_test_run ();
  test_dir_free (g_steal_pointer (&cache));
  return status;
}
