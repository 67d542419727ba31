/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "journal-fixture.h"
#include "test-faults.h"

void
journal_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
  fixture->session = gadget_session_new (SESSION_ID);
  gadget_session_set_loaded (fixture->session, TRUE);
  fixture->turn = gadget_turn_new ("t", "a prompt");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->journal = gadget_journal_new (fixture->store, fixture->session, fixture->turn);
}

void
journal_tear_down (Fixture *fixture, gconstpointer data)
{
  gpointer weak = fixture->journal;

  test_faults_set (TEST_FAULT_NONE);
  if (fixture->journal != NULL)
    {
      g_object_add_weak_pointer (G_OBJECT (fixture->journal), &weak);
      g_object_unref (fixture->journal);
      /* A write may be under way. */
      for (guint i = 0; i < 100 && weak != NULL; i++)
        test_run_for (10);
      g_assert_null (weak);
    }
  test_store_close (fixture->store);
  g_object_unref (fixture->session);
  g_assert_finalize_object (fixture->turn);
  test_dir_free (fixture->directory);
}

GadgetTurn *
journal_read_turn (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, SESSION_ID, &error);
  g_autoptr (GadgetSession) session = NULL;
  GadgetStore *store;
  GadgetTurn *turn;

  g_assert_no_error (error);
  store = test_store_open (fixture->directory);
  session = test_store_load (store, SESSION_ID);
  test_store_close (store);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
  turn = g_object_ref (gadget_session_get_turn (session, 0));
  return turn;
}

static void
expect_same_item (GadgetItem *a, GadgetItem *b)
{
  g_assert_cmpint (gadget_item_get_kind (a), ==, gadget_item_get_kind (b));
  g_assert_cmpint (gadget_item_get_status (a), ==, gadget_item_get_status (b));
  g_assert_cmpuint (gadget_item_get_step (a), ==, gadget_item_get_step (b));
  g_assert_cmpstr (gadget_item_get_text (a), ==, gadget_item_get_text (b));
  g_assert_cmpuint (gadget_item_get_length (a), ==, gadget_item_get_length (b));
  g_assert_cmpstr (gadget_item_get_call_id (a), ==, gadget_item_get_call_id (b));
  g_assert_cmpstr (gadget_item_get_name (a), ==, gadget_item_get_name (b));
  g_assert_cmpstr (gadget_item_get_arguments (a), ==, gadget_item_get_arguments (b));
  g_assert_cmpstr (gadget_item_get_result (a), ==, gadget_item_get_result (b));
  g_assert_cmpstr (gadget_item_get_summary (a), ==, gadget_item_get_summary (b));
  g_assert_cmpint (gadget_item_get_started_at (a), ==, gadget_item_get_started_at (b));
  g_assert_cmpint (gadget_item_get_ended_at (a), ==, gadget_item_get_ended_at (b));
}

void
journal_expect_same_turn (GadgetTurn *a, GadgetTurn *b)
{
  const GadgetUsage *usage_a = gadget_turn_get_usage (a);
  const GadgetUsage *usage_b = gadget_turn_get_usage (b);

  g_assert_cmpstr (gadget_turn_get_id (a), ==, gadget_turn_get_id (b));
  g_assert_cmpstr (gadget_turn_get_prompt (a), ==, gadget_turn_get_prompt (b));
  g_assert_cmpint (gadget_turn_get_status (a), ==, gadget_turn_get_status (b));
  g_assert_cmpint (gadget_turn_get_stop_reason (a), ==, gadget_turn_get_stop_reason (b));
  g_assert_cmpstr (gadget_turn_get_error_code (a), ==, gadget_turn_get_error_code (b));
  g_assert_cmpstr (gadget_turn_get_error_detail (a), ==, gadget_turn_get_error_detail (b));
  g_assert_cmpstr (gadget_turn_get_provider (a), ==, gadget_turn_get_provider (b));
  g_assert_cmpstr (gadget_turn_get_model (a), ==, gadget_turn_get_model (b));
  g_assert_cmpint (gadget_turn_get_started_at (a), ==, gadget_turn_get_started_at (b));
  g_assert_cmpint (gadget_turn_get_ended_at (a), ==, gadget_turn_get_ended_at (b));
  g_assert_cmpint (usage_a->input_tokens, ==, usage_b->input_tokens);
  g_assert_cmpint (usage_a->output_tokens, ==, usage_b->output_tokens);
  g_assert_cmpint (usage_a->cost, ==, usage_b->cost);
  g_assert_cmpint (usage_a->estimated, ==, usage_b->estimated);
  g_assert_cmpuint (gadget_turn_get_n_items (a), ==, gadget_turn_get_n_items (b));
  for (guint i = 0; i < gadget_turn_get_n_items (a); i++)
    expect_same_item (gadget_turn_get_item (a, i), gadget_turn_get_item (b, i));
}

void
journal_expect_stored (Fixture *fixture)
{
  g_autoptr (GadgetTurn) stored = journal_read_turn (fixture);

  journal_expect_same_turn (stored, fixture->turn);
}

GadgetItem *
journal_add_text (GadgetTurn *turn, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_turn_append (turn, item);
  gadget_item_append_text (item, text, -1);
  return gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
}

GadgetItem *
journal_add_call (GadgetTurn *turn, const char *id)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "shell");

  gadget_turn_append (turn, item);
  return gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
}

void
journal_end_with_everything (Fixture *fixture)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (fixture->turn);
  guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "make");
  GadgetItem *call = journal_add_call (fixture->turn, "c1");

  gadget_turn_set_model (fixture->turn, "local", "tiny");
  gadget_turn_set_usage (fixture->turn, &(GadgetUsage) { 100, 7, 0, FALSE });
  gadget_item_append_arguments (call, "{}");
  gadget_item_append_text (call, "partly", -1);
  gadget_item_set_step (call, 3);
  gadget_item_set_status (call, GADGET_ITEM_ABORTED);
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, process, "killed", 4);
  gadget_receipt_mark_settled (receipt);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
}

void
journal_expect_committed (Fixture *fixture)
{
  g_autoptr (GadgetTurn) stored = journal_read_turn (fixture);
  GadgetReceipt *receipt = gadget_turn_get_receipt (stored);
  GadgetReceipt *expected = gadget_turn_get_receipt (fixture->turn);

  journal_expect_same_turn (stored, fixture->turn);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  g_assert_cmpint (gadget_receipt_get_line (receipt, 0)->kind, ==, GADGET_RECEIPT_CONNECTION);
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 1)->name, ==, "make");
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 1)->outcome, ==, "killed");
  g_assert_cmpuint (gadget_receipt_get_line (receipt, 1)->count, ==, 4);
  g_assert_cmpfloat_with_epsilon (gadget_receipt_get_total_ms (receipt),
                                  gadget_receipt_get_total_ms (expected), 0.001);
}
