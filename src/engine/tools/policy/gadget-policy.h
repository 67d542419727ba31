/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-permission-rules.h"
#include "session/gadget-item.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_POLICY (gadget_policy_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPolicy, gadget_policy, GADGET, POLICY, GObject)

/**
 * GadgetApproval:
 * @GADGET_APPROVAL_SESSION: the mode of the chat decides, also when it is changed during the turn
 * @GADGET_APPROVAL_ASK: like %GADGET_MODE_ASK
 * @GADGET_APPROVAL_AUTO: like %GADGET_MODE_SANDBOX, but nobody is asked: everything else is refused
 * @GADGET_APPROVAL_NEVER: like %GADGET_MODE_READ_ONLY
 *
 * The decision of a turn's starter about permissions.
 */
typedef enum
{
  GADGET_APPROVAL_SESSION,
  GADGET_APPROVAL_ASK,
  GADGET_APPROVAL_AUTO,
  GADGET_APPROVAL_NEVER,
} GadgetApproval;

#define GADGET_PERMISSION_ERROR (gadget_permission_error_quark ())
GQuark                 gadget_permission_error_quark (void);

/**
 * GadgetPermissionError:
 * @GADGET_PERMISSION_ERROR_DENIED: the user denied it, now or by a rule
 * @GADGET_PERMISSION_ERROR_REFUSED: the mode does not allow it
 * @GADGET_PERMISSION_ERROR_NOBODY: nobody is there to ask
 *
 * Errors of gadget_policy_check_async ().
 */
typedef enum
{
  GADGET_PERMISSION_ERROR_DENIED,
  GADGET_PERMISSION_ERROR_REFUSED,
  GADGET_PERMISSION_ERROR_NOBODY,
} GadgetPermissionError;

/**
 * GadgetPolicyCase:
 * @chat: the user's chat; for a subagent the one that started it
 * @approval: what the starter of the turn decided
 * @interactive: whether somebody is there to answer
 * @item: the call's item
 *
 * On whose behalf a call is checked. The members are only borrowed for the call.
 */
typedef struct
{
  GadgetSession *chat;
  GadgetApproval approval;
  gboolean interactive;
  GadgetItem *item;
} GadgetPolicyCase;

/* Decides what may be done: by the mode of the chat, by rules, by asking the user. The engine has
 * one. The rules are (transfer none). */
GadgetPolicy          *gadget_policy_new             (GadgetStore            *store);
GadgetPermissionRules *gadget_policy_get_rules       (GadgetPolicy           *self);

/* Returns whether any call of a tool that needs at least @access could be allowed; otherwise the
 * tool need not be offered. A call that comes nevertheless is decided like any other. */
gboolean               gadget_policy_may_allow       (GadgetPolicy           *self,
                                                      GadgetSession          *chat,
                                                      GadgetApproval          approval,
                                                      const char             *tool,
                                                      const GadgetAccess     *access);

/* Decides whether a call may start. The engine calls this before a tool starts; tools never do. A
 * prompt that must be asked is set on the item until it is answered, or dismissed by @cancellable
 * (%G_IO_ERROR_CANCELLED). */
void                   gadget_policy_check_async     (GadgetPolicy           *self,
                                                      const GadgetPolicyCase *given,
                                                      GadgetPrompt           *prompt,
                                                      GCancellable           *cancellable,
                                                      GAsyncReadyCallback     callback,
                                                      gpointer                user_data);
gboolean               gadget_policy_check_finish    (GadgetPolicy           *self,
                                                      GAsyncResult           *result,
                                                      GError                **error);

G_END_DECLS
