/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat that is too long for its model: what the provider says of it, and how much a model can
 * read. */

#include "config.h"

#include "agent-fixture.h"
#include "compaction-fixture.h"
#include "strict-request.h"
#include "wait.h"

#include <string.h>

/* --- How much a model can read ---------------------------------------------------------------- */

/* The second turn asks, and is not answered. */
static GadgetTurn *
begin_describing (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn;

  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  fake_provider_hold_description (fixture->provider);
  agent_start_streaming (fixture, "The password is apple.");
  compaction_say (fixture, words);
  wait_until (fixture->n_completed == 1);
  fixture->n_completed = 0;
  turn = agent_start_streaming (fixture, "Go on.");
  g_assert_true (fake_provider_is_describing (fixture->provider));
  return turn;
}

/* It is stopped with the turn, and the receipt has a line for it. */
static void
test_describing_aborted (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);

  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 2);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (fake_provider_is_describing (fixture->provider));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 0);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gadget_receipt_get_line (receipt, i)->kind, ==, GADGET_RECEIPT_CONNECTION);
}

/* A turn that ends by itself does not wait for it, and leaves nothing behind. */
static void
test_describing_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);

  compaction_say (fixture, "I did.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_false (fake_provider_is_describing (fixture->provider));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);

  /* It is asked for again where it matters again, and known from then on. */
  turn = agent_start_streaming (fixture, "More.");
  g_assert_true (fake_provider_is_describing (fixture->provider));
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 2);
  fake_provider_describe (fixture->provider);
  compaction_say (fixture, "Yes.");
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  agent_start_streaming (fixture, "Even more.");
  g_assert_true (compaction_is_requested (fixture));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
}

/* An abort that comes while only that is being stopped is taken. */
static void
test_describing_abort_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);

  compaction_say (fixture, "I did.");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* What is not Latin weighs more: a chat of the same length in bytes is due earlier. */
static void
test_scripts (AgentFixture *fixture, gconstpointer data)
{
  GString *words = g_string_new (NULL);
  g_autofree char *chinese = NULL;
  g_autoptr (GadgetRequest) latin = gadget_request_new ();
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autofree char *same = NULL;

  for (guint i = 0; i < 3600; i++)
    g_string_append (words, "字");
  chinese = g_string_free_and_steal (words);
  same = g_strnfill (strlen (chinese), 'w');
  gadget_request_add_message (request, GADGET_ROLE_USER, chinese);
  gadget_request_add_message (latin, GADGET_ROLE_USER, same);
  g_assert_cmpint (gadget_request_count_tokens (request), ==, 3600);
  g_assert_cmpint (gadget_request_count_tokens (latin), ==, 2700);
  g_assert_true (compaction_is_due (request));
  g_assert_false (compaction_is_due (latin));

  /* What is summarised fits as well, and is cut between characters. */
  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  agent_start_streaming (fixture, "begin");
  for (guint i = 0; i < 2; i++)
    fake_provider_text (fixture->provider, chinese);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (
      gadget_turn_get_usage (gadget_session_get_turn (fixture->session, 0))->output_tokens, ==,
      7200);
  agent_start_streaming (fixture, "more");
  compaction_say (fixture, "ok");
  wait_until (fixture->n_completed == 2);
  agent_start_streaming (fixture, "end");
  g_assert_true (compaction_is_requested (fixture));
  g_assert_true (
      g_utf8_validate (request_get_text (compaction_last_request (fixture), 0), -1, NULL));
  g_assert_cmpint (gadget_request_count_tokens (compaction_last_request (fixture)), <,
                   CONTEXT_LENGTH * 8 / 10);
  g_assert_cmpint (gadget_request_count_tokens (compaction_last_request (fixture)), >,
                   CONTEXT_LENGTH / 2);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
}

/* --- The provider says it --------------------------------------------------------------------- */

static void
refuse_until_it_fails (AgentFixture *fixture)
{
  for (guint i = 0; i < 8 && fixture->n_completed == 0; i++)
    {
      compaction_fail_too_long (fixture);
      wait_until (fixture->n_completed == 1 || fake_provider_is_waiting (fixture->provider));
    }
  g_assert_cmpuint (fixture->n_completed, ==, 1);
}

/* It is what was said that is too long, not what the tools are. */
static GadgetTurn *
begin_too_long (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn;

  agent_start_streaming (fixture, "The password is apple.");
  compaction_say (fixture, "I see.");
  wait_until (fixture->n_completed == 1);
  fixture->n_completed = 0;
  turn = agent_start_streaming (fixture, words);
  compaction_fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (compaction_is_requested (fixture));
  return turn;
}

