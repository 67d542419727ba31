/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is kept of files: before it is needed, no longer than a command may wait for it, within its
 * limits, and not longer than anybody refers to it. */

#include "config.h"

#include "effects/gadget-snapshot-service-private.h"
#include "test-process.h"
#include "tools/shell/gadget-tool-shell.h"
#include "undo-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLD_SECONDS (30 * 24 * 3600)

/* The contents that are kept; with OLD they are made as old as that. */
static guint
count_kept (UndoFixture *fixture, gint64 old)
{
  g_autofree char *blobs = g_build_filename (fixture->directory, "blobs", NULL);
  g_autoptr (GDir) folders = g_dir_open (blobs, 0, NULL);
  const char *folder;
  guint n = 0;

  while (folders != NULL && (folder = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *inner = g_build_filename (blobs, folder, NULL);
      g_autoptr (GDir) names = g_dir_open (inner, 0, NULL);
      const char *name;

      while (names != NULL && (name = g_dir_read_name (names)) != NULL)
        {
          g_autofree char *path = g_build_filename (inner, name, NULL);
          const time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC - old);
          const struct timespec times[2] = { { .tv_sec = then }, { .tv_sec = then } };

          n++;
          if (old > 0)
            g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
        }
    }
  return n;
}

/* --- The wait ----------------------------------------------------------------------------------
 */

typedef struct
{
  GMutex lock;
  GCond changed;
  gboolean free;
} Gate;

/* As a look at a folder that takes long. */
static void
hold (GadgetSnapshotWorker *keeping, gpointer data)
{
  Gate *gate = data;

  g_mutex_lock (&gate->lock);
  while (!gate->free)
    g_cond_wait (&gate->changed, &gate->lock);
  g_mutex_unlock (&gate->lock);
}

static void
open_gate (Gate *gate)
{
  g_mutex_lock (&gate->lock);
  gate->free = TRUE;
  g_cond_signal (&gate->changed);
  g_mutex_unlock (&gate->lock);
}

static GadgetItem *
run_shell (UndoFixture *fixture, const char *command)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  GadgetItem *item = gadget_item_new_tool_call ("c1", "shell");
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autoptr (GadgetToolResult) answer = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  GadgetToolContext context = {
    .workspace = fixture->workspace,
    .item = item,
    .effects = fixture->effects,
  };

  json_object_set_string_member (arguments, "command", command);
  gadget_tool_execute_async (shell, arguments, &context, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  answer = gadget_tool_execute_finish (shell, result, &error);
  g_assert_no_error (error);
  /* For people; the model cannot undo. */
  g_assert_null (strstr (answer->text, "undone"));
  return item;
}

/* A command waits for a moment and then runs; its card says what that may mean. */
static void
test_bound (UndoFixture *fixture, gconstpointer data)
{
  Gate gate = { 0 };
  g_autoptr (GadgetItem) item = NULL;
  g_autoptr (GadgetItem) next = NULL;
  g_autoptr (GadgetUndoList) found = NULL;
  gint64 begun;
  gint64 took;

  undo_put (fixture, "a", "before\n");
  _gadget_snapshot_service_run_async (fixture->service, hold, &gate, NULL, NULL, NULL);
  begun = g_get_monotonic_time ();
  item = run_shell (fixture, "printf output; echo turn > a");
  took = g_get_monotonic_time () - begun;
  g_test_message ("took %.2f s", (double) took / G_USEC_PER_SEC);
  g_assert_cmpint (took, >=, 750 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (took, <, 10 * G_TIME_SPAN_SECOND);
  g_assert_cmpstr (gadget_item_get_text (item), ==,
                   "[Gadget had not finished looking at the folder when this started: "
                   "perhaps not all that it changes can be undone.]\noutput");
  open_gate (&gate);
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, >=, GADGET_RECORDING_PARTLY);

  next = run_shell (fixture, "printf output");
  g_assert_cmpstr (gadget_item_get_text (next), ==, "output");
  undo_wait_recorded (fixture);
}

static void
assert_state (const GadgetUndoList *list, const char *name, GadgetUndoState state)
{
  const GadgetUndoEntry *entry = undo_find (list, name);

  g_assert_nonnull (entry);
  g_assert_cmpint (entry->state, ==, state);
}

static void
overwrite (UndoFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report =
      undo_apply (fixture, FALSE, NULL, GADGET_UNDO_OVERWRITE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 0);
}

