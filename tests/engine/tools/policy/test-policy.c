/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who may do what without being asked: modes and approvals. */

#include "config.h"

#include "policy-fixture.h"
#include "wait.h"

/* --- Modes ------------------------------------------------------------------------------------ */

static void
test_modes (PolicyFixture *fixture, gconstpointer data)
{
  const int refused = GADGET_PERMISSION_ERROR_REFUSED;
  const struct
  {
    GadgetAccessKind kind;
    const char *subject;
    gboolean confined;
    int outcomes[4]; /* ask, accept edits, read only, sandbox */
  } cases[] = {
    { GADGET_ACCESS_READ,
      "/srv/chat/a",
      TRUE,
      { POLICY_ASKS, POLICY_ALLOWS, POLICY_ALLOWS, POLICY_ALLOWS } },
    { GADGET_ACCESS_READ,
      "/etc/passwd",
      FALSE,
      { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_WRITE,
      "/srv/chat/a",
      TRUE,
      { POLICY_ASKS, POLICY_ALLOWS, refused, POLICY_ALLOWS } },
    { GADGET_ACCESS_WRITE,
      "/srv/other/a",
      FALSE,
      { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_COMMAND, "make", TRUE, { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ALLOWS } },
    { GADGET_ACCESS_COMMAND, "make", FALSE, { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_NETWORK, "make", FALSE, { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_HOST,
      "example.org",
      FALSE,
      { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_MCP, "server/tool", FALSE, { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ASKS } },
    { GADGET_ACCESS_MCP,
      "server/tool",
      TRUE,
      { POLICY_ASKS, POLICY_ASKS, refused, POLICY_ALLOWS } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint mode = 0; mode < 4; mode++)
      {
        gadget_session_set_mode (fixture->chat, (GadgetMode) mode);
        g_test_message ("case %u, %s", i, gadget_mode_to_string ((GadgetMode) mode));
        g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_SESSION, FALSE, cases[i].kind,
                                       cases[i].subject, cases[i].confined),
                         ==, cases[i].outcomes[mode]);
      }
}

static void
test_approvals (PolicyFixture *fixture, gconstpointer data)
{
  const GadgetAccessKind command = GADGET_ACCESS_COMMAND;
  const int refused = GADGET_PERMISSION_ERROR_REFUSED;

  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_ASK, FALSE, command, "ls", TRUE), ==,
                   POLICY_ASKS);
  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_ASK, TRUE, command, "ls", TRUE), ==,
                   GADGET_PERMISSION_ERROR_NOBODY);
  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_AUTO, TRUE, command, "ls", TRUE), ==,
                   POLICY_ALLOWS);
  /* Also where somebody sits: that is what was asked for. */
  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_AUTO, FALSE, command, "ls", FALSE), ==,
                   refused);
  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_NEVER, FALSE, command, "ls", TRUE), ==,
                   refused);
  g_assert_cmpint (
      policy_judge (fixture, GADGET_APPROVAL_NEVER, TRUE, GADGET_ACCESS_READ, "/srv/chat/a", TRUE),
      ==, POLICY_ALLOWS);
  /* What the starter says counts, not the mode. */
  gadget_session_set_mode (fixture->chat, GADGET_MODE_SANDBOX);
  g_assert_cmpint (policy_judge (fixture, GADGET_APPROVAL_ASK, FALSE, command, "ls", TRUE), ==,
                   POLICY_ASKS);
}

static gboolean
may_allow (PolicyFixture *fixture, GadgetApproval approval, GadgetAccessKind kind, char *subject,
           gboolean confined)
{
  const GadgetAccess access = { .kind = kind, .subject = subject, .confined = confined };

  return gadget_policy_may_allow (fixture->policy, fixture->chat, approval, "tool", &access);
}

/* What can be told before there is a call: what is refused whatever it is on, and rules that could
 * allow it. */
