/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-lease-error.h"

G_DEFINE_QUARK (gadget-lease-error-quark, gadget_lease_error)
