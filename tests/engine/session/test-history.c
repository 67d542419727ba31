/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "session/gadget-history.h"
#include "strict-request.h"

#include <string.h>

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->session = gadget_session_new ("s");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->session);
}

static GadgetTurn *
add_turn (Fixture *fixture, const char *prompt)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", prompt);

  gadget_session_append (fixture->session, turn);
  fixture->turn = turn;
  return turn;
}

static GadgetItem *
add_text (Fixture *fixture, guint step, const char *text, GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_item_set_step (item, step);
  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}

static GadgetItem *
add_call (Fixture *fixture, guint step, const char *id, const char *arguments,
          GadgetItemStatus status, const char *output, const char *result)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "shell");

  gadget_item_set_step (item, step);
  gadget_item_append_arguments (item, arguments);
  gadget_item_append_text (item, output, -1);
  gadget_item_set_result (item, result);
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}

static GadgetRequest *
build (Fixture *fixture, const char *next)
{
  GadgetRequest *request;

  add_turn (fixture, next);
  request = gadget_history_build (fixture->session, NULL);
  strict_request_assert (request);
  return request;
}

static const GadgetMessage *
message_at (GadgetRequest *request, guint index)
{
  g_assert_cmpuint (index, <, request->messages->len);
  return g_ptr_array_index (request->messages, index);
}

static void
test_plain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  gadget_turn_finish (add_turn (fixture, "hello"));
  add_text (fixture, 0, "hi", GADGET_ITEM_FINISHED);
  request = build (fixture, "again");
  g_assert_cmpuint (request->messages->len, ==, 3);
  g_assert_cmpstr (request_get_text (request, 1), ==, "hi");
  g_assert_cmpstr (request_get_text (request, 2), ==, "again");
}

/* H12: what was shown before the abort is in the next request. */
static void
test_partial_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "the key?");
  add_text (fixture, 0, "The key is 42", GADGET_ITEM_ABORTED);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "what was it?");
  g_assert_cmpstr (request_get_text (request, 1), ==, "The key is 42");
  /* H10: the model is told once, and not in the prompt that is shown. */
  g_assert_nonnull (strstr (request_get_text (request, 2), "interrupted by the user"));
  g_assert_true (g_str_has_suffix (request_get_text (request, 2), "what was it?"));
  g_assert_cmpstr (gadget_turn_get_prompt (fixture->turn), ==, "what was it?");
}

static void
test_note_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;
  guint n_notes = 0;

  add_turn (fixture, "one");
  add_text (fixture, 0, "x", GADGET_ITEM_ABORTED);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  add_turn (fixture, "two");
  add_text (fixture, 0, "y", GADGET_ITEM_FINISHED);
  gadget_turn_finish (fixture->turn);
  request = build (fixture, "three");
  for (guint i = 0; i < request->messages->len; i++)
    if (strstr (request_get_text (request, i), "interrupted") != NULL)
      n_notes++;
  g_assert_cmpuint (n_notes, ==, 1);
}

/* Stopped before anything came: two prompts in a row become one message. */
static void
test_nothing_came (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  gadget_turn_abort (add_turn (fixture, "first"), GADGET_STOP_USER);
  request = build (fixture, "second");
  g_assert_cmpuint (request->messages->len, ==, 1);
  g_assert_true (g_str_has_prefix (request_get_text (request, 0), "first\n\n["));
  g_assert_true (g_str_has_suffix (request_get_text (request, 0), "]\n\nsecond"));
}

/* H1 and L8: one batch, each call with its own kind of end. */
static void
test_batch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  add_text (fixture, 0, "Doing it.", GADGET_ITEM_FINISHED);
  add_call (fixture, 0, "a", "{}", GADGET_ITEM_FINISHED, "shown", "done");
  add_call (fixture, 0, "b", "{}", GADGET_ITEM_ABORTED, "line 1\nline 2", NULL);
  add_call (fixture, 0, "c", "{}", GADGET_ITEM_NOT_RUN, "", "Interrupted by user");
  add_call (fixture, 0, "d", "{}", GADGET_ITEM_ABORTED, "", "");
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "next");

  g_assert_cmpuint (gadget_message_count (message_at (request, 1), GADGET_PART_CALL), ==, 4);
  g_assert_cmpstr (request_get_text (request, 2), ==, "done");
  g_assert_true (g_str_has_prefix (request_get_text (request, 3), "line 1\nline 2\n"));
  g_assert_nonnull (strstr (request_get_text (request, 3), "Interrupted by user"));
  g_assert_nonnull (strstr (request_get_text (request, 4), "not started"));
  g_assert_cmpstr (request_get_text (request, 5), ==, "Interrupted by user.");
}

