/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Real turns with the real tools, stopped at some moment of their work: undoing one gives the tree
 * back to the byte, with the modes and times of all that it did not touch. */

#include "config.h"

#include "agent/gadget-engine.h"
#include "fake-provider.h"
#include "test-engine.h"
#include "test-process.h"
#include "undo-fixture.h"
#include "wait.h"

#include <stdlib.h>

#define N_STOPPED 12

typedef struct
{
  char *directory;
  char *workspace;
  GadgetEngine *engine;
  GadgetSession *session;
  FakeProvider *provider;
  guint n_completed;
} Fixture;

static void
fill (Fixture *fixture)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, fixture->workspace);
  process = g_subprocess_launcher_spawn (
      launcher, NULL, "bash", "-c",
      "mkdir -p src/deep mine; echo old > a.txt; echo 1 > src/one; echo 2 > src/deep/two; "
      "chmod 755 src/one; ln -s one src/link; echo mine > mine/file; chmod 600 mine/file; "
      "touch -d '2001-02-03 04:05:06.123456789' mine/file mine src/deep/two",
      NULL);
  g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->workspace = test_dir_new ();
  fill (fixture);
  fixture->provider = fake_provider_new ();
  fixture->engine = gadget_engine_new (fixture->directory);
  test_engine_open (fixture->engine);
  gadget_provider_list_override (gadget_engine_get_providers (fixture->engine), "fake",
                                 GADGET_PROVIDER (fixture->provider));
  test_count_completed (gadget_engine_get_agent (fixture->engine), &fixture->n_completed);
  fixture->session = gadget_engine_new_session (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
  gadget_session_set_workspace (fixture->session, fixture->workspace);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->session);
  test_engine_close (fixture->engine, GADGET_STOP_CLOSED);
  g_object_unref (fixture->engine);
  g_object_unref (fixture->provider);
  test_dir_free (fixture->workspace);
  test_dir_free (fixture->directory);
}

/* --- Turns -------------------------------------------------------------------------------------
 */

typedef struct
{
  const char *tool;
  const char *arguments;
} Step;

static const Step steps[] = {
  { "read_file", "{\"path\":\"a.txt\"}" },
  { "edit_file", "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"old\",\"new_text\":\"new\"}]}" },
  { "write_file", "{\"path\":\"made/by/turn.txt\",\"content\":\"turn\\n\"}" },
  { "shell", "{\"command\":\"chmod 700 src/one; rm src/link; echo turn >> a.txt; mkdir more; "
             "mv src/deep more/; printf 'x\\\\0y' > bytes\"}" },
  { "write_file", "{\"path\":\"again.txt\",\"content\":\"turn\\n\"}" },
  { "shell", "{\"command\":\"for i in {1..40}; do echo $i > f$i; rm -f f$((i - 2)); sleep 0.01; "
             "done; echo 3 > src/one; sleep 600\"}" },
};

static GadgetTurn *
start (Fixture *fixture)
{
  const GadgetTurnOptions options = { .approval = GADGET_APPROVAL_AUTO };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (fixture->engine),
                                                  fixture->session, "go", &options, &error);

  g_assert_no_error (error);
  return gadget_session_get_last_turn (fixture->session);
}

static void
call (Fixture *fixture, guint i)
{
  g_autofree char *id = g_strdup_printf ("c%u", i);

  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, id, steps[i].tool, steps[i].arguments);
  fake_provider_end (fixture->provider);
}

static void
abort_now (Fixture *fixture)
{
  const guint n_completed = fixture->n_completed;
  g_autoptr (GadgetAbortAck) ack =
      gadget_agent_abort (gadget_engine_get_agent (fixture->engine),
                          gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);

  g_assert_true (ack->aborted);
  wait_until (fixture->n_completed > n_completed);
}

static GadgetSnapshotService *
get_snapshot_service (Fixture *fixture)
{
  return gadget_agent_get_snapshot_service (gadget_engine_get_agent (fixture->engine));
}

static GadgetUndoList *
list (Fixture *fixture, GadgetTurn *turn)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetUndoList *found;

  gadget_undo_list_async (get_snapshot_service (fixture), gadget_turn_get_id (turn), test_result_cb,
                          &slot);
  result = test_take_result (&slot);
  found = gadget_undo_list_finish (result, NULL);
  g_assert_nonnull (found);
  return found;
}

