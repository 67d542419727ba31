/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What models are sent of a chat from which turns were taken: summaries that stand for them, and
 * the request, for every dialect. */

#include "config.h"

#include "strict-body.h"
#include "turn-edits-fixture.h"
#include "wait.h"

#include "providers/gadget-dialects.h"
#include "session/gadget-history.h"

#include <string.h>

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/turn-edits/" path, SubagentFixture, NULL, subagent_set_up, function,        \
              subagent_tear_down)

/* --- Summaries -------------------------------------------------------------------------------- */

static void
summarise (GadgetSession *session, guint index, gboolean marked)
{
  GadgetTurn *turn = gadget_session_get_turn (session, index);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_SUMMARY);

  gadget_item_append_text (item, "the summary", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  if (marked)
    gadget_history_mark_summary (session, turn, item);
  gadget_turn_append (turn, item);
}

static gboolean
has_summary (AgentFixture *fixture)
{
  g_autofree char *request = edits_dup_request (fixture);

  return strstr (request, "the summary") != NULL;
}

static void
test_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  edits_say (fixture, "four", "fourth");
  summarise (fixture->session, 2, TRUE);
  g_assert_true (has_summary (fixture));

  /* What comes behind it is not of it. */
  edits_delete_nth (fixture, 3);
  g_assert_true (has_summary (fixture));

  /* What it stands for is not said any more, and else nothing is missing. */
  edits_delete_nth (fixture, 0);
  g_assert_false (has_summary (fixture));
  {
    g_autofree char *request = edits_dup_request (fixture);

    g_assert_cmpstr (request, ==, "two\nsecond\nthree\nthird\nnext\n");
  }
  edits_restore (fixture, NULL);
  g_assert_true (has_summary (fixture));

  /* One that was made while a turn was out does not say what that said. */
  edits_delete_nth (fixture, 1);
  summarise (fixture->session, 1, TRUE);
  g_assert_true (has_summary (fixture));
  edits_restore (fixture, NULL);
  g_assert_true (has_summary (fixture)); /* the first one */
  edits_start_over (fixture, 0, "new", "other");
  g_assert_false (has_summary (fixture));
}

/* Of before there were marks. */
static void
test_old_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  summarise (fixture->session, 1, FALSE);
  g_assert_true (has_summary (fixture));
  edits_delete_nth (fixture, 0);
  g_assert_false (has_summary (fixture));
}

/* --- Every dialect -------------------------------------------------------------------------- */

static void
check_dialects (AgentFixture *fixture)
{
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "next");
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < gadget_session_get_n_turns (fixture->session); i++)
    g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (fixture->session, i)));
  gadget_session_append (fixture->session, next);
  for (guint i = 0; i < gadget_dialects_get_n (); i++)
    {
      const GadgetModelSupport terms = { 0 };
      g_autoptr (GadgetRequest) request = gadget_history_build (fixture->session, NULL);
      g_autoptr (GBytes) body = NULL;
      g_autofree char *wrong = NULL;
      const char *text;
      gsize length;

      gadget_request_add_tool (request, "slow", "Waits.", "{\"type\":\"object\"}");
      body = gadget_dialects_get (i)->make_chat_body (request, "model", &terms);
      text = g_bytes_get_data (body, &length);
      wrong = strict_find (gadget_dialects_get (i)->kind.id)->check (text, length, NULL);
      g_assert_cmpstr (wrong, ==, NULL);
    }
  gadget_session_set_turns (fixture->session, turns);
}

/* Turns with calls, an aborted one, one of which nothing came: whichever is missing. */
static void
test_dialects (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  agent_start_streaming (fixture, "two");
  agent_run_two_calls (fixture);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  agent_start_streaming (fixture, "three");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
  edits_say (fixture, "four", "fourth");
  check_dialects (fixture);
  for (guint mask = 1; mask < 16; mask++)
    {
      guint n_deleted = 0;

      for (guint i = 4; i > 0; i--)
        if (mask & (1u << (i - 1)))
          {
            edits_delete_nth (fixture, i - 1);
            n_deleted++;
          }
      check_dialects (fixture);
      while (n_deleted-- > 0)
        edits_restore (fixture, NULL);
      edits_expect (fixture, "one two three four");
    }
  edits_start_over (fixture, 1, "again", "other");
  check_dialects (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("summary", test_summary);
  ADD ("old-summary", test_old_summary);
  ADD ("dialects", test_dialects);
  return g_test_run ();
}
