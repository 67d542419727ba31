/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Forms that servers ask users to fill in: reads the fields from a JSON schema, and checks and
 * converts the user's answers. The functions have no state. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-form.h"

#include "common/gadget-json.h"
#include "gadget-json-rpc.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* MAX_WORDS is in characters. */
#define MAX_FIELDS 20
#define MAX_CHOICES 100
#define MAX_WORDS 300

static void
field_free (gpointer data)
{
  GadgetMcpField *self = data;

  g_free (self->name);
  g_free (self->question);
  g_strfreev (self->labels);
  g_strfreev (self->values);
  g_free (self->fallback);
  g_free (self->format);
  g_free (self);
}

/* --- The schema -------------------------------------------------------------------------------
 */

static char *
cut (const char *words)
{
  return g_utf8_substring (words, 0, MIN (g_utf8_strlen (words, -1), MAX_WORDS));
}

static void
parse_question (GadgetMcpField *self, JsonObject *property)
{
  const char *title = gadget_json_get_string (property, "title");
  const char *description = gadget_json_get_string (property, "description");
  g_autofree char *name = cut (title != NULL ? title : self->name);
  g_autofree char *words = description != NULL ? cut (description) : NULL;

  self->question = words != NULL ? g_strdup_printf ("%s: %s", name, words) : g_strdup (name);
}

static gboolean
has_twins (char **labels)
{
  for (guint i = 0; labels[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) labels + i + 1, labels[i]))
      return TRUE;
  return FALSE;
}

/* Reads the choices of a property: "enum", with "enumNames" in older versions, or a list of
 * objects. */
static gboolean
parse_choice_list (GadgetMcpField *self, JsonObject *property)
{
  JsonArray *plain = gadget_json_get_array (property, "enum");
  JsonArray *names = gadget_json_get_array (property, "enumNames");
  JsonArray *titled = gadget_json_get_array (property, "oneOf");
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  guint n;

  if (titled == NULL)
    titled = gadget_json_get_array (property, "anyOf");
  if (plain == NULL && titled == NULL)
    return FALSE;
  n = MIN (json_array_get_length (plain != NULL ? plain : titled), MAX_CHOICES);
  for (guint i = 0; i < n; i++)
    {
      const char *value;
      const char *label = NULL;

      if (plain != NULL)
        {
          JsonNode *node = json_array_get_element (plain, i);

          value =
              json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
          if (names != NULL && i < json_array_get_length (names))
            {
              node = json_array_get_element (names, i);
              if (json_node_get_value_type (node) == G_TYPE_STRING)
                label = json_node_get_string (node);
            }
        }
      else
        {
          JsonObject *choice = gadget_json_get_element (titled, i);

          value = gadget_json_get_string (choice, "const");
          label = gadget_json_get_string (choice, "title");
        }
      if (value == NULL)
        continue;
      g_strv_builder_add (values, value);
      g_strv_builder_take (labels, cut (label != NULL ? label : value));
    }
  self->labels = g_strv_builder_end (labels);
  self->values = g_strv_builder_end (values);
  if (has_twins (self->labels))
    {
      /* Labels that are not unique do not tell the choices apart, so the values are shown
       * instead. */
      g_strfreev (self->labels);
      self->labels = g_strdupv (self->values);
    }
  return self->labels[0] != NULL;
}

static gboolean
parse_kind (GadgetMcpField *self, JsonObject *property)
{
  const char *type = gadget_json_get_string (property, "type");

  if (g_strcmp0 (type, "array") == 0)
    {
      self->kind = GADGET_MCP_FIELD_CHOICES;
      return parse_choice_list (self, gadget_json_get_object (property, "items"));
    }
  if (parse_choice_list (self, property))
    self->kind = GADGET_MCP_FIELD_CHOICE;
  else if (g_strcmp0 (type, "number") == 0)
    self->kind = GADGET_MCP_FIELD_NUMBER;
  else if (g_strcmp0 (type, "integer") == 0)
    self->kind = GADGET_MCP_FIELD_INTEGER;
  else if (g_strcmp0 (type, "boolean") == 0)
    self->kind = GADGET_MCP_FIELD_BOOLEAN;
  else if (g_strcmp0 (type, "string") == 0)
    self->kind = GADGET_MCP_FIELD_TEXT;
  else
    return FALSE;
  return TRUE;
}

