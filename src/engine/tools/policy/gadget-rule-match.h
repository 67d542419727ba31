/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"

G_BEGIN_DECLS

/**
 * GadgetVerdict:
 * @GADGET_VERDICT_NONE: no rule applies
 * @GADGET_VERDICT_ALLOW: rules allow all of it
 * @GADGET_VERDICT_DENY: a rule denies it
 * @GADGET_VERDICT_UNSURE: there are rules that deny, and it cannot be told whether they apply: only
 *   the user can allow it
 *
 * The verdict of the rules about an access.
 */
typedef enum
{
  GADGET_VERDICT_NONE,
  GADGET_VERDICT_ALLOW,
  GADGET_VERDICT_DENY,
  GADGET_VERDICT_UNSURE,
} GadgetVerdict;

/* Matches @rules, all of which hold in the chat, against one access of a tool. @real_path
 * (nullable) is the access's path with symbolic links followed. The rules that decided are added to
 * @used (nullable). Nothing on disk is read. */
GadgetVerdict  gadget_rule_match          (GPtrArray          *rules,
                                           const char         *tool,
                                           const GadgetAccess *access,
                                           const char         *real_path,
                                           GPtrArray          *used);

/* Returns whether one of @rules would allow an MCP tool, or instructions, if these were still what
 * they were when the rule was made. */
gboolean       gadget_rule_match_changed  (GPtrArray          *rules,
                                           const GadgetAccess *access);

/* Returns whether one of @rules allows some call of a tool that needs @access, whose subject is
 * %NULL when it depends on the call. */
gboolean       gadget_rule_match_may_allow (GPtrArray         *rules,
                                           const char         *tool,
                                           const GadgetAccess *access);

/**
 * GadgetRulePattern:
 *
 * The parts of a rule that can be derived from a prompt; see #GadgetRuleData.
 */
typedef struct
{
  GadgetRuleKind kind;
  char *subject;
  gboolean exact;
  gboolean unconfined;
  char *fingerprint;
} GadgetRulePattern;

void       gadget_rule_pattern_free       (gpointer            pattern);

/* Derives from @prompt the rules that would allow it, and no more than is safe. @lasting is set to
 * whether they may hold for longer than a chat. Returns: (transfer full) (nullable) (element-type
 * GadgetRulePattern): NULL when nothing is safe to allow. */
GPtrArray *gadget_rule_derive             (GadgetPrompt       *prompt,
                                           const char         *workspace,
                                           gboolean           *lasting);

/* Derives the rule that would deny what @prompt asks for. Returns: (transfer full) (nullable)
 * (element-type GadgetRulePattern): NULL when that is not a single thing. */
GPtrArray *gadget_rule_derive_denial      (GadgetPrompt       *prompt);

G_END_DECLS
