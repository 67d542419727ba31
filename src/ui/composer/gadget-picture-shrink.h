/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Encodes the picture again, as a smaller file that models take. Blocks; to be called in a
 * thread. */
GBytes *gadget_picture_shrink (GBytes  *data,
                               GError **error);

G_END_DECLS
