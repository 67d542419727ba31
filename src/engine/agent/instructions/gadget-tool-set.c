/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reduces the tools that a model is offered. The descriptions of the tools take about two thousand
 * tokens, and several times as many with a vocabulary that was not made for such text. A small
 * model, or a model to which its server gives little room, cannot read that together with even a
 * short chat. The largest tools are left out first. The few most useful ones stay as long as
 * possible, at last without their descriptions. If even that is too much, no tool is offered: a
 * chat without tools is better than none. */

#define G_LOG_DOMAIN "gadget-tool-set"

#include "config.h"

#include "gadget-tool-set.h"

#include "common/gadget-json.h"
#include "common/gadget-tokens.h"
#include "tools/gadget-tool-task.h"

static gboolean
is_essential (const char *name)
{
  static const char *const few[] = { "read_file", "write_file",          "list_dir", "shell",
                                     "ask_user",  GADGET_TOOL_TASK_NAME, NULL };

  return g_strv_contains (few, name);
}

static void
strip (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        strip (json_array_get_element (array, i));
    }
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);
      g_autoptr (GList) members = NULL;

      /* An argument may be named "description", too; its value is an object, not a string. */
      if (gadget_json_get_string (object, "description") != NULL)
        json_object_remove_member (object, "description");
      members = json_object_get_values (object);
      for (GList *member = members; member != NULL; member = member->next)
        strip (member->data);
    }
}

static void
shorten (gpointer data, gpointer user_data)
{
  GadgetToolSpec *tool = data;
  g_autoptr (JsonNode) schema = json_from_string (tool->schema, NULL);

  g_set_str (&tool->description, "");
  if (schema == NULL)
    return;
  strip (schema);
  g_free (tool->schema);
  tool->schema = json_to_string (schema, FALSE);
}

static gboolean
fits (GadgetRequest *request, gint64 max_tokens)
{
  return request->tools->len == 0
         || (max_tokens > 0 && gadget_request_count_tool_tokens (request) <= max_tokens);
}

/* Returns FALSE if there is no tool to remove. */
static gboolean
remove_largest (GadgetRequest *request, gboolean with_few)
{
  guint largest = request->tools->len;
  gsize weight = 0;

  for (guint i = 0; i < request->tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (request->tools, i);
      const gsize w = gadget_tokens_weigh (tool->description) + gadget_tokens_weigh (tool->schema);

      if ((with_few || !is_essential (tool->name))
          && (largest == request->tools->len || w > weight))
        {
          largest = i;
          weight = w;
        }
    }
  if (largest == request->tools->len)
    return FALSE;
  g_ptr_array_remove_index (request->tools, largest);
  return TRUE;
}

void
gadget_tool_set_reduce (GadgetRequest *request, gint64 max_tokens)
{
  while (!fits (request, max_tokens) && remove_largest (request, FALSE))
    ;
  if (!fits (request, max_tokens))
    g_ptr_array_foreach (request->tools, shorten, NULL);
  while (!fits (request, max_tokens) && remove_largest (request, TRUE))
    ;
}
