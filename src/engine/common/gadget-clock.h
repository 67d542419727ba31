/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-types.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLOCK (gadget_clock_get_type ())
G_DECLARE_FINAL_TYPE (GadgetClock, gadget_clock, GADGET, CLOCK, GObject)

/* A source of time that tests can control. The default clock follows the system; a manual one,
 * which starts at START_US (transfer full), stands still until gadget_clock_advance (). All
 * functions are called on the main context. gadget_clock_remove () takes the id of a timeout that
 * has not fired. */
GadgetClock *gadget_clock_get_default (void);
GadgetClock *gadget_clock_new_manual  (gint64         start_us);
gint64       gadget_clock_now         (GadgetClock   *self);
void         gadget_clock_advance     (GadgetClock   *self,
                                       gint64         us);
guint        gadget_clock_add_timeout (GadgetClock   *self,
                                       guint          milliseconds,
                                       const char    *name,
                                       GSourceOnceFunc callback,
                                       gpointer       user_data);
void         gadget_clock_remove      (GadgetClock   *self,
                                       guint          id);

/* Calendar time in milliseconds since 1970, for times that are stored or shown. */
gint64       gadget_clock_wall_ms     (void);

/* For tests: moves the calendar time forward by MS milliseconds, as if the user had set it. */
void         gadget_clock_shift_wall  (gint64         ms);

G_END_DECLS
