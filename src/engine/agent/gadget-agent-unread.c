/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which chats are unread: those in which a turn has ended, other than by the user's own abort, or
 * has asked something, while no window showed them. To show a chat makes it read.
 *
 * Only a process with windows knows what is being looked at, so this begins with the first call of
 * gadget_agent_set_viewed (): gadget-cli makes no chat unread, and none read.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent-private.h"

/**
 * gadget_agent_set_viewed:
 * @viewer: tells the windows apart
 * @session: (nullable): the chat that is being looked at there; %NULL for none
 *
 * See gadget_engine_set_viewed ().
 */
void
gadget_agent_set_viewed (GadgetAgent *self, gconstpointer viewer, GadgetSession *session)
{
  const char *id = NULL;

  g_return_if_fail (GADGET_IS_AGENT (self) && viewer != NULL);
  g_return_if_fail (session == NULL || GADGET_IS_SESSION (session));

  if (session != NULL)
    id = gadget_session_get_id (session);
  g_hash_table_insert (_gadget_agent_get_views (self), (gpointer) viewer, g_strdup (id));
  if (session == NULL || !gadget_session_get_unread (session))
    return;
  gadget_session_set_unread (session, FALSE);
  _gadget_agent_save_session (self, session);
}

/* Returns whether there are windows, and none of them shows the chat. */
static gboolean
is_out_of_sight (GadgetAgent *self, GadgetSession *session)
{
  GHashTable *views = _gadget_agent_get_views (self);
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, views);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    if (g_strcmp0 (id, gadget_session_get_id (session)) == 0)
      return FALSE;
  return g_hash_table_size (views) > 0;
}

/* To be called with what a turn of @session is doing now. */
void
_gadget_agent_note_phase (GadgetAgent *self, GadgetSession *session, GadgetTurn *turn)
{
  if (gadget_turn_get_phase (turn) != GADGET_PHASE_ASKING || gadget_session_get_unread (session)
      || !is_out_of_sight (self, session))
    return;
  gadget_session_set_unread (session, TRUE);
  _gadget_agent_save_session (self, session);
}

/* To be called when @turn has ended, before @session is saved. */
void
_gadget_agent_note_end (GadgetAgent *self, GadgetSession *session, GadgetTurn *turn)
{
  const GadgetStopReason reason = gadget_turn_get_stop_reason (turn);

  /* The user's leaving the program stops turns as closed. */
  if (reason != GADGET_STOP_USER && reason != GADGET_STOP_CLOSED && is_out_of_sight (self, session))
    gadget_session_set_unread (session, TRUE);
}
