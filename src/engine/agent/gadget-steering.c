/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that the user sends into a turn that is going on. Until the loop takes such a message,
 * it is in the queue and can be edited or removed; from then on it is an item of the turn. It is
 * never both and never neither, because the journal stores the item together with the queue that
 * has lost the message. */

#define G_LOG_DOMAIN "gadget-steering"

#include "config.h"

#include "gadget-steering.h"

#include "session/gadget-attachment.h"

/**
 * _gadget_steering_take:
 * @step: the step that is about to begin, and whose request has the messages
 *
 * Takes the messages for @turn out of the queue of @session and appends them to @turn as items, in
 * their order.
 */
void
_gadget_steering_take (GadgetSession *session, GadgetTurn *turn, guint step)
{
  GadgetQueuedMessage *message;

  while ((message = gadget_session_take_steering (session)) != NULL)
    {
      g_autoptr (GadgetQueuedMessage) taken = message;
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_STEER);
      const gint64 now = gadget_turn_get_now (turn);

      gadget_item_set_step (item, step);
      gadget_item_append_text (item, gadget_queued_message_get_text (taken), -1);
      gadget_attachments_set (item, gadget_attachments_get (taken));
      gadget_item_set_started_at (item, now);
      gadget_item_set_ended_at (item, now);
      gadget_item_set_status (item, GADGET_ITEM_FINISHED);
      gadget_turn_append (turn, item);
    }
}
