/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Models that have no room for what the tools are. */

#include "config.h"

#include "agent-fixture.h"
#include "agent/gadget-context-fit.h"
#include "store/gadget-store-providers.h"
#include "test-store.h"
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

/* Returns how often. */
static guint
refuse_until_no_tools (AgentFixture *fixture)
{
  guint n = 0;

  for (; n < 12 && last_request (fixture)->tools->len > 0; n++)
    refuse_and_wait (fixture);
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  return n;
}

static void
left_out_cb (GadgetAgent *agent, GadgetSession *session, GadgetTurn *turn, guint n_offered,
             guint n_left_out, GPtrArray *told)
{
  g_ptr_array_add (
      told, g_strdup_printf ("%s %u %u", gadget_session_get_id (session), n_offered, n_left_out));
}

/* A model that cannot read what it is told gets a short text, then a few tools without words, then
 * none; and hardly more in the next turn. The user is told once, when it has answered. */
static void
test_fewer_tools (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");
  GadgetTurn *next;
  gsize length;

  g_signal_connect (fixture->agent, "tools-left-out", G_CALLBACK (left_out_cb), told);
  g_assert_nonnull (strstr (find_offered (fixture, "task")->schema, "\"description\":\""));
  length = strlen (last_request (fixture)->system);
  refuse_and_wait (fixture);
  g_assert_cmpuint (strlen (last_request (fixture)->system), <, length / 2);
  g_assert_nonnull (find_offered (fixture, "slow"));
  refuse_and_wait (fixture);
  g_assert_null (find_offered (fixture, "slow"));
  /* The argument of that name is still there. */
  g_assert_nonnull (strstr (find_offered (fixture, "task")->schema, "\"description\":{"));
  g_assert_null (strstr (find_offered (fixture, "task")->schema, "\"description\":\""));
  refuse_until_no_tools (fixture);
  g_assert_cmpuint (told->len, ==, 0);
  fake_provider_text (fixture->provider, "Hello.");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (told->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (told, 0), ==, "session 0 4");

  fixture->n_completed = 0;
  next = agent_start_streaming (fixture, "again");
  g_assert_cmpuint (last_request (fixture)->tools->len, <=, 1);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, next);
  g_assert_cmpuint (told->len, ==, 1);
  g_signal_handlers_disconnect_by_data (fixture->agent, told);
}

/* With none there is nothing more that could be left out. */
static void
test_fewer_tools_and_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  refuse_until_no_tools (fixture);
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

/* --- What is known about a model -------------------------------------------------------------- */

typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetModelLimits *limits;
} LimitsFixture;

static void
begin_limits (LimitsFixture *fixture)
{
  fixture->store = test_store_open (fixture->directory);
  fixture->limits = _gadget_model_limits_new (fixture->store);
  _gadget_model_limits_load (fixture->limits);
}

static void
end_limits (LimitsFixture *fixture)
{
  g_clear_pointer (&fixture->limits, _gadget_model_limits_unref);
  test_store_close (fixture->store);
  wait_idle ();
}

/* It does one thing after the other. */
static void
wait_for_store (LimitsFixture *fixture)
{
  GAsyncResult *result = NULL;

  gadget_store_get_setting_async (fixture->store, "none", test_result_cb, &result);
  g_object_unref (test_take_result (&result));
}

static void
limits_set_up (LimitsFixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  begin_limits (fixture);
}

static void
limits_tear_down (LimitsFixture *fixture, gconstpointer data)
{
  end_limits (fixture);
  test_dir_free (fixture->directory);
}

/* A chat of @words tokens, and tools of 2,000. */
static GadgetRequest *
make_request (guint words, guint n_messages)
{
  GadgetRequest *request = gadget_request_new ();
  g_autofree char *text = g_strnfill (4 * (gsize) words / n_messages, 'w');

  for (guint i = 0; i < n_messages; i++)
    gadget_request_add_message (request, i % 2 == 0 ? GADGET_ROLE_USER : GADGET_ROLE_ASSISTANT,
                                text);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *name = i == 0 ? g_strdup ("shell") : g_strdup_printf ("tool%u", i);
      g_autofree char *description = g_strnfill (900 + 20 * (gsize) i, 'd');

      gadget_request_add_tool (request, name, description, "{}");
    }
  return request;
}

static gboolean
has_tool (GadgetRequest *request, const char *name)
{
  for (guint i = 0; i < request->tools->len; i++)
    if (g_str_equal (((GadgetToolSpec *) g_ptr_array_index (request->tools, i))->name, name))
      return TRUE;
  return FALSE;
}

/* With a small window the tools get a quarter of what a request may fill: the largest go first, and
 * a chat that would fit without them goes on. */
static void
test_small_window (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "small");
  g_autoptr (GadgetRequest) begin = make_request (500, 5);
  g_autoptr (GadgetRequest) request = make_request (2900, 5);
  g_autoptr (GadgetRequest) longer = make_request (3600, 5);

  limit->context_length = 9000;
  limit->percent = 160;
  g_assert_cmpint (_gadget_model_limit_get_window (limit), ==, 5625);
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, begin, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SEND);
  g_assert_cmpuint (begin->tools->len, ==, 8);
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, request, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SEND);
  g_assert_cmpuint (request->tools->len, ==, 5);
  g_assert_true (has_tool (request, "shell") && has_tool (request, "tool1"));
  g_assert_false (has_tool (request, "tool7"));
  g_assert_cmpint (gadget_request_count_tokens (request), <=, 5625 * 8 / 10);
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, longer, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SUMMARIZE);
  /* That was tried: the rest fits without tools. */
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, longer, 0, FALSE), ==,
                   GADGET_CONTEXT_FIT_SEND);
  g_assert_cmpint (gadget_request_count_tokens (longer), <=, 5625 * 8 / 10);
  g_assert_cmpint (limit->tool_tokens, >, 0);
}

