/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers that repeat parts of a tool call, so that proxies can read them without parsing the
 * body. A schema requests headers with "x-mcp-header" annotations. The functions have no state. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-headers.h"

#include "common/gadget-json.h"
#include "gadget-json-rpc.h"
#include "http/gadget-http-message.h"

#include <string.h>

#define ANNOTATION "x-mcp-header"
#define ENCODED "=?base64?"
#define MAX_DEPTH 8
#define MAX_INTEGER 9007199254740991.0 /* 2^53 - 1 */

/**
 * gadget_mcp_headers_encode:
 *
 * Returns: (transfer full): @value as a header can carry it: a value of printable ASCII and inner
 *   blanks is unchanged; any other value is encoded in base64
 */
char *
gadget_mcp_headers_encode (const char *value)
{
  const gsize length = strlen (value);
  gboolean plain = length > 0 && value[0] != ' ' && value[0] != '\t' && value[length - 1] != ' '
                   && value[length - 1] != '\t';
  g_autofree char *encoded = NULL;

  for (gsize i = 0; i < length && plain; i++)
    plain = (value[i] >= 0x20 && value[i] < 0x7f) || value[i] == '\t';
  if (g_str_has_prefix (value, ENCODED) && g_str_has_suffix (value, "?="))
    plain = FALSE;
  if (plain || length == 0)
    return g_strdup (value);
  encoded = g_base64_encode ((const guchar *) value, length);
  return g_strconcat (ENCODED, encoded, "?=", NULL);
}

/* Called for each annotated property. @value is NULL without arguments, or when there is no
 * argument. */
typedef void (*HeaderFunc) (const char *header, JsonObject *property, JsonNode *value,
                            gpointer user_data);

/* Visits each annotated property that can be reached through "properties" alone, with its value. */
static void
walk (JsonObject *schema, JsonObject *arguments, guint depth, HeaderFunc func, gpointer user_data)
{
  JsonObject *properties = gadget_json_get_object (schema, "properties");
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (GList *link = names; link != NULL && depth < MAX_DEPTH; link = link->next)
    {
      JsonObject *property = gadget_json_get_object (properties, link->data);
      JsonNode *value = arguments != NULL ? json_object_get_member (arguments, link->data) : NULL;

      if (property == NULL)
        continue;
      if (json_object_has_member (property, ANNOTATION))
        {
          const char *header = gadget_json_get_string (property, ANNOTATION);

          func (header != NULL ? header : "", property, value, user_data);
        }
      walk (property, gadget_json_get_object (arguments, link->data), depth + 1, func, user_data);
    }
}

/* The state of checking the annotations of a schema. */
typedef struct
{
  GHashTable *seen;
  const char *problem;
} Check;

static void
check_header (const char *header, JsonObject *property, JsonNode *value, gpointer user_data)
{
  Check *check = user_data;
  const char *type = gadget_json_get_string (property, "type");

  if (!gadget_http_is_token (header))
    check->problem = "a name that no header can have";
  else if (g_strcmp0 (type, "string") != 0 && g_strcmp0 (type, "integer") != 0
           && g_strcmp0 (type, "boolean") != 0)
    check->problem = "a property of a type that no header can have";
  else if (!g_hash_table_add (check->seen, g_ascii_strdown (header, -1)))
    check->problem = "the same name twice";
}

/* Counts the members named ANNOTATION anywhere in the schema. */
static guint
count_annotations (JsonNode *node, guint depth)
{
  guint n = 0;

  if (depth > GADGET_JSON_MAX_DEPTH)
    return 0;
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObjectIter iter;
      const char *name;
      JsonNode *member;

      json_object_iter_init (&iter, json_node_get_object (node));
      while (json_object_iter_next (&iter, &name, &member))
        n += (g_str_equal (name, ANNOTATION) && JSON_NODE_HOLDS_VALUE (member) ? 1 : 0)
             + count_annotations (member, depth + 1);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        n += count_annotations (json_array_get_element (array, i), depth + 1);
    }
  return n;
}

static void
count_reachable (const char *header, JsonObject *property, JsonNode *value, gpointer user_data)
{
  ++*(guint *) user_data;
}

/**
 * gadget_mcp_headers_check_schema:
 * @schema: the schema of a tool's arguments
 *
 * Returns: whether the annotations are valid; else %FALSE with %GADGET_JSON_RPC_INVALID_PARAMS, and
 *   the tool must not be offered
 */
gboolean
gadget_mcp_headers_check_schema (JsonObject *schema, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  Check check = { seen, NULL };
  guint n_reachable = 0;

  json_node_set_object (node, schema);
  walk (schema, NULL, 0, check_header, &check);
  walk (schema, NULL, 0, count_reachable, &n_reachable);
  if (check.problem == NULL && count_annotations (node, 0) != n_reachable)
    check.problem = "a property that is not always there";
  if (check.problem == NULL)
    return TRUE;
  g_set_error (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_PARAMS,
               "The schema asks for a header with %s", check.problem);
  return FALSE;
}

static void
add_header (const char *header, JsonObject *property, JsonNode *value, gpointer user_data)
{
  GStrvBuilder *headers = user_data;
  GType type = value != NULL && JSON_NODE_HOLDS_VALUE (value) ? json_node_get_value_type (value)
                                                              : G_TYPE_INVALID;
  double number;

  if (type != G_TYPE_STRING && type != G_TYPE_INT64 && type != G_TYPE_BOOLEAN
      && type != G_TYPE_DOUBLE)
    return;
  number = type == G_TYPE_STRING || type == G_TYPE_BOOLEAN ? 0 : json_node_get_double (value);
  if (number > MAX_INTEGER || number < -MAX_INTEGER || number != (double) (gint64) number)
    return;
  g_strv_builder_take (headers, g_strconcat ("Mcp-Param-", header, NULL));
  if (type == G_TYPE_STRING)
    g_strv_builder_take (headers, gadget_mcp_headers_encode (json_node_get_string (value)));
  else if (type == G_TYPE_BOOLEAN)
    g_strv_builder_add (headers, json_node_get_boolean (value) ? "true" : "false");
  else
    g_strv_builder_take (headers, g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) number));
}

/**
 * gadget_mcp_headers_make:
 * @name: the value of Mcp-Name, the tool's name
 * @schema: (nullable): the schema of the tool's arguments, which passed
 *   gadget_mcp_headers_check_schema ()
 * @arguments: (nullable): the tool's arguments
 *
 * Returns: (transfer full): names and values in turn
 */
char **
gadget_mcp_headers_make (const char *name, JsonObject *schema, JsonObject *arguments)
{
  g_autoptr (GStrvBuilder) headers = g_strv_builder_new ();

  g_strv_builder_add (headers, "Mcp-Name");
  g_strv_builder_take (headers, gadget_mcp_headers_encode (name));
  if (schema != NULL && arguments != NULL)
    walk (schema, arguments, 0, add_header, headers);
  return g_strv_builder_end (headers);
}
