/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-open-lock.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The open locks of this process: one for each session that some part of the process shows or is
 * about to write to. Reference-counted. */
typedef struct _GadgetOpenSessions GadgetOpenSessions;

GadgetOpenSessions *gadget_open_sessions_new      (GadgetStore        *store);
GadgetOpenSessions *gadget_open_sessions_ref      (GadgetOpenSessions *self);
void                gadget_open_sessions_unref    (GadgetOpenSessions *self);

/* Count the users of a session: the first hold () takes its open lock, the last release () drops
 * it. Each hold () has to be undone with a release (). */
void                gadget_open_sessions_hold     (GadgetOpenSessions *self,
                                                   const char         *session_id);
void                gadget_open_sessions_release  (GadgetOpenSessions *self,
                                                   const char         *session_id);

/* (transfer none) (nullable): the lock of the session; NULL if the session is not held, or if its
 * lock could not be taken. */
GadgetOpenLock     *gadget_open_sessions_get_lock (GadgetOpenSessions *self,
                                                   const char         *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenSessions, gadget_open_sessions_unref)

G_END_DECLS
