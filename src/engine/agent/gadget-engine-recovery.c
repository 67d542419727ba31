/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stores the work that earlier processes could not save, from the recovery files that they left,
 * and finds the chats with a turn that was cut off. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "store/gadget-store-sessions.h"

static gboolean
is_recovered (GPtrArray *recovered, GadgetSession *session)
{
  for (guint i = 0; i < recovered->len; i++)
    {
      const GadgetRecoveredChat *one = g_ptr_array_index (recovered, i);

      if (one->turn_id != NULL && g_str_equal (one->session_id, gadget_session_get_id (session)))
        return TRUE;
    }
  return FALSE;
}

/* Adds the chats with a turn that was interrupted by the end of its process. */
static void
add_interrupted (GadgetEngine *self, GPtrArray *recovered)
{
  GListModel *sessions = gadget_engine_get_sessions (self);

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);
      GadgetRecoveredChat *one;

      if (!gadget_session_get_interrupted (session))
        continue;
      gadget_session_set_interrupted (session, FALSE);
      if (is_recovered (recovered, session))
        continue;
      one = g_new0 (GadgetRecoveredChat, 1);
      one->session_id = g_strdup (gadget_session_get_id (session));
      one->title = g_strdup (gadget_session_get_title (session));
      one->interrupted = TRUE;
      g_ptr_array_add (recovered, one);
    }
}

/* The contents of the recovery files that were found. */
typedef struct
{
  GPtrArray *chats;  /* of GadgetRecoveredChat */
  GPtrArray *drafts; /* of GadgetRecoveredDraft */
} Recovery;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_ptr_array_unref (recovery->chats);
  g_ptr_array_unref (recovery->drafts);
  g_free (recovery);
}

static void
return_recovered (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  const Recovery *recovery = g_task_get_task_data (task);

  add_interrupted (self, recovery->chats);
  gadget_unsaved_drafts_end_recovery (gadget_engine_get_drafts (self), recovery->drafts);
  g_task_return_pointer (task, g_ptr_array_ref (recovery->chats),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
recovered_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a chat with a recovered turn could not be read again: %s", error->message);
}

static void
recovered_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  const GPtrArray *recovered = ((const Recovery *) g_task_get_task_data (task))->chats;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sessions =
      gadget_store_list_sessions_finish (GADGET_STORE (source), result, &error);

  if (sessions != NULL)
    gadget_session_list_merge (_gadget_engine_get_session_list (self), sessions);
  else
    g_message ("the list of chats could not be read again: %s", error->message);
  for (guint i = 0; i < recovered->len; i++)
    {
      const GadgetRecoveredChat *one = g_ptr_array_index (recovered, i);
      GadgetSession *session = gadget_engine_find_session (self, one->session_id);

      if (session == NULL || one->path != NULL)
        continue;
      /* The queue was changed here since it was read, so the merged one has to be written. */
      if (gadget_recovered_chat_merge_queue (one, session))
        gadget_engine_save (self, session);
      /* This includes chats that are not loaded: a load may be under way that has read the rows
       * before the turn was recovered. */
      gadget_store_load_session_async (gadget_engine_get_store (self), session, recovered_read_cb,
                                       NULL);
    }
  return_recovered (task);
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;
  GPtrArray *drafts = NULL;
  GPtrArray *chats = gadget_store_recover_finish (result, &drafts, &error);
  Recovery *recovery;

  if (chats == NULL)
    {
      gadget_unsaved_drafts_end_recovery (gadget_engine_get_drafts (self), NULL);
      g_task_return_error (task, error);
      return;
    }
  recovery = g_new0 (Recovery, 1);
  recovery->chats = chats;
  recovery->drafts = drafts;
  g_task_set_task_data (task, recovery, recovery_free);
  if (chats->len == 0)
    return_recovered (task);
  else
    gadget_store_list_sessions_async (gadget_engine_get_store (self), 0, recovered_listed_cb,
                                      g_steal_pointer (&task));
}

/**
 * gadget_engine_recover_async:
 *
 * Stores the turns and the changes of chats that earlier processes could not save, from the
 * recovery files that they left; see store/gadget-recovery.h. The chats are in the list afterwards.
 * Messages that were not sent, and could not be saved either, become the drafts of their chats
 * again. The result also has, once, the chats with a turn that was cut off by the end of its
 * process. For programs that can tell the user about the result.
 */
void
gadget_engine_recover_async (GadgetEngine *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_recover_async);
  gadget_unsaved_drafts_begin_recovery (gadget_engine_get_drafts (self));
  gadget_store_recover_async (gadget_engine_get_store (self), recovered_cb, task);
}

/**
 * gadget_engine_recover_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetRecoveredChat): what the user is to be
 * told; %NULL with a #GadgetStoreError
 */
GPtrArray *
gadget_engine_recover_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
