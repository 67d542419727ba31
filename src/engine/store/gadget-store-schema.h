/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the schema and how an older one becomes it. */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/* What the trigger says that refuses to store a deleted session again. Like the rest of a released
 * step it is never changed. */
#define GADGET_SCHEMA_SESSION_DELETED "the session was deleted"

guint       _gadget_store_schema_get_version (void);
gboolean    _gadget_store_schema_migrate     (sqlite3  *db,
                                              GError  **error);

G_END_DECLS
