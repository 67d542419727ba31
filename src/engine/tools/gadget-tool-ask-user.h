/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"

G_BEGIN_DECLS

/* "ask_user": asks the user a question with choices, free text, or both. */
GadgetTool *gadget_tool_ask_user_new (void);

G_END_DECLS
