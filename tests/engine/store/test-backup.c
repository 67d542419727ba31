/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Backups: before a migration and weekly, three of them, and the way back. */

#include "config.h"

#include "store-fixture.h"
#include "store/gadget-backup.h"
#include "store/gadget-store-restore.h"
#include "store/gadget-store-schema.h"
#include "test-store.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

static GPtrArray *
list (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *backups;

  gadget_backups_list_async (fixture->directory, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  backups = gadget_backups_list_finish (result, &error);
  g_assert_no_error (error);
  return backups;
}

static guint
count (Fixture *fixture)
{
  g_autoptr (GPtrArray) backups = list (fixture);

  return backups->len;
}

/* The path of the newest backup, or of the one at a place behind it. */
static char *
dup_path (Fixture *fixture, guint place)
{
  g_autoptr (GPtrArray) backups = list (fixture);

  g_assert_cmpuint (place, <, backups->len);
  return g_build_filename (fixture->directory, "backups",
                           ((GadgetBackup *) g_ptr_array_index (backups, place))->name, NULL);
}

static char *
dup_name (Fixture *fixture, guint place)
{
  g_autofree char *path = dup_path (fixture, place);

  return g_path_get_basename (path);
}

static void
expect_reason (Fixture *fixture, GadgetBackupReason reason)
{
  g_autoptr (GPtrArray) backups = list (fixture);

  g_assert_cmpint (((GadgetBackup *) g_ptr_array_index (backups, 0))->reason, ==, (int) reason);
}

/* Makes all backups older, so that the next one is due and has another name. */
static void
let_days_pass (Fixture *fixture, guint days)
{
  g_autoptr (GPtrArray) backups = list (fixture);

  for (guint i = 0; i < backups->len; i++)
    {
      const GadgetBackup *backup = g_ptr_array_index (backups, i);
      const time_t then = (time_t) (backup->made_at / 1000) - days * 24 * 3600;
      g_autofree char *older = g_strdup_printf ("gadget-0-%s", backup->name + strlen ("gadget-"));
      g_autofree char *from = g_build_filename (fixture->directory, "backups", backup->name, NULL);
      g_autofree char *to = g_build_filename (fixture->directory, "backups", older, NULL);

      g_assert_cmpint (g_rename (from, to), ==, 0);
      g_assert_cmpint (utime (to, &(struct utimbuf) { then, then }), ==, 0);
    }
}

static gboolean
make (Fixture *fixture, gboolean always, GCancellable *cancellable, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_backups_make_async (fixture->directory, always, cancellable, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_backups_make_finish (result, error);
}

static void
make_due (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  make (fixture, FALSE, NULL, &error);
  g_assert_no_error (error);
}

static void
save_chat (GadgetStore *store, const char *id, const char *title, gint64 updated_at)
{
  g_autoptr (GadgetSession) session = gadget_session_new (id);

  gadget_session_set_loaded (session, TRUE);
  gadget_session_set_title (session, title);
  gadget_session_set_updated_at (session, updated_at);
  test_store_save (store, session);
}

static gboolean
restore (GadgetStore *store, const char *name, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_restore_backup_async (store, name, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_store_restore_backup_finish (store, result, error);
}

static gboolean
preview (GadgetStore *store, const char *name, GadgetBackupPreview *found, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_preview_backup_async (store, name, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_store_preview_backup_finish (store, result, found, error);
}

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
make_old_database (Fixture *fixture, guint version)
{
  g_autofree char *name = g_strdup_printf ("store-%u.sql", version);
  g_autofree char *dump = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (dump, &sql, NULL, &error);
  g_assert_no_error (error);
  run_sql (fixture->path, sql);
}

/* --- Making ----------------------------------------------------------------------------------- */

static void
test_migration (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  make_old_database (fixture, 11);
  test_store_close (test_store_open (fixture->directory));
  path = dup_path (fixture, 0);
  g_assert_true (g_str_has_suffix (path, "-version-11.db"));
  expect_reason (fixture, GADGET_BACKUP_MIGRATION);
  g_assert_cmpint (store_get_int (path, "PRAGMA user_version"), ==, 11);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM turn"), ==, 3);
  /* Nothing is migrated the second time. */
  test_store_close (test_store_open (fixture->directory));
  g_assert_cmpuint (count (fixture), ==, 1);
}

static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "backups", NULL);

  g_assert_true (g_file_set_contents (folder, "no folder", -1, NULL));
  make_old_database (fixture, 11);
  test_store_close (test_store_open (fixture->directory));
  g_assert_cmpint (store_get_int (fixture->path, "PRAGMA user_version"), ==,
                   _gadget_store_schema_get_version ());
}

static void
test_weekly (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autofree char *path = NULL;

  g_assert_cmpuint (count (fixture), ==, 0);
  save_chat (store, "a", "One", 1000);
  make_due (fixture);
  g_assert_cmpuint (count (fixture), ==, 1);
  path = dup_path (fixture, 0);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM session"), ==, 1);
  expect_reason (fixture, GADGET_BACKUP_WEEKLY);
  make_due (fixture);
  g_assert_cmpuint (count (fixture), ==, 1);
  let_days_pass (fixture, 6);
  make_due (fixture);
  g_assert_cmpuint (count (fixture), ==, 1);
  for (guint i = 2; i < 6; i++)
    {
      let_days_pass (fixture, 8);
      make_due (fixture);
      g_assert_cmpuint (count (fixture), ==, MIN (i, GADGET_BACKUPS_KEPT));
    }
  test_store_close (store);
}

/* The copy is whole although the store writes meanwhile. */
static void
test_while_writing (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *path = NULL;
  guint n = 0;

  test_store_run_sql (store, "CREATE TABLE big (a); INSERT INTO big"
                             " WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
                             " WHERE i < 20000) SELECT randomblob (1000) FROM n");
  gadget_backups_make_async (fixture->directory, TRUE, NULL, test_result_cb, &slot);
  while (slot == NULL)
    {
      g_autofree char *id = g_strdup_printf ("chat-%u", n++);

      save_chat (store, id, "Meanwhile", 1000);
    }
  result = test_take_result (&slot);
  g_assert_true (gadget_backups_make_finish (result, NULL));
  path = dup_path (fixture, 0);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM big"), ==, 20000);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM pragma_integrity_check"
                                        " WHERE integrity_check = 'ok'"),
                   ==, 1);
  test_store_close (store);
}

