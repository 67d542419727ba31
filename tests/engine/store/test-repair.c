/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What becomes of a turn whose process died, at each point of its life. */

#include "config.h"

#include "test-store.h"

#include "session/gadget-history.h"

#include <signal.h>
#include <string.h>

typedef struct
{
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->path = g_build_filename (fixture->directory, "gadget.db", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_dir_free (fixture->directory);
  g_free (fixture->path);
}

static void
crash_at (const char *directory, const char *session_id, const char *point)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("crash", directory, session_id, point);

  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (worker));
  g_assert_cmpint (g_subprocess_get_term_sig (worker), ==, SIGKILL);
}

static GadgetTurnStatus
listed_status (GadgetStore *store, const char *session_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sessions = NULL;

  gadget_store_list_sessions_async (store, 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (store, result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < sessions->len; i++)
    if (g_str_equal (gadget_session_get_id (g_ptr_array_index (sessions, i)), session_id))
      return gadget_session_get_last_status (g_ptr_array_index (sessions, i));
  g_assert_not_reached ();
}

/* The whole database as text, to see whether anything changed. */
static char *
dump (const char *path)
{
  static const char *const queries[] = { "SELECT * FROM session", "SELECT * FROM turn",
                                         "SELECT * FROM item", "SELECT * FROM piece" };
  GString *text = g_string_new (NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *stmt = NULL;

      g_assert_cmpint (sqlite3_prepare_v2 (db, queries[i], -1, &stmt, NULL), ==, SQLITE_OK);
      while (sqlite3_step (stmt) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count (stmt); column++)
          g_string_append_printf (text, "%s|", (const char *) sqlite3_column_text (stmt, column));
      g_string_append_c (text, '\n');
      sqlite3_finalize (stmt);
    }
  sqlite3_close (db);
  return g_string_free_and_steal (text);
}

/* Every call that is sent has exactly one result, directly after it. */
static void
check_history (GadgetSession *session)
{
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "Go on");
  g_autoptr (GadgetRequest) request = NULL;
  guint n_open = 0;

  gadget_session_append (session, next);
  request = gadget_history_build (session, NULL);
  for (guint i = 0; i < request->messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (request->messages, i);

      if (message->role == GADGET_ROLE_TOOL)
        n_open--;
      else
        g_assert_cmpuint (n_open, ==, 0);
      n_open += gadget_message_count (message, GADGET_PART_CALL);
      if (message->role == GADGET_ROLE_ASSISTANT)
        g_assert_cmpuint (message->parts->len, >, 0);
    }
  g_assert_cmpuint (n_open, ==, 0);
}

typedef struct
{
  const char *point;
  guint n_items;
  GadgetItemStatus statuses[3];
} Case;

static const Case cases[] = {
  { "before-output", 0, { 0 } },
  { "text-streaming", 1, { GADGET_ITEM_ABORTED } },
  { "arguments-streaming", 2, { GADGET_ITEM_FINISHED, GADGET_ITEM_NOT_RUN } },
  { "tool-pending", 3, { GADGET_ITEM_FINISHED, GADGET_ITEM_NOT_RUN, GADGET_ITEM_NOT_RUN } },
  { "tool-running", 3, { GADGET_ITEM_FINISHED, GADGET_ITEM_ABORTED, GADGET_ITEM_NOT_RUN } },
  { "tool-done", 3, { GADGET_ITEM_FINISHED, GADGET_ITEM_FINISHED, GADGET_ITEM_NOT_RUN } },
  { "before-commit", 3, { GADGET_ITEM_FINISHED, GADGET_ITEM_FINISHED, GADGET_ITEM_NOT_RUN } },
};

static void
check_turn (const Case *point, GadgetTurn *turn)
{
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  g_assert_cmpint (gadget_turn_get_ended_at (turn), >=, gadget_turn_get_started_at (turn));
  g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, "Do something");
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, point->n_items);
  for (guint i = 0; i < point->n_items; i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_assert_true (gadget_item_is_settled (item));
      g_assert_cmpint (gadget_item_get_status (item), ==, point->statuses[i]);
    }
  if (point->n_items > 0)
    g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "Let me see. ");
  if (point->n_items < 2)
    return;

  GadgetItem *call = gadget_turn_get_item (turn, 1);

  if (g_str_equal (point->point, "arguments-streaming"))
    {
      g_assert_cmpstr (gadget_item_get_arguments (call), ==, "{\"command\": \"sl");
      g_assert_null (gadget_item_get_result (call));
    }
  else
    g_assert_cmpstr (gadget_item_get_arguments (call), ==, "{\"command\": \"make\"}");
  if (g_str_equal (point->point, "tool-running"))
    g_assert_cmpstr (gadget_item_get_text (call), ==, "cc -c a.c\n");
  if (g_str_equal (point->point, "tool-done") || g_str_equal (point->point, "before-commit"))
    g_assert_cmpstr (gadget_item_get_result (call), ==, "cc -c a.c\nok");
}

