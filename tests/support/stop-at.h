/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A stop at a certain moment of work in a thread. To be built into the program of a test: its
 * mkdirat () and unlinkat () are in front of the system's. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Cancels before the NTH call of that name from now on. */
void stop_at_begin (const char   *call,
                    guint         nth,
                    GCancellable *cancellable);
void stop_at_end   (void);

G_END_DECLS
