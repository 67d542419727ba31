/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean gadget_path_is_within (const char *path,
                                const char *folder);

G_END_DECLS
