/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GadgetLimit:
 * @GADGET_LIMIT_TIME: in milliseconds
 * @GADGET_LIMIT_STEPS: in requests to the model
 * @GADGET_LIMIT_TOKENS: in tokens of input and output together
 * @GADGET_LIMIT_COST: in billionths of a US dollar
 * @GADGET_LIMIT_DAY_COST: in billionths of a US dollar, for all turns of a day
 *
 * The kinds of limits on what a turn may use.
 */
typedef enum
{
  GADGET_LIMIT_TIME,
  GADGET_LIMIT_STEPS,
  GADGET_LIMIT_TOKENS,
  GADGET_LIMIT_COST,
  GADGET_LIMIT_DAY_COST,
  GADGET_N_LIMITS
} GadgetLimit;

const char *gadget_limit_get_code (GadgetLimit limit);
char       *gadget_limit_dup_text (GadgetLimit limit,
                                   gint64      amount);

G_END_DECLS
