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
check_item (const GadgetImportValue *item, gint64 expected)
{
  const char *arguments = _gadget_import_get_string (item, "arguments");
  gint64 position = -1;

  g_assert (_gadget_import_get_int (item, "position", &position) && position == expected);
  g_assert (g_utf8_validate (_gadget_import_get_string (item, "text"), -1, NULL));
  if (arguments != NULL)
    {
      g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);

      g_assert (node != NULL && JSON_NODE_HOLDS_OBJECT (node));
    }
}

static void
check_turn (const GadgetImportValue *turn, gint64 expected)
{
  const char *attachments = _gadget_import_get_string (turn, "attachments");
  gint64 position = -1;
  gint64 n_items = 0;

  g_assert (_gadget_import_get_int (turn, "position", &position) && position == expected);
  g_assert (strlen (_gadget_import_get_string (turn, "id")) == 24);
  g_assert (g_utf8_validate (_gadget_import_get_string (turn, "prompt"), -1, NULL));
  if (attachments != NULL)
    {
      g_autoptr (JsonNode) node = gadget_json_parse (attachments, strlen (attachments), NULL);

      g_assert (node != NULL && JSON_NODE_HOLDS_ARRAY (node));
    }
  for (const GadgetImportValue *item =
           _gadget_import_get_first (_gadget_import_get_array (turn, "items"));
       item != NULL; item = item->next)
    check_item (item, n_items++);
}

static void
check_chats (const GadgetImportConverted *converted)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < converted->rows->len; i++)
    {
      const GadgetImportValue *row = g_ptr_array_index (converted->rows, i);
      const char *id = _gadget_import_get_string (row, "id");
      gint64 n_turns = 0;

      g_assert (strlen (id) == 24 && g_hash_table_add (ids, (gpointer) id));
      g_assert ((i > 0) == (_gadget_import_get_string (row, "origin") != NULL));
      for (const GadgetImportValue *turn =
               _gadget_import_get_first (_gadget_import_get_array (row, "turns"));
           turn != NULL; turn = turn->next)
        check_turn (turn, n_turns++);
      g_assert (n_turns > 0);
    }
}

/* What is written again reads the same. */
static void
check_value (const GadgetImportValue *value)
{
  g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (NULL);
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);

  _gadget_import_write (value, first);
  value = _gadget_import_memory_parse_copy (memory, first->str, first->len);
  g_assert (value != NULL);
  _gadget_import_write (value, second);
  g_assert (g_string_equal (first, second));
}

static void
check_text (GadgetImportBuffer *text)
{
  g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (NULL);
  const GadgetImportContext context = { memory, NULL, NULL };
  const GadgetImportValue *value = _gadget_import_memory_parse (memory, text);
  const GadgetImportFormat *format;
  g_autoptr (GadgetImportConverted) converted = NULL;

  if (value == NULL)
    return;
  check_value (value);
  format = _gadget_import_find_format (value);
  if (format != NULL)
    converted = _gadget_import_convert (format, &context, value);
  if (converted != NULL)
    check_chats (converted);
}

static void
check_json (GInputStream *stream)
{
  g_autoptr (GadgetImportJson) json = _gadget_import_json_new (stream, MAX_BYTES, NULL);
  GadgetImportJsonEvent event = GADGET_IMPORT_JSON_HEAD;

  while (event != GADGET_IMPORT_JSON_END)
    {
      GadgetImportBuffer *text;

      if (!_gadget_import_json_next (json, &event, NULL, NULL))
        return;
      if (event != GADGET_IMPORT_JSON_VALUE)
        continue;
      text = _gadget_import_json_steal_text (json);
      g_assert (text->length <= MAX_BYTES);
      check_text (text);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (data, (gssize) size, NULL);
  g_autoptr (GadgetImportZip) zip = NULL;
  g_autoptr (GArray) list = NULL;

  if (!_gadget_import_zip_check (data, size))
    {
      check_json (stream);
      return 0;
    }
  zip = _gadget_import_zip_new (stream, (goffset) size, NULL, NULL);
  if (zip == NULL)
    return 0;
  list = _gadget_import_zip_list (zip, GADGET_IMPORT_ZIP_CHATS);
  for (guint i = 0; i < list->len; i++)
    {
      g_autoptr (GInputStream) file =
          _gadget_import_zip_read_file (zip, g_array_index (list, guint, i), NULL, NULL);

      if (file != NULL)
        check_json (file);
    }
  return 0;
}
