/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interfaces between the source files of the scopes of commands. */

#pragma once

#include "gadget-systemd.h"

G_BEGIN_DECLS

#define _GADGET_SYSTEMD_NAME "org.freedesktop.systemd1"
#define _GADGET_SYSTEMD_PATH "/org/freedesktop/systemd1"
#define _GADGET_SYSTEMD_MANAGER "org.freedesktop.systemd1.Manager"
/* No command waits for these answers. After this time systemd does not count as there. */
#define _GADGET_SYSTEMD_TIMEOUT_MS 5000

/* --- gadget-systemd-scope.c --- */

/* _get_unit () returns the name of the unit, NULL until the process is known. GadgetSystemd calls
 * _request () to ask for the scope, and _started () when the job for it has ended with RESULT. */
const char      *_gadget_scope_get_unit        (GadgetScope   *self);
void             _gadget_scope_request         (GadgetScope   *self);
void             _gadget_scope_started         (GadgetScope   *self,
                                                const char    *result);

/* --- gadget-systemd.c --- */

/* Returns whether it is worthwhile to request a scope now. Connects again if that is due. */
gboolean         _gadget_systemd_is_wanted      (GadgetSystemd  *self);

/* _add () requests the scope as soon as the manager is ready. SCOPE must live until _remove (). */
void             _gadget_systemd_add            (GadgetSystemd  *self,
                                                GadgetScope   *scope);
void             _gadget_systemd_remove         (GadgetSystemd  *self,
                                                GadgetScope   *scope);

/* Returns the connection (transfer none) (nullable), NULL unless the state is READY. */
GDBusConnection *_gadget_systemd_get_connection (GadgetSystemd  *self);

/* Managers before systemd 254 accept process IDs only, no descriptors. */
gboolean         _gadget_systemd_get_by_number  (GadgetSystemd  *self);
void             _gadget_systemd_set_by_number  (GadgetSystemd  *self);

/* Records the outcome of a call: ERROR (nullable) is NULL for success. */
void             _gadget_systemd_note           (GadgetSystemd  *self,
                                                const GError  *error);

G_END_DECLS
