/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-openai-chat"

#include "config.h"

#include "gadget-openai-chat.h"

#include "gadget-openai-chat-format.h"
#include "gadget-openai-chat-parser.h"
#include "gadget-retry.h"

#include <string.h>

#define MAX_MODELS_BODY (8 * 1024 * 1024)

struct _GadgetOpenaiChat
{
  GObject parent_instance;

  GadgetProviderConfig *config;
  GadgetHttp *http;
  char *key;              /* NULL for none; goes into one header and nowhere else */
  gboolean without_usage; /* this server refuses to be asked for it */
};

/* One answer that is being waited for. */
typedef struct
{
  GadgetRequest *request;
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GadgetHttpRequest *http_request;
  GadgetOpenaiChatParser *parser;
  gboolean with_usage;
  gboolean has_output;
} Chat;

/* A list of models that is being waited for. */
typedef struct
{
  GadgetHttpRequest *http_request;
  GByteArray *body;
} Listing;

static void gadget_openai_chat_iface_init (GadgetProviderInterface *iface);
static void send_chat (GTask *task);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetOpenaiChat, gadget_openai_chat, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_PROVIDER,
                                                      gadget_openai_chat_iface_init))

static void
free_chat (gpointer data)
{
  Chat *chat = data;

  g_clear_pointer (&chat->request, gadget_request_unref);
  g_clear_object (&chat->receipt);
  g_clear_object (&chat->cancellable);
  g_clear_pointer (&chat->http_request, gadget_http_request_free);
  g_clear_pointer (&chat->parser, gadget_openai_chat_parser_free);
  g_free (chat);
}

static void
free_listing (gpointer data)
{
  Listing *listing = data;

  g_clear_pointer (&listing->http_request, gadget_http_request_free);
  g_clear_pointer (&listing->body, g_byte_array_unref);
  g_free (listing);
}

static gboolean
is_sendable (const char *key)
{
  for (; *key != '\0'; key++)
    if (!g_ascii_isgraph (*key))
      return FALSE;
  return TRUE;
}

/* Servers quote the key they were given; it stays out of what is shown, stored and logged. */
static void
hide_key (GadgetOpenaiChat *self, GError *error)
{
  g_autoptr (GString) text = NULL;

  if (self->key == NULL || strstr (error->message, self->key) == NULL)
    return;
  text = g_string_new (error->message);
  g_string_replace (text, self->key, "…", 0);
  g_free (error->message);
  error->message = g_strdup (text->str);
}

static GadgetHttpRequest *
make_http_request (GadgetOpenaiChat *self, const char *method, const char *path, GError **error)
{
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  g_autofree char *url = gadget_openai_chat_make_url (base_url, path);
  GadgetHttpRequest *request;

  if (url == NULL)
    {
      g_set_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                   "“%s” is not an address", base_url != NULL ? base_url : "");
      return NULL;
    }
  if (self->key != NULL && !is_sendable (self->key))
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_AUTH,
                           "The key has characters in it that no key has");
      return NULL;
    }
  request = gadget_http_request_new (gadget_provider_config_get_name (self->config), method, url);
  if (self->key != NULL)
    request->authorization = g_strconcat ("Bearer ", self->key, NULL);
  return request;
}

/* --- Chat ------------------------------------------------------------------------------------ */

/* Whoever is told of an event may abort: what the same piece of the answer still holds is then
 * no longer wanted. */
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

  chat->has_output = TRUE;
  emit (chat, event);
}

static void
begin_answer (Chat *chat)
{
  g_clear_pointer (&chat->parser, gadget_openai_chat_parser_free);
  chat->parser = gadget_openai_chat_parser_new (parsed_cb, chat);
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

  if (!gadget_openai_chat_parser_feed (chat->parser, bytes, length, error))
    return GADGET_HTTP_FAILED;
  if (!gadget_openai_chat_parser_is_done (chat->parser))
    return GADGET_HTTP_MORE;
  return gadget_openai_chat_parser_end (chat->parser, error) ? GADGET_HTTP_DONE
                                                             : GADGET_HTTP_FAILED;
}

