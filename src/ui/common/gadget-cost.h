/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A sum of money for people, from billionths of a US dollar: "$12.30", and with two digits that
 * count where it is small: "$0.0042". (transfer full) */
char *gadget_dup_cost (gint64 cost);

G_END_DECLS
