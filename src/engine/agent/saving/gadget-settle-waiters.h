/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"
#include "store/gadget-recovery-file.h"

G_BEGIN_DECLS

/**
 * GadgetSettleWaiters:
 *
 * The tasks that wait until everything that an owner has to save is saved or is in recovery files.
 * Each task waits for a time of its own for the answers of the store, and then a fixed time for the
 * recovery files only.
 */
typedef struct _GadgetSettleWaiters GadgetSettleWaiters;

/* Returns whether nothing has to be waited for any more; if LATE, only recovery files are waited
 * for. */
typedef gboolean (*GadgetSettledFunc) (gpointer owner,
                                       gboolean late);
/* Called when the answers of the store are late: starts to copy everything that is not saved to
 * recovery files. */
typedef void (*GadgetSettleLateFunc)  (gpointer owner);

/* OWNER, which must be a GObject and the source object of the tasks, owns the result. CLOCK is
 * referenced. No task may be waiting when it is freed. */
GadgetSettleWaiters *_gadget_settle_waiters_new    (GadgetClock         *clock,
                                                    GadgetSettledFunc    is_settled,
                                                    GadgetSettleLateFunc begin_late,
                                                    gpointer             owner);
void                 _gadget_settle_waiters_free   (GadgetSettleWaiters *self);

/* Adds TASK (transfer full), which returns TRUE at the end, after at most MILLISECONDS and one
 * second for the files. The caller then starts the writes and calls check (). */
void                 _gadget_settle_waiters_add    (GadgetSettleWaiters *self,
                                                    GTask               *task,
                                                    guint                milliseconds);
/* Called when something has changed that the GadgetSettledFunc looks at: returns from the tasks
 * that need not wait any more. */
void                 _gadget_settle_waiters_check  (GadgetSettleWaiters *self);

/* Removes FILE (transfer full) in a thread. The tasks wait for this, too, because the next start
 * would recover a file that is left. */
void                 _gadget_settle_waiters_remove (GadgetSettleWaiters *self,
                                                    GadgetRecoveryFile  *file);

G_END_DECLS