static void
test_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  compaction_say (fixture, "The password is apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* Once: what is too long even then, and without tools, is an error, which says what can be done. */
static void
test_too_long_twice (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  compaction_say (fixture, "The password is apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  refuse_until_it_fails (fixture);
  g_assert_cmpuint (compaction_last_request (fixture)->tools->len, ==, 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

static void
test_too_long_and_no_summary (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  refuse_until_it_fails (fixture);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

/* What is summarized is halved until the model can read it: the provider knows better than an
 * estimate. */
static void
test_summary_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);
  const gint64 tokens = gadget_request_count_tokens (compaction_last_request (fixture));

  compaction_fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (compaction_is_requested (fixture));
  g_assert_cmpint (gadget_request_count_tokens (compaction_last_request (fixture)), <,
                   tokens * 6 / 10);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* A summary that ends at the model's limit of output does not take the place of the chat: half of
 * the text is tried. What the requests used is that of the turn. */
static void
test_summary_cut_off (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);
  const gint64 tokens = gadget_request_count_tokens (compaction_last_request (fixture));

  fake_provider_text (fixture->provider, "The password is");
  fake_provider_limit (fixture->provider);
  fake_provider_usage (fixture->provider, 100, 20);
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (compaction_is_requested (fixture));
  g_assert_cmpint (gadget_request_count_tokens (compaction_last_request (fixture)), <,
                   tokens * 6 / 10);
  fake_provider_usage (fixture->provider, 50, 30);
  compaction_say (fixture, "The password is apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  fake_provider_usage (fixture->provider, 7, 3);
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpint (gadget_turn_get_usage (turn)->input_tokens, ==, 157);
  g_assert_cmpint (gadget_turn_get_usage (turn)->output_tokens, ==, 53);
  g_assert_false (gadget_turn_get_usage (turn)->estimated);
}

/* A text that is shorter than what may be sent gets shorter with each request, too. */
static void
test_short_text_too_long (AgentFixture *fixture, gconstpointer data)
{
  gint64 tokens;

  compaction_fill (fixture);
  compaction_begin (fixture);
  for (guint i = 0; i < 2; i++)
    {
      tokens = gadget_request_count_tokens (compaction_last_request (fixture));
      compaction_fail_too_long (fixture);
      wait_until (fake_provider_is_waiting (fixture->provider));
      g_assert_true (compaction_is_requested (fixture));
      g_assert_cmpint (gadget_request_count_tokens (compaction_last_request (fixture)), <,
                       tokens * 8 / 10);
    }
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
}

/* A summary that fills what it was to make room for is cut. */
static void
test_long_summary (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 's');
  GadgetTurn *turn;

  compaction_fill (fixture);
  turn = compaction_begin (fixture);
  compaction_say (fixture, words);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_false (compaction_is_requested (fixture));
  g_assert_false (compaction_is_due (compaction_last_request (fixture)));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* Without a summary the tools are left out, when the rest fits. */
static void
test_no_summary_and_no_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  g_assert_cmpuint (compaction_last_request (fixture)->tools->len, ==, 0);
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* A single prompt that is too long cannot be summarized away; but perhaps it fits without tools. */
static void
test_long_prompt (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn = agent_start_streaming (fixture, words);

  compaction_fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (compaction_last_request (fixture)->tools->len, ==, 0);
  compaction_say (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
test_too_long_at_first (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn = agent_start_streaming (fixture, words);

  refuse_until_it_fails (fixture);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

static void
test_abort_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("compaction/too-long", test_too_long);
  agent_test_add ("compaction/too-long-twice", test_too_long_twice);
  agent_test_add ("compaction/too-long-and-no-summary", test_too_long_and_no_summary);
  agent_test_add ("compaction/summary-too-long", test_summary_too_long);
  agent_test_add ("compaction/summary-cut-off", test_summary_cut_off);
  agent_test_add ("compaction/short-text-too-long", test_short_text_too_long);
  agent_test_add ("compaction/long-summary", test_long_summary);
  agent_test_add ("compaction/no-summary-and-no-tools", test_no_summary_and_no_tools);
  agent_test_add ("compaction/long-prompt", test_long_prompt);
  agent_test_add ("compaction/too-long-at-first", test_too_long_at_first);
  agent_test_add ("compaction/L5-abort-too-long", test_abort_too_long);
  agent_test_add ("compaction/describing-aborted", test_describing_aborted);
  agent_test_add ("compaction/describing-at-the-end", test_describing_at_the_end);
  agent_test_add ("compaction/describing-abort-at-the-end", test_describing_abort_at_the_end);
  agent_test_add ("compaction/scripts", test_scripts);

  return g_test_run ();
}
