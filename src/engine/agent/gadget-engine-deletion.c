/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deletes chats, in two steps. The first step takes the chat out of the list, stops what is being
 * done for it, and blocks new messages; gadget_engine_cancel_delete () undoes this step. The second
 * step deletes the chat from the store. In between this process holds the lease of the chat, so
 * that no other process can send to it or delete it; if this process dies then, the chat is kept.
 * Writes that this process still has to make for the chat, such as a late commit or the removal of
 * a turn, come before the deletion, because the store runs its jobs in order.
 *
 * A chat that is shown, or is about to be written to, is held. Other processes do not delete a held
 * chat unless the user insists. If they do, this process notices it before it starts the next
 * turn. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "gadget-agent-private.h"
#include "agent/saving/gadget-session-locks.h"

static GadgetDeletion *
take_pending (GadgetEngine *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) key = NULL;
  GadgetDeletion *deletion = NULL;

  /* g_hash_table_steal_extended () does not free the key. */
  g_hash_table_steal_extended (_gadget_engine_get_deletions (self), session, (gpointer *) &key,
                               (gpointer *) &deletion);
  return deletion;
}

/* Checks, as far as this process knows, that the chat can be deleted. */
static gboolean
may_delete (GadgetSession *session, GError **error)
{
  if (gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED,
                           "the session is deleted, or about to be");
      return FALSE;
    }
  if (gadget_session_get_active_run (session) != NULL)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                           "the session has an active turn");
      return FALSE;
    }
  return TRUE;
}

static GadgetSessionLocks *
get_leases (GadgetEngine *self)
{
  return _gadget_agent_get_environment (gadget_engine_get_agent (self))->storage->locks;
}

static gboolean
take_lease (GadgetEngine *self, GadgetSession *session, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (gadget_session_locks_acquire_lease (get_leases (self), gadget_session_get_id (session),
                                          &local_error))
    return TRUE;
  g_set_error_literal (
      error, GADGET_STORE_ERROR,
      g_error_matches (local_error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE)
          ? GADGET_STORE_ERROR_BUSY
          : GADGET_STORE_ERROR_FAILED,
      local_error->message);
  return FALSE;
}

static void
release_lease (GadgetEngine *self, GadgetSession *session)
{
  gadget_session_locks_release_lease (get_leases (self), gadget_session_get_id (session));
}

/* Takes the lease of the session, unless it returns NULL. */
static GadgetDeletion *
begin (GadgetEngine *self, GadgetSession *session, GadgetDeleteFlags flags, GError **error)
{
  const char *id = gadget_session_get_id (session);
  GadgetAgent *agent = gadget_engine_get_agent (self);
  GadgetDeletion *deletion;

  if (!may_delete (session, error) || !take_lease (self, session, error))
    return NULL;
  deletion = gadget_deletion_new (
      gadget_engine_get_store (self), id,
      gadget_session_locks_get_open_lock (gadget_agent_get_session_locks (agent), id), flags,
      error);
  if (deletion == NULL)
    {
      release_lease (self, session);
      return NULL;
    }
  /* A request for a title may be running, or files may be being read. */
  gadget_abort_ack_free (gadget_agent_abort (agent, id, NULL, GADGET_STOP_CLOSED));
  return deletion;
}

/**
 * gadget_engine_begin_delete:
 * @flags: what may be deleted with the chat
 *
 * Begins to delete an idle chat: the chat leaves the list, what else is done for it (such as a
 * request for a title) is stopped, and nothing can be sent to it. It is deleted by
 * gadget_engine_delete_async (), or when the engine is closed.
 *
 * Returns: whether the chat can be deleted; if not, @error is a #GadgetStoreError:
 *   %GADGET_STORE_ERROR_BUSY while a process works on a turn of it,
 *   %GADGET_STORE_ERROR_OPEN_ELSEWHERE when another process shows it, %GADGET_STORE_ERROR_DELETED
 *   when its deletion was begun before, or another one
 */
gboolean
gadget_engine_begin_delete (GadgetEngine *self, GadgetSession *session, GadgetDeleteFlags flags,
                            GError **error)
{
  GadgetDeletion *deletion;

  g_return_val_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session), FALSE);

  deletion = begin (self, session, flags, error);
  if (deletion == NULL)
    return FALSE;
  g_hash_table_insert (_gadget_engine_get_deletions (self), g_object_ref (session), deletion);
  gadget_session_set_deletion (session, GADGET_DELETION_PENDING);
  return TRUE;
}

/**
 * gadget_engine_cancel_delete:
 *
 * Undoes gadget_engine_begin_delete ().
 *
 * Returns: whether the chat is kept; %FALSE when its deletion was not begun, or is under way
 *   already
 */
gboolean
gadget_engine_cancel_delete (GadgetEngine *self, GadgetSession *session)
{
  g_autoptr (GadgetDeletion) deletion = NULL;
  g_autoptr (GadgetSession) hold = NULL;

  g_return_val_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session), FALSE);

  hold = g_object_ref (session);
  deletion = take_pending (self, session);
  if (deletion == NULL)
    return FALSE;
  release_lease (self, session);
  gadget_session_set_deletion (session, GADGET_DELETION_NONE);
  return TRUE;
}

