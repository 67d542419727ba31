/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts requests, and the heads of responses, between this folder's types and libsoup's. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-http-message-private.h"

#include <string.h>

gboolean
gadget_http_is_token (const char *text)
{
  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && strchr ("!#$%&'*+-.^_`|~", *text) == NULL)
      return FALSE;
  return TRUE;
}

static void
free_secret (gpointer secret)
{
  if (secret != NULL)
    explicit_bzero (secret, strlen (secret));
  g_free (secret);
}

/**
 * gadget_http_request_new:
 * @name: the name of the server, for the receipt
 * @method: "GET" or "POST"
 * @url: the address; it is not checked before the request is sent
 *
 * Returns: (transfer full): a request without a key, headers and body
 */
GadgetHttpRequest *
gadget_http_request_new (const char *name, const char *method, const char *url)
{
  GadgetHttpRequest *self = g_new0 (GadgetHttpRequest, 1);

  self->name = g_strdup (name);
  self->method = g_strdup (method);
  self->url = g_strdup (url);
  self->headers = g_ptr_array_new_with_free_func (free_secret);
  return self;
}

/* gadget_http_request_free: wipes the key and the other headers from memory. @self may be %NULL. */
void
gadget_http_request_free (GadgetHttpRequest *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->method);
  g_free (self->url);
  g_free (self->key_header);
  free_secret (self->key);
  g_ptr_array_unref (self->headers);
  g_free (self->accept);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self);
}

/* Takes ownership of @value, which is the key or contains it. */
void
gadget_http_request_take_key (GadgetHttpRequest *self, const char *header, char *value)
{
  g_return_if_fail (self != NULL && header != NULL && value != NULL);

  g_set_str (&self->key_header, header);
  free_secret (self->key);
  self->key = value;
}

void
gadget_http_request_add_header (GadgetHttpRequest *self, const char *header, const char *value)
{
  g_return_if_fail (self != NULL && header != NULL && value != NULL);

  g_ptr_array_add (self->headers, g_strdup (header));
  g_ptr_array_add (self->headers, g_strdup (value));
}

/* gadget_http_response_free: frees the texts, too; @self may be %NULL. */
void
gadget_http_response_free (GadgetHttpResponse *self)
{
  if (self == NULL)
    return;
  g_free (self->content_type);
  g_free (self->charset);
  g_free (self->retry_after);
  g_free (self->location);
  g_free (self->kept);
  g_free (self->coding);
  g_free (self);
}

/* --- libsoup's types ------------------------------------------------------------------------- */

SoupMessage *
_gadget_http_make_message (const GadgetHttpRequest *request)
{
  SoupMessage *message = soup_message_new (request->method, request->url);
  SoupMessageHeaders *headers;

  if (message == NULL)
    return NULL;
  soup_message_set_force_http1 (message, TRUE);
  /* Without the second flag every POST would open a connection of its own, and leave it open. */
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT);
  /* Keys are never sent in reply to a challenge. The feature is disabled per message, because a
   * session without it would read the whole body of a 401, however long, before it reports a
   * response. */
  soup_message_disable_feature (message, SOUP_TYPE_AUTH_MANAGER);
  headers = soup_message_get_request_headers (message);
  soup_message_headers_replace (headers, "Accept-Encoding", "identity");
  if (request->accept != NULL)
    soup_message_headers_replace (headers, "Accept", request->accept);
  for (guint i = 0; i + 1 < request->headers->len; i += 2)
    soup_message_headers_replace (headers, g_ptr_array_index (request->headers, i),
                                  g_ptr_array_index (request->headers, i + 1));
  if (request->key != NULL)
    soup_message_headers_replace (headers, request->key_header, request->key);
  if (request->body != NULL)
    soup_message_set_request_body_from_bytes (message, "application/json", request->body);
  return message;
}

/* The content coding, or NULL for a body that is not compressed. (transfer full) */
static char *
dup_coding (SoupMessageHeaders *headers)
{
  const char *coding = soup_message_headers_get_list (headers, "Content-Encoding");

  if (coding == NULL || *coding == '\0' || g_ascii_strcasecmp (coding, "identity") == 0)
    return NULL;
  return g_strdup (coding);
}

GadgetHttpResponse *
_gadget_http_read_head (SoupMessage *message, const char *keep_header)
{
  GadgetHttpResponse *response = g_new0 (GadgetHttpResponse, 1);
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  g_autoptr (GHashTable) parameters = NULL;
  const char *type = soup_message_headers_get_content_type (headers, &parameters);

  response->status = soup_message_get_status (message);
  response->content_type = g_ascii_strdown (type != NULL ? type : "", -1);
  if (parameters != NULL)
    response->charset = g_strdup (g_hash_table_lookup (parameters, "charset"));
  response->length = soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH
                         ? soup_message_headers_get_content_length (headers)
                         : -1;
  response->retry_after = g_strdup (soup_message_headers_get_one (headers, "Retry-After"));
  response->location = g_strdup (soup_message_headers_get_one (headers, "Location"));
  if (keep_header != NULL)
    response->kept = g_strdup (soup_message_headers_get_one (headers, keep_header));
  response->coding = dup_coding (headers);
  return response;
}
