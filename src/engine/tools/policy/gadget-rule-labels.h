/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"

G_BEGIN_DECLS

/* Texts for the user about rules, translated. All (transfer full), except the static text of
 * gadget_rule_labels_get_once (). */

/* A button's label: what an answer that makes rules from @patterns (GadgetRulePattern) does. */
char       *gadget_rule_labels_dup_offer  (GPtrArray      *patterns,
                                           GadgetRuleScope scope,
                                           gboolean        deny);

/* A sentence that says exactly what rules made from @patterns would allow. */
char       *gadget_rule_labels_dup_rules  (GPtrArray      *patterns);

/* Says why @prompt, from which no rule can be made, can be allowed only once. */
const char *gadget_rule_labels_get_once   (GadgetPrompt   *prompt);

/* Says what a rule made from @prompt was made for. */
char       *gadget_rule_labels_dup_origin (GadgetPrompt   *prompt);

/* Says what a rule is about, such as "Commands that begin with “git status”". */
char       *gadget_rule_labels_dup_what   (GadgetRule     *rule);

/* Says where a rule holds, such as "In ~/Projects/gadget". */
char       *gadget_rule_labels_dup_where  (GadgetRule     *rule);

G_END_DECLS
