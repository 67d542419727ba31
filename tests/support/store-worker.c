/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another process for the tests of the store: store-worker MODE DIRECTORY SESSION ARGUMENT
 *
 *   stream  journals a turn whose text is the monotonic time in microseconds, a line each few
 *           milliseconds; each line is on standard output before it is appended. Until killed.
 *   silent  the same with a single line, and with the run "silent-run"; writes nothing after that.
 *   hold    takes the lease, says "held", keeps it until standard input ends or it is killed.
 *   write   commits ARGUMENT turns to the session, then "done".
 *   crash   brings a turn to the point named ARGUMENT, makes sure that it is on record, and kills
 *           itself.
 *   subagent-crash  the same with a turn that waits for a subagent, whose turn has said something.
 *   command runs, in a recorded turn, a command of the shell tool in the folder ARGUMENT that makes
 *           the file "started" there and then sleeps, or the script "command" that is there. Until
 *           killed.
 *   command-row  puts such a command on record, and kills itself before it looks at the folder.
 *   undo    takes back what the turn SESSION did to files, or makes it again if ARGUMENT is "redo",
 *           then "done".
 *   index   commits chats of one turn, indexes them, deletes some and builds the index again, over
 *           and over; says so before it begins. Until killed.
 *   clear   says so, then clears all chats, or all attachments if SESSION is "attachments", then
 *           "done".
 *   pin     pins the session, then "done".
 *   begin-delete  begins to delete the session as a window does, says "begun", and waits until it
 * is killed. open-lock  has the session's open lock, says "held", keeps it until standard input
 * ends or it is killed. delete  deletes the session, with what is unsent and although it is open if
 * ARGUMENT is "force"; says "deleted", or the number of the error. edit    commits three turns,
 * then replaces the last two by another, brings them back, deletes the first and brings it back,
 * over and over; says so before it begins. Until killed. open becomes the user ARGUMENT (a number;
 * only root can) and opens the database; says the number of the error, or "open".
 */

#include "config.h"

#include "test-engine.h"
#include "test-store.h"

#include "agent/gadget-engine.h"
#include "common/gadget-id.h"
#include "effects/gadget-undo.h"
#include "store/gadget-store-clear.h"
#include "store/gadget-store-turns.h"
#include "store/search/gadget-chat-search.h"
#include "tools/shell/gadget-tool-shell.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
say (const char *text)
{
  ssize_t n = write (STDOUT_FILENO, text, strlen (text));

  g_assert_cmpint (n, ==, (ssize_t) strlen (text));
}

static GadgetLease *
take_lease (const char *directory, const char *session_id)
{
  g_autoptr (GError) error = NULL;
  GadgetLease *lease = gadget_lease_acquire (directory, session_id, &error);

  g_assert_no_error (error);
  return lease;
}

static gboolean
stream_cb (gpointer data)
{
  g_autofree char *line = g_strdup_printf ("%" G_GINT64_FORMAT "\n", g_get_monotonic_time ());

  say (line);
  gadget_item_append_text (data, line, -1);
  return G_SOURCE_CONTINUE;
}

static void
stream (const char *directory, const char *session_id, gboolean silent)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("streamed", "Tell me the time");
  g_autoptr (GadgetJournal) journal =
      gadget_journal_new_for_run (store, session, turn, NULL, silent ? "silent-run" : NULL);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_turn_append (turn, item);
  if (silent)
    gadget_item_append_text (item, "I think\n", -1);
  else
    g_timeout_add (3, stream_cb, item);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}

static void
hold (const char *directory, const char *session_id)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  char byte;

  say ("held\n");
  while (read (STDIN_FILENO, &byte, 1) > 0)
    ;
}

static void
hold_open (const char *directory, const char *session_id)
{
  g_autoptr (GadgetOpenLock) lock = gadget_open_lock_new (directory, session_id);
  char byte;

  g_assert_nonnull (lock);
  say ("held\n");
  while (read (STDIN_FILENO, &byte, 1) > 0)
    ;
}

