/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file system that does not answer. To be built into the program of a test: its fsync () is in
 * front of the system's. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on syncing recovery files below FOLDER hangs, in whatever thread, until it answers. */
void  hung_sync_begin  (const char *folder);
void  hung_sync_answer (void);

/* How many calls hang. */
guint hung_sync_count  (void);

G_END_DECLS