static void
wait_recorded (Fixture *fixture, GadgetTurn *turn)
{
  g_autoptr (GadgetUndoList) found = list (fixture, turn);

  while (found->recording == GADGET_RECORDING_PENDING)
    {
      gadget_undo_list_free (found);
      test_run_for (2);
      found = list (fixture, turn);
    }
  g_assert_cmpint (found->recording, <=, GADGET_RECORDING_DONE);
  for (guint i = 0; i < found->entries->len; i++)
    g_assert_false (((GadgetUndoEntry *) found->entries->pdata[i])->interleaved);
}

static void
apply (Fixture *fixture, GadgetTurn *turn, gboolean redo)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;

  gadget_undo_apply_async (get_snapshot_service (fixture), gadget_turn_get_id (turn), redo, NULL,
                           GADGET_UNDO_REFUSE, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  report = gadget_undo_apply_finish (result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < report->problems->len; i++)
    g_test_message ("%s", (const char *) report->problems->pdata[i]);
  g_assert_cmpuint (report->problems->len, ==, 0);
}

static void
undo_and_redo (Fixture *fixture, GadgetTurn *turn, const char *before)
{
  g_autofree char *after = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *redone = NULL;

  wait_recorded (fixture, turn);
  after = undo_dump (fixture->workspace);
  apply (fixture, turn, FALSE);
  undone = undo_dump (fixture->workspace);
  undo_assert_same (undone, before);
  apply (fixture, turn, TRUE);
  redone = undo_dump (fixture->workspace);
  undo_assert_same (redone, after);
  apply (fixture, turn, FALSE);
}

static gboolean
can_confine (void)
{
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox (); /* skips the test */

  return sandbox != NULL;
}

/* All its tools work; the last command is stopped while it runs. */
static void
test_stopped_command (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = undo_dump (fixture->workspace);
  g_autofree char *last = g_build_filename (fixture->workspace, "f40", NULL);
  GadgetTurn *turn;

  if (!can_confine ())
    return;
  turn = start (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    call (fixture, i);
  wait_until (g_file_test (last, G_FILE_TEST_EXISTS));
  abort_now (fixture);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  undo_and_redo (fixture, turn, before);
}

/* At any moment of it. */
static void
test_stopped_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = undo_dump (fixture->workspace);

  if (!can_confine ())
    return;
  for (guint i = 0; i < N_STOPPED; i++)
    {
      const guint n_steps = 1 + i % G_N_ELEMENTS (steps);
      GadgetTurn *turn = start (fixture);

      for (guint j = 0; j < n_steps; j++)
        call (fixture, j);
      test_run_for ((guint) g_test_rand_int_range (0, 120));
      abort_now (fixture);
      undo_and_redo (fixture, turn, before);
    }
}

/* An edit and a command of one step, which also changes the file or does not: the order is as it
 * comes. */
static void
test_parallel (Fixture *fixture, gconstpointer data)
{
  static const char *const commands[] = {
    "{\"command\":\"echo turn > other; sleep 0.02; rm mine/file\"}",
    "{\"command\":\"echo turn >> a.txt\"}",
    "{\"command\":\"for i in {1..200}; do echo $i > src/f$i; done; rm -f a.txt\"}",
  };
  g_autofree char *before = undo_dump (fixture->workspace);

  if (!can_confine ())
    return;
  for (guint i = 0; i < N_STOPPED; i++)
    {
      GadgetTurn *turn = start (fixture);
      const guint edit = i % 2;

      call (fixture, 0);
      wait_until (fake_provider_is_waiting (fixture->provider));
      fake_provider_call (fixture->provider, edit, "p1", "edit_file", steps[1].arguments);
      fake_provider_call (fixture->provider, 1 - edit, "p2", "shell",
                          commands[i % G_N_ELEMENTS (commands)]);
      fake_provider_end (fixture->provider);
      /* It is stopped while they work, or it ends by itself. */
      if (i % 4 == 3)
        test_run_for ((guint) g_test_rand_int_range (0, 30));
      else
        wait_until (fake_provider_is_waiting (fixture->provider));
      abort_now (fixture);
      undo_and_redo (fixture, turn, before);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/engine/undo-turn/stopped-command", Fixture, NULL, set_up, test_stopped_command,
              tear_down);
  g_test_add ("/engine/undo-turn/stopped-anywhere", Fixture, NULL, set_up, test_stopped_anywhere,
              tear_down);
  g_test_add ("/engine/undo-turn/parallel", Fixture, NULL, set_up, test_parallel, tear_down);

  return g_test_run ();
}