static void delete (const char *directory, const char *session_id, gboolean force)
{
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GError) error = NULL;

  if (test_store_try_delete (store, session_id, force ? GADGET_DELETE_FORCE : GADGET_DELETE_UNUSED,
                             &error))
    say ("deleted\n");
  else
    {
      g_autofree char *line = g_strdup_printf ("%d\n", error->code);

      g_assert_true (error->domain == GADGET_STORE_ERROR);
      say (line);
    }
  test_store_close (store);
}

/* The session as it is stored, as by every process that works on it; a new one if there is none. */
static GadgetSession *
read_session (GadgetStore *store, const char *session_id)
{
  GadgetSession *session = gadget_session_new (session_id);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  if (!gadget_store_load_session_finish (store, result, &error))
    g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  return session;
}

static void
write_turns (const char *directory, const char *session_id, guint count)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = read_session (store, session_id);

  for (guint i = 0; i < count; i++)
    {
      g_autofree char *id = gadget_id_new ();
      g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "a prompt");
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
      g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
      g_autoptr (GError) error = NULL;

      gadget_turn_append (turn, item);
      gadget_item_append_text (item, "an answer", -1);
      gadget_item_set_status (item, GADGET_ITEM_FINISHED);
      gadget_turn_finish (turn);
      test_journal_commit (journal, &error);
      g_assert_no_error (error);
    }
  test_store_close (store);
  say ("done\n");
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *id, const char *arguments, GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "shell");

  gadget_turn_append (turn, item);
  gadget_item_append_arguments (item, arguments);
  gadget_item_set_status (item, status);
  return item;
}

/* Each point is one in the life of a turn that has said something and called tools. */
static void
go_to_point (const char *point, GadgetTurn *turn)
{
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  GadgetItem *call;

  if (g_str_equal (point, "before-output"))
    return;
  gadget_turn_append (turn, text);
  gadget_item_append_text (text, "Let me see. ", -1);
  if (g_str_equal (point, "text-streaming"))
    return;
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);

  if (g_str_equal (point, "arguments-streaming"))
    {
      add_call (turn, "c1", "{\"command\": \"sl", GADGET_ITEM_STREAMING);
      return;
    }
  call = add_call (turn, "c1", "{\"command\": \"make\"}", GADGET_ITEM_PENDING);
  add_call (turn, "c2", "{\"command\": \"ls\"}", GADGET_ITEM_PENDING);
  if (g_str_equal (point, "tool-pending"))
    return;
  gadget_item_set_started_at (call, 1000);
  gadget_item_set_status (call, GADGET_ITEM_RUNNING);
  gadget_item_append_text (call, "cc -c a.c\n", -1);
  if (g_str_equal (point, "tool-running"))
    return;
  gadget_item_set_result (call, "cc -c a.c\nok");
  gadget_item_set_status (call, GADGET_ITEM_FINISHED);
  if (g_str_equal (point, "tool-done"))
    return;

  /* As the agent does when it settles an abort. */
  g_assert_cmpstr (point, ==, "before-commit");
  gadget_item_set_status (gadget_turn_get_item (turn, 2), GADGET_ITEM_NOT_RUN);
  gadget_turn_abort (turn, GADGET_STOP_USER);
}

static void
crash (const char *directory, const char *session_id, const char *point)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (session_id, "Do something");
  g_autoptr (GadgetJournal) journal = NULL;

  gadget_session_set_title (session, point);
  journal = gadget_journal_new (store, session, turn);
  go_to_point (point, turn);
  test_journal_flush (journal);
  kill (getpid (), SIGKILL);
}

static void
crash_with_subagent (const char *directory, const char *session_id)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "Do something");
  g_autoptr (GadgetTurn) child_turn = gadget_turn_new ("child-turn", "Do it");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c1", "task");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetJournal) child_journal = NULL;

  gadget_session_set_parent_id (child, session_id);
  child_journal = gadget_journal_new_for_run (store, child, child_turn, NULL, "child-run");
  gadget_turn_append (turn, item);
  gadget_item_append_arguments (item, "{}");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_item_set_child_ids (item, "child", "child-turn");
  gadget_turn_append (child_turn, text);
  gadget_item_append_text (text, "So far", -1);
  test_journal_flush (journal);
  test_journal_flush (child_journal);
  kill (getpid (), SIGKILL);
}

