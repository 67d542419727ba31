/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-run.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REGISTRY (gadget_registry_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRegistry, gadget_registry, GADGET, REGISTRY, GObject)

#define GADGET_ABORT_SIGNALED "Abort signaled"
#define GADGET_ABORT_NOTHING "No active work order to abort"

/**
 * GadgetAbortAck:
 * @aborted: whether anything was aborted
 * @message: %GADGET_ABORT_SIGNALED or %GADGET_ABORT_NOTHING
 * @runs: the ids of the runs that were aborted
 *
 * The acknowledgment of an abort. It says that the abort was accepted, not that the work has
 * stopped; GadgetAgent::completed says that.
 */
typedef struct
{
  gboolean aborted;
  const char *message;
  char **runs;
} GadgetAbortAck;

void            gadget_abort_ack_free         (GadgetAbortAck  *ack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAbortAck, gadget_abort_ack_free)

/* All runs of this process that are going on, of every kind. Signals: "added" (GadgetRun);
 * "removed" (GadgetRun); and "abort-all", for work that is stopped together with all runs and is
 * not a run, whose handlers return whether there was such work. */
GadgetRegistry *gadget_registry_new           (void);
void            gadget_registry_add           (GadgetRegistry  *self,
                                               GadgetRun       *run);
void            gadget_registry_remove        (GadgetRegistry  *self,
                                               GadgetRun       *run);
GadgetRun      *gadget_registry_find          (GadgetRegistry  *self,
                                               const char      *run_id);
GPtrArray      *gadget_registry_list          (GadgetRegistry  *self);
GadgetAbortAck *gadget_registry_abort         (GadgetRegistry  *self,
                                               const char      *session_id,
                                               const char      *run_id,
                                               GadgetStopReason reason);
GadgetAbortAck *gadget_registry_abort_all     (GadgetRegistry  *self,
                                               GadgetStopReason reason);
gboolean        gadget_registry_abort_uploads (GadgetRegistry  *self);

G_END_DECLS