/* H3: a call whose arguments never became whole is not sent, its siblings are. */
static void
test_cut_arguments (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  add_call (fixture, 0, "a", "{}", GADGET_ITEM_FINISHED, "", "done");
  add_call (fixture, 0, "b", "{\"command\":\"rm -r", GADGET_ITEM_NOT_RUN, "", NULL);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "next");
  g_assert_cmpuint (gadget_message_count (message_at (request, 1), GADGET_PART_CALL), ==, 1);
}

static void
test_only_cut_arguments (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  add_call (fixture, 0, "b", "{\"comm", GADGET_ITEM_NOT_RUN, "", NULL);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "next");
  g_assert_cmpuint (request->messages->len, ==, 1);
}

/* Servers that number their calls from zero in each answer, and one that sends no id. */
static void
test_repeated_ids (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  for (guint step = 0; step < 3; step++)
    {
      add_call (fixture, step, "call_0", "{}", GADGET_ITEM_FINISHED, "", "ok");
      add_call (fixture, step, "", "not json", GADGET_ITEM_FAILED, "", "bad arguments");
    }
  add_text (fixture, 3, "Done.", GADGET_ITEM_FINISHED);
  gadget_turn_finish (fixture->turn);
  request = build (fixture, "next");
  g_assert_cmpuint (request->messages->len, ==, 1 + 3 * 3 + 1 + 1);
}

/* The work for them grows with the chat, and no faster. */
static void
test_many_repeated_ids (Fixture *fixture, gconstpointer data)
{
  const guint n_calls = 12000;
  g_autoptr (GadgetRequest) request = NULL;
  gint64 before;

  add_turn (fixture, "go");
  for (guint step = 0; step < n_calls; step++)
    add_call (fixture, step, "call_0", "{}", GADGET_ITEM_FINISHED, "", "ok");
  before = g_get_monotonic_time ();
  request = gadget_history_build (fixture->session, NULL);
  g_assert_cmpint (g_get_monotonic_time () - before, <, 3 * G_USEC_PER_SEC);
  g_assert_cmpuint (request->messages->len, ==, 1 + 2 * n_calls);
}

/* A model may call what no provider takes as a name, and a server may give an endless id. */
static void
test_strange_calls (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;
  g_autofree char *long_id = g_strnfill (3000, 'i');
  g_autofree char *long_name = g_strnfill (300, 'n');
  const char *names[] = { "rm\n<x>\" ☃", long_name, "functions.wait" };

  add_turn (fixture, "go");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GadgetItem) item = gadget_item_new_tool_call (long_id, names[i]);

      gadget_item_append_arguments (item, "{}");
      gadget_item_set_result (item, "There is no such tool.");
      gadget_item_set_status (item, GADGET_ITEM_FAILED);
      gadget_turn_append (fixture->turn, item);
    }
  gadget_turn_finish (fixture->turn);
  request = build (fixture, "next");
  g_assert_cmpuint (gadget_message_count (message_at (request, 1), GADGET_PART_CALL), ==, 3);
}

/* H5: reasoning is never sent back, cut or whole. */
static void
test_reasoning (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_REASONING);

  add_turn (fixture, "go");
  gadget_item_append_text (item, "secret thought", -1);
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  gadget_turn_append (fixture->turn, item);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "next");
  for (guint i = 0; i < request->messages->len; i++)
    g_assert_null (strstr (request_get_text (request, i), "secret"));
}

static GadgetItem *
add_reasoning (Fixture *fixture, guint step, const char *source, const char *replay,
               GadgetItemStatus status)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_REASONING);

  gadget_item_set_step (item, step);
  gadget_item_append_text (item, "thought", -1);
  gadget_item_set_replay (item, source, replay);
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}

