/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A process that edits a file, by the real tools in a real turn, is killed at each point of that:
 * what was done is found by the next process, and can be undone; what was not done is not taken for
 * done. */

#include "config.h"

#include "undo-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define N_KILLS 25

/* What is done to the file NAME, which is "old" where it is there. */
typedef struct
{
  const char *name;
  const char *tool;
  const char *file;
  const char *arguments;
} Edit;

static const Edit edits[] = {
  { "edit", "edit_file", "a.txt",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"old\",\"new_text\":\"new\"}]}" },
  { "write", "write_file", "deep/er/b.txt", "{\"path\":\"deep/er/b.txt\",\"content\":\"new\\n\"}" },
};

typedef struct
{
  const char *point;
  const Edit *edit;
} Case;

static char *
read_file (UndoFixture *fixture, const char *name)
{
  g_autofree char *path = undo_path (fixture, name);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static GSubprocess *
start (UndoFixture *fixture, const char *point, const Edit *edit)
{
  g_autofree char *program =
      g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "support", "ledger-worker", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *worker =
      g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, program, fixture->directory,
                        fixture->workspace, point, edit->tool, edit->arguments, NULL);

  g_assert_no_error (error);
  return worker;
}

static gboolean
find_id (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT id FROM turn WHERE prompt = 'go'"
                                       " ORDER BY number DESC LIMIT 1",
                                       -1, &stmt, NULL),
                   ==, SQLITE_OK);
  if (sqlite3_step (stmt) == SQLITE_ROW)
    *(char **) data = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
  return TRUE;
}

/* The turn of the process, the last one if there were several; NULL where it had not come to it. */
static char *
find_turn (UndoFixture *fixture)
{
  char *id = NULL;

  test_store_run (fixture->store, find_id, &id);
  return id;
}

static GadgetUndoReport *
apply (UndoFixture *fixture, const char *turn_id, gboolean redo, GadgetUndoPolicy policy,
       GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_undo_apply_async (fixture->service, turn_id, redo, NULL, policy, NULL, test_result_cb,
                           &slot);
  result = test_take_result (&slot);
  return gadget_undo_apply_finish (result, error);
}

static void
apply_whole (UndoFixture *fixture, const char *turn_id, gboolean redo)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = apply (fixture, turn_id, redo, GADGET_UNDO_REFUSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_skipped, ==, 0);
}

/* Returns the turn. */
static char *
edit_and_die (UndoFixture *fixture, const Case *row)
{
  g_autoptr (GSubprocess) worker = start (fixture, row->point, row->edit);
  char *turn_id;

  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (worker));
  turn_id = find_turn (fixture);
  g_assert_nonnull (turn_id);
  return turn_id;
}

/* Nothing was done: nothing is to be undone. Where it had not come to the bytes, that is not known.
 */
static void
test_not_done (UndoFixture *fixture, gconstpointer data)
{
  const Case *row = data;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *turn_id = NULL;
  g_autoptr (GadgetUndoList) list = NULL;

  undo_put (fixture, "a.txt", "old\n");
  before = undo_dump (fixture->workspace);
  turn_id = edit_and_die (fixture, row);
  list = undo_list (fixture, turn_id);
  g_assert_cmpuint (list->entries->len, ==, 0);
  g_assert_cmpint (list->recording, ==,
                   g_str_equal (row->point, "begun") ? GADGET_RECORDING_DONE
                                                     : GADGET_RECORDING_LOST);
  after = undo_dump (fixture->workspace);
  undo_assert_same (after, before);
}

