/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of an item: conversion from and to #GadgetItem on the main context, reading and writing
 * on the store's thread.
 *
 * A summary of a call is stored as language-independent JSON. Notes, which are texts of Gadget's
 * own, are stored twice: in the item's text, and as summaries with their offsets, so that loading
 * can show them in the current language. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

#include "common/gadget-json.h"
#include "gadget-store-pictures-private.h"

#include <string.h>

/* gadget-history.c compares results with this string. */
#define NOT_STARTED_RESULT "Interrupted by user"

#define NOTES "notes"

static void
add_notes (JsonObject *object, GadgetItem *item)
{
  g_autoptr (JsonArray) notes = json_array_new ();

  for (guint i = 0; i < gadget_item_get_n_notes (item); i++)
    {
      const GadgetItemNote *note = gadget_item_get_note (item, i);
      JsonObject *entry = json_object_new ();

      json_object_set_int_member (entry, "offset", (gint64) note->offset);
      json_object_set_int_member (entry, "length", (gint64) note->length);
      json_object_set_member (entry, "summary", gadget_call_summary_to_node (note->summary));
      json_array_add_object_element (notes, entry);
    }
  json_object_set_array_member (object, NOTES, g_steal_pointer (&notes));
}

/* Returns the summary of the call as JSON, with the notes in the item's text. */
static char *
dup_call_summary (GadgetItem *item)
{
  const GadgetCallSummary *summary = gadget_item_get_call_summary (item);
  g_autoptr (JsonNode) node = NULL;

  if (gadget_item_get_n_notes (item) == 0)
    return summary != NULL ? gadget_call_summary_to_json (summary) : NULL;
  if (summary != NULL)
    node = gadget_call_summary_to_node (summary);
  else
    {
      node = json_node_new (JSON_NODE_OBJECT);
      json_node_take_object (node, json_object_new ());
    }
  add_notes (json_node_get_object (node), item);
  return json_to_string (node, FALSE);
}

/* The text in self->summary is in the language of the time when it was stored. */
static GadgetCallSummary *
make_call_summary (const GadgetItemRow *self)
{
  if (self->call_summary != NULL)
    return gadget_call_summary_from_json (self->call_summary);
  return self->summary != NULL
             ? gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, self->summary, NULL)
             : NULL;
}

/* Returns a note of Gadget's own in the current language. Its text is stored as well, for a version
 * of Gadget that does not know this kind of summary. */
static char *
dup_note (const GadgetItemRow *self)
{
  g_autoptr (GadgetCallSummary) summary =
      self->kind == GADGET_ITEM_NOTE ? make_call_summary (self) : NULL;

  return summary != NULL ? gadget_call_summary_dup_plain_text (summary) : NULL;
}

/* Returns NULL if there are none. The array is owned by @node. */
static JsonArray *
parse_notes (const GadgetItemRow *self, JsonNode **node)
{
  if (self->call_summary == NULL || strstr (self->call_summary, "\"" NOTES "\"") == NULL)
    return NULL;
  *node = gadget_json_parse (self->call_summary, strlen (self->call_summary), NULL);
  return *node != NULL && JSON_NODE_HOLDS_OBJECT (*node)
             ? gadget_json_get_array (json_node_get_object (*node), NOTES)
             : NULL;
}

/* Tells whether the note is inside the text, behind @from, and starts and ends between
 * characters. */
static gboolean
is_within (const GString *text, gsize from, gint64 offset, gint64 length)
{
  return offset >= (gint64) from && offset <= (gint64) text->len && length >= 0
         && length <= (gint64) text->len - offset
         && g_utf8_validate_len (text->str + offset, (gsize) length, NULL);
}

/* Appends the text up to the note, and the note in the current language. Returns the offset at
 * which the rest of the text begins. */
