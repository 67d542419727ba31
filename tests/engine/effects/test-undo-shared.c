/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several turns at work in one folder, of two chats: what commands did at the same time is undone
 * together; what file tools of the one did is never undone with the other, unless the user says
 * so. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "undo-fixture.h"

#include <stdio.h>
#include <string.h>

typedef UndoFixture Fixture;

/* The other chat, in the same folder; it shares all but its effects and its turn. */
typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal;
  GadgetEffects *effects;
} Other;

static void
other_begin (Fixture *fixture, Other *other)
{
  other->session = gadget_session_new ("other");
  other->turn = gadget_turn_new ("other-turn", "Do something else");
  gadget_session_append (other->session, other->turn);
  other->journal = gadget_journal_new (fixture->store, other->session, other->turn);
  other->effects =
      gadget_effects_new (fixture->service, "other-turn", "other-turn", fixture->workspace);
}

static void
other_end (Other *other)
{
  test_journal_commit (other->journal, NULL);
  g_clear_object (&other->effects);
  g_clear_object (&other->journal);
  g_clear_object (&other->turn);
  g_clear_object (&other->session);
}

/* What follows is done by the other one, until it is called again. */
static void
swap (Fixture *fixture, Other *other)
{
  GadgetEffects *effects = fixture->effects;
  GadgetTurn *turn = fixture->turn;

  fixture->effects = other->effects;
  fixture->turn = other->turn;
  other->effects = effects;
  other->turn = turn;
}

static void
assert_recorded (Fixture *fixture, Other *other)
{
  undo_wait_recorded (fixture);
  swap (fixture, other);
  undo_wait_recorded (fixture);
  swap (fixture, other);
}

/* FALSE when there is nothing of it in the list. */
static gboolean
is_listed (Fixture *fixture, const char *name, gboolean *shared)
{
  g_autoptr (GadgetUndoList) list = undo_list_recorded (fixture);
  const GadgetUndoEntry *entry = undo_find (list, name);

  if (entry == NULL)
    return FALSE;
  *shared = entry->interleaved;
  return TRUE;
}

static void
assert_listed (Fixture *fixture, const char *name, gboolean expected)
{
  gboolean shared = FALSE;

  g_assert_true (is_listed (fixture, name, &shared));
  g_assert_cmpint (shared, ==, expected);
}

static void
assert_not_listed (Fixture *fixture, const char *name)
{
  gboolean shared;

  g_assert_false (is_listed (fixture, name, &shared));
}

/* A file is edited there while a command runs here. */
static void
test_edit (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GadgetUndoReport) undone = NULL;
  g_autoptr (GadgetUndoReport) redone = NULL;
  g_autoptr (GError) error = NULL;
  gint64 command;

  undo_put (fixture, "theirs", "before\n");
  other_begin (fixture, &other);
  command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo 1 > ours; mkdir -p deep; echo 2 > deep/ours");
  swap (fixture, &other);
  undo_edit (fixture, "theirs", "one\n");
  undo_edit (fixture, "theirs", "two\n");
  undo_edit (fixture, "deep/theirs", "new\n");
  undo_edit (fixture, "fresh/theirs", "new\n");
  swap (fixture, &other);
  undo_run_bare (fixture, "echo 3 >> ours");
  gadget_effects_end (fixture->effects, command, "exit 0");
  assert_recorded (fixture, &other);

  assert_listed (fixture, "ours", FALSE);
  assert_not_listed (fixture, "theirs");
  assert_not_listed (fixture, "deep/theirs");
  assert_not_listed (fixture, "fresh");
  assert_not_listed (fixture, "fresh/theirs");
  undone = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_no_error (error);
  /* The folder that holds a file of theirs stays. */
  g_assert_cmpuint (undone->problems->len, ==, 1);
  undo_assert_text (fixture, "ours", NULL);
  undo_assert_text (fixture, "deep/ours", NULL);
  undo_assert_text (fixture, "theirs", "two\n");
  undo_assert_text (fixture, "deep/theirs", "new\n");
  undo_assert_text (fixture, "fresh/theirs", "new\n");

  /* And theirs without ours. */
  redone = undo_apply (fixture, TRUE, "ours", GADGET_UNDO_REFUSE, &error);
  g_assert_no_error (error);
  swap (fixture, &other);
  undo_apply_all (fixture, FALSE);
  swap (fixture, &other);
  undo_assert_text (fixture, "theirs", "before\n");
  undo_assert_text (fixture, "fresh/theirs", NULL);
  undo_assert_text (fixture, "ours", "1\n3\n");
  other_end (&other);
}

