/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-open-lock.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The open locks that this process has: one a session, as long as somebody here shows the session or
 * is about to write to it. Reference-counted. */
typedef struct _GadgetOpenSessions GadgetOpenSessions;

GadgetOpenSessions *_gadget_open_sessions_new        (GadgetStore         *store);
GadgetOpenSessions *_gadget_open_sessions_ref        (GadgetOpenSessions  *self);
void                _gadget_open_sessions_unref      (GadgetOpenSessions  *self);

/* Each hold is to be given back. */
void                _gadget_open_sessions_hold       (GadgetOpenSessions  *self,
                                                      const char          *session_id);
void                _gadget_open_sessions_release    (GadgetOpenSessions  *self,
                                                      const char          *session_id);

/* (transfer none) (nullable) */
GadgetOpenLock     *_gadget_open_sessions_get_lock   (GadgetOpenSessions  *self,
                                                      const char          *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenSessions, _gadget_open_sessions_unref)

G_END_DECLS
