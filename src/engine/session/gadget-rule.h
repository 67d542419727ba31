/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RULE (gadget_rule_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRule, gadget_rule, GADGET, RULE, GObject)

/**
 * GadgetRuleKind:
 *
 * The kinds of rules: one for each kind of access (see #GadgetAccessKind), and one for all accesses
 * of a tool.
 */
typedef enum
{
  GADGET_RULE_READ,
  GADGET_RULE_WRITE,
  GADGET_RULE_COMMAND,
  GADGET_RULE_HOST,
  GADGET_RULE_NETWORK,
  GADGET_RULE_MCP,
  GADGET_RULE_TOOL,
  GADGET_RULE_INSTRUCTIONS,
} GadgetRuleKind;

/**
 * GadgetRuleScope:
 * @GADGET_RULE_SESSION: in one chat; deleted with it
 * @GADGET_RULE_WORKSPACE: in every chat with one folder
 * @GADGET_RULE_ALWAYS: everywhere
 *
 * Where a rule holds. Something that is allowed only once makes no rule.
 */
typedef enum
{
  GADGET_RULE_SESSION,
  GADGET_RULE_WORKSPACE,
  GADGET_RULE_ALWAYS,
} GadgetRuleScope;

/**
 * GadgetRuleData:
 * @id: (nullable): %NULL for a new rule
 * @kind: the kind of rule
 * @subject: the object of the access, depending on the kind
 *     read, write: a canonical absolute path
 *     command, network: words, or a whole command line
 *     host: "host", "host:port" or "*.domain"
 *     mcp: "server/tool" or a server
 *     tool: the tool's name
 * @exact: the subject must match completely; otherwise it is the beginning of a command, a folder
 *   with everything in it, or all tools of a server
 * @deny: the rule denies the access, and overrides any rule that allows it
 * @unconfined: the rule also allows accesses that are not confined
 * @scope: where the rule holds
 * @session: (nullable): the chat's id, for the scope SESSION
 * @workspace: (nullable): the folder, for the scope WORKSPACE
 * @fingerprint: (nullable): for one MCP tool and for instructions, see #GadgetAccess: the rule
 *   holds only as long as the server describes the tool in the same way, or the file has the same text.
 *   %NULL for a rule that has not been used; "" for one that does not know how the tool was
 *   described, and therefore allows nothing
 * @origin: the question that the rule was made from, as the user saw it
 * @made_at: milliseconds since 1970
 * @used_at: when the rule last decided something, in milliseconds since 1970; 0 for never
 *
 * The contents of a rule. The strings are borrowed in an argument, and owned by the rule in
 * gadget_rule_get_data ().
 */
typedef struct
{
  const char *id;
  GadgetRuleKind kind;
  const char *subject;
  gboolean exact;
  gboolean deny;
  gboolean unconfined;
  GadgetRuleScope scope;
  const char *session;
  const char *workspace;
  const char *fingerprint;
  const char *origin;
  gint64 made_at;
  gint64 used_at;
} GadgetRuleData;

/* Something that may, or must never, be done without asking the user. Immutable except for the
 * property "used-at", which is notified. */
GadgetRule           *gadget_rule_new                (const GadgetRuleData *data);
const GadgetRuleData *gadget_rule_get_data           (GadgetRule           *self);
void                  gadget_rule_set_used_at        (GadgetRule           *self,
                                                      gint64                ms);

/* Returns whether the rule holds in a chat (its id) with a folder (nullable). */
gboolean              gadget_rule_holds_in           (GadgetRule           *self,
                                                      const char           *session,
                                                      const char           *workspace);

/* Returns whether two rules have the same meaning. */
gboolean              gadget_rule_equal              (GadgetRule           *self,
                                                      GadgetRule           *other);

/* The names of kinds and scopes in the store (static). The functions that read a name return FALSE
 * for an unknown one. */
const char           *gadget_rule_kind_to_string     (GadgetRuleKind        kind);
gboolean              gadget_rule_kind_from_string   (const char           *name,
                                                      GadgetRuleKind       *kind);
const char           *gadget_rule_scope_to_string    (GadgetRuleScope       scope);
gboolean              gadget_rule_scope_from_string  (const char           *name,
                                                      GadgetRuleScope      *scope);

G_END_DECLS