/* With a very small one they get an eighth of it from the start. */
static void
test_smallest_window (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "smallest");
  g_autoptr (GadgetRequest) request = make_request (500, 5);

  limit->context_length = 8192;
  g_assert_true (_gadget_model_limit_is_small (limit));
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, request, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SEND);
  g_assert_cmpuint (request->tools->len, ==, 4);
  g_assert_true (has_tool (request, "shell"));
  g_assert_cmpint (gadget_request_count_tool_tokens (request), <=, 8192 / 8);
  g_assert_cmpint (limit->tool_tokens, ==, -1);
  limit->context_length = 8193;
  g_assert_false (_gadget_model_limit_is_small (limit));
}

/* A model of an unknown window is small if it has refused little. */
static void
test_refused_little (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "unknown");

  g_assert_false (_gadget_model_limit_is_small (limit));
  _gadget_model_limits_learn_refusal (fixture->limits, limit, 20000);
  g_assert_false (_gadget_model_limit_is_small (limit));
  _gadget_model_limits_learn_refusal (fixture->limits, limit, 4000);
  g_assert_true (_gadget_model_limit_is_small (limit));
  limit->context_length = 100000;
  g_assert_false (_gadget_model_limit_is_small (limit));
}

/* A large one is not for the tools to make room in. */
static void
test_large_window (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "large");
  g_autoptr (GadgetRequest) request = make_request (100000, 5);

  limit->context_length = 100000;
  g_assert_cmpint (_gadget_context_fit (fixture->limits, limit, request, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SUMMARIZE);
  g_assert_cmpuint (request->tools->len, ==, 8);
  g_assert_cmpint (limit->tool_tokens, ==, -1);
}

/* What a provider tells of its model's tokens counts more than the estimate. */
static void
test_vocabulary (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "bytes");

  limit->context_length = 4096;
  g_assert_cmpint (_gadget_model_limit_get_window (limit), ==, 4096);
  _gadget_model_limits_learn (fixture->limits, limit, 100, 300); /* too small to say something */
  _gadget_model_limits_learn (fixture->limits, limit, 1000, 900);
  g_assert_cmpint (_gadget_model_limit_get_window (limit), ==, 4096);
  _gadget_model_limits_learn (fixture->limits, limit, 1000, 2000);
  g_assert_cmpint (_gadget_model_limit_get_window (limit), ==, 2048);
  _gadget_model_limits_learn_refusal (fixture->limits, limit, 1024);
  g_assert_cmpint (_gadget_model_limit_get_window (limit), ==, 1024);
}

/* It is known after an exit, as long as the provider is there. */
static void
test_stored (LimitsFixture *fixture, gconstpointer data)
{
  GadgetModelLimit *limit = _gadget_model_limits_get (fixture->limits, "p", "small/model");
  GadgetModelLimit *other = _gadget_model_limits_get (fixture->limits, "pp", "m");
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("p", NULL, GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://h/v1", NULL);
  GAsyncResult *result = NULL;

  limit->context_length = 4096;
  _gadget_model_limits_set_tool_tokens (fixture->limits, limit, 1024);
  _gadget_model_limits_learn (fixture->limits, limit, 1000, 1500);
  _gadget_model_limits_set_tool_tokens (fixture->limits, other, 100);
  gadget_store_save_provider_async (fixture->store, config, NULL, NULL);
  end_limits (fixture);
  begin_limits (fixture);
  wait_for_store (fixture);
  limit = _gadget_model_limits_get (fixture->limits, "p", "small/model");
  g_assert_cmpint (limit->context_length, ==, 4096);
  g_assert_cmpint (limit->tool_tokens, ==, 1024);
  g_assert_cmpuint (limit->percent, ==, 150);
  g_assert_false (limit->lowered);

  gadget_store_remove_provider_async (fixture->store, "p", test_result_cb, &result);
  g_object_unref (test_take_result (&result));
  end_limits (fixture);
  begin_limits (fixture);
  wait_for_store (fixture);
  g_assert_cmpint (_gadget_model_limits_get (fixture->limits, "p", "small/model")->tool_tokens, ==,
                   -1);
  g_assert_cmpint (_gadget_model_limits_get (fixture->limits, "pp", "m")->tool_tokens, ==, 100);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("offer/fewer-tools", test_fewer_tools);
  agent_test_add ("offer/fewer-tools-and-too-long", test_fewer_tools_and_too_long);
  agent_test_add ("offer/abort", test_abort_fewer_tools);
#define ADD(path, function)                                                                        \
  g_test_add ("/engine/agent/offer/" path, LimitsFixture, NULL, limits_set_up, function,           \
              limits_tear_down)
  ADD ("small-window", test_small_window);
  ADD ("smallest-window", test_smallest_window);
  ADD ("refused-little", test_refused_little);
  ADD ("large-window", test_large_window);
  ADD ("vocabulary", test_vocabulary);
  ADD ("stored", test_stored);

  return g_test_run ();
}
