/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_QUEUED_MESSAGE (gadget_queued_message_get_type ())
G_DECLARE_FINAL_TYPE (GadgetQueuedMessage, gadget_queued_message, GADGET, QUEUED_MESSAGE, GObject)

/* A message that waits for a turn of its own, or (steering) for the next step of the turn that is
 * going on. Text and kind never change; the property "paused" notifies. */
GadgetQueuedMessage *gadget_queued_message_new          (const char          *text);
GadgetQueuedMessage *gadget_queued_message_new_steering (const char          *text);
const char          *gadget_queued_message_get_text     (GadgetQueuedMessage *self);
gboolean             gadget_queued_message_get_steering (GadgetQueuedMessage *self);
gboolean             gadget_queued_message_get_paused   (GadgetQueuedMessage *self);
void                 gadget_queued_message_set_paused   (GadgetQueuedMessage *self,
                                                         gboolean             paused);

G_END_DECLS
