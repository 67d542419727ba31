/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes the schemas of parameters, and checks arguments that models wrote. Models make mistakes: a
 * number in quotes is taken for a number, a null member for a missing one, and the text of a list
 * or a single object for a list of objects. Anything else that does not fit the schema is rejected
 * with the member's name, before the tool or the user sees it. Therefore tools read their arguments
 * without checking types. */

#define G_LOG_DOMAIN "gadget-tool-arguments"

#include "config.h"

#include "gadget-tool-arguments.h"

#include "common/gadget-json.h"

#include <math.h>
#include <string.h>

#define LARGEST_INTEGER 9007199254740992.0 /* up to this a double represents every integer */

static gboolean check_members (JsonObject *object, const GadgetToolParameter *parameters,
                               const char *name, GError **error);

static gboolean
refuse (const char *name, const char *what, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "\"%s\" %s.", name, what);
  return FALSE;
}

static GType
get_value_type (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
}

static gboolean
read_number (JsonNode *node, double *number)
{
  g_autofree char *text = NULL;
  char *end;

  if (get_value_type (node) == G_TYPE_INT64 || get_value_type (node) == G_TYPE_DOUBLE)
    {
      *number = json_node_get_double (node);
      return TRUE;
    }
  if (get_value_type (node) != G_TYPE_STRING)
    return FALSE;
  text = g_strstrip (g_strdup (json_node_get_string (node)));
  if (*text == '\0' || strspn (text, "0123456789+-.eE") != strlen (text))
    return FALSE;
  *number = g_ascii_strtod (text, &end);
  return *end == '\0' && isfinite (*number);
}

static gboolean
check_number (JsonNode *node, const char *name, GError **error)
{
  double number;

  if (!read_number (node, &number))
    return refuse (name, "must be a number", error);
  if (get_value_type (node) == G_TYPE_STRING)
    json_node_set_double (node, number);
  return TRUE;
}

static gboolean
check_integer (JsonNode *node, const char *name, GError **error)
{
  double number;

  if (get_value_type (node) == G_TYPE_INT64)
    return TRUE;
  if (!read_number (node, &number) || number != floor (number) || fabs (number) > LARGEST_INTEGER)
    return refuse (name, "must be a whole number", error);
  json_node_set_int (node, (gint64) number);
  return TRUE;
}

static gboolean
check_boolean (JsonNode *node, const char *name, GError **error)
{
  const char *text = get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;

  if (get_value_type (node) == G_TYPE_BOOLEAN)
    return TRUE;
  if (text == NULL
      || (g_ascii_strcasecmp (text, "true") != 0 && g_ascii_strcasecmp (text, "false") != 0))
    return refuse (name, "must be true or false", error);
  json_node_set_boolean (node, g_ascii_strcasecmp (text, "true") == 0);
  return TRUE;
}

static gboolean
check_string (JsonNode *node, const char *name, GError **error)
{
  return get_value_type (node) == G_TYPE_STRING || refuse (name, "must be a string", error);
}

static gboolean
check_element (JsonNode *node, const GadgetToolParameter *list, const char *name, GError **error)
{
  if (list->type == GADGET_TOOL_STRINGS)
    return check_string (node, name, error);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (name, "must be an object", error);
  return check_members (json_node_get_object (node), list->members, name, error);
}

static void
wrap_object (JsonNode *node)
{
  g_autoptr (JsonArray) array = json_array_new ();

  json_array_add_object_element (array, json_node_dup_object (node));
  json_node_init_array (node, array);
}

void
gadget_tool_arguments_make_list (JsonNode *node)
{
  const char *text = get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
  g_autoptr (JsonNode) parsed = text != NULL ? gadget_json_parse (text, strlen (text), NULL) : NULL;

  if (parsed != NULL && JSON_NODE_HOLDS_ARRAY (parsed))
    json_node_init_array (node, json_node_get_array (parsed));
  else if (parsed != NULL && JSON_NODE_HOLDS_OBJECT (parsed))
    json_node_init_object (node, json_node_get_object (parsed));
  if (JSON_NODE_HOLDS_OBJECT (node))
    wrap_object (node);
}

