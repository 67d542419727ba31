/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What undo meets in the workspace: folders that are locked, special files, links that somebody
 * puts in the way, a full disk, and a stop. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "effects/gadget-apply-state-file.h"
#include "effects/gadget-turn-changes.h"
#include "full-disk.h"
#include "stop-at.h"
#include "undo-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define USER 4242 /* nobody's number */
#define N_RACES 150

/* --- An ordinary user --------------------------------------------------------------------------
 */

/* In a process of its own, as a user whom modes bind. */
static void
run_as_user (void (*function) (UndoFixture *))
{
  UndoFixture fixture = { 0 };
  char *directory = test_dir_new ();
  char *workspace = test_dir_new ();
  pid_t child;
  int status;

  if (geteuid () == 0)
    g_assert_true (chown (directory, USER, USER) == 0 && chown (workspace, USER, USER) == 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      if (geteuid () == 0)
        g_assert_true (setresgid (USER, USER, USER) == 0 && setresuid (USER, USER, USER) == 0);
      undo_set_up_in (&fixture, directory, workspace);
      function (&fixture);
      undo_tear_down (&fixture, NULL);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  test_dir_free (directory);
  test_dir_free (workspace);
}

static void
change_locked (UndoFixture *fixture)
{
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "mkdir -p shut/deep sealed; echo 1 > shut/a; echo 2 > shut/deep/b;"
                          "echo 3 > sealed/c; echo 4 > read-only; echo 5 > secret;"
                          "chmod 444 read-only; chmod 555 shut/deep shut");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "chmod 700 shut shut/deep; echo turn > shut/a; rm shut/deep/b;"
                     "chmod 500 shut/deep shut; rm -r sealed; chmod 600 read-only;"
                     "echo turn > read-only; chmod 400 read-only; chmod 0 secret");
  undo_wait_recorded (fixture);
  undo_and_compare (fixture, before);
}

static void
test_locked (void)
{
  run_as_user (change_locked);
}

/* Nobody may go in afterwards, Gadget neither: what is below is not known, and that is said. What
 * is known of them is taken back. */
static void
change_shut (UndoFixture *fixture)
{
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  undo_run_bare (fixture, "mkdir -p shut/deep; echo 1 > shut/a; echo 2 > shut/deep/b;"
                          "chmod 755 shut/deep");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "chmod 0 shut/deep; chmod 0 shut");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_cmpstr (found->skipped, ==, "shut");
  undo_apply_all (fixture, FALSE);
  undo_run_bare (fixture, "chmod 755 shut/deep");
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
}

static void
test_shut (void)
{
  run_as_user (change_shut);
}

/* What cannot be read cannot be kept; when it is gone that is said. */
static void
change_unreadable (UndoFixture *fixture)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_run_bare (fixture, "echo 1 > secret; chmod 0 secret; echo 2 > a");
  undo_run (fixture, "rm -f secret a");
  found = undo_list_recorded (fixture);
  g_assert_false (undo_find (found, "secret")->can_undo);
  g_assert_true (undo_find (found, "a")->can_undo);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 1);
  g_assert_cmpuint (report->problems->len, ==, 1);
  g_assert_true (g_str_has_prefix (report->problems->pdata[0], "secret: "));
}

static void
test_unreadable (void)
{
  run_as_user (change_unreadable);
}

/* --- Kinds of files ----------------------------------------------------------------------------
 */

/* A pipe goes as it came; one that was removed cannot be made again, which is said. */
static void
test_special (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autofree char *before = undo_dump (fixture->workspace);
  g_autofree char *undone = NULL;

  undo_run (fixture, "mkfifo pipe; ln -s pipe link");
  undo_wait_recorded (fixture);
  undo_apply_all (fixture, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  report = undo_apply (fixture, TRUE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, ==, 1);
  g_assert_cmpuint (report->problems->len, ==, 1);
}

/* --- A workspace behind a link -----------------------------------------------------------------
 */

static void
test_linked_workspace (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_strconcat (fixture->workspace, "-link", NULL);
  g_autofree char *real = g_strdup (fixture->workspace);
  g_autofree char *before = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  g_assert_cmpint (symlink (real, link), ==, 0);
  undo_run_bare (fixture, "mkdir sub; echo 1 > sub/a; echo 2 > b");
  before = undo_dump (real);
  g_free (fixture->workspace);
  /* As somebody may have typed it. */
  fixture->workspace = g_strconcat (link, "/sub/..//", NULL);
  undo_new_turn (fixture);
  g_free (fixture->workspace);
  fixture->workspace = g_strdup (link);
  undo_edit (fixture, "sub/a", "turn\n");
  undo_run (fixture, "echo turn >> sub/a; echo turn > new");
  g_free (fixture->workspace);
  fixture->workspace = g_strdup (real);
  undo_edit (fixture, "b", "turn\n");

  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  g_assert_nonnull (undo_find (found, "sub/a"));
  g_assert_false (undo_find (found, "sub/a")->interleaved);
  for (guint i = 0; i < found->entries->len; i++)
    g_assert_cmpstr (((GadgetUndoEntry *) found->entries->pdata[i])->root, ==, real);
  undo_and_compare (fixture, before);
  g_assert_cmpint (unlink (link), ==, 0);
}

/* --- Links in the way --------------------------------------------------------------------------
 */

typedef struct
{
  char *one;
  char *other;
  int stop;
  guint n;
} Swapping;

/* Two names, exchanged as fast as that goes. */
static gpointer
swap (gpointer data)
{
  Swapping *self = data;

  while (!g_atomic_int_get (&self->stop))
    if (renameat2 (AT_FDCWD, self->one, AT_FDCWD, self->other, RENAME_EXCHANGE) == 0)
      self->n++;
  return NULL;
}

/* While the first name is now what the turn changed, now a link that leads out of the workspace. */
static void
race (UndoFixture *fixture, const char *one, const char *other)
{
  Swapping swapping = { undo_path (fixture, one), undo_path (fixture, other), 0, 0 };
  GThread *thread = g_thread_new ("swap", swap, &swapping);
  guint n_done = 0;

  for (guint i = 0; i < N_RACES; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GadgetUndoReport) report =
          undo_apply (fixture, i % 2 == 1, NULL, GADGET_UNDO_OVERWRITE, &error);

      g_assert_no_error (error);
      n_done += report->n_done;
    }
  g_atomic_int_set (&swapping.stop, 1);
  g_thread_join (thread);
  g_test_message ("%u changes while it was exchanged %u times", n_done, swapping.n);
  g_assert_cmpuint (n_done, >, 0);
  g_assert_cmpuint (swapping.n, >, 0);
  g_free (swapping.one);
  g_free (swapping.other);
}

