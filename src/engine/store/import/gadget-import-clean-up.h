/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-sql.h"
#include "store/gadget-store.h"
#include "store/lease/gadget-lease.h"

G_BEGIN_DECLS

/* Removes, in steps on the store's thread, what imports left behind that did not end. */
void     gadget_import_clean_up           (GadgetStore   *store);

/* Private to this folder: between two transactions other writers get their turn. A stop ends the
 * pause. */
#define GADGET_IMPORT_PAUSE_MS 1
void     _gadget_import_pause             (GCancellable  *cancellable,
                                           int            ms);

/* Private to this folder: opens the database for the calling thread, and takes the lease of imports.
 * A stop ends statements and waits for other writers. The caller closes and releases both, also
 * after an error, which is %GADGET_STORE_ERROR_BUSY if another import goes on. */
gboolean _gadget_import_open              (const char    *directory,
                                           sqlite3      **db,
                                           GadgetLease  **lease,
                                           GCancellable  *cancellable,
                                           GError       **error);
/* Private to this folder: removes what imports left behind; to be called by the holder of the
 * lease. */
gboolean _gadget_import_remove_unfinished (sqlite3       *db,
                                           GCancellable  *cancellable,
                                           GError       **error);

G_END_DECLS
