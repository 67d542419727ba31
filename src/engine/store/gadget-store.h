/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-error.h"
#include "common/gadget-types.h"

#include <sqlite3.h>

G_BEGIN_DECLS

#define GADGET_TYPE_STORE (gadget_store_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStore, gadget_store, GADGET, STORE, GObject)

/**
 * GadgetStoreFunc:
 * @db: the open connection
 * @data: the data given to gadget_store_run_async (); results are stored in it too
 * @error: must be set if the function returns %FALSE
 *
 * A job: runs on the store's thread, one job at a time, and touches no GObject. It may block on the
 * disk.
 */
typedef gboolean (*GadgetStoreFunc) (sqlite3  *db,
                                     gpointer  data,
                                     GError  **error);

/* The database of sessions, on a thread of its own. Only gadget_store_close () blocks the main
 * context. A queued job always runs and cannot be cancelled. */
GadgetStore *gadget_store_new           (const char           *directory);
const char  *gadget_store_get_directory (GadgetStore          *self);
void         gadget_store_open_async    (GadgetStore          *self,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean     gadget_store_open_finish   (GadgetStore          *self,
                                         GAsyncResult         *result,
                                         GError              **error);
void         gadget_store_run_async     (GadgetStore          *self,
                                         GadgetStoreFunc       func,
                                         gpointer              data,
                                         GDestroyNotify        free_data,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean     gadget_store_run_finish    (GadgetStore          *self,
                                         GAsyncResult         *result,
                                         GError              **error);
gpointer     gadget_store_get_job_data  (GAsyncResult         *result);
void         gadget_store_close_async   (GadgetStore          *self,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean     gadget_store_close_finish  (GadgetStore          *self,
                                         GAsyncResult         *result,
                                         GError              **error);
void         gadget_store_close         (GadgetStore          *self);

/* Renames a database that cannot be opened, with the time in its new name, so that the next opening
 * creates a new one. It must not be open in this process. The finish function's errors are
 * documented in gadget-store-aside.c. */
void         gadget_store_set_aside_async (const char         *directory,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
gboolean     gadget_store_set_aside_finish (GAsyncResult      *result,
                                        GError              **error);

G_END_DECLS
