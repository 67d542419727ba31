/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The leases that this process holds: one a session, as long as a turn of it, or a commit that is
 * late, needs it. Reference-counted. */
typedef struct _GadgetLeases GadgetLeases;

GadgetLeases *_gadget_leases_new   (GadgetStore   *store);
GadgetLeases *_gadget_leases_ref   (GadgetLeases  *self);
void          _gadget_leases_unref (GadgetLeases  *self);

/* Each success is to be given back. Fails with a GADGET_AGENT_ERROR. */
gboolean      _gadget_leases_hold  (GadgetLeases  *self,
                                    const char    *session_id,
                                    GError       **error);
void          _gadget_leases_drop  (GadgetLeases  *self,
                                    const char    *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLeases, _gadget_leases_unref)

G_END_DECLS
