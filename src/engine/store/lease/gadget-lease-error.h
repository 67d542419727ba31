/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_LEASE_ERROR (gadget_lease_error_quark ())
GQuark gadget_lease_error_quark (void);

/**
 * GadgetLeaseError:
 * @GADGET_LEASE_ERROR_BUSY: this process or another one has the lease
 * @GADGET_LEASE_ERROR_FAILED: the lock file cannot be created
 *
 * Errors of the domain %GADGET_LEASE_ERROR.
 */
typedef enum
{
  GADGET_LEASE_ERROR_BUSY,
  GADGET_LEASE_ERROR_FAILED,
} GadgetLeaseError;

G_END_DECLS
