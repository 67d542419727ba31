/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The unit of costs is a billionth of a US dollar, in which the price of one token of the cheapest
 * models is a whole number. */
#define GADGET_COST_DOLLAR G_GINT64_CONSTANT (1000000000)

/**
 * GadgetUsageParts:
 * @GADGET_USAGE_CACHED: the tokens that were read from the provider's cache
 * @GADGET_USAGE_CACHE_WRITE: the tokens that were written to it
 * @GADGET_USAGE_REASONING: the tokens of reasoning
 * @GADGET_USAGE_COST: the cost
 * @GADGET_USAGE_TIME: the time
 *
 * Parts of a usage that may be unknown, which is not the same as 0.
 */
typedef enum
{
  GADGET_USAGE_CACHED = 1 << 0,
  GADGET_USAGE_CACHE_WRITE = 1 << 1,
  GADGET_USAGE_REASONING = 1 << 2,
  GADGET_USAGE_COST = 1 << 3,
  GADGET_USAGE_TIME = 1 << 4,
} GadgetUsageParts;

/**
 * GadgetUsage:
 * @input_tokens: all tokens that were sent, those of the cache among them
 * @cached_tokens: how many of @input_tokens were read from the provider's cache
 * @cache_write_tokens: how many of @input_tokens were written to it
 * @output_tokens: all tokens that were received, reasoning among them
 * @reasoning_tokens: how many of @output_tokens were reasoning
 * @cost: in billionths of a US dollar, as the provider reported it, or by the price of the model
 * @known: the other parts are unknown, and 0. A turn knows parts of some of its requests, and only
 *   while it is in memory
 * @estimated: part of the usage was not reported by the provider: some tokens are estimated, and
 *   the cost may be higher
 *
 * The tokens and the money that a turn or a request used.
 */
typedef struct
{
  gint64 input_tokens;
  gint64 cached_tokens;
  gint64 cache_write_tokens;
  gint64 output_tokens;
  gint64 reasoning_tokens;
  gint64 cost;
  GadgetUsageParts known;
  gboolean estimated;
} GadgetUsage;

/* Adds what OTHER has used; a part is known then if it is known of one of them. */
void  gadget_usage_add     (GadgetUsage       *self,
                            const GadgetUsage *other);

/* Formats COST for people: "$12.30", and small sums with two significant digits: "$0.0042".
 * (transfer full) */
char *gadget_cost_dup_text (gint64             cost);

G_END_DECLS
