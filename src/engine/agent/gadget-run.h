/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-receipt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_RUN (gadget_run_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRun, gadget_run, GADGET, RUN, GObject)

/**
 * GadgetRunState:
 * @GADGET_RUN_RUNNING: the run works and can be aborted
 * @GADGET_RUN_SEALING: the outcome is fixed; what the run did is being recorded
 * @GADGET_RUN_ENDED: the run is over, and about to leave the registry
 *
 * The states of a run, in their order.
 */
typedef enum
{
  GADGET_RUN_RUNNING,
  GADGET_RUN_SEALING,
  GADGET_RUN_ENDED,
} GadgetRunState;

/* A run is one piece of work that can be stopped. See gadget-run.c for the rules. Signals:
 * "aborted", once, when an abort is accepted; "ended", once. The getters return what
 * gadget_run_new () was given or has made, (transfer none); the time of the start is in
 * milliseconds since 1970, and the stop reason is GADGET_STOP_NONE unless the run was aborted. */
GadgetRun        *gadget_run_new             (GadgetRunKind     kind,
                                              const char       *id,
                                              const char       *session_id,
                                              const char       *turn_id,
                                              GadgetRun        *parent,
                                              GadgetReceipt    *receipt);
const char       *gadget_run_get_id          (GadgetRun        *self);
GadgetRunKind     gadget_run_get_kind        (GadgetRun        *self);
const char       *gadget_run_get_session_id  (GadgetRun        *self);
const char       *gadget_run_get_turn_id     (GadgetRun        *self);
GadgetRun        *gadget_run_get_parent      (GadgetRun        *self);

/* Returns the run of the user's chat that @self works for: the last one when the parents are
 * followed, which is @self when it has none. (transfer none) */
GadgetRun        *gadget_run_get_uppermost   (GadgetRun        *self);

GadgetReceipt    *gadget_run_get_receipt     (GadgetRun        *self);
gint64            gadget_run_get_started_at  (GadgetRun        *self);
GadgetRunState    gadget_run_get_state       (GadgetRun        *self);
GCancellable     *gadget_run_get_cancellable (GadgetRun        *self);
gboolean          gadget_run_is_aborted      (GadgetRun        *self);
GadgetStopReason  gadget_run_get_stop_reason (GadgetRun        *self);

gboolean          gadget_run_abort           (GadgetRun        *self,
                                              GadgetStopReason  reason);
GadgetStopReason  gadget_run_seal            (GadgetRun        *self);
/* Why the run failed; NULL if it did not. For code that only sees the run end. */
void              gadget_run_set_failure     (GadgetRun        *self,
                                              const char       *message);
const char       *gadget_run_get_failure     (GadgetRun        *self);
void              gadget_run_end             (GadgetRun        *self);

/* Cancellables of single calls within the run. An abort of the run cancels all of them; stopping
 * one call cancels only that one. Every call that was added has to be removed. */
GCancellable     *gadget_run_add_call        (GadgetRun        *self);
void              gadget_run_stop_call       (GadgetRun        *self,
                                              GCancellable     *call);
void              gadget_run_remove_call     (GadgetRun        *self,
                                              GCancellable     *call);

G_END_DECLS
