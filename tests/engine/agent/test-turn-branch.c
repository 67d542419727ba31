/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that begin with the turns of others. */

#include "config.h"

#include "strict-request.h"
#include "test-store.h"
#include "turn-edits-fixture.h"
#include "wait.h"

#include "session/gadget-history.h"
#include "store/gadget-store-turns.h"

#include <string.h>

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/turn-edits/" path, SubagentFixture, NULL, subagent_set_up, function,        \
              subagent_tear_down)

static GadgetSession *
branch (AgentFixture *fixture, const char *turn_id, const char *new_id, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_branch_async (fixture->store, "session", turn_id, new_id, "A branch", test_result_cb,
                             &slot);
  result = test_take_result (&slot);
  return gadget_store_branch_finish (fixture->store, result, error)
             ? test_store_load (fixture->store, new_id)
             : NULL;
}

static void
test_branch (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GPtrArray) effects = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurn *one = edits_say (fixture, "one", "first");
  GadgetTurn *three;

  edits_say (fixture, "two", "second");
  three = edits_say (fixture, "three", "third");
  edits_say (fixture, "four", "fourth");
  edits_put_on_record (fixture->store, gadget_turn_get_id (one));
  edits_delete_nth (fixture, 1);
  copy = branch (fixture, gadget_turn_get_id (three), "copy", &error);
  g_assert_no_error (error);
  edits_expect_memory (copy, "one three");
  g_assert_false (gadget_session_get_has_removed (copy));
  g_assert_cmpstr (gadget_session_get_title (copy), ==, "A branch");
  g_assert_cmpstr (gadget_session_get_origin_id (copy), ==, "session");
  g_assert_cmpstr (gadget_session_get_origin_turn_id (copy), ==, gadget_turn_get_id (three));
  g_assert_cmpstr (gadget_session_get_workspace (copy), ==, all->workspace);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (copy, 0)), !=,
                   gadget_turn_get_id (one));
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (copy, 1), 0)), ==,
      "third");
  effects =
      edits_list_effects (fixture->store, gadget_turn_get_id (gadget_session_get_turn (copy, 0)));
  g_assert_cmpuint (effects->len, ==, 0);
  edits_expect (fixture, "one three four");

  test_store_run_sql (fixture->store, "DELETE FROM session WHERE id = 'session'");
  g_clear_object (&copy);
  copy = test_store_load (fixture->store, "copy");
  edits_expect_memory (copy, "one three");
}

/* A copy has all turns that have ended, and is no branch. */
static void
test_copy (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GError) error = NULL;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  agent_start_streaming (fixture, "three");
  gadget_session_set_pinned (fixture->session, TRUE);
  gadget_session_set_chat_folder (fixture->session, "folder");
  test_store_save (fixture->store, fixture->session);
  copy = branch (fixture, NULL, "copy", &error);
  g_assert_no_error (error);
  edits_expect_memory (copy, "one two");
  g_assert_null (gadget_session_get_origin_id (copy));
  g_assert_null (gadget_session_get_origin_turn_id (copy));
  g_assert_false (gadget_session_get_pinned (copy));
  g_assert_cmpstr (gadget_session_get_chat_folder (copy), ==, "folder");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 3);
}

static void
test_copy_of_nothing (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GError) error = NULL;

  agent_start_streaming (fixture, "one");
  g_assert_null (branch (fixture, NULL, "copy", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
}

static void
test_branch_of_nothing (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *id = g_strdup (gadget_turn_get_id (edits_say (fixture, "one", "first")));
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurn *turn;

  edits_delete_nth (fixture, 0);
  g_assert_null (branch (fixture, id, "copy", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  g_clear_error (&error);
  turn = agent_start_streaming (fixture, "two");
  fake_provider_text (fixture->provider, "half");
  g_assert_null (branch (fixture, gadget_turn_get_id (turn), "copy", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
}

/* It can be gone on with in both, and neither sees the other. */
static void
test_branch_subagent (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "one");
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GadgetSession) child = NULL;
  g_autofree char *old_id = NULL;
  GadgetItem *item;

  subagent_hand_over (fixture, "sub", NULL);
  subagent_say (fixture, "found");
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, "first");
  wait_until (fixture->n_completed == 1);
  old_id = g_strdup (gadget_item_get_child_id (gadget_turn_get_item (turn, 0)));
  copy = branch (fixture, gadget_turn_get_id (turn), "copy", NULL);
  item = gadget_turn_get_item (gadget_session_get_turn (copy, 0), 0);
  g_assert_nonnull (gadget_item_get_child_id (item));
  g_assert_cmpstr (gadget_item_get_child_id (item), !=, old_id);
  g_assert_null (strstr (gadget_item_get_result (item), old_id));
  g_assert_nonnull (strstr (gadget_item_get_result (item), gadget_item_get_child_id (item)));
  child = test_store_load (fixture->store, gadget_item_get_child_id (item));
  g_assert_cmpstr (gadget_session_get_parent_id (child), ==, "copy");
  edits_expect_memory (child, "sub");
  g_assert_cmpstr (gadget_item_get_child_turn_id (item), ==,
                   gadget_turn_get_id (gadget_session_get_turn (child, 0)));
}

static void
test_branch_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GadgetRequest) request = NULL;
  GadgetTurn *turn;
  g_autofree char *digest = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  g_ptr_array_add (ids, (gpointer) gadget_turn_get_id (edits_say (fixture, "one", "first")));
  turn = edits_say (fixture, "two", "second");
  digest = gadget_history_digest_turns (ids);
  text = g_strdup_printf ("INSERT INTO item (turn, position, kind, status, step, text, started_at,"
                          " ended_at, replay_source, replay)"
                          " SELECT number, 9, 'summary', 'finished', 0, 'the summary', 0, 0,"
                          " 'history', '%s' FROM turn WHERE id = '%s'",
                          digest, gadget_turn_get_id (turn));
  test_store_run_sql (fixture->store, text);
  copy = branch (fixture, gadget_turn_get_id (turn), "copy", NULL);
  request = gadget_history_build (copy, NULL);
  g_assert_nonnull (strstr (request_get_text (request, 0), "the summary"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("branch", test_branch);
  ADD ("branch-of-nothing", test_branch_of_nothing);
  ADD ("copy", test_copy);
  ADD ("copy-of-nothing", test_copy_of_nothing);
  ADD ("branch-subagent", test_branch_subagent);
  ADD ("branch-summary", test_branch_summary);
  return g_test_run ();
}