static void
run_command (const char *directory, const char *session_id, const char *workspace)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (session_id, "Do something");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetSnapshotService) service = gadget_snapshot_service_new (store);
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (service, session_id, session_id, workspace);
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  GadgetItem *item = add_call (turn, "c1", "{}", GADGET_ITEM_RUNNING);
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autofree char *script = g_build_filename (workspace, "command", NULL);
  GadgetToolContext context = { .workspace = workspace, .item = item, .effects = effects };

  json_object_set_string_member (
      arguments, "command",
      g_file_test (script, G_FILE_TEST_EXISTS) ? "bash ./command" : "touch started; sleep 600");
  gadget_tool_execute_async (shell, arguments, &context, NULL, NULL, NULL);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}

static void
crash_before_look (const char *directory, const char *session_id, const char *workspace)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, "effects-worker");
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (session_id, "Do something");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const GadgetEffectRow row = {
    .turn_id = (char *) session_id,
    .call_turn_id = (char *) session_id,
    .kind = GADGET_EFFECT_COMMAND,
    .subject = (char *) "make",
    .root = (char *) workspace,
    .recording = GADGET_RECORDING_PENDING,
  };

  test_journal_flush (journal);
  gadget_store_begin_effect_async (store, &row, "effects-worker", test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_cmpint (gadget_store_begin_effect_finish (store, result, NULL), >, 0);
  kill (getpid (), SIGKILL);
}

static void
undo (const char *directory, const char *turn_id, const char *direction)
{
  g_autoptr (GadgetStore) store = test_store_open (directory);
  g_autoptr (GadgetSnapshotService) service = gadget_snapshot_service_new (store);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetUndoReport) report = NULL;
  g_autoptr (GError) error = NULL;

  say ("ready\n");
  gadget_undo_apply_async (service, turn_id, g_str_equal (direction, "redo"), NULL,
                           GADGET_UNDO_OVERWRITE, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  report = gadget_undo_apply_finish (result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->problems->len, ==, 0);
  say ("done\n");
}

static void
commit_turn (GadgetStore *store, GadgetSession *session, const char *prompt,
             const char *const *replaced)
{
  g_autofree char *id = gadget_id_new ();
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, prompt);
  g_autoptr (GadgetJournal) journal =
      gadget_journal_new_for_run (store, session, turn, replaced, NULL);

  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
}

