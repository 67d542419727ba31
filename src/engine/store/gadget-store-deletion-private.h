/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: deleted sessions, for jobs on the store's thread. */

#pragma once

#include "gadget-sql.h"

G_BEGIN_DECLS

/* FALSE with GADGET_STORE_ERROR_DELETED for a session that was deleted. */
gboolean _gadget_deletion_check   (sqlite3     *db,
                                   const char  *session_id,
                                   GError     **error);

/* To be called with the error of a job that needed the session: it becomes
 * GADGET_STORE_ERROR_DELETED where that is the reason. */
void     _gadget_deletion_explain (sqlite3     *db,
                                   const char  *session_id,
                                   GError     **error);

G_END_DECLS
