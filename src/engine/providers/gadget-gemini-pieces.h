/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: arguments of one call that come in pieces. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _GadgetGeminiPieces GadgetGeminiPieces;

GadgetGeminiPieces *gadget_gemini_pieces_new   (void);
void                gadget_gemini_pieces_free  (GadgetGeminiPieces *self);
void                gadget_gemini_pieces_clear (GadgetGeminiPieces *self);

/* CALL is a "functionCall" with "args", "partialArgs", both or none. FALSE if they do not fit to
 * what came before. */
gboolean            gadget_gemini_pieces_take  (GadgetGeminiPieces *self,
                                                JsonObject         *call);
/* (transfer full): what there is, as an object of JSON */
char               *gadget_gemini_pieces_dup   (GadgetGeminiPieces *self);

G_END_DECLS
