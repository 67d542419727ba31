/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that waited become turns. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent.h"

static void
put_back (GadgetSession *session, const char *text, guint index)
{
  GListModel *queue = gadget_session_get_queue (session);

  gadget_session_enqueue (session, text);
  gadget_session_move_queued (session, g_list_model_get_n_items (queue) - 1, index);
}

/**
 * gadget_agent_send_queued:
 *
 * Takes a message out of the queue and starts its turn; the queue is no longer paused then. The
 * stored queue loses it in the transaction that stores the turn.
 *
 * Returns: whether it started; otherwise the message is where it was
 */
gboolean
gadget_agent_send_queued (GadgetAgent *self, GadgetSession *session, guint index,
                          const GadgetTurnOptions *options, GError **error)
{
  GadgetTurnOptions fresh = { 0 };
  g_autofree char *text = NULL;
  g_autoptr (GadgetRun) run = NULL;
  gboolean paused;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  text = gadget_session_dequeue (session, index);
  if (text == NULL)
    {
      g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                           "there is no such queued message");
      return FALSE;
    }
  if (options != NULL)
    fresh = *options;
  /* Were it a run that is active, the message would be nobody's. */
  fresh.run_id = NULL;
  paused = gadget_session_get_queue_paused (session);
  gadget_session_set_queue_paused (session, FALSE);
  run = gadget_agent_start (self, session, text, &fresh, error);
  if (run != NULL)
    return TRUE;
  put_back (session, text, index);
  gadget_session_set_queue_paused (session, paused);
  return FALSE;
}
