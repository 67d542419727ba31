/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: lock files in the data folder, named after a session. */

#pragma once

#include "gadget-lease.h"

G_BEGIN_DECLS

/* `leases/SESSION.SUFFIX`, or NULL when SESSION_ID cannot be one. (transfer full) */
char     *_gadget_lock_file_make_path  (const char  *directory,
                                        const char  *session_id,
                                        const char  *suffix);

/* Opens the file, making it, and locks it: TYPE is F_RDLCK, which several may have, or F_WRLCK.
 * Returns the descriptor, or -1 with a GADGET_LEASE_ERROR; never waits. */
int       _gadget_lock_file_take       (const char  *path,
                                        short        type,
                                        GError     **error);

/* Whether PATH still names the file that is open. */
gboolean  _gadget_lock_file_has_name   (int          fd,
                                        const char  *path);

G_END_DECLS
