/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Limits how often a growing text is shown: in each frame where showing it costs little, and less
 * often where it costs much, so that showing it takes only a small share of the time. All times are
 * microseconds of the monotonic clock. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 begin; /* when something was last shown; 0 for never */
  gint64 cost;  /* how long showing it took, smoothed */
  gboolean busy;
} GadgetFrameThrottle;

/* Measure how long it takes to show something: begin () when the work starts, end () after the
 * frame was painted. end () without begin () does nothing. */
void   gadget_frame_throttle_begin       (GadgetFrameThrottle *self,
                                          gint64               now);
void   gadget_frame_throttle_end         (GadgetFrameThrottle *self,
                                          gint64               now);

/* Returns how long to wait until something may be shown again; 0 when it may be shown at once. */
gint64 gadget_frame_throttle_get_delay   (GadgetFrameThrottle *self,
                                          gint64               now);

/* With FALSE, everything is shown at once, for tests that count frames. Applies to the whole
 * process. */
void   gadget_frame_throttle_set_enabled (gboolean             enabled);

G_END_DECLS
