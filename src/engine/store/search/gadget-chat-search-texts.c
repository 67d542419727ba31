/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The texts of the rows of the index, read from the tables of the chats. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include <string.h>

#include "gadget-chat-search-texts-private.h"

#include "common/gadget-json.h"
#include "common/gadget-types.h"
#include "store/gadget-sql.h"
#include "store/gadget-store-attachments-private.h"

void
_gadget_chat_search_texts_free (GadgetChatSearchTexts *self)
{
  g_free (self->text);
  g_free (self->arguments);
  g_free (self->tool);
  g_free (self->call_summary);
  g_clear_pointer (&self->attachments, g_ptr_array_unref);
  g_free (self);
}

static void
add_values (GString *to, JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObjectIter iter;
      JsonNode *member;

      json_object_iter_init_ordered (&iter, json_node_get_object (node));
      while (json_object_iter_next_ordered (&iter, NULL, &member))
        add_values (to, member);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        add_values (to, json_array_get_element (array, i));
    }
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_string_append (to, json_node_get_string (node));
      g_string_append_c (to, '\n');
    }
}

/* Returns the strings in the JSON of the arguments, since "\n" in it is no word. */
static char *
dup_values (const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  GString *values;

  if (node == NULL)
    return g_strdup (arguments);
  values = g_string_new (NULL);
  add_values (values, node);
  return g_string_free (values, FALSE);
}

/* Returns the output of a call, and its result, if that says anything else. */
static char *
dup_output (char *text, char *result)
{
  g_autofree char *shown = text;
  g_autofree char *returned = result;

  if (returned == NULL || (shown != NULL && strstr (shown, returned) != NULL))
    return g_steal_pointer (&shown);
  if (shown == NULL || strstr (returned, shown) != NULL)
    return g_steal_pointer (&returned);
  return g_strconcat (shown, "\n", returned, NULL);
}

static gboolean
get_in (const char *kind, GadgetChatSearchIn *in)
{
  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      *in = GADGET_CHAT_SEARCH_IN_ANSWER;
      return TRUE;
    case GADGET_ITEM_REASONING:
      *in = GADGET_CHAT_SEARCH_IN_REASONING;
      return TRUE;
    case GADGET_ITEM_TOOL_CALL:
      *in = GADGET_CHAT_SEARCH_IN_CALL;
      return TRUE;
    case GADGET_ITEM_STEER:
      *in = GADGET_CHAT_SEARCH_IN_PROMPT;
      return TRUE;
    /* The other items have the texts of these, too. */
    case GADGET_ITEM_NOTE:
    case GADGET_ITEM_SUMMARY:
    default:
      return FALSE;
    }
}

GadgetChatSearchTexts *
_gadget_chat_search_texts_new (sqlite3_stmt *stmt)
{
  const char *arguments = (const char *) sqlite3_column_text (stmt, 4);
  g_autofree char *kind = _gadget_sql_dup_text (stmt, 0);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, 2);
  GadgetChatSearchTexts *self;
  GadgetChatSearchIn in;

  if (!get_in (kind, &in))
    return NULL;
  self = g_new0 (GadgetChatSearchTexts, 1);
  self->in = in;
  self->text = _gadget_sql_dup_text (stmt, 1);
  self->attachments = _gadget_attachments_parse (attachments);
  if (in != GADGET_CHAT_SEARCH_IN_CALL)
    return self;
  self->text = dup_output (self->text, _gadget_sql_dup_text (stmt, 5));
  self->arguments = arguments != NULL ? dup_values (arguments) : NULL;
  self->tool = _gadget_sql_dup_text (stmt, 3);
  self->call_summary = _gadget_sql_dup_text (stmt, 6);
  return self;
}

void
_gadget_chat_search_text_reader_clear (GadgetChatSearchTextReader *self)
{
  g_clear_pointer (&self->prompt, sqlite3_finalize);
  g_clear_pointer (&self->item, sqlite3_finalize);
}

static sqlite3_stmt *
get_statement (sqlite3 *db, sqlite3_stmt **stmt, const char *sql, GError **error)
{
  if (*stmt == NULL)
    *stmt = _gadget_sql_prepare (db, sql, error);
  return *stmt;
}

GadgetChatSearchTexts *
_gadget_chat_search_texts_read (GadgetChatSearchTextReader *reader, gint64 row, GError **error)
{
  const int position = GADGET_CHAT_SEARCH_ROW_POSITION (row);
  sqlite3_stmt *stmt =
      position < 0
          ? get_statement (
                reader->db, &reader->prompt,
                "SELECT " GADGET_CHAT_SEARCH_PROMPT_COLUMNS " FROM turn WHERE number = ?1", error)
          : get_statement (reader->db, &reader->item,
                           "SELECT " GADGET_CHAT_SEARCH_ITEM_COLUMNS " FROM item WHERE turn = ?1"
                           " AND position = ?2 AND " GADGET_CHAT_SEARCH_SETTLED,
                           error);
  GadgetChatSearchTexts *texts = NULL;
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_int (stmt, 1, GADGET_CHAT_SEARCH_ROW_TURN (row));
  if (position >= 0)
    _gadget_sql_bind_int (stmt, 2, position);
  if (_gadget_sql_next (stmt, &has_row, error) && has_row)
    texts = _gadget_chat_search_texts_new (stmt);
  sqlite3_reset (stmt);
  return texts;
}

static void
add_line (GString *to, const char *text)
{
  if (text == NULL)
    return;
  g_string_append (to, text);
  g_string_append_c (to, '\n');
}

GString *
_gadget_chat_search_texts_join (const GadgetChatSearchTexts *self)
{
  GString *all = g_string_new (NULL);

  add_line (all, self->text);
  add_line (all, self->arguments);
  for (guint i = 0; self->attachments != NULL && i < self->attachments->len; i++)
    {
      const GadgetAttachment *attachment = g_ptr_array_index (self->attachments, i);

      add_line (all, gadget_attachment_get_name (attachment));
      add_line (all, gadget_attachment_get_text (attachment));
    }
  return all;
}