/* A look that was not over when the command began still tells all that it changed, from the look
 * before that, of this process or an earlier one. The user may have changed what was there since
 * that one, so undoing asks. */
static void
test_late (UndoFixture *fixture, gconstpointer data)
{
  static const char change[] = "echo turn > a; rm b; rm -r deep; mkdir new; echo turn > new/x; "
                               "mv c d; ln -sf a link; chmod 700 folder; echo turn > folder/new; "
                               "rmdir empty; echo turn > empty";
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  undo_run_bare (fixture,
                 "for i in a b c users; do echo before > $i; done; mkdir -p deep/er folder empty; "
                 "echo before > deep/er/file; echo before > folder/kept; ln -s b link");
  for (guint i = 0; i < 2; i++)
    {
      Gate gate = { 0 };
      g_autoptr (GadgetItem) item = NULL;
      g_autoptr (GadgetUndoList) found = NULL;

      undo_run (fixture, "true");
      undo_wait_recorded (fixture);
      /* In a later tick of the clock of files; the user has changed something since the look. */
      g_usleep (50000);
      undo_run_bare (fixture, "echo more >> users");
      g_usleep (50000);
      if (i == 0)
        undo_new_turn (fixture);
      else
        undo_new_snapshot_service (fixture);
      g_clear_pointer (&before, g_free);
      before = undo_dump (fixture->workspace);
      _gadget_snapshot_service_run_async (fixture->service, hold, &gate, NULL, NULL, NULL);
      item = run_shell (fixture, change);
      open_gate (&gate);
      found = undo_list_recorded (fixture);
      g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
      assert_state (found, "a", GADGET_UNDO_STATE_CHANGED);
      assert_state (found, "b", GADGET_UNDO_STATE_DONE);
      overwrite (fixture);
      g_clear_pointer (&after, g_free);
      after = undo_dump (fixture->workspace);
      undo_assert_same (after, before);
    }
}

/* What the user has written since the last look, and the command went on with, is left alone unless
 * the user says otherwise; what the command made is taken away without a question. */
static void
test_late_edit (UndoFixture *fixture, gconstpointer data)
{
  Gate gate = { 0 };
  g_autoptr (GadgetItem) item = NULL;
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  g_usleep (50000);
  undo_run_bare (fixture, "echo user >> a; echo user > users");
  g_usleep (50000);
  undo_new_turn (fixture);
  _gadget_snapshot_service_run_async (fixture->service, hold, &gate, NULL, NULL, NULL);
  item = run_shell (fixture, "echo turn | tee -a a users > new");
  open_gate (&gate);
  found = undo_list_recorded (fixture);
  assert_state (found, "a", GADGET_UNDO_STATE_CHANGED);
  assert_state (found, "users", GADGET_UNDO_STATE_CHANGED);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  g_assert_null (report);
  g_clear_error (&error);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_SKIP, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->n_skipped, ==, 2);
  undo_assert_text (fixture, "a", "before\nuser\nturn\n");
  undo_assert_text (fixture, "users", "user\nturn\n");
  undo_assert_text (fixture, "new", NULL);
}

/* --- Ahead -------------------------------------------------------------------------------------
 */

static gboolean
is_kept (gpointer fixture)
{
  return count_kept (fixture, 0) >= 31;
}

static void
test_ahead (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_strconcat (fixture->workspace, "-link", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  /* More than is done at once. */
  undo_run_bare (fixture, "for i in {1..30}; do head -c 3000000 /dev/zero > f$i; echo $i >> f$i; "
                          "done; echo before > a");
  before = undo_dump (fixture->workspace);
  g_assert_cmpint (g_mkdir (link, 0700) == 0 ? g_rmdir (link) : -1, ==, 0);
  g_assert_cmpint (symlink (fixture->workspace, link), ==, 0);
  gadget_snapshot_service_prepare (fixture->service, link);
  gadget_snapshot_service_prepare (fixture->service, fixture->workspace);
  g_assert_true (test_wait_until (is_kept, fixture, 60000));
  undo_run (fixture, "rm f*; echo turn > a");
  g_assert_cmpuint (count_kept (fixture, 0), >=, 31);
  found = undo_list_recorded (fixture);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_DONE);
  undo_apply_all (fixture, FALSE);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
  g_unlink (link);
}

static gboolean
has_begun (gpointer fixture)
{
  return count_kept (fixture, 0) >= 1;
}

static gboolean
is_all_kept (gpointer data)
{
  UndoFixture *fixture = data;

  return count_kept (fixture, 0) >= 60
         && _gadget_snapshot_service_get_n_unkept (fixture->service, fixture->workspace) == 0;
}

