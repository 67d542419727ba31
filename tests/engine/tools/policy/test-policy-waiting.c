/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prompts that wait, and rules and modes that are kept and revoked. */

#include "config.h"

#include "policy-fixture.h"
#include "wait.h"

/* --- Waiting ---------------------------------------------------------------------------------- */

#define N_WAITING 5

static void
start_waiting (PolicyFixture *fixture, PolicyCheck *checks)
{
  static const char *const commands[N_WAITING] = { "git status", "git status -s",
                                                   "ls && git status", "git log", "make" };

  for (guint i = 0; i < N_WAITING; i++)
    policy_check_start (fixture, &checks[i],
                        policy_make_prompt (GADGET_ACCESS_COMMAND, commands[i], TRUE));
  for (guint i = 0; i < N_WAITING; i++)
    wait_until (policy_is_asking (&checks[i]));
}

static void
test_rule_answers_others (PolicyFixture *fixture, gconstpointer data)
{
  PolicyCheck checks[N_WAITING] = { 0 };

  start_waiting (fixture, checks);
  g_assert_true (gadget_prompt_answer (checks[0].prompt, GADGET_PROMPT_ALLOW_SESSION));
  wait_until (checks[0].done && checks[1].done);
  g_assert_true (checks[0].allowed && checks[1].allowed);
  test_run_for (20);
  for (guint i = 2; i < N_WAITING; i++)
    g_assert_true (policy_is_asking (&checks[i]) && !checks[i].done);

  /* A mode does so as well; Read Only refuses. */
  gadget_session_set_mode (fixture->chat, GADGET_MODE_READ_ONLY);
  for (guint i = 2; i < N_WAITING; i++)
    {
      wait_until (checks[i].done);
      g_assert_error (checks[i].error, GADGET_PERMISSION_ERROR, GADGET_PERMISSION_ERROR_REFUSED);
    }
  for (guint i = 0; i < N_WAITING; i++)
    policy_check_clear (&checks[i]);
}

static void
test_mode_answers (PolicyFixture *fixture, gconstpointer data)
{
  PolicyCheck checks[N_WAITING] = { 0 };

  start_waiting (fixture, checks);
  gadget_session_set_mode (fixture->chat, GADGET_MODE_SANDBOX);
  for (guint i = 0; i < N_WAITING; i++)
    {
      wait_until (checks[i].done);
      g_assert_true (checks[i].allowed);
      policy_check_clear (&checks[i]);
    }
}

static void
test_queue_dismissed (PolicyFixture *fixture, gconstpointer data)
{
  PolicyCheck checks[N_WAITING] = { 0 };

  start_waiting (fixture, checks);
  for (guint i = 0; i < N_WAITING; i++)
    g_cancellable_cancel (checks[i].cancellable);
  /* Too late, although nothing was told yet. */
  for (guint i = 0; i < N_WAITING; i++)
    g_assert_false (gadget_prompt_answer (checks[i].prompt, GADGET_PROMPT_ALLOW_SESSION));
  gadget_session_set_mode (fixture->chat, GADGET_MODE_SANDBOX);
  for (guint i = 0; i < N_WAITING; i++)
    {
      wait_until (checks[i].done);
      g_assert_error (checks[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      policy_check_clear (&checks[i]);
    }
  g_assert_cmpuint (policy_count_rules (fixture), ==, 0);
}

static gboolean
dawdle (sqlite3 *db, gpointer data, GError **error)
{
  g_usleep (400 * 1000);
  return TRUE;
}

/* The rules are read behind work that takes long: an abort does not wait for it. */
static void
test_abort_while_reading (PolicyFixture *fixture, gconstpointer data)
{
  PolicyCheck check = { 0 };
  gint64 begin;

  gadget_store_run_async (fixture->store, dawdle, NULL, NULL, NULL, NULL);
  policy_check_start (fixture, &check, policy_make_prompt (GADGET_ACCESS_COMMAND, "ls", TRUE));
  test_run_for (20);
  g_assert_false (check.done);
  begin = g_get_monotonic_time ();
  g_cancellable_cancel (check.cancellable);
  wait_until (check.done);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 200 * 1000);
  g_assert_error (check.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  policy_check_clear (&check);
  test_run_for (500);
}

/* --- On disk ---------------------------------------------------------------------------------- */

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  gadget_permission_rules_refresh_finish (GADGET_PERMISSION_RULES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
refresh (GadgetPermissionRules *rules)
{
  gboolean done = FALSE;

  gadget_permission_rules_refresh_async (rules, refreshed_cb, &done);
  wait_until (done);
}

static void
test_kept (PolicyFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPermissionRules) rules = NULL;
  g_autoptr (GadgetRule) rule = NULL;
  const GadgetRuleData *found;

  policy_allow_command (fixture, "git status -s", GADGET_PROMPT_ALLOW_WORKSPACE);
  g_assert_cmpint (policy_judge_command (fixture, "git status"), ==, POLICY_ALLOWS);
  rules = gadget_permission_rules_new (fixture->store);
  refresh (rules);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rules)), ==, 1);
  rule = g_list_model_get_item (G_LIST_MODEL (rules), 0);
  found = gadget_rule_get_data (rule);
  g_assert_cmpint (found->kind, ==, GADGET_RULE_COMMAND);
  g_assert_cmpstr (found->subject, ==, "git status");
  g_assert_cmpstr (found->workspace, ==, "/srv/chat");
  g_assert_cmpstr (found->origin, ==, "git status -s");
  g_assert_false (found->deny || found->exact || found->unconfined);
  g_assert_cmpint (found->made_at, >, 0);
  g_assert_cmpint (found->used_at, >, 0);
}

