/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage.h"

#include <glib/gi18n-lib.h>

/* Enough digits for a billionth of a dollar. */
#define MAX_PLACES 9

void
gadget_usage_add (GadgetUsage *self, const GadgetUsage *other)
{
  self->input_tokens += other->input_tokens;
  self->cached_tokens += other->cached_tokens;
  self->cache_write_tokens += other->cache_write_tokens;
  self->output_tokens += other->output_tokens;
  self->reasoning_tokens += other->reasoning_tokens;
  self->cost += other->cost;
  self->known |= other->known;
  self->estimated = self->estimated || other->estimated;
}

char *
gadget_cost_dup_text (gint64 cost)
{
  const double dollars = (double) cost / (double) GADGET_COST_DOLLAR;
  g_autofree char *number = NULL;
  double least = 0.1;
  int places = 2;

  while (dollars > 0 && dollars < least && places < MAX_PLACES)
    {
      least /= 10;
      places++;
    }
  number = g_strdup_printf ("%.*f", places, dollars);
  /* Translators: a sum in US dollars; %s is the number */
  return g_strdup_printf (_ ("$%s"), number);
}
