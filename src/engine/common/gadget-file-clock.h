/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The kernel's clock that the times of files come from, in nanoseconds since 1970. */
gint64   gadget_file_clock_get      (void);

/* Tells whether what was seen at READ_AT could change again without another time of change than
 * CHANGED: the clock stands still for a moment. */
gboolean gadget_file_clock_is_racy  (gint64   changed,
                                     gint64   read_at);

/* Tells whether the file system of an open file takes the times of changes from that clock, and not
 * from another computer's or a program's. */
gboolean gadget_file_clock_is_own   (int      fd);

G_END_DECLS
