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

/* Tells whether the file system of an open file takes the times of changes from that clock, those
 * of each of its folders too, which no program can set. Of those that are not known to be so, some
 * take them from another computer or from a program; FAT has no time of change, and none at all of
 * its first folder. */
gboolean gadget_file_clock_is_own   (int      fd);

G_END_DECLS
