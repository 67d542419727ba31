/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be cleared, for the page of storage: each asks first, and says what no longer works. */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Called when it was cleared, or could not be. @text: (nullable): what was done; @error:
 * (nullable): a #GadgetStoreError, BUSY while a turn is going on. */
typedef void (*GadgetStorageCleared) (GtkWidget    *page,
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

G_END_DECLS
