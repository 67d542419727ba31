/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-types.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLOCK (gadget_clock_get_type ())
G_DECLARE_FINAL_TYPE (GadgetClock, gadget_clock, GADGET, CLOCK, GObject)

/* Where time comes from, so that a test can hold it still. The default clock is the system's; a
 * manual one stands until gadget_clock_advance (). Everything is on the main context. */
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

/* Calendar time, milliseconds since 1970, for what is stored and shown. */
gint64       gadget_clock_wall_ms     (void);

/* For tests: as if somebody had set the calendar that much forward. */
void         gadget_clock_shift_wall  (gint64         ms);

G_END_DECLS
