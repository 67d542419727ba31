/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A time for people: "6 s", "2 min 5 s"; and one that matters to the millisecond: "12 ms",
 * "1.2 s". (transfer full) */
char *gadget_dup_duration      (gint64 ms);
char *gadget_dup_fine_duration (double ms);

G_END_DECLS