static void
edit (const char *directory, const char *session_id)
{
  g_autoptr (GadgetLease) lease = take_lease (directory, session_id);
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new (session_id);
  static const char *const prompts[] = { "one", "two", "three" };
  const char *ids[G_N_ELEMENTS (prompts) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    commit_turn (store, session, prompts[i], NULL);
  g_object_unref (session);
  session = test_store_load (store, session_id);
  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    ids[i] = gadget_turn_get_id (gadget_session_get_turn (session, i));
  say ("ready\n");
  while (TRUE)
    {
      GAsyncResult *slot = NULL;

      commit_turn (store, session, "again", ids + 1);
      gadget_store_restore_turns_async (store, session_id, ids[1], test_result_cb, &slot);
      g_object_unref (test_take_result (&slot));
      gadget_store_remove_turn_async (store, session_id, ids[0], test_result_cb, &slot);
      g_object_unref (test_take_result (&slot));
      gadget_store_restore_turns_async (store, session_id, ids[0], test_result_cb, &slot);
      g_object_unref (test_take_result (&slot));
    }
}

static char *
commit_session (GadgetStore *store, guint number)
{
  char *id = gadget_id_new ();
  g_autofree char *turn_id = gadget_id_new ();
  g_autoptr (GadgetLease) lease = take_lease (gadget_store_get_directory (store), id);
  g_autoptr (GadgetSession) session = gadget_session_new (id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (turn_id, "A prompt");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetJournal) journal = NULL;
  g_autofree char *text = g_strdup_printf ("The answer %u", number);

  gadget_session_append (session, turn);
  journal = gadget_journal_new (store, session, turn);
  gadget_turn_append (turn, item);
  gadget_item_append_text (item, text, -1);
  test_journal_flush (journal);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
  return id;
}

static void
index_chats (const char *directory)
{
  GadgetStore *store = test_store_open (directory);
  GadgetChatSearch *search = gadget_chat_search_new (store);

  gadget_chat_search_start (search);
  say ("ready\n");
  for (guint i = 0;; i++)
    {
      GAsyncResult *slot = NULL;
      g_autofree char *id = commit_session (store, i);

      if (i % 3 == 2)
        test_store_delete (store, id);
      if (i % 5 != 4)
        continue;
      gadget_chat_search_rebuild_async (search, test_result_cb, &slot);
      g_object_unref (test_take_result (&slot));
    }
}

static void
open_as (const char *directory, const char *user)
{
  uid_t uid = (uid_t) g_ascii_strtoull (user, NULL, 10);
  g_autoptr (GadgetStore) store = gadget_store_new (directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (setresuid (uid, uid, uid) != 0)
    {
      say ("not allowed\n");
      return;
    }
  gadget_store_open_async (store, test_result_cb, &slot);
  result = test_take_result (&slot);
  if (gadget_store_open_finish (store, result, &error))
    say ("open\n");
  else
    {
      g_autofree char *line = g_strdup_printf ("%d\n", error->code);

      g_assert_true (error->domain == GADGET_STORE_ERROR);
      say (line);
    }
}

static void
pin (const char *directory, const char *session_id)
{
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = read_session (store, session_id);

  gadget_session_set_pinned (session, TRUE);
  test_store_save (store, session);
  test_store_close (store);
  say ("done\n");
}

static void
begin_delete (const char *directory, const char *session_id)
{
  g_autoptr (GadgetEngine) engine = gadget_engine_new (directory);
  g_autoptr (GError) error = NULL;

  test_engine_open (engine);
  gadget_engine_begin_delete (engine, gadget_engine_find_session (engine, session_id),
                              GADGET_DELETE_FORCE, &error);
  g_assert_no_error (error);
  say ("begun\n");
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

static void
clear (const char *directory, gboolean attachments)
{
  g_autoptr (GadgetEngine) engine = gadget_engine_new (directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  test_engine_open (engine);
  say ("begun\n");
  if (attachments)
    gadget_store_clear_attachments_async (gadget_engine_get_store (engine), G_MAXINT64, TRUE, NULL,
                                          test_result_cb, &slot);
  else
    gadget_engine_clear_chats_async (engine, G_MAXINT64, TRUE, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  say ("done\n");
}

int
main (int argc, char **argv)
{
  g_assert_cmpint (argc, >=, 4);

  const char *mode = argv[1];

  if (g_str_equal (mode, "stream"))
    stream (argv[2], argv[3], FALSE);
  else if (g_str_equal (mode, "silent"))
    stream (argv[2], argv[3], TRUE);
  else if (g_str_equal (mode, "hold"))
    hold (argv[2], argv[3]);
  else if (g_str_equal (mode, "open-lock"))
    hold_open (argv[2], argv[3]);
  else if (g_str_equal (mode, "delete"))
    delete (argv[2], argv[3], g_strcmp0 (argv[4], "force") == 0);
  else if (g_str_equal (mode, "pin"))
    pin (argv[2], argv[3]);
  else if (g_str_equal (mode, "begin-delete"))
    begin_delete (argv[2], argv[3]);
  else if (g_str_equal (mode, "write"))
    write_turns (argv[2], argv[3], (guint) g_ascii_strtoull (argv[4], NULL, 10));
  else if (g_str_equal (mode, "crash"))
    crash (argv[2], argv[3], argv[4]);
  else if (g_str_equal (mode, "subagent-crash"))
    crash_with_subagent (argv[2], argv[3]);
  else if (g_str_equal (mode, "command"))
    run_command (argv[2], argv[3], argv[4]);
  else if (g_str_equal (mode, "command-row"))
    crash_before_look (argv[2], argv[3], argv[4]);
  else if (g_str_equal (mode, "undo"))
    undo (argv[2], argv[3], argv[4]);
  else if (g_str_equal (mode, "edit"))
    edit (argv[2], argv[3]);
  else if (g_str_equal (mode, "index"))
    index_chats (argv[2]);
  else if (g_str_equal (mode, "clear"))
    clear (argv[2], g_str_equal (argv[3], "attachments"));
  else if (g_str_equal (mode, "open"))
    open_as (argv[2], argv[4]);
  else
    g_error ("no such mode: %s", mode);
  return 0;
}
