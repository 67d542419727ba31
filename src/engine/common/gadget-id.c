/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-id.h"

char *
gadget_id_new (void)
{
  static int count; /* the store's thread makes ids too */
  gint64 ms = g_get_real_time () / 1000;

  /* The counter keeps ids of one millisecond in order, the random part keeps processes apart. */
  return g_strdup_printf ("%012" G_GINT64_MODIFIER "x%04x%08x", ms,
                          (guint) (guint16) g_atomic_int_add (&count, 1), g_random_int ());
}
