/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often a text that grows is shown: as often as there are frames where that costs little, less
 * often where it costs much, so that showing it never takes more than a small share of the time. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 begin; /* of the last time that something was shown; 0 for never */
  gint64 cost;  /* of that, smoothed */
  gboolean busy;
} GadgetPace;

/* All in microseconds of the monotonic clock. */
void     gadget_pace_begin       (GadgetPace *self,
                                  gint64      now);
void     gadget_pace_end         (GadgetPace *self,
                                  gint64      now);

/* How long it is until something may be shown again; 0 for at once. */
gint64   gadget_pace_get_delay   (GadgetPace *self,
                                  gint64      now);

/* FALSE: everything is shown at once, for those who count frames. */
void     gadget_pace_set_enabled (gboolean    enabled);

G_END_DECLS
