/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions that were deleted, in the store: what is refused then, and what refuses it. */

#include "config.h"

#include "store/gadget-store-drafts.h"
#include "store/gadget-store-turns.h"
#include "test-store.h"

static void
add_turn (GadgetStore *store, GadgetSession *session, const char *id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "a prompt");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GError) error = NULL;

  gadget_turn_finish (turn);
  test_journal_commit (journal, &error);
  g_assert_no_error (error);
}

static guint
count_sessions (GadgetStore *store)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) sessions = NULL;

  gadget_store_list_sessions_async (store, 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (store, result, NULL);
  g_assert_nonnull (sessions);
  return sessions->len;
}

static gboolean
delete_unused (GadgetStore *store, const char *id, GError **error)
{
  return test_store_try_delete (store, id, GADGET_DELETE_UNUSED, error);
}

static void
expect_deleted (GError *error)
{
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED);
  g_error_free (error);
}

static GError *
get_save_error (GadgetStore *store, GadgetSession *session, gboolean update)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  if (update)
    gadget_store_update_session_async (store, session, test_result_cb, &slot);
  else
    gadget_store_save_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_save_session_finish (store, result, &error);
  return error;
}

static GError *
save_draft (GadgetStore *store, const char *id, const char *text)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gadget_store_save_draft_async (store, id, text, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_save_draft_finish (store, result, &error);
  return error;
}

static GError *
get_check_error (GadgetStore *store, const char *id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gadget_store_check_session_async (store, id, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_check_session_finish (store, result, &error);
  return error;
}

static GError *
get_edit_error (GadgetStore *store, const char *id, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gadget_store_remove_turn_async (store, id, turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_remove_turn_finish (store, result, &error);
  return error;
}

static GError *
get_branch_error (GadgetStore *store, const char *id, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gadget_store_branch_async (store, id, turn_id, "branch", "Branch", test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_branch_finish (store, result, &error);
  return error;
}

static GError *
get_load_error (GadgetStore *store, const char *id)
{
  g_autoptr (GadgetSession) session = gadget_session_new (id);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_load_session_finish (store, result, &error);
  return error;
}

static GError *
get_commit_error (GadgetStore *store, GadgetSession *session, const char *turn_id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (turn_id, "hello?");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  GError *error = NULL;

  gadget_turn_finish (turn);
  test_journal_commit (journal, &error);
  return error;
}

/* Whatever is still to be written for it, by whoever has it in memory, it is not there again. */
static void
test_stays_deleted (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) child = gadget_session_new ("child");

  add_turn (fixture->store, session, "t1");
  gadget_session_set_parent_id (child, "s");
  g_assert_null (get_check_error (fixture->store, "s"));
  test_store_delete (fixture->store, "s");

  expect_deleted (get_check_error (fixture->store, "s"));
  expect_deleted (get_save_error (fixture->store, session, FALSE));
  expect_deleted (get_save_error (fixture->store, session, TRUE));
  expect_deleted (get_save_error (fixture->store, child, FALSE));
  expect_deleted (save_draft (fixture->store, "s", "a draft"));
  expect_deleted (get_commit_error (fixture->store, session, "t2"));
  expect_deleted (get_load_error (fixture->store, "s"));
  expect_deleted (get_edit_error (fixture->store, "s", "t1"));
  expect_deleted (get_branch_error (fixture->store, "s", "t1"));
  g_assert_cmpuint (count_sessions (fixture->store), ==, 0);
}

/* The journal of a turn does not write its session each time. */
static void
test_deleted_beside_journal (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "a prompt");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (fixture->store, session, turn);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  GError *error = NULL;

  test_journal_flush (journal);
  test_store_delete (fixture->store, "s");
  gadget_turn_append (turn, item);
  g_assert_false (test_journal_write (journal));
  g_assert_cmpint (gadget_session_get_deletion (session), ==, GADGET_DELETION_DONE);
  gadget_turn_finish (turn);
  g_assert_false (test_journal_commit (journal, &error));
  expect_deleted (error);
}

/* One that could not be stored yet is not stored later either. */
static void
test_deleted_before_stored (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");

  test_store_delete (fixture->store, "s");
  expect_deleted (get_commit_error (fixture->store, session, "t"));
}

/* What was not sent is not deleted by the way. */
static void
test_delete_unsent (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  gadget_session_set_loaded (session, TRUE);
  test_store_save (fixture->store, session);
  g_assert_no_error (save_draft (fixture->store, "s", "a draft"));
  g_assert_false (delete_unused (fixture->store, "s", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT);
  g_clear_error (&error);
  g_assert_no_error (get_check_error (fixture->store, "s"));

  g_assert_no_error (save_draft (fixture->store, "s", ""));
  gadget_session_enqueue (session, "later");
  test_store_save (fixture->store, session);
  g_assert_false (delete_unused (fixture->store, "s", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT);
  g_clear_error (&error);

  text = gadget_session_dequeue (session, 0);
  test_store_save (fixture->store, session);
  g_assert_true (delete_unused (fixture->store, "s", &error));
}

static char *
delete_elsewhere (StoreFixture *fixture, const char *id, const char *how)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("delete", fixture->directory, id, how);
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8 (worker, NULL, NULL, &line, NULL, &error);
  g_assert_no_error (error);
  return g_strchomp (g_steal_pointer (&line));
}

/* Another process does not delete a session that is open here, unless it is told to. Then that is
 * known here at once, and what is attached to the draft here is not lost. */
static void
test_delete_open (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *open_elsewhere = g_strdup_printf ("%d", GADGET_STORE_ERROR_OPEN_ELSEWHERE);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetOpenLock) lock = gadget_open_lock_new (fixture->directory, "s");
  g_autofree char *refused = NULL;
  g_autofree char *done = NULL;

  add_turn (fixture->store, session, "t");
  refused = delete_elsewhere (fixture, "s", "");
  g_assert_cmpstr (refused, ==, open_elsewhere);
  g_assert_false (gadget_open_lock_is_deleted (lock));
  g_assert_null (get_check_error (fixture->store, "s"));

  done = delete_elsewhere (fixture, "s", "force");
  g_assert_cmpstr (done, ==, "deleted");
  g_assert_true (gadget_open_lock_is_deleted (lock));
  expect_deleted (get_check_error (fixture->store, "s"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store-deletion/" path, StoreFixture, NULL, test_store_set_up, func,         \
              test_store_tear_down)
  ADD ("stays-deleted", test_stays_deleted);
  ADD ("beside-journal", test_deleted_beside_journal);
  ADD ("before-stored", test_deleted_before_stored);
  ADD ("unsent", test_delete_unsent);
  ADD ("open", test_delete_open);

  return g_test_run ();
}
