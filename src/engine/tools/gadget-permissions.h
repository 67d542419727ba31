/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/**
 * GadgetApproval:
 * @GADGET_APPROVAL_ASK: the user is asked each time; refused where nobody is there
 * @GADGET_APPROVAL_AUTO: what stays within the sandbox is allowed, the rest refused
 * @GADGET_APPROVAL_NEVER: refused
 */
typedef enum
{
  GADGET_APPROVAL_ASK,
  GADGET_APPROVAL_AUTO,
  GADGET_APPROVAL_NEVER,
} GadgetApproval;

#define GADGET_PERMISSION_ERROR (gadget_permission_error_quark ())
GQuark gadget_permission_error_quark (void);

/**
 * GadgetPermissionError:
 * @GADGET_PERMISSION_ERROR_DENIED: the user said no
 * @GADGET_PERMISSION_ERROR_REFUSED: the mode says no
 * @GADGET_PERMISSION_ERROR_NOBODY: nobody is there to ask
 */
typedef enum
{
  GADGET_PERMISSION_ERROR_DENIED,
  GADGET_PERMISSION_ERROR_REFUSED,
  GADGET_PERMISSION_ERROR_NOBODY,
} GadgetPermissionError;

/* Decides before a tool starts, never from tool code. A prompt that has to be asked is on the item
 * until it is answered or, by the cancellable, dismissed (%G_IO_ERROR_CANCELLED). */
void     gadget_permissions_check_async  (GadgetApproval        approval,
                                          gboolean              interactive,
                                          GadgetItem           *item,
                                          GadgetPrompt         *prompt,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
gboolean gadget_permissions_check_finish (GAsyncResult         *result,
                                          GError              **error);

G_END_DECLS
