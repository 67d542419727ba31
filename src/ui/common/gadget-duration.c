/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-duration"

#include "config.h"

#include "gadget-duration.h"

#include <glib/gi18n.h>

char *
gadget_dup_duration (gint64 ms)
{
  const int seconds = (int) CLAMP (ms / 1000, 0, G_MAXINT);

  if (seconds < 60)
    /* Translators: a time in seconds */
    return g_strdup_printf (_ ("%d s"), seconds);
  if (seconds >= 3600)
    /* Translators: a time in hours and minutes */
    return g_strdup_printf (_ ("%d h %d min"), seconds / 3600, seconds / 60 % 60);
  /* Translators: a time in minutes and seconds */
  return g_strdup_printf (_ ("%d min %d s"), seconds / 60, seconds % 60);
}

char *
gadget_dup_fine_duration (double ms)
{
  /* From here on it would be rounded to "1000 ms". */
  if (ms < 999.5)
    /* Translators: a time in milliseconds */
    return g_strdup_printf (_ ("%d ms"), (int) (ms + 0.5));
  if (ms < 9950)
    /* Translators: a time in seconds, with one decimal */
    return g_strdup_printf (_ ("%.1f s"), ms / 1000);
  return gadget_dup_duration ((gint64) ms);
}
