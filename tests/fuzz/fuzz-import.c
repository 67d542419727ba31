/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file to import: JSON or a zip archive. What is read of it is valid UTF-8 and within limits, in
 * however small parts it comes. */

#include "config.h"

#include "fuzz.h"

#include "common/gadget-json.h"
#include "store/import/gadget-import-formats.h"
#include "store/import/gadget-import-json.h"
#include "store/import/gadget-import-zip.h"

#define MAX_BYTES 100000

static void
check_turn (JsonObject *turn, guint position)
{
  JsonArray *items = gadget_json_get_array (turn, "items");

  g_assert (json_object_get_int_member (turn, "position") == position);
  g_assert (strlen (gadget_json_get_string (turn, "id")) == 24);
  g_assert (g_utf8_validate (gadget_json_get_string (turn, "prompt"), -1, NULL));
  for (guint i = 0; i < json_array_get_length (items); i++)
    {
      JsonObject *item = gadget_json_get_element (items, i);
      const char *arguments = gadget_json_get_string (item, "arguments");

      g_assert (json_object_get_int_member (item, "position") == i);
      g_assert (g_utf8_validate (gadget_json_get_string (item, "text"), -1, NULL));
      if (arguments != NULL)
        {
          g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);

          g_assert (node != NULL && JSON_NODE_HOLDS_OBJECT (node));
        }
    }
}

static void
check_chat (GadgetImportChat *converted)
{
  g_autoptr (GadgetImportChat) chat = converted;
  g_autoptr (JsonObject) row = chat != NULL ? _gadget_import_chat_end (chat) : NULL;
  JsonArray *turns = gadget_json_get_array (row, "turns");

  if (row == NULL)
    return;
  g_assert (strlen (gadget_json_get_string (row, "id")) == 24);
  g_assert (json_array_get_length (turns) > 0);
  for (guint i = 0; i < json_array_get_length (turns); i++)
    check_turn (gadget_json_get_element (turns, i), i);
}

static void
check_text (const GString *text)
{
  g_autoptr (JsonNode) node = gadget_json_parse_repaired (text->str, text->len, NULL);
  JsonObject *object;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  object = json_node_get_object (node);
  if (_gadget_import_is_chatgpt (object))
    check_chat (_gadget_import_convert_chatgpt (object));
  if (_gadget_import_is_claude (object))
    check_chat (_gadget_import_convert_claude (object));
  if (_gadget_import_is_open_webui (object))
    check_chat (_gadget_import_convert_open_webui (object));
}

static void
check_json (GInputStream *stream)
{
  g_autoptr (GadgetImportJson) json = _gadget_import_json_new (stream, MAX_BYTES);
  GadgetImportJsonEvent event = GADGET_IMPORT_JSON_HEAD;

  while (event != GADGET_IMPORT_JSON_END)
    {
      if (!_gadget_import_json_next (json, &event, NULL, NULL))
        return;
      if (event == GADGET_IMPORT_JSON_VALUE)
        {
          g_assert (_gadget_import_json_get_text (json)->len <= MAX_BYTES);
          check_text (_gadget_import_json_get_text (json));
        }
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (data, (gssize) size, NULL);
  g_autoptr (GadgetImportZip) zip = NULL;

  if (!_gadget_import_zip_check (data, size))
    {
      check_json (stream);
      return 0;
    }
  zip = _gadget_import_zip_new (stream, (goffset) size, NULL, NULL);
  for (guint i = 0; zip != NULL && i < _gadget_import_zip_get_size (zip); i++)
    {
      g_autoptr (GInputStream) file = _gadget_import_zip_read_file (zip, i, NULL, NULL);

      if (file != NULL)
        check_json (file);
    }
  return 0;
}
