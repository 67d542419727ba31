/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses JSON of servers, tools and files, and reads the members of its objects. See
 * gadget-json.h. */

#define G_LOG_DOMAIN "gadget-json"

#include "config.h"

#include "gadget-json.h"

#include <math.h>
#include <string.h>

#define MAX_INT 9007199254740992.0 /* 2^53 */

/* Checks the nesting without recursion. The parser recurses at every level, so hostile text could
 * exhaust the stack. */
static gboolean
is_shallow (const char *text, gsize length)
{
  gboolean in_string = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    {
      char c = text[i];

      if (in_string)
        {
          if (c == '\\')
            i++;
          else if (c == '"')
            in_string = FALSE;
        }
      else if (c == '"')
        in_string = TRUE;
      else if ((c == '{' || c == '[') && ++depth > GADGET_JSON_MAX_DEPTH)
        return FALSE;
      else if ((c == '}' || c == ']') && depth > 0)
        depth--;
    }
  return TRUE;
}

static int
get_unit (const char *text, gsize left)
{
  int unit = 0;

  if (left < 6 || text[0] != '\\' || text[1] != 'u')
    return -1;
  for (guint i = 2; i < 6; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return -1;
      unit = unit * 16 + g_ascii_xdigit_value (text[i]);
    }
  return unit;
}

/* Replaces two kinds of escapes by that of U+FFFD: half of a surrogate pair, at which the parser
 * fails (servers that count in UTF-16 cut a stream between the halves), and U+0000, which would end
 * the string.
 *
 * Returns: (nullable): %NULL if there are no such escapes */
static char *
dup_without_bad_escapes (const char *text, gsize length)
{
  static const char replacement[] = { 'f', 'f', 'f', 'd' };
  char *copy = NULL;

  for (gsize i = 0; i < length; i++)
    {
      const int unit = text[i] == '\\' ? get_unit (text + i, length - i) : -1;
      const int next =
          unit >= 0xd800 && unit < 0xdc00 ? get_unit (text + i + 6, length - i - 6) : -1;

      if (next >= 0xdc00 && next < 0xe000)
        {
          i += 11;
        }
      else if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
        {
          if (copy == NULL)
            copy = g_strndup (text, length);
          memcpy (copy + i + 2, replacement, sizeof replacement);
          i += 5;
        }
      else if (text[i] == '\\')
        {
          i++;
        }
    }
  return copy;
}

/**
 * gadget_json_parse:
 * @text: UTF-8, need not be terminated
 * @length: in bytes
 *
 * Returns: (transfer full): the root, or %NULL with a #JsonParserError: %JSON_PARSER_ERROR_PARSE
 *   when @text is malformed, empty or nested too deeply, %JSON_PARSER_ERROR_INVALID_DATA when it is
 *   not UTF-8
 */
JsonNode *
gadget_json_parse (const char *text, gsize length, GError **error)
{
  g_return_val_if_fail (text != NULL || length == 0, NULL);

  if (length > G_MAXSSIZE || !is_shallow (text, length))
    {
      g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE,
                           "The JSON text is nested too deeply");
      return NULL;
    }
  if (!g_utf8_validate_len (text, length, NULL))
    {
      g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_INVALID_DATA,
                           "The JSON text is not UTF-8");
      return NULL;
    }

  /* The parser is not an immutable one: such a parser fails an assertion of its own on some
   * texts. */
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *mended = dup_without_bad_escapes (text, length);

  if (!json_parser_load_from_data (parser, mended != NULL ? mended : text, (gssize) length, error))
    return NULL;
  if (json_parser_get_root (parser) == NULL)
    {
      g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE,
                           "The JSON text is empty");
      return NULL;
    }
  return json_parser_steal_root (parser);
}

/**
 * gadget_json_parse_repaired:
 * @text: nearly UTF-8, need not be terminated
 * @length: in bytes
 *
 * Like gadget_json_parse(), for data from a server: bytes that are not UTF-8 are read as U+FFFD, as
 * the event stream standard says. A character that the server cut in two must not cost the rest of
 * a response.
 *
 * Returns: (transfer full): the root, or %NULL with a #JsonParserError
 */
JsonNode *
gadget_json_parse_repaired (const char *text, gsize length, GError **error)
{
  g_autofree char *valid = NULL;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  if (length > G_MAXSSIZE || g_utf8_validate_len (text, length, NULL))
    return gadget_json_parse (text, length, error);
  valid = g_utf8_make_valid (text, (gssize) length);
  return gadget_json_parse (valid, strlen (valid), error);
}

static JsonNode *
get_member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

/* The getters return NULL, or FALSE, for a missing member and for one of another type; a NULL
 * object has no members. They return (transfer none) values unless gadget-json.h says otherwise. */
JsonObject *
gadget_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_OBJECT);

  return node != NULL ? json_node_get_object (node) : NULL;
}

JsonArray *
gadget_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_ARRAY);

  return node != NULL ? json_node_get_array (node) : NULL;
}

const char *
gadget_json_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

char **
gadget_json_dup_strings (JsonObject *object, const char *name)
{
  JsonArray *array = gadget_json_get_array (object, name);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING)
        g_strv_builder_add (words, json_node_get_string (node));
    }
  return g_strv_builder_end (words);
}

/* Accepts only numbers that every JSON reader represents exactly (RFC 8259, section 6), and
 * truncates fractions: numbers from a server are added up, and a sum of some of these does not
 * overflow. */
gboolean
gadget_json_get_int (JsonObject *object, const char *name, gint64 *value)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if ((type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) || json_node_get_double (node) <= -MAX_INT
      || json_node_get_double (node) >= MAX_INT)
    return FALSE;
  *value = type == G_TYPE_INT64 ? json_node_get_int (node) : (gint64) json_node_get_double (node);
  return TRUE;
}

gboolean
gadget_json_get_double (JsonObject *object, const char *name, double *value)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;
  *value = json_node_get_double (node);
  return TRUE;
}

JsonObject *
gadget_json_get_element (JsonArray *array, guint index)
{
  JsonNode *node;

  if (array == NULL || index >= json_array_get_length (array))
    return NULL;
  node = json_array_get_element (array, index);
  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

double
gadget_json_round_ms (double ms)
{
  return round (ms * 64) / 64;
}

gboolean
gadget_json_get_boolean (JsonObject *object, const char *name, gboolean *value)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return FALSE;
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
gadget_json_get_flag (JsonObject *object, const char *name)
{
  gboolean value = FALSE;

  return gadget_json_get_boolean (object, name, &value) && value;
}

gboolean
gadget_json_has_string (JsonArray *array, const char *text)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
          && g_str_equal (json_node_get_string (node), text))
        return TRUE;
    }
  return FALSE;
}

void
gadget_json_add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

void
gadget_json_add_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

void
gadget_json_add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

void
gadget_json_add_bytes (JsonBuilder *builder, const char *name, GBytes *bytes)
{
  g_autofree char *text = NULL;
  const guchar *data;
  gsize size;

  if (bytes == NULL)
    return;
  data = g_bytes_get_data (bytes, &size);
  text = g_base64_encode (data, size);
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

/**
 * gadget_json_get_bytes:
 *
 * Returns: (transfer full) (nullable): the bytes of a string member in Base64, in which characters
 *   that are not Base64 are skipped; %NULL if there is no such string
 */
GBytes *
gadget_json_get_bytes (JsonObject *object, const char *name)
{
  const char *text = gadget_json_get_string (object, name);
  guchar *data;
  gsize size;

  if (text == NULL)
    return NULL;
  data = g_base64_decode (text, &size);
  return g_bytes_new_take (data, size);
}
