/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "common/gadget-clock.h"
#include "store/gadget-recovery.h"

G_BEGIN_DECLS

/**
 * GadgetSettlings:
 *
 * The calls that wait until all that its owner has to save is saved, or is in recovery files: as
 * long as each of them says for the store's answers, and then for the files alone.
 */
typedef struct _GadgetSettlings GadgetSettlings;

/* Tells whether nothing is waited for any more; LATE: nothing but files is. */
typedef gboolean (*GadgetSettledFunc) (gpointer owner,
                                       gboolean late);
/* The store's answers come late: whatever is not saved is to be copied to files now. */
typedef void (*GadgetSettleLateFunc)  (gpointer owner);

/* OWNER owns it, and is the source object of its tasks. */
GadgetSettlings *_gadget_settlings_new   (GadgetClock          *clock,
                                          GadgetSettledFunc     is_settled,
                                          GadgetSettleLateFunc  begin_late,
                                          gpointer              owner);
void             _gadget_settlings_free  (GadgetSettlings      *self);

/* Takes TASK, which returns TRUE at the end. The caller begins the writes, and calls check (). */
void             _gadget_settlings_add   (GadgetSettlings      *self,
                                          GTask                *task,
                                          guint                 milliseconds);
/* Something that is_settled () looks at has changed. */
void             _gadget_settlings_check (GadgetSettlings      *self);

/* Removes FILE, which is taken, in a thread. The end waits for that, too: a file that stays is what
 * the next start recovers. */
void             _gadget_settlings_remove (GadgetSettlings     *self,
                                          GadgetRecoveryFile   *file);

G_END_DECLS
