/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-arguments"

#include "config.h"

#include "gadget-arguments.h"

#include "common/gadget-json.h"

static void
append_member_cb (JsonObject *object, const char *name, JsonNode *node, gpointer user_data)
{
  GString *text = user_data;
  g_autofree char *other = NULL;

  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (json_object_get_size (object) > 1)
    g_string_append_printf (text, "%s: ", name);
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_string_append (text, json_node_get_string (node));
      return;
    }
  other = json_to_string (node, FALSE);
  g_string_append (text, other);
}

/**
 * gadget_arguments_to_text:
 * @arguments: the arguments as the model sent them, normally JSON
 *
 * Returns: (transfer full): the members of the object, one per line with their names; a single
 *   member without its name, so that a command reads as it is run. A text that is not a JSON object
 *   is returned unchanged.
 */
char *
gadget_arguments_to_text (const char *arguments)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (arguments != NULL, NULL);

  node = gadget_json_parse (arguments, strlen (arguments), NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (arguments);
  json_object_foreach_member (json_node_get_object (node), append_member_cb, text);
  return g_strdup (text->str);
}
