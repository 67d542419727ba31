/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a turn did to files is taken back, and made again; nothing else is touched, and what
 * somebody changed since only after a question. */

#include "config.h"

#include "test-process.h"
#include "tools/shell/gadget-tool-shell.h"
#include "undo-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Files that have changed since --------------------------------------------------------------
 */

static void
test_changed_since (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) refused = NULL;
  g_autoptr (GadgetUndoReport) skipped = NULL;
  g_autoptr (GadgetUndoReport) overwritten = NULL;
  g_autoptr (GError) error = NULL;

  undo_put (fixture, "a", "a before\n");
  undo_put (fixture, "b", "b before\n");
  undo_run (fixture, "echo turn > a; echo turn > b; echo turn > new");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  undo_put (fixture, "a", "by the user\n");

  refused = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_null (refused);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  g_assert_cmpstr (error->message, ==, "a");
  undo_assert_text (fixture, "b", "turn\n");

  skipped = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_SKIP, NULL);
  g_assert_cmpuint (skipped->n_done, ==, 2);
  g_assert_cmpuint (skipped->n_skipped, ==, 1);
  undo_assert_text (fixture, "a", "by the user\n");
  undo_assert_text (fixture, "b", "b before\n");
  undo_assert_text (fixture, "new", NULL);

  overwritten = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_OVERWRITE, NULL);
  g_assert_cmpuint (overwritten->n_done, ==, 1);
  undo_assert_text (fixture, "a", "a before\n");
}

/* What the user did between two changes of the turn is not lost without a question. */
static void
test_changed_between (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GError) error = NULL;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo first >> a");
  undo_wait_recorded (fixture);
  undo_run_bare (fixture, "echo user >> a");
  undo_run (fixture, "echo second >> a");
  found = undo_list_recorded (fixture);
  g_assert_true (undo_find (found, "a")->interleaved);
  g_assert_cmpint (undo_find (found, "a")->state, ==, GADGET_UNDO_STATE_CHANGED);
  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  undo_assert_text (fixture, "a", "before\nfirst\nuser\nsecond\n");
}

/* A file of the user's in a folder that the turn made keeps the folder. */
static void
test_folder_in_use (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  undo_run (fixture, "mkdir made; echo turn > made/a");
  undo_wait_recorded (fixture);
  undo_put (fixture, "made/mine", "mine\n");
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 1);
  undo_assert_text (fixture, "made/mine", "mine\n");
  undo_assert_text (fixture, "made/a", NULL);
}

static void
test_nothing_else (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  undo_run_bare (fixture, "mkdir mine; echo 1 > mine/a; echo 2 > b");
  undo_run (fixture, "echo turn > b");
  undo_wait_recorded (fixture);
  undo_run_bare (fixture, "echo more >> mine/a; echo 3 > mine/c; touch -d 2001-01-01 mine");
  before = undo_dump (fixture->workspace);
  undo_apply_all (fixture, FALSE);
  undo_apply_all (fixture, TRUE);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* --- One file ----------------------------------------------------------------------------------
 */

static void
test_one_file (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoList) then = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_put (fixture, "a", "1\n2\n3\n");
  undo_run_bare (fixture, "mkdir -p folder/deep; echo gone > folder/deep/b");
  undo_run (fixture, "printf '1\\ntwo\\n3\\n4\\n' > a; rm -r folder; echo new > c");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (undo_find (found, "a")->n_added, ==, 2);
  g_assert_cmpint (undo_find (found, "a")->n_removed, ==, 1);
  g_assert_cmpint (undo_find (found, "c")->n_added, ==, 1);
  g_assert_cmpint (undo_find (found, "folder/deep/b")->n_removed, ==, 1);

  /* With the folders that it needs. */
  report = undo_apply (fixture, FALSE, "folder/deep/b", GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->problems->len, ==, 0);
  undo_assert_text (fixture, "folder/deep/b", "gone\n");
  undo_assert_text (fixture, "c", "new\n");
  then = undo_list (fixture, gadget_turn_get_id (fixture->turn));
  g_assert_cmpint (undo_find (then, "folder/deep/b")->state, ==, GADGET_UNDO_STATE_UNDONE);
  g_assert_cmpint (undo_find (then, "a")->state, ==, GADGET_UNDO_STATE_DONE);
}

/* --- What cannot be undone ---------------------------------------------------------------------
 */

static void
test_too_large (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_run_bare (fixture, "head -c 11000000 /dev/zero > large; echo 1 > small");
  undo_run (fixture, "echo 2 > large; echo 2 > small");
  found = undo_list_recorded (fixture);
  g_assert_false (undo_find (found, "large")->can_undo);
  g_assert_true (undo_find (found, "small")->can_undo);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->problems->len, ==, 1);
  undo_assert_text (fixture, "small", "1\n");
  undo_assert_text (fixture, "large", "2\n");
}

/* Of a change that names its file, more is kept. */
static void
test_large_edit (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *path = undo_path (fixture, "large");
  struct stat info;

  undo_run_bare (fixture, "head -c 11000000 /dev/zero > large");
  undo_edit (fixture, "large", "small now\n");
  undo_wait_recorded (fixture);
  undo_assert_text (fixture, "large", "small now\n");
  undo_apply_all (fixture, FALSE);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, ==, 11000000);
}

static void
test_pending (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "something");

  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_PENDING);
  gadget_effects_end (fixture->effects, id, "exit 0");
  undo_wait_recorded (fixture);
}

/* While a command runs in the folder nothing is undone there, of no turn. Between two commands of a
 * turn that goes on, and while it works with files, what other turns did can be. */
