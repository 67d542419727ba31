/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

G_BEGIN_DECLS

/* Says to other processes that this one shows a session, or is about to write to it. Any number of
 * processes may have a session's open lock; one process has it once, and counts references. Ends
 * with the process, however that ends. */
typedef struct _GadgetOpenLock GadgetOpenLock;

GadgetOpenLock *gadget_open_lock_new          (const char     *directory,
                                               const char     *session_id);
GadgetOpenLock *gadget_open_lock_ref          (GadgetOpenLock *self);
void            gadget_open_lock_unref        (GadgetOpenLock *self);

/* Whether no other process has it at the moment. */
gboolean        gadget_open_lock_is_alone     (GadgetOpenLock *self);

/* Tells all who have it that the session was deleted; by whoever has the session's lease. */
void            gadget_open_lock_mark_deleted (GadgetOpenLock *self);
gboolean        gadget_open_lock_is_deleted   (GadgetOpenLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenLock, gadget_open_lock_unref)

G_END_DECLS
