/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http.h"
#include "gadget-provider-config.h"
#include "gadget-provider.h"

G_BEGIN_DECLS

#define GADGET_TYPE_OPENAI_CHAT (gadget_openai_chat_get_type ())
G_DECLARE_FINAL_TYPE (GadgetOpenaiChat, gadget_openai_chat, GADGET, OPENAI_CHAT, GObject)

/* A provider that speaks the OpenAI Chat Completions API: OpenAI itself, and most local servers. */
GadgetProvider *gadget_openai_chat_new (GadgetProviderConfig *config,
                                        GadgetHttp           *http,
                                        const char           *key);

G_END_DECLS
