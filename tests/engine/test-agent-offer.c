/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Models that have no room for what the tools are. */

#include "config.h"

#include "agent-fixture.h"
#include "wait.h"

#include <string.h>

static GadgetRequest *
last_request (AgentFixture *fixture)
{
  return fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
}

static void
fail_too_long (AgentFixture *fixture)
{
  fake_provider_fail (fixture->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                      GADGET_PROVIDER_ERROR_CONTEXT, "too long"));
}

static const GadgetToolSpec *
find_offered (AgentFixture *fixture, const char *name)
{
  const GPtrArray *tools = last_request (fixture)->tools;

  for (guint i = 0; i < tools->len; i++)
    if (g_str_equal (((GadgetToolSpec *) g_ptr_array_index (tools, i))->name, name))
      return g_ptr_array_index (tools, i);
  return NULL;
}

static void
refuse_and_wait (AgentFixture *fixture)
{
  const guint n = fake_provider_get_n_requests (fixture->provider);

  fail_too_long (fixture);
  wait_until (fake_provider_get_n_requests (fixture->provider) == n + 1
              && fake_provider_is_waiting (fixture->provider));
}

/* A model that cannot read what the tools are is offered a few without words, then none; and the
 * same in the next turn. */
static void
test_fewer_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");
  GadgetTurn *next;

  g_assert_nonnull (strstr (find_offered (fixture, "task")->schema, "\"description\":\""));
  g_assert_nonnull (find_offered (fixture, "slow"));
  refuse_and_wait (fixture);
  g_assert_null (find_offered (fixture, "slow"));
  g_assert_nonnull (find_offered (fixture, "ask_user"));
  /* The argument of that name is still there. */
  g_assert_nonnull (strstr (find_offered (fixture, "task")->schema, "\"description\":{"));
  g_assert_null (strstr (find_offered (fixture, "task")->schema, "\"description\":\""));
  refuse_and_wait (fixture);
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  fake_provider_text (fixture->provider, "Hello.");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);

  fixture->n_completed = 0;
  next = agent_start_streaming (fixture, "again");
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, next);
}

/* With none there is nothing more that could be left out. */
static void
test_fewer_tools_and_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  refuse_and_wait (fixture);
  refuse_and_wait (fixture);
  fail_too_long (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

static void
test_abort_fewer_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  refuse_and_wait (fixture);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("offer/fewer-tools", test_fewer_tools);
  agent_test_add ("offer/fewer-tools-and-too-long", test_fewer_tools_and_too_long);
  agent_test_add ("offer/abort", test_abort_fewer_tools);

  return g_test_run ();
}
