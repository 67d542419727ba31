/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "test-store.h"
#include "tools/policy/gadget-policy.h"

G_BEGIN_DECLS

/* A policy with a store, and a chat in /srv/chat. */
typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetPolicy *policy;
  GadgetSession *chat;
} PolicyFixture;

/* One check; what is set before it starts: approval, nobody. */
typedef struct
{
  GadgetPrompt *prompt;
  GadgetItem *item;
  GCancellable *cancellable;
  GadgetApproval approval;
  gboolean nobody;
  gboolean done;
  gboolean allowed;
  GError *error;
} PolicyCheck;

#define POLICY_ASKS (-2)
#define POLICY_ALLOWS (-1)

#define policy_test_add(path, function)                                                            \
  g_test_add ("/engine/policy/" path, PolicyFixture, NULL, policy_set_up, function,                \
              policy_tear_down)

void          policy_set_up        (PolicyFixture    *fixture,
                                    gconstpointer     data);
void          policy_tear_down     (PolicyFixture    *fixture,
                                    gconstpointer     data);

GadgetPrompt *policy_make_prompt   (GadgetAccessKind  kind,
                                    const char       *subject,
                                    gboolean          confined);
void          policy_check_start   (PolicyFixture    *fixture,
                                    PolicyCheck      *check,
                                    GadgetPrompt     *prompt);
void          policy_check_clear   (PolicyCheck      *check);
gboolean      policy_is_asking     (PolicyCheck      *check);

/* What comes of it without an answer: POLICY_ALLOWS, POLICY_ASKS or a GadgetPermissionError. */
int           policy_judge         (PolicyFixture    *fixture,
                                    GadgetApproval    approval,
                                    gboolean          nobody,
                                    GadgetAccessKind  kind,
                                    const char       *subject,
                                    gboolean          confined);
int           policy_judge_command (PolicyFixture    *fixture,
                                    const char       *line);

/* Asks, and gives the answer. */
void          policy_answer        (PolicyFixture    *fixture,
                                    GadgetPrompt     *prompt,
                                    const char       *with,
                                    gboolean          allowed);
void          policy_allow_command (PolicyFixture    *fixture,
                                    const char       *line,
                                    const char       *with);
void          policy_add_rule      (PolicyFixture    *fixture,
                                    GadgetRuleKind    kind,
                                    const char       *subject,
                                    gboolean          exact,
                                    gboolean          deny);
guint         policy_count_rules   (PolicyFixture    *fixture);

G_END_DECLS