static gboolean
end_cb (gpointer user_data, GError **error)
{
  Chat *chat = user_data;

  return gadget_openai_chat_parser_end (chat->parser, error);
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  return gadget_openai_chat_read_refusal (response, body, length);
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

static gboolean
refuses_usage (const Chat *chat, const GError *error)
{
  return chat->with_usage && !chat->has_output && error->domain == GADGET_PROVIDER_ERROR
         && (strstr (error->message, "stream_options") != NULL
             || strstr (error->message, "include_usage") != NULL);
}

static void
chat_sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetOpenaiChat *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (gadget_retry_send_finish (GADGET_HTTP (source), result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (refuses_usage (chat, error) && !g_cancellable_is_cancelled (chat->cancellable))
    {
      self->without_usage = TRUE;
      send_chat (g_steal_pointer (&task));
      return;
    }
  hide_key (self, error);
  g_task_return_error (task, g_steal_pointer (&error));
}

/* (transfer full) of @task */
static void
send_chat (GTask *task)
{
  GadgetOpenaiChat *self = g_task_get_source_object (task);
  Chat *chat = g_task_get_task_data (task);

  chat->with_usage = !self->without_usage;
  g_clear_pointer (&chat->http_request->body, g_bytes_unref);
  chat->http_request->body = gadget_openai_chat_make_request (
      chat->request, gadget_provider_config_get_model (self->config), chat->with_usage);
  gadget_retry_send_async (self->http, chat->http_request, &chat_handler, chat, chat->receipt,
                           chat->cancellable, chat_sent_cb, task);
}

static void
gadget_openai_chat_chat_async (GadgetProvider *provider, GadgetRequest *request,
                               GadgetChatSink sink, gpointer sink_data, GadgetReceipt *receipt,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GadgetOpenaiChat *self = GADGET_OPENAI_CHAT (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;
  Chat *chat;

  g_task_set_source_tag (task, gadget_openai_chat_chat_async);
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
  chat->http_request = make_http_request (self, "POST", "chat/completions", &error);
  if (chat->http_request == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  chat->http_request->accept = g_strdup ("text/event-stream, application/json");
  send_chat (g_steal_pointer (&task));
}

static gboolean
gadget_openai_chat_chat_finish (GadgetProvider *provider, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Models ---------------------------------------------------------------------------------- */

static gboolean
listing_head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  return TRUE;
}

static GadgetHttpVerdict
listing_data_cb (const char *bytes, gsize length, gpointer user_data, GError **error)
{
  Listing *listing = user_data;

  if (length > MAX_MODELS_BODY - listing->body->len)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_BAD_ANSWER,
                           "The list of models is larger than 8 MiB");
      return GADGET_HTTP_FAILED;
    }
  g_byte_array_append (listing->body, (const guint8 *) bytes, (guint) length);
  return GADGET_HTTP_MORE;
}

static const GadgetHttpHandler listing_handler = { listing_head_cb, listing_data_cb, NULL,
                                                   refusal_cb };

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetOpenaiChat *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  GPtrArray *models = NULL;
  g_autoptr (GError) error = NULL;

  if (gadget_http_stream_finish (GADGET_HTTP (source), result, NULL, &error))
    models =
        gadget_openai_chat_read_models ((const char *) listing->body->data, listing->body->len,
                                        gadget_provider_config_get_model (self->config), &error);
  if (models == NULL)
    {
      hide_key (self, error);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_return_pointer (task, models, (GDestroyNotify) g_ptr_array_unref);
}

static void
gadget_openai_chat_list_models_async (GadgetProvider *provider, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetOpenaiChat *self = GADGET_OPENAI_CHAT (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;
  Listing *listing;

  g_task_set_source_tag (task, gadget_openai_chat_list_models_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  listing = g_new0 (Listing, 1);
  g_task_set_task_data (task, listing, free_listing);
  listing->body = g_byte_array_new ();
  listing->http_request = make_http_request (self, "GET", "models", &error);
  if (listing->http_request == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  listing->http_request->accept = g_strdup ("application/json");
  gadget_http_stream_async (self->http, listing->http_request, &listing_handler, listing, NULL,
                            cancellable, listed_cb, g_steal_pointer (&task));
}

static GPtrArray *
gadget_openai_chat_list_models_finish (GadgetProvider *provider, GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
gadget_openai_chat_iface_init (GadgetProviderInterface *iface)
{
  iface->chat_async = gadget_openai_chat_chat_async;
  iface->chat_finish = gadget_openai_chat_chat_finish;
  iface->list_models_async = gadget_openai_chat_list_models_async;
  iface->list_models_finish = gadget_openai_chat_list_models_finish;
}

/* --- The object ------------------------------------------------------------------------------ */

static void
gadget_openai_chat_dispose (GObject *object)
{
  GadgetOpenaiChat *self = GADGET_OPENAI_CHAT (object);

  g_clear_object (&self->config);
  g_clear_object (&self->http);

  G_OBJECT_CLASS (gadget_openai_chat_parent_class)->dispose (object);
}

static void
gadget_openai_chat_finalize (GObject *object)
{
  GadgetOpenaiChat *self = GADGET_OPENAI_CHAT (object);

  if (self->key != NULL)
    explicit_bzero (self->key, strlen (self->key));
  g_free (self->key);

  G_OBJECT_CLASS (gadget_openai_chat_parent_class)->finalize (object);
}

static void
gadget_openai_chat_class_init (GadgetOpenaiChatClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_openai_chat_dispose;
  object_class->finalize = gadget_openai_chat_finalize;
}

static void
gadget_openai_chat_init (GadgetOpenaiChat *self)
{
}

/**
 * gadget_openai_chat_new:
 * @config: where the server is
 * @http: the program's
 * @key: (nullable): the secret; %NULL or "" for a server that wants none
 *
 * Returns: (transfer full)
 */
GadgetProvider *
gadget_openai_chat_new (GadgetProviderConfig *config, GadgetHttp *http, const char *key)
{
  GadgetOpenaiChat *self;

  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (config) && GADGET_IS_HTTP (http), NULL);

  self = g_object_new (GADGET_TYPE_OPENAI_CHAT, NULL);
  self->config = g_object_ref (config);
  self->http = g_object_ref (http);
  if (key != NULL)
    self->key = g_strstrip (g_strdup (key));
  if (self->key != NULL && *self->key == '\0')
    g_clear_pointer (&self->key, g_free);
  return GADGET_PROVIDER (self);
}
