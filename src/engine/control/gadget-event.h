/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn-watch.h"

G_BEGIN_DECLS

/* Returns the name of an event in --json and on D-Bus (static). */
const char *gadget_event_get_name (const GadgetTurnEvent *event);

/* Returns the event as it is sent on D-Bus (floating). @delta, if not NULL, replaces the event's
 * own. */
GVariant *gadget_event_to_variant (const GadgetTurnEvent *event, const char *delta);

G_END_DECLS
