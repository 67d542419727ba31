/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts turns with queued messages.
 *
 * A process that works on a session does not know which messages another process has queued in it.
 * The process that queued a message sends it, as soon as it has read that the turn of the other
 * process has ended and the other process has dropped the session's lease.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent-private.h"

#include "session/gadget-attachment.h"

/**
 * gadget_agent_send_queued:
 * @index: the message in the queue; 0 is the oldest
 * @options: (nullable): how the turn is started; its run id and attachments are ignored
 *
 * Takes a message out of the queue and starts a turn with it. If the message was paused, the rest
 * of the queue is resumed. The stored queue loses the message in the transaction that stores the
 * turn.
 *
 * Returns: whether the turn started; if not, the message is still in its place and @error is a
 *   #GadgetAgentError: FAILED if there is no such message, else as for gadget_agent_start ()
 */
gboolean
gadget_agent_send_queued (GadgetAgent *self, GadgetSession *session, guint index,
                          const GadgetTurnOptions *options, GError **error)
{
  GadgetTurnOptions fresh = { 0 };
  g_autoptr (GadgetQueuedMessage) message = NULL;
  g_autoptr (GadgetRun) run = NULL;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  message = gadget_session_take_queued (session, index);
  if (message == NULL)
    {
      g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                           "there is no such queued message");
      return FALSE;
    }
  if (options != NULL)
    fresh = *options;
  /* With the id of an active run nothing would start, and the message would be lost. */
  fresh.run_id = NULL;
  fresh.attachments = gadget_attachments_get (message);
  run = gadget_agent_start (self, session, gadget_queued_message_get_text (message), &fresh, error);
  if (run == NULL)
    {
      gadget_session_insert_queued (session, index, message);
      return FALSE;
    }
  if (gadget_queued_message_get_paused (message))
    gadget_session_set_queue_paused (session, FALSE);
  return TRUE;
}

/* --- Behind another process's turn -------------------------------------------------------------
 */

static const char remote_wait_key[] = "gadget-agent-after-remote";

/* Attached to a session while its queue waits for the turn of another process. */
typedef struct
{
  GadgetAgent *agent;
  GadgetTurnOptions options;
  gboolean aborted;  /* the user has aborted that turn in this process */
  GPtrArray *paused; /* of GadgetQueuedMessage: the messages that the abort paused */
} RemoteWait;

static void
remote_wait_free (gpointer data)
{
  RemoteWait *wait = data;

  g_object_unref (wait->agent);
  g_ptr_array_unref (wait->paused);
  g_free (wait);
}

static void go_on_after_remote (GadgetSession *session); /* disconnects itself */

static void
lease_ended_cb (GadgetSession *session, const char *session_id)
{
  if (g_str_equal (session_id, gadget_session_get_id (session)))
    go_on_after_remote (session);
}

static RemoteWait *
get_remote_wait (GadgetAgent *self, GadgetSession *session)
{
  RemoteWait *wait = g_object_get_data (G_OBJECT (session), remote_wait_key);
  const GadgetTurnStorage *storage = _gadget_agent_get_environment (self)->storage;

  if (wait != NULL)
    return wait;
  wait = g_new0 (RemoteWait, 1);
  wait->agent = g_object_ref (self);
  wait->paused = g_ptr_array_new_with_free_func (g_object_unref);
  g_object_set_data_full (G_OBJECT (session), remote_wait_key, wait, remote_wait_free);
  g_signal_connect (session, "notify::remote-run", G_CALLBACK (go_on_after_remote), NULL);
  if (storage != NULL)
    g_signal_connect_object (storage->store, "lease-ended", G_CALLBACK (lease_ended_cb), session,
                             G_CONNECT_SWAPPED);
  return wait;
}

static void
forget_remote_wait (GadgetSession *session)
{
  const RemoteWait *wait = g_object_get_data (G_OBJECT (session), remote_wait_key);
  const GadgetTurnStorage *storage = _gadget_agent_get_environment (wait->agent)->storage;

  g_signal_handlers_disconnect_by_func (session, go_on_after_remote, NULL);
  if (storage != NULL)
    g_signal_handlers_disconnect_by_func (storage->store, lease_ended_cb, session);
  g_object_set_data (G_OBJECT (session), remote_wait_key, NULL);
}

static void
go_on_after_remote (GadgetSession *session)
{
  const RemoteWait *wait = g_object_get_data (G_OBJECT (session), remote_wait_key);
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  g_autoptr (GError) error = NULL;

  if (gadget_session_get_remote_run (session) != NULL
      || gadget_session_get_active_run (session) != NULL || turn == NULL
      || gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
    return;
  if (gadget_turn_get_status (turn) != GADGET_TURN_FINISHED && !wait->aborted)
    gadget_session_set_queue_paused (session, TRUE);
  else if (!_gadget_agent_send_next_queued (wait->agent, session, &wait->options, &error))
    {
      /* The other process is about to drop the lease; "lease-ended" calls this function again. */
      if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE))
        return;
      g_message ("the queued message stays: %s", error->message);
      gadget_session_set_queue_paused (session, TRUE);
    }
  _gadget_agent_save_session (wait->agent, session);
  forget_remote_wait (session);
}

/**
 * gadget_agent_queue_after_remote:
 * @options: as for gadget_agent_send_queued ()
 *
 * Another process works on @session. The queue of the session is sent when the turn of that process
 * has finished, and paused when the turn has failed or was aborted.
 */
void
gadget_agent_queue_after_remote (GadgetAgent *self, GadgetSession *session,
                                 const GadgetTurnOptions *options)
{
  RemoteWait *wait;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session) && options != NULL);

  wait = get_remote_wait (self, session);
  wait->options = *options;
  gadget_turn_options_drop_lent (&wait->options);
  wait->options.chat = NULL;
}

/**
 * gadget_agent_pause_after_remote:
 *
 * The user aborts the turn of another process. What is queued now is paused; what is queued later
 * is sent when that turn has ended, as after an abort of a turn of this process.
 */
void
gadget_agent_pause_after_remote (GadgetAgent *self, GadgetSession *session)
{
  GListModel *queue;
  RemoteWait *wait;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session));

  queue = gadget_session_get_queue (session);
  wait = get_remote_wait (self, session);
  wait->aborted = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      if (!gadget_queued_message_get_paused (message))
        g_ptr_array_add (wait->paused, g_object_ref (message));
    }
  gadget_session_set_queue_paused (session, TRUE);
}

/**
 * gadget_agent_resume_after_remote:
 *
 * The turn of the other process could not be aborted and goes on. Resumes the messages that
 * gadget_agent_pause_after_remote () has paused.
 */
void
gadget_agent_resume_after_remote (GadgetAgent *self, GadgetSession *session)
{
  RemoteWait *wait;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session));

  wait = g_object_get_data (G_OBJECT (session), remote_wait_key);
  if (wait == NULL)
    return;
  wait->aborted = FALSE;
  for (guint i = 0; i < wait->paused->len; i++)
    gadget_queued_message_set_paused (g_ptr_array_index (wait->paused, i), FALSE);
  g_ptr_array_set_size (wait->paused, 0);
}
