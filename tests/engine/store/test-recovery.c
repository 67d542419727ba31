/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files of turns that cannot be saved: where they are, and what is in them. */

#include "config.h"

#include "hung-jobs.h"
#include "hung-read.h"
#include "hung-sync.h"
#include "hung-unlink.h"
#include "session/gadget-attachment.h"
#include "store/recovery/gadget-recovery-draft.h"
#include "store/recovery/gadget-recovery-write.h"
#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "wait.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* --- Places ----------------------------------------------------------------------------------- */

/* Where the folders of the first choices cannot be made. What lies beside is not touched. */
static void
test_places (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *obstacle = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autofree char *state = g_build_filename (g_get_user_state_dir (), "gadget", "unsaved", NULL);
  g_autofree char *foreign = g_build_filename (state, "reply-foreign.txt", NULL);
  g_autofree char *link = g_build_filename (state, "reply-link.txt", NULL);
  g_autofree char *path = NULL;

  g_assert_true (g_file_set_contents (obstacle, "", 0, NULL));
  path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_assert_true (g_str_has_prefix (path, state));
  g_assert_true (g_file_set_contents (
      foreign, "text\n{\"gadget-unsaved-turn\":1,\"data\":\"/elsewhere\"}\n", -1, NULL));
  g_assert_cmpint (symlink (path, link), ==, 0);
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_unlink (foreign), ==, 0);
  g_assert_cmpint (g_unlink (link), ==, 0);
}

/* A folder that others can write to is none of ours. */
static void
test_open_folder (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_assert_false (g_str_has_prefix (path, folder));
}

static gboolean
file_has (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

static gboolean
is_empty (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return dir == NULL || g_dir_read_name (dir) == NULL;
}

static gboolean
restores_one (EngineFixture *fixture)
{
  g_autoptr (GPtrArray) recovered = unsaved_restore (fixture);

  return recovered->len == 1;
}

/* --- A folder that does not answer ------------------------------------------------------------- */

static char *
dup_state_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "gadget", "unsaved", NULL);
}

/* Leaves a file in the folder of the first choice, where syncing hangs from then on. */
static char *
begin_hung (EngineFixture *fixture)
{
  char *folder = g_build_filename (fixture->directory, "unsaved", NULL);

  hung_sync_begin (folder);
  return folder;
}

/* The next one has the file, long before the limit of a signal; and it is the only one when the
 * first answers after all. */
static void
test_hung (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *hung = begin_hung (fixture);
  g_autofree char *state = dup_state_folder ();
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));

  g_assert_true (g_str_has_prefix (path, state));
  g_assert_cmpuint (hung_sync_count (), ==, 1);
  /* It is not asked again as long as it hangs. */
  gadget_session_enqueue (fixture->session, "queued");
  wait_until (file_has (path, "queued"));
  g_assert_cmpuint (hung_sync_count (), ==, 1);

  hung_sync_answer ();
  wait_until (is_empty (hung));
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Also when so many other calls hang that nothing more is begun. */
static void
test_all_hangs (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  hung_jobs_begin ();
  path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  hung_jobs_end ();
}

/* All folders are slow: the first that answers has the file. */
static void
test_slow (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "precious");

  hung_sync_begin ("/");
  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (hung_sync_count () == 5);
  hung_sync_answer ();
  wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, 1);
}

/* A start does not wait for it either, and finds what is there another time. */
static void
test_hung_start (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));

  unsaved_start_again (fixture);
  hung_read_begin (path);
  unsaved_assert_recovers (fixture, 0);
  g_assert_cmpuint (hung_read_count (), ==, 1);
  /* Nor is it asked again meanwhile. */
  unsaved_assert_recovers (fixture, 0);
  g_assert_cmpuint (hung_read_count (), ==, 1);
  hung_read_answer ();
  wait_until (restores_one (fixture));
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Returns the paths of the files in the order in which they are read (transfer full). */
static char **
dup_paths (const char *folder)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_strv_builder_take (paths, g_build_filename (folder, name, NULL));
  return g_strv_builder_end (paths);
}

