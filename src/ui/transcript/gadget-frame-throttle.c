/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-frame-throttle.h"

/* Showing a text may take one part in SHARE of the time. */
#define SHARE 20

/* Longer intervals look like jerks. */
#define LONGEST_US 100000

static gboolean is_enabled = TRUE;

void
gadget_frame_throttle_begin (GadgetFrameThrottle *self, gint64 now)
{
  self->begin = now;
  self->busy = TRUE;
}

void
gadget_frame_throttle_end (GadgetFrameThrottle *self, gint64 now)
{
  if (!self->busy)
    return;
  self->busy = FALSE;
  /* The cost is smoothed, so that one slow frame with another cause counts for a while only. */
  self->cost = self->cost == 0 ? now - self->begin : (3 * self->cost + now - self->begin) / 4;
}

gint64
gadget_frame_throttle_get_delay (GadgetFrameThrottle *self, gint64 now)
{
  const gint64 interval = MIN (self->cost * SHARE, LONGEST_US);

  if (!is_enabled || self->begin == 0)
    return 0;
  return MAX (self->begin + interval - now, 0);
}

void
gadget_frame_throttle_set_enabled (gboolean enabled)
{
  is_enabled = enabled;
}
