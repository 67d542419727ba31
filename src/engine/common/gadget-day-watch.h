/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define GADGET_TYPE_DAY_WATCH (gadget_day_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetDayWatch, gadget_day_watch, GADGET, DAY_WATCH, GObject)

/**
 * GadgetDayWatch:
 *
 * Emits "changed" when words like "today" may refer to another day: at midnight, when the calendar
 * or the time zone was changed, and when the computer wakes up.
 */
GadgetDayWatch *gadget_day_watch_get_default (void);

/* For tests: a watch of their own (transfer full), and a time in seconds since 1970 at which it
 * emits "changed". */
GadgetDayWatch *gadget_day_watch_new         (void);
void            gadget_day_watch_arm         (GadgetDayWatch *self,
                                              gint64          unix_s);

G_END_DECLS
