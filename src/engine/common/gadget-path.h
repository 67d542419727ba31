/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean gadget_path_is_within     (const char *path,
                                    const char *folder);
gboolean gadget_path_is_within_any (const char *path,
                                    GPtrArray  *folders);
char    *gadget_path_dup_short     (const char *path);

G_END_DECLS
