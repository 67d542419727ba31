/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Anthropic and OpenAI reject a whole request, with every tool in it, when the schema of one tool
 * has a choice ("anyOf" and the like) at its top level. So the properties of all alternatives
 * become properties of the whole schema. The model gets the choice itself as text; the server
 * checks the arguments in any case. */

#define G_LOG_DOMAIN "gadget-tool-mcp"

#include "config.h"

#include "gadget-tool-mcp-schema.h"

#include "common/gadget-json.h"

#include <string.h>

#define MAX_DEPTH 4
#define MAX_PARTS 256 /* references can multiply a few parts */

static const char *const choices[] = { "anyOf", "oneOf", "allOf", NULL };
static const char *const refused[] = { "anyOf", "oneOf", "allOf", "not", "enum", NULL };

static char *
to_text (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_set_object (node, object);
  return json_to_string (node, FALSE);
}

/* Follows only "#/$defs/name" and "#/definitions/name", and never a network address. */
static JsonObject *
resolve (JsonObject *root, JsonObject *schema)
{
  const char *reference = gadget_json_get_string (schema, "$ref");
  g_auto (GStrv) words = reference != NULL ? g_strsplit (reference, "/", 4) : NULL;

  if (words == NULL)
    return schema;
  if (g_strv_length (words) != 3 || !g_str_equal (words[0], "#"))
    return NULL;
  return gadget_json_get_object (gadget_json_get_object (root, words[1]), words[2]);
}

static gboolean
contains (JsonArray *words, const char *word)
{
  for (guint i = 0; i < json_array_get_length (words); i++)
    {
      JsonNode *node = json_array_get_element (words, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING
          && g_str_equal (json_node_get_string (node), word))
        return TRUE;
    }
  return FALSE;
}

static void
require (JsonObject *whole, JsonObject *part)
{
  JsonArray *more = gadget_json_get_array (part, "required");
  JsonArray *required = gadget_json_get_array (whole, "required");

  for (guint i = 0; more != NULL && i < json_array_get_length (more); i++)
    {
      JsonNode *node = json_array_get_element (more, i);

      if (json_node_get_value_type (node) != G_TYPE_STRING)
        continue;
      if (required == NULL)
        {
          required = json_array_new ();
          json_object_set_array_member (whole, "required", required);
        }
      if (!contains (required, json_node_get_string (node)))
        json_array_add_string_element (required, json_node_get_string (node));
    }
}

static void
add_properties (JsonObject *whole, JsonObject *part)
{
  JsonObject *properties = gadget_json_get_object (whole, "properties");
  JsonObject *more = gadget_json_get_object (part, "properties");
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (more == NULL || more == properties)
    return;
  json_object_iter_init (&iter, more);
  while (json_object_iter_next (&iter, &name, &node))
    if (!json_object_has_member (properties, name))
      json_object_set_member (properties, name, json_node_copy (node));
}

/* Merges the alternatives of @schema into @root. @all tells whether every alternative holds, and
 * not only one of them. */
static void
merge (JsonObject *root, JsonObject *schema, gboolean all, guint depth, guint *n_parts)
{
  for (guint i = 0; choices[i] != NULL && depth < MAX_DEPTH; i++)
    {
      JsonArray *parts = gadget_json_get_array (schema, choices[i]);
      const gboolean every = all && g_str_equal (choices[i], "allOf");

      for (guint j = 0; parts != NULL && j < json_array_get_length (parts); j++)
        {
          JsonObject *part = gadget_json_get_element (parts, j);

          part = part != NULL ? resolve (root, part) : NULL;
          if (part == NULL || ++*n_parts > MAX_PARTS)
            continue;
          add_properties (root, part);
          if (every)
            require (root, part);
          merge (root, part, every, depth + 1, n_parts);
        }
    }
}

char *
_gadget_tool_mcp_schema_flatten (const char *schema, char **rest)
{
  g_autoptr (JsonNode) node = gadget_json_parse (schema, strlen (schema), NULL);
  JsonObject *root =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (JsonObject) left_out = json_object_new ();
  guint n_parts = 0;

  *rest = NULL;
  if (root == NULL || gadget_json_get_object (root, "properties") == NULL)
    return g_strdup (schema);
  merge (root, root, TRUE, 0, &n_parts);
  for (guint i = 0; refused[i] != NULL; i++)
    {
      JsonNode *member = json_object_get_member (root, refused[i]);

      if (member == NULL)
        continue;
      json_object_set_member (left_out, refused[i], json_node_copy (member));
      json_object_remove_member (root, refused[i]);
    }
  if (json_object_get_size (left_out) == 0)
    return g_strdup (schema);
  *rest = to_text (left_out);
  return to_text (root);
}