/* A folder that answers slowly is waited for, however long its files take together. */
static void
test_slow_start (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *content = NULL;
  g_auto (GStrv) paths = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) drafts = NULL;
  g_autoptr (GPtrArray) recovered = NULL;

  unsaved_start_again (fixture);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *copy = g_strdup_printf ("%s/reply-%u.txt", folder, i);

      g_assert_true (g_file_set_contents (copy, content, -1, NULL));
    }
  paths = dup_paths (folder);
  hung_read_begin (paths[0]);
  gadget_store_recover_async (gadget_engine_get_store (fixture->engine), test_result_cb, &slot);
  for (guint i = 1; i <= 5; i++)
    {
      wait_until (hung_read_count () == 1);
      test_run_for (500);
      if (paths[i] != NULL)
        hung_read_begin (paths[i]);
      else
        hung_read_answer ();
      hung_read_let_go ();
    }
  result = test_take_result (&slot);
  recovered = gadget_store_recover_finish (result, &drafts, NULL);
  g_assert_cmpuint (recovered->len, ==, 1);
  wait_until (is_empty (folder));
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* The file of a turn that is saved goes in a thread. The end of the program waits for that, but not
 * for ever. */
static void
test_hung_remove (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  gboolean first = FALSE;
  gboolean second = FALSE;

  hung_unlink_begin (path);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  wait_until (hung_unlink_count () == 1);
  gadget_unsaved_turns_settle_async (unsaved_get (fixture), 100, settled_cb, &first);
  gadget_unsaved_turns_settle_async (unsaved_get (fixture), 600000, settled_cb, &second);
  g_assert_false (first);
  wait_until (first);
  g_assert_false (second);
  hung_unlink_answer ();
  wait_until (second);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* What the turn writes meanwhile is not removed with it, wherever it is. */
static void
test_hung_remove_of_older (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "some");
  g_autofree char *older = NULL;
  g_autofree char *path = NULL;

  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_FULL);
  fake_provider_text (fixture->provider, ", and more");
  wait_until ((older = unsaved_dup_path (fixture, turn)) != NULL);
  hung_unlink_begin (older);
  test_faults_set (TEST_FAULT_NONE);
  fake_provider_text (fixture->provider, ", and even more");
  wait_until (hung_unlink_count () == 1);
  test_faults_set (TEST_FAULT_FULL);
  fake_provider_text (fixture->provider, ", and the end");
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  hung_unlink_answer ();
  wait_until (hung_unlink_count () == 0);
  wait_until (is_empty (folder) || g_str_has_prefix (path, folder));
  g_assert_true (file_has (path, ", and the end"));
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
}

/* The stack of a thread that begins from now on. Returns what it was. */
static gsize
set_stack_size (gsize size)
{
  pthread_attr_t attributes;
  size_t before;

  g_assert_cmpint (pthread_getattr_default_np (&attributes), ==, 0);
  g_assert_cmpint (pthread_attr_getstacksize (&attributes, &before), ==, 0);
  g_assert_cmpint (pthread_attr_setstacksize (&attributes, size), ==, 0);
  g_assert_cmpint (pthread_setattr_default_np (&attributes), ==, 0);
  pthread_attr_destroy (&attributes);
  return before;
}

/* There can be no thread that removes a file: it stays, and the next start has it. */
static void
test_no_thread (EngineFixture *fixture, gconstpointer data)
{
  const GadgetRecoveredDraft draft = { .text = (char *) "kept" };
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) written = NULL;
  g_autoptr (GAsyncResult) removed = NULL;
  g_autofree char *path = NULL;
  GadgetRecoveryFile *file;
  GAsyncResult *restored = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) drafts = NULL;
  g_autoptr (GPtrArray) recovered = NULL;
  gsize before;

  gadget_recovery_write_draft_async (gadget_engine_get_store (fixture->engine), "a", &draft,
                                     test_result_cb, &slot);
  written = test_take_result (&slot);
  file = gadget_recovery_write_finish (written, NULL);
  g_assert_nonnull (file);
  path = g_strdup (gadget_recovery_file_get_path (file));
  before = set_stack_size (G_GUINT64_CONSTANT (1) << 47);
  gadget_recovery_file_remove_async (file, test_result_cb, &slot);
  set_stack_size (before);
  removed = test_take_result (&slot);
  g_clear_object (&removed);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));

  gadget_store_recover_async (gadget_engine_get_store (fixture->engine), test_result_cb, &restored);
  result = test_take_result (&restored);
  recovered = gadget_store_recover_finish (result, &drafts, NULL);
  g_assert_cmpuint (drafts->len, ==, 1);
}

/* --- Subagents -------------------------------------------------------------------------------- */

