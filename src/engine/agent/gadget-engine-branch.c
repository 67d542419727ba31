/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes a new chat that begins with copies of the turns of another chat. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "common/gadget-id.h"
#include "store/gadget-store-sessions.h"
#include "store/gadget-store-turns.h"

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_return_pointer (
      task, g_object_ref (_gadget_engine_adopt_session (self, g_task_get_task_data (task))),
      g_object_unref);
}

static void
branched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSession *branch = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_branch_finish (GADGET_STORE (source), result, &error))
    g_task_return_error (task, error);
  else
    gadget_store_load_session_async (GADGET_STORE (source), branch, loaded_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_engine_branch_async:
 * @turn_id: (nullable): the last turn that is copied, which the new chat notes as its origin; %NULL
 *   to copy all turns that have ended, without an origin
 * @title: the title of the new chat
 *
 * The new chat gets the workspace, the model, the mode and the folder of @session, and copies of
 * its turns.
 * @session is not changed and need not be idle, but turns that have not ended or are not saved
 * cannot be copied.
 */
void
gadget_engine_branch_async (GadgetEngine *self, GadgetSession *session, const char *turn_id,
                            const char *title, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *id = gadget_id_new ();

  g_return_if_fail (GADGET_IS_ENGINE (self) && GADGET_IS_SESSION (session));
  g_return_if_fail (title != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_branch_async);
  g_task_set_task_data (task, gadget_session_new (id), g_object_unref);
  gadget_store_branch_async (gadget_engine_get_store (self), gadget_session_get_id (session),
                             turn_id, id, title, branched_cb, g_steal_pointer (&task));
}

/**
 * gadget_engine_branch_finish:
 *
 * Returns: (transfer full) (nullable): the new chat, which is loaded and in the list; %NULL with a
 *   #GadgetStoreError
 */
GadgetSession *
gadget_engine_branch_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
