/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-response-parser.h"

G_BEGIN_DECLS

/* Converts the body of a Chat Completions response to events. The body may be a stream of
 * server-sent events or one JSON object, which servers without streaming send. Pure. */
extern const GadgetResponseParserClass gadget_openai_chat_parser_class;

G_END_DECLS