/* A damaged database is told of, and its copy does not take the place of a good one. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  gint64 root;

  test_store_close (test_store_open (fixture->directory));
  make_due (fixture);
  root = store_get_int (fixture->path, "SELECT rootpage FROM sqlite_schema WHERE name = 'turn'");
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  memset (contents + (root - 1) * 4096, 0xa5, 4096);
  g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
  let_days_pass (fixture, 8);
  g_assert_false (make (fixture, FALSE, NULL, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT);
  g_assert_cmpuint (count (fixture), ==, 1);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  test_store_close (test_store_open (fixture->directory));
  g_cancellable_cancel (cancellable);
  g_assert_false (make (fixture, TRUE, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count (fixture), ==, 0);
}

/* What a killed process left of a copy is no backup, and goes with the next one. */
static void
test_partial (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "backups", NULL);
  g_autofree char *partial = g_build_filename (folder, "gadget-x-weekly.db.part", NULL);

  test_store_close (test_store_open (fixture->directory));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (partial, "half", -1, NULL));
  g_assert_cmpuint (count (fixture), ==, 0);
  make_due (fixture);
  g_assert_cmpuint (count (fixture), ==, 1);
  g_assert_false (g_file_test (partial, G_FILE_TEST_EXISTS));
}

/* --- Restoring -------------------------------------------------------------------------------- */

static void
expect_titles (Fixture *fixture, const char *expected)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT (SELECT group_concat (title, ' ') FROM (SELECT title FROM session ORDER BY id)) = "
      "'%s'",
      expected);

  g_assert_cmpint (store_get_int (fixture->path, sql), ==, 1);
}

