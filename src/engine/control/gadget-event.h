/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn-watch.h"

G_BEGIN_DECLS

/* What an event is called in --json and on D-Bus. */
const char *gadget_event_get_name   (const GadgetTurnEvent  *event);

/* The event as it is on D-Bus, floating; DELTA, if not NULL, is there in the place of its own. */
GVariant   *gadget_event_to_variant (const GadgetTurnEvent  *event,
                                     const char             *delta);

G_END_DECLS
