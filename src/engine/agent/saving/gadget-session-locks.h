/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/lease/gadget-open-lock.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The locks of sessions that this process has: the lease of each session with a turn, a late
 * commit, or an edit that needs it; and the open lock of each session that some part of the process
 * shows or is about to write to. Reference-counted. */
typedef struct _GadgetSessionLocks GadgetSessionLocks;

GadgetSessionLocks *gadget_session_locks_new           (GadgetStore        *store);
GadgetSessionLocks *gadget_session_locks_ref           (GadgetSessionLocks *self);
void                gadget_session_locks_unref         (GadgetSessionLocks *self);

/* Count the users of a session's lease: the first acquire_lease () takes it, the last
 * release_lease () releases it. acquire_lease () fails with GADGET_AGENT_ERROR_BUSY_ELSEWHERE if
 * another process has the lease, or with GADGET_AGENT_ERROR_FAILED. Each success has to be undone
 * with release_lease (). */
gboolean            gadget_session_locks_acquire_lease (GadgetSessionLocks *self,
                                                        const char         *session_id,
                                                        GError            **error);
void                gadget_session_locks_release_lease (GadgetSessionLocks *self,
                                                        const char         *session_id);

/* Count the users of a session's open lock in the same way. Each acquire_open () has to be undone
 * with release_open (). */
void                gadget_session_locks_acquire_open  (GadgetSessionLocks *self,
                                                        const char         *session_id);
void                gadget_session_locks_release_open  (GadgetSessionLocks *self,
                                                        const char         *session_id);
/* (transfer none) (nullable): the open lock of the session; NULL if the session is not held, or if
 * its lock could not be taken. */
GadgetOpenLock     *gadget_session_locks_get_open_lock (GadgetSessionLocks *self,
                                                        const char         *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetSessionLocks, gadget_session_locks_unref)

G_END_DECLS
