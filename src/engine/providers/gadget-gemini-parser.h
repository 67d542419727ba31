/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Converts the body of a response of the Gemini API, fed in parts of any size, to events. The body
 * may be a stream of server-sent events, one JSON object, or an array of them. Pure. */
typedef struct _GadgetGeminiParser GadgetGeminiParser;

/* SINK is called from feed and end. (transfer full); free accepts NULL. */
GadgetGeminiParser *gadget_gemini_parser_new     (GadgetChatSink       sink,
                                                  gpointer             sink_data);
void                gadget_gemini_parser_free    (GadgetGeminiParser  *self);
gboolean            gadget_gemini_parser_feed    (GadgetGeminiParser  *self,
                                                  const char          *bytes,
                                                  gsize                length,
                                                  GError             **error);
gboolean            gadget_gemini_parser_end     (GadgetGeminiParser  *self,
                                                  GError             **error);
gboolean            gadget_gemini_parser_is_done (GadgetGeminiParser  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGeminiParser, gadget_gemini_parser_free)

G_END_DECLS
