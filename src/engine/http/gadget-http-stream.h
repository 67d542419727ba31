/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http.h"
#include "session/gadget-receipt.h"

G_BEGIN_DECLS

/**
 * GadgetHttpRequest:
 * @name: of the server, for the receipt ("Ollama")
 * @method: "GET" or "POST"
 * @key_header: (nullable): the name of the header that has the key
 * @key: (nullable): what it says; never logged, sent to @url's host only
 * @headers: (element-type utf8): names and values, one after the other, of other headers
 * @accept: what kind of answer is wanted
 * @body: (nullable): JSON
 * @keep_header: (nullable): a header of the answer that is wanted, static
 * @takes_codings: whether the handler is given a body that is compressed, though it was not asked
 *   for; it is not asked for in any case
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

GadgetHttpRequest *gadget_http_request_new  (const char        *name,
                                             const char        *method,
                                             const char        *url);
void               gadget_http_request_free (GadgetHttpRequest *self);
void               gadget_http_request_take_key (GadgetHttpRequest *self,
                                             const char        *header,
                                             char              *value);
void               gadget_http_request_add_header (GadgetHttpRequest *self,
                                             const char        *header,
                                             const char        *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHttpRequest, gadget_http_request_free)

/**
 * GadgetHttpResponse:
 * @content_type: lower case, without its parameters; "" if there is none
 * @charset: (nullable): the parameter of the content type
 * @length: of the body as announced; -1 if it was not
 * @retry_after: (nullable): the header
 * @location: (nullable): the header
 * @kept: (nullable): the header that the request named
 * @coding: (nullable): how the body is compressed, though that was not asked for; unless the request
 *   says otherwise it is not read then
 * @loading: set by the handler: the server says that it still loads the model
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

typedef enum
{
  GADGET_HTTP_MORE,   /* go on reading */
  GADGET_HTTP_DONE,   /* the answer is complete, whether or not the body is */
  GADGET_HTTP_FAILED, /* the error is set */
} GadgetHttpVerdict;

/**
 * GadgetHttpHandler:
 * @head: a status of 2xx and its headers came
 * @data: a piece of the body of such an answer came
 * @end: (nullable): that body came to its end, without @data having said that it is complete
 * @refusal: another status came, with (the beginning of) its body; makes the error
 *
 * What is done with an answer. None is called after the cancellable was cancelled.
 */
typedef struct
{
  gboolean          (*head)    (GadgetHttpResponse  *response,
                                gpointer             user_data,
                                GError             **error);
  GadgetHttpVerdict (*data)    (const char          *bytes,
                                gsize                length,
                                gpointer             user_data,
                                GError             **error);
  gboolean          (*end)     (gpointer             user_data,
                                GError             **error);
  GError           *(*refusal) (GadgetHttpResponse  *response,
                                const char          *body,
                                gsize                length,
                                gpointer             user_data);
} GadgetHttpHandler;

void     gadget_http_stream_async  (GadgetHttp               *http,
                                    GadgetHttpRequest        *request,
                                    const GadgetHttpHandler  *handler,
                                    gpointer                  handler_data,
                                    GadgetReceipt            *receipt,
                                    GCancellable             *cancellable,
                                    GAsyncReadyCallback       callback,
                                    gpointer                  user_data);
gboolean gadget_http_stream_finish (GadgetHttp               *http,
                                    GAsyncResult             *result,
                                    GadgetHttpResponse      **response,
                                    GError                  **error);

G_END_DECLS
