/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests of the Anthropic Messages API. Pure functions without network access. Source: the
 * API reference ("Messages", "Models", "Errors") and the documentation ("Thinking", "Handle tool
 * calls" and "Prompt caching"). */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* The prefixes of the replay text of reasoning, which tell the two kinds of blocks apart. The
 * signature of the block, or its data, follows. */
#define GADGET_ANTHROPIC_SIGNED "signature:"
#define GADGET_ANTHROPIC_REDACTED "redacted:"

/* The most tokens that a request asks for, thinking included. Most models since Claude 4 accept it,
 * the others name their limit, and the size does not matter for a stream. */
#define GADGET_ANTHROPIC_MAX_TOKENS 32000

/**
 * GadgetAnthropicThinking:
 * @GADGET_ANTHROPIC_ADAPTIVE: as much as the model decides; the only kind that newer models know
 * @GADGET_ANTHROPIC_BUDGET: up to a number of tokens; the only kind that older models know
 * @GADGET_ANTHROPIC_NO_THINKING: none
 *
 * The kinds of thinking, in the order in which they are tried.
 */
typedef enum
{
  GADGET_ANTHROPIC_ADAPTIVE,
  GADGET_ANTHROPIC_BUDGET,
  GADGET_ANTHROPIC_NO_THINKING,
} GadgetAnthropicThinking;

GBytes    *gadget_anthropic_make_request (GadgetRequest  *request,
                                          const char     *model,
                                          GadgetAnthropicThinking thinking,
                                          gint64          max_tokens);
GPtrArray *gadget_anthropic_read_models  (const char     *text,
                                          gsize           length,
                                          const char     *default_model,
                                          GError        **error);

G_END_DECLS