static char *
write_title (EngineFixture *fixture, GadgetSession *session, const char *title)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetRecoveryFile) file = NULL;

  gadget_session_set_title (session, title);
  g_assert_true (gadget_recovery_write_session_async (gadget_engine_get_store (fixture->engine),
                                                      "a", session, test_result_cb, &slot));
  result = test_take_result (&slot);
  file = gadget_recovery_write_finish (result, NULL);
  g_assert_nonnull (file);
  return g_strdup (gadget_recovery_file_get_path (file));
}

/* The lease of a chat is also that of the subagents of its subagents. */
static void
test_deep_subagent_in_use (EngineFixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autoptr (GadgetSession) top = gadget_session_new ("top");
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetSession) grandchild = gadget_session_new ("grandchild");
  g_autoptr (GadgetSession) unchanged = NULL;
  g_autoptr (GadgetSession) recovered = NULL;
  g_autofree char *path = NULL;
  GadgetLease *lease;

  gadget_session_set_parent_id (child, "top");
  gadget_session_set_parent_id (grandchild, "child");
  test_store_save (store, top);
  test_store_save (store, child);
  test_store_save (store, grandchild);
  path = write_title (fixture, grandchild, "Renamed");

  lease = gadget_lease_acquire (fixture->directory, "top", NULL);
  g_assert_nonnull (lease);
  unsaved_assert_recovers (fixture, 0);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  unchanged = test_store_load (store, "grandchild");
  g_assert_cmpstr (gadget_session_get_title (unchanged), !=, "Renamed");

  gadget_lease_release (lease);
  unsaved_assert_recovers (fixture, 0);
  recovered = test_store_load (store, "grandchild");
  g_assert_cmpstr (gadget_session_get_title (recovered), ==, "Renamed");
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* --- A power cut ------------------------------------------------------------------------------ */

/* A file is removed only when the disk has what was in it: changes of a stored chat, and a chat
 * that was never stored. */
static void
test_durable (EngineFixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autoptr (GadgetSession) known = gadget_session_new ("known");
  g_autoptr (GadgetSession) new = gadget_session_new ("new");
  GadgetSession *const sessions[] = { known, new };

  test_store_save (store, known);
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    {
      g_autofree char *path = write_title (fixture, sessions[i], "Renamed");
      const guint n_syncs = test_faults_get_n_syncs ();
      g_autoptr (GadgetSession) stored = NULL;

      unsaved_assert_recovers (fixture, 0);
      wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
      stored = test_store_load (store, gadget_session_get_id (sessions[i]));
      g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed");
      g_assert_cmpuint (test_faults_get_n_syncs (), >, n_syncs);
    }
}

/* --- Files that were being written ------------------------------------------------------------- */

static char *
get_contents (const char *path)
{
  char *content = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  return content;
}

/* A kill while a file was written: what is whole is recovered, what is not goes. What another
 * process is writing stays. */
static void
test_partial (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *content = get_contents (path);
  g_autofree char *whole = g_build_filename (folder, ".reply-a.txt.1.part", NULL);
  g_autofree char *half = g_build_filename (folder, ".reply-b.txt.2.part", NULL);
  g_autofree char *busy = g_build_filename (folder, ".reply-c.txt.3.part", NULL);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd;

  unsaved_start_again (fixture);
  g_assert_cmpint (g_rename (path, whole), ==, 0);
  g_assert_true (g_file_set_contents (half, content, (gssize) strlen (content) / 2, NULL));
  g_assert_true (g_file_set_contents (busy, "", 0, NULL));
  fd = g_open (busy, O_RDWR | O_CLOEXEC, 0);
  g_assert_cmpint (fcntl (fd, F_OFD_SETLK, &lock), ==, 0);

  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (whole, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (half, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (busy, G_FILE_TEST_EXISTS));
  close (fd);
  unsaved_assert_recovers (fixture, 0);
  g_assert_true (is_empty (folder));
}

/* What a newer version had written completely is not removed by this one, which cannot read it. */
static void
test_partial_of_newer (EngineFixture *fixture, gconstpointer data)
{
  static const char *const files[][2] = {
    { ".reply-a.txt.1.part", "{\"gadget-unsaved-turn\":2,\"turns\":[]}\n" },
    { ".chat-a.txt.1.part", "{\"gadget-unsaved-chat\":2,\"chats\":[]}\n" },
    { ".draft-a.txt.1.part", "{\"gadget-unsaved-draft\":2,\"words\":[]}\n" },
  };
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i][0], NULL);

      g_assert_true (g_file_set_contents (path, files[i][1], -1, NULL));
      unsaved_assert_recovers (fixture, 0);
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

