/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

G_BEGIN_DECLS

#define GADGET_LEASE_ERROR (gadget_lease_error_quark ())
GQuark gadget_lease_error_quark (void);

/**
 * GadgetLeaseError:
 * @GADGET_LEASE_ERROR_BUSY: somebody, in this process or another, has it
 * @GADGET_LEASE_ERROR_FAILED: the lock file cannot be made
 */
typedef enum
{
  GADGET_LEASE_ERROR_BUSY,
  GADGET_LEASE_ERROR_FAILED,
} GadgetLeaseError;

/* The right to have the active turn of a session, across all processes. Taken before the turn is
 * journalled and released after it was committed; ends with the process, however that ends. */
typedef struct _GadgetLease GadgetLease;

GadgetLease *gadget_lease_acquire (const char   *directory,
                                   const char   *session_id,
                                   GError      **error);
void         gadget_lease_release (GadgetLease  *self);
gboolean     gadget_lease_is_held (const char   *directory,
                                   const char   *session_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLease, gadget_lease_release)

G_END_DECLS
