/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts a tool's result to a text and pictures for a model. Source: MCP 2026-07-28,
 * server/tools, "Tool Result". */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-content.h"

#include "common/gadget-json.h"

#include <string.h>

/* MAX_NAME is in characters. */
#define MAX_PICTURES 8
#define MAX_NAME 200

/**
 * gadget_mcp_result_free:
 *
 * Frees a result. Does nothing for %NULL.
 */
void
gadget_mcp_result_free (GadgetMcpResult *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_ptr_array_unref (self->pictures);
  g_free (self);
}

static void
begin_part (GString *text)
{
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
}

/* Returns at most MAX_NAME characters of a name or MIME type that the server gave, on one line. */
static char *
dup_short (const char *text)
{
  g_autofree char *cut = NULL;

  if (text == NULL)
    return g_strdup ("?");
  cut = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), MAX_NAME));
  return g_strdelimit (g_steal_pointer (&cut), "\n\r\t", ' ');
}

/* Adds a picture, or a line that says why it is not shown. The format is detected from the bytes;
 * the MIME type that the server states is used only in that line. */
static void
add_picture (GadgetMcpResult *self, GString *text, JsonObject *block, const char *code)
{
  g_autofree char *mime_type = dup_short (gadget_json_get_string (block, "mimeType"));
  gsize size = 0;
  guchar *bytes = g_base64_decode (code != NULL ? code : "", &size);
  g_autoptr (GBytes) data = g_bytes_new_take (bytes, size);
  g_autoptr (GadgetPicture) picture = NULL;
  g_autofree char *pixels = NULL;
  g_autoptr (GError) error = NULL;

  begin_part (text);
  if (self->pictures->len >= MAX_PICTURES)
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "Only %d are shown.", MAX_PICTURES);
  else
    picture = gadget_picture_new (NULL, data, &error);
  if (picture == NULL)
    {
      g_string_append_printf (text,
                              "[a picture that is not shown: %s, %" G_GSIZE_FORMAT " bytes. %s]",
                              mime_type, size, error->message);
      return;
    }
  g_ptr_array_add (self->pictures, gadget_picture_ref (picture));
  pixels = gadget_picture_dup_pixels (picture);
  g_string_append_printf (text, "[picture %u: %s, %s%s%" G_GSIZE_FORMAT " bytes]",
                          self->pictures->len, gadget_picture_get_mime_type (picture),
                          pixels != NULL ? pixels : "", pixels != NULL ? " pixels, " : "", size);
}

static gsize
get_size (const char *code)
{
  gsize size = 0;

  if (code != NULL)
    g_free (g_base64_decode (code, &size));
  return size;
}

/* Adds a line that describes data of a kind that models are not given. */
static void
add_data (GString *text, const char *what, JsonObject *block, const char *code)
{
  g_autofree char *mime_type = dup_short (gadget_json_get_string (block, "mimeType"));

  begin_part (text);
  g_string_append_printf (text, "[%s that is not shown: %s, %" G_GSIZE_FORMAT " bytes]", what,
                          mime_type, get_size (code));
}

static void
add_resource (GadgetMcpResult *self, GString *text, JsonObject *block)
{
  JsonObject *resource = gadget_json_get_object (block, "resource");
  const char *content = gadget_json_get_string (resource, "text");
  const char *mime_type = gadget_json_get_string (resource, "mimeType");
  g_autofree char *uri = dup_short (gadget_json_get_string (resource, "uri"));

  begin_part (text);
  if (content != NULL)
    g_string_append_printf (text, "[%s]\n%s", uri, content);
  else if (mime_type != NULL && g_str_has_prefix (mime_type, "image/"))
    {
      g_string_append_printf (text, "[%s]", uri);
      add_picture (self, text, resource, gadget_json_get_string (resource, "blob"));
    }
  else
    {
      g_string_append_printf (text, "[%s]", uri);
      add_data (text, "data", resource, gadget_json_get_string (resource, "blob"));
    }
}

