/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the model again for the title of a chat, because the user wants another one. The turns of a
 * chat that is not loaded are read for it and forgotten again. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "gadget-agent-private.h"
#include "gadget-title.h"

static gboolean
is_being_named (GadgetEngine *self, GadgetSession *session)
{
  g_autoptr (GPtrArray) runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self)));

  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (gadget_run_get_kind (run) == GADGET_RUN_TITLE
          && g_strcmp0 (gadget_run_get_session_id (run), gadget_session_get_id (session)) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Returns the provider that would be asked, as far as is known of a chat that is not loaded.
 * (nullable) */
static const char *
get_provider (GadgetEngine *self, GadgetSession *session)
{
  GadgetTurn *turn;
  const char *id = gadget_session_get_provider (session);

  if (gadget_session_get_loaded (session))
    {
      turn = _gadget_title_find_turn (session);
      return turn != NULL ? gadget_turn_get_provider (turn) : NULL;
    }
  return id != NULL ? id : gadget_provider_list_get_default_id (gadget_engine_get_providers (self));
}

/**
 * gadget_engine_can_name:
 *
 * Returns: whether a model can be asked for a title of @session: one has worked on it and is still
 *   set up, and none is being asked already
 */
gboolean
gadget_engine_can_name (GadgetEngine *self, GadgetSession *session)
{
  const char *provider;

  g_return_val_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session), FALSE);

  provider = get_provider (self, session);
  return provider != NULL && !gadget_session_get_incognito (session)
         && !g_str_equal (provider, GADGET_GUIDE_ID)
         && gadget_provider_list_find (gadget_engine_get_providers (self), provider) != NULL
         && gadget_session_get_deletion (session) == GADGET_DELETION_NONE
         && !_gadget_agent_is_closed (gadget_engine_get_agent (self))
         && !is_being_named (self, session);
}

static void
named_cb (GadgetSession *session, const GError *error, gpointer user_data)
{
  if (error == NULL)
    gadget_engine_save (user_data, session);
  else
    g_signal_emit_by_name (user_data, "naming-failed", session, error);
}

void
gadget_engine_name_again (GadgetEngine *self, GadgetSession *session)
{
  GadgetTurnEnvironment *environment;

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));

  if (!gadget_engine_can_name (self, session))
    return;
  environment = _gadget_agent_get_environment (gadget_engine_get_agent (self));
  _gadget_title_start (environment,
                       gadget_session_get_loaded (session) ? NULL : environment->storage->store,
                       session, TRUE, named_cb, g_object_ref (self), g_object_unref);
}
