/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests and errors of the Gemini API. Pure functions without network access. Source: its
 * documentation, "Generating content", "Models", "Function calling", "Thinking", "Thought
 * signatures" and "Troubleshooting", and the types of Google's own client library. */

#pragma once

#include "http/gadget-http-stream.h"
#include "gadget-model.h"
#include "session/gadget-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The members of the "replay" of a part: what it had besides its text. */
#define GADGET_GEMINI_ID "id"
#define GADGET_GEMINI_SIGNATURE "thoughtSignature"

char        *gadget_gemini_make_chat_url    (const char          *base_url,
                                             const char          *model);
char        *gadget_gemini_make_model_url   (const char          *base_url,
                                             const char          *model);
char        *gadget_gemini_make_models_url  (const char          *base_url);
char        *gadget_gemini_make_next_url    (const char          *base_url,
                                             const char          *text,
                                             gsize                length);
GBytes      *gadget_gemini_make_request     (GadgetRequest       *request,
                                             const char          *model,
                                             gboolean             with_thoughts);
GPtrArray   *gadget_gemini_read_models      (const char          *text,
                                             gsize                length,
                                             const char          *default_model,
                                             GError             **error);
GadgetModel *gadget_gemini_read_description (const char          *text,
                                             gsize                length,
                                             const char          *model,
                                             GError             **error);
GError      *gadget_gemini_read_refusal     (GadgetHttpResponse  *response,
                                             const char          *body,
                                             gsize                length);
GError      *gadget_gemini_read_error       (JsonNode            *node,
                                             guint                status);

G_END_DECLS