static void
test_busy (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = undo_path (fixture, "b");
  GadgetTurn *first;
  GadgetTurn *second;
  gint64 id;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo first > a");
  undo_wait_recorded (fixture);
  first = g_object_ref (fixture->turn);
  undo_new_turn (fixture);
  second = fixture->turn;
  id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  fixture->turn = first;
  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_BUSY);
  undo_assert_text (fixture, "a", "first\n");
  gadget_effects_end (fixture->effects, id, "exit 0");
  id = undo_begin (fixture, GADGET_EFFECT_CHANGE, path);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "a", "before\n");
  gadget_effects_end (fixture->effects, id, "done");
  fixture->turn = second;
  undo_wait_recorded (fixture);
  g_object_unref (first);
}

/* Undone twice is undone; so is made again twice. */
static void
test_twice (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  undo_run_bare (fixture, "mkdir sub; echo 1 > sub/a; echo 2 > b");
  before = undo_dump (fixture->workspace);
  undo_run (fixture, "echo turn > sub/a; rm b; mkdir new");
  undo_wait_recorded (fixture);
  after = undo_dump (fixture->workspace);
  for (guint i = 0; i < 3; i++)
    {
      const gboolean redo = i == 1;

      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (GadgetUndoReport) report =
              undo_apply (fixture, redo, NULL, GADGET_UNDO_REFUSE, NULL);
          g_autofree char *now = undo_dump (fixture->workspace);

          g_assert_cmpuint (report->n_done, ==, j == 0 ? 3 : 0);
          g_assert_cmpuint (report->problems->len, ==, 0);
          undo_assert_same (now, redo ? after : before);
        }
    }
}

/* Git's own folder is git's: nothing in it is recorded or touched. */
static void
test_git (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  g_autofree char *aside = undo_path (fixture, "sub/.git.from-command");

  undo_run_bare (fixture, "mkdir .git sub; echo 1 > .git/HEAD; ln -s ../x sub/.git");
  /* It was set aside. */
  undo_run (fixture, "echo 2 > .git/HEAD; echo 2 > a; mv sub/.git sub/.git.from-command");
  found = undo_list_recorded (fixture);
  g_assert_null (undo_find (found, ".git/HEAD"));
  g_assert_nonnull (undo_find (found, "a"));
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, ".git/HEAD", "2\n");
  g_assert_true (g_file_test (aside, G_FILE_TEST_IS_SYMLINK));
}

/* A folder that became a link to somewhere else is not followed. */
static void
test_link_out (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *outside = test_dir_new ();
  g_autofree char *victim = g_build_filename (outside, "a", NULL);
  g_autofree char *command = g_strdup_printf ("mv sub aside; ln -s '%s' sub", outside);
  g_autofree char *text = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  undo_run_bare (fixture, "mkdir sub; echo 1 > sub/a");
  g_assert_true (g_file_set_contents (victim, "2\n", -1, NULL));
  undo_run (fixture, "echo 2 > sub/a");
  undo_wait_recorded (fixture);
  undo_run_bare (fixture, command);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_OVERWRITE, NULL);
  g_assert_true (g_file_get_contents (victim, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "2\n");
  test_dir_free (g_steal_pointer (&outside));
}

/* --- Stops and starts --------------------------------------------------------------------------
 */

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_aborted (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c1", "shell");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autoptr (GadgetToolResult) answer = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *started = undo_path (fixture, "started");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GAsyncResult *slot = NULL;
  GadgetToolContext context = {
    .workspace = fixture->workspace,
    .item = item,
    .effects = fixture->effects,
  };

  undo_put (fixture, "a", "before\n");
  before = undo_dump (fixture->workspace);
  json_object_set_string_member (arguments, "command", "echo turn > a; touch started; sleep 600");
  gadget_tool_execute_async (shell, arguments, &context, cancellable, test_result_cb, &slot);
  g_assert_true (test_wait_until (exists, started, 20000));
  g_cancellable_cancel (cancellable);
  result = test_take_result (&slot);
  answer = gadget_tool_execute_finish (shell, result, NULL);
  g_assert_true (answer->cut);
  undo_wait_recorded (fixture);
  undo_assert_text (fixture, "a", "turn\n");
  undo_apply_all (fixture, FALSE);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* The next start knows how the workspace was, and sees what happened meanwhile. */
static void
test_next_start (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoList) found = NULL;
  gpointer weak = fixture->service;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  g_clear_object (&fixture->effects);
  g_object_add_weak_pointer (G_OBJECT (weak), &weak);
  g_object_unref (fixture->service);
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);

  undo_put (fixture, "a", "between\n");
  fixture->service = gadget_snapshot_service_new (fixture->store);
  undo_new_turn (fixture);
  undo_run (fixture, "echo turn > a");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "a", "between\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("/changed-since", test_changed_since);
  undo_test_add ("/changed-between", test_changed_between);
  undo_test_add ("/folder-in-use", test_folder_in_use);
  undo_test_add ("/nothing-else", test_nothing_else);
  undo_test_add ("/one-file", test_one_file);
  undo_test_add ("/too-large", test_too_large);
  undo_test_add ("/large-edit", test_large_edit);
  undo_test_add ("/pending", test_pending);
  undo_test_add ("/busy", test_busy);
  undo_test_add ("/twice", test_twice);
  undo_test_add ("/git", test_git);
  undo_test_add ("/link-out", test_link_out);
  undo_test_add ("/aborted", test_aborted);
  undo_test_add ("/next-start", test_next_start);

  return g_test_run ();
}
