/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A fresh identifier: 24 lower-case hex digits, the first 12 the wall time in milliseconds, so
 * that ids sort by their making. (transfer full) */
char *gadget_id_new (void);

G_END_DECLS
