/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the engine's data promise: items, turns, sessions, prompts, receipts. */

#include "config.h"

#include "common/gadget-clock.h"
#include "common/gadget-day-watch.h"
#include "session/gadget-limit.h"
#include "session/gadget-session.h"
#include "wait.h"

static void
count_cb (GObject *object, GParamSpec *pspec, guint *count)
{
  ++*count;
}

static void
appended_cb (GadgetItem *item, guint64 offset, guint64 *last)
{
  *last = offset;
}

static void
test_item_grows (void)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  guint64 offset = 99;

  g_signal_connect (item, "appended", G_CALLBACK (appended_cb), &offset);
  gadget_item_append_text (item, "grün", -1);
  g_assert_cmpuint (offset, ==, 0);
  gadget_item_append_text (item, "er Baum", 2);
  g_assert_cmpuint (offset, ==, 5);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "grüner");
  g_assert_cmpuint (gadget_item_get_length (item), ==, 7);

  /* Nothing is added to what is settled. */
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  gadget_item_append_text (item, " late", -1);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "grüner");
}

static void
test_item_notifies_once (void)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("id", "shell");
  guint n_status = 0;
  guint n_summary = 0;

  g_signal_connect (item, "notify::status", G_CALLBACK (count_cb), &n_status);
  g_signal_connect (item, "notify::summary", G_CALLBACK (count_cb), &n_summary);
  for (int i = 0; i < 2; i++)
    {
      gadget_item_set_status (item, GADGET_ITEM_RUNNING);
      gadget_item_take_call_summary (
          item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Running", NULL));
    }
  g_assert_cmpuint (n_status, ==, 1);
  g_assert_cmpuint (n_summary, ==, 1);
}

static void
test_turn_ends_once (void)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "go");
  guint n_status = 0;

  g_signal_connect (turn, "notify::status", G_CALLBACK (count_cb), &n_status);
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  gadget_turn_abort (turn, GADGET_STOP_USER);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_IDLE);
  g_assert_cmpint (gadget_turn_get_ended_at (turn), >=, gadget_turn_get_started_at (turn));

  /* L14: a later end of another kind is a programming error, and changes nothing. */
  g_test_expect_message ("gadget-turn", G_LOG_LEVEL_CRITICAL, "*assertion*PROCESSING*failed*");
  gadget_turn_fail (turn, "provider/cut", "late");
  g_test_assert_expected_messages ();
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (n_status, ==, 1);
}

static void
test_session_queue (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autofree char *first = NULL;

  gadget_session_enqueue (session, "a");
  gadget_session_enqueue (session, "b");
  gadget_session_enqueue (session, "c");
  gadget_session_move_queued (session, 2, 0);
  gadget_session_move_queued (session, 0, 9); /* out of range: nothing happens */
  first = gadget_session_dequeue (session, 0);
  g_assert_cmpstr (first, ==, "c");
  g_assert_null (gadget_session_dequeue (session, 2));
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 2);
}

/* --- Prompts ---------------------------------------------------------------------------------- */

typedef struct
{
  guint n;
  char *answer;
  GError *error;
} Waited;

static void
waited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waited *waited = user_data;

  waited->n++;
  waited->answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, &waited->error);
}

