/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Converts the body of an OpenAI Responses response, fed in parts of any size, to events. The body
 * may be a stream of server-sent events or one JSON object. Pure. Source: the API reference,
 * "Streaming events" and "The response object" of "Responses". */
typedef struct _GadgetOpenaiResponsesParser GadgetOpenaiResponsesParser;

/* SINK is called from feed and end. (transfer full); free accepts NULL. */
GadgetOpenaiResponsesParser *
         gadget_openai_responses_parser_new     (GadgetChatSink                sink,
                                                 gpointer                      sink_data);
void     gadget_openai_responses_parser_free    (GadgetOpenaiResponsesParser  *self);
gboolean gadget_openai_responses_parser_feed    (GadgetOpenaiResponsesParser  *self,
                                                 const char                   *bytes,
                                                 gsize                         length,
                                                 GError                      **error);
gboolean gadget_openai_responses_parser_end     (GadgetOpenaiResponsesParser  *self,
                                                 GError                      **error);
gboolean gadget_openai_responses_parser_is_done (GadgetOpenaiResponsesParser  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenaiResponsesParser, gadget_openai_responses_parser_free)

G_END_DECLS
