/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-id.h"

char *
gadget_id_new (void)
{
  static int count; /* atomic: the store's thread makes ids too */
  gint64 ms = g_get_real_time () / 1000;

  /* The counter orders ids of the same millisecond; the random part makes ids of different
   * processes differ. */
  return g_strdup_printf ("%012" G_GINT64_MODIFIER "x%04x%08x", ms,
                          (guint) (guint16) g_atomic_int_add (&count, 1), g_random_int ());
}
