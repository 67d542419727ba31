/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes all bytes. Returns FALSE with errno set. */
gboolean gadget_write_all       (int         fd,
                                 const void *bytes,
                                 gsize       length);

/* Returns a file in memory with these bytes, to be read from its beginning, or -1 with errno set.
 * @name is what /proc shows. */
int      gadget_memory_file_new (const char *name,
                                 const void *bytes,
                                 gsize       length);

G_END_DECLS
