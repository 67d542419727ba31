/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Deletes all recovery files of the database in DATA_DIR, but those that another process works
 * with. */
void gadget_recovery_erase_async  (const char         *data_dir,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data);
void gadget_recovery_erase_finish (GAsyncResult       *result);

G_END_DECLS