/* Both touch one file: it is asked about. */
static void
test_edit_and_command (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  gint64 command;

  undo_put (fixture, "both", "before\n");
  other_begin (fixture, &other);
  command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo ours >> both; echo 1 > ours");
  swap (fixture, &other);
  undo_edit (fixture, "both", "before\nours\ntheirs\n");
  swap (fixture, &other);
  gadget_effects_end (fixture->effects, command, "exit 0");
  assert_recorded (fixture, &other);

  assert_listed (fixture, "both", TRUE);
  assert_listed (fixture, "ours", FALSE);
  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  g_assert_nonnull (strstr (error->message, "both"));
  g_assert_null (strstr (error->message, "ours"));
  g_clear_error (&error);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_SKIP, &error);
  g_assert_no_error (error);
  undo_assert_text (fixture, "both", "before\nours\ntheirs\n");
  undo_assert_text (fixture, "ours", NULL);
  other_end (&other);
}

/* An edit before the command, or after it, is no concern of the command's. */
static void
test_one_after_the_other (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };

  undo_put (fixture, "both", "before\n");
  other_begin (fixture, &other);
  swap (fixture, &other);
  undo_edit (fixture, "both", "theirs\n");
  undo_wait_recorded (fixture);
  undo_run (fixture, "echo 1 > theirs");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  undo_run (fixture, "echo ours >> both");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  undo_edit (fixture, "later", "theirs\n");
  undo_run (fixture, "echo 2 >> theirs");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  assert_listed (fixture, "both", FALSE);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "both", "theirs\n");
  undo_assert_text (fixture, "theirs", "1\n2\n");
  swap (fixture, &other);
  assert_listed (fixture, "theirs", FALSE);
  undo_apply_all (fixture, FALSE);
  swap (fixture, &other);
  undo_assert_text (fixture, "both", "before\n");
  undo_assert_text (fixture, "theirs", NULL);
  other_end (&other);
}

/* Two commands: what changed while both ran is undone with the one and with the other; what was
 * done before the second one began, or after it ended, with the first alone. */
static void
test_commands (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *now = NULL;
  gint64 ours, theirs;

  undo_put (fixture, "both", "before\n");
  before = undo_dump (fixture->workspace);
  other_begin (fixture, &other);
  ours = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo 1 > alone");
  swap (fixture, &other);
  theirs = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo 1 > together; echo 1 > both");
  gadget_effects_end (fixture->effects, theirs, "exit 0");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  undo_run_bare (fixture, "echo 1 > alone-again");
  gadget_effects_end (fixture->effects, ours, "exit 0");
  assert_recorded (fixture, &other);
  after = undo_dump (fixture->workspace);

  assert_listed (fixture, "alone", FALSE);
  assert_listed (fixture, "alone-again", FALSE);
  assert_listed (fixture, "together", FALSE);
  assert_listed (fixture, "both", FALSE);
  swap (fixture, &other);
  assert_not_listed (fixture, "alone");
  assert_not_listed (fixture, "alone-again");
  assert_listed (fixture, "together", FALSE);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "together", NULL);
  undo_assert_text (fixture, "both", "before\n");
  undo_assert_text (fixture, "alone", "1\n");
  undo_apply_all (fixture, TRUE);
  now = undo_dump (fixture->workspace);
  undo_assert_same (now, after);

  swap (fixture, &other);
  undo_apply_all (fixture, FALSE);
  g_clear_pointer (&now, g_free);
  now = undo_dump (fixture->workspace);
  undo_assert_same (now, before);
  swap (fixture, &other);
  undo_apply_all (fixture, TRUE);
  undo_assert_text (fixture, "together", "1\n");
  undo_assert_text (fixture, "alone", NULL);
  swap (fixture, &other);
  other_end (&other);
}

/* One command goes on with a file after the other one has ended, or the user does: undoing the turn
 * of the command that ended asks. */
static void
test_commands_changed_since (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  gint64 ours, theirs;

  other_begin (fixture, &other);
  ours = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  swap (fixture, &other);
  theirs = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo 1 > log; echo 1 > text");
  gadget_effects_end (fixture->effects, theirs, "exit 0");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  undo_run_bare (fixture, "echo 2 >> log");
  gadget_effects_end (fixture->effects, ours, "exit 0");
  assert_recorded (fixture, &other);
  undo_put (fixture, "text", "user\n");

  swap (fixture, &other);
  g_assert_null (undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error));
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  g_assert_cmpstr (error->message, ==, "log\ntext");
  swap (fixture, &other);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_SKIP, NULL);
  undo_assert_text (fixture, "log", NULL);
  undo_assert_text (fixture, "text", "user\n");
  other_end (&other);
}

