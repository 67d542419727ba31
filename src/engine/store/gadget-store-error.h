/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_STORE_ERROR (gadget_store_error_quark ())
GQuark gadget_store_error_quark (void);

/**
 * GadgetStoreError:
 * @GADGET_STORE_ERROR_FAILED: any other error; the message describes it
 * @GADGET_STORE_ERROR_OPEN: the folder or the database cannot be opened for writing
 * @GADGET_STORE_ERROR_CORRUPT: the file is damaged, or not a database of Gadget's
 * @GADGET_STORE_ERROR_NEWER: a newer version of Gadget wrote it
 * @GADGET_STORE_ERROR_FULL: the disk or the quota is full
 * @GADGET_STORE_ERROR_BUSY: another process holds a lock that is needed
 * @GADGET_STORE_ERROR_NOT_FOUND: there is no such row
 * @GADGET_STORE_ERROR_CLOSED: the store was closed, or never opened
 * @GADGET_STORE_ERROR_DELETED: the session was deleted, and is never stored again
 * @GADGET_STORE_ERROR_OPEN_ELSEWHERE: another process shows the session that is to be deleted
 * @GADGET_STORE_ERROR_UNSENT: the session that is to be deleted has a draft or queued messages
 *
 * Errors of the domain %GADGET_STORE_ERROR.
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

G_END_DECLS
