/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the ledger has of a turn, without a look at the files. */

#include "config.h"

#include "effects/gadget-turn-changes.h"
#include "undo-fixture.h"

static GadgetTurnChanges *
read_changes (UndoFixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurnChanges *changes;

  gadget_turn_changes_read_async (fixture->service, gadget_turn_get_id (fixture->turn),
                                  test_result_cb, &slot);
  result = test_take_result (&slot);
  changes = gadget_turn_changes_read_finish (result, &error);
  g_assert_no_error (error);
  return changes;
}

static void
assert_call (UndoFixture *fixture, gboolean expected, const char *more)
{
  g_autoptr (GadgetTurnChanges) changes = read_changes (fixture);
  const char *turn_id = gadget_turn_get_id (fixture->turn);
  g_autofree char *path = undo_path (fixture, "folder/a");
  g_autofree char *other = more != NULL ? undo_path (fixture, more) : NULL;
  g_auto (GStrv) paths = NULL;
  gboolean undone = !expected;

  /* The fixture's calls are all called so. */
  paths = gadget_turn_changes_dup_call_paths (changes, turn_id, "c1", &undone);
  g_assert_nonnull (paths);
  g_assert_cmpuint (g_strv_length (paths), ==, more != NULL ? 2 : 1);
  g_assert_true (g_strv_contains ((const char *const *) paths, path));
  g_assert_true (other == NULL || g_strv_contains ((const char *const *) paths, other));
  g_assert_cmpint (undone, ==, expected);
  g_assert_null (gadget_turn_changes_dup_call_paths (changes, turn_id, "c2", &undone));
  g_assert_null (gadget_turn_changes_dup_call_paths (changes, "other", "c1", &undone));
}

static void
assert_counts (UndoFixture *fixture, guint n_files, guint n_undone)
{
  g_autoptr (GadgetTurnChanges) changes = read_changes (fixture);

  g_assert_cmpuint (gadget_turn_changes_get_n_files (changes), ==, n_files);
  g_assert_cmpuint (gadget_turn_changes_get_n_undone (changes), ==, n_undone);
}

/* Each file counts once whatever was done to it, folders and what is as it was do not. */
static void
test_counts (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GadgetTurnChanges) changes = NULL;

  undo_put (fixture, "b", "1\n");
  assert_counts (fixture, 0, 0);
  undo_edit (fixture, "folder/a", "1\n");
  undo_edit (fixture, "folder/a", "2\n");
  undo_run (fixture, "rm b; echo 1 > folder/c; echo 1 > d; rm d");
  undo_wait_recorded (fixture);
  assert_counts (fixture, 3, 0);
  assert_call (fixture, FALSE, NULL);

  report = undo_apply (fixture, FALSE, "folder/a", GADGET_UNDO_REFUSE, NULL);
  g_assert_cmpuint (report->problems->len, ==, 0);
  assert_counts (fixture, 3, 1);
  /* Not the folder: another file is in it. */
  assert_call (fixture, TRUE, NULL);
  undo_apply_all (fixture, FALSE);
  assert_counts (fixture, 3, 3);
  assert_call (fixture, TRUE, "folder");
  undo_apply_all (fixture, TRUE);
  assert_counts (fixture, 3, 0);
  assert_call (fixture, FALSE, NULL);

  changes = read_changes (fixture);
  g_assert_cmpint (gadget_turn_changes_get_recording (changes), ==, GADGET_RECORDING_DONE);
  /* Two edits, a command, and what was taken back and made again. */
  g_assert_cmpuint (gadget_turn_changes_get_effects (changes)->len, ==, 6);
}

static void
assert_folders (UndoFixture *fixture, guint n_folders, guint n_undone)
{
  g_autoptr (GadgetTurnChanges) changes = read_changes (fixture);

  g_assert_cmpuint (gadget_turn_changes_get_n_folders (changes), ==, n_folders);
  g_assert_cmpuint (gadget_turn_changes_get_n_undone (changes), ==, n_undone);
}

/* Folders count only while no file was changed. */
static void
test_folders (UndoFixture *fixture, gconstpointer data)
{
  undo_run (fixture, "mkdir -p new/inner");
  undo_wait_recorded (fixture);
  assert_counts (fixture, 0, 0);
  assert_folders (fixture, 2, 0);
  undo_apply_all (fixture, FALSE);
  assert_folders (fixture, 2, 2);
  undo_apply_all (fixture, TRUE);
  assert_folders (fixture, 2, 0);
  undo_run (fixture, "echo 1 > new/a");
  undo_wait_recorded (fixture);
  assert_folders (fixture, 0, 0);
  assert_counts (fixture, 1, 0);
}

static void
test_pending (UndoFixture *fixture, gconstpointer data)
{
  const gint64 id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  g_autoptr (GadgetTurnChanges) changes = read_changes (fixture);

  g_assert_cmpint (gadget_turn_changes_get_recording (changes), ==, GADGET_RECORDING_PENDING);
  gadget_effects_end (fixture->effects, id, "exit 0");
  undo_wait_recorded (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/engine/turn-changes/counts", UndoFixture, NULL, undo_set_up, test_counts,
              undo_tear_down);
  g_test_add ("/engine/turn-changes/folders", UndoFixture, NULL, undo_set_up, test_folders,
              undo_tear_down);
  g_test_add ("/engine/turn-changes/pending", UndoFixture, NULL, undo_set_up, test_pending,
              undo_tear_down);
  return g_test_run ();
}
