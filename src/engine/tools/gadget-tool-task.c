/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-tool-task"

#include "config.h"

#include "gadget-tool-task.h"

#include "common/gadget-json.h"

#include <string.h>

#define MAX_TITLE 80

static const char description[] =
    "Hands a piece of work to a subagent with the same tools and waits for its report. The "
    "subagent sees nothing of this chat: put all it needs to know into \"prompt\", and say what "
    "to report. Several calls in one step work side by side. The result has the subagent's ID; "
    "with it as \"continue\", the same subagent goes on, for example after it was stopped.";

static const GadgetToolParameter parameters[] = {
  { "description", GADGET_TOOL_STRING, TRUE, "A title of three to six words for the user" },
  { "prompt", GADGET_TOOL_STRING, TRUE, "What to do and what to report" },
  { "continue", GADGET_TOOL_STRING, FALSE, "The ID of an earlier subagent of this chat" },
  { NULL },
};

/* Returns the title, or else the beginning of the prompt, on one line; NULL without either. */
static char *
dup_title (JsonObject *arguments)
{
  const char *title = gadget_json_get_string (arguments, "description");
  const char *prompt = gadget_json_get_string (arguments, "prompt");
  g_autofree char *line = NULL;

  if (title == NULL || *title == '\0')
    title = prompt;
  if (title == NULL || *title == '\0')
    return NULL;
  line = g_strndup (title, strcspn (title, "\n"));
  if (g_utf8_strlen (line, -1) <= MAX_TITLE)
    return g_steal_pointer (&line);
  *g_utf8_offset_to_pointer (line, MAX_TITLE) = '\0';
  return g_strconcat (line, "…", NULL);
}

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  g_autofree char *title = dup_title (arguments);

  return title != NULL ? gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, title, NULL)
                       : gadget_call_summary_new (GADGET_CALL_SUMMARY_SUBAGENT, "", NULL);
}

static void
ran_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetTaskHost *host = GADGET_TASK_HOST (source);

  g_task_return_pointer (task, gadget_task_host_run_finish (host, result), gadget_tool_result_free);
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  g_autofree char *title = dup_title (arguments);
  const GadgetTask given = { .item = context->item,
                             .title = title,
                             .prompt = gadget_json_get_string (arguments, "prompt"),
                             .continued = gadget_json_get_string (arguments, "continue") };

  g_task_set_source_tag (task, execute_async);
  if (*given.prompt == '\0')
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                                     "\"prompt\" must be a text.");
  else if (context->task_host == NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                     "There are no subagents here.");
  else
    gadget_task_host_run_async (context->task_host, &given, cancellable, ran_cb,
                                g_steal_pointer (&task));
}

static const GadgetToolDescriptor descriptor = {
  .name = GADGET_TOOL_TASK_NAME,
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_SUBAGENT,
  .describe = describe,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_task_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
