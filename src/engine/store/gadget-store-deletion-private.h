/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and import: checks for deleted sessions, for jobs on the store's thread. */

#pragma once

#include "gadget-sql.h"

G_BEGIN_DECLS

/* Returns FALSE with %GADGET_STORE_ERROR_DELETED if the session was deleted, or with another error
 * if the check failed. */
gboolean _gadget_deletion_check   (sqlite3     *db,
                                   const char  *session_id,
                                   GError     **error);

/* Call this with the error of a job that needed the session. If the session was deleted, the error
 * becomes %GADGET_STORE_ERROR_DELETED. */
void     _gadget_deletion_explain (sqlite3     *db,
                                   const char  *session_id,
                                   GError     **error);

/* Deletes the session for good, in a transaction of the caller, who holds the session's lease. */
gboolean _gadget_deletion_delete  (sqlite3     *db,
                                   const char  *session_id,
                                   GError     **error);

G_END_DECLS
