/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests of the OpenAI Chat Completions API, as many servers implement it. Pure functions
 * without network access. Source: the API reference, "Chat Completions" and "Models". */

#pragma once

#include "gadget-model.h"
#include "session/gadget-request.h"

G_BEGIN_DECLS

char      *gadget_openai_chat_make_url     (const char          *base_url,
                                            const char          *path);
GBytes    *gadget_openai_chat_make_request (GadgetRequest       *request,
                                            const char          *model,
                                            gboolean             with_usage);
GPtrArray *gadget_openai_chat_read_models  (const char          *text,
                                            gsize                length,
                                            const char          *default_model,
                                            GError             **error);
char      *gadget_openai_chat_make_more_url (const char        *base_url,
                                            GadgetModel         *model,
                                            guint                step);
void       gadget_openai_chat_read_more    (const char          *text,
                                            gsize                length,
                                            GadgetModel         *model);

G_END_DECLS