/* H4, H6: signed reasoning goes back unchanged, in its place, to whoever gave it, with what it led
 * to; cut, unsigned, foreign or leading to nothing it does not. */
static void
test_replay (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) foreign = NULL;
  const GadgetMessage *message;
  const GadgetPart *part;
  GadgetItem *call;

  add_turn (fixture, "go");
  add_reasoning (fixture, 0, "a/m", "sig-1", GADGET_ITEM_FINISHED);
  add_text (fixture, 0, "Well.", GADGET_ITEM_FINISHED);
  add_reasoning (fixture, 0, "b/m", "sig-2", GADGET_ITEM_FINISHED);
  call = add_call (fixture, 0, "c", "{}", GADGET_ITEM_FINISHED, "", "done");
  gadget_item_set_replay (call, "a/m", "sig-3");
  add_reasoning (fixture, 0, "a/m", "sig-4", GADGET_ITEM_FINISHED);
  add_reasoning (fixture, 1, "a/m", "sig-5", GADGET_ITEM_FINISHED);
  add_reasoning (fixture, 1, "a/m", "sig-6", GADGET_ITEM_ABORTED);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  add_turn (fixture, "next");

  request = gadget_history_build (fixture->session, "a/m");
  strict_request_assert (request);
  g_assert_cmpuint (request->messages->len, ==, 4);
  message = message_at (request, 1);
  g_assert_cmpuint (message->parts->len, ==, 3);
  part = g_ptr_array_index (message->parts, 0);
  g_assert_cmpstr (part->text, ==, "thought");
  g_assert_cmpstr (part->replay, ==, "sig-1");
  part = g_ptr_array_index (message->parts, 2);
  g_assert_cmpstr (part->replay, ==, "sig-3");

  foreign = gadget_history_build (fixture->session, "a/other");
  strict_request_assert (foreign);
  g_assert_cmpuint (gadget_message_count (message_at (foreign, 1), GADGET_PART_REASONING), ==, 0);
  part = g_ptr_array_index (message_at (foreign, 1)->parts, 1);
  g_assert_null (part->replay);
}

static const GadgetPart *
part_at (GadgetRequest *request, guint message, guint part)
{
  return g_ptr_array_index (message_at (request, message)->parts, part);
}

/* Words that something came with go back with it and with no others; elsewhere they are just
 * words. */
static void
test_replay_of_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) foreign = NULL;
  GadgetItem *item;

  add_turn (fixture, "go");
  add_text (fixture, 0, "One. ", GADGET_ITEM_FINISHED);
  item = gadget_turn_get_item (fixture->turn, 0);
  gadget_item_set_replay (item, "a/m", "sig-1");
  add_text (fixture, 0, "Two. ", GADGET_ITEM_FINISHED);
  add_text (fixture, 0, "Three.", GADGET_ITEM_ABORTED);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  add_turn (fixture, "next");

  request = gadget_history_build (fixture->session, "a/m");
  strict_request_assert (request);
  g_assert_cmpuint (message_at (request, 1)->parts->len, ==, 2);
  g_assert_cmpstr (part_at (request, 1, 0)->text, ==, "One. ");
  g_assert_cmpstr (part_at (request, 1, 0)->replay, ==, "sig-1");
  g_assert_cmpstr (part_at (request, 1, 1)->text, ==, "Two. Three.");
  g_assert_null (part_at (request, 1, 1)->replay);

  foreign = gadget_history_build (fixture->session, "a/other");
  strict_request_assert (foreign);
  g_assert_cmpuint (message_at (foreign, 1)->parts->len, ==, 1);
  g_assert_cmpstr (part_at (foreign, 1, 0)->text, ==, "One. Two. Three.");
  g_assert_null (part_at (foreign, 1, 0)->replay);
}

static void
add_steer (Fixture *fixture, guint step, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_STEER);

  gadget_item_set_step (item, step);
  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (fixture->turn, item);
}

