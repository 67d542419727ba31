/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-response-parser.h"

G_BEGIN_DECLS

/* Converts the body of a response of the Gemini API to events. The body may be a stream of
 * server-sent events, one JSON object, or an array of them. Pure. */
extern const GadgetResponseParserClass gadget_gemini_parser_class;

G_END_DECLS
