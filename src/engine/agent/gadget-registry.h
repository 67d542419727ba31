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
 * @runs: the ids of the runs that were
 *
 * The acknowledgement of an abort. It says that the stop was taken, not that it is done: for that
 * see GadgetAgent::completed.
 */
typedef struct
{
  gboolean aborted;
  const char *message;
  char **runs;
} GadgetAbortAck;

void            gadget_abort_ack_free      (GadgetAbortAck   *ack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAbortAck, gadget_abort_ack_free)

/* Every run that is going on, of every kind and starter. Signals: "added" (GadgetRun),
 * "removed" (GadgetRun), and "abort-all", for what is stopped with all runs and is none itself: a
 * handler answers whether there was anything. */
GadgetRegistry *gadget_registry_new        (void);
void            gadget_registry_add        (GadgetRegistry   *self,
                                            GadgetRun        *run);
void            gadget_registry_remove     (GadgetRegistry   *self,
                                            GadgetRun        *run);
GadgetRun      *gadget_registry_find       (GadgetRegistry   *self,
                                            const char       *run_id);
GPtrArray      *gadget_registry_list       (GadgetRegistry   *self);
GadgetAbortAck *gadget_registry_abort      (GadgetRegistry   *self,
                                            const char       *session_id,
                                            const char       *run_id,
                                            GadgetStopReason  reason);
GadgetAbortAck *gadget_registry_abort_all  (GadgetRegistry   *self,
                                            GadgetStopReason  reason);
gboolean        gadget_registry_abort_besides (GadgetRegistry *self);

G_END_DECLS
