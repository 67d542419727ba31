/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"

G_BEGIN_DECLS

/* Rules in words, for people. All (transfer full). */

/* A button's label: what an answer that makes rules of PATTERNS does. */
char *gadget_rule_words_dup_offer   (GPtrArray       *patterns,
                                     GadgetRuleScope  scope,
                                     gboolean         deny);

/* A sentence: exactly what rules of PATTERNS would allow. */
char *gadget_rule_words_dup_reach   (GPtrArray       *patterns);

/* Why PROMPT, of which no rule can be made, can be allowed only once. */
const char *gadget_rule_words_get_once (GadgetPrompt *prompt);

/* What a rule made from PROMPT says it was made from. */
char *gadget_rule_words_dup_origin  (GadgetPrompt    *prompt);

/* "Commands that begin with “git status”" */
char *gadget_rule_words_dup_what    (GadgetRule      *rule);

/* "In ~/Projects/gadget" */
char *gadget_rule_words_dup_where   (GadgetRule      *rule);

G_END_DECLS
