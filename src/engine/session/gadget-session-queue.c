/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The queue of messages. Messages that steer the turn that is going on come first, because that
 * turn takes them before any other turn begins. Paused messages come last: they were queued before
 * a turn was aborted, and newer messages do not wait for them. */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-attachment.h"
#include "gadget-session.h"

static GListStore *
get_store (GadgetSession *self)
{
  return G_LIST_STORE (gadget_session_get_queue (self));
}

/* Returns the index of the first message, starting at @from, for which @is_so returns @wanted; the
 * length of the queue if there is none. */
static guint
find (GadgetSession *self, guint from, gboolean (*is_so) (GadgetQueuedMessage *), gboolean wanted)
{
  GListModel *queue = gadget_session_get_queue (self);
  const guint n = g_list_model_get_n_items (queue);

  for (guint i = from; i < n; i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      if (is_so (message) == wanted)
        return i;
    }
  return n;
}

/* Returns the index of the first message, starting at @from, that steers or does not; see find
 * (). */
static guint
find_queued (GadgetSession *self, guint from, gboolean steering)
{
  return find (self, from, gadget_queued_message_get_steering, steering);
}

/**
 * gadget_session_enqueue_message:
 * @message: a reference is kept
 *
 * Adds a message behind all messages that are not paused. A steering message is added before all
 * messages that wait for a turn of their own, behind the other steering messages.
 */
void
gadget_session_enqueue_message (GadgetSession *self, GadgetQueuedMessage *message)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && GADGET_IS_QUEUED_MESSAGE (message));

  if (gadget_queued_message_get_steering (message))
    g_list_store_insert (get_store (self), find_queued (self, 0, FALSE), message);
  else
    g_list_store_insert (get_store (self), find (self, 0, gadget_queued_message_get_paused, TRUE),
                         message);
}

/**
 * gadget_session_find_unpaused:
 *
 * Returns: the index of the first message that is not paused; the length of the queue if all are
 */
guint
gadget_session_find_unpaused (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return find (self, 0, gadget_queued_message_get_paused, FALSE);
}

/**
 * gadget_session_get_queue_paused:
 *
 * Returns: whether a message in the queue is paused
 */
gboolean
gadget_session_get_queue_paused (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return find (self, 0, gadget_queued_message_get_paused, TRUE)
         < g_list_model_get_n_items (gadget_session_get_queue (self));
}

/**
 * gadget_session_set_queue_paused:
 *
 * Pauses or resumes all messages that are queued now. Messages that are queued later are not
 * paused.
 */
void
gadget_session_set_queue_paused (GadgetSession *self, gboolean paused)
{
  GListModel *queue;

  g_return_if_fail (GADGET_IS_SESSION (self));

  queue = gadget_session_get_queue (self);
  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      gadget_queued_message_set_paused (message, paused);
    }
}

/**
 * gadget_session_enqueue:
 *
 * Adds a message with @text for a turn of its own.
 */
void
gadget_session_enqueue (GadgetSession *self, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self) && text != NULL);

  message = gadget_queued_message_new (text);
  gadget_session_enqueue_message (self, message);
}

/**
 * gadget_session_steer:
 *
 * Adds a message with @text for the next step of the turn that is going on.
 */
void
gadget_session_steer (GadgetSession *self, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self) && text != NULL);

  message = gadget_queued_message_new_steering (text);
  gadget_session_enqueue_message (self, message);
}

/**
 * gadget_session_insert_queued:
 * @index: the former index of the message; an index behind the end means the end
 * @message: a reference is kept
 *
 * Puts a message back at its former place.
 */
void
gadget_session_insert_queued (GadgetSession *self, guint index, GadgetQueuedMessage *message)
{
  GListModel *queue;

  g_return_if_fail (GADGET_IS_SESSION (self) && GADGET_IS_QUEUED_MESSAGE (message));

  queue = gadget_session_get_queue (self);
  g_list_store_insert (get_store (self), MIN (index, g_list_model_get_n_items (queue)), message);
}

/**
 * gadget_session_take_queued:
 *
 * Removes a message from the queue.
 *
 * Returns: (transfer full) (nullable): the message; %NULL when there is none at @index
 */
GadgetQueuedMessage *
gadget_session_take_queued (GadgetSession *self, guint index)
{
  GadgetQueuedMessage *message;

  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);

  message = g_list_model_get_item (gadget_session_get_queue (self), index);
  if (message != NULL)
    g_list_store_remove (get_store (self), index);
  return message;
}

/**
 * gadget_session_take_steering:
 *
 * Removes the first steering message from the queue.
 *
 * Returns: (transfer full) (nullable): the message; %NULL when there is none
 */
GadgetQueuedMessage *
gadget_session_take_steering (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return gadget_session_take_queued (self, find_queued (self, 0, TRUE));
}

/**
 * gadget_session_end_steering:
 *
 * Called when the turn is over: its remaining steering messages become messages that wait for a
 * turn of their own, at the same places.
 */
void
gadget_session_end_steering (GadgetSession *self)
{
  guint i;

  g_return_if_fail (GADGET_IS_SESSION (self));

  for (i = find_queued (self, 0, TRUE);
       i < g_list_model_get_n_items (gadget_session_get_queue (self));
       i = find_queued (self, i, TRUE))
    {
      g_autoptr (GadgetQueuedMessage) steering = gadget_session_take_queued (self, i);
      g_autoptr (GadgetQueuedMessage) message =
          gadget_queued_message_new (gadget_queued_message_get_text (steering));

      gadget_attachments_set (message, gadget_attachments_get (steering));
      gadget_queued_message_set_paused (message, gadget_queued_message_get_paused (steering));
      gadget_session_insert_queued (self, i, message);
    }
}

/**
 * gadget_session_dequeue:
 *
 * Removes a message from the queue when only its text is needed.
 *
 * Returns: (transfer full) (nullable): the text; %NULL when there is no message at @index
 */
char *
gadget_session_dequeue (GadgetSession *self, guint index)
{
  g_autoptr (GadgetQueuedMessage) message = gadget_session_take_queued (self, index);

  return message != NULL ? g_strdup (gadget_queued_message_get_text (message)) : NULL;
}

/**
 * gadget_session_move_queued:
 *
 * Moves the message at @from to @to, and shifts those in between by one. This is a single change of
 * the model, so that a view does not see the message disappear and come back.
 */
void
gadget_session_move_queued (GadgetSession *self, guint from, guint to)
{
  const guint first = MIN (from, to);
  const guint n = MAX (from, to) - first + 1;
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *queue;

  g_return_if_fail (GADGET_IS_SESSION (self));

  queue = gadget_session_get_queue (self);
  if (from == to || MAX (from, to) >= g_list_model_get_n_items (queue))
    return;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (messages, g_list_model_get_item (queue, first + i));
  g_ptr_array_insert (messages, (int) (to - first),
                      g_ptr_array_steal_index (messages, from - first));
  g_list_store_splice (get_store (self), first, n, messages->pdata, n);
}
