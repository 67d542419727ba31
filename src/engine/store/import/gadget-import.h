/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "gadget-import-report.h"

G_BEGIN_DECLS

/* Called on the main context while an import goes on: @fraction of the files was read. */
typedef void (*GadgetImportProgressFunc) (double   fraction,
                                          guint    n_chats,
                                          gpointer user_data);

/* Imports chats; documented in gadget-import.c. */
void                gadget_import_async       (const char               *directory,
                                               const char *const        *paths,
                                               GCancellable             *cancellable,
                                               GadgetImportProgressFunc  progress,
                                               GAsyncReadyCallback       callback,
                                               gpointer                  user_data);
GadgetImportReport *gadget_import_finish      (GAsyncResult             *result,
                                               GError                  **error);

G_END_DECLS
