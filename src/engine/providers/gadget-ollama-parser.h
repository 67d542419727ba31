/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider.h"

G_BEGIN_DECLS

/* Converts the body of a response of Ollama's POST /api/chat, fed in parts of any size, to events.
 * Each line is one JSON object, and the last one has "done"; without streaming there is only that
 * one. Pure. */
typedef struct _GadgetOllamaParser GadgetOllamaParser;

/* SINK is called from feed and end. (transfer full); free accepts NULL. */
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
