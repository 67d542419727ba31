/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-call.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CALL_BATCH (gadget_call_batch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCallBatch, gadget_call_batch, GADGET, CALL_BATCH, GObject)

/* A batch has the tool calls of one step of the model. They start in the same iteration of the main
 * context, and the batch ends when all have settled. While they run, the phase of the turn shows
 * whether one of them asks the user something. A batch needs at least one call when it runs. */
GadgetCallBatch *_gadget_call_batch_new        (GadgetClock         *clock,
                                                GadgetRun           *run,
                                                GadgetTurn          *turn);
void             _gadget_call_batch_add        (GadgetCallBatch     *self,
                                                GadgetCall          *call);
/* Calls back when all calls have settled. It cannot fail. */
void             _gadget_call_batch_run_async  (GadgetCallBatch     *self,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
void             _gadget_call_batch_run_finish (GadgetCallBatch     *self,
                                                GAsyncResult        *result);
/* Returns whether all calls have settled. */
gboolean         _gadget_call_batch_is_settled (GadgetCallBatch     *self);

/* Ends all calls that have not settled, without waiting for their tools. */
void             _gadget_call_batch_stop_waiting (GadgetCallBatch   *self);

/* (transfer none) (nullable): the call of that id, unless it has settled. */
GadgetCall      *_gadget_call_batch_find       (GadgetCallBatch     *self,
                                                const char          *call_id);
/* Stops one call; the turn goes on. Returns FALSE if the call has settled or is not in the batch.
 * After 3 s without an end its item is marked as unresponsive. */
gboolean         _gadget_call_batch_stop       (GadgetCallBatch     *self,
                                                const char          *call_id);
/* Called when the run was aborted: marks the items of calls that have not settled after 3 s as
 * unresponsive. */
void             _gadget_call_batch_watch      (GadgetCallBatch     *self);

G_END_DECLS
