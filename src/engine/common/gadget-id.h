/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes a unique identifier (transfer full): 24 lower-case hex digits. The first 12 are the wall
 * time in milliseconds, so that ids sort by the time of their creation. Callable from any
 * thread. */
char *gadget_id_new (void);

G_END_DECLS
