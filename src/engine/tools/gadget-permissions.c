/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-permissions"

#include "config.h"

#include "gadget-permissions.h"

G_DEFINE_QUARK (gadget-permission-error-quark, gadget_permission_error)

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetItem *item = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, &error);

  gadget_item_set_prompt (item, NULL);
  if (answer == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (g_str_equal (answer, GADGET_PROMPT_ALLOW))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error_literal (task, GADGET_PERMISSION_ERROR, GADGET_PERMISSION_ERROR_DENIED,
                                     "The user did not allow this call.");
}

/**
 * gadget_permissions_check_async:
 * @prompt: (nullable): what must be allowed; %NULL needs nothing
 */
void
gadget_permissions_check_async (GadgetApproval approval, gboolean interactive, GadgetItem *item,
                                GadgetPrompt *prompt, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  /* The answer counts even if the abort came in the same instant: what follows asks the run. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, gadget_permissions_check_async);
  g_task_set_task_data (task, g_object_ref (item), g_object_unref);

  if (prompt == NULL || (approval == GADGET_APPROVAL_AUTO && gadget_prompt_get_confined (prompt)))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (approval != GADGET_APPROVAL_ASK)
    {
      g_task_return_new_error_literal (task, GADGET_PERMISSION_ERROR,
                                       GADGET_PERMISSION_ERROR_REFUSED,
                                       "Calls like this are not allowed in this chat.");
      return;
    }
  if (!interactive)
    {
      g_task_return_new_error_literal (
          task, GADGET_PERMISSION_ERROR, GADGET_PERMISSION_ERROR_NOBODY,
          "This call needs the user's permission, and nobody is there to answer.");
      return;
    }
  gadget_item_set_prompt (item, prompt);
  gadget_prompt_wait_async (prompt, cancellable, answered_cb, g_steal_pointer (&task));
}

gboolean
gadget_permissions_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
