/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words of the Anthropic Messages API. Pure functions: no network. Source: the API reference
 * ("Messages", "Models", "Errors") and, in the documentation, "Thinking", "Handle tool calls" and
 * "Prompt caching". */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* What begins the replay text of reasoning, to tell the two kinds of blocks apart; the rest is the
 * block's signature, or its data. */
#define GADGET_ANTHROPIC_SIGNED "signature:"
#define GADGET_ANTHROPIC_REDACTED "redacted:"

char      *gadget_anthropic_make_url     (const char     *base_url,
                                          const char     *path);
GBytes    *gadget_anthropic_make_request (GadgetRequest  *request,
                                          const char     *model,
                                          gboolean        with_thinking);
GPtrArray *gadget_anthropic_read_models  (const char     *text,
                                          gsize           length,
                                          const char     *default_model,
                                          GError        **error);

G_END_DECLS
