/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn-watch.h"

G_BEGIN_DECLS

#define GADGET_TYPE_EVENT_FEED (gadget_event_feed_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEventFeed, gadget_event_feed, GADGET, EVENT_FEED, GObject)

typedef void (*GadgetEventFeedFunc) (const char *run_id, GVariant *event, gpointer user_data);

/* The events of a run's turn for D-Bus, in their order; what streams is put together, so that a
 * fast model costs the bus a few messages a second. Knows what the turn asks and nobody answered. */
GadgetEventFeed *gadget_event_feed_new         (const char           *run_id,
                                                GadgetTurn           *turn,
                                                GadgetEventFeedFunc   func,
                                                gpointer              user_data);
/* The events of what waits for an answer (GVariant), to be freed. */
GPtrArray       *gadget_event_feed_list_prompts (GadgetEventFeed     *self);
GadgetPrompt    *gadget_event_feed_find_prompt (GadgetEventFeed      *self,
                                                const char           *id);

/* Tells what is held back, at the end of the turn. */
void             gadget_event_feed_flush       (GadgetEventFeed      *self);

G_END_DECLS
