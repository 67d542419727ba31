/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-model-question"

#include "config.h"

#include "gadget-model-question.h"

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GadgetModel *model =
      gadget_provider_describe_model_finish (GADGET_PROVIDER (source), result, &error);

  if (model != NULL)
    g_task_return_pointer (task, model, (GDestroyNotify) gadget_model_unref);
  else
    g_task_return_error (task, error);
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GadgetProvider) provider =
      gadget_provider_list_resolve_finish (GADGET_PROVIDER_LIST (source), result, &error);

  if (provider == NULL)
    g_task_return_error (task, error);
  else
    gadget_provider_describe_model_async (provider, g_task_get_task_data (task), NULL,
                                          g_task_get_cancellable (task), described_cb,
                                          g_object_ref (task));
}

void
gadget_model_question_ask_async (GadgetProviderList *providers, const char *provider_id,
                                 const char *model, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (providers));

  task = g_task_new (providers, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_model_question_ask_async);
  g_task_set_task_data (task, g_strdup (model), g_free);
  gadget_provider_list_resolve_async (providers, provider_id, cancellable, resolved_cb, task);
}

/**
 * gadget_model_question_ask_finish:
 *
 * Returns: (transfer full): the model as its provider describes it; else %NULL with
 *   %G_IO_ERROR_CANCELLED, a #GadgetProviderError or an error of
 *   gadget_provider_list_resolve_async ()
 */
GadgetModel *
gadget_model_question_ask_finish (GadgetProviderList *providers, GAsyncResult *result,
                                  GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, providers), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
