/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-pace.h"

/* One part in so many of the time is for showing. */
#define SHARE 20

/* Slower than this is seen as jerks. */
#define LONGEST_US 100000

static gboolean is_enabled = TRUE;

void
gadget_pace_begin (GadgetPace *self, gint64 now)
{
  self->begin = now;
  self->busy = TRUE;
}

void
gadget_pace_end (GadgetPace *self, gint64 now)
{
  if (!self->busy)
    return;
  self->busy = FALSE;
  /* One that was long for another reason counts for a while, not for good. */
  self->cost = self->cost == 0 ? now - self->begin : (3 * self->cost + now - self->begin) / 4;
}

gint64
gadget_pace_get_delay (GadgetPace *self, gint64 now)
{
  const gint64 interval = MIN (self->cost * SHARE, LONGEST_US);

  if (!is_enabled || self->begin == 0)
    return 0;
  return MAX (self->begin + interval - now, 0);
}

void
gadget_pace_set_enabled (gboolean enabled)
{
  is_enabled = enabled;
}
