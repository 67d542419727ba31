/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats of a provider behind HTTP. The request goes through the retry layer; its response goes
 * through the dialect's parser to the caller's sink. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-http-provider"

#include "config.h"

#include "gadget-http-provider-private.h"

#include "gadget-error-parser.h"
#include "gadget-http-lookup.h"
#include "gadget-retry.h"

#include <string.h>

/* One chat request and its response, owned by its task. */
typedef struct
{
  GadgetRequest *request;
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GadgetHttpRequest *http_request;
  const GadgetDialect *dialect;
  char *model; /* (nullable): the server chooses if NULL */
  gboolean asked_models;
  GadgetResponseParser *parser;
  GadgetModelSupport support; /* what the request may use */
  gsize received;             /* bytes of text in the events so far */
  gboolean has_output;
  gboolean no_images; /* of this request only, because something was wrong with them */
} Chat;

static void send_chat (GTask *task);
static gboolean ask_models (GTask *task);

static void
free_chat (gpointer data)
{
  Chat *chat = data;

  g_clear_pointer (&chat->request, gadget_request_unref);
  g_clear_object (&chat->receipt);
  g_clear_object (&chat->cancellable);
  g_clear_pointer (&chat->http_request, gadget_http_request_free);
  g_clear_pointer (&chat->parser, gadget_response_parser_free);
  g_free (chat->model);
  g_free (chat);
}

/* A sink may abort the chat during an event. The other events of the same data are not wanted
 * then. */
static void
emit (Chat *chat, const GadgetChatEvent *event)
{
  if (!g_cancellable_is_cancelled (chat->cancellable))
    chat->sink (event, chat->sink_data);
}

static void
parsed_cb (const GadgetChatEvent *event, gpointer user_data)
{
  Chat *chat = user_data;

  /* Usage is not visible output, so the request may still be sent again after it. */
  if (event->type != GADGET_CHAT_USAGE)
    chat->has_output = TRUE;
  if (event->text != NULL)
    chat->received += strlen (event->text);
  emit (chat, event);
}

static void
begin_answer (Chat *chat)
{
  g_clear_pointer (&chat->parser, gadget_response_parser_free);
  chat->parser = gadget_response_parser_new (chat->dialect->parser, parsed_cb, chat);
  chat->received = 0;
}

static gboolean
head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  begin_answer (user_data);
  return TRUE;
}

static GadgetHttpVerdict
data_cb (const char *bytes, gsize length, gpointer user_data, GError **error)
{
  Chat *chat = user_data;

  if (!gadget_response_parser_feed (chat->parser, bytes, length, error))
    return GADGET_HTTP_FAILED;
  /* A model that never stops would fill memory and disk. */
  if (chat->received > GADGET_DIALECT_MAX_ANSWER)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE,
                           "The answer is larger than 32 MiB");
      return GADGET_HTTP_FAILED;
    }
  if (!gadget_response_parser_is_done (chat->parser))
    return GADGET_HTTP_MORE;
  return gadget_response_parser_end (chat->parser, error) ? GADGET_HTTP_DONE : GADGET_HTTP_FAILED;
}

static gboolean
end_cb (gpointer user_data, GError **error)
{
  Chat *chat = user_data;

  return gadget_response_parser_end (chat->parser, error);
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  const Chat *chat = user_data;

  return chat->dialect->read_refusal (response, body, length);
}

static gboolean
has_output_cb (gpointer user_data)
{
  Chat *chat = user_data;

  return chat->has_output;
}

static void
retrying_cb (guint ms, gpointer user_data)
{
  emit (user_data, &(const GadgetChatEvent) { .type = GADGET_CHAT_RETRY, .retry_ms = ms });
}

static void
loading_cb (gpointer user_data)
{
  emit (user_data, &(const GadgetChatEvent) { .type = GADGET_CHAT_LOADING });
}

static const GadgetRetryHandler chat_handler = {
  .http = { head_cb, data_cb, end_cb, refusal_cb },
  .has_output = has_output_cb,
  .retrying = retrying_cb,
  .loading = loading_cb,
};

/* "" for the server's own choice. */
static const char *
name_of (const Chat *chat)
{
  return chat->model != NULL ? chat->model : "";
}

/* Returns TRUE if the request is worth another attempt without images. Images of tools are part of
 * every later request, so an error about them must not be the end of the chat. */
static gboolean
adapt_to_images (Chat *chat, const GError *error)
{
  GadgetImageRefusal refused = GADGET_IMAGES_NOT_MEANT;

  if (error->code == GADGET_PROVIDER_ERROR_REFUSED && !chat->no_images && !chat->support.no_images
      && gadget_request_has_images (chat->request))
    refused = gadget_error_parser_of_images (error->message);
  chat->no_images = chat->no_images || refused == GADGET_IMAGES_THESE_REFUSED;
  chat->support.no_images = chat->support.no_images || refused == GADGET_IMAGES_ALL_REFUSED;
  return refused != GADGET_IMAGES_NOT_MEANT;
}

/* Returns TRUE if the error says what to leave out in another request. */
static gboolean
adapt (GadgetHttpProvider *self, Chat *chat, const GError *error)
{
  GadgetModelSupport *known = g_hash_table_lookup (self->support, name_of (chat));

  if (chat->has_output || error->domain != GADGET_PROVIDER_ERROR)
    return FALSE;
  if (!adapt_to_images (chat, error)
      && (chat->dialect->adapt == NULL || !chat->dialect->adapt (error, &chat->support)))
    return FALSE;
  if (known == NULL)
    {
      known = g_new0 (GadgetModelSupport, 1);
      g_hash_table_insert (self->support, g_strdup (name_of (chat)), known);
    }
  /* Another chat may have adapted in the meantime. */
  known->plain = MAX (known->plain, chat->support.plain);
  if (chat->support.max_tokens != 0)
    known->max_tokens = chat->support.max_tokens;
  known->no_images = known->no_images || chat->support.no_images;
  return TRUE;
}

