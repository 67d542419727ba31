/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Incognito chats. The engine keeps them in a list of their own, which no other part of the program
 * writes from, and in which other processes and the search find nothing.
 *
 * When the user keeps such a chat, its turns are stored as if they had just ended, each with its
 * subagents' after it, and a turn that goes on gets its journal. So what cannot be written then is
 * not lost, as with every other turn. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "gadget-agent-private.h"
#include "gadget-title.h"
#include "gadget-turn-commit.h"
#include "gadget-turn-loop.h"
#include "common/gadget-id.h"

/**
 * gadget_engine_new_incognito:
 *
 * Makes a chat of which nothing is stored, until the user keeps it.
 *
 * Returns: (transfer full): the chat, which is in gadget_engine_get_incognito ()
 */
GadgetSession *
gadget_engine_new_incognito (GadgetEngine *self)
{
  g_autofree char *id = gadget_id_new ();
  GadgetSession *session;

  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);

  session = gadget_session_new (id);
  gadget_session_set_incognito (session, TRUE);
  gadget_session_set_loaded (session, TRUE);
  g_list_store_append (G_LIST_STORE (gadget_engine_get_incognito (self)), session);
  return session;
}

/* A chat that was closed is none of the list's, but a tool of it may take a while to end. */
static GadgetSession *
find_closed (GadgetEngine *self, const char *id)
{
  const GadgetTurnEnvironment *environment =
      _gadget_agent_get_environment (gadget_engine_get_agent (self));
  GHashTableIter iter;
  gpointer loop;

  g_hash_table_iter_init (&iter, environment->loops);
  while (g_hash_table_iter_next (&iter, NULL, &loop))
    {
      GadgetSession *session = _gadget_turn_loop_get_session (loop);

      if (gadget_session_get_incognito (session)
          && g_strcmp0 (gadget_session_get_id (session), id) == 0)
        return session; /* owned by the loop */
    }
  return NULL;
}

GadgetSession *
gadget_engine_find_incognito (GadgetEngine *self, const char *id)
{
  GListModel *incognito;

  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);

  incognito = gadget_engine_get_incognito (self);
  for (guint i = 0; i < g_list_model_get_n_items (incognito); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (incognito, i);

      if (g_strcmp0 (gadget_session_get_id (session), id) == 0)
        return session; /* owned by the list */
    }
  return find_closed (self, id);
}

/* Returns whether the list had the chat. */
static gboolean
take (GadgetEngine *self, GadgetSession *session)
{
  GListStore *incognito = G_LIST_STORE (gadget_engine_get_incognito (self));
  guint position;

  if (!g_list_store_find (incognito, session, &position))
    return FALSE;
  g_list_store_remove (incognito, position);
  return TRUE;
}

/* --- Closing ---------------------------------------------------------------------------------- */

/**
 * gadget_engine_close_incognito:
 *
 * Forgets an incognito chat, and stops what is done for it. Nothing can be sent to it any more.
 */
void
gadget_engine_close_incognito (GadgetEngine *self, GadgetSession *session)
{
  GadgetAgent *agent;
  g_autoptr (GadgetSession) hold = NULL;

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));

  hold = g_object_ref (session);
  if (!take (self, session))
    return;
  agent = gadget_engine_get_agent (self);
  gadget_abort_ack_free (
      gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_CLOSED));
  gadget_permission_rules_forget (gadget_policy_get_rules (gadget_agent_get_policy (agent)),
                                  gadget_session_get_id (session));
  gadget_session_set_deletion (session, GADGET_DELETION_DONE);
}

/* --- Keeping ---------------------------------------------------------------------------------- */

/* What is kept: the turns of the chat and of its subagents, each after those that it follows. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  const char *chat_id;
  GPtrArray *turns; /* (element-type GadgetTurn) */
} Keeping;

static void
committed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  _gadget_turn_commit_finish (result);
}