static double
get_bound (JsonObject *property, const char *name, double otherwise)
{
  JsonNode *node = json_object_get_member (property, name);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : otherwise;
}

static void
parse_bounds (GadgetMcpField *self, JsonObject *property)
{
  const gboolean is_text = self->kind == GADGET_MCP_FIELD_TEXT;
  const gboolean is_list = self->kind == GADGET_MCP_FIELD_CHOICES;

  self->minimum = get_bound (property,
                             is_text   ? "minLength"
                             : is_list ? "minItems"
                                       : "minimum",
                             is_text || is_list ? 0 : -HUGE_VAL);
  self->maximum = get_bound (property,
                             is_text   ? "maxLength"
                             : is_list ? "maxItems"
                                       : "maximum",
                             HUGE_VAL);
}

static char *
dup_label (GadgetMcpField *self, const char *value)
{
  for (guint i = 0; self->values != NULL && self->values[i] != NULL; i++)
    if (g_str_equal (self->values[i], value))
      return g_strdup (self->labels[i]);
  return g_strdup (value);
}

static char *
dup_labels (GadgetMcpField *self, JsonArray *values)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (values); i++)
    {
      JsonNode *node = json_array_get_element (values, i);
      g_autofree char *label = json_node_get_value_type (node) == G_TYPE_STRING
                                   ? dup_label (self, json_node_get_string (node))
                                   : NULL;

      if (label != NULL)
        g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", label);
    }
  return all->len > 0 ? g_string_free (g_steal_pointer (&all), FALSE) : NULL;
}

static void
parse_fallback (GadgetMcpField *self, JsonObject *property)
{
  JsonNode *node = json_object_get_member (property, "default");
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node) && self->kind == GADGET_MCP_FIELD_CHOICES)
    self->fallback = dup_labels (self, json_node_get_array (node));
  else if (type == G_TYPE_STRING)
    self->fallback = dup_label (self, json_node_get_string (node));
  else if (type == G_TYPE_BOOLEAN)
    self->fallback = g_strdup (json_node_get_boolean (node) ? _ ("Yes") : _ ("No"));
  else if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    self->fallback = g_strdup (g_ascii_dtostr (number, sizeof number, json_node_get_double (node)));
}

static gboolean
is_required (JsonArray *required, const char *name)
{
  for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
    {
      JsonNode *node = json_array_get_element (required, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING
          && g_str_equal (json_node_get_string (node), name))
        return TRUE;
    }
  return FALSE;
}

/**
 * gadget_mcp_form_parse:
 * @schema: (nullable): the member "requestedSchema" of the request
 *
 * Returns: (transfer full) (element-type GadgetMcpField): the fields in the order of the schema, or
 *   %NULL with %GADGET_JSON_RPC_INVALID_PARAMS
 */
GPtrArray *
gadget_mcp_form_parse (JsonObject *schema, GError **error)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (field_free);
  JsonObject *properties = gadget_json_get_object (schema, "properties");
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (GList *link = names; link != NULL; link = link->next)
    {
      JsonObject *property = gadget_json_get_object (properties, link->data);
      GadgetMcpField *field = g_new0 (GadgetMcpField, 1);

      g_ptr_array_add (fields, field);
      field->name = g_strdup (link->data);
      if (property == NULL || !parse_kind (field, property) || fields->len > MAX_FIELDS)
        {
          g_set_error (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_PARAMS,
                       "The property \"%s\" cannot be asked for", field->name);
          return NULL;
        }
      field->required = is_required (gadget_json_get_array (schema, "required"), field->name);
      parse_question (field, property);
      parse_bounds (field, property);
      if (field->kind == GADGET_MCP_FIELD_TEXT)
        field->format = g_strdup (gadget_json_get_string (property, "format"));
      parse_fallback (field, property);
    }
  if (fields->len == 0)
    {
      g_set_error_literal (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_PARAMS,
                           "There is no property to ask for");
      return NULL;
    }
  return g_steal_pointer (&fields);
}

