/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Finds out where the absolute @paths lead when all symbolic links in them are followed. The real
 * path of a file that does not exist yet is that of its folder plus its name. Looks at the disk in
 * a thread. */
void   gadget_real_paths_async  (const char *const    *paths,
                                 GCancellable         *cancellable,
                                 GAsyncReadyCallback   callback,
                                 gpointer              user_data);

/* Returns: (transfer full): one path for each, "" when it cannot be told; NULL with an error. */
char **gadget_real_paths_finish (GAsyncResult         *result,
                                 GError              **error);

G_END_DECLS