/* It was done: it is undone, and done again, as if nothing had happened. */
static void
test_done (UndoFixture *fixture, gconstpointer data)
{
  const Case *row = data;
  g_autofree char *path = undo_path (fixture, "a.txt");
  g_autofree char *before = NULL;
  g_autofree char *done = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *redone = NULL;
  g_autofree char *text = NULL;
  g_autofree char *turn_id = NULL;
  g_autoptr (GadgetUndoList) list = NULL;

  undo_put (fixture, "a.txt", "old\n");
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  before = undo_dump (fixture->workspace);
  turn_id = edit_and_die (fixture, row);
  text = read_file (fixture, row->edit->file);
  g_assert_cmpstr (text, ==, "new\n");
  done = undo_dump (fixture->workspace);
  list = undo_list (fixture, turn_id);
  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_nonnull (undo_find (list, row->edit->file));
  g_assert_true (undo_find (list, row->edit->file)->can_undo);
  g_assert_cmpint (undo_find (list, row->edit->file)->state, ==, GADGET_UNDO_STATE_DONE);
  apply_whole (fixture, turn_id, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  apply_whole (fixture, turn_id, TRUE);
  redone = undo_dump (fixture->workspace);
  undo_assert_same (redone, done);
}

/* The folder is not there, and it is not known what became of the file in it. When it is back, the
 * user is asked, and the old bytes are there. */
static void
assert_found_again (UndoFixture *fixture, const char *turn_id, const char *away)
{
  g_autoptr (GadgetUndoList) list = undo_list (fixture, turn_id);
  g_autoptr (GadgetUndoList) again = NULL;
  g_autoptr (GadgetUndoReport) refused = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_PARTLY);
  g_assert_true (undo_find (list, "a.txt")->can_undo);
  g_assert_cmpstr (list->missing, ==, fixture->workspace);
  refused = apply (fixture, turn_id, FALSE, GADGET_UNDO_OVERWRITE, &error);
  g_assert_null (refused);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_MISSING);
  g_clear_error (&error);
  g_assert_cmpint (g_rename (away, fixture->workspace), ==, 0);
  again = undo_list (fixture, turn_id);
  g_assert_null (again->missing);
  g_assert_cmpint (undo_find (again, "a.txt")->state, ==, GADGET_UNDO_STATE_CHANGED);
  refused = apply (fixture, turn_id, FALSE, GADGET_UNDO_REFUSE, &error);
  g_assert_null (refused);
  g_assert_error (error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED);
  g_clear_error (&error);
  undo_assert_text (fixture, "a.txt", "new\n");
  report = apply (fixture, turn_id, FALSE, GADGET_UNDO_OVERWRITE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 0);
  undo_assert_text (fixture, "a.txt", "old\n");
}

/* It goes before the next process looks. */
static void
test_away (UndoFixture *fixture, gconstpointer data)
{
  const Case row = { "ending", &edits[0] };
  g_autofree char *away = g_strconcat (fixture->workspace, "-away", NULL);
  g_autofree char *turn_id = NULL;

  undo_put (fixture, "a.txt", "old\n");
  turn_id = edit_and_die (fixture, &row);
  g_assert_cmpint (g_rename (fixture->workspace, away), ==, 0);
  assert_found_again (fixture, turn_id, away);
}

/* Nobody dies: it goes between the edit and the look at what that had done. */
static void
test_away_at_once (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *away = g_strconcat (fixture->workspace, "-away", NULL);
  g_autofree char *path = undo_path (fixture, "a.txt");
  g_autoptr (GadgetUndoList) recorded = NULL;
  gint64 effect;

  undo_put (fixture, "a.txt", "old\n");
  undo_new_turn (fixture);
  effect = undo_begin (fixture, GADGET_EFFECT_CHANGE, path);
  undo_put (fixture, "a.txt", "new\n");
  g_assert_cmpint (g_rename (fixture->workspace, away), ==, 0);
  gadget_effects_end (fixture->effects, effect, "changed");
  recorded = undo_list_recorded (fixture);
  assert_found_again (fixture, gadget_turn_get_id (fixture->turn), away);
}

