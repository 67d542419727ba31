/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A smaller file of the same picture, which models take. Blocks; for a thread. */
GBytes *gadget_picture_shrink (GBytes  *data,
                               GError **error);

G_END_DECLS
