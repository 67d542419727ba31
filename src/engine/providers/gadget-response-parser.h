/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the body of one response into events. This is what the parsers of all dialects have in
 * common: the sink, the framing of the body, the events, the limits and the failures. The parser of
 * a dialect is a struct that begins with a GadgetResponseParser, and a class with the functions
 * that know the dialect.
 *
 * The provider makes a parser for each response, feeds it with the bytes as they come, and ends it
 * once: when the body has ended, or as soon as the parser is done, whatever the body still has. The
 * first call that returns FALSE is the last one; then the parser may only be freed. It may be freed
 * at any time, as after an abort, and emits nothing when it is. The sink is called from feed and
 * end alone, and must not free the parser.
 *
 * The framing splits the body into JSON values, in whatever parts the bytes come, and hands each to
 * the function parse_value () of the class, which emits what is new in it at once. What the dialect
 * emits keeps these promises to the sink, see GadgetChatEvent:
 *
 *  - Calls are numbered from 0 in the order in which they begin. The arguments of a call come
 *    between its begin and its end, and several calls may be open at once.
 *  - A call has an end only if its arguments are complete. A call without one was cut.
 *  - Usage counts the whole response so far, and replaces what was emitted before.
 *  - What the server repeats, such as a whole item after its parts, is not emitted again.
 *
 * Everything happens on the caller's thread. */

#pragma once

#include "gadget-provider-error.h"
#include "gadget-provider.h"
#include "gadget-response-framing.h"

G_BEGIN_DECLS

typedef struct _GadgetResponseParser GadgetResponseParser;

/**
 * GadgetResponseParserClass:
 * @size: of the struct of the dialect's parser, in bytes
 * @lines: whether each line is a JSON value; see gadget_response_framing_new_lines ()
 * @init: (nullable): sets up the struct, which is zeroed before
 * @clear: (nullable): frees what the struct has
 * @parse_value: parses the next value of the body, see #GadgetResponseFramingFunc; %FALSE with a
 *   #GadgetProviderError. It is not called any more after gadget_response_parser_finish ()
 * @end: called once, after the last value: ends the calls that are complete; %FALSE with a
 *   #GadgetProviderError if the response is not complete, or reports a failure
 *
 * The functions that a dialect adds to a parser.
 */
typedef struct
{
  gsize size;
  gboolean lines;

  void     (*init)        (GadgetResponseParser *self);
  void     (*clear)       (GadgetResponseParser *self);
  gboolean (*parse_value) (GadgetResponseParser *self,
                           const char           *event,
                           JsonNode             *node,
                           GError              **error);
  gboolean (*end)         (GadgetResponseParser *self,
                           GError              **error);
} GadgetResponseParserClass;

struct _GadgetResponseParser
{
  const GadgetResponseParserClass *klass;
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetResponseFraming *framing;
  char *finish_reason; /* (nullable): why the response ended, in the words of the server */
  guint n_calls;       /* the calls that have begun; also the index of the next one */
  gboolean begun;      /* the body had a value of this dialect */
  gboolean done;       /* see gadget_response_parser_finish () */
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

/* --- For the dialects, from parse_value () and end () --- */

/* The response said that it is complete: what may follow is not read. */
void                  gadget_response_parser_finish     (GadgetResponseParser  *self);

/* Pass events to the sink. TEXT may be NULL or "", and is no event then. begin_call () makes an id,
 * which begins with PREFIX, if ID is NULL or "", and sets INDEX, by which the call is known from
 * then on; it fails if there are too many calls. */
void                  gadget_response_parser_emit       (GadgetResponseParser  *self,
                                                         GadgetChatEvent        event);
void                  gadget_response_parser_emit_text  (GadgetResponseParser  *self,
                                                         GadgetChatEventType    type,
                                                         const char            *text);
void                  gadget_response_parser_emit_usage (GadgetResponseParser  *self,
                                                         GadgetUsage            usage);
/* Read counts of tokens into USAGE: a part of them, which stays unknown if OBJECT (nullable) has no
 * such member; and those that OpenAI has in the details of its counts of input and output. */
void                  gadget_response_parser_read_part  (JsonObject            *object,
                                                         const char            *name,
                                                         GadgetUsageParts       part,
                                                         GadgetUsage           *usage);
void                  gadget_response_parser_read_details (JsonObject          *input,
                                                         JsonObject            *output,
                                                         GadgetUsage           *usage);
gboolean              gadget_response_parser_begin_call (GadgetResponseParser  *self,
                                                         const char            *id,
                                                         const char            *prefix,
                                                         const char            *name,
                                                         guint                 *index,
                                                         GError               **error);
void                  gadget_response_parser_append_arguments (GadgetResponseParser *self,
                                                         guint                  index,
                                                         const char            *text);
void                  gadget_response_parser_end_call   (GadgetResponseParser  *self,
                                                         guint                  index,
                                                         const char            *replay);

/* TRUE if TEXT (nullable) may follow USED bytes of the same call, signature or the like. */
gboolean              gadget_response_parser_check_part_size (gsize             used,
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
