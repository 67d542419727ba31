/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Reads the body of an answer of Ollama's POST /api/chat, in pieces of any size, into events: one
 * JSON object a line, the last of them with "done"; without streaming there is that one alone.
 * Pure. */
typedef struct _GadgetOllamaParser GadgetOllamaParser;

GadgetOllamaParser *gadget_ollama_parser_new     (GadgetChatSink       sink,
                                                  gpointer             sink_data);
void                gadget_ollama_parser_free    (GadgetOllamaParser  *self);
gboolean            gadget_ollama_parser_feed    (GadgetOllamaParser  *self,
                                                  const char          *bytes,
                                                  gsize                length,
                                                  GError             **error);
gboolean            gadget_ollama_parser_end     (GadgetOllamaParser  *self,
                                                  GError             **error);
gboolean            gadget_ollama_parser_is_done (GadgetOllamaParser  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOllamaParser, gadget_ollama_parser_free)

G_END_DECLS
