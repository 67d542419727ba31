/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-unique-timestamp.h"

gint64
_gadget_unique_timestamp_next (void)
{
  static GMutex lock;
  static gint64 last;
  gint64 moment;

  g_mutex_lock (&lock);
  last = MAX (last + 1, g_get_real_time ());
  moment = last;
  g_mutex_unlock (&lock);
  return moment;
}
