/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-response-parser.h"

G_BEGIN_DECLS

/* Converts the body of a response of the Anthropic Messages API to events. The body may be a
 * stream of server-sent events or one JSON object. Pure. Source: "Streaming messages" in the
 * documentation, and "Messages" in the API reference. */
extern const GadgetResponseParserClass gadget_anthropic_parser_class;

G_END_DECLS
