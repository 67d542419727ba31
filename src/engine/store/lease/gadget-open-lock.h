/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

G_BEGIN_DECLS

/* Tells other processes that this one shows a session, or is about to write to it. Any number of
 * processes may have the open lock of a session; each process has it once, and counts references.
 * The lock ends when the process ends, for whatever reason. */
typedef struct _GadgetOpenLock GadgetOpenLock;

GadgetOpenLock *gadget_open_lock_new          (const char     *directory,
                                               const char     *session_id);
/* Reference counting; the last reference releases the lock. */
GadgetOpenLock *gadget_open_lock_ref          (GadgetOpenLock *self);
void            gadget_open_lock_unref        (GadgetOpenLock *self);

/* Tells whether no other process has the lock at the moment. */
gboolean        gadget_open_lock_is_alone     (GadgetOpenLock *self);

/* Tells all processes that have the lock that the session was deleted. The caller of
 * gadget_open_lock_mark_deleted () must hold the session's lease. */
void            gadget_open_lock_mark_deleted (GadgetOpenLock *self);
gboolean        gadget_open_lock_is_deleted   (GadgetOpenLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenLock, gadget_open_lock_unref)

G_END_DECLS
