/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Converts the body of a response of the Anthropic Messages API, fed in parts of any size, to
 * events. The body may be a stream of server-sent events or one JSON object. Pure. Source:
 * "Streaming messages" in the documentation, and "Messages" in the API reference. */
typedef struct _GadgetAnthropicParser GadgetAnthropicParser;

/* SINK is called from feed and end. (transfer full); free accepts NULL. */
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
