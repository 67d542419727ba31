/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Reads the body of an Anthropic Messages answer, in pieces of any size, into events. It may be a
 * stream of server-sent events or one JSON object. Pure. Source: "Streaming messages" in the
 * documentation, and the API reference's "Messages". */
typedef struct _GadgetAnthropicParser GadgetAnthropicParser;

GadgetAnthropicParser *gadget_anthropic_parser_new     (GadgetChatSink          sink,
                                                        gpointer                sink_data);
void                   gadget_anthropic_parser_free    (GadgetAnthropicParser  *self);
gboolean               gadget_anthropic_parser_feed    (GadgetAnthropicParser  *self,
                                                        const char             *bytes,
                                                        gsize                   length,
                                                        GError                **error);
gboolean               gadget_anthropic_parser_end     (GadgetAnthropicParser  *self,
                                                        GError                **error);
gboolean               gadget_anthropic_parser_is_done (GadgetAnthropicParser  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAnthropicParser, gadget_anthropic_parser_free)

G_END_DECLS
