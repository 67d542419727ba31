/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"

G_BEGIN_DECLS

/**
 * GadgetVerdict:
 * @GADGET_VERDICT_NONE: no rule says anything
 * @GADGET_VERDICT_ALLOW: rules allow all of it
 * @GADGET_VERDICT_DENY: a rule refuses it
 * @GADGET_VERDICT_UNSURE: there are rules that refuse, and whether they are meant cannot be told:
 *   it is allowed by nobody but the user
 */
typedef enum
{
  GADGET_VERDICT_NONE,
  GADGET_VERDICT_ALLOW,
  GADGET_VERDICT_DENY,
  GADGET_VERDICT_UNSURE,
} GadgetVerdict;

/* What RULES, all of which hold here, say to one access of a tool. REAL_PATH (nullable) is where a
 * path leads to once links are followed. The rules that decided are added to USED (nullable). Pure:
 * nothing on disk is looked at. */
GadgetVerdict  gadget_rule_match          (GPtrArray          *rules,
                                           const char         *tool,
                                           const GadgetAccess *access,
                                           const char         *real_path,
                                           GPtrArray          *used);

/* Whether one of RULES would allow an MCP tool, were it still what it was when it was allowed. */
gboolean       gadget_rule_match_changed  (GPtrArray          *rules,
                                           const GadgetAccess *access);

/* Whether one of RULES allows some call of a tool that needs ACCESS; its subject is %NULL when that
 * depends on the call. */
gboolean       gadget_rule_match_may_allow (GPtrArray         *rules,
                                           const char         *tool,
                                           const GadgetAccess *access);

/**
 * GadgetRulePattern:
 *
 * What of a rule can be told from what is asked; see #GadgetRuleData.
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

/* What would have to be allowed for PROMPT to be, no more of it than is safe: NULL where nothing
 * is. LASTING says whether it may be so for longer than a chat. (element-type GadgetRulePattern)
 * (transfer full) */
GPtrArray *gadget_rule_derive             (GadgetPrompt       *prompt,
                                           const char         *workspace,
                                           gboolean           *lasting);

/* What refusing PROMPT in future would be; NULL where that is not one thing. */
GPtrArray *gadget_rule_derive_denial      (GadgetPrompt       *prompt);

G_END_DECLS
