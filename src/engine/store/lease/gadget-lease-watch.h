/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-lease.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_LEASE_WATCH (gadget_lease_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetLeaseWatch, gadget_lease_watch, GADGET, LEASE_WATCH, GObject)

/* Detects the end of a lease in any process: it was released, or its owner died. Signal: "ended"
 * (session id). */
GadgetLeaseWatch *gadget_lease_watch_new (const char *directory);

G_END_DECLS
