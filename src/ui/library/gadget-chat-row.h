/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_CHAT_ROW (gadget_chat_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatRow, gadget_chat_row, GADGET, CHAT_ROW, AdwBin)

/* How far each level of folders is from the one before, in pixels. */
#define GADGET_CHAT_ROW_INDENT 18

/* A chat in the list: its title, a dim line below, and at the end a mark for its work. The property
 * "description" is for the accessible name of the list item. */
GtkWidget     *gadget_chat_row_new             (void);
void           gadget_chat_row_set_session     (GadgetChatRow *self,
                                                GadgetSession *session,
                                                GadgetEngine  *engine);
void           gadget_chat_row_set_depth       (GadgetChatRow *self,
                                                guint          depth);

/* Shows a check box before the chat if SHOWN. */
void           gadget_chat_row_set_check       (GadgetChatRow *self,
                                                gboolean       shown,
                                                gboolean       checked);
GadgetSession *gadget_chat_row_get_session     (GadgetChatRow *self);
const char    *gadget_chat_row_get_description (GadgetChatRow *self);

/* The label with the title. (transfer none) */
GtkWidget *gadget_chat_row_get_title (GadgetChatRow *self);

G_END_DECLS