/* A stop takes back what was noted, and is not followed by the edit. */
static void
test_stopped (UndoFixture *fixture, gconstpointer data)
{
  g_autofree char *path = undo_path (fixture, "a.txt");
  g_autoptr (GadgetUndoList) list = NULL;

  undo_put (fixture, "a.txt", "old\n");
  for (guint i = 0; i < 200; i++)
    {
      GAsyncResult *slot = NULL;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GCancellable) stop = g_cancellable_new ();
      gint64 id;

      gadget_effects_begin_async (fixture->effects, "c1", GADGET_EFFECT_CHANGE, path, NULL, stop,
                                  test_result_cb, &slot);
      for (guint j = 0; j < i; j++)
        g_main_context_iteration (NULL, FALSE);
      g_cancellable_cancel (stop);
      result = test_take_result (&slot);
      id = gadget_effects_begin_finish (fixture->effects, result, NULL);
      if (id > 0)
        gadget_effects_end (fixture->effects, id, "aborted");
    }
  list = undo_list_recorded (fixture);
  g_assert_cmpint (list->recording, <=, GADGET_RECORDING_DONE);
  g_assert_cmpuint (list->entries->len, ==, 0);
}

static void
check_killed (UndoFixture *fixture, guint *n_done)
{
  g_autofree char *text = read_file (fixture, "a.txt");
  g_autofree char *turn_id = find_turn (fixture);
  g_autoptr (GadgetUndoList) list = NULL;

  g_assert_true (strcmp (text, "old\n") == 0 || strcmp (text, "new\n") == 0);
  if (*text == 'n')
    {
      (*n_done)++;
      g_assert_nonnull (turn_id);
      list = undo_list (fixture, turn_id);
      g_assert_cmpint (list->recording, !=, GADGET_RECORDING_LOST);
      g_assert_cmpint (undo_find (list, "a.txt")->state, ==, GADGET_UNDO_STATE_DONE);
      apply_whole (fixture, turn_id, FALSE);
    }
  undo_assert_text (fixture, "a.txt", "old\n");
}

/* At any moment at all. */
static void
test_random (UndoFixture *fixture, gconstpointer data)
{
  gint64 duration;
  guint n_done = 0;

  undo_put (fixture, "a.txt", "old\n");
  duration = g_get_monotonic_time ();
  {
    g_autoptr (GSubprocess) worker = start (fixture, "never", &edits[0]);

    g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  }
  duration = g_get_monotonic_time () - duration;
  check_killed (fixture, &n_done);
  g_assert_cmpuint (n_done, ==, 1);
  for (guint i = 0; i < N_KILLS; i++)
    {
      g_autoptr (GSubprocess) worker = start (fixture, "never", &edits[0]);

      /* Its first half is the start of the program. */
      g_usleep ((gulong) ((0.4 + 0.6 * g_test_rand_double ()) * (double) duration));
      g_subprocess_force_exit (worker);
      g_assert_true (g_subprocess_wait (worker, NULL, NULL));
      check_killed (fixture, &n_done);
    }
  g_test_message ("%u of %u were done before the kill", n_done - 1, N_KILLS);
}

static void
add (const char *point, const Edit *edit, void (*function) (UndoFixture *, gconstpointer))
{
  static Case cases[8];
  static guint n_cases;
  g_autofree char *path = g_strdup_printf ("/engine/undo-crash-edit/%s/%s", edit->name, point);

  g_assert_cmpuint (n_cases, <, G_N_ELEMENTS (cases));
  cases[n_cases] = (Case) { point, edit };
  g_test_add (path, UndoFixture, &cases[n_cases], undo_set_up, function, undo_tear_down);
  n_cases++;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      add ("noting", &edits[i], test_not_done);
      add ("begun", &edits[i], test_not_done);
      add ("ending", &edits[i], test_done);
      add ("recording", &edits[i], test_done);
    }
  undo_test_add ("-crash-edit/away", test_away);
  undo_test_add ("-crash-edit/away-at-once", test_away_at_once);
  undo_test_add ("-crash-edit/stopped", test_stopped);
  undo_test_add ("-crash-edit/random", test_random);

  return g_test_run ();
}
