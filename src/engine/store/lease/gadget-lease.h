/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-lease-error.h"

G_BEGIN_DECLS

/* The right to have the active turn of a session, across all processes. It is acquired before the
 * turn's journal starts and released after the turn was committed; it ends when the process ends,
 * for whatever reason. */
typedef struct _GadgetLease GadgetLease;

GadgetLease *gadget_lease_acquire (const char   *directory,
                                   const char   *session_id,
                                   GError      **error);
void         gadget_lease_release (GadgetLease  *self);
gboolean     gadget_lease_is_held (const char   *directory,
                                   const char   *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLease, gadget_lease_release)

G_END_DECLS
