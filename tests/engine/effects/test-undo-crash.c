/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Processes that are really killed: in the middle of a command, before it, and in the middle of
 * undoing. */

#include "config.h"

#include "undo-fixture.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define N_KILLS 20
#define LARGE (8 * 1000 * 1000)

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Another process runs the workspace's script, as the turn "crashed". */
static GSubprocess *
start_command (UndoFixture *fixture)
{
  g_autofree char *started = undo_path (fixture, "started");
  GSubprocess *worker;

  worker = test_worker_start ("command", fixture->directory, "crashed", fixture->workspace);
  g_assert_true (test_wait_until (exists, started, 30000));
  return worker;
}

static void
kill_worker (GSubprocess *worker)
{
  g_subprocess_force_exit (worker);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
}

static GadgetUndoReport *
apply_crashed (UndoFixture *fixture, gboolean redo, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_undo_apply_async (fixture->service, "crashed", redo, NULL, GADGET_UNDO_REFUSE, NULL,
                           test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_undo_apply_finish (result, error);
}

static void
undo_crashed (UndoFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = apply_crashed (fixture, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_skipped, ==, 0);
}

static guint
count_marks (UndoFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "running", NULL);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (names != NULL && g_dir_read_name (names) != NULL)
    n++;
  return n;
}

#define SCRIPT                                                                                     \
  "echo turn > a; rm -r folder; mkdir new; echo turn > new/c; chmod 600 kept; touch started; "     \
  "sleep 600"

static char *
fill (UndoFixture *fixture)
{
  undo_run_bare (fixture, "mkdir folder; echo 1 > folder/b; echo 2 > a; echo 3 > kept");
  undo_put (fixture, "command", SCRIPT);
  return undo_dump (fixture->workspace);
}

/* What the command has done by then is undone at the next start; the user is told that it may not
 * be all. */