/* What the user said into a turn stands where it was said, whatever is around it. */
static void
test_steer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  add_steer (fixture, 0, "slowly");
  add_text (fixture, 0, "Doing it.", GADGET_ITEM_FINISHED);
  add_call (fixture, 0, "a", "{}", GADGET_ITEM_FINISHED, "", "done");
  add_call (fixture, 0, "b", "{}", GADGET_ITEM_FAILED, "", "no");
  add_steer (fixture, 1, "only the tests");
  add_steer (fixture, 1, "and quickly");
  add_text (fixture, 1, "Yes.", GADGET_ITEM_FINISHED);
  add_call (fixture, 1, "a", "{}", GADGET_ITEM_FINISHED, "", "done");
  add_steer (fixture, 2, "enough");
  add_call (fixture, 2, "c", "{\"cut", GADGET_ITEM_NOT_RUN, "", NULL);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  request = build (fixture, "next");

  g_assert_cmpuint (request->messages->len, ==, 8);
  g_assert_cmpstr (request_get_text (request, 0), ==, "go\n\nslowly");
  g_assert_cmpstr (request_get_text (request, 3), ==, "no");
  g_assert_cmpstr (request_get_text (request, 4), ==, "only the tests\n\nand quickly");
  g_assert_cmpint (message_at (request, 7)->role, ==, GADGET_ROLE_USER);
  g_assert_true (g_str_has_prefix (request_get_text (request, 7), "enough\n\n["));
  g_assert_true (g_str_has_suffix (request_get_text (request, 7), "]\n\nnext"));
}

/* What a crash left: nothing was sealed. */
static void
test_unsealed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRequest) request = NULL;

  add_turn (fixture, "go");
  add_text (fixture, 0, "  \n", GADGET_ITEM_STREAMING);
  add_call (fixture, 1, "a", "{}", GADGET_ITEM_RUNNING, "some", NULL);
  add_call (fixture, 1, "b", "{}", GADGET_ITEM_PENDING, "", NULL);
  add_call (fixture, 1, "c", "{\"x\"", GADGET_ITEM_STREAMING, "", NULL);
  gadget_turn_abort (fixture->turn, GADGET_STOP_INTERRUPTED);
  request = build (fixture, "next");
  g_assert_cmpuint (gadget_message_count (message_at (request, 1), GADGET_PART_CALL), ==, 2);
  g_assert_nonnull (strstr (request_get_text (request, 4), "application was closed"));
}

/* Every way a call can have ended, in every combination of three. */
static void
test_all_combinations (Fixture *fixture, gconstpointer data)
{
  const guint n = GADGET_ITEM_NOT_RUN + 1;

  for (guint code = 0; code < n * n * n; code++)
    {
      g_autoptr (GadgetRequest) request = NULL;
      g_autoptr (GadgetSession) session = gadget_session_new ("s");
      Fixture inner = { session };

      add_turn (&inner, "go");
      for (guint i = 0, rest = code; i < 3; i++, rest /= n)
        add_call (&inner, i / 2, i == 1 ? "a" : "b", i == 2 ? "{\"cut" : "{}",
                  (GadgetItemStatus) (rest % n), "x", rest % 2 == 0 ? "r" : NULL);
      gadget_turn_abort (inner.turn, GADGET_STOP_USER);
      request = build (&inner, "next");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/history/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("plain", test_plain);
  ADD ("strange-calls", test_strange_calls);
  ADD ("replay", test_replay);
  ADD ("replay-of-text", test_replay_of_text);
  ADD ("H12-partial-text-is-sent", test_partial_text);
  ADD ("H10-note-once", test_note_once);
  ADD ("nothing-came", test_nothing_came);
  ADD ("H1-one-result-for-each-call", test_batch);
  ADD ("H3-cut-arguments", test_cut_arguments);
  ADD ("H3-only-cut-arguments", test_only_cut_arguments);
  ADD ("H2-repeated-ids", test_repeated_ids);
  ADD ("many-repeated-ids", test_many_repeated_ids);
  ADD ("H5-reasoning", test_reasoning);
  ADD ("steer", test_steer);
  ADD ("P7-unsealed", test_unsealed);
  ADD ("all-combinations", test_all_combinations);

  return g_test_run ();
}
