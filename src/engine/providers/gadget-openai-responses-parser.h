/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-response-parser.h"

G_BEGIN_DECLS

/* Converts the body of an OpenAI Responses response to events. The body may be a stream of
 * server-sent events or one JSON object. Pure. Source: the API reference, "Streaming events" and
 * "The response object" of "Responses". */
extern const GadgetResponseParserClass gadget_openai_responses_parser_class;

G_END_DECLS
