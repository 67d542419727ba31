/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-call.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CALL_BATCH (gadget_call_batch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCallBatch, gadget_call_batch, GADGET, CALL_BATCH, GObject)

/* The tool calls of one step of the model: they start in the same iteration and settle as one
 * batch. While they run the turn's phase tells whether one of them asks something. */
GadgetCallBatch *_gadget_call_batch_new        (GadgetClock         *clock,
                                                GadgetRun           *run,
                                                GadgetTurn          *turn);
void             _gadget_call_batch_add        (GadgetCallBatch     *self,
                                                GadgetCall          *call);
/* Calls back when none of them is in flight any more. It cannot fail. */
void             _gadget_call_batch_run_async  (GadgetCallBatch     *self,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
void             _gadget_call_batch_run_finish (GadgetCallBatch     *self,
                                                GAsyncResult        *result);
gboolean         _gadget_call_batch_is_settled (GadgetCallBatch     *self);

/* Ends the calls that have not settled without their tools. */
void             _gadget_call_batch_stop_waiting (GadgetCallBatch   *self);

/* (nullable): a call that has not settled */
GadgetCall      *_gadget_call_batch_find       (GadgetCallBatch     *self,
                                                const char          *call_id);
/* Stops one call, the turn goes on. FALSE when it is not in flight. */
gboolean         _gadget_call_batch_stop       (GadgetCallBatch     *self,
                                                const char          *call_id);
/* The run was aborted: what has not ended in 3 s is marked as unresponsive. */
void             _gadget_call_batch_watch      (GadgetCallBatch     *self);

G_END_DECLS
