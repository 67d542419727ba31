/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-sessions-fixture.h"

GPtrArray *
store_sessions_list (GadgetStore *store)
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

GadgetItem *
store_sessions_add (GadgetTurn *turn, GadgetItem *item)
{
  gadget_turn_append (turn, item);
  g_object_unref (item);
  return item;
}

void
store_sessions_add_turn (GadgetStore *store, GadgetSession *session, const char *id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "a prompt");
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GError) error = NULL;
  GadgetItem *item;

  gadget_session_append (session, turn);
  journal = gadget_journal_new (store, session, turn);
  item = store_sessions_add (turn, gadget_item_new (GADGET_ITEM_REASONING));
  gadget_item_append_text (item, "Hm.", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  item = store_sessions_add (turn, gadget_item_new (GADGET_ITEM_TEXT));
  gadget_item_append_text (item, "日本語 and \t control \x01 and\nlines", -1);
  gadget_item_set_started_at (item, 10);
  gadget_item_set_ended_at (item, 20);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  item = store_sessions_add (turn, gadget_item_new_tool_call ("c1", "shell"));
  gadget_item_append_arguments (item, "{\"command\":\"ls '%s'\"}");
  gadget_item_append_text (item, "live", -1);
  gadget_item_set_result (item, "result");
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "ls", NULL));
  gadget_item_set_status (item, GADGET_ITEM_FAILED);
  item = store_sessions_add (turn, gadget_item_new_tool_call (NULL, "wait"));
  gadget_item_set_status (item, GADGET_ITEM_NOT_RUN);
  item = store_sessions_add (turn, gadget_item_new (GADGET_ITEM_NOTE));
  gadget_item_append_text (item, "noted", -1);
  gadget_item_set_step (item, 1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, &error));
  g_assert_no_error (error);
}
