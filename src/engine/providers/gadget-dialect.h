/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A dialect is what tells one kind of model server from another: addresses, the words of a request
 * and of an answer. Pure functions over requests and bytes, so that each can be tested and fuzzed
 * without a network; GadgetHttpProvider does everything else, the same for all of them. */

#pragma once

#include "http/gadget-http-stream.h"
#include "gadget-provider.h"

G_BEGIN_DECLS

/* How much of a body that is read as a whole is taken, in bytes. */
#define GADGET_DIALECT_MAX_BODY (8 * 1024 * 1024)

/* How much one answer may bring: text, reasoning and arguments together, in bytes. */
#define GADGET_DIALECT_MAX_ANSWER (32 * 1024 * 1024)

/* How long the arguments of one call may become that comes in pieces, in bytes. */
#define GADGET_DIALECT_MAX_ARGUMENTS GADGET_DIALECT_MAX_BODY

/**
 * GadgetTerms:
 * @plain: how much of a request is left out that can be left out; 0 for nothing
 * @max_tokens: the most tokens that an answer may have; 0 if the server did not say
 * @no_images: the model takes words alone. Not for the dialect to heed: it gets none then
 *
 * What a server takes for one of its models, as far as its refusals told.
 */
typedef struct
{
  guint plain;
  gint64 max_tokens;
  gboolean no_images;
} GadgetTerms;

/**
 * GadgetDialect:
 * @kind: as in the settings: "openai-chat"
 * @accept: the types of answers it reads
 * @needs_model: whether a request must name a model. Then the server is asked which it has, where
 *   none was chosen; the others are asked when they refuse a request that names none
 * @replays: whether it takes back what it gave with reasoning or calls
 * @make_chat_url: (transfer full) (nullable): %NULL if @base_url is not an address
 * @make_chat_body: (transfer full): a streamed request, on these terms
 * @learn: (nullable): whether the error tells of other terms than those on which was asked; sets
 *   them. Then the server is asked again on these, as is that model from then on. It must not go
 *   on for ever
 * @sign: puts the key, and what else every request of this kind has, into the headers
 * @read_refusal: (transfer full): what an answer that is not 2xx means; sets response->loading if
 *   the server says that it still loads the model
 * @make_models_url: (transfer full) (nullable): where the list of models is
 * @read_models: (transfer full) (element-type GadgetModel): @default_model comes first
 * @make_next_url: (nullable) (transfer full): where the list goes on after this page of it; %NULL
 *   if it does not
 * @make_describe_url: (nullable): where one model is described; without it the list is used
 * @make_describe_body: (nullable) (transfer full): posted there; without it that is a GET
 * @read_description: (transfer full): of @model
 * @make_more_url: (nullable) (transfer full): where else something of a model is to be learnt,
 *   step by step from 0, given what is known by then; %NULL if nowhere
 * @read_more: adds what the answer tells, if anything
 * @make_running_url: (nullable) (transfer full): asked before a chat, by a server that loads its
 *   models when they are wanted: which are loaded
 * @is_running: %FALSE if @model certainly has to be loaded first
 * @parser_new: reads the body of an answer, in pieces of any size, into events
 * @parser_feed: %FALSE with a #GadgetProviderError; then the parser is of no further use
 * @parser_is_done: whether the answer said that it is complete
 * @parser_end: the body has ended, or said that it is complete. %FALSE with a #GadgetProviderError
 *   if it was not, or says that something went wrong
 */
typedef struct
{
  const char *kind;
  const char *accept;
  gboolean needs_model;
  gboolean replays;

  char        *(*make_chat_url)      (const char          *base_url,
                                      const char          *model);
  GBytes      *(*make_chat_body)     (GadgetRequest       *request,
                                      const char          *model,
                                      const GadgetTerms   *terms);
  gboolean     (*learn)              (const GError        *error,
                                      GadgetTerms         *terms);
  void         (*sign)               (GadgetHttpRequest   *request,
                                      const char          *key);
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
  char        *(*make_more_url)      (const char          *base_url,
                                      GadgetModel         *model,
                                      guint                step);
  void         (*read_more)          (const char          *text,
                                      gsize                length,
                                      GadgetModel         *model);
  char        *(*make_running_url)   (const char          *base_url);
  gboolean     (*is_running)         (const char          *text,
                                      gsize                length,
                                      const char          *model);

  gpointer     (*parser_new)         (GadgetChatSink       sink,
                                      gpointer             sink_data);
  void         (*parser_free)        (gpointer             parser);
  gboolean     (*parser_feed)        (gpointer             parser,
                                      const char          *bytes,
                                      gsize                length,
                                      GError             **error);
  gboolean     (*parser_is_done)     (gpointer             parser);
  gboolean     (*parser_end)         (gpointer             parser,
                                      GError             **error);
} GadgetDialect;

G_END_DECLS
