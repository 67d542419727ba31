/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The address of the session's message bus. (transfer full) (nullable): NULL when there is no bus
 * yet, even where GIO would start one. */
char *gadget_bus_dup_address (void);

G_END_DECLS