/* Gives chat "d" rows of all tables. */
static void
add_rows (GadgetStore *store)
{
  test_store_run_sql (
      store,
      "INSERT INTO session (id, parent, created_at, updated_at)"
      " SELECT 'd-child', number, 1, 1 FROM session WHERE id = 'd';"
      "INSERT INTO turn (id, session, position, prompt, status, stop_reason, started_at, ended_at,"
      " changed_at, input_tokens, output_tokens, usage_estimated)"
      " SELECT id || '-turn', number, 0, 'p', 'finished', 'none', 1, 2, 2, 0, 0, 0 FROM session;"
      "INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
      " SELECT number, 0, 'text', 'finished', 0, id, 1, 2 FROM turn;"
      "INSERT INTO run SELECT id || '-run', number FROM turn;"
      "INSERT INTO picture (id, turn, item, position, mime_type, width, height, data)"
      " SELECT id || '-picture', number, 0, 0, 'image/png', 1, 1, x'00' FROM turn;"
      "INSERT INTO attachment (id, session, made_at, data)"
      " SELECT id || '-attachment', number, 1, x'01' FROM session;"
      "INSERT INTO queued SELECT number, 0, id, NULL FROM session;"
      "INSERT INTO rule (id, kind, subject, exact, deny, unconfined, scope, session, origin,"
      " made_at, used_at) SELECT id || '-rule', 'command', 'ls', 0, 0, 0, 'session', id, 'ls', 1, 1"
      " FROM session;"
      "INSERT INTO effect (turn, owner, call_turn, kind, subject, started_at, recording)"
      " SELECT number, 'x', id, 'command', id, 1, 'done' FROM turn;"
      "INSERT INTO change (effect, path, old_type, old_mode, old_size, old_mtime, new_type,"
      " new_mode, new_size, new_mtime) SELECT number, CAST (subject AS BLOB), 'none', 0, 0, 0,"
      " 'file', 0, 0, 0 FROM effect");
}

static void
expect_newer_whole (Fixture *fixture)
{
  const char *const queries[] = {
    "SELECT count(*) FROM session AS child JOIN session ON child.parent = session.number"
    " WHERE child.id = 'd-child' AND session.id = 'd' AND NOT child.archived",
    "SELECT count(*) FROM session JOIN turn ON turn.session = session.number"
    " JOIN item ON item.turn = turn.number JOIN run ON run.turn = turn.number"
    " JOIN picture ON picture.turn = turn.number JOIN effect ON effect.turn = turn.number"
    " JOIN change ON change.effect = effect.number"
    " WHERE session.id = 'd' AND turn.id = 'd-turn' AND item.text = 'd-turn'"
    " AND run.id = 'd-turn-run' AND picture.id = 'd-turn-picture' AND effect.subject = 'd-turn'"
    " AND change.path = CAST ('d-turn' AS BLOB)",
    "SELECT count(*) FROM session JOIN attachment ON attachment.session = session.number"
    " JOIN queued ON queued.session = session.number JOIN rule ON rule.session = session.id"
    " WHERE session.id = 'd' AND attachment.id = 'd-attachment' AND queued.text = 'd'"
    " AND rule.id = 'd-rule'",
    "SELECT count(*) = 0 FROM pragma_foreign_key_check",
    "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'",
  };

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_test_message ("%s", queries[i]);
      g_assert_cmpint (store_get_int (fixture->path, queries[i]), ==, 1);
    }
}

static void
test_restore (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autofree char *name = NULL;
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;
  GadgetBackupPreview found;

  save_chat (store, "a", "One", 1000);
  save_chat (store, "b", "Two", 1000);
  save_chat (store, "c", "Three", 1000);
  make_due (fixture);
  let_days_pass (fixture, 1);
  name = dup_name (fixture, 0);

  test_store_delete (store, "a");
  test_store_run_sql (store, "UPDATE session SET title = 'Changed', updated_at = 2000"
                             " WHERE id = 'b'");
  save_chat (store, "d", "Four", 3000);
  add_rows (store);
  g_assert_true (preview (store, name, &found, &error));
  g_assert_cmpuint (found.n_chats, ==, 3);
  g_assert_cmpuint (found.n_returning, ==, 1);
  g_assert_cmpuint (found.n_older, ==, 1);
  g_assert_cmpuint (found.n_newer, ==, 1);
  expect_titles (fixture, "Changed Three Four");

  restore (store, name, &error);
  g_assert_no_error (error);
  /* The chat that was made since is in the archive, with everything that belongs to it. */
  expect_titles (fixture, "One Two Three Four");
  g_assert_cmpint (store_get_int (fixture->path, "SELECT count(*) FROM session WHERE archived"), ==,
                   1);
  expect_newer_whole (fixture);
  save_chat (store, "e", "Five", 4000);
  expect_titles (fixture, "One Two Three Four Five");

  before = dup_name (fixture, 0);
  g_assert_true (g_str_has_suffix (before, "-restore.db"));
  expect_reason (fixture, GADGET_BACKUP_RESTORATION);
  restore (store, before, &error);
  g_assert_no_error (error);
  expect_titles (fixture, "One Changed Three Four Five");
  expect_newer_whole (fixture);
  test_store_close (store);
}

