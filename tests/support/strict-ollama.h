/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is wrong with the body of a request to Ollama's POST /api/chat; NULL if nothing is. Members
 * that the documentation does not know are wrong, though Ollama ignores them. (transfer full) */
char *strict_ollama_check (const char *body, gsize length);

G_END_DECLS