static void
test_point (Fixture *fixture, gconstpointer data)
{
  const Case *point = data;
  GadgetStore *store;
  g_autofree char *once = NULL;
  g_autofree char *twice = NULL;

  crash_at (fixture->directory, "s", point->point);
  store = test_store_open (fixture->directory);
  {
    g_autoptr (GadgetSession) session = test_store_load (store, "s");

    g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
    g_assert_cmpint (gadget_session_get_last_status (session), ==, GADGET_TURN_ABORTED);
    check_turn (point, gadget_session_get_turn (session, 0));
    check_history (session);
  }
  once = dump (fixture->path);
  g_assert_null (strstr (once, "processing"));
  g_assert_cmpint (listed_status (store, "s"), ==, GADGET_TURN_ABORTED);
  {
    g_autoptr (GadgetSession) session = test_store_load (store, "s");

    check_turn (point, gadget_session_get_turn (session, 0));
  }
  test_store_close (store);
  twice = dump (fixture->path);
  g_assert_cmpstr (once, ==, twice);
}

/* Listing is enough: no chat seems to be going that is not. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store;

  crash_at (fixture->directory, "a", "tool-running");
  crash_at (fixture->directory, "b", "text-streaming");
  store = test_store_open (fixture->directory);
  g_assert_cmpint (listed_status (store, "a"), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (listed_status (store, "b"), ==, GADGET_TURN_ABORTED);
  test_store_close (store);
}

/* A turn that another process works on is none of our business, until that process dies. */
static void
test_living_owner (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("stream", fixture->directory, "s", NULL);
  char byte;
  GadgetStore *store;

  g_assert_cmpint (
      g_input_stream_read (g_subprocess_get_stdout_pipe (worker), &byte, 1, NULL, NULL), ==, 1);
  test_run_for (200);
  store = test_store_open (fixture->directory);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GadgetSession) session = test_store_load (store, "s");
      GadgetTurn *turn = gadget_session_get_turn (session, 0);

      g_assert_cmpint (listed_status (store, "s"), ==, GADGET_TURN_PROCESSING);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
      g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                       GADGET_ITEM_STREAMING);
      g_assert_cmpuint (gadget_item_get_length (gadget_turn_get_item (turn, 0)), >, 0);
    }
  /* Looking did not take its lease away either. */
  g_assert_true (gadget_lease_is_held (fixture->directory, "s"));

  g_subprocess_send_signal (worker, SIGKILL);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_cmpint (listed_status (store, "s"), ==, GADGET_TURN_ABORTED);
  test_store_close (store);
}

/* The same with a turn of this very process. */
static void
test_own_turn (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  GadgetStore *other = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "a prompt");
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, "s", NULL);
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);

  test_journal_flush (journal);
  g_assert_cmpint (listed_status (store, "s"), ==, GADGET_TURN_PROCESSING);
  g_assert_cmpint (listed_status (other, "s"), ==, GADGET_TURN_PROCESSING);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
  g_assert_cmpint (listed_status (other, "s"), ==, GADGET_TURN_FINISHED);
  g_clear_object (&journal);
  test_store_close (store);
  test_store_close (other);
}

/* Several processes look at the same time, and each sees it repaired, once. */
static void
test_many_at_once (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N_STORES = 4
  };
  GadgetStore *stores[N_STORES];
  GAsyncResult *slots[N_STORES] = { NULL };

  crash_at (fixture->directory, "s", "tool-running");
  for (guint i = 0; i < N_STORES; i++)
    {
      stores[i] = gadget_store_new (fixture->directory);
      gadget_store_open_async (stores[i], NULL, NULL);
      gadget_store_list_sessions_async (stores[i], 0, test_result_cb, &slots[i]);
    }
  for (guint i = 0; i < N_STORES; i++)
    {
      g_autoptr (GAsyncResult) result = test_take_result (&slots[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) sessions =
          gadget_store_list_sessions_finish (stores[i], result, &error);

      g_assert_no_error (error);
      g_assert_cmpint (gadget_session_get_last_status (g_ptr_array_index (sessions, 0)), ==,
                       GADGET_TURN_ABORTED);
      g_assert_cmpint (gadget_session_get_last_stop_reason (g_ptr_array_index (sessions, 0)), ==,
                       GADGET_STOP_INTERRUPTED);
    }
  for (guint i = 0; i < N_STORES; i++)
    test_store_close (stores[i]);
}

/* After the repair the session goes on: the next turn comes behind. */
static void
test_goes_on (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetSession) session = NULL;
  GadgetStore *store;

  crash_at (fixture->directory, "s", "tool-running");
  worker = test_worker_start ("write", fixture->directory, "s", "1");
  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  store = test_store_open (fixture->directory);
  session = test_store_load (store, "s");
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 2);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (session, 0)), ==,
                   GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (session, 1)), ==,
                   GADGET_TURN_FINISHED);
  test_store_close (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engine/repair/%s", cases[i].point);

      g_test_add (path, Fixture, &cases[i], set_up, test_point, tear_down);
    }
#define ADD(path, func) g_test_add ("/engine/repair/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("list", test_list);
  ADD ("living-owner", test_living_owner);
  ADD ("own-turn", test_own_turn);
  ADD ("many-at-once", test_many_at_once);
  ADD ("goes-on", test_goes_on);

  return g_test_run ();
}