static void
add_link (GString *text, JsonObject *block)
{
  static const char *const words[] = { "title", "name", "description", NULL };
  g_autofree char *uri = dup_short (gadget_json_get_string (block, "uri"));

  begin_part (text);
  g_string_append_printf (text, "[link: %s", uri);
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *said = gadget_json_get_string (block, words[i]);
      g_autofree char *word = said != NULL ? dup_short (said) : NULL;

      /* A link's name is meant for programs; it is skipped when there is a title. */
      if (word == NULL || (i == 1 && gadget_json_get_string (block, words[0]) != NULL))
        continue;
      g_string_append_printf (text, " – %s", word);
    }
  g_string_append_c (text, ']');
}

/* Adds one content block. Returns whether it is a text block. */
static gboolean
add_block (GadgetMcpResult *self, GString *text, JsonObject *block)
{
  const char *type = gadget_json_get_string (block, "type");

  if (g_strcmp0 (type, "text") == 0)
    {
      const char *words = gadget_json_get_string (block, "text");

      begin_part (text);
      g_string_append (text, words != NULL ? words : "");
      return words != NULL;
    }
  if (g_strcmp0 (type, "image") == 0)
    add_picture (self, text, block, gadget_json_get_string (block, "data"));
  else if (g_strcmp0 (type, "audio") == 0)
    add_data (text, "audio", block, gadget_json_get_string (block, "data"));
  else if (g_strcmp0 (type, "resource") == 0)
    add_resource (self, text, block);
  else if (g_strcmp0 (type, "resource_link") == 0)
    add_link (text, block);
  else
    {
      g_autofree char *name = dup_short (type);

      begin_part (text);
      g_string_append_printf (text, "[content of the kind “%s”, which cannot be shown]", name);
    }
  return FALSE;
}

/* Adds "structuredContent" as JSON. The specification asks servers to repeat it in a text block, so
 * this is needed only for a result without one. */
static void
add_structured (GString *text, JsonObject *result)
{
  JsonNode *structured = json_object_get_member (result, "structuredContent");
  g_autofree char *json = NULL;

  if (structured == NULL || JSON_NODE_HOLDS_NULL (structured))
    return;
  begin_part (text);
  json = json_to_string (structured, FALSE);
  g_string_append (text, json);
}

static void
cut (GString *text)
{
  const gsize whole = text->len;
  const char *end;

  if (whole <= GADGET_MCP_MAX_TEXT)
    return;
  end = g_utf8_find_prev_char (text->str, text->str + GADGET_MCP_MAX_TEXT + 1);
  g_string_truncate (text, (gsize) (end - text->str));
  g_string_append_printf (text,
                          "\n[The result was cut: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " bytes are left out. Ask the tool for less at a time.]",
                          whole - (gsize) (end - text->str), whole);
}

/**
 * gadget_mcp_result_parse:
 * @result: a complete result of tools/call
 *
 * Returns: (transfer full): the result as text and pictures
 */
GadgetMcpResult *
gadget_mcp_result_parse (JsonObject *result)
{
  GadgetMcpResult *self;
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *content;
  gboolean has_text = FALSE;

  g_return_val_if_fail (result != NULL, NULL);

  self = g_new0 (GadgetMcpResult, 1);
  self->pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  self->failed = gadget_json_get_flag (result, "isError");
  content = gadget_json_get_array (result, "content");
  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    {
      JsonObject *block = gadget_json_get_element (content, i);

      if (block != NULL && add_block (self, text, block))
        has_text = TRUE;
    }
  if (!has_text)
    add_structured (text, result);
  if (text->len == 0)
    g_string_append (text, self->failed ? "The tool failed and says nothing more."
                                        : "The tool has done it and says nothing more.");
  cut (text);
  self->text = g_string_free (g_steal_pointer (&text), FALSE);
  return self;
}
