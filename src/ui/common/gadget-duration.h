/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats a time in milliseconds for people: gadget_dup_duration() like "6 s" or "2 min 5 s",
 * gadget_dup_fine_duration() like "12 ms" or "1.2 s" below ten seconds. (transfer full) */
char *gadget_dup_duration      (gint64 ms);
char *gadget_dup_fine_duration (double ms);

G_END_DECLS
