/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parsers of all dialects have in common: the sink, the framing of the body, the events,
 * the limits and the failures. The parser of a dialect is a struct that begins with a
 * GadgetResponseParser, and a class with the functions that know the dialect. */

#pragma once

#include "gadget-provider-error.h"
#include "gadget-provider.h"
#include "gadget-response-framing.h"

G_BEGIN_DECLS

typedef struct _GadgetResponseParser GadgetResponseParser;

/**
 * GadgetResponseParserClass:
 * @size: of the struct of the dialect's parser, in bytes
 * @lines: %TRUE if the body has one JSON value a line; see gadget_response_framing_new_lines ()
 * @init: (nullable): sets up the struct, which is zeroed before
 * @clear: (nullable): frees what the struct has
 * @take: takes a value of the body, see #GadgetResponseFramingFunc; %FALSE with a
 *   #GadgetProviderError. It is not called any more after gadget_response_parser_finish ()
 * @end: called at the end of the response; %FALSE with a #GadgetProviderError if the response is
 *   not complete, or reports a failure
 *
 * What a dialect adds to a parser.
 */
typedef struct
{
  gsize size;
  gboolean lines;

  void     (*init)  (GadgetResponseParser *self);
  void     (*clear) (GadgetResponseParser *self);
  gboolean (*take)  (GadgetResponseParser *self,
                     const char           *event,
                     JsonNode             *node,
                     GError              **error);
  gboolean (*end)   (GadgetResponseParser *self,
                     GError              **error);
} GadgetResponseParserClass;

struct _GadgetResponseParser
{
  const GadgetResponseParserClass *klass;
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetResponseFraming *framing;
  char *reason;   /* (nullable): why the response ended, in the words of the server */
  guint n_calls;  /* the calls that have begun; also the index of the next one */
  gboolean begun; /* the body had a value of this dialect */
  gboolean done;  /* see gadget_response_parser_finish () */
};

/* --- For the provider --- */

GadgetResponseParser *gadget_response_parser_new        (const GadgetResponseParserClass *klass,
                                                         GadgetChatSink         sink,
                                                         gpointer               sink_data);
void                  gadget_response_parser_free       (GadgetResponseParser  *self);
gboolean              gadget_response_parser_feed       (GadgetResponseParser  *self,
                                                         const char            *bytes,
                                                         gsize                  length,
                                                         GError               **error);
gboolean              gadget_response_parser_is_done    (GadgetResponseParser  *self);
gboolean              gadget_response_parser_end        (GadgetResponseParser  *self,
                                                         GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetResponseParser, gadget_response_parser_free)

/* --- For the dialects --- */

/* The response said that it is complete: what may follow is not read. */
void                  gadget_response_parser_finish     (GadgetResponseParser  *self);

/* Pass events to the sink. TEXT may be NULL or "", and is no event then. */
void                  gadget_response_parser_emit       (GadgetResponseParser  *self,
                                                         GadgetChatEvent        event);
void                  gadget_response_parser_emit_text  (GadgetResponseParser  *self,
                                                         GadgetChatEventType    type,
                                                         const char            *text);
void                  gadget_response_parser_emit_usage (GadgetResponseParser  *self,
                                                         gint64                 input_tokens,
                                                         gint64                 output_tokens,
                                                         gint64                 cost);
gboolean              gadget_response_parser_begin_call (GadgetResponseParser  *self,
                                                         const char            *id,
                                                         const char            *prefix,
                                                         const char            *name,
                                                         guint                 *index,
                                                         GError               **error);
void                  gadget_response_parser_grow_call  (GadgetResponseParser  *self,
                                                         guint                  index,
                                                         const char            *text);
void                  gadget_response_parser_end_call   (GadgetResponseParser  *self,
                                                         guint                  index,
                                                         const char            *replay);

/* TRUE if TEXT (nullable) may follow USED bytes of the same call, signature or the like. */
gboolean              gadget_response_parser_check_size (gsize                  used,
                                                         const char            *text,
                                                         const char            *message,
                                                         GError               **error);
/* TRUE if the value is not an error of the server. */
gboolean              gadget_response_parser_check_error (const char           *event,
                                                         JsonNode              *node,
                                                         GError               **error);

/* Set the error, and return FALSE. */
gboolean              gadget_response_parser_fail       (GadgetProviderError    code,
                                                         const char            *message,
                                                         GError               **error);
gboolean              gadget_response_parser_fail_cut   (GadgetResponseParser  *self,
                                                         GError               **error);

G_END_DECLS
