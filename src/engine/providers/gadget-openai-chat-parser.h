/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Reads the body of a Chat Completions answer, in pieces of any size, into events. It may be a
 * stream of server-sent events or one JSON object: servers that do not stream answer so. Pure. */
typedef struct _GadgetOpenaiChatParser GadgetOpenaiChatParser;

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
