/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider for servers behind HTTP: everything that is the same for all dialects. This file has
 * the key and the headers, and makes the requests; gadget-http-chat.c and gadget-http-models.c send
 * them. */

#define G_LOG_DOMAIN "gadget-http-provider"

#include "config.h"

#include "gadget-http-provider-private.h"

#include "gadget-http-lookup.h"
#include "secrets/gadget-secret-values.h"

#include <string.h>

static void gadget_http_provider_iface_init (GadgetProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetHttpProvider, gadget_http_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_PROVIDER,
                                                      gadget_http_provider_iface_init))

static gboolean
is_sendable (const char *key)
{
  for (; *key != '\0'; key++)
    if (!g_ascii_isgraph (*key))
      return FALSE;
  return TRUE;
}

static gboolean
is_secret_header (GadgetHttpProvider *self, const char *name)
{
  const GadgetProviderHeaders *headers = gadget_provider_config_get_headers (self->config);

  return headers != NULL && g_strv_contains ((const char *const *) headers->secrets, name);
}

void
_gadget_http_provider_hide_secrets (GadgetHttpProvider *self, GError *error)
{
  g_autoptr (GString) text = g_string_new (error->message);

  if (self->key != NULL)
    g_string_replace (text, self->key, "…", 0);
  for (guint i = 0; self->headers != NULL && self->headers[i] != NULL; i += 2)
    if (is_secret_header (self, self->headers[i]))
      g_string_replace (text, self->headers[i + 1], "…", 0);
  g_free (error->message);
  error->message = g_strdup (text->str);
}

const char *
_gadget_http_provider_choose_model (GadgetHttpProvider *self, const char *model)
{
  const char *chosen = gadget_provider_config_get_model (self->config);

  if (model != NULL)
    return model;
  return chosen != NULL ? chosen : self->first_model;
}

/* @url: (transfer full) (nullable) */
GadgetHttpRequest *
_gadget_http_provider_make_http_request (GadgetHttpProvider *self, const char *method, char *url,
                                         const char *accept, GError **error)
{
  g_autofree char *address = url;
  const char *base_url = gadget_provider_config_get_base_url (self->config);
  GadgetHttpRequest *request;

  if (address == NULL)
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
  request =
      gadget_http_request_new (gadget_provider_config_get_name (self->config), method, address);
  request->accept = g_strdup (accept);
  /* The dialect sets its headers afterwards, so that nothing overrides them. */
  for (guint i = 0; self->headers != NULL && self->headers[i] != NULL; i += 2)
    gadget_http_request_add_header (request, self->headers[i], self->headers[i + 1]);
  gadget_dialect_add_headers (self->dialect, request, self->key);
  return request;
}

gboolean
_gadget_http_provider_look_up (GadgetHttpProvider *self, char *url, GBytes *body,
                               GadgetReceipt *receipt, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data, GError **error)
{
  g_autoptr (GBytes) posted = body;
  GadgetHttpRequest *request = _gadget_http_provider_make_http_request (
      self, body != NULL ? "POST" : "GET", url, "application/json", error);

  if (request == NULL)
    return FALSE;
  request->body = g_steal_pointer (&posted);
  gadget_http_lookup_async (self->http, self->dialect, request, receipt, cancellable, callback,
                            user_data);
  return TRUE;
}

const char *
_gadget_http_provider_get_text (GBytes *body, gsize *length)
{
  const char *text = g_bytes_get_data (body, length);

  return text != NULL ? text : "";
}

static char *
gadget_http_provider_dup_replay_source (GadgetProvider *provider, const char *model)
{
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (provider);
  const char *name = _gadget_http_provider_choose_model (self, model);

  if (!self->dialect->replays || name == NULL)
    return NULL;
  return g_strdup_printf ("%s/%s", self->dialect->kind.id, name);
}

static void
gadget_http_provider_iface_init (GadgetProviderInterface *iface)
{
  iface->chat_async = _gadget_http_provider_chat_async;
  iface->chat_finish = _gadget_http_provider_chat_finish;
  iface->list_models_async = _gadget_http_provider_list_models_async;
  iface->list_models_finish = _gadget_http_provider_list_models_finish;
  iface->describe_model_async = _gadget_http_provider_describe_model_async;
  iface->describe_model_finish = _gadget_http_provider_describe_model_finish;
  iface->dup_replay_source = gadget_http_provider_dup_replay_source;
}

/* --- The object ------------------------------------------------------------------------------ */

static void
gadget_http_provider_dispose (GObject *object)
{
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (object);

  g_clear_object (&self->config);
  g_clear_object (&self->http);

  G_OBJECT_CLASS (gadget_http_provider_parent_class)->dispose (object);
}

static void
gadget_http_provider_finalize (GObject *object)
{
  GadgetHttpProvider *self = GADGET_HTTP_PROVIDER (object);

  if (self->key != NULL)
    explicit_bzero (self->key, strlen (self->key));
  g_free (self->key);
  gadget_secret_values_free (self->headers);
  g_free (self->first_model);
  g_hash_table_unref (self->support);

  G_OBJECT_CLASS (gadget_http_provider_parent_class)->finalize (object);
}

static void
gadget_http_provider_class_init (GadgetHttpProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_http_provider_dispose;
  object_class->finalize = gadget_http_provider_finalize;
}

static void
gadget_http_provider_init (GadgetHttpProvider *self)
{
  self->support = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * gadget_http_provider_new:
 * @dialect: static
 * @config: describes the server
 * @http: the program's
 * @key: (nullable): the secret; %NULL or "" for a server that needs none
 *
 * Returns: (transfer full)
 */
GadgetProvider *
gadget_http_provider_new (const GadgetDialect *dialect, GadgetProviderConfig *config,
                          GadgetHttp *http, const char *key)
{
  GadgetHttpProvider *self;

  g_return_val_if_fail (dialect != NULL, NULL);
  g_return_val_if_fail (GADGET_IS_PROVIDER_CONFIG (config) && GADGET_IS_HTTP (http), NULL);

  self = g_object_new (GADGET_TYPE_HTTP_PROVIDER, NULL);
  self->dialect = dialect;
  self->config = g_object_ref (config);
  self->http = g_object_ref (http);
  if (key != NULL)
    self->key = g_strstrip (g_strdup (key));
  if (self->key != NULL && *self->key == '\0')
    g_clear_pointer (&self->key, g_free);
  return GADGET_PROVIDER (self);
}

/**
 * gadget_http_provider_take_headers:
 * @headers: (transfer full): from gadget_provider_headers_apply ()
 *
 * Sets headers that are sent with each request. Redirects are not followed, so no other server gets
 * them.
 */
void
gadget_http_provider_take_headers (GadgetHttpProvider *self, char **headers)
{
  g_return_if_fail (GADGET_IS_HTTP_PROVIDER (self) && self->headers == NULL);
  self->headers = headers;
}
