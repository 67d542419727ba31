/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: lock files in the data folder, named after a session or another id. */

#pragma once

#include "gadget-lease-error.h"

G_BEGIN_DECLS

/* Returns the path `leases/SESSION.SUFFIX` in DIRECTORY (transfer full), or NULL if SESSION_ID is
 * not valid: it consists of 1 to 128 letters, digits, '-' and '_'. */
char     *_gadget_lock_file_make_path  (const char  *directory,
                                        const char  *session_id,
                                        const char  *suffix);

/* Creates the file if necessary, opens and locks it without waiting. TYPE is F_RDLCK, which several
 * holders may have, or F_WRLCK. Returns the descriptor, or -1 with a GADGET_LEASE_ERROR: BUSY if
 * another holder has a conflicting lock, else FAILED. */
int       _gadget_lock_file_take       (const char  *path,
                                        short        type,
                                        GError     **error);

/* Tells whether PATH still names the file that FD has open. */
gboolean  _gadget_lock_file_has_name   (int          fd,
                                        const char  *path);

G_END_DECLS
