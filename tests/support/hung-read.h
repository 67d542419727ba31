/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file system that does not answer. To be built into the program of a test: its read () is in
 * front of the system's. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on reading the file at PATH hangs, in whatever thread, until it answers. */
void  hung_read_begin  (const char *path);
void  hung_read_answer (void);

/* The reads that hang now go on, and later ones hang. */
void  hung_read_let_go (void);

/* How many reads hang. */
guint hung_read_count  (void);

G_END_DECLS
