/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-dialect-json.h"

#include "common/gadget-json.h"

#include <string.h>

/**
 * gadget_dialect_make_url:
 * @base_url: (nullable): as the user gave it, with or without a trailing slash
 * @default_path: the path to insert if @base_url has none, such as "/v1"
 * @path: the path to append, such as "chat/completions"; it may have a query, "models?limit=9"
 *
 * Returns: (transfer full) (nullable): %NULL if @base_url is not a valid address
 */
char *
gadget_dialect_make_url (const char *base_url, const char *default_path, const char *path)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *base_path = NULL;
  g_autofree char *full_path = NULL;
  g_autofree char *query = NULL;
  g_auto (GStrv) parts = g_strsplit (path, "?", 2);
  g_autoptr (GUri) full = NULL;
  gsize length;

  uri = base_url != NULL ? g_uri_parse (base_url, G_URI_FLAGS_ENCODED, NULL) : NULL;
  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;

  base_path = g_strdup (g_uri_get_path (uri));
  for (length = strlen (base_path); length > 0 && base_path[length - 1] == '/'; length--)
    base_path[length - 1] = '\0';
  full_path = g_strdup_printf ("%s/%s", length > 0 ? base_path : default_path, parts[0]);
  query = g_uri_get_query (uri) != NULL && parts[1] != NULL
              ? g_strconcat (g_uri_get_query (uri), "&", parts[1], NULL)
              : g_strdup (parts[1] != NULL ? parts[1] : g_uri_get_query (uri));
  full = g_uri_build (g_uri_get_flags (uri), g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), full_path, query, NULL);
  return g_uri_to_string (full);
}

void
gadget_dialect_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  g_autofree char *valid = NULL;

  if (!g_utf8_validate (value, -1, NULL))
    value = valid = g_utf8_make_valid (value, -1);
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/* gadget_dialect_add_boolean: adds the member @name to the object that is being built. */
void
gadget_dialect_add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  gadget_json_add_boolean (builder, name, value);
}

/**
 * gadget_dialect_add_json:
 * @text: JSON
 *
 * Returns: %FALSE if @text is not JSON; nothing is added then
 */
gboolean
gadget_dialect_add_json (JsonBuilder *builder, const char *name, const char *text)
{
  JsonNode *node = gadget_json_parse (text, strlen (text), NULL);

  if (node == NULL)
    return FALSE;
  json_builder_set_member_name (builder, name);
  json_builder_add_value (builder, node);
  return TRUE;
}

void
gadget_dialect_begin_object (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

/* gadget_dialect_begin_array: begins the member @name; json_builder_end_array () has to end it. */
void
gadget_dialect_begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

void
gadget_dialect_add_functions (JsonBuilder *builder, GPtrArray *tools)
{
  gadget_dialect_begin_array (builder, "tools");
  for (guint i = 0; i < tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (tools, i);

      json_builder_begin_object (builder);
      gadget_dialect_add_string (builder, "type", "function");
      gadget_dialect_begin_object (builder, "function");
      gadget_dialect_add_string (builder, "name", tool->name);
      gadget_dialect_add_string (builder, "description", tool->description);
      gadget_dialect_add_json (builder, "parameters", tool->schema);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

const char *
gadget_dialect_get_text (JsonObject *object, const char *name)
{
  const char *text = gadget_json_get_string (object, name);

  return text != NULL && *text != '\0' ? text : NULL;
}

gboolean
gadget_dialect_is_blank (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '\0';
}

char *
gadget_dialect_dup_base64 (const GadgetPart *image)
{
  gsize size;
  const guchar *data = g_bytes_get_data (image->data, &size);

  return g_base64_encode (data, size);
}

/**
 * gadget_dialect_dup_data_url:
 *
 * Returns: (transfer full): "data:image/png;base64,…", with the type and the bytes of @image
 */
char *
gadget_dialect_dup_data_url (const GadgetPart *image)
{
  g_autofree char *code = gadget_dialect_dup_base64 (image);

  return g_strdup_printf ("data:%s;base64,%s", image->mime_type, code);
}

/**
 * gadget_dialect_dup_image_words:
 *
 * Returns: (transfer full) (nullable): the text for the model that replaces an image of a type that
 *   the large providers do not accept; %NULL if they accept it
 */
char *
gadget_dialect_dup_image_words (const GadgetPart *image)
{
  static const char *const types[] = { "image/jpeg", "image/png", "image/gif", "image/webp", NULL };

  if (g_strv_contains (types, image->mime_type))
    return NULL;
  return g_strdup_printf ("[An image of the type %s, which can't be shown]", image->mime_type);
}

GBytes *
gadget_dialect_to_bytes (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  char *text = json_to_string (root, FALSE);

  return g_bytes_new_take (text, strlen (text));
}