static void
waited_clear (Waited *waited)
{
  g_clear_pointer (&waited->answer, g_free);
  g_clear_error (&waited->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Waited, waited_clear)

static void
test_prompt_answered (void)
{
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission ("shell", "Run?", "ls", "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Waited) waited = { 0 };

  gadget_prompt_wait_async (prompt, cancellable, waited_cb, &waited);
  g_assert_false (gadget_prompt_answer (prompt, "perhaps"));
  g_assert_true (gadget_prompt_answer (prompt, GADGET_PROMPT_ALLOW));
  g_assert_false (gadget_prompt_answer (prompt, GADGET_PROMPT_DENY));
  g_cancellable_cancel (cancellable);
  wait_until (waited.n > 0);
  wait_idle ();
  g_assert_cmpuint (waited.n, ==, 1);
  g_assert_cmpstr (waited.answer, ==, GADGET_PROMPT_ALLOW);
}

static void
test_prompt_dismissed (void)
{
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Waited) waited = { 0 };
  guint n_open = 0;

  g_signal_connect (prompt, "notify::open", G_CALLBACK (count_cb), &n_open);
  g_assert_true (gadget_prompt_get_allow_text (prompt)); /* else nobody could answer */
  gadget_prompt_wait_async (prompt, cancellable, waited_cb, &waited);
  g_cancellable_cancel (cancellable);
  wait_until (waited.n > 0);
  g_assert_error (waited.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (gadget_prompt_is_open (prompt));
  g_assert_false (gadget_prompt_answer (prompt, "late"));
  g_assert_cmpuint (n_open, ==, 1);
}

static void
test_prompt_dismissed_before (void)
{
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", NULL, TRUE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Waited) waited = { 0 };

  g_cancellable_cancel (cancellable);
  gadget_prompt_wait_async (prompt, cancellable, waited_cb, &waited);
  wait_until (waited.n > 0);
  g_assert_error (waited.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_prompt_nobody (void)
{
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", NULL, TRUE);
  g_auto (Waited) waited = { 0 };

  gadget_prompt_wait_async (prompt, NULL, waited_cb, &waited);
  gadget_prompt_refuse (prompt);
  wait_until (waited.n > 0);
  g_assert_error (waited.error, GADGET_PROMPT_ERROR, GADGET_PROMPT_ERROR_NOBODY);
}

/* --- Receipts --------------------------------------------------------------------------------- */

static void
count_change_cb (guint *count)
{
  (*count)++;
}

static void
test_receipt_tells (void)
{
  g_autoptr (GadgetReceipt) whole = gadget_receipt_new ();
  g_autoptr (GadgetReceipt) part = gadget_receipt_new ();
  guint n_whole = 0;
  guint n_part = 0;
  guint id;

  gadget_receipt_set_parent (part, whole);
  g_signal_connect_swapped (whole, "changed", G_CALLBACK (count_change_cb), &n_whole);
  g_signal_connect_swapped (part, "changed", G_CALLBACK (count_change_cb), &n_part);
  gadget_receipt_begin (whole, GADGET_RECEIPT_SUBAGENT, "look");
  id = gadget_receipt_begin (part, GADGET_RECEIPT_CONNECTION, "Ollama");
  g_assert_cmpuint (n_whole, ==, 2);
  g_assert_cmpuint (n_part, ==, 1);
  gadget_receipt_end (part, id, "closed", 0);
  gadget_receipt_end (part, id, "closed", 0);
  g_assert_cmpuint (n_whole, ==, 3);
  g_assert_cmpuint (n_part, ==, 2);
  gadget_receipt_end_all (whole, "closed");
  g_assert_cmpuint (n_whole, ==, 4);
}

static void
test_receipt (void)
{
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new ();
  const guint before = gadget_receipt_begin (receipt, GADGET_RECEIPT_TOOL, "quick");
  const guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  const guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "meson test");
  g_auto (GStrv) in_flight = NULL;
  g_autofree char *counts = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (GadgetReceipt) copy = NULL;

  gadget_receipt_end (receipt, before, "finished", 0);
  counts = gadget_receipt_dup_in_flight_counts (receipt);
  g_assert_cmpstr (counts, ==, "1 connection, 1 command");
  g_assert_cmpuint (gadget_receipt_get_in_flight (receipt, 0)->id, ==, connection);
  g_assert_cmpstr (gadget_receipt_get_in_flight (receipt, 1)->name, ==, "meson test");
  in_flight = gadget_receipt_dup_in_flight (receipt);
  g_assert_cmpstrv (in_flight,
                    ((const char *const[]) { "connection Ollama", "process meson test", NULL }));

  gadget_receipt_mark_abort (receipt);
  g_usleep (2000);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, process, "killed", 2);
  gadget_receipt_mark_settled (receipt);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  g_assert_cmpfloat (gadget_receipt_get_line (receipt, 0)->ms, >=, 2.0);
  g_assert_cmpfloat (gadget_receipt_get_total_ms (receipt), >=,
                     gadget_receipt_get_line (receipt, 1)->ms);

  json = gadget_receipt_to_json (receipt);
  copy = gadget_receipt_new_from_json (json);
  g_assert_cmpuint (gadget_receipt_get_n_lines (copy), ==, 2);
  g_assert_cmpstr (gadget_receipt_get_line (copy, 1)->outcome, ==, "killed");
  g_assert_cmpuint (gadget_receipt_get_line (copy, 1)->count, ==, 2);
  g_assert_cmpint (gadget_receipt_get_line (copy, 1)->kind, ==, GADGET_RECEIPT_PROCESS);
}

static void
test_receipt_bad_json (void)
{
  static const char *const bad[] = {
    "null", "3", "{}", "[1,null,\"x\",[]]", "[{\"kind\":3}]", "[{\"ms\":\"x\"}]"
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (JsonNode) node = json_from_string (bad[i], NULL);
      g_autoptr (GadgetReceipt) receipt = gadget_receipt_new_from_json (node);

      g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), <=, 1);
    }
}

