/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-run.h"
#include "tools/policy/gadget-policy.h"
#include "tools/gadget-task-host.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CALL (gadget_call_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCall, gadget_call, GADGET, CALL, GObject)

/* One tool call, from the model's arguments to its settled item: permission, work, result. A call
 * always settles its item and never fails. See gadget-call.c. */
GadgetCall *_gadget_call_new               (GadgetRun              *run,
                                            GadgetTool             *tool,
                                            const char             *workspace,
                                            GadgetPolicy           *policy,
                                            const GadgetPolicyCase *given,
                                            GadgetTaskHost         *task_host,
                                            GadgetEffects          *effects);
/* Sets the versions of the files that the model has read in the chat. Without it the tool knows of
 * none. */
void        _gadget_call_set_versions_read (GadgetCall             *self,
                                            GadgetVersionsRead     *versions);
/* (transfer none) */
GadgetItem *_gadget_call_get_item          (GadgetCall             *self);
/* Runs the call. Called once; the item is settled when CALLBACK is called. */
void        _gadget_call_run_async         (GadgetCall             *self,
                                            GAsyncReadyCallback     callback,
                                            gpointer                user_data);
void        _gadget_call_run_finish        (GadgetCall             *self,
                                            GAsyncResult           *result);
void        _gadget_call_stop              (GadgetCall             *self);
void        _gadget_call_stop_waiting      (GadgetCall             *self);

G_END_DECLS
