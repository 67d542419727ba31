/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-cost.h"
#include "session/gadget-turn.h"

#include <glib/gi18n.h>

/* Enough digits for a billionth of a dollar. */
#define MAX_PLACES 9

char *
gadget_dup_cost (gint64 cost)
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
