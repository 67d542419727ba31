/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): the address of the session's message bus; NULL where there is none,
 * where GIO would start one. */
char *gadget_bus_dup_address (void);

G_END_DECLS
