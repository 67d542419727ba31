/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Goes through a chat for the formats that are read by people: reads its rows in the order of the
 * chat and gives what belongs into the export to the writer of the format. The words for the rows
 * are in gadget-export-rows.c. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-json.h"
#include "gadget-export-private.h"
#include "session/gadget-item.h"

#include <string.h>

/* The columns of the queries. ?1 is the number of the chat, the turn or the item. */
#define TURNS_SQL                                                                                  \
  "SELECT number, prompt, status, model, attachments FROM turn"                                    \
  " WHERE session = ?1 AND removed_at IS NULL ORDER BY position"
#define PICTURES_SQL                                                                               \
  "SELECT picture.data, picture.name, picture.mime_type FROM item JOIN picture"                    \
  " ON picture.turn = item.turn AND picture.item = item.position"                                  \
  " WHERE item.number = ?1 ORDER BY picture.position"

enum
{
  TURN_NUMBER,
  TURN_PROMPT,
  TURN_STATUS,
  TURN_MODEL,
  TURN_ATTACHMENTS,
};

enum
{
  PICTURE_DATA,
  PICTURE_NAME,
  PICTURE_MIME_TYPE,
};

/* --- Attachments ------------------------------------------------------------------------------ */

static gboolean
write_picture (GadgetExport *self, sqlite3_stmt *stmt, const char *name, const char *mime_type,
               GError **error)
{
  const void *data = sqlite3_column_blob (stmt, PICTURE_DATA);
  g_autoptr (GBytes) bytes = g_bytes_new (data, (gsize) sqlite3_column_bytes (stmt, PICTURE_DATA));

  return mime_type == NULL || self->writer->picture (self, name, mime_type, bytes, error);
}

static gboolean
write_result_picture (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *name = _gadget_export_dup_text (stmt, PICTURE_NAME);
  g_autofree char *mime_type = _gadget_sql_dup_text (stmt, PICTURE_MIME_TYPE);

  return write_picture (self, stmt, name, mime_type, error);
}

static gboolean
write_attached_picture (GadgetExport *self, JsonObject *attachment, const char *name,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (self->db, "SELECT data FROM attachment WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, gadget_json_get_string (attachment, "picture"));
  return _gadget_sql_next (stmt, &has_row, error)
         && (!has_row
             || write_picture (self, stmt, name, gadget_json_get_string (attachment, "mime_type"),
                               error));
}

static gboolean
has_pictures (GadgetExport *self)
{
  return (self->parts & GADGET_EXPORT_ATTACHMENTS) != 0 && self->writer->picture != NULL;
}

static gboolean
write_attachment (GadgetExport *self, JsonObject *attachment, GError **error)
{
  g_autofree char *name = _gadget_export_dup_attachment_name (attachment);
  const char *text = (self->parts & GADGET_EXPORT_ATTACHMENTS) != 0
                         ? gadget_json_get_string (attachment, "text")
                         : NULL;

  if (!self->writer->attachment (self, name, text, error))
    return FALSE;
  return text != NULL || !has_pictures (self)
         || gadget_json_get_string (attachment, "picture") == NULL
         || write_attached_picture (self, attachment, name, error);
}

static gboolean
write_message (GadgetExport *self, const char *text, const char *json, GError **error)
{
  g_autoptr (JsonNode) root = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonArray *array = _gadget_export_get_attachments (root);

  if (!self->writer->begin_message (self, text, error))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    if (!write_attachment (self, gadget_json_get_element (array, i), error))
      return FALSE;
  return self->writer->end_message == NULL || self->writer->end_message (self, error);
}

/* --- Items ------------------------------------------------------------------------------------ */

static gboolean
write_call (GadgetExport *self, sqlite3_stmt *stmt, const char *output, GError **error)
{
  g_autofree char *line = _gadget_export_dup_call (stmt);

  return self->writer->call (self, line, *output != '\0' ? output : NULL, error)
         && (!has_pictures (self)
             || _gadget_export_foreach (self, PICTURES_SQL,
                                        sqlite3_column_int64 (stmt, GADGET_EXPORT_ITEM_NUMBER),
                                        write_result_picture, error));
}

static gboolean
write_item (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *kind = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_KIND);
  g_autofree char *text = _gadget_export_dup_text (stmt, GADGET_EXPORT_ITEM_TEXT);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, GADGET_EXPORT_ITEM_ATTACHMENTS);

  switch (gadget_item_kind_from_string (kind))
    {
    case GADGET_ITEM_TEXT:
      return self->writer->answer (self, text, error);
    case GADGET_ITEM_STEER:
      return write_message (self, text, attachments, error);
    case GADGET_ITEM_TOOL_CALL:
      return (self->parts & GADGET_EXPORT_TOOLS) == 0 || write_call (self, stmt, text, error);
    case GADGET_ITEM_REASONING:
      return (self->parts & GADGET_EXPORT_REASONING) == 0 || *text == '\0'
             || self->writer->reasoning (self, text, error);
    case GADGET_ITEM_SUMMARY:
    case GADGET_ITEM_NOTE:
    default:
      return TRUE;
    }
}

/* --- Chats ------------------------------------------------------------------------------------ */

static gboolean
write_turn (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *prompt = _gadget_export_dup_text (stmt, TURN_PROMPT);
  g_autofree char *status = _gadget_export_dup_text (stmt, TURN_STATUS);
  g_autofree char *model = _gadget_export_dup_text (stmt, TURN_MODEL);
  g_autofree char *attachments = _gadget_sql_dup_text (stmt, TURN_ATTACHMENTS);

  return write_message (self, prompt, attachments, error)
         && self->writer->begin_reply (self, model, error)
         && _gadget_export_foreach (self, GADGET_EXPORT_ITEMS_SQL,
                                    sqlite3_column_int64 (stmt, TURN_NUMBER), write_item, error)
         && self->writer->end_reply (self, model, status, error);
}

static gboolean
write_chat (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  g_autofree char *title = _gadget_export_dup_title (stmt);
  g_autofree char *workspace = _gadget_sql_dup_text (stmt, GADGET_EXPORT_CHAT_WORKSPACE);
  g_autofree char *time =
      _gadget_export_dup_time (sqlite3_column_int64 (stmt, GADGET_EXPORT_CHAT_TIME));

  return self->writer->begin_chat (self, title, time, workspace, error)
         && _gadget_export_foreach (self, TURNS_SQL,
                                    sqlite3_column_int64 (stmt, GADGET_EXPORT_CHAT_NUMBER),
                                    write_turn, error)
         && (self->writer->end_chat == NULL || self->writer->end_chat (self, error));
}

gboolean
_gadget_export_walk_chat (GadgetExport *self, gint64 number, GError **error)
{
  return _gadget_export_foreach (self, GADGET_EXPORT_CHAT_SQL, number, write_chat, error);
}
