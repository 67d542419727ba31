/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be cleared, for the page of storage: each asks first, and says what no longer works. */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Called when it was cleared, or could not be. @cancellable: (nullable): what could stop it; @text:
 * (nullable): what was done; @error: (nullable): a #GadgetStoreError, BUSY while a turn is going
 * on. */
typedef void (*GadgetStorageCleared) (GtkWidget    *page,
                                      GCancellable *cancellable,
                                      const char   *text,
                                      const GError *error);

/* @size is what is shown of it, in bytes. @cleared is called with @page, if that still exists. */
void gadget_storage_clearing_ask_undo   (GtkWidget           *page,
                                         GadgetEngine        *engine,
                                         gint64               size,
                                         GadgetStorageCleared cleared);
void gadget_storage_clearing_ask_caches (GtkWidget           *page,
                                         GadgetEngine        *engine,
                                         gint64               size,
                                         GadgetStorageCleared cleared);

/* Asks which chats that were not used for long to delete, or which chats of these lose their images,
 * and says how much that is. @started is called with @page when the user agrees; cancelling
 * @cancellable stops it then, and what was not cleared by then stays. */
void gadget_storage_clearing_ask_old    (GtkWidget           *page,
                                         GadgetEngine        *engine,
                                         gboolean             only_attachments,
                                         GCancellable        *cancellable,
                                         void               (*started) (GtkWidget    *page,
                                                                        GCancellable *cancellable),
                                         GadgetStorageCleared cleared);

G_END_DECLS