static void
chat_sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (gadget_retry_send_finish (GADGET_HTTP (source), result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (!g_cancellable_is_cancelled (chat->cancellable) && adapt (self, chat, error))
    {
      send_chat (g_steal_pointer (&task));
      return;
    }
  if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_MODEL)
      && !g_cancellable_is_cancelled (chat->cancellable) && ask_models (task))
    {
      g_steal_pointer (&task);
      return;
    }
  _gadget_http_provider_hide_secrets (self, error);
  g_task_return_error (task, g_steal_pointer (&error));
}

/* The request without its images. (transfer full) */
static GadgetRequest *
leave_images_out (Chat *chat)
{
  if (gadget_request_has_images (chat->request))
    emit (chat, &(const GadgetChatEvent) { .type = GADGET_CHAT_IMAGES_LEFT_OUT });
  return gadget_request_without_images (chat->request);
}

/* (transfer full) of @task */
static void
send_chat (GTask *task)
{
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);
  const GadgetModelSupport *known = g_hash_table_lookup (self->support, name_of (chat));
  g_autoptr (GadgetRequest) request = NULL;

  if (known != NULL)
    chat->support = *known;
  if (chat->no_images || chat->support.no_images)
    request = leave_images_out (chat);
  else
    request = gadget_request_ref (chat->request);
  g_clear_pointer (&chat->http_request->body, g_bytes_unref);
  chat->http_request->body = chat->dialect->make_chat_body (request, chat->model, &chat->support);
  gadget_retry_send_async (self->http, chat->http_request, &chat_handler, chat, chat->receipt,
                           chat->cancellable, chat_sent_cb, task);
}

/* The chat goes on even if this request failed. */
static void
running_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);
  g_autoptr (GBytes) body = gadget_http_lookup_finish (GADGET_HTTP (source), result, NULL);

  if (body != NULL)
    {
      gsize length;
      const char *text = _gadget_http_provider_get_text (body, &length);

      if (!self->dialect->is_running (text, length, chat->model))
        loading_cb (chat);
    }
  /* The sink may have aborted the chat during the event. */
  if (g_cancellable_is_cancelled (chat->cancellable))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The request was aborted");
  else
    send_chat (g_steal_pointer (&task));
}

/* Asks a server that is silent while it loads a model for the models that are loaded. Returns TRUE
 * (and takes @task) if the request was sent. */
static gboolean
ask_running (GTask *task)
{
  GadgetHttpProvider *self = g_task_get_source_object (task);
  const Chat *chat = g_task_get_task_data (task);
  const char *base_url = gadget_provider_config_get_base_url (self->config);

  return self->dialect->make_running_url != NULL
         && _gadget_http_provider_look_up (self, self->dialect->make_running_url (base_url), NULL,
                                           chat->receipt, chat->cancellable, running_cb, task,
                                           NULL);
}

/* (transfer full) of @task */
static void
begin (GTask *task)
{
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  GError *error = NULL;

  g_clear_pointer (&chat->http_request, gadget_http_request_free);
  chat->http_request = _gadget_http_provider_make_http_request (
      self, "POST", self->dialect->make_chat_url (base_url, chat->model), self->dialect->accept,
      &error);
  if (chat->http_request == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
    }
  else if (!ask_running (task))
    send_chat (task);
}

static const char *
find_first (GPtrArray *models)
{
  for (guint i = 0; i < models->len; i++)
    if (gadget_model_is_for_chats (g_ptr_array_index (models, i)))
      return gadget_model_get_name (g_ptr_array_index (models, i));
  return NULL;
}

static void
models_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (source);
  Chat *chat = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) models =
      _gadget_http_provider_list_models_finish (GADGET_PROVIDER (source), result, &error);
  const char *name = models != NULL ? find_first (models) : NULL;

  if (error == NULL && name == NULL)
    error = g_error_new_literal (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_MODEL,
                                 "No model is chosen, and the server names none");
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_set_str (&self->first_model, name);
  g_set_str (&chat->model, name);
  begin (g_steal_pointer (&task));
}

/* If no model was chosen, the server is asked for its models, and the first one for chats is used.
 * Returns TRUE (and takes @task) if the server is asked, which happens once per chat. */
static gboolean
ask_models (GTask *task)
{
  GadgetHttpProvider *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);

  if (chat->model != NULL || chat->asked_models)
    return FALSE;
  chat->asked_models = TRUE;
  _gadget_http_provider_list_models (self, chat->receipt, chat->cancellable, models_listed_cb,
                                     task);
  return TRUE;
}

void
_gadget_http_provider_chat_async (GadgetProvider *provider, GadgetRequest *request,
                                  GadgetChatSink sink, gpointer sink_data, GadgetReceipt *receipt,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Chat *chat;

  g_task_set_source_tag (task, _gadget_http_provider_chat_async);
  g_task_set_check_cancellable (task, FALSE);
  if (g_task_return_error_if_cancelled (task))
    return;

  chat = g_new0 (Chat, 1);
  g_task_set_task_data (task, chat, free_chat);
  chat->request = gadget_request_ref (request);
  chat->sink = sink;
  chat->sink_data = sink_data;
  g_set_object (&chat->receipt, receipt);
  g_set_object (&chat->cancellable, cancellable);
  chat->dialect = self->dialect;
  chat->model = g_strdup (_gadget_http_provider_choose_model (self, request->model));
  if (!self->dialect->needs_model || !ask_models (task))
    begin (task);
  g_steal_pointer (&task);
}

gboolean
_gadget_http_provider_chat_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
