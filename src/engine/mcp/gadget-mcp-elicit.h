/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks the user the question that a server sends as "elicitation/create", on the call's item, one
 * field after the other. The outcome is always a response to the server: the user's answers, or
 * that the user declined, or that the question was dismissed. */
void        gadget_mcp_elicit_async    (const char           *server,
                                        JsonObject           *params,
                                        GadgetItem           *item,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
JsonObject *gadget_mcp_elicit_finish   (GAsyncResult         *result);

/* Returns whether @params (nullable) is of a mode that this client declares it supports. */
gboolean    gadget_mcp_elicit_is_known (JsonObject           *params);

/* Dismisses the question that @item (nullable) shows, if it shows one. */
void        gadget_mcp_elicit_withdraw (GadgetItem           *item);

/* Returns a response without content (transfer full). @action is "accept", "decline" or
 * "cancel". */
JsonObject *gadget_mcp_elicit_make_answer (const char        *action);

G_END_DECLS
