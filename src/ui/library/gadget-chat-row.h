/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_CHAT_ROW (gadget_chat_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatRow, gadget_chat_row, GADGET, CHAT_ROW, AdwBin)

/* A chat in the list: its title, a dim line below, and at the end a mark for its work. The property
 * "description" is for the accessible name of the list item. */
GtkWidget     *gadget_chat_row_new             (void);
void           gadget_chat_row_set_session     (GadgetChatRow *self,
                                                GadgetSession *session);
GadgetSession *gadget_chat_row_get_session     (GadgetChatRow *self);
const char    *gadget_chat_row_get_description (GadgetChatRow *self);

G_END_DECLS
