/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that wait: those that steer the turn which is going on come first, since it takes them
 * before any other turn begins. Those that are paused come last: they were queued before a turn was
 * aborted, and what was said afterwards does not wait for them. */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-attachment.h"
#include "gadget-session.h"

static GListStore *
get_store (GadgetSession *self)
{
  return G_LIST_STORE (gadget_session_get_queue (self));
}

/* The first message from @from on of which @is_so is @wanted; their number when there is none. */
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

/* The first message from @from on that steers, or does not. */
static guint
find_queued (GadgetSession *self, guint from, gboolean steering)
{
  return find (self, from, gadget_queued_message_get_steering, steering);
}

/**
 * gadget_session_enqueue_message:
 *
 * Puts a message behind all others that are not paused; one that steers before all that wait for a
 * turn of their own, behind those that steer already.
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
 * Returns: the place of the first message that is not paused; the length of the queue when all are
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
 * Returns: whether a message of the queue is paused
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
 * Pauses all that is queued now, or lets all of it go on. What is queued later is not paused.
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

void
gadget_session_enqueue (GadgetSession *self, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self) && text != NULL);

  message = gadget_queued_message_new (text);
  gadget_session_enqueue_message (self, message);
}

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
 *
 * Puts a message where it was before it was taken.
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
 * Takes a message out of the queue.
 *
 * Returns: (transfer full) (nullable): %NULL when there is none at @index
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
 * Takes the first message that steers out of the queue.
 *
 * Returns: (transfer full) (nullable): %NULL when there is none
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
 * The turn is over: what was meant for it waits, in its place, for a turn of its own.
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
 * Takes a message out of the queue, of which the text is all that is wanted.
 *
 * Returns: (transfer full) (nullable): its text; %NULL when there is none at @index
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
 * Moves the message at index @from to @to, and those between by one. This is one change of the
 * model, so that a view does not see the message go and come.
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
