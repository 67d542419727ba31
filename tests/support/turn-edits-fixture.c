/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "turn-edits-fixture.h"

#include "strict-request.h"
#include "test-store.h"
#include "wait.h"

#include "agent/gadget-turn-edits.h"
#include "session/gadget-history.h"

GadgetTurn *
edits_say (AgentFixture *fixture, const char *prompt, const char *answer)
{
  const guint n = fixture->n_completed;
  GadgetTurn *turn = agent_start_streaming (fixture, prompt);

  subagent_say (fixture, answer);
  wait_until (fixture->n_completed == n + 1);
  return turn;
}

/* "a b c": the prompts of the chat. */
char *
edits_dup_prompts (GadgetSession *session)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            gadget_turn_get_prompt (gadget_session_get_turn (session, i)));
  return g_string_free_and_steal (text);
}

void
edits_expect_memory (GadgetSession *session, const char *prompts)
{
  g_autofree char *text = edits_dup_prompts (session);

  g_assert_cmpstr (text, ==, prompts);
}

/* In memory, and on disk as somebody else reads it. */
void
edits_expect (AgentFixture *fixture, const char *prompts)
{
  g_autoptr (GadgetSession) fresh = test_store_load (fixture->store, "session");

  edits_expect_memory (fixture->session, prompts);
  edits_expect_memory (fresh, prompts);
}

gboolean
edits_delete (AgentFixture *fixture, const char *turn_id, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_turn_edits_delete_async (fixture->agent, fixture->session, turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_turn_edits_delete_finish (result, error);
}

void
edits_delete_nth (AgentFixture *fixture, guint nth)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id =
      g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, nth)));

  edits_delete (fixture, id, &error);
  g_assert_no_error (error);
}

void
edits_restore (AgentFixture *fixture, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_turn_edits_restore_async (fixture->agent, fixture->session, turn_id, test_result_cb,
                                   &slot);
  result = test_take_result (&slot);
  gadget_turn_edits_restore_finish (result, &error);
  g_assert_no_error (error);
}

void
edits_start_over (AgentFixture *fixture, guint index, const char *prompt, const char *answer)
{
  static const GadgetTurnOptions options = { 0 };
  const guint n = fixture->n_completed;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start_over (fixture->agent, fixture->session, index, prompt, &options, &error);

  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, answer);
  wait_until (fixture->n_completed == n + 1);
}

/* The words of the request that is sent now, were the next prompt "next". */
char *
edits_dup_request (AgentFixture *fixture)
{
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "next");
  g_autoptr (GadgetRequest) request = NULL;
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < gadget_session_get_n_turns (fixture->session); i++)
    g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (fixture->session, i)));
  gadget_session_append (fixture->session, next);
  request = gadget_history_build (fixture->session, NULL);
  gadget_session_set_turns (fixture->session, turns);
  strict_request_assert (request);
  for (guint i = 0; i < request->messages->len; i++)
    g_string_append_printf (text, "%s\n", request_get_text (request, i));
  return g_string_free_and_steal (text);
}

GPtrArray *
edits_list_effects (GadgetStore *store, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GPtrArray *rows;

  gadget_store_list_effects_async (store, turn_id == NULL ? "session" : NULL, turn_id,
                                   test_result_cb, &slot);
  result = test_take_result (&slot);
  rows = gadget_store_list_effects_finish (store, result, NULL);
  g_assert_nonnull (rows);
  return rows;
}

void
edits_put_on_record (GadgetStore *store, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const GadgetEffectRow row = {
    .turn_id = (char *) turn_id,
    .call_turn_id = (char *) turn_id,
    .kind = GADGET_EFFECT_COMMAND,
    .subject = (char *) "make",
    .recording = GADGET_RECORDING_NONE,
  };
  gint64 number;

  gadget_store_begin_effect_async (store, &row, "nobody", test_result_cb, &slot);
  result = test_take_result (&slot);
  number = gadget_store_begin_effect_finish (store, result, NULL);
  g_assert_cmpint (number, >, 0);
  gadget_store_end_effect (store, number, "exit 0");
}