/* Times within a turn are as far apart as they were, whoever sets the calendar meanwhile. */
static void
test_calendar_set (void)
{
  static const gint64 day_ms = 24 * 60 * 60 * 1000;

  for (int sign = -1; sign <= 1; sign += 2)
    {
      g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "Do something");
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
      const gint64 started = gadget_turn_get_started_at (turn);

      gadget_turn_append (turn, item);
      gadget_item_set_started_at (item, gadget_item_get_now (item));
      gadget_clock_shift_wall (sign * day_ms);
      g_assert_cmpint (gadget_turn_get_now (turn) - started, <, 60000);
      g_assert_cmpint (gadget_item_get_now (item), >=, gadget_item_get_started_at (item));
      gadget_turn_settle_items (turn, FALSE);
      gadget_turn_finish (turn);
      g_assert_cmpint (gadget_turn_get_ended_at (turn), >=, started);
      g_assert_cmpint (gadget_turn_get_ended_at (turn) - started, <, 60000);
      g_assert_cmpint (gadget_item_get_ended_at (item), <=, gadget_turn_get_ended_at (turn));
      gadget_clock_shift_wall (-sign * day_ms);
    }
}

static void
count_changes_cb (guint *n)
{
  ++*n;
}

static void
test_day_watch (void)
{
  g_autoptr (GadgetDayWatch) watch = gadget_day_watch_new ();
  guint n = 0;

  g_signal_connect_swapped (watch, "changed", G_CALLBACK (count_changes_cb), &n);
  gadget_day_watch_arm (watch, g_get_real_time () / G_USEC_PER_SEC + 1);
  wait_until (n == 1);
  g_signal_handlers_disconnect_by_func (watch, count_changes_cb, &n);
}

/* More steps than an int can count. */
static void
test_limit_text (void)
{
  g_autofree char *one = gadget_limit_dup_text (GADGET_LIMIT_STEPS, 1);
  g_autofree char *few = gadget_limit_dup_text (GADGET_LIMIT_STEPS, 20);
  g_autofree char *many = gadget_limit_dup_text (GADGET_LIMIT_STEPS, G_GINT64_CONSTANT (1) << 32);
  g_autofree char *number = g_strdup_printf ("%'" G_GINT64_FORMAT, G_GINT64_CONSTANT (1) << 32);
  g_autofree char *expected = g_strconcat (number, " steps", NULL);

  g_assert_cmpstr (one, ==, "1 step");
  g_assert_cmpstr (few, ==, "20 steps");
  g_assert_cmpstr (many, ==, expected);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/item/grows", test_item_grows);
  g_test_add_func ("/engine/item/notifies-once", test_item_notifies_once);
  g_test_add_func ("/engine/turn/L14-ends-once", test_turn_ends_once);
  g_test_add_func ("/engine/turn/calendar-set", test_calendar_set);
  g_test_add_func ("/engine/day-watch", test_day_watch);
  g_test_add_func ("/engine/session/queue", test_session_queue);
  g_test_add_func ("/engine/prompt/answered", test_prompt_answered);
  g_test_add_func ("/engine/prompt/dismissed", test_prompt_dismissed);
  g_test_add_func ("/engine/prompt/dismissed-before", test_prompt_dismissed_before);
  g_test_add_func ("/engine/prompt/nobody", test_prompt_nobody);
  g_test_add_func ("/engine/limit/text", test_limit_text);
  g_test_add_func ("/engine/receipt/lines", test_receipt);
  g_test_add_func ("/engine/receipt/lines-tells", test_receipt_tells);
  g_test_add_func ("/engine/receipt/bad-json", test_receipt_bad_json);

  return g_test_run ();
}
