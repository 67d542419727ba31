/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that waited become turns. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent.h"

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