/* Each turn looks again, also while what an earlier look found is still being kept: what the user
 * has written until then is how the file was before the turn. */
static void
test_ahead_again (UndoFixture *fixture, gconstpointer data)
{
  Gate gate = { 0 };
  g_autoptr (GadgetItem) item = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  undo_run_bare (fixture, "for i in {1..60}; do head -c 5000000 /dev/zero > f$i; echo $i >> f$i; "
                          "done; echo before > a");
  gadget_snapshot_service_prepare (fixture->service, fixture->workspace);
  g_assert_true (test_wait_until (has_begun, fixture, 60000));
  undo_put (fixture, "a", "user\n");
  gadget_snapshot_service_prepare (fixture->service, fixture->workspace);
  g_assert_true (test_wait_until (is_all_kept, fixture, 60000));
  _gadget_snapshot_service_run_async (fixture->service, hold, &gate, NULL, NULL, NULL);
  item = run_shell (fixture, "echo turn > a");
  open_gate (&gate);
  found = undo_list_recorded (fixture);
  assert_state (found, "a", GADGET_UNDO_STATE_CHANGED);
  overwrite (fixture);
  undo_assert_text (fixture, "a", "user\n");
}

/* The program ends while it goes on: that waits for a moment only. */
static void
test_ahead_ends (UndoFixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  undo_run_bare (fixture, "for i in {1..60}; do head -c 5000000 /dev/zero > f$i; echo $i >> f$i; "
                          "done");
  gadget_snapshot_service_prepare (fixture->service, fixture->workspace);
  test_run_for (50);
  gadget_snapshot_service_close_async (fixture->service, 1000, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_snapshot_service_close_finish (fixture->service, result);
  g_clear_object (&result);
  undo_new_snapshot_service (fixture);
  g_assert_cmpuint (count_kept (fixture, 0), <, 60);
}

/* --- Limits ------------------------------------------------------------------------------------
 */

/* What there is no room for is named before, and told afterwards. */
static void
test_no_room (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetItem) item = NULL;
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;
  guint n_undoable = 0;

  _gadget_blobs_set_max_total (_gadget_snapshot_service_get_blobs (fixture->service), 1200);
  undo_run_bare (fixture, "for i in {1..5}; do head -c 500 /dev/urandom > f$i; done");
  item = run_shell (fixture, "for i in {1..5}; do echo turn > f$i; done");
  g_assert_cmpstr (gadget_item_get_text (item), ==,
                   "[There is no room left to keep 3 files of the folder: changes of them cannot "
                   "be undone.]\n");
  found = undo_list_recorded (fixture);
  for (guint i = 0; i < found->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (found->entries, i);

      n_undoable += entry->before.type == GADGET_FILE_REGULAR && entry->can_undo;
    }
  g_assert_cmpuint (n_undoable, ==, 2);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->n_done, ==, 2);
  g_assert_cmpuint (report->problems->len, ==, 3);
}

/* What is there already takes no more room, however often it is looked at. */
static void
test_room_of_large (UndoFixture *fixture, gconstpointer data)
{
  GadgetBlobs *blobs = _gadget_snapshot_service_get_blobs (fixture->service);

  _gadget_blobs_set_max_total (blobs, 900000);
  undo_run_bare (fixture,
                 "for i in 1 2 3; do head -c 400000 /dev/zero > f$i; echo $i >> f$i; done");
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/f%u", fixture->workspace, 1 + i % 3);
      g_autofd int fd = open (name, O_RDONLY | O_CLOEXEC);
      GadgetHash hash;
      GadgetKept kept;

      g_assert_true (_gadget_blobs_keep (blobs, fd, 400002, G_MAXUINT64, &hash, &kept, NULL, NULL));
      g_assert_cmpint (kept, ==, i % 3 == 2 ? GADGET_KEPT_NO_ROOM : GADGET_KEPT);
    }
}

/* What could not be recorded is not said to be undone. */
static void
test_lost (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *away = g_strconcat (fixture->workspace, "-away", NULL);
  const gint64 id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "x");
  g_autoptr (GadgetUndoList) found = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_rename (fixture->workspace, away), ==, 0);
  gadget_effects_end (fixture->effects, id, "exit 0");
  found = undo_list_recorded (fixture);
  g_assert_cmpint (g_rename (away, fixture->workspace), ==, 0);
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_LOST);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_null (report);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_LOST);
}