static gsize
add_note (const GadgetItemRow *self, GadgetItem *item, gsize from, JsonObject *entry)
{
  g_autoptr (GadgetCallSummary) summary =
      gadget_call_summary_from_node (json_object_get_member (entry, "summary"));
  gint64 offset = -1;
  gint64 length = -1;

  gadget_json_get_int (entry, "offset", &offset);
  gadget_json_get_int (entry, "length", &length);
  if (summary == NULL || !is_within (self->text, from, offset, length))
    return from;
  gadget_item_append_text (item, self->text->str + from, (gssize) ((gsize) offset - from));
  gadget_item_append_note (item, summary);
  return (gsize) (offset + length);
}

/* Appends the text that the item does not have yet. */
static void
add_text (const GadgetItemRow *self, GadgetItem *item)
{
  g_autofree char *own = dup_note (self);
  g_autoptr (JsonNode) node = NULL;
  const char *text = own != NULL ? own : self->text->str;
  const gsize length = own != NULL ? strlen (own) : self->text->len;
  gsize from = gadget_item_get_length (item);
  JsonArray *notes = from == 0 ? parse_notes (self, &node) : NULL;

  for (guint i = 0; notes != NULL && i < json_array_get_length (notes); i++)
    {
      JsonObject *entry = gadget_json_get_element (notes, i);

      if (entry != NULL)
        from = add_note (self, item, from, entry);
    }
  if (length > from)
    gadget_item_append_text (item, text + from, (gssize) (length - from));
}

GadgetItemRow *
_gadget_item_row_new_from (GadgetItem *item, guint position, gboolean whole)
{
  GadgetItemRow *self = g_new0 (GadgetItemRow, 1);

  self->position = position;
  self->kind = gadget_item_get_kind (item);
  self->status = gadget_item_get_status (item);
  self->step = gadget_item_get_step (item);
  self->whole = whole;
  self->text = g_string_new (NULL);
  self->arguments = g_string_new (NULL);
  if (whole)
    {
      g_string_append_len (self->text, gadget_item_get_text (item),
                           (gssize) gadget_item_get_length (item));
      g_string_append (self->arguments, gadget_item_get_arguments (item));
    }
  self->call_id = g_strdup (gadget_item_get_call_id (item));
  self->name = g_strdup (gadget_item_get_name (item));
  self->result = g_strdup (gadget_item_get_result (item));
  self->pictures = _gadget_picture_rows_new_from (item);
  self->call_summary = dup_call_summary (item);
  self->replay_source = g_strdup (gadget_item_get_replay_source (item));
  self->replay = g_strdup (gadget_item_get_replay (item));
  self->child = g_strdup (gadget_item_get_child_id (item));
  self->child_turn = g_strdup (gadget_item_get_child_turn_id (item));
  self->attachments = _gadget_attachment_rows_new_from (gadget_attachments_get (item));
  self->started_at = gadget_item_get_started_at (item);
  self->ended_at = gadget_item_get_ended_at (item);
  return self;
}

GadgetItem *
_gadget_item_row_make (const GadgetItemRow *self)
{
  GadgetItem *item = self->kind == GADGET_ITEM_TOOL_CALL
                         ? gadget_item_new_tool_call (self->call_id, self->name)
                         : gadget_item_new (self->kind);
  g_autoptr (GPtrArray) attachments = _gadget_attachments_from_rows (self->attachments);

  gadget_attachments_set (item, attachments);
  gadget_item_set_step (item, self->step);
  add_text (self, item);
  if (self->arguments->len > 0)
    gadget_item_append_arguments (item, self->arguments->str);
  gadget_item_set_result (item, self->result);
  _gadget_picture_rows_apply (self->pictures, item);
  gadget_item_take_call_summary (item, make_call_summary (self));
  gadget_item_set_replay (item, self->replay_source, self->replay);
  gadget_item_set_child_ids (item, self->child, self->child_turn);
  gadget_item_set_started_at (item, self->started_at);
  gadget_item_set_ended_at (item, self->ended_at);
  gadget_item_set_status (item, self->status);
  return item;
}

