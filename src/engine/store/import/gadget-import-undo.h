/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Undoes an import; documented in gadget-import-undo.c. */
void     gadget_import_undo_async  (const char           *directory,
                                    gint64                number,
                                    gboolean              all,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
gboolean gadget_import_undo_finish (GAsyncResult         *result,
                                    guint                *n_removed,
                                    guint                *n_kept,
                                    GError              **error);

G_END_DECLS