/**
 * gadget_engine_list_pending_deletions:
 *
 * Lists the chats whose deletion was begun and can be cancelled. The store still has their rows.
 *
 * Returns: (transfer full): their ids
 */
GStrv
gadget_engine_list_pending_deletions (GadgetEngine *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer session;

  g_return_val_if_fail (GADGET_IS_ENGINE (self), NULL);

  g_hash_table_iter_init (&iter, _gadget_engine_get_deletions (self));
  while (g_hash_table_iter_next (&iter, &session, NULL))
    g_strv_builder_add (ids, gadget_session_get_id (session));
  return g_strv_builder_end (ids);
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GadgetSession *session = g_task_get_task_data (task);
  GError *error = NULL;
  const gboolean deleted =
      gadget_store_delete_session_finish (GADGET_STORE (source), result, &error);

  release_lease (self, session);
  if (!deleted)
    {
      gadget_session_set_deletion (session, GADGET_DELETION_NONE);
      g_task_return_error (task, error);
      return;
    }
  gadget_session_set_deletion (session, GADGET_DELETION_DONE);
  if (g_task_get_source_tag (task) == gadget_engine_delete_async)
    gadget_snapshot_service_sweep (
        gadget_agent_get_snapshot_service (gadget_engine_get_agent (self)), TRUE);
  g_task_return_boolean (task, TRUE);
}

static void
delete_session (GadgetEngine *self, GadgetSession *session, GadgetDeleteFlags flags,
                gint64 unused_since, gboolean also_pinned, GTask *new_task)
{
  g_autoptr (GTask) task = new_task;
  GadgetDeletion *deletion;
  GError *error = NULL;

  g_task_set_task_data (task, g_object_ref (session), g_object_unref);
  deletion = take_pending (self, session);
  if (deletion == NULL)
    deletion = begin (self, session, flags, &error);
  if (deletion == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  gadget_deletion_set_unused_since (deletion, unused_since, also_pinned);
  gadget_session_set_deletion (session, GADGET_DELETION_RUNNING);
  gadget_store_delete_session_async (gadget_engine_get_store (self), deletion, deleted_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_engine_delete_async:
 * @flags: what may be deleted with the chat; ignored if its deletion was begun before
 *
 * Deletes an idle chat, with or without a gadget_engine_begin_delete () before.
 */
void
gadget_engine_delete_async (GadgetEngine *self, GadgetSession *session, GadgetDeleteFlags flags,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_delete_async);
  delete_session (self, session, flags, G_MAXINT64, TRUE, task);
}

void
_gadget_engine_delete_rows_async (GadgetEngine *self, GadgetSession *session, gint64 unused_since,
                                  gboolean also_pinned, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, _gadget_engine_delete_rows_async);
  delete_session (self, session, GADGET_DELETE_UNUSED, unused_since, also_pinned, task);
}

/**
 * gadget_engine_delete_finish:
 *
 * Returns: whether the chat was deleted; if not, it is in the list again, and @error is a
 *   #GadgetStoreError as for gadget_engine_begin_delete (), or %GADGET_STORE_ERROR_UNSENT when it
 *   has a draft or queued messages
 */
gboolean
gadget_engine_delete_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_engine_delete_finish (GADGET_ENGINE (source), result, &error))
    g_message ("a chat could not be deleted: %s", error->message);
}

/* The engine is being closed, so the user can no longer cancel these deletions. */
void
_gadget_engine_settle_deletions (GadgetEngine *self)
{
  g_autoptr (GPtrArray) sessions =
      g_hash_table_get_keys_as_ptr_array (_gadget_engine_get_deletions (self));

  for (guint i = 0; i < sessions->len; i++)
    gadget_engine_delete_async (self, g_ptr_array_index (sessions, i), GADGET_DELETE_FORCE,
                                settled_cb, NULL);
}

/* --- Chats in use ----------------------------------------------------------------------------- */

/**
 * gadget_engine_hold_session:
 *
 * Marks a chat as used by this process. To be called before the chat is read, by code that shows it
 * or is about to write to it. Each call has to be undone with gadget_engine_release_session ().
 */
void
gadget_engine_hold_session (GadgetEngine *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));
  if (gadget_session_get_incognito (session))
    return;
  gadget_session_locks_acquire_open (
      gadget_agent_get_session_locks (gadget_engine_get_agent (self)),
      gadget_session_get_id (session));
}

/* gadget_engine_release_session: undoes one gadget_engine_hold_session () of the chat. The lock is
 * given up with the last of them. */
void
gadget_engine_release_session (GadgetEngine *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));
  if (gadget_session_get_incognito (session))
    return;
  gadget_session_locks_release_open (
      gadget_agent_get_session_locks (gadget_engine_get_agent (self)),
      gadget_session_get_id (session));
}