/* The process is killed in the middle of writing: the file has been locked by then. */
static void
test_partial_is_locked (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *hung = begin_hung (fixture);

  unsaved_make (fixture, "go");
  g_assert_cmpuint (hung_sync_count (), ==, 1);
  unsaved_assert_recovers (fixture, 0);
  g_assert_false (is_empty (hung));
  hung_sync_answer ();
  wait_until (is_empty (hung));
}

/* --- All of it -------------------------------------------------------------------------------- */

static void
forget (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (
      sqlite3_exec (db, "PRAGMA foreign_keys = ON; DELETE FROM session", NULL, NULL, NULL), ==,
      SQLITE_OK);
  sqlite3_close (db);
}

/* Starts a turn that has everything a turn can have. */
static GadgetTurn *
start_rich (EngineFixture *fixture)
{
  g_autoptr (GadgetPicture) given = unsaved_make_picture ();
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  const GadgetTurnOptions options = { .run_id = "rich", .attachments = attachments };
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  GadgetTurn *turn;

  g_ptr_array_add (attachments, gadget_attachment_new_picture (given));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "text\n\"é\"", 9));
  gadget_session_set_workspace (fixture->session, fixture->directory);
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "go",
                            &options, NULL);
  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (fixture->provider));
  turn = gadget_session_get_last_turn (fixture->session);
  fake_provider_reasoning (fixture->provider, "hm");
  fake_provider_text (fixture->provider, "two\nlines\n{\"gadget-unsaved-turn\":2}\n");
  fake_provider_call (fixture->provider, 0, "a", "list_dir", "{\"path\":\".\"}");
  fake_provider_call (fixture->provider, 1, "b", "wait", "{\"seconds\":600}");
  fake_provider_usage (fixture->provider, 12, 34);
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 4
              && gadget_item_get_status (gadget_turn_get_item (turn, 2)) == GADGET_ITEM_FINISHED
              && gadget_item_get_status (gadget_turn_get_item (turn, 3)) == GADGET_ITEM_RUNNING);
  g_ptr_array_add (pictures, unsaved_make_picture ());
  gadget_item_set_pictures (gadget_turn_get_item (turn, 2), pictures);
  gadget_item_set_replay (gadget_turn_get_item (turn, 0), "source", "signature");
  return turn;
}

/* What is recovered is, to the last column, what would have been saved. */
static void
test_everything (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autofree char *saved = NULL;
  g_autofree char *recovered = NULL;
  gsize length;

  turn = start_rich (fixture);
  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  saved = unsaved_dump (fixture->directory);
  g_assert_nonnull (strstr (saved, "replay=signature"));
  g_assert_nonnull (strstr (saved, "mime_type=image/png"));
  g_assert_nonnull (strstr (saved, "id=rich"));

  engine_fixture_close (g_steal_pointer (&fixture->engine));
  forget (fixture->directory);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  unsaved_assert_recovers (fixture, 1);
  recovered = unsaved_dump (fixture->directory);
  g_assert_cmpstr (recovered, ==, saved);
}

int
main (int argc, char *argv[])
{
  g_autofree char *home = g_dir_make_tmp ("gadget-unsaved-XXXXXX", NULL);
  g_autofree char *state = g_build_filename (home, "state", NULL);
  g_autofree char *cache = g_build_filename (home, "cache", NULL);
  g_autofree char *runtime = g_build_filename (home, "run", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/recovery/" path, EngineFixture, NULL, engine_fixture_set_up, function,      \
              engine_fixture_tear_down)
  ADD ("places", test_places);
  ADD ("open-folder", test_open_folder);
  ADD ("hung", test_hung);
  ADD ("all-hangs", test_all_hangs);
  ADD ("slow", test_slow);
  ADD ("hung-start", test_hung_start);
  ADD ("slow-start", test_slow_start);
  ADD ("hung-remove", test_hung_remove);
  ADD ("hung-remove-of-older", test_hung_remove_of_older);
  ADD ("no-thread", test_no_thread);
  ADD ("deep-subagent-in-use", test_deep_subagent_in_use);
  ADD ("durable", test_durable);
  ADD ("partial", test_partial);
  ADD ("partial-of-newer", test_partial_of_newer);
  ADD ("partial-is-locked", test_partial_is_locked);
  ADD ("everything", test_everything);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
