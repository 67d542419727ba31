/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats @cost, in billionths of a US dollar, for people: "$12.30", and small sums with two
 * significant digits: "$0.0042". (transfer full) */
char *gadget_dup_cost (gint64 cost);

G_END_DECLS
