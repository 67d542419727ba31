/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn-watch.h"

G_BEGIN_DECLS

#define GADGET_TYPE_EVENT_FEED (gadget_event_feed_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEventFeed, gadget_event_feed, GADGET, EVENT_FEED, GObject)

/* Receives an event as a{sv} (transfer none). */
typedef void (*GadgetEventFeedFunc) (const char *run_id, GVariant *event, gpointer user_data);

/* The events of a run's turn for D-Bus, in order. Streamed text is joined, so a fast model causes
 * only a few messages per second on the bus. The feed also knows the prompts that nobody answered
 * yet. */
GadgetEventFeed *gadget_event_feed_new         (const char           *run_id,
                                                GadgetTurn           *turn,
                                                GadgetEventFeedFunc   func,
                                                gpointer              user_data);
/* See the .c file for the results. */
GPtrArray       *gadget_event_feed_list_prompts (GadgetEventFeed     *self);
GadgetPrompt    *gadget_event_feed_find_prompt (GadgetEventFeed      *self,
                                                const char           *id);

/* Reports the text that is held back; called at the end of the turn. */
void             gadget_event_feed_flush       (GadgetEventFeed      *self);

G_END_DECLS