static void
test_command (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = fill (fixture);
  g_autofree char *after = NULL;
  g_autoptr (GSubprocess) worker = start_command (fixture);
  g_autoptr (GadgetUndoList) alive = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  alive = undo_list (fixture, "crashed");
  g_assert_cmpint (alive->recording, ==, GADGET_RECORDING_PENDING);
  g_assert_cmpuint (count_marks (fixture), ==, 1);
  kill_worker (worker);
  found = undo_list (fixture, "crashed");
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_cmpuint (count_marks (fixture), ==, 0);
  g_assert_true (undo_find (found, "folder/b")->can_undo);
  undo_crashed (fixture);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* Two commands of two turns were killed: what they did while both ran is undone with either. */
static void
test_commands (UndoFixture *fixture, gconstpointer data)
{
  static const char *const turns[] = { "crashed", "crashed-too" };
  g_autofree char *started = undo_path (fixture, "started-too");
  g_autoptr (GSubprocess) first = NULL;
  g_autoptr (GSubprocess) second = NULL;

  undo_put (fixture, "a", "before\n");
  undo_put (fixture, "command",
            "touch started; while [ ! -e started-too ]; do sleep 0.01; done; "
            "echo turn > a; touch done; sleep 600");
  first = start_command (fixture);
  undo_put (fixture, "command", "touch started-too; sleep 600");
  second = test_worker_start ("command", fixture->directory, "crashed-too", fixture->workspace);
  g_clear_pointer (&started, g_free);
  started = undo_path (fixture, "done");
  g_assert_true (test_wait_until (exists, started, 30000));
  kill_worker (first);
  kill_worker (second);
  for (guint i = 0; i < G_N_ELEMENTS (turns); i++)
    {
      g_autoptr (GadgetUndoList) found = undo_list (fixture, turns[i]);

      g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
      g_assert_nonnull (undo_find (found, "a"));
      g_assert_true (undo_find (found, "a")->can_undo);
    }
  g_assert_cmpuint (count_marks (fixture), ==, 0);
  undo_crashed (fixture);
  undo_assert_text (fixture, "a", "before\n");
}

/* The next command in the folder does not take it for its own, nor for nobody's. */
static void
test_next_command (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = fill (fixture);
  g_autofree char *after = NULL;
  g_autoptr (GSubprocess) worker = start_command (fixture);
  g_autoptr (GadgetUndoList) crashed = NULL;
  g_autoptr (GadgetUndoList) own = NULL;

  kill_worker (worker);
  undo_run (fixture, "echo next > d");
  own = undo_list_recorded (fixture);
  g_assert_cmpint (own->recording, ==, GADGET_RECORDING_DONE);
  g_assert_nonnull (undo_find (own, "d"));
  g_assert_null (undo_find (own, "a"));
  crashed = undo_list (fixture, "crashed");
  g_assert_cmpint (crashed->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_nonnull (undo_find (crashed, "a"));
  g_assert_null (undo_find (crashed, "d"));
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "a", "turn\n");
  undo_crashed (fixture);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* Nor does what is kept ahead of one. */
static void
test_prepared (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *before = fill (fixture);
  g_autofree char *after = NULL;
  g_autoptr (GSubprocess) worker = start_command (fixture);
  g_autoptr (GadgetUndoList) found = NULL;

  kill_worker (worker);
  gadget_snapshot_service_prepare (fixture->service, fixture->workspace);
  test_run_for (300);
  undo_new_snapshot_service (fixture);
  found = undo_list (fixture, "crashed");
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
  undo_crashed (fixture);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* What this process knew of the folder is older than what the other one saw before its command:
 * what the user did in between is not the command's. */
static void
test_older_look (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *filled = fill (fixture);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  undo_put (fixture, "mine", "by the user\n");
  before = undo_dump (fixture->workspace);
  worker = start_command (fixture);
  kill_worker (worker);
  found = undo_list (fixture, "crashed");
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_null (undo_find (found, "mine"));
  undo_crashed (fixture);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* Nobody had looked: then nothing is known, and that is said. */
static void
test_before_the_look (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetUndoList) found = NULL;

  /* That there is a tree of an earlier look changes nothing. */
  undo_put (fixture, "a", "1\n");
  undo_run (fixture, "true");
  undo_wait_recorded (fixture);
  undo_put (fixture, "a", "by the user\n");
  worker = test_worker_start ("command-row", fixture->directory, "crashed", fixture->workspace);
  g_subprocess_wait (worker, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (worker));
  found = undo_list (fixture, "crashed");
  g_assert_cmpint (found->recording, ==, GADGET_RECORDING_LOST);
  g_assert_cmpuint (found->entries->len, ==, 0);
}

/* As long as another process runs a command in the folder, nothing is undone there. */
static void
test_busy (UndoFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  undo_put (fixture, "own", "before\n");
  undo_run (fixture, "echo turn > own");
  undo_wait_recorded (fixture);
  undo_put (fixture, "command", "touch started; sleep 600");
  worker = start_command (fixture);
  report = undo_apply (fixture, FALSE, NULL, GADGET_UNDO_REFUSE, &error);
  g_assert_null (report);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_BUSY);
  undo_assert_text (fixture, "own", "turn\n");
  kill_worker (worker);
  undo_apply_all (fixture, FALSE);
  undo_assert_text (fixture, "own", "before\n");
}

/* Nor in a folder that holds that one. */
static void
test_busy_within (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *inner = undo_path (fixture, "inner");
  g_autofree char *started = undo_path (fixture, "inner/started");
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetUndoReport) refused = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  undo_edit (fixture, "inner/own", "turn\n");
  undo_edit (fixture, "outer", "turn\n");
  undo_wait_recorded (fixture);
  worker = test_worker_start ("command", fixture->directory, "crashed", inner);
  g_assert_true (test_wait_until (exists, started, 30000));
  refused = undo_apply (fixture, FALSE, "inner/own", GADGET_UNDO_REFUSE, &error);
  g_assert_null (refused);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_BUSY);
  g_clear_error (&error);
  report = undo_apply (fixture, FALSE, "outer", GADGET_UNDO_REFUSE, &error);
  g_assert_no_error (error);
  undo_assert_text (fixture, "outer", NULL);
  undo_assert_text (fixture, "inner/own", "turn\n");
  kill_worker (worker);
}

