/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetHttpRequest:
 * @name: the name of the server, for the receipt ("Ollama")
 * @method: "GET" or "POST"
 * @key_header: (nullable): the name of the header that carries the key
 * @key: (nullable): the value of that header; never logged, sent only to the host of @url
 * @headers: (element-type utf8): names and values of other headers, alternating
 * @accept: the value of the Accept header
 * @body: (nullable): JSON
 * @keep_header: (nullable): static; the name of a response header to copy to @kept of the response
 * @takes_codings: %TRUE to pass a compressed body to the handler; compression is never asked for,
 *   but some servers use it all the same
 *
 * A request that can be sent. gadget_http_request_new() copies its strings;
 * gadget_http_request_free() wipes the key and the other headers from memory, and accepts %NULL.
 */
typedef struct
{
  char *name;
  char *method;
  char *url;
  char *key_header;
  char *key;
  GPtrArray *headers;
  char *accept;
  GBytes *body;
  const char *keep_header;
  gboolean takes_codings;
} GadgetHttpRequest;

GadgetHttpRequest *gadget_http_request_new        (const char        *name,
                                                   const char        *method,
                                                   const char        *url);
void               gadget_http_request_free       (GadgetHttpRequest *self);
void               gadget_http_request_take_key   (GadgetHttpRequest *self,
                                                   const char        *header,
                                                   char              *value);
/* Copies both strings. A later header of the same name replaces an earlier one. */
void               gadget_http_request_add_header (GadgetHttpRequest *self,
                                                   const char        *header,
                                                   const char        *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHttpRequest, gadget_http_request_free)

/**
 * GadgetHttpResponse:
 * @status: the HTTP status
 * @content_type: lower case, without its parameters; "" if there is none
 * @charset: (nullable): the parameter of the content type
 * @length: of the body as announced, in bytes; -1 if it was not announced
 * @retry_after: (nullable): the header
 * @location: (nullable): the header
 * @coding: (nullable): how the body is compressed, although that was not asked for; such a body is
 *   not read unless the request takes codings
 * @kept: (nullable): the header that the request named
 * @loading: set by the handler when the server says that it is still loading the model
 *
 * The head of a response.
 */
typedef struct
{
  guint status;
  char *content_type;
  char *charset;
  gint64 length;
  char *retry_after;
  char *location;
  char *coding;
  char *kept;
  gboolean loading;
} GadgetHttpResponse;

void gadget_http_response_free (GadgetHttpResponse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHttpResponse, gadget_http_response_free)

/* Returns whether a text is a token (RFC 9110, section 5.6.2), as the name of a header must be. */
gboolean gadget_http_is_token (const char *text);

G_END_DECLS
