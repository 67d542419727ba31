/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The interface of all providers: checks the arguments, and calls the implementation. Also collects
 * a streamed response into one text. */

#define G_LOG_DOMAIN "gadget-provider"

#include "config.h"

#include "gadget-provider.h"

G_DEFINE_INTERFACE (GadgetProvider, gadget_provider, G_TYPE_OBJECT)

static void
gadget_provider_default_init (GadgetProviderInterface *iface)
{
}

/**
 * gadget_provider_chat_async:
 * @request: the request; a reference is kept until the end
 * @sink: (scope notified): called for every event of the response
 * @receipt: (nullable): records the connection
 *
 * Streams one response. #GadgetProviderInterface lists the guarantees.
 */
void
gadget_provider_chat_async (GadgetProvider *self, GadgetRequest *request, GadgetChatSink sink,
                            gpointer sink_data, GadgetReceipt *receipt, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_PROVIDER (self));
  g_return_if_fail (request != NULL && sink != NULL);

  GADGET_PROVIDER_GET_IFACE (self)->chat_async (self, request, sink, sink_data, receipt,
                                                cancellable, callback, user_data);
}

/**
 * gadget_provider_chat_finish:
 *
 * Returns: %TRUE when the response was complete; otherwise %FALSE with a #GadgetProviderError, or
 *   with %G_IO_ERROR_CANCELLED after a cancel
 */
gboolean
gadget_provider_chat_finish (GadgetProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER (self), FALSE);

  return GADGET_PROVIDER_GET_IFACE (self)->chat_finish (self, result, error);
}

/* The parts of a whole response. */
typedef struct
{
  GString *text;
  GadgetUsage usage;
  gboolean reported; /* the provider reported the usage */
  gboolean limited;  /* the response ends at the limit of output tokens */
} Response;

static void
response_free (gpointer data)
{
  Response *response = data;

  g_string_free (response->text, TRUE);
  g_free (response);
}

static void
gather (const GadgetChatEvent *event, gpointer user_data)
{
  Response *response = user_data;

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (response->text, event->text);
      break;
    case GADGET_CHAT_USAGE:
      response->usage = event->usage;
      response->reported = TRUE;
      break;
    case GADGET_CHAT_LIMIT:
      response->limited = TRUE;
      break;
    case GADGET_CHAT_TEXT_END:
    case GADGET_CHAT_REASONING:
    case GADGET_CHAT_REASONING_END:
    case GADGET_CHAT_CALL_BEGIN:
    case GADGET_CHAT_CALL_ARGUMENTS:
    case GADGET_CHAT_CALL_END:
    case GADGET_CHAT_IMAGES_LEFT_OUT:
    case GADGET_CHAT_LOADING:
    case GADGET_CHAT_RETRY:
    default:
      break;
    }
}

static void
generated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Response *response = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!gadget_provider_chat_finish (GADGET_PROVIDER (source), result, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (response->limited)
    g_task_return_new_error_literal (task, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE,
                                     "the response ends at the limit of output tokens");
  else
    g_task_return_pointer (task, g_strdup (response->text->str), g_free);
}

/**
 * gadget_provider_generate_async:
 *
 * Asks for one whole response. It is streamed all the same, so that the server notices when the
 * connection is closed.
 */
void
gadget_provider_generate_async (GadgetProvider *self, GadgetRequest *request,
                                GadgetReceipt *receipt, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Response *response;

  g_return_if_fail (GADGET_IS_PROVIDER (self));

  response = g_new0 (Response, 1);
  response->text = g_string_new (NULL);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_generate_async);
  g_task_set_task_data (task, response, response_free);
  gadget_provider_chat_async (self, request, gather, response, receipt, cancellable, generated_cb,
                              g_steal_pointer (&task));
}

/**
 * gadget_provider_generate_finish:
 *
 * Returns: (transfer full): the text, or %NULL with an error as of gadget_provider_chat_finish ();
 *   %GADGET_PROVIDER_ERROR_TOO_LARGE also for a response that ends at the limit of output tokens
 */
char *
gadget_provider_generate_finish (GadgetProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_provider_get_generated_usage:
 * @result: the result of gadget_provider_generate_async ()
 * @usage: (out): what the provider reported of the request, also of one that failed
 *
 * Returns: whether the provider reported anything
 */
gboolean
gadget_provider_get_generated_usage (GAsyncResult *result, GadgetUsage *usage)
{
  const Response *response;

  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_provider_generate_async), FALSE);

  response = g_task_get_task_data (G_TASK (result));
  *usage = response->usage;
  return response->reported;
}

/**
 * gadget_provider_list_models_async:
 *
 * Asks for the models of the provider.
 */
void
gadget_provider_list_models_async (GadgetProvider *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_PROVIDER (self));

  GADGET_PROVIDER_GET_IFACE (self)->list_models_async (self, cancellable, callback, user_data);
}

/**
 * gadget_provider_list_models_finish:
 *
 * Returns: (transfer full) (element-type GadgetModel): the models, the default one first, or %NULL
 *   with a #GadgetProviderError
 */
GPtrArray *
gadget_provider_list_models_finish (GadgetProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER (self), NULL);

  return GADGET_PROVIDER_GET_IFACE (self)->list_models_finish (self, result, error);
}

/**
 * gadget_provider_describe_model_async:
 * @model: (nullable): its name at the provider; %NULL for the default model
 * @receipt: (nullable): records the connections
 *
 * Asks what is known about a model. A model that the provider does not describe has only its name.
 */
void
gadget_provider_describe_model_async (GadgetProvider *self, const char *model,
                                      GadgetReceipt *receipt, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_PROVIDER (self));

  if (GADGET_PROVIDER_GET_IFACE (self)->describe_model_async != NULL)
    {
      GADGET_PROVIDER_GET_IFACE (self)->describe_model_async (self, model, receipt, cancellable,
                                                              callback, user_data);
      return;
    }
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_describe_model_async);
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, gadget_model_new (model != NULL ? model : ""),
                           (GDestroyNotify) gadget_model_unref);
}

/**
 * gadget_provider_describe_model_finish:
 *
 * Returns: (transfer full): the model, or %NULL with a #GadgetProviderError
 */
GadgetModel *
gadget_provider_describe_model_finish (GadgetProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER (self), NULL);

  if (g_async_result_is_tagged (result, gadget_provider_describe_model_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return GADGET_PROVIDER_GET_IFACE (self)->describe_model_finish (self, result, error);
}

/**
 * gadget_provider_dup_replay_source:
 * @model: (nullable): its name at the provider; %NULL for the default model
 *
 * Returns: (transfer full) (nullable): identifies who accepts the replay data of this model's
 *   reasoning and calls; %NULL for a provider that needs nothing sent back
 */
char *
gadget_provider_dup_replay_source (GadgetProvider *self, const char *model)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER (self), NULL);

  if (GADGET_PROVIDER_GET_IFACE (self)->dup_replay_source == NULL)
    return NULL;
  return GADGET_PROVIDER_GET_IFACE (self)->dup_replay_source (self, model);
}