/* --- Killed while undoing ----------------------------------------------------------------------
 */

static char *
make_content (char c)
{
  char *text = g_malloc (LARGE + 1);

  memset (text, c, LARGE);
  text[LARGE] = '\0';
  return text;
}

static GSubprocess *
start_undo (UndoFixture *fixture, gboolean redo)
{
  return test_worker_start ("undo", fixture->directory, gadget_turn_get_id (fixture->turn),
                            redo ? "redo" : "undo");
}

static void
read_words (GSubprocess *worker, const char *words)
{
  char buffer[16] = "";
  gsize n = strlen (words);

  g_assert_true (
      g_input_stream_read_all (g_subprocess_get_stdout_pipe (worker), buffer, n, NULL, NULL, NULL));
  g_assert_cmpstr (buffer, ==, words);
}

static void
finish_undo (UndoFixture *fixture, gboolean redo)
{
  g_autoptr (GSubprocess) worker = start_undo (fixture, redo);

  read_words (worker, "ready\ndone\n");
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
}

/* Without the folder's own time: a kill just before that is set leaves it as any writing does, and
 * the next attempt cannot tell that from the user's doing. */
static char *
dump_files (UndoFixture *fixture)
{
  const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

  g_assert_cmpint (utimensat (AT_FDCWD, fixture->workspace, times, 0), ==, 0);
  return undo_dump (fixture->workspace);
}

/* Each of the files is whole, the one or the other; and the rest is done by the next attempt. */
static void
test_undo_killed (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *old_text = make_content ('o');
  g_autofree char *new_text = make_content ('n');
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gint64 duration;
  guint n_done = 0;

  undo_put (fixture, "a", old_text);
  undo_put (fixture, "b", "old\n");
  before = dump_files (fixture);
  undo_edit (fixture, "a", new_text);
  undo_edit (fixture, "b", "new\n");
  undo_wait_recorded (fixture);
  after = dump_files (fixture);
  duration = g_get_monotonic_time ();
  finish_undo (fixture, FALSE);
  duration = g_get_monotonic_time () - duration;

  for (guint i = 0; i < N_KILLS; i++)
    {
      const gboolean redo = i % 2 == 0;
      g_autoptr (GSubprocess) worker = start_undo (fixture, redo);
      g_autofree char *path = undo_path (fixture, "a");
      g_autofree char *text = NULL;
      g_autofree char *now = NULL;

      read_words (worker, "ready\n");
      g_usleep ((gulong) (g_test_rand_double () * (double) duration));
      kill_worker (worker);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (strcmp (text, old_text) == 0 || strcmp (text, new_text) == 0);
      n_done += *text == (redo ? 'n' : 'o');
      finish_undo (fixture, redo);
      now = dump_files (fixture);
      undo_assert_same (now, redo ? after : before);
    }
  g_test_message ("%u of %u were done before the kill", n_done, N_KILLS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  undo_test_add ("-crash/command", test_command);
  undo_test_add ("-crash/commands", test_commands);
  undo_test_add ("-crash/next-command", test_next_command);
  undo_test_add ("-crash/prepared", test_prepared);
  undo_test_add ("-crash/older-look", test_older_look);
  undo_test_add ("-crash/before-the-look", test_before_the_look);
  undo_test_add ("-crash/busy", test_busy);
  undo_test_add ("-crash/busy-within", test_busy_within);
  undo_test_add ("-crash/undo", test_undo_killed);

  return g_test_run ();
}