static void
test_race (UndoFixture *fixture, gconstpointer data)
{
  const char *which = data;
  g_autofree char *outside = test_dir_new ();
  g_autofree char *fill =
      g_strdup_printf ("mkdir '%s/deep'; for f in a gone deep/b; do echo outside > '%s'/$f; done;"
                       "chmod 640 '%s/a'; ln -s '%s' way; ln -s '%s/a' file",
                       outside, outside, outside, outside, outside);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  undo_run_bare (fixture,
                 "mkdir -p sub/deep; echo 1 > sub/a; echo 2 > sub/gone; echo 3 > sub/deep/b;"
                 "echo 4 > plain");
  undo_run_bare (fixture, fill);
  before = undo_dump (outside);
  undo_run (fixture,
            "echo turn > sub/a; rm sub/gone; echo turn > sub/deep/b; echo turn > sub/deep/n;"
            "chmod 400 sub; chmod 777 plain; touch -d 2001-01-01 plain");
  undo_wait_recorded (fixture);
  if (strcmp (which, "folder") == 0)
    race (fixture, "sub", "way");
  else
    race (fixture, "plain", "file");
  after = undo_dump (outside);
  undo_assert_same (after, before);
  test_dir_free (g_steal_pointer (&outside));
}

/* The folder above the workspace was replaced by a link since: nothing is touched behind it. */
static void
test_moved_workspace (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *aside = g_strconcat (fixture->workspace, "-aside", NULL);
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;
  g_autofree char *now = NULL;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  after = undo_dump (fixture->workspace);
  g_assert_cmpint (rename (fixture->workspace, aside), ==, 0);
  g_assert_cmpint (symlink (aside, fixture->workspace), ==, 0);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_OVERWRITE, &error);
  g_assert_null (report);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_MISSING);
  g_assert_cmpint (unlink (fixture->workspace), ==, 0);
  g_assert_cmpint (rename (aside, fixture->workspace), ==, 0);
  now = undo_dump (fixture->workspace);
  undo_assert_same (now, after);
}

