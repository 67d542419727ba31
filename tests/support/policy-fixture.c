/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "policy-fixture.h"

#include "wait.h"

void
policy_set_up (PolicyFixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
  fixture->policy = gadget_policy_new (fixture->store);
  fixture->chat = gadget_session_new ("chat");
  gadget_session_set_loaded (fixture->chat, TRUE);
  gadget_session_set_workspace (fixture->chat, "/srv/chat");
  test_store_save (fixture->store, fixture->chat);
}

void
policy_tear_down (PolicyFixture *fixture, gconstpointer data)
{
  wait_idle ();
  g_object_add_weak_pointer (G_OBJECT (fixture->policy), (gpointer *) &fixture->policy);
  g_object_unref (fixture->policy);
  g_assert_null (fixture->policy);
  g_object_unref (fixture->chat);
  test_store_close (fixture->store);
  test_dir_free (fixture->directory);
}

/* --- One check -------------------------------------------------------------------------------- */

GadgetPrompt *
policy_make_prompt (GadgetAccessKind kind, const char *subject, gboolean confined)
{
  GadgetPrompt *prompt =
      gadget_prompt_new_permission ("shell", "Run this command?", subject, "In /srv/chat");

  gadget_prompt_add_access (prompt, kind, subject, confined);
  return prompt;
}

static void
decided_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  PolicyCheck *check = user_data;

  check->allowed = gadget_policy_check_finish (GADGET_POLICY (source), result, &check->error);
  check->done = TRUE;
}

void
policy_check_start (PolicyFixture *fixture, PolicyCheck *check, GadgetPrompt *prompt)
{
  check->prompt = prompt;
  check->item = gadget_item_new_tool_call ("c", "shell");
  check->cancellable = g_cancellable_new ();
  gadget_policy_check_async (
      fixture->policy,
      &(GadgetPolicyCase) { fixture->chat, check->approval, !check->nobody, check->item }, prompt,
      check->cancellable, decided_cb, check);
}

void
policy_check_clear (PolicyCheck *check)
{
  g_assert_true (check->done);
  g_assert_null (gadget_item_get_prompt (check->item));
  g_clear_object (&check->prompt);
  g_clear_object (&check->item);
  g_clear_object (&check->cancellable);
  g_clear_error (&check->error);
}

gboolean
policy_is_asking (PolicyCheck *check)
{
  return gadget_item_get_prompt (check->item) != NULL;
}

int
policy_judge (PolicyFixture *fixture, GadgetApproval approval, gboolean nobody,
              GadgetAccessKind kind, const char *subject, gboolean confined)
{
  PolicyCheck check = { .approval = approval, .nobody = nobody };
  int outcome;

  policy_check_start (fixture, &check, policy_make_prompt (kind, subject, confined));
  wait_until (check.done || policy_is_asking (&check));
  if (policy_is_asking (&check))
    {
      outcome = POLICY_ASKS;
      g_cancellable_cancel (check.cancellable);
      wait_until (check.done);
      g_assert_error (check.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  else if (check.allowed)
    {
      outcome = POLICY_ALLOWS;
    }
  else
    {
      g_assert_true (check.error->domain == GADGET_PERMISSION_ERROR);
      outcome = check.error->code;
    }
  policy_check_clear (&check);
  return outcome;
}

int
policy_judge_command (PolicyFixture *fixture, const char *line)
{
  return policy_judge (fixture, GADGET_APPROVAL_SESSION, FALSE, GADGET_ACCESS_COMMAND, line, TRUE);
}

void
policy_answer (PolicyFixture *fixture, GadgetPrompt *prompt, const char *with, gboolean allowed)
{
  PolicyCheck check = { 0 };

  policy_check_start (fixture, &check, prompt);
  wait_until (check.done || policy_is_asking (&check));
  g_assert_true (policy_is_asking (&check));
  g_assert_true (gadget_prompt_answer (prompt, with));
  wait_until (check.done);
  g_assert_cmpint (check.allowed, ==, allowed);
  policy_check_clear (&check);
}

void
policy_allow_command (PolicyFixture *fixture, const char *line, const char *with)
{
  policy_answer (fixture, policy_make_prompt (GADGET_ACCESS_COMMAND, line, TRUE), with, TRUE);
}

void
policy_add_rule (PolicyFixture *fixture, GadgetRuleKind kind, const char *subject, gboolean exact,
                 gboolean deny)
{
  const GadgetRuleData data = { .kind = kind,
                                .subject = subject,
                                .exact = exact,
                                .deny = deny,
                                .unconfined = TRUE,
                                .scope = GADGET_RULE_ALWAYS,
                                .origin = "a test" };
  g_autoptr (GadgetRule) rule = gadget_rule_new (&data);

  gadget_permission_rules_add (gadget_policy_get_rules (fixture->policy), rule);
}

guint
policy_count_rules (PolicyFixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gadget_policy_get_rules (fixture->policy)));
}
