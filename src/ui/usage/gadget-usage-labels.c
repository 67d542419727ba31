/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-labels.h"

#include <glib/gi18n.h>

#define CENT (GADGET_COST_DOLLAR / 100)

/* Formats a number with its separators, and with one decimal while it is below 10. */
static char *
dup_number (double number)
{
  const gboolean fine = number < 9.95 && number != (gint64) number;

  return g_strdup_printf (fine ? "%'.1f" : "%'.0f", number);
}

static char *
dup_dollars (gint64 cost)
{
  g_autofree char *number = g_strdup_printf ("%'.2f", (double) cost / (double) GADGET_COST_DOLLAR);

  /* Translators: a sum in US dollars; %s is the number */
  return g_strdup_printf (_ ("$%s"), number);
}

gint64
_gadget_usage_get_tokens (const GadgetUsage *usage)
{
  return usage->input_tokens + usage->output_tokens;
}

char *
_gadget_usage_dup_words (gint64 tokens)
{
  g_autofree char *millions = NULL;

  if (tokens < 1000000)
    return g_strdup_printf ("%'" G_GINT64_FORMAT, tokens);
  millions = g_strdup_printf (tokens % 1000000 == 0 ? "%'.0f" : "%'.1f", (double) tokens / 1e6);
  /* Translators: a number in millions */
  return g_strdup_printf (_ ("%s million"), millions);
}

char *
_gadget_usage_dup_tokens (gint64 tokens)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GINT64_FORMAT, tokens);

  return g_strdup_printf (ngettext ("%s token", "%s tokens", (gulong) tokens), number);
}

char *
_gadget_usage_dup_thousands (gint64 tokens)
{
  g_autofree char *number = dup_number (tokens < 1000 ? (double) tokens : (double) tokens / 1e3);

  /* Translators: a number in thousands */
  return tokens < 1000 ? g_steal_pointer (&number) : g_strdup_printf (_ ("%s K"), number);
}

char *
_gadget_usage_dup_token_scale (double tokens)
{
  g_autofree char *millions = NULL;

  if (tokens < 1e6)
    return _gadget_usage_dup_thousands ((gint64) tokens);
  millions = dup_number (tokens / 1e6);
  /* Translators: a number in millions, in very little space */
  return g_strdup_printf (_ ("%s M"), millions);
}

char *
_gadget_usage_dup_money_scale (double cost)
{
  return gadget_cost_dup_text ((gint64) cost);
}

char *
_gadget_usage_dup_money (gint64 cost, gboolean estimated)
{
  g_autofree char *money = NULL;

  if (cost > 0 && cost < CENT)
    return g_strdup (_ ("< $0.01"));
  money = dup_dollars (cost);
  /* Translators: an estimated sum of money */
  return estimated ? g_strdup_printf (_ ("≈ %s"), money) : g_steal_pointer (&money);
}

/* Marks what is only a part of the whole. */
static char *
dup_at_least (const GadgetUsageSum *sum, GadgetUsageParts part, char *text)
{
  g_autofree char *owned = text;

  /* Translators: at least so much */
  return (sum->unknown & part) != 0 ? g_strdup_printf (_ ("≥ %s"), text) : g_steal_pointer (&owned);
}

char *
_gadget_usage_dup_cost (const GadgetUsageSum *sum)
{
  const gboolean partly = (sum->unknown & GADGET_USAGE_COST) != 0;

  if ((sum->usage.known & GADGET_USAGE_COST) == 0)
    return g_strdup (_ ("No price"));
  return dup_at_least (sum, GADGET_USAGE_COST,
                       _gadget_usage_dup_money (sum->usage.cost, sum->usage.estimated && !partly));
}

char *
_gadget_usage_dup_part (const GadgetUsageSum *sum, GadgetUsageParts part, gint64 tokens)
{
  if ((sum->usage.known & part) == 0)
    return g_strdup (_ ("unknown"));
  return dup_at_least (sum, part, _gadget_usage_dup_thousands (tokens));
}

/* Translators: a day or a model, its tokens, its money, its replies */
#define SPOKEN _ ("%s, %s, %s, %s")
/* Between em spaces, each has a direction of its own. */
#define MARKED "<b>\u2068%s\u2069</b>\u2003\u2068%s\u2069\u2003\u2068%s\u2069\u2003\u2068%s\u2069"

static char *
dup_values (gboolean marked, const char *name, const GadgetUsageSum *sum)
{
  const guint n = sum->n_replies;
  g_autofree char *tokens = _gadget_usage_dup_tokens (_gadget_usage_get_tokens (&sum->usage));
  g_autofree char *cost = _gadget_usage_dup_cost (sum);
  g_autofree char *replies = g_strdup_printf (ngettext ("%'u reply", "%'u replies", n), n);

  return marked ? g_markup_printf_escaped (MARKED, name, tokens, cost, replies)
                : g_strdup_printf (SPOKEN, name, tokens, cost, replies);
}

char *
_gadget_usage_dup_spoken (const char *name, const GadgetUsageSum *sum)
{
  return dup_values (FALSE, name, sum);
}

char *
_gadget_usage_dup_marked (const char *name, const GadgetUsageSum *sum)
{
  return dup_values (TRUE, name, sum);
}

char *
_gadget_usage_dup_model (const GadgetUsageRow *row)
{
  return g_strdup (row->model != NULL ? row->model : _ ("Unknown model"));
}

char *
_gadget_usage_dup_provider (const GadgetUsageRow *row)
{
  if (row->provider == NULL)
    return g_strdup (_ ("Unknown provider"));
  return g_strdup (row->provider_name != NULL ? row->provider_name : row->provider);
}

char *
_gadget_usage_dup_period (const char *period)
{
  const gboolean is_day = strlen (period) > strlen ("2026-11");
  g_autofree char *text = g_strconcat (period, is_day ? "T12:00:00Z" : "-01T12:00:00Z", NULL);
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, NULL);

  /* Translators: a day of the last 30 days, and a month of the last 12; see man strftime.
     xgettext:no-c-format */
  return time != NULL ? g_date_time_format (time, is_day ? _ ("%b %-d") : _ ("%B %Y"))
                      : g_strdup (period);
}

char *
_gadget_usage_dup_title (int n_periods, gboolean money, const char *amount)
{
  if (n_periods == 7)
    return g_strdup_printf (
        money ? _ ("%s in the last 7 days") : _ ("%s tokens in the last 7 days"), amount);
  if (n_periods == 30)
    return g_strdup_printf (
        money ? _ ("%s in the last 30 days") : _ ("%s tokens in the last 30 days"), amount);
  return g_strdup_printf (
      money ? _ ("%s in the last 12 months") : _ ("%s tokens in the last 12 months"), amount);
}

const char *
_gadget_usage_get_nothing (int n_periods)
{
  if (n_periods == 7)
    return _ ("Nothing Used in the Last 7 Days");
  return n_periods == 30 ? _ ("Nothing Used in the Last 30 Days")
                         : _ ("Nothing Used in the Last 12 Months");
}
