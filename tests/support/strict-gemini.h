/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is wrong with the body of a request to a model of the Gemini API, from the third generation
 * on, the strictest; NULL if nothing is. (transfer full) */
char *strict_gemini_check (const char *body, gsize length);

G_END_DECLS
