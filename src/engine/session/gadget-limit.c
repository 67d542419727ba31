/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-limit"

#include "config.h"

#include "gadget-limit.h"

#include "gadget-usage.h"

#include <glib/gi18n-lib.h>

/**
 * gadget_limit_get_code:
 *
 * Returns: (transfer none): the name of the limit in the store, such as "limit/steps"
 */
const char *
gadget_limit_get_code (GadgetLimit limit)
{
  static const char *const codes[GADGET_N_LIMITS] = { "limit/time", "limit/steps", "limit/tokens",
                                                      "limit/cost", "limit/day-cost" };

  g_return_val_if_fail (limit < GADGET_N_LIMITS, NULL);
  return codes[limit];
}

/**
 * gadget_limit_dup_text:
 * @amount: in the unit of the limit, see #GadgetLimit
 *
 * Returns: (transfer full): the translated amount, such as "20 steps"
 */
char *
gadget_limit_dup_text (GadgetLimit limit, gint64 amount)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GINT64_FORMAT, amount);
  g_autofree char *cost = gadget_cost_dup_text (amount);

  switch (limit)
    {
    case GADGET_LIMIT_TIME:
      if (amount % 60000 == 0)
        return g_strdup_printf (
            g_dngettext (GETTEXT_PACKAGE, "%d minute", "%d minutes", (gulong) (amount / 60000)),
            (int) (amount / 60000));
      if (amount % 1000 == 0)
        return g_strdup_printf (
            g_dngettext (GETTEXT_PACKAGE, "%d second", "%d seconds", (gulong) (amount / 1000)),
            (int) (amount / 1000));
      /* Translators: a limit of time, shorter than a second or with a fraction of one */
      return g_strdup_printf (_ ("%d milliseconds"), (int) amount);
    case GADGET_LIMIT_STEPS:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s step", "%s steps", (gulong) amount),
                              number);
    case GADGET_LIMIT_COST:
      return g_steal_pointer (&cost);
    case GADGET_LIMIT_DAY_COST:
      /* Translators: a limit of money for a day; %s is a sum, "$2.00" */
      return g_strdup_printf (_ ("%s a day"), cost);
    case GADGET_LIMIT_TOKENS:
    case GADGET_N_LIMITS:
    default:
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%s token", "%s tokens", (gulong) amount), number);
    }
}