static void
keep_turn (Keeping *keeping, GadgetSession *session, GadgetTurn *turn)
{
  const GadgetTurnStorage *storage = keeping->environment->storage;
  const gboolean running = gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING;
  g_autoptr (GadgetJournal) journal =
      gadget_journal_new_for_run (storage->store, session, turn, NULL,
                                  running ? gadget_session_get_active_run (session) : NULL);

  g_ptr_array_add (keeping->turns, turn);
  if (running)
    _gadget_turn_loop_keep (_gadget_turn_loop_find (keeping->environment, session), journal);
  else
    _gadget_turn_commit_async (keeping->environment, journal, turn, keeping->chat_id, committed_cb,
                               NULL);
  /* The journal of the next turn then knows that this one has to be stored before it. */
  g_object_freeze_notify (G_OBJECT (turn));
  gadget_turn_set_saved (turn, FALSE);
}

static void
keep_session (Keeping *keeping, GadgetSession *session)
{
  gadget_session_set_incognito (session, FALSE);
  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i);

      keep_turn (keeping, session, turn);
      for (guint k = 0; k < gadget_turn_get_n_items (turn); k++)
        {
          GadgetSession *child = gadget_item_get_child (gadget_turn_get_item (turn, k));

          if (child != NULL && gadget_session_get_incognito (child))
            keep_session (keeping, child);
        }
    }
}

static void
idle_cb (GadgetSession *session, GParamSpec *pspec, GadgetAgent *agent)
{
  if (gadget_session_get_active_run (session) != NULL)
    return;
  g_signal_handlers_disconnect_by_func (session, idle_cb, agent);
  gadget_session_locks_release_lease (gadget_agent_get_session_locks (agent),
                                      gadget_session_get_id (session));
}

/* A turn that goes on needs the lease from now on. Without it, the turn is not saved when it
 * ends, and the user is told so. */
static void
hold_lease (GadgetAgent *agent, GadgetSession *session)
{
  g_autoptr (GError) error = NULL;

  if (gadget_session_get_active_run (session) == NULL)
    return;
  if (gadget_session_locks_acquire_lease (gadget_agent_get_session_locks (agent),
                                          gadget_session_get_id (session), &error))
    g_signal_connect_object (session, "notify::active-run", G_CALLBACK (idle_cb), agent,
                             G_CONNECT_DEFAULT);
  else
    g_message ("the lease of a chat that is kept: %s", error->message);
}

static void
give_title (GadgetSession *session)
{
  g_autofree char *title = NULL;

  if (gadget_session_get_title (session) != NULL || gadget_session_get_n_turns (session) == 0)
    return;
  title = _gadget_title_from_turn (gadget_session_get_turn (session, 0));
  gadget_session_set_title (session, *title != '\0' ? title : NULL);
}

/**
 * gadget_engine_keep_incognito:
 *
 * Makes an ordinary chat of an incognito one: it is stored from its first turn on, also while a
 * turn goes on. Changes of files that were made before cannot be undone nevertheless.
 */
void
gadget_engine_keep_incognito (GadgetEngine *self, GadgetSession *session)
{
  GadgetAgent *agent;
  Keeping keeping = { 0 };
  g_autoptr (GPtrArray) turns = g_ptr_array_new ();

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));
  g_return_if_fail (gadget_session_get_n_turns (session) > 0);

  if (!take (self, session))
    return;
  agent = gadget_engine_get_agent (self);
  /* Those who show it are told when it is in the list. */
  g_object_freeze_notify (G_OBJECT (session));
  /* A list that was asked for before does not have it, and must not take it for deleted. */
  gadget_session_set_updated_at (session, gadget_clock_wall_ms ());
  keeping.environment = _gadget_agent_get_environment (agent);
  keeping.chat_id = gadget_session_get_id (session);
  keeping.turns = turns;
  give_title (session);
  hold_lease (agent, session);
  keep_session (&keeping, session);
  for (guint i = 0; i < turns->len; i++)
    {
      gadget_turn_set_saved (g_ptr_array_index (turns, i), TRUE);
      g_object_thaw_notify (g_ptr_array_index (turns, i));
    }
  _gadget_engine_adopt_session (self, session);
  g_object_thaw_notify (G_OBJECT (session));
  gadget_engine_save (self, session);
  gadget_permission_rules_keep (gadget_policy_get_rules (gadget_agent_get_policy (agent)),
                                gadget_session_get_id (session));
}