static void
test_may_allow (PolicyFixture *fixture, gconstpointer data)
{
  static char mcp[] = "server/tool";
  static char other[] = "other/tool";

  for (guint approval = GADGET_APPROVAL_SESSION; approval <= GADGET_APPROVAL_NEVER; approval++)
    {
      const gboolean open = approval <= GADGET_APPROVAL_ASK;
      const gboolean sandbox = approval != GADGET_APPROVAL_NEVER;

      g_test_message ("approval %u", approval);
      g_assert_cmpint (may_allow (fixture, approval, GADGET_ACCESS_WRITE, NULL, TRUE), ==, sandbox);
      g_assert_cmpint (may_allow (fixture, approval, GADGET_ACCESS_COMMAND, NULL, TRUE), ==,
                       sandbox);
      g_assert_cmpint (may_allow (fixture, approval, GADGET_ACCESS_COMMAND, NULL, FALSE), ==, open);
      g_assert_cmpint (may_allow (fixture, approval, GADGET_ACCESS_HOST, NULL, FALSE), ==, open);
      g_assert_cmpint (may_allow (fixture, approval, GADGET_ACCESS_MCP, mcp, FALSE), ==, open);
      g_assert_true (may_allow (fixture, approval, GADGET_ACCESS_READ, NULL, TRUE));
    }
  policy_add_rule (fixture, GADGET_RULE_MCP, mcp, TRUE, FALSE);
  policy_add_rule (fixture, GADGET_RULE_HOST, "example.org", TRUE, FALSE);
  policy_add_rule (fixture, GADGET_RULE_COMMAND, "make", TRUE, FALSE);
  g_assert_true (may_allow (fixture, GADGET_APPROVAL_AUTO, GADGET_ACCESS_MCP, mcp, FALSE));
  g_assert_false (may_allow (fixture, GADGET_APPROVAL_AUTO, GADGET_ACCESS_MCP, other, FALSE));
  g_assert_true (may_allow (fixture, GADGET_APPROVAL_AUTO, GADGET_ACCESS_HOST, NULL, FALSE));
  g_assert_true (may_allow (fixture, GADGET_APPROVAL_AUTO, GADGET_ACCESS_COMMAND, NULL, FALSE));
  g_assert_false (may_allow (fixture, GADGET_APPROVAL_NEVER, GADGET_ACCESS_MCP, mcp, FALSE));
}

/* All of what is asked for must be allowed. */
static void
test_every_access (PolicyFixture *fixture, gconstpointer data)
{
  PolicyCheck check = { 0 };
  GadgetPrompt *prompt = policy_make_prompt (GADGET_ACCESS_WRITE, "/srv/chat/a", TRUE);

  gadget_session_set_mode (fixture->chat, GADGET_MODE_ACCEPT_EDITS);
  gadget_prompt_add_access (prompt, GADGET_ACCESS_WRITE, "/srv/other", FALSE);
  policy_check_start (fixture, &check, prompt);
  wait_until (policy_is_asking (&check));
  g_cancellable_cancel (check.cancellable);
  wait_until (check.done);
  policy_check_clear (&check);
}

static void
test_without_access (PolicyFixture *fixture, gconstpointer data)
{
  for (guint mode = 0; mode < 4; mode++)
    {
      PolicyCheck check = { 0 };

      gadget_session_set_mode (fixture->chat, (GadgetMode) mode);
      policy_check_start (fixture, &check,
                          gadget_prompt_new_permission ("x", "Do it?", "it", NULL));
      wait_until (check.done || policy_is_asking (&check));
      g_assert_cmpint (policy_is_asking (&check), ==, mode != GADGET_MODE_READ_ONLY);
      if (policy_is_asking (&check))
        {
          const char *const *choices = gadget_prompt_get_choices (check.prompt);

          g_assert_cmpuint (g_strv_length ((char **) choices), ==, 2);
          g_assert_true (gadget_prompt_answer (check.prompt, GADGET_PROMPT_DENY));
        }
      wait_until (check.done);
      g_assert_false (check.allowed);
      policy_check_clear (&check);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  policy_test_add ("modes", test_modes);
  policy_test_add ("approvals", test_approvals);
  policy_test_add ("may-allow", test_may_allow);
  policy_test_add ("every-access", test_every_access);
  policy_test_add ("without-access", test_without_access);
  return g_test_run ();
}