/* Adds to the item the text that is longer in @self, and sets the other fields. */
void
_gadget_item_row_update (const GadgetItemRow *self, GadgetItem *item)
{
  const gsize written = strlen (gadget_item_get_arguments (item));

  add_text (self, item);
  if (self->arguments->len > written)
    gadget_item_append_arguments (item, self->arguments->str + written);
  gadget_item_set_result (item, self->result);
  _gadget_picture_rows_apply (self->pictures, item);
  gadget_item_take_call_summary (item, make_call_summary (self));
  gadget_item_set_replay (item, self->replay_source, self->replay);
  gadget_item_set_child_ids (item, self->child, self->child_turn);
  gadget_item_set_started_at (item, self->started_at);
  gadget_item_set_ended_at (item, self->ended_at);
  gadget_item_set_status (item, self->status);
}

/* Reads a row that has the columns of an item from @first_column on. */
GadgetItemRow *
_gadget_item_row_read (sqlite3_stmt *stmt, int first_column)
{
  GadgetItemRow *self = g_new0 (GadgetItemRow, 1);

  _gadget_store_table_read (&_gadget_item_table, self, stmt, first_column);
  self->whole = TRUE;
  return self;
}

static gboolean
delete_pieces (sqlite3 *db, gint64 turn_number, guint position, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "DELETE FROM piece WHERE turn = ?1 AND position = ?2", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  _gadget_sql_bind_int (stmt, 2, position);
  return _gadget_sql_run (stmt, error);
}

/* The parameters behind the columns are the mask of columns to keep and the number of the turn. */
static char *
dup_write_sql (void)
{
  const GadgetStoreTable *table = &_gadget_item_table;
  g_autofree char *names = _gadget_store_table_dup_names (table, NULL, 0);
  g_autofree char *values = _gadget_store_table_dup_values (table);
  g_autofree char *updates = _gadget_store_table_dup_updates (table);

  return g_strdup_printf ("INSERT INTO item (%s, turn) VALUES (%s, ?%u)"
                          " ON CONFLICT (turn, position) DO UPDATE SET %s",
                          names, values, table->n_columns + 2, updates);
}

static const char *
get_write_sql (void)
{
  static char *sql;

  if (g_once_init_enter_pointer (&sql))
    g_once_init_leave_pointer (&sql, dup_write_sql ());
  return sql;
}

/* Creates or updates the row. A complete item needs no pieces any more, so they are deleted. */
gboolean
_gadget_item_row_write (const GadgetItemRow *self, sqlite3 *db, gint64 turn_number,
                        const char *session_id, GError **error)
{
  const int n_columns = (int) _gadget_item_table.n_columns;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, get_write_sql (), error);

  if (stmt == NULL)
    return FALSE;
  _gadget_store_table_bind (&_gadget_item_table, self, stmt);
  _gadget_sql_bind_int (stmt, n_columns + 1, self->whole ? 0 : GADGET_ITEM_KEEP_TEXT);
  _gadget_sql_bind_int (stmt, n_columns + 2, turn_number);
  return _gadget_sql_run (stmt, error)
         && _gadget_attachment_rows_write (self->attachments, db, session_id, TRUE, error)
         && _gadget_picture_rows_write (self->pictures, db, turn_number, self->position, error)
         && (!self->whole || delete_pieces (db, turn_number, self->position, error));
}

void
_gadget_item_row_free (GadgetItemRow *self)
{
  _gadget_store_table_clear (&_gadget_item_table, self);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_free (self);
}

/* Gives an end to an item that its process did not end. */
void
_gadget_item_row_interrupt (GadgetItemRow *self, gint64 ended_at)
{
  switch (self->status)
    {
    case GADGET_ITEM_STREAMING:
      self->status =
          self->kind == GADGET_ITEM_TOOL_CALL ? GADGET_ITEM_NOT_RUN : GADGET_ITEM_ABORTED;
      break;
    case GADGET_ITEM_PENDING:
      self->status = GADGET_ITEM_NOT_RUN;
      if (self->result == NULL)
        self->result = g_strdup (NOT_STARTED_RESULT);
      break;
    case GADGET_ITEM_RUNNING:
      self->status = GADGET_ITEM_ABORTED;
      break;
    default:
      return;
    }
  if (self->ended_at == 0)
    self->ended_at = ended_at;
}
