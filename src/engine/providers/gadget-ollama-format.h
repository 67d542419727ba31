/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests of Ollama's own API. Pure functions without network access. Source: Ollama's
 * documentation, "API" (docs/api.md), "Thinking", "Tool calling", "Context length" and "Errors",
 * and, for what these omit, the types of its requests and responses (api/types.go). */

#pragma once

#include "http/gadget-http-stream.h"
#include "gadget-model.h"
#include "session/gadget-request.h"

G_BEGIN_DECLS

char        *gadget_ollama_make_url         (const char          *base_url,
                                             const char          *path);
GBytes      *gadget_ollama_make_request     (GadgetRequest       *request,
                                             const char          *model,
                                             gboolean             with_think);
GError      *gadget_ollama_read_refusal     (GadgetHttpResponse  *response,
                                             const char          *body,
                                             gsize                length);
GPtrArray   *gadget_ollama_read_models      (const char          *text,
                                             gsize                length,
                                             const char          *default_model,
                                             GError             **error);
/* The JSON body of POST /api/show. (transfer full) */
GBytes      *gadget_ollama_make_show        (const char          *model);
GadgetModel *gadget_ollama_read_show        (const char          *text,
                                             gsize                length,
                                             const char          *model,
                                             GError             **error);
gboolean     gadget_ollama_read_running     (const char          *text,
                                             gsize                length,
                                             const char          *model,
                                             gint64              *context_length);

G_END_DECLS
