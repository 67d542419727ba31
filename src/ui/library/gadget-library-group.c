/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-group.h"

#include <glib/gi18n.h>

/* Returns when the day began that is @n days before @moment. */
static gint64
begin_of_day (GDateTime *moment, int n)
{
  g_autoptr (GDateTime) day = g_date_time_add_days (moment, -n);
  int year, month, of_month;
  g_autoptr (GDateTime) begin = NULL;

  g_date_time_get_ymd (day, &year, &month, &of_month);
  begin = g_date_time_new_local (year, month, of_month, 0, 0, 0);
  return g_date_time_to_unix (begin) * 1000;
}

/**
 * gadget_library_days_at:
 * @now_ms: the current time, in milliseconds since the epoch
 */
GadgetLibraryDays
gadget_library_days_at (gint64 now_ms)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (now_ms / 1000);

  g_return_val_if_fail (now != NULL, (GadgetLibraryDays) { 0 });

  return (GadgetLibraryDays) {
    .today = begin_of_day (now, 0),
    .yesterday = begin_of_day (now, 1),
    .week = begin_of_day (now, 7),
  };
}

GadgetLibraryGroup
gadget_library_days_group (const GadgetLibraryDays *days, gint64 ms)
{
  if (ms >= days->today)
    return GADGET_LIBRARY_TODAY;
  if (ms >= days->yesterday)
    return GADGET_LIBRARY_YESTERDAY;
  return ms >= days->week ? GADGET_LIBRARY_WEEK : GADGET_LIBRARY_OLDER;
}

/* The archive has no heading, because it is one row that says so itself. */
const char *
gadget_library_group_name (GadgetLibraryGroup group)
{
  static const char *const names[GADGET_N_LIBRARY_GROUPS] = {
    [GADGET_LIBRARY_NOT_STORED] = N_ ("Not Stored"), [GADGET_LIBRARY_PINNED] = N_ ("Pinned"),
    [GADGET_LIBRARY_RUNNING] = N_ ("Running"),       [GADGET_LIBRARY_FOLDERS] = N_ ("Folders"),
    [GADGET_LIBRARY_TODAY] = N_ ("Today"),           [GADGET_LIBRARY_YESTERDAY] = N_ ("Yesterday"),
    [GADGET_LIBRARY_WEEK] = N_ ("Last 7 Days"),      [GADGET_LIBRARY_OLDER] = N_ ("Older"),
  };

  g_return_val_if_fail (group < GADGET_N_LIBRARY_GROUPS, "");
  return names[group] != NULL ? _ (names[group]) : "";
}
