/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words for the page of all effects. */

#pragma once

#include "store/gadget-effect-query.h"

G_BEGIN_DECLS

/* The page begins with these many days. */
#define GADGET_LEDGER_DAYS 7

/* Returns the numbers of files, commands and hosts; that of all effects when there are none of
 * these. (transfer full) */
char       *gadget_ledger_labels_dup_counts (const GadgetEffectCounts *counts);

/* Returns the day of @ms, milliseconds since 1970, as a heading. (transfer full) */
char       *gadget_ledger_labels_dup_day    (gint64                    ms);

/* Returns what is said when no effect matches. */
const char *gadget_ledger_labels_get_empty  (const GadgetEffectQuery  *query);

G_END_DECLS
