/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests of the OpenAI Responses API; its addresses and models are those of Chat Completions.
 * Pure functions without network access. Source: the API reference, "Responses", and the guide
 * "Reasoning models" ("Encrypted reasoning items"). */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

GBytes *gadget_openai_responses_make_request (GadgetRequest *request,
                                              const char    *model,
                                              gboolean       with_reasoning);

G_END_DECLS
