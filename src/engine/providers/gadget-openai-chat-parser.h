/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Converts the body of a Chat Completions response, fed in parts of any size, to events. The body
 * may be a stream of server-sent events or one JSON object, which servers without streaming send.
 * Pure. */
typedef struct _GadgetOpenaiChatParser GadgetOpenaiChatParser;

/* SINK is called from feed and end. (transfer full); free accepts NULL. */
GadgetOpenaiChatParser *gadget_openai_chat_parser_new  (GadgetChatSink           sink,
                                                        gpointer                 sink_data);
void                    gadget_openai_chat_parser_free (GadgetOpenaiChatParser  *self);
gboolean                gadget_openai_chat_parser_feed (GadgetOpenaiChatParser  *self,
                                                        const char              *bytes,
                                                        gsize                    length,
                                                        GError                 **error);
gboolean                gadget_openai_chat_parser_end  (GadgetOpenaiChatParser  *self,
                                                        GError                 **error);
gboolean                gadget_openai_chat_parser_is_done (GadgetOpenaiChatParser *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOpenaiChatParser, gadget_openai_chat_parser_free)

G_END_DECLS