/* --- Answers ----------------------------------------------------------------------------------
 */

static JsonNode *
new_value (void)
{
  return json_node_new (JSON_NODE_VALUE);
}

static const char *
find_value (const GadgetMcpField *self, const char *label)
{
  for (guint i = 0; self->labels[i] != NULL; i++)
    if (g_str_equal (self->labels[i], label) || g_str_equal (self->values[i], label))
      return self->values[i];
  return NULL;
}

static JsonNode *
parse_number (const GadgetMcpField *self, const char *answer, char **problem)
{
  g_autofree char *words = g_strstrip (g_strdup (answer));
  char *end = NULL;
  double number = g_ascii_strtod (words, &end);
  JsonNode *node;

  if (*words == '\0' || *end != '\0' || !isfinite (number)
      || (self->kind == GADGET_MCP_FIELD_INTEGER
          && (floor (number) != number || fabs (number) > 1e15)))
    {
      *problem = g_strdup (self->kind == GADGET_MCP_FIELD_INTEGER ? _ ("A whole number is needed.")
                                                                  : _ ("A number is needed."));
      return NULL;
    }
  if (number < self->minimum)
    *problem = g_strdup_printf (_ ("It must be at least %g."), self->minimum);
  else if (number > self->maximum)
    *problem = g_strdup_printf (_ ("It may be at most %g."), self->maximum);
  if (*problem != NULL)
    return NULL;
  node = new_value ();
  if (self->kind == GADGET_MCP_FIELD_INTEGER)
    json_node_set_int (node, (gint64) number);
  else
    json_node_set_double (node, number);
  return node;
}

/* Checks the formats that the specification lists. An answer always fits an unknown format. */
static gboolean
fits_format (const char *format, const char *answer)
{
  g_autofree char *moment = NULL;
  g_autoptr (GDateTime) time = NULL;
  const char *at = strchr (answer, '@');

  if (g_strcmp0 (format, "email") == 0)
    return at != NULL && at != answer && at[1] != '\0' && strchr (at + 1, '@') == NULL
           && strpbrk (answer, " \t\r\n") == NULL;
  if (g_strcmp0 (format, "uri") == 0)
    return g_uri_is_valid (answer, G_URI_FLAGS_NONE, NULL);
  if (g_strcmp0 (format, "date") == 0)
    moment = g_strdup_printf ("%sT00:00:00Z", answer);
  else if (g_strcmp0 (format, "date-time") == 0)
    moment = g_strdup (answer);
  else
    return TRUE;
  time = g_date_time_new_from_iso8601 (moment, NULL);
  return time != NULL;
}

static char *
dup_format_problem (const char *format)
{
  if (g_str_equal (format, "email"))
    return g_strdup (_ ("It must be an e-mail address."));
  if (g_str_equal (format, "uri"))
    return g_strdup (_ ("It must be a whole address, such as https://example.org."));
  if (g_str_equal (format, "date"))
    return g_strdup (_ ("It must be a date, such as 2026-12-31."));
  return g_strdup (_ ("It must be a date with a time, such as 2026-12-31T23:59:00Z."));
}

static JsonNode *
parse_text (const GadgetMcpField *self, const char *answer, char **problem)
{
  const double length = (double) g_utf8_strlen (answer, -1);
  JsonNode *node;

  if (length < self->minimum)
    *problem = g_strdup_printf (_ ("It must have at least %g characters."), self->minimum);
  else if (length > self->maximum)
    *problem = g_strdup_printf (_ ("It may have at most %g characters."), self->maximum);
  else if (!fits_format (self->format, answer))
    *problem = dup_format_problem (self->format);
  if (*problem != NULL)
    return NULL;
  node = new_value ();
  json_node_set_string (node, answer);
  return node;
}

