/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The leases that this process holds: one for each session with a turn, a late commit, or an edit
 * that needs it. Reference-counted. */
typedef struct _GadgetLeases GadgetLeases;

GadgetLeases *gadget_leases_new   (GadgetStore  *store);
GadgetLeases *gadget_leases_ref   (GadgetLeases *self);
void          gadget_leases_unref (GadgetLeases *self);

/* Count the users of a session's lease: the first hold () takes it, the last drop () releases it.
 * hold () fails with GADGET_AGENT_ERROR_BUSY_ELSEWHERE if another process has the lease, or with
 * GADGET_AGENT_ERROR_FAILED. Each success has to be undone with drop (). */
gboolean      gadget_leases_hold  (GadgetLeases *self,
                                   const char   *session_id,
                                   GError      **error);
void          gadget_leases_drop  (GadgetLeases *self,
                                   const char   *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLeases, gadget_leases_unref)

G_END_DECLS
