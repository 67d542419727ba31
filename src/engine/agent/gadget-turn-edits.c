/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Takes turns out of a chat and brings them back, at the user's command.
 *
 * Both happen under the lease of the session, so that no other process works on the chat meanwhile,
 * and only while no turn of the chat is active in this process. A turn that is deleted leaves the
 * memory at once and the store right after. If the store fails, the chat is read again, which
 * brings the turn back. Turns that are brought back are read from the store, which knows their
 * places. A turn that is started in between finds the chat in its later state, because the store
 * runs its jobs in order. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-turn-edits.h"

#include "gadget-agent-private.h"
#include "store/gadget-store-sessions.h"
#include "store/gadget-store-turns.h"

/* The data of a task. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  GadgetSession *session;
  char *turn_id; /* (nullable): as for the functions */
  gboolean leased;
  GError *error; /* (nullable): returned after the chat was read again */
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  if (edit->leased)
    gadget_session_locks_release_lease (edit->environment->storage->locks,
                                        gadget_session_get_id (edit->session));
  g_object_unref (edit->environment);
  g_object_unref (edit->session);
  g_free (edit->turn_id);
  g_clear_error (&edit->error);
  g_free (edit);
}

/* Returns a task whose edit holds the lease of the session; NULL if the task has returned an error:
 * a GADGET_AGENT_ERROR. */
static GTask *
edit_new (GadgetAgent *agent, GadgetSession *session, const char *turn_id, gpointer tag,
          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Edit *edit = g_new0 (Edit, 1);
  GError *error = NULL;

  edit->environment = g_object_ref (_gadget_agent_get_environment (agent));
  edit->session = g_object_ref (session);
  edit->turn_id = g_strdup (turn_id);
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, edit, edit_free);
  if (gadget_session_get_active_run (session) != NULL)
    g_task_return_new_error_literal (task, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY,
                                     "the session has an active turn");
  else if (gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
    g_task_return_new_error_literal (task, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED,
                                     "the chat was deleted, or is about to be");
  else if (_gadget_turn_environment_get_storage (edit->environment, session) == NULL)
    g_task_return_new_error_literal (task, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                                     "nothing is kept");
  else if (!gadget_session_locks_acquire_lease (edit->environment->storage->locks,
                                                gadget_session_get_id (session), &error))
    g_task_return_error (task, error);
  else
    {
      edit->leased = TRUE;
      return g_steal_pointer (&task);
    }
  return NULL;
}

/* The list of chats shows the status of the last turn. The time always grows, even within a
 * millisecond or after the clock was set back. */
static void
note_change (GadgetSession *session)
{
  GadgetTurn *last = gadget_session_get_last_turn (session);

  gadget_session_set_last_status (session, last != NULL ? gadget_turn_get_status (last)
                                                        : GADGET_TURN_FINISHED);
  gadget_session_set_updated_at (
      session, MAX (gadget_clock_wall_ms (), gadget_session_get_updated_at (session) + 1));
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Edit *edit = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  note_change (edit->session);
  if (edit->error != NULL)
    g_task_return_error (task, g_steal_pointer (&edit->error));
  else
    g_task_return_boolean (task, TRUE);
}

/* --- Deleting --------------------------------------------------------------------------------- */

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Edit *edit = g_task_get_task_data (task);

  gadget_session_finish_removal (edit->session, edit->turn_id);
  if (gadget_store_remove_turn_finish (GADGET_STORE (source), result, &edit->error))
    g_task_return_boolean (task, TRUE);
  else
    gadget_store_load_session_async (GADGET_STORE (source), edit->session, loaded_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_turn_edits_delete_async:
 *
 * Takes a saved turn of an idle chat out of the chat. The turn stays in the store with everything
 * that belongs to it, and can be brought back.
 */
void
gadget_turn_edits_delete_async (GadgetAgent *agent, GadgetSession *session, const char *turn_id,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  const Edit *edit;
  GadgetStore *store;
  int index;

  g_return_if_fail (GADGET_IS_AGENT (agent) && GADGET_IS_SESSION (session) && turn_id != NULL);

  task = edit_new (agent, session, turn_id, gadget_turn_edits_delete_async, callback, user_data);
  if (task == NULL)
    return;
  index = gadget_session_find_turn (session, turn_id);
  if (index < 0 || !gadget_turn_get_saved (gadget_session_get_turn (session, (guint) index)))
    {
      g_task_return_new_error_literal (task, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                                       "there is no such turn, or it is not saved");
      return;
    }
  edit = g_task_get_task_data (task);
  store = edit->environment->storage->store;
  gadget_session_remove_turn (session, (guint) index);
  note_change (session);
  /* TURN_ID may belong to the turn, which may be gone now. */
  gadget_store_remove_turn_async (store, gadget_session_get_id (session), edit->turn_id, removed_cb,
                                  g_steal_pointer (&task));
}

/**
 * gadget_turn_edits_delete_finish:
 *
 * Returns: whether the turn is out of the stored chat, too; if not, it is back in the chat, and
 *   @error is a #GadgetAgentError or a #GadgetStoreError
 */
gboolean
gadget_turn_edits_delete_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_turn_edits_delete_async), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Bringing back ---------------------------------------------------------------------------- */

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Edit *edit = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_restore_turns_finish (GADGET_STORE (source), result, &error))
    g_task_return_error (task, error);
  else
    gadget_store_load_session_async (GADGET_STORE (source), edit->session, loaded_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_turn_edits_restore_async:
 * @turn_id: (nullable): a turn that was taken out; %NULL for what was taken out last
 *
 * Brings the turn back to its place, with the turns that were taken out together with it. Turns
 * that replaced them leave the chat.
 */
void
gadget_turn_edits_restore_async (GadgetAgent *agent, GadgetSession *session, const char *turn_id,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_AGENT (agent) && GADGET_IS_SESSION (session));

  task = edit_new (agent, session, turn_id, gadget_turn_edits_restore_async, callback, user_data);
  if (task != NULL)
    gadget_store_restore_turns_async (_gadget_agent_get_environment (agent)->storage->store,
                                      gadget_session_get_id (session), turn_id, restored_cb,
                                      g_steal_pointer (&task));
}

/**
 * gadget_turn_edits_restore_finish:
 *
 * Returns: whether the turns are back in the chat; if not, @error is a #GadgetAgentError or a
 *   #GadgetStoreError
 */
gboolean
gadget_turn_edits_restore_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_turn_edits_restore_async), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
