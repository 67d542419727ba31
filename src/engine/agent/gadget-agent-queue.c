/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that waited become turns.
 *
 * A program that works on a session does not know what another one queues in it. Who queued it
 * sends it: when it has read that the turn has ended, and the other program has left the session.
 */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent.h"
#include "gadget-turn-loop.h"

#include "session/gadget-attachment.h"

/**
 * gadget_agent_send_queued:
 *
 * Takes a message out of the queue and starts its turn. If it was paused, the others no longer are
 * then. The stored queue loses it in the transaction that stores the turn.
 *
 * Returns: whether it started; otherwise the message is where it was
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
  /* Were it a run that is active, the message would be nobody's. */
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

static const char after_key[] = "gadget-agent-after-remote";

/* A session keeps this while its queue waits. */
typedef struct
{
  GadgetAgent *agent;
  GadgetTurnOptions options;
  gboolean aborted;  /* by the user of this process */
  GPtrArray *paused; /* of GadgetQueuedMessage: those that the abort paused */
} After;

static void
after_free (gpointer data)
{
  After *after = data;

  g_object_unref (after->agent);
  g_ptr_array_unref (after->paused);
  g_free (after);
}

static void go_on_after_remote (GadgetSession *session); /* it stops listening to what calls it */

static void
lease_ended_cb (GadgetSession *session, const char *session_id)
{
  if (g_str_equal (session_id, gadget_session_get_id (session)))
    go_on_after_remote (session);
}

static After *
get_after (GadgetAgent *self, GadgetSession *session)
{
  After *after = g_object_get_data (G_OBJECT (session), after_key);

  if (after != NULL)
    return after;
  after = g_new0 (After, 1);
  after->agent = g_object_ref (self);
  after->paused = g_ptr_array_new_with_free_func (g_object_unref);
  g_object_set_data_full (G_OBJECT (session), after_key, after, after_free);
  g_signal_connect (session, "notify::remote-run", G_CALLBACK (go_on_after_remote), NULL);
  if (_gadget_agent_get_store (self) != NULL)
    g_signal_connect_object (_gadget_agent_get_store (self), "lease-ended",
                             G_CALLBACK (lease_ended_cb), session, G_CONNECT_SWAPPED);
  return after;
}

static void
forget_after (GadgetSession *session)
{
  const After *after = g_object_get_data (G_OBJECT (session), after_key);

  g_signal_handlers_disconnect_by_func (session, go_on_after_remote, NULL);
  if (_gadget_agent_get_store (after->agent) != NULL)
    g_signal_handlers_disconnect_by_func (_gadget_agent_get_store (after->agent), lease_ended_cb,
                                          session);
  g_object_set_data (G_OBJECT (session), after_key, NULL);
}

static void
go_on_after_remote (GadgetSession *session)
{
  const After *after = g_object_get_data (G_OBJECT (session), after_key);
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  g_autoptr (GError) error = NULL;

  if (gadget_session_get_remote_run (session) != NULL
      || gadget_session_get_active_run (session) != NULL || turn == NULL
      || gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
    return;
  if (gadget_turn_get_status (turn) != GADGET_TURN_FINISHED && !after->aborted)
    gadget_session_set_queue_paused (session, TRUE);
  else if (!_gadget_agent_go_on_with_queue (after->agent, session, &after->options, &error))
    {
      /* The other program is about to leave the session. */
      if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE))
        return;
      g_message ("the queued message stays: %s", error->message);
      gadget_session_set_queue_paused (session, TRUE);
    }
  _gadget_agent_save_session (after->agent, session);
  forget_after (session);
}

/**
 * gadget_agent_queue_after_remote:
 * @options: as of gadget_agent_send_queued ()
 *
 * Another process works on @session. The session's queue is sent when that process's turn has
 * finished, and is paused when the turn failed or was aborted.
 */
void
gadget_agent_queue_after_remote (GadgetAgent *self, GadgetSession *session,
                                 const GadgetTurnOptions *options)
{
  After *after;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session) && options != NULL);

  after = get_after (self, session);
  after->options = *options;
  _gadget_turn_options_drop_lent (&after->options);
  after->options.chat = NULL;
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
  After *after;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session));

  queue = gadget_session_get_queue (session);
  after = get_after (self, session);
  after->aborted = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      if (!gadget_queued_message_get_paused (message))
        g_ptr_array_add (after->paused, g_object_ref (message));
    }
  gadget_session_set_queue_paused (session, TRUE);
}

/**
 * gadget_agent_resume_after_remote:
 *
 * That turn could not be aborted, and goes on: what waits for it is as it was before.
 */
void
gadget_agent_resume_after_remote (GadgetAgent *self, GadgetSession *session)
{
  After *after;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session));

  after = g_object_get_data (G_OBJECT (session), after_key);
  if (after == NULL)
    return;
  after->aborted = FALSE;
  for (guint i = 0; i < after->paused->len; i++)
    gadget_queued_message_set_paused (g_ptr_array_index (after->paused, i), FALSE);
  g_ptr_array_set_size (after->paused, 0);
}
