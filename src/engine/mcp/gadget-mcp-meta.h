/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The data that the client states about itself: in initialize, or with each message. */
JsonObject *gadget_mcp_meta_make_capabilities (gboolean     modern);
JsonObject *gadget_mcp_meta_make_info         (void);
void        gadget_mcp_meta_add               (JsonObject  *params,
                                               const char  *version,
                                               gint64       progress_token);

G_END_DECLS