/* Another process revokes: here it is so before the next use, without a wait for a notice. */
static void
test_revoked_elsewhere (PolicyFixture *fixture, gconstpointer data)
{
  GadgetStore *other = test_store_open (fixture->directory);
  g_autoptr (GadgetPermissionRules) rules = gadget_permission_rules_new (other);

  policy_allow_command (fixture, "git status", GADGET_PROMPT_ALLOW_WORKSPACE);
  g_assert_cmpint (policy_judge_command (fixture, "git status"), ==, POLICY_ALLOWS);
  refresh (rules);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rules)), ==, 1);
  gadget_permission_rules_revoke_all (rules);
  refresh (rules);
  g_assert_cmpint (policy_judge_command (fixture, "git status"), ==, POLICY_ASKS);
  g_assert_cmpuint (policy_count_rules (fixture), ==, 0);
  g_clear_object (&rules);
  test_store_close (other);
}

static void
test_revoked (PolicyFixture *fixture, gconstpointer data)
{
  GadgetPermissionRules *rules = gadget_policy_get_rules (fixture->policy);
  g_autoptr (GadgetRule) rule = NULL;

  policy_allow_command (fixture, "git status", GADGET_PROMPT_ALLOW_WORKSPACE);
  rule = g_list_model_get_item (G_LIST_MODEL (rules), 0);
  gadget_permission_rules_revoke (rules, rule);
  g_assert_cmpuint (policy_count_rules (fixture), ==, 0);
  g_assert_cmpint (policy_judge_command (fixture, "git status"), ==, POLICY_ASKS);
  refresh (rules);
  g_assert_cmpuint (policy_count_rules (fixture), ==, 0);
}

/* A chat's rules go with it. */
static void
test_goes_with_chat (PolicyFixture *fixture, gconstpointer data)
{
  policy_allow_command (fixture, "git status", GADGET_PROMPT_ALLOW_SESSION);
  policy_allow_command (fixture, "git log", GADGET_PROMPT_ALLOW_WORKSPACE);
  test_store_delete (fixture->store, "chat");
  refresh (gadget_policy_get_rules (fixture->policy));
  g_assert_cmpuint (policy_count_rules (fixture), ==, 1);
}

static void
test_mode_is_kept (PolicyFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) loaded = NULL;

  for (guint mode = 0; mode < 4; mode++)
    {
      gadget_session_set_mode (fixture->chat, (GadgetMode) mode);
      test_store_save (fixture->store, fixture->chat);
      g_clear_object (&loaded);
      loaded = test_store_load (fixture->store, "chat");
      g_assert_cmpint (gadget_session_get_mode (loaded), ==, (int) mode);
    }
  g_assert_cmpint (gadget_mode_from_string ("of-the-future"), ==, GADGET_MODE_READ_ONLY);
}

/* Closed, broken, gone: what cannot be read allows nothing. */
static void
test_unreadable (PolicyFixture *fixture, gconstpointer data)
{
  policy_allow_command (fixture, "git status", GADGET_PROMPT_ALLOW_WORKSPACE);
  policy_add_rule (fixture, GADGET_RULE_COMMAND, "git push", FALSE, TRUE);
  gadget_store_close (fixture->store);
  g_assert_cmpint (policy_judge_command (fixture, "git status"), ==, POLICY_ASKS);
  g_assert_cmpint (policy_judge_command (fixture, "git push"), ==, GADGET_PERMISSION_ERROR_DENIED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  policy_test_add ("rule-answers-others", test_rule_answers_others);
  policy_test_add ("mode-answers", test_mode_answers);
  policy_test_add ("queue-dismissed", test_queue_dismissed);
  policy_test_add ("abort-while-reading", test_abort_while_reading);
  policy_test_add ("kept", test_kept);
  policy_test_add ("revoked-elsewhere", test_revoked_elsewhere);
  policy_test_add ("revoked", test_revoked);
  policy_test_add ("goes-with-chat", test_goes_with_chat);
  policy_test_add ("mode-is-kept", test_mode_is_kept);
  policy_test_add ("unreadable", test_unreadable);
  return g_test_run ();
}
