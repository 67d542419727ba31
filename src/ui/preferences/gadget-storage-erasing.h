/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Delete Everything, for the page of storage. */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Asks for the word that confirms it, and whether providers, tool servers and their keys go, too.
 * Calls @confirmed with @page if the user agrees. */
void     gadget_storage_erasing_ask       (GtkWidget           *page,
                                           void               (*confirmed) (GtkWidget *page,
                                                                            gboolean   also_keys));

/* Stops everything that runs, and deletes everything. @page is in the window. The finish function
 * returns FALSE if no chat was deleted: with a #GadgetStoreError, which is
 * %GADGET_STORE_ERROR_BUSY if something could not be stopped, or with a #GadgetSecretsError if the
 * keyring keeps a key. */
void     gadget_storage_erasing_run_async (GtkWidget           *page,
                                           GadgetEngine        *engine,
                                           gboolean             also_keys,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean gadget_storage_erasing_run_finish (GAsyncResult       *result,
                                           GError             **error);

G_END_DECLS
