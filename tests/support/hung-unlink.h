/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file system that does not answer. To be built into the program of a test: its unlink () is in
 * front of the system's. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on removing PATH hangs in whatever thread until it answers; the main thread must not be
 * one of them. */
void  hung_unlink_begin  (const char *path);
void  hung_unlink_answer (void);

/* How many calls hang. */
guint hung_unlink_count  (void);

G_END_DECLS
