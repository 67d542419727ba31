/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-rule-book.h"
#include "session/gadget-item.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

#define GADGET_TYPE_POLICY (gadget_policy_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPolicy, gadget_policy, GADGET, POLICY, GObject)

/**
 * GadgetApproval:
 * @GADGET_APPROVAL_SESSION: as the chat's mode says, now and whenever it is changed
 * @GADGET_APPROVAL_ASK: as in %GADGET_MODE_ASK
 * @GADGET_APPROVAL_AUTO: as in %GADGET_MODE_SANDBOX, but nobody is asked: the rest is refused
 * @GADGET_APPROVAL_NEVER: as in %GADGET_MODE_READ_ONLY
 *
 * What whoever starts a turn says about permissions.
 */
typedef enum
{
  GADGET_APPROVAL_SESSION,
  GADGET_APPROVAL_ASK,
  GADGET_APPROVAL_AUTO,
  GADGET_APPROVAL_NEVER,
} GadgetApproval;

#define GADGET_PERMISSION_ERROR (gadget_permission_error_quark ())
GQuark gadget_permission_error_quark (void);

/**
 * GadgetPermissionError:
 * @GADGET_PERMISSION_ERROR_DENIED: the user said no, now or by a rule
 * @GADGET_PERMISSION_ERROR_REFUSED: the mode says no
 * @GADGET_PERMISSION_ERROR_NOBODY: nobody is there to ask
 */
typedef enum
{
  GADGET_PERMISSION_ERROR_DENIED,
  GADGET_PERMISSION_ERROR_REFUSED,
  GADGET_PERMISSION_ERROR_NOBODY,
} GadgetPermissionError;

/**
 * GadgetPolicyCase:
 * @chat: the chat of the user's that it is for; that of a subagent is the one that started it
 * @approval: what the starter of the turn said
 * @interactive: whether somebody is there to answer
 * @item: the call's item
 *
 * For whom something is asked. Lent.
 */
typedef struct
{
  GadgetSession *chat;
  GadgetApproval approval;
  gboolean interactive;
  GadgetItem *item;
} GadgetPolicyCase;

/* Decides what may be done: by the mode of the chat, by rules, by asking. One for the engine. */
GadgetPolicy   *gadget_policy_new          (GadgetStore             *store);
GadgetRuleBook *gadget_policy_get_rules    (GadgetPolicy            *self);

/* Whether some call of a tool that needs ACCESS at least could be allowed: else it need not be
 * offered. A call that comes all the same is decided as any other. */
gboolean        gadget_policy_may_allow    (GadgetPolicy            *self,
                                            GadgetSession           *chat,
                                            GadgetApproval           approval,
                                            const char              *tool,
                                            const GadgetAccess      *access);

/* Decides before a tool starts, never from tool code. A prompt that has to be asked is on the item
 * until it is answered or, by the cancellable, dismissed (%G_IO_ERROR_CANCELLED). */
void            gadget_policy_check_async  (GadgetPolicy            *self,
                                            const GadgetPolicyCase  *given,
                                            GadgetPrompt            *prompt,
                                            GCancellable            *cancellable,
                                            GAsyncReadyCallback      callback,
                                            gpointer                 user_data);
gboolean        gadget_policy_check_finish (GadgetPolicy            *self,
                                            GAsyncResult            *result,
                                            GError                 **error);

G_END_DECLS