/* --- Sweeping ----------------------------------------------------------------------------------
 */

static void
sweep (UndoFixture *fixture)
{
  gadget_snapshot_service_sweep (fixture->service, TRUE);
  undo_new_snapshot_service (fixture);
}

static void
age_trees (UndoFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "trees", NULL);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC - OLD_SECONDS);
  const struct timespec times[2] = { { .tv_sec = then }, { .tv_sec = then } };
  const char *name;

  while ((name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
    }
}

/* What a turn or a tree refers to stays, however old it is; what is young as well. */
static void
test_sweep (UndoFixture *fixture, gconstpointer data)
{
  guint n;

  undo_put (fixture, "a", "before\n");
  undo_put (fixture, "b", "untouched\n");
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  n = count_kept (fixture, OLD_SECONDS);
  g_assert_cmpuint (n, ==, 3);
  sweep (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, n);

  /* The workspace was not used for long: what it is now is forgotten, but not what the turn
   * changed. */
  age_trees (fixture);
  sweep (fixture);
  g_assert_cmpuint (count_kept (fixture, 0), ==, n - 1);
  fixture->n_turns = 0;
  g_clear_object (&fixture->turn);
  fixture->turn = gadget_turn_new ("turn-0", "Do something");
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "a", "before\n");

  test_store_delete (fixture->store, "session");
  sweep (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), >, 0);
  sweep (fixture);
  g_assert_cmpuint (count_kept (fixture, 0), ==, 0);
}

static gboolean
clear_kept (UndoFixture *fixture, gboolean also_pinned, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_snapshot_service_clear_async (fixture->service, also_pinned, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_snapshot_service_clear_finish (fixture->service, result, error);
}

/* When the user has them removed, only what pinned chats need stays, and what files contain now;
 * undo then changes nothing and says so. */
static void
test_clear (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store, "UPDATE turn SET status = 'finished';"
                                      "UPDATE session SET pinned = 1");
  g_assert_true (clear_kept (fixture, FALSE, &error));
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  g_assert_true (clear_kept (fixture, TRUE, &error));
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 1);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  undo_assert_text (fixture, "a", "turn\n");
}

/* A daily sweep, with the limits of the user. */
static void
sweep_daily (UndoFixture *fixture)
{
  g_autofree char *marker = g_build_filename (fixture->directory, "blobs", "swept", NULL);

  g_unlink (marker);
  gadget_snapshot_service_sweep (fixture->service, FALSE);
  undo_new_snapshot_service (fixture);
}

/* What is older than the days that the user has set goes once a day, and not when a chat was
 * deleted. What files contain now stays. */
static void
test_days (UndoFixture *fixture, gconstpointer data)
{
  undo_put (fixture, "a", "before\n");
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  sweep_daily (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store, "UPDATE effect SET ended_at = ended_at - 100 * 86400000");
  sweep (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store, "INSERT INTO setting (key, value) VALUES ('undo-days', '0')");
  sweep_daily (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store, "UPDATE setting SET value = '99' WHERE key = 'undo-days'");
  sweep_daily (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 1);
}

/* Of more than the user lets them take the oldest go. */
static void
test_megabytes (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (600000, 'x');

  undo_put (fixture, "a", large);
  undo_run (fixture, "echo turn > a");
  undo_wait_recorded (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store,
                      "INSERT INTO setting (key, value) VALUES ('undo-megabytes', '1')");
  sweep_daily (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 2);
  test_store_run_sql (fixture->store,
                      "UPDATE setting SET value = '0' WHERE key = 'undo-megabytes'");
  sweep_daily (fixture);
  g_assert_cmpuint (count_kept (fixture, OLD_SECONDS), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("-keeping/bound", test_bound);
  undo_test_add ("-keeping/ahead-again", test_ahead_again);
  undo_test_add ("-keeping/ahead", test_ahead);
  undo_test_add ("-keeping/ahead-ends", test_ahead_ends);
  undo_test_add ("-keeping/no-room", test_no_room);
  undo_test_add ("-keeping/late", test_late);
  undo_test_add ("-keeping/late-edit", test_late_edit);
  undo_test_add ("-keeping/lost", test_lost);
  undo_test_add ("-keeping/room-of-large", test_room_of_large);
  undo_test_add ("-keeping/clear", test_clear);
  undo_test_add ("-keeping/days", test_days);
  undo_test_add ("-keeping/megabytes", test_megabytes);
  undo_test_add ("-keeping/sweep", test_sweep);

  return g_test_run ();
}
