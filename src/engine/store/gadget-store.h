/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"

#include <sqlite3.h>

G_BEGIN_DECLS

#define GADGET_TYPE_STORE (gadget_store_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStore, gadget_store, GADGET, STORE, GObject)

#define GADGET_STORE_ERROR (gadget_store_error_quark ())
GQuark gadget_store_error_quark (void);

/**
 * GadgetStoreError:
 * @GADGET_STORE_ERROR_FAILED: anything else; the message says what
 * @GADGET_STORE_ERROR_OPEN: the folder or the database cannot be opened for writing
 * @GADGET_STORE_ERROR_CORRUPT: the file is damaged, or not a database of Gadget's
 * @GADGET_STORE_ERROR_NEWER: a newer version of Gadget wrote it
 * @GADGET_STORE_ERROR_FULL: the disk or the quota is full
 * @GADGET_STORE_ERROR_BUSY: another process holds what is needed
 * @GADGET_STORE_ERROR_NOT_FOUND: there is no such row
 * @GADGET_STORE_ERROR_CLOSED: the store was closed, or never opened
 * @GADGET_STORE_ERROR_DELETED: the session was deleted, and is never stored again
 * @GADGET_STORE_ERROR_OPEN_ELSEWHERE: another process shows the session that is to be deleted
 * @GADGET_STORE_ERROR_UNSENT: the session that is to be deleted has a draft or queued messages
 */
typedef enum
{
  GADGET_STORE_ERROR_FAILED,
  GADGET_STORE_ERROR_OPEN,
  GADGET_STORE_ERROR_CORRUPT,
  GADGET_STORE_ERROR_NEWER,
  GADGET_STORE_ERROR_FULL,
  GADGET_STORE_ERROR_BUSY,
  GADGET_STORE_ERROR_NOT_FOUND,
  GADGET_STORE_ERROR_CLOSED,
  GADGET_STORE_ERROR_DELETED,
  GADGET_STORE_ERROR_OPEN_ELSEWHERE,
  GADGET_STORE_ERROR_UNSENT,
} GadgetStoreError;

/**
 * GadgetStoreFunc:
 * @db: the open connection
 * @data: what was given to gadget_store_run_async (); results go there too
 * @error: to be set where it returns %FALSE
 *
 * A job: runs on the store's thread, alone, and sees no GObject. It may wait for the disk.
 */
typedef gboolean (*GadgetStoreFunc) (sqlite3  *db,
                                     gpointer  data,
                                     GError  **error);

/* The database of sessions, on a thread of its own. Nothing here blocks the main context but
 * gadget_store_close (). A job, once queued, is always run: there is nothing to cancel. */
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

/* Gives a database that cannot be opened another name in its folder, with the time in it, so that the
 * next opening makes a new one. It is not to be open in this process. */
void         gadget_store_set_aside_async (const char         *directory,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
gboolean     gadget_store_set_aside_finish (GAsyncResult      *result,
                                        GError              **error);

G_END_DECLS
