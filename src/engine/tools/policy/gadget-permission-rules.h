/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-rule.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PERMISSION_RULES (gadget_permission_rules_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPermissionRules, gadget_permission_rules, GADGET, PERMISSION_RULES, GObject)

/* All permission rules: a #GListModel of #GadgetRule, the same as on disk. */
GadgetPermissionRules *gadget_permission_rules_new            (GadgetStore           *store);

/* Reads the rules from disk again. This also happens by itself when another process has written. */
void                   gadget_permission_rules_refresh_async  (GadgetPermissionRules *self,
                                                               GAsyncReadyCallback    callback,
                                                               gpointer               user_data);
gboolean               gadget_permission_rules_refresh_finish (GadgetPermissionRules *self,
                                                               GAsyncResult          *result,
                                                               GError               **error);

/* Makes a rule hold from now on. A rule that means the same as an existing one is ignored. */
void                   gadget_permission_rules_add            (GadgetPermissionRules *self,
                                                               GadgetRule            *rule);

/* Adds a rule, and revokes rules for the same MCP tool or instructions as they were at another
 * time. With STORED it is
 * written to disk; without, it is one of an incognito chat, and holds as long as that is open. */
void                   gadget_permission_rules_replace        (GadgetPermissionRules *self,
                                                               GadgetRule            *rule,
                                                               gboolean               stored);

/* An incognito chat is stored from now on, and so are its rules; or it is closed. */
void                   gadget_permission_rules_keep           (GadgetPermissionRules *self,
                                                               const char            *session_id);
void                   gadget_permission_rules_forget         (GadgetPermissionRules *self,
                                                               const char            *session_id);

/* Revoked rules do not hold any longer, from now on. */
void                   gadget_permission_rules_revoke         (GadgetPermissionRules *self,
                                                               GadgetRule            *rule);
void                   gadget_permission_rules_revoke_all     (GadgetPermissionRules *self);
/* Notes that the rule decided something now; written to disk at most once a minute. */
void                   gadget_permission_rules_note_used      (GadgetPermissionRules *self,
                                                               GadgetRule            *rule);

/* Returns: (transfer full) (element-type GadgetRule): the rules that hold in a chat and its
 * folder. */
GPtrArray             *gadget_permission_rules_list           (GadgetPermissionRules *self,
                                                               const char            *session,
                                                               const char            *workspace);

G_END_DECLS