static void
test_restore_old (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store;
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  GadgetBackupPreview found;

  make_old_database (fixture, GPOINTER_TO_UINT (data));
  store = test_store_open (fixture->directory);
  let_days_pass (fixture, 1);
  name = dup_name (fixture, 0);
  save_chat (store, "d", "New", 3000);
  g_assert_true (preview (store, name, &found, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (found.n_newer, ==, 1);
  restore (store, name, &error);
  g_assert_no_error (error);
  test_store_close (store);
  g_assert_cmpint (store_get_int (fixture->path, "PRAGMA user_version"), ==,
                   _gadget_store_schema_get_version ());
  g_assert_cmpint (
      store_get_int (fixture->path, "SELECT count(*) FROM session WHERE id = 'd' AND archived"), ==,
      1);
  /* The copy that was migrated is gone. */
  g_assert_cmpuint (count (fixture), ==, 2);
}

static void
test_restore_nothing_bad (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  GadgetBackupPreview found;

  save_chat (store, "a", "One", 1000);
  make_due (fixture);
  path = dup_path (fixture, 0);
  name = dup_name (fixture, 0);
  save_chat (store, "b", "Two", 1000);
  run_sql (path, "PRAGMA user_version = 9999");
  g_assert_false (preview (store, name, &found, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER);
  g_clear_error (&error);
  g_assert_false (restore (store, name, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER);
  g_clear_error (&error);
  g_assert_true (
      g_file_set_contents (path, "no database, but long enough to be looked at", -1, NULL));
  g_assert_false (restore (store, name, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_false (restore (store, "gadget-none.db", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN);
  expect_titles (fixture, "One Two");
  test_store_close (store);
}

static void
test_restore_busy (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, "a", NULL);
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;

  save_chat (store, "a", "One", 1000);
  make_due (fixture);
  name = dup_name (fixture, 0);
  test_store_run_sql (store, "INSERT INTO turn (id, session, position, prompt, status, stop_reason,"
                             " started_at, ended_at, changed_at, input_tokens, output_tokens,"
                             " usage_estimated) VALUES ('t', 1, 0, 'p', 'processing', 'none', 1, 0,"
                             " 1, 0, 0, 0)");
  g_assert_false (restore (store, name, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  g_clear_error (&error);
  /* The turn of a process that has died is ended, and in the way no more. */
  g_clear_pointer (&lease, gadget_lease_release);
  restore (store, name, &error);
  g_assert_no_error (error);
  test_store_close (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/backup/" path, Fixture, data, store_set_up, func, store_tear_down)
  ADD ("migration", NULL, test_migration);
  ADD ("no-space", NULL, test_no_space);
  ADD ("weekly", NULL, test_weekly);
  ADD ("while-writing", NULL, test_while_writing);
  ADD ("damaged", NULL, test_damaged);
  ADD ("cancelled", NULL, test_cancelled);
  ADD ("partial", NULL, test_partial);
  ADD ("restore", NULL, test_restore);
  ADD ("restore-version-1", GUINT_TO_POINTER (1), test_restore_old);
  ADD ("restore-version-12", GUINT_TO_POINTER (12), test_restore_old);
  ADD ("restore-nothing-bad", NULL, test_restore_nothing_bad);
  ADD ("restore-busy", NULL, test_restore_busy);
#undef ADD
  return g_test_run ();
}
