/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "ask_user": sets a question on the item and returns the user's answer. When nobody is
 * there to answer it fails with %GADGET_PROMPT_ERROR_NOBODY. */

#define G_LOG_DOMAIN "gadget-tool-ask-user"

#include "config.h"

#include "gadget-tool-ask-user.h"

#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>

/* The digits 1 to 9 answer the card; the last one is kept for free text. */
#define MAX_CHOICES 8

static const char description[] =
    "Asks the user a question and waits for the answer. Offer up to 8 short choices when there "
    "are sensible ones.";

static const GadgetToolParameter parameters[] = {
  { "question", GADGET_TOOL_STRING, TRUE },
  { "choices", GADGET_TOOL_STRINGS, .most = 8 },
  { "allow_text", GADGET_TOOL_BOOLEAN, FALSE,
    "Whether the user may type another answer; true unless said otherwise" },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *question = gadget_json_get_string (arguments, "question");

  return question != NULL ? gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, question, NULL)
                          : gadget_call_summary_new (GADGET_CALL_SUMMARY_QUESTION, "", NULL);
}

static char **
dup_choices (JsonObject *arguments)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = gadget_json_get_array (arguments, "choices");

  if (array == NULL)
    return NULL;

  for (guint i = 0; i < MIN (json_array_get_length (array), MAX_CHOICES); i++)
    {
      JsonNode *choice = json_array_get_element (array, i);

      if (json_node_get_value_type (choice) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (choice));
    }
  return g_strv_builder_end (builder);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetItem *item = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, &error);
  GadgetToolResult *answered;

  gadget_item_set_prompt (item, NULL);
  if (answer == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  answered = gadget_tool_result_new (
      FALSE, answer,
      gadget_call_summary_new (GADGET_CALL_SUMMARY_ANSWERED,
                               gadget_prompt_get_title (GADGET_PROMPT (source)), answer));
  g_task_return_pointer (task, answered, gadget_tool_result_free);
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  const char *question = gadget_json_get_string (arguments, "question");
  g_auto (GStrv) choices = NULL;
  g_autoptr (GadgetPrompt) prompt = NULL;

  g_task_set_source_tag (task, execute_async);
  if (*question == '\0')
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                                       "\"question\" must be a text.");
      return;
    }
  if (!context->interactive)
    {
      g_task_return_new_error_literal (task, GADGET_PROMPT_ERROR, GADGET_PROMPT_ERROR_NOBODY,
                                       "Nobody is there to answer. Decide by yourself, or stop.");
      return;
    }

  choices = dup_choices (arguments);
  prompt = gadget_prompt_new_question (
      question, (const char *const *) choices,
      json_object_get_boolean_member_with_default (arguments, "allow_text", TRUE));
  gadget_prompt_set_text (prompt, GADGET_PROMPT_ASKER, _ ("The model asks"));
  g_task_set_task_data (task, g_object_ref (context->item), g_object_unref);
  gadget_item_set_prompt (context->item, prompt);
  gadget_prompt_wait_async (prompt, cancellable, answered_cb, g_steal_pointer (&task));
}

static const GadgetToolDescriptor descriptor = {
  .name = "ask_user",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_QUESTION,
  .describe = describe,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_ask_user_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
