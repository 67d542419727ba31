/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: timestamps for when something was seen. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns microseconds since 1970. Within one process each value is greater than all earlier ones,
 * even if the clock is set back. May be called in any thread. */
gint64 _gadget_unique_timestamp_next (void);

G_END_DECLS
