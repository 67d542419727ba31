/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-rows.h"

G_BEGIN_DECLS

/* Private to this folder. */
gboolean _gadget_store_repair (sqlite3     *db,
                               const char  *directory,
                               const char  *session_id,
                               GError     **error);

G_END_DECLS
