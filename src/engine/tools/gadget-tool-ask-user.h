/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_ASK_USER (gadget_tool_ask_user_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolAskUser, gadget_tool_ask_user, GADGET, TOOL_ASK_USER, GObject)

/* "ask_user": asks the user a question with choices, free text, or both. */
GadgetTool *gadget_tool_ask_user_new (void);

G_END_DECLS
