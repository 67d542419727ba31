/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-response-parser.h"

G_BEGIN_DECLS

/* Converts the body of a response of Ollama's POST /api/chat to events. Each line is one JSON
 * object, and the last one has "done"; without streaming there is only that one. Pure. */
extern const GadgetResponseParserClass gadget_ollama_parser_class;

G_END_DECLS
