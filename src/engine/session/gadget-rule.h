/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RULE (gadget_rule_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRule, gadget_rule, GADGET, RULE, GObject)

/**
 * GadgetRuleKind:
 *
 * What a rule is about: a kind of access (see #GadgetAccessKind), or all that a tool asks for.
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
} GadgetRuleKind;

/**
 * GadgetRuleScope:
 * @GADGET_RULE_SESSION: in one chat, and gone with it
 * @GADGET_RULE_WORKSPACE: in every chat of one folder
 * @GADGET_RULE_ALWAYS: everywhere
 *
 * What is allowed once leaves no rule.
 */
typedef enum
{
  GADGET_RULE_SESSION,
  GADGET_RULE_WORKSPACE,
  GADGET_RULE_ALWAYS,
} GadgetRuleScope;

/**
 * GadgetRuleData:
 * @id: (nullable): %NULL for a new one
 * @subject: on what; by kind
 *     read, write: a canonical absolute path
 *     command, network: words, or a whole command line
 *     host: "host", "host:port" or "*.domain"
 *     mcp: "server/tool" or a server
 *     tool: its name
 * @exact: the subject is all of it; otherwise what a command begins with, a folder with all that
 *   is in it, all tools of a server
 * @deny: it refuses, and wins over any that allows
 * @unconfined: it allows also what is confined to nothing
 * @session: (nullable): the chat's id, for that scope
 * @workspace: (nullable): the folder, for that scope
 * @fingerprint: (nullable): of one MCP tool, see #GadgetAccess: it holds only as long as the server
 *   says the same of the tool. %NULL for a rule that has not been used, "" for one that says nothing
 *   of what the tool was then, and so allows nothing
 * @origin: what was asked when it was made, for people
 * @made_at: milliseconds since 1970
 * @used_at: when it last decided something; 0 for never
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

/* One thing that may, or may never, be done without asking. Immutable but for "used-at", which is
 * notified. */
GadgetRule           *gadget_rule_new                (const GadgetRuleData *data);
const GadgetRuleData *gadget_rule_get_data           (GadgetRule           *self);
void                  gadget_rule_set_used_at        (GadgetRule           *self,
                                                      gint64                ms);

/* Whether it holds in that chat and folder. */
gboolean              gadget_rule_holds_in           (GadgetRule           *self,
                                                      const char           *session,
                                                      const char           *workspace);

/* Whether two mean the same. */
gboolean              gadget_rule_equal              (GadgetRule           *self,
                                                      GadgetRule           *other);

const char           *gadget_rule_kind_to_string     (GadgetRuleKind        kind);
gboolean              gadget_rule_kind_from_string   (const char           *name,
                                                      GadgetRuleKind       *kind);
const char           *gadget_rule_scope_to_string    (GadgetRuleScope       scope);
gboolean              gadget_rule_scope_from_string  (const char           *name,
                                                      GadgetRuleScope      *scope);

G_END_DECLS