static gboolean
check_list (JsonNode *node, const GadgetToolParameter *list, const char *name, GError **error)
{
  JsonArray *array;

  if (list->type == GADGET_TOOL_OBJECTS)
    gadget_tool_arguments_make_list (node);
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return refuse (name, "must be a list", error);
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autofree char *element = g_strdup_printf ("%s[%u]", name, i);

      if (!check_element (json_array_get_element (array, i), list, element, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_limits (JsonNode *node, const GadgetToolParameter *parameter, const char *name,
              GError **error)
{
  const double number = parameter->strict ? json_node_get_double (node) : 0;
  g_autofree char *what = NULL;

  if (!parameter->strict
      || (number >= (double) parameter->least && number <= (double) parameter->most))
    return TRUE;
  what = g_strdup_printf ("must be a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                          parameter->least, parameter->most);
  return refuse (name, what, error);
}

static gboolean
check (JsonNode *node, const GadgetToolParameter *parameter, const char *name, GError **error)
{
  switch (parameter->type)
    {
    case GADGET_TOOL_BOOLEAN:
      return check_boolean (node, name, error);
    case GADGET_TOOL_INTEGER:
      return check_integer (node, name, error) && check_limits (node, parameter, name, error);
    case GADGET_TOOL_NUMBER:
      return check_number (node, name, error) && check_limits (node, parameter, name, error);
    case GADGET_TOOL_STRINGS:
    case GADGET_TOOL_OBJECTS:
      return check_list (node, parameter, name, error);
    case GADGET_TOOL_STRING:
    default:
      return check_string (node, name, error);
    }
}

static gboolean
has_parameter (const GadgetToolParameter *parameters, const char *name)
{
  while (parameters->name != NULL && !g_str_equal (parameters->name, name))
    parameters++;
  return parameters->name != NULL;
}

char *
gadget_tool_arguments_dup_unknown (JsonObject *object, const GadgetToolParameter *parameters)
{
  g_autoptr (GString) names = g_string_new (NULL);
  JsonObjectIter iter;
  const char *name;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, NULL))
    if (!has_parameter (parameters, name))
      g_string_append_printf (names, "%s\"%s\"", names->len > 0 ? ", " : "", name);
  return names->len > 0 ? g_string_free_and_steal (g_steal_pointer (&names)) : NULL;
}

/* The wrong name is often there in the place of the right one. */
static gboolean
refuse_missing (JsonObject *object, const GadgetToolParameter *parameters, const char *name,
                GError **error)
{
  g_autofree char *unknown = gadget_tool_arguments_dup_unknown (object, parameters);
  g_autofree char *what = unknown != NULL
                              ? g_strdup_printf ("is missing; these names are unknown: %s", unknown)
                              : g_strdup ("is missing");

  return refuse (name, what, error);
}

/* @name (nullable) is NULL for the arguments as a whole. */
static gboolean
check_members (JsonObject *object, const GadgetToolParameter *parameters, const char *name,
               GError **error)
{
  for (const GadgetToolParameter *parameter = parameters; parameter->name != NULL; parameter++)
    {
      JsonNode *node = json_object_get_member (object, parameter->name);
      g_autofree char *whole = name != NULL ? g_strdup_printf ("%s.%s", name, parameter->name)
                                            : g_strdup (parameter->name);

      if (node != NULL && JSON_NODE_HOLDS_NULL (node))
        {
          json_object_remove_member (object, parameter->name);
          node = NULL;
        }
      if (node == NULL && parameter->required)
        return refuse_missing (object, parameters, whole, error);
      if (node != NULL && !check (node, parameter, whole, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * gadget_tool_arguments_check:
 * @arguments: the arguments from a model; numbers and booleans in quotes are converted, and null
 *   members removed
 *
 * Returns: whether the arguments are what the parameters ask for; FALSE with
 *   %G_IO_ERROR_INVALID_ARGUMENT, its message for the model
 */
gboolean
gadget_tool_arguments_check (JsonObject *arguments, const GadgetToolParameter *parameters,
                             GError **error)
{
  g_return_val_if_fail (arguments != NULL && parameters != NULL, FALSE);

  return check_members (arguments, parameters, NULL, error);
}

/**
 * gadget_tool_arguments_get_integer:
 * @name: of a parameter in @parameters
 *
 * Returns: the number that is given, or the nearest one that is allowed; the fallback of the
 *   parameter if none is given
 */
gint64
gadget_tool_arguments_get_integer (JsonObject *arguments, const GadgetToolParameter *parameters,
                                   const char *name)
{
  const GadgetToolParameter *parameter = parameters;
  gint64 number;

  while (parameter->name != NULL && !g_str_equal (parameter->name, name))
    parameter++;
  g_return_val_if_fail (parameter->name != NULL, 0);

  number = parameter->fallback;
  gadget_json_get_int (arguments, name, &number);
  /* A fallback below the limit, such as 0 for "all", may be given as well. */
  number = MAX (number, MIN (parameter->least, parameter->fallback));
  return parameter->most > 0 ? MIN (number, parameter->most) : number;
}

/* --- Schemas --------------------------------------------------------------------------------- */

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void add_object (JsonBuilder *builder, const GadgetToolParameter *parameters);

static void
add_list (JsonBuilder *builder, const GadgetToolParameter *parameter)
{
  if (parameter->least > 0)
    gadget_json_add_int (builder, "minItems", parameter->least);
  json_builder_set_member_name (builder, "items");
  json_builder_begin_object (builder);
  if (parameter->members != NULL)
    add_object (builder, parameter->members);
  else
    add_string (builder, "type", "string");
  json_builder_end_object (builder);
  if (parameter->most > 0)
    gadget_json_add_int (builder, "maxItems", parameter->most);
}

static void
add_parameter (JsonBuilder *builder, const GadgetToolParameter *parameter)
{
  static const char *const types[] = {
    [GADGET_TOOL_STRING] = "string",   [GADGET_TOOL_BOOLEAN] = "boolean",
    [GADGET_TOOL_INTEGER] = "integer", [GADGET_TOOL_NUMBER] = "number",
    [GADGET_TOOL_STRINGS] = "array",   [GADGET_TOOL_OBJECTS] = "array",
  };

  json_builder_set_member_name (builder, parameter->name);
  json_builder_begin_object (builder);
  add_string (builder, "type", types[parameter->type]);
  if (parameter->type == GADGET_TOOL_INTEGER || parameter->type == GADGET_TOOL_NUMBER)
    {
      gadget_json_add_int (builder, "minimum", parameter->least);
      if (parameter->most > 0)
        gadget_json_add_int (builder, "maximum", parameter->most);
    }
  else if (parameter->type == GADGET_TOOL_STRINGS || parameter->type == GADGET_TOOL_OBJECTS)
    add_list (builder, parameter);
  if (parameter->description != NULL)
    add_string (builder, "description", parameter->description);
  json_builder_end_object (builder);
}

/* Adds the members of a schema to the object that is being built. */
static void
add_object (JsonBuilder *builder, const GadgetToolParameter *parameters)
{
  gboolean any = FALSE;

  add_string (builder, "type", "object");
  json_builder_set_member_name (builder, "properties");
  json_builder_begin_object (builder);
  for (const GadgetToolParameter *parameter = parameters; parameter->name != NULL; parameter++)
    {
      add_parameter (builder, parameter);
      any = any || parameter->required;
    }
  json_builder_end_object (builder);
  if (!any)
    return;
  json_builder_set_member_name (builder, "required");
  json_builder_begin_array (builder);
  for (const GadgetToolParameter *parameter = parameters; parameter->name != NULL; parameter++)
    if (parameter->required)
      json_builder_add_string_value (builder, parameter->name);
  json_builder_end_array (builder);
}

/**
 * gadget_tool_parameters_dup_schema:
 * @parameters: ended by one without a name
 *
 * Returns: (transfer full): the JSON Schema of arguments for them
 */
char *
gadget_tool_parameters_dup_schema (const GadgetToolParameter *parameters)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  g_return_val_if_fail (parameters != NULL, NULL);

  json_builder_begin_object (builder);
  add_object (builder, parameters);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}
