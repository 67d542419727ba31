/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A dialect describes one kind of model server: its addresses, its requests and its responses. It
 * consists of pure functions over requests and bytes, so that each dialect can be tested and fuzzed
 * without a network. GadgetHttpProvider does everything else in the same way for all of them. */

#pragma once

#include "http/gadget-http-stream.h"
#include "gadget-provider-kind.h"
#include "gadget-response-parser.h"

G_BEGIN_DECLS

/**
 * GadgetModelSupport:
 * @plain: how many of the optional features of a request are left out; 0 for none
 * @max_tokens: the most tokens that a response may have; 0 if the server did not say
 * @no_images: %TRUE if the model accepts text only; the dialect then gets no images, and ignores
 *   this
 *
 * The limits of a server for one of its models, as learned from its errors.
 */
typedef struct
{
  guint plain;
  gint64 max_tokens;
  gboolean no_images;
} GadgetModelSupport;

/**
 * GadgetDialect:
 * @kind: the dialect as people choose it, and its name in the settings
 * @key_header: the name of the header that has the key
 * @key_prefix: (nullable): what stands in it before the key
 * @headers: (nullable): what else each request has: names and values, ended by %NULL
 * @accept: the content types that the parser reads
 * @needs_model: %TRUE if a request must name a model. If none was chosen, the server is asked for
 *   its models first; other servers are asked only when they refuse a request without a model
 * @replays: %TRUE if the server accepts the replay data of its reasoning and calls
 * @make_chat_url: (transfer full) (nullable): %NULL if @base_url is not a valid address
 * @make_chat_body: (transfer full): a streamed request, with what the model supports
 * @adapt: (nullable): %TRUE if the error says that less is supported, which it sets. The request
 *   is then made and sent again, and so are later requests for that model. Repeated calls must
 *   come to an end
 * @read_refusal: (transfer full): converts a response whose status is not 2xx to an error; sets
 *   response->loading if the server says that it is still loading the model
 * @make_models_url: (transfer full) (nullable): the address of the list of models
 * @read_models: (transfer full) (element-type GadgetModel): @default_model comes first
 * @make_next_url: (nullable) (transfer full): the address of the next page of the list; %NULL after
 *   the last page
 * @make_describe_url: (nullable) (transfer full): the address that describes one model; without
 *   this function the list is used
 * @make_describe_body: (nullable) (transfer full): the body to post to that address; without this
 *   function the request is a GET
 * @read_description: (transfer full): reads the description of @model
 * @make_details_url: (nullable) (transfer full): further addresses to learn about a model, for steps
 *   from 0, given what is known so far; %NULL after the last one
 * @read_more: adds what the response of such an address says, if anything
 * @make_running_url: (nullable) (transfer full): the address that lists the loaded models, for a
 *   server that loads its models on demand; it is asked before a chat
 * @is_running: %FALSE if @model certainly has to be loaded first
 * @parser: converts the body of a response to events; see gadget-response-parser.h
 *
 * The functions of a dialect.
 */
typedef struct
{
  GadgetProviderKind kind;
  const char *key_header;
  const char *key_prefix;
  const char *const *headers;
  const char *accept;
  gboolean needs_model;
  gboolean replays;

  char        *(*make_chat_url)      (const char          *base_url,
                                      const char          *model);
  GBytes      *(*make_chat_body)     (GadgetRequest       *request,
                                      const char          *model,
                                      const GadgetModelSupport *support);
  gboolean     (*adapt)              (const GError        *error,
                                      GadgetModelSupport  *support);
  GError      *(*read_refusal)       (GadgetHttpResponse  *response,
                                      const char          *body,
                                      gsize                length);

  char        *(*make_models_url)    (const char          *base_url);
  GPtrArray   *(*read_models)        (const char          *text,
                                      gsize                length,
                                      const char          *default_model,
                                      GError             **error);
  char        *(*make_next_url)      (const char          *base_url,
                                      const char          *text,
                                      gsize                length);
  char        *(*make_describe_url)  (const char          *base_url,
                                      const char          *model);
  GBytes      *(*make_describe_body) (const char          *model);
  GadgetModel *(*read_description)   (const char          *text,
                                      gsize                length,
                                      const char          *model,
                                      GError             **error);
  char        *(*make_details_url)      (const char          *base_url,
                                      GadgetModel         *model,
                                      guint                step);
  void         (*read_more)          (const char          *text,
                                      gsize                length,
                                      GadgetModel         *model);
  char        *(*make_running_url)   (const char          *base_url);
  gboolean     (*is_running)         (const char          *text,
                                      gsize                length,
                                      const char          *model);

  const GadgetResponseParserClass *parser;
} GadgetDialect;

/* Adds the headers of each request; KEY (nullable) is the secret. */
void gadget_dialect_add_headers (const GadgetDialect *self,
                                 GadgetHttpRequest   *request,
                                 const char          *key);

G_END_DECLS
