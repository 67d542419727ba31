/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: when something was seen. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Microseconds since 1970; in one process each is later than all that were asked for before, even
 * if somebody sets the clock back. In any thread. */
gint64 _gadget_moment_next (void);

G_END_DECLS
