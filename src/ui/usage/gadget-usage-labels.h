/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers of tokens and sums of money for people, by the locale. All are (transfer full). */

#pragma once

#include "store/usage/gadget-usage-report.h"

G_BEGIN_DECLS

/* Returns all tokens that were sent and received. */
gint64 _gadget_usage_get_tokens       (const GadgetUsage    *usage);

/* "1,302,700 tokens" */
char  *_gadget_usage_dup_tokens       (gint64                tokens);
/* "16.9 million", "455 thousand", "950", for a sentence */
char  *_gadget_usage_dup_words        (gint64                tokens);
/* "1,204 K", "1.2 K", "950", for a column */
char  *_gadget_usage_dup_thousands    (gint64                tokens);
/* "$4.38", "< $0.01", and "≈ $4.38" if ESTIMATED */
char  *_gadget_usage_dup_money        (gint64                cost,
                                       gboolean              estimated);
/* Values of a scale, of tokens and of billionths of a dollar: "1.5 M", "$0.50" */
char  *_gadget_usage_dup_token_scale  (double                tokens);
char  *_gadget_usage_dup_money_scale  (double                cost);

/* What SUM cost: as above, "≥ $4.38" if part of it is unknown, or "No price". */
char  *_gadget_usage_dup_cost         (const GadgetUsageSum *sum);
/* A column for a part of the tokens of SUM, which may be unknown. */
char  *_gadget_usage_dup_part         (const GadgetUsageSum *sum,
                                       GadgetUsageParts      part,
                                       gint64                tokens);
/* "Nov 17, 1,302,700 tokens, $0.44, 19 replies", for a screen reader; and in little space, as Pango
 * markup. */
char  *_gadget_usage_dup_spoken       (const char           *name,
                                       const GadgetUsageSum *sum);
char  *_gadget_usage_dup_marked       (const char           *name,
                                       const GadgetUsageSum *sum);

/* What the model and the provider of a row are called. */
char  *_gadget_usage_dup_model        (const GadgetUsageRow *row);
char  *_gadget_usage_dup_provider     (const GadgetUsageRow *row);

/* The name of a period of a report, "2026-11-17" or "2026-11": "Nov 17", "November". */
char  *_gadget_usage_dup_period       (const char           *period);

/* Titles for 7 or 30 days, or 12 months. AMOUNT is of MONEY, or of tokens if no money is known. The
 * second, (transfer none), says that nothing was used. */
char  *_gadget_usage_dup_title        (int                   n_periods,
                                       gboolean              money,
                                       const char           *amount);
const char *_gadget_usage_get_nothing (int                   n_periods);

G_END_DECLS
