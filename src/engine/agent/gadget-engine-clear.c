/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deletes the chats that were not used for long, one after the other, each as the user deletes one:
 * under its lease, in one transaction. So a chat that runs, in whatever process, or that another
 * process shows, is skipped, and so is one with a message that is not sent, or one that was used or
 * pinned since the clearing began. When it is stopped, or
 * the process dies, each chat is there or is gone. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "store/gadget-store-clear.h"

/* The data of the task. */
typedef struct
{
  gint64 before;
  gboolean also_pinned;
  GPtrArray *sessions; /* of GadgetSession: those that are left */
  guint n_deleted;
} Clearing;

static void
clearing_free (gpointer data)
{
  Clearing *clearing = data;

  g_ptr_array_unref (clearing->sessions);
  g_free (clearing);
}

static void
shrunk_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_store_shrink_finish (GADGET_STORE (source), result);
  g_task_return_boolean (task, TRUE);
}

static gboolean
is_in_use (const GError *error)
{
  return g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY)
         || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE)
         || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT)
         || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED);
}

static void delete_next (GTask *task); /* calls itself again through its callback */

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Clearing *clearing = g_task_get_task_data (task);
  GError *error = NULL;

  if (gadget_engine_delete_finish (GADGET_ENGINE (source), result, &error))
    clearing->n_deleted++;
  else if (!is_in_use (error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  delete_next (g_steal_pointer (&task));
}

/* @task is (transfer full). */
static void
delete_next (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  Clearing *clearing = g_task_get_task_data (task);
  g_autoptr (GadgetSession) session = NULL;

  if (clearing->sessions->len > 0 && !g_cancellable_is_cancelled (cancellable))
    {
      session = g_ptr_array_steal_index (clearing->sessions, clearing->sessions->len - 1);
      _gadget_engine_delete_rows_async (self, session, clearing->before, clearing->also_pinned,
                                        deleted_cb, task);
      return;
    }
  if (clearing->n_deleted > 0)
    gadget_snapshot_service_sweep (
        gadget_agent_get_snapshot_service (gadget_engine_get_agent (self)), TRUE);
  gadget_store_shrink_async (gadget_engine_get_store (self), cancellable, shrunk_cb, task);
}

/* Tells whether the chat was used last before @before, and nothing is known to be going on in it.
 */
static gboolean
is_old (GadgetSession *session, gint64 before, gboolean also_pinned)
{
  return gadget_session_get_updated_at (session) < before
         && (also_pinned || !gadget_session_get_pinned (session))
         && gadget_session_get_deletion (session) == GADGET_DELETION_NONE
         && gadget_session_get_active_run (session) == NULL
         && gadget_session_get_remote_run (session) == NULL;
}

/**
 * gadget_engine_clear_chats_async:
 * @before: the time before which the chats were used last, in milliseconds since 1970
 * @also_pinned: whether pinned chats are deleted, too
 *
 * Deletes such chats with their attachments, and what undo needs of them only. When @cancellable is
 * cancelled, the chats that are left stay.
 */
void
gadget_engine_clear_chats_async (GadgetEngine *self, gint64 before, gboolean also_pinned,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GListModel *sessions;
  Clearing *clearing;
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  sessions = gadget_engine_get_sessions (self);
  clearing = g_new0 (Clearing, 1);
  clearing->before = before;
  clearing->also_pinned = also_pinned;
  clearing->sessions = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (is_old (session, before, also_pinned))
        g_ptr_array_add (clearing->sessions, g_steal_pointer (&session));
    }
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_clear_chats_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, clearing, clearing_free);
  delete_next (task);
}

/**
 * gadget_engine_clear_chats_finish:
 * @n_deleted: (out): how many chats were deleted, also if it was stopped or failed
 *
 * Returns: whether it did not fail; else @error is a #GadgetStoreError
 */
gboolean
gadget_engine_clear_chats_finish (GadgetEngine *self, GAsyncResult *result, guint *n_deleted,
                                  GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  *n_deleted = ((const Clearing *) g_task_get_task_data (G_TASK (result)))->n_deleted;
  return g_task_propagate_boolean (G_TASK (result), error);
}