/* A link that cannot be made says why. */
static void
test_link_too_long (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *target = g_strnfill (4096, 'x');
  g_autofd int folder = open (fixture->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
  GadgetBlobs *blobs = _gadget_snapshot_service_get_blobs (fixture->service);
  g_autoptr (GError) error = NULL;
  GadgetFileState state = { .type = GADGET_FILE_LINK, .has_hash = TRUE };
  GadgetUndoEntry entry = { .path = (char *) "a" };
  struct stat info;
  GadgetHash hash;
  GadgetKept kept;

  g_assert_cmpint (folder, >=, 0);
  undo_put (fixture, "a", "there");
  g_assert_cmpint (fstatat (folder, "a", &info, 0), ==, 0);
  entry.inode = info.st_ino;
  entry.now.type = GADGET_FILE_REGULAR;
  g_assert_true (_gadget_blobs_keep_bytes (blobs, target, 4096, &hash, &kept, NULL));
  memcpy (state.hash, hash.bytes, sizeof state.hash);
  g_assert_false (_gadget_apply_state_put_link (blobs, folder, "a", &entry, &state, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG);
  undo_assert_text (fixture, "a", "there");
}

/* Files that are not in their places yet take up room beside those whose places they are to take.
 */
static void
test_full_disk (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "for i in $(seq 60); do echo before > $i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "for i in $(seq 60); do echo turn > $i; done");
  undo_wait_recorded (fixture);
  full_disk_set (20);
  undo_and_compare (fixture, before);
  full_disk_set (0);
}

/* With few descriptors the files go to the disk in several batches, and one folder after the other
 * is opened. The limit stays for the tests that follow, which do with it. */
static void
test_batches (UndoFixture *fixture, gconstpointer data)
{
  const struct rlimit limit = { 500, 500 };
  g_autofree char *before = NULL;

  undo_run_bare (fixture, "mkdir shared; for i in $(seq 350); do mkdir own-$i; "
                          "echo before > own-$i/file; echo before > shared/file-$i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "for f in */f*; do echo turn > $f; done; rm own-1*/file shared/*3; "
                     "rmdir own-1*; echo new > shared/file-new");
  undo_wait_recorded (fixture);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  undo_and_compare (fixture, before);
}

static GadgetUndoReport *
apply_stoppable (UndoFixture *fixture, GCancellable *cancellable)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetUndoReport *report;

  gadget_undo_apply_async (fixture->service, gadget_turn_get_id (fixture->turn), FALSE, NULL,
                           GADGET_UNDO_REFUSE, cancellable, test_result_cb, &slot);
  result = test_take_result (&slot);
  report = gadget_undo_apply_finish (result, NULL);
  g_assert_nonnull (report);
  return report;
}

/* The line of the turn says how many files it changed and how many of them are undone: those that
 * are left are the rest, without the folders. */
static void
assert_counts_fit (UndoFixture *fixture, const GadgetUndoReport *report)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetTurnChanges) changes = NULL;

  gadget_turn_changes_read_async (fixture->service, gadget_turn_get_id (fixture->turn),
                                  test_result_cb, &slot);
  result = test_take_result (&slot);
  changes = gadget_turn_changes_read_finish (result, NULL);
  g_assert_nonnull (changes);
  g_assert_cmpuint (report->n_files_left, <, report->n_left);
  g_assert_cmpuint (gadget_turn_changes_get_n_undone (changes) + report->n_files_left, ==,
                    gadget_turn_changes_get_n_files (changes));
}

/* Stopped before the third call of that kind: while files are removed, and while they are made. */
static void
test_stopped (UndoFixture *fixture, gconstpointer call)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;
  guint n;

  undo_run_bare (fixture, "for i in 1 2 3 4 5 6; do mkdir gone-$i; echo before > gone-$i/file; "
                          "echo before > file-$i; echo before > folder-$i; done");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "rm -r gone-*; for i in 1 2 3 4 5 6; do echo turn > file-$i; "
                     "echo turn > new-$i; rm folder-$i; mkdir folder-$i; "
                     "echo turn > folder-$i/file; done");
  undo_wait_recorded (fixture);
  stop_at_begin (call, 3, cancellable);
  report = apply_stoppable (fixture, cancellable);
  stop_at_end ();
  g_assert_true (g_cancellable_is_cancelled (cancellable));
  g_test_message ("%u done, %u left", report->n_done, report->n_left);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_done, >, 0);
  g_assert_cmpuint (report->n_left, >, 0);
  assert_counts_fit (fixture, report);
  /* Each file is the one or the other. What was removed for it is replaced all the same. */
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *file = g_strdup_printf ("file-%u", i);
      g_autofree char *folder = g_strdup_printf ("folder-%u", i);
      g_autofree char *path = undo_path (fixture, folder);
      g_autofree char *file_path = undo_path (fixture, file);
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (file_path, &text, NULL, NULL));
      g_assert_true (g_str_equal (text, "before\n") || g_str_equal (text, "turn\n"));
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  n = report->n_left;
  g_clear_pointer (&report, gadget_undo_report_free);
  /* The record agrees: the rest can be undone, and no more than that. */
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->n_done, >=, n);
  g_assert_cmpuint (report->n_left, ==, 0);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  /* Those that fork come first, before there is another thread. */
  g_test_add_func ("/engine/undo-restore/locked", test_locked);
  g_test_add_func ("/engine/undo-restore/shut", test_shut);
  g_test_add_func ("/engine/undo-restore/unreadable", test_unreadable);
  g_test_add ("/engine/undo-restore/stopped/removing", UndoFixture, "unlinkat", undo_set_up,
              test_stopped, undo_tear_down);
  g_test_add ("/engine/undo-restore/stopped/making", UndoFixture, "mkdirat", undo_set_up,
              test_stopped, undo_tear_down);
  undo_test_add ("-restore/special", test_special);
  undo_test_add ("-restore/link-too-long", test_link_too_long);
  undo_test_add ("-restore/linked-workspace", test_linked_workspace);
  undo_test_add ("-restore/moved-workspace", test_moved_workspace);
  g_test_add ("/engine/undo-restore/race/folder", UndoFixture, "folder", undo_set_up, test_race,
              undo_tear_down);
  g_test_add ("/engine/undo-restore/race/file", UndoFixture, "file", undo_set_up, test_race,
              undo_tear_down);
  undo_test_add ("-restore/full-disk", test_full_disk);
  undo_test_add ("-restore/batches", test_batches);

  return g_test_run ();
}
