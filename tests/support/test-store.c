/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-store.h"
#include "store/gadget-store-drafts.h"
#include "store/gadget-store-pictures.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>

#define WAIT_LIMIT_MS 30000

char *
test_dir_new (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("gadget-store-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

/* Folders that a test locked bind an ordinary user here too. */
static gboolean
remove_tree (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) dir = NULL;
      const char *name;

      g_chmod (path, 0700);
      dir = g_dir_open (path, 0, NULL);
      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_tree (child);
        }
    }
  return g_remove (path) == 0;
}

/* A recovery file that nobody waits for, since its turn is saved meanwhile, may still be written by
 * a thread. */
void
test_dir_free (char *path)
{
  guint n = 1;

  for (; !remove_tree (path); n++)
    {
      g_assert_cmpuint (n, <, 100);
      g_usleep (20 * 1000);
    }
  g_free (path);
}

gboolean
test_dir_has_word (const char *path, const char *word)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      g_autofree char *contents = NULL;
      gsize length;

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        found = test_dir_has_word (inner, word) || found;
      else if (g_file_get_contents (inner, &contents, &length, NULL)
               && memmem (contents, length, word, strlen (word)) != NULL)
        {
          g_test_message ("the word is in %s", inner);
          found = TRUE;
        }
    }
  return found;
}

/* (transfer full) */
GAsyncResult *
test_take_result (GAsyncResult **slot)
{
  g_assert_true (test_wait_result (slot, WAIT_LIMIT_MS));
  return g_steal_pointer (slot);
}

GadgetStore *
test_store_open (const char *directory)
{
  GadgetStore *store = gadget_store_new (directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_open_async (store, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_open_finish (store, result, &error);
  g_assert_no_error (error);
  return store;
}

/* Drops the store and asserts that nobody else holds it, but for copies that are being written. */
void
test_store_close (GadgetStore *store)
{
  gpointer weak = store;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_close_async (store, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_close_finish (store, result, NULL));
  g_clear_object (&result);

  g_object_add_weak_pointer (G_OBJECT (store), &weak);
  g_object_unref (store);
  wait_until (weak == NULL);
}

void
test_store_set_up (StoreFixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
}

void
test_store_tear_down (StoreFixture *fixture, gconstpointer data)
{
  test_store_close (fixture->store);
  test_dir_free (fixture->directory);
}

void
test_store_load_into (GadgetStore *store, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_load_session_finish (store, result, &error);
  g_assert_no_error (error);
}

GadgetSession *
test_store_load (GadgetStore *store, const char *session_id)
{
  GadgetSession *session = gadget_session_new (session_id);

  test_store_load_into (store, session);
  return session;
}

void
test_store_load_pictures (GadgetStore *store, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_pictures_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_load_pictures_finish (store, result, &error);
  g_assert_no_error (error);
}

char *
test_store_load_draft (GadgetStore *store, const char *session_id, GPtrArray **attachments)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) loaded = NULL;
  char *text;

  gadget_store_load_draft_async (store, session_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  text = gadget_store_load_draft_finish (store, result, &loaded, &error);
  g_assert_no_error (error);
  if (attachments != NULL)
    *attachments = g_steal_pointer (&loaded);
  return text;
}

void
test_store_save (GadgetStore *store, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_save_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_save_session_finish (store, result, &error);
  g_assert_no_error (error);
}

gboolean
test_store_try_delete (GadgetStore *store, const char *session_id, GadgetDeleteFlags flags,
                       GError **error)
{
  g_autoptr (GadgetLease) lease =
      gadget_lease_acquire (gadget_store_get_directory (store), session_id, NULL);
  GadgetDeletion *deletion = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  if (lease == NULL)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "busy");
  else
    deletion = gadget_deletion_new (store, session_id, NULL, flags, error);
  if (deletion == NULL)
    return FALSE;
  gadget_store_delete_session_async (store, deletion, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_store_delete_session_finish (store, result, error);
}

/* With all that belongs to it. */
void
test_store_delete (GadgetStore *store, const char *session_id)
{
  g_autoptr (GError) error = NULL;

  test_store_try_delete (store, session_id, GADGET_DELETE_UNSENT, &error);
  g_assert_no_error (error);
}

static gboolean
run_sql (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (sqlite3_exec (db, data, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

void
test_store_run (GadgetStore *store, GadgetStoreFunc func, gpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_run_async (store, func, data, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_run_finish (store, result, &error);
  g_assert_no_error (error);
}

void
test_store_run_sql (GadgetStore *store, const char *sql)
{
  test_store_run (store, run_sql, (gpointer) sql);
}

static void
written_cb (GadgetJournal *journal, gboolean stored, int *result)
{
  *result = stored;
}

gboolean
test_journal_write (GadgetJournal *journal)
{
  int stored = -1;
  gulong handler = g_signal_connect (journal, "written", G_CALLBACK (written_cb), &stored);

  g_object_notify (G_OBJECT (gadget_journal_get_turn (journal)), "usage");
  wait_until (stored >= 0);
  g_signal_handler_disconnect (journal, handler);
  return stored;
}

/* A write that is under way may have begun before the last change, so the second one counts. */
void
test_journal_flush (GadgetJournal *journal)
{
  for (guint n_stored = 0; n_stored < 2;)
    if (test_journal_write (journal))
      n_stored++;
}

gboolean
test_journal_commit (GadgetJournal *journal, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_journal_commit_async (journal, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_journal_commit_finish (journal, result, error);
}

GSubprocess *
test_worker_start (const char *mode, const char *directory, const char *session_id,
                   const char *argument)
{
  /* Benchmarks, which are no tests to GLib, start it as well. */
  g_autofree char *program =
      g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "support", "store-worker", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *worker =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        program, mode, directory, session_id, argument, NULL);

  g_assert_no_error (error);
  return worker;
}