/* A command of the other turn is stopped during its first snapshot, and ours ends meanwhile: the
 * row of the command that never ran stays closed. */
static void
test_commands_stopped (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  UndoGate gate = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *slot = NULL;
  const gint64 ours = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");

  other_begin (fixture, &other);
  undo_gate_arm (&gate);
  _gadget_workspace_snapshot_set_scanned_func (undo_gate_pass, &gate);
  gadget_effects_begin_async (other.effects, "c1", GADGET_EFFECT_COMMAND, "make", NULL, cancellable,
                              test_result_cb, &slot);
  g_assert_true (test_wait_until (undo_gate_waits, &gate, 20000));
  undo_run_bare (fixture, "echo 1 > ours");
  gadget_effects_end (fixture->effects, ours, "exit 0");
  g_cancellable_cancel (cancellable);
  result = test_take_result (&slot);
  g_assert_cmpint (gadget_effects_begin_finish (other.effects, result, NULL), ==, 0);
  undo_gate_open (&gate);
  undo_wait_recorded (fixture);
  _gadget_workspace_snapshot_set_scanned_func (NULL, NULL);
  assert_recorded (fixture, &other);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "ours", NULL);
  other_end (&other);
}

/* Another folder, whose snapshot holds the queue until its gate is opened. The tree of our
 * workspace is from a command that is over; the user has edited a file since. */
typedef struct
{
  UndoGate gate;
  char *folder;
  GadgetEffects *effects;
  GAsyncResult *slot;
} Slow;

static void
slow_begin (Fixture *fixture, Slow *slow)
{
  const char *id;

  undo_put (fixture, "notes.txt", "before\n");
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  undo_new_turn (fixture);
  undo_put (fixture, "notes.txt", "the user's\n");

  id = gadget_turn_get_id (fixture->turn);
  slow->folder = test_dir_new ();
  slow->effects = gadget_effects_new (fixture->service, id, id, slow->folder);
  undo_gate_arm (&slow->gate);
  _gadget_workspace_snapshot_set_scanned_func (undo_gate_pass, &slow->gate);
  gadget_effects_begin_async (slow->effects, "c0", GADGET_EFFECT_COMMAND, "true", NULL, NULL,
                              test_result_cb, &slow->slot);
  g_assert_true (test_wait_until (undo_gate_waits, &slow->gate, 20000));
}

static void
slow_end (Fixture *fixture, Slow *slow)
{
  g_autoptr (GAsyncResult) result = test_take_result (&slow->slot);
  const gint64 command = gadget_effects_begin_finish (slow->effects, result, NULL);

  g_assert_cmpint (command, >, 0);
  gadget_effects_end (slow->effects, command, "exit 0");
  undo_wait_recorded (fixture);
  _gadget_workspace_snapshot_set_scanned_func (NULL, NULL);
  g_clear_object (&slow->effects);
  test_dir_free (slow->folder);
}

/* The command starts before its first snapshot does, and is stopped then: what the user changed
 * before it is not the command's. */
static void
test_stopped_before_snapshot (Fixture *fixture, gconstpointer data)
{
  Slow slow = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetUndoList) list = NULL;
  GAsyncResult *slot = NULL;
  gint64 command;

  slow_begin (fixture, &slow);
  gadget_effects_begin_async (fixture->effects, "c1", GADGET_EFFECT_COMMAND, "make", NULL,
                              cancellable, test_result_cb, &slot);
  result = test_take_result (&slot);
  command = gadget_effects_begin_finish (fixture->effects, result, NULL);
  g_assert_cmpint (command, >, 0);
  g_cancellable_cancel (cancellable);
  undo_gate_open (&slow.gate);
  undo_run_bare (fixture, "echo 1 > made");
  gadget_effects_end (fixture->effects, command, "aborted");
  slow_end (fixture, &slow);

  list = undo_list_recorded (fixture);
  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_DONE);
  g_assert_nonnull (undo_find (list, "made"));
  g_assert_null (undo_find (list, "notes.txt"));
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "made", NULL);
  undo_assert_text (fixture, "notes.txt", "the user's\n");
}

static void
do_nothing (GadgetSnapshotWorker *worker, gpointer data)
{
}

