/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The time of the kernel clock that file timestamps are taken from, in nanoseconds since 1970. */
gint64   gadget_file_clock_get      (void);

/* TRUE when a file that was read at READ_AT and had the change time CHANGED may have been changed
 * again since with the same change time, because the clock advances only in ticks. Both are in
 * nanoseconds since 1970. */
gboolean gadget_file_clock_is_racy  (gint64   changed,
                                     gint64   read_at);

/* TRUE when the file system of the open file FD sets change times from that clock, also for all
 * folders in it, in a way that no program can forge. Some of the other file systems take change
 * times from another computer or from a program; FAT has no change time, and no times at all for
 * its root folder. */
gboolean gadget_file_clock_is_own   (int      fd);

G_END_DECLS
