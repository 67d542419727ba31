/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chats of subagents in the store: kept with the call, in no list, gone with their parent. */

#include "config.h"

#include "session/gadget-history.h"
#include "session/gadget-session-children.h"
#include "store/gadget-store-runs.h"
#include "strict-request.h"
#include "test-store.h"

#include <signal.h>

static GPtrArray *
list (GadgetStore *store)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *sessions;

  gadget_store_list_sessions_async (store, 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (store, result, &error);
  g_assert_no_error (error);
  return sessions;
}

static void
crash (StoreFixture *fixture)
{
  g_autoptr (GSubprocess) worker =
      test_worker_start ("subagent-crash", fixture->directory, "parent", "");

  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_term_sig (worker), ==, SIGKILL);
}

static gboolean
load_fails (GadgetStore *store, const char *id)
{
  g_autoptr (GadgetSession) session = gadget_session_new (id);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  return !gadget_store_load_session_finish (store, result, &error)
         && (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND)
             || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED));
}

/* P7: both turns are interrupted, the words are there, and the model is told the id. */
static void
test_crash (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) sessions = NULL;
  g_autoptr (GadgetSession) parent = NULL;
  g_autoptr (GadgetSession) child = NULL;
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "Go on");
  g_autoptr (GadgetRequest) request = NULL;
  GadgetItem *item;

  crash (fixture);
  sessions = list (fixture->store);
  g_assert_cmpuint (sessions->len, ==, 1);
  g_assert_cmpstr (gadget_session_get_id (g_ptr_array_index (sessions, 0)), ==, "parent");

  child = test_store_load (fixture->store, "child");
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (child, 0)), ==,
                   GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (gadget_session_get_turn (child, 0)), ==,
                   GADGET_STOP_INTERRUPTED);
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (child, 0), 0)), ==,
      "So far");

  parent = test_store_load (fixture->store, "parent");
  item = gadget_turn_get_item (gadget_session_get_turn (parent, 0), 0);
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_ABORTED);
  g_assert_cmpstr (gadget_item_get_child_id (item), ==, "child");
  gadget_session_append (parent, next);
  request = gadget_history_build (parent, NULL);
  strict_request_assert (request);
  g_assert_nonnull (strstr (request_get_text (request, 2), "Subagent ID: child"));
}

static GadgetStoreRun *
find_run (GadgetStore *store, const char *id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetStoreRun *run;

  gadget_store_find_run_async (store, id, test_result_cb, &slot);
  result = test_take_result (&slot);
  run = gadget_store_find_run_finish (store, result, &error);
  g_assert_no_error (error);
  return run;
}

/* Another process does not take the run of a subagent for ended while the parent's owner lives. */
static void
test_run_of_living_owner (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetLease) lease = NULL;
  g_autoptr (GadgetStoreRun) run = NULL;
  g_autoptr (GadgetStoreRun) later = NULL;

  crash (fixture);
  lease = gadget_lease_acquire (fixture->directory, "parent", NULL);
  g_assert_nonnull (lease);
  run = find_run (fixture->store, "child-run");
  g_assert_false (run->over);
  g_clear_pointer (&lease, gadget_lease_release);
  later = find_run (fixture->store, "child-run");
  g_assert_true (later->over);
}

/* As long as the parent's owner lives, the subagent's turn is not repaired. */
static void
test_living_owner (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetLease) lease = NULL;
  g_autoptr (GadgetSession) child = NULL;

  crash (fixture);
  lease = gadget_lease_acquire (fixture->directory, "parent", NULL);
  g_assert_nonnull (lease);
  child = test_store_load (fixture->store, "child");
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (child, 0)), ==,
                   GADGET_TURN_PROCESSING);
}

/* Views get at it through the item. */
static void
test_open_child (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) parent = NULL;
  GadgetSession *child;
  GadgetItem *item;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  crash (fixture);
  parent = test_store_load (fixture->store, "parent");
  item = gadget_turn_get_item (gadget_session_get_turn (parent, 0), 0);
  g_assert_null (gadget_item_get_child (item));
  g_assert_null (gadget_session_open_child (parent, "parent"));
  child = gadget_session_open_child (parent, "child");
  g_assert_true (gadget_item_get_child (item) == child);
  g_assert_true (gadget_session_open_child (parent, "child") == child);
  g_assert_null (gadget_item_get_child_turn (item));
  gadget_store_load_session_async (fixture->store, child, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_item_get_child_turn (item)), ==, "Do it");
  g_assert_cmpstr (gadget_session_get_parent_id (child), ==, "parent");
}

static void
test_deleted_with_parent (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) sessions = NULL;

  crash (fixture);
  sessions = list (fixture->store);
  g_assert_false (load_fails (fixture->store, "child"));
  test_store_delete (fixture->store, "parent");
  g_assert_true (load_fails (fixture->store, "parent"));
  g_assert_true (load_fails (fixture->store, "child"));
}

/* One whose parent is not stored would be a chat of the user's. */
static void
test_no_parent (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) orphan = gadget_session_new ("orphan");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_session_set_parent_id (orphan, "nobody");
  gadget_store_save_session_async (fixture->store, orphan, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_save_session_finish (fixture->store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/subagents-store/" path, StoreFixture, NULL, test_store_set_up, func,        \
              test_store_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("P7-crash", test_crash);
  ADD ("living-owner", test_living_owner);
  ADD ("run-of-living-owner", test_run_of_living_owner);
  ADD ("open-child", test_open_child);
  ADD ("deleted-with-parent", test_deleted_with_parent);
  ADD ("no-parent", test_no_parent);

  return g_test_run ();
}
