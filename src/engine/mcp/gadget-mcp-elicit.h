/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks the user what a server wants to know ("elicitation/create"), on the call's item, one
 * question after the other. The answer is always one for the server: what the user said, or that
 * they declined, or that nobody answered. */
void        gadget_mcp_elicit_async    (const char           *server,
                                        JsonObject           *params,
                                        GadgetItem           *item,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
JsonObject *gadget_mcp_elicit_finish   (GAsyncResult         *result);

/* Whether it is of a kind that we say we answer; NULL is not. */
gboolean    gadget_mcp_elicit_is_known (JsonObject           *params);

/* What stands on the item as a question is not to be answered any more. */
void        gadget_mcp_elicit_withdraw (GadgetItem           *item);

/* An answer without the user: "accept", "decline" or "cancel". (transfer full) */
JsonObject *gadget_mcp_elicit_make_answer (const char        *action);

G_END_DECLS