static JsonNode *
parse_choice (const GadgetMcpField *self, const char *answer, char **problem)
{
  const char *value = find_value (self, answer);
  JsonNode *node;

  if (value == NULL)
    {
      g_autofree char *all = g_strjoinv (", ", self->labels);

      *problem = g_strdup_printf (_ ("It must be one of: %s"), all);
      return NULL;
    }
  node = new_value ();
  json_node_set_string (node, value);
  return node;
}

static const char *
skip_separators (const char *text)
{
  return text + strspn (text, " ,");
}

/* Removes the longest label or value from the beginning of @text and returns its value. The longest
 * one is right because a label may contain a comma. */
static const char *
find_label (const GadgetMcpField *self, const char **text)
{
  const char *value = NULL;
  gsize longest = 0;

  for (guint i = 0; self->labels[i] != NULL; i++)
    {
      const char *const names[] = { self->labels[i], self->values[i] };

      for (guint j = 0; j < G_N_ELEMENTS (names); j++)
        {
          const gsize length = strlen (names[j]);
          const char *end = *text + length;

          if (length > longest && g_str_has_prefix (*text, names[j])
              && (end[strspn (end, " ")] == ',' || end[strspn (end, " ")] == '\0'))
            {
              longest = length;
              value = self->values[i];
            }
        }
    }
  *text = skip_separators (*text + longest);
  return value;
}

static void
add_once (JsonArray *chosen, const char *value)
{
  for (guint i = 0; i < json_array_get_length (chosen); i++)
    if (g_str_equal (json_array_get_string_element (chosen, i), value))
      return;
  json_array_add_string_element (chosen, value);
}

static JsonNode *
parse_choices (const GadgetMcpField *self, const char *answer, char **problem)
{
  g_autoptr (JsonArray) chosen = json_array_new ();
  JsonNode *node;
  const char *left = skip_separators (answer);

  while (*left != '\0')
    {
      const char *value = find_label (self, &left);

      if (value == NULL)
        {
          g_autofree char *all = g_strjoinv (", ", self->labels);

          *problem = g_strdup_printf (_ ("Choose among: %s"), all);
          return NULL;
        }
      add_once (chosen, value);
    }
  if (json_array_get_length (chosen) < self->minimum)
    *problem = g_strdup_printf (_ ("At least %g must be chosen."), self->minimum);
  else if (json_array_get_length (chosen) > self->maximum)
    *problem = g_strdup_printf (_ ("At most %g may be chosen."), self->maximum);
  if (*problem != NULL)
    return NULL;
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, g_steal_pointer (&chosen));
  return node;
}

/**
 * gadget_mcp_field_parse_answer:
 * @answer: the user's answer
 * @problem: (out) (transfer full) (nullable): a translated sentence that says why the answer does
 *   not fit
 *
 * Returns: (transfer full) (nullable): the property's value, or %NULL with @problem
 */
JsonNode *
gadget_mcp_field_parse_answer (const GadgetMcpField *self, const char *answer, char **problem)
{
  JsonNode *node;

  g_return_val_if_fail (self != NULL && answer != NULL && problem != NULL, NULL);

  *problem = NULL;
  switch (self->kind)
    {
    case GADGET_MCP_FIELD_NUMBER:
    case GADGET_MCP_FIELD_INTEGER:
      return parse_number (self, answer, problem);
    case GADGET_MCP_FIELD_BOOLEAN:
      if (!g_str_equal (answer, _ ("Yes")) && !g_str_equal (answer, _ ("No")))
        {
          *problem = g_strdup (_ ("It must be yes or no."));
          return NULL;
        }
      node = new_value ();
      json_node_set_boolean (node, g_str_equal (answer, _ ("Yes")));
      return node;
    case GADGET_MCP_FIELD_CHOICE:
      return parse_choice (self, answer, problem);
    case GADGET_MCP_FIELD_CHOICES:
      return parse_choices (self, answer, problem);
    case GADGET_MCP_FIELD_TEXT:
    default:
      return parse_text (self, answer, problem);
    }
}
