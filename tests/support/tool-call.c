/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tool-call.h"

#include "wait.h"

#include <string.h>

void
tool_call_clear (ToolCall *self)
{
  g_clear_object (&self->item);
  g_clear_pointer (&self->result, gadget_tool_result_free);
  g_clear_error (&self->error);
}

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ToolCall *self = user_data;

  self->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &self->error);
  g_assert_true ((self->result == NULL) != (self->error == NULL));
  self->done = TRUE;
}

void
tool_call_start (ToolCall *self, GadgetTool *tool, const GadgetToolContext *context,
                 const char *arguments, GCancellable *cancellable)
{
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  GadgetToolContext own = *context;

  g_assert_nonnull (node);
  self->item = gadget_item_new_tool_call ("c", gadget_tool_get_name (tool));
  own.item = self->item;
  if (!gadget_tool_check_arguments (tool, json_node_get_object (node), &self->error))
    {
      self->done = TRUE;
      return;
    }
  gadget_tool_execute_async (tool, json_node_get_object (node), &own, cancellable, executed_cb,
                             self);
}

void
tool_call_run (ToolCall *self, GadgetTool *tool, const GadgetToolContext *context,
               const char *arguments)
{
  tool_call_start (self, tool, context, arguments, NULL);
  wait_until (self->done);
}

void
tool_call_says (const GadgetToolResult *result, const char *summary)
{
  g_autofree char *words = NULL;

  g_assert_nonnull (result->summary);
  words = gadget_call_summary_dup_text (result->summary);
  g_assert_cmpstr (words, ==, summary);
}

void
tool_call_answers (GadgetTool *tool, const GadgetToolContext *context, const char *arguments,
                   const char *text, const char *summary)
{
  g_auto (ToolCall) call = { 0 };

  tool_call_run (&call, tool, context, arguments);
  g_assert_no_error (call.error);
  g_assert_false (call.result->cut);
  g_assert_cmpstr (call.result->text, ==, text);
  if (summary != NULL)
    tool_call_says (call.result, summary);
}

void
tool_call_fails (GadgetTool *tool, const GadgetToolContext *context, const char *arguments,
                 const char *says)
{
  g_auto (ToolCall) call = { 0 };

  tool_call_run (&call, tool, context, arguments);
  g_assert_nonnull (call.error);
  g_test_message ("%s", call.error->message);
  g_assert_nonnull (strstr (call.error->message, says));
  g_assert_cmpstr (gadget_item_get_text (call.item), ==, "");
}
