/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* One call of a tool, as the agent makes it. Begins as all zero. */
typedef struct
{
  GadgetItem *item;
  gboolean done;
  GadgetToolResult *result; /* or an error */
  GError *error;
} ToolCall;

void  tool_call_clear    (ToolCall                 *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ToolCall, tool_call_clear)

/* CONTEXT is lent; the call has an item of its own. */
void  tool_call_start    (ToolCall                 *self,
                          GadgetTool               *tool,
                          const GadgetToolContext  *context,
                          const char               *arguments,
                          GCancellable             *cancellable);
void  tool_call_run      (ToolCall                 *self,
                          GadgetTool               *tool,
                          const GadgetToolContext  *context,
                          const char               *arguments);

/* Fail unless the whole call ends so; SUMMARY (nullable). */
void  tool_call_answers  (GadgetTool               *tool,
                          const GadgetToolContext  *context,
                          const char               *arguments,
                          const char               *text,
                          const char               *summary);
void  tool_call_says     (const GadgetToolResult   *result,
                          const char               *summary);
void  tool_call_fails    (GadgetTool               *tool,
                          const GadgetToolContext  *context,
                          const char               *arguments,
                          const char               *says);

G_END_DECLS