/* The first snapshot fails after the command has started: nothing tells what the user changed
 * before the command from what the command did. */
static void
test_failed_snapshot (Fixture *fixture, gconstpointer data)
{
  Slow slow = { 0 };
  g_autofree char *away = g_strconcat (fixture->workspace, "-away", NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetUndoList) list = NULL;
  GAsyncResult *slot = NULL;
  gint64 command;

  slow_begin (fixture, &slow);
  command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  g_assert_no_errno (rename (fixture->workspace, away));
  _gadget_snapshot_service_run_async (fixture->service, do_nothing, NULL, NULL, test_result_cb,
                                      &slot);
  undo_gate_open (&slow.gate);
  result = test_take_result (&slot);
  g_assert_no_errno (rename (away, fixture->workspace));
  undo_run_bare (fixture, "echo 1 > made");
  gadget_effects_end (fixture->effects, command, "exit 0");
  slow_end (fixture, &slow);

  list = undo_list_recorded (fixture);
  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_LOST);
  g_assert_null (undo_find (list, "notes.txt"));
}

/* FALSE when a command is in the way. */
static gboolean
undo_one (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report =
      undo_apply (fixture, FALSE, name, GADGET_UNDO_REFUSE, &error);

  if (report != NULL)
    return TRUE;
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_BUSY);
  return FALSE;
}

/* The other one's folder is in ours, or ours in its: a command is in the way of what it may touch,
 * and of nothing else. */
static void
test_nested (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inner = undo_path (fixture, "inner");
  g_autofree char *beside = undo_path (fixture, "inner-beside");
  const char *const folders[] = { inner, fixture->workspace, beside };
  Other other = { 0 };

  undo_put (fixture, "outer", "before\n");
  undo_run_bare (fixture, "mkdir inner inner-beside; echo before > inner/file");
  undo_edit (fixture, "outer", "after\n");
  undo_edit (fixture, "inner/file", "after\n");
  undo_wait_recorded (fixture);
  other_begin (fixture, &other);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autoptr (GadgetEffects) nested =
          gadget_effects_new (fixture->service, "other-turn", "other-turn", folders[i]);
      GadgetEffects *effects = fixture->effects;
      gint64 command;

      fixture->effects = nested;
      command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
      fixture->effects = effects;
      g_assert_cmpint (undo_one (fixture, "inner/file"), ==, i == 2);
      g_assert_cmpint (undo_one (fixture, "outer"), ==, i != 1);
      gadget_effects_end (nested, command, "exit 0");
      swap (fixture, &other);
      undo_wait_recorded (fixture);
      swap (fixture, &other);
      undo_apply_all (fixture, TRUE);
      undo_assert_text (fixture, "outer", "after\n");
    }
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "outer", "before\n");
  undo_assert_text (fixture, "inner/file", "before\n");
  other_end (&other);
}

static gboolean
forget (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (sqlite3_exec (db, "DELETE FROM session WHERE id = 'other'", NULL, NULL, NULL),
                   ==, SQLITE_OK);
  return TRUE;
}

/* The other chat was deleted: what it did is still not ours. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  gint64 command;

  undo_put (fixture, "theirs", "before\n");
  undo_put (fixture, "both", "before\n");
  other_begin (fixture, &other);
  command = undo_begin (fixture, GADGET_EFFECT_COMMAND, "make");
  undo_run_bare (fixture, "echo ours >> both");
  swap (fixture, &other);
  undo_edit (fixture, "theirs", "theirs\n");
  undo_edit (fixture, "both", "before\nours\ntheirs\n");
  undo_wait_recorded (fixture);
  swap (fixture, &other);
  gadget_effects_end (fixture->effects, command, "exit 0");
  assert_recorded (fixture, &other);
  other_end (&other);
  test_store_run (fixture->store, forget, NULL);

  assert_not_listed (fixture, "theirs");
  assert_listed (fixture, "both", TRUE);
}

#define ADD(path, function) undo_test_add ("-shared/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("edit", test_edit);
  ADD ("edit-and-command", test_edit_and_command);
  ADD ("one-after-the-other", test_one_after_the_other);
  ADD ("commands", test_commands);
  ADD ("commands/changed-since", test_commands_changed_since);
  ADD ("commands/stopped", test_commands_stopped);
  ADD ("stopped-before-snapshot", test_stopped_before_snapshot);
  ADD ("failed-snapshot", test_failed_snapshot);
  ADD ("nested", test_nested);
  ADD ("deleted", test_deleted);

  return g_test_run ();
}
