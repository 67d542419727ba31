/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

gboolean gadget_tool_arguments_check (JsonObject  *arguments,
                                      const char  *schema,
                                      GError     **error);

G_END_DECLS
