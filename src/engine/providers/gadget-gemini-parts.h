/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: joins the arguments of one call that arrive in parts. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _GadgetGeminiParts GadgetGeminiParts;

/* Empty arguments. (transfer full); free accepts NULL, and clear makes them empty again. */
GadgetGeminiParts *gadget_gemini_parts_new   (void);
void               gadget_gemini_parts_free  (GadgetGeminiParts *self);
void               gadget_gemini_parts_clear (GadgetGeminiParts *self);

/* Adds a "functionCall" with "args", "partialArgs", both or none. FALSE if a part does not fit what
 * was received before. */
gboolean           gadget_gemini_parts_add   (GadgetGeminiParts *self,
                                              JsonObject        *call);
/* The arguments so far, as a JSON object. (transfer full) */
char              *gadget_gemini_parts_dup   (GadgetGeminiParts *self);

G_END_DECLS
