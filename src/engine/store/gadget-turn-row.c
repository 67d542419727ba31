/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of a turn: conversion from and to #GadgetTurn on the main context, reading and writing on
 * the store's thread. The receipt is stored as JSON. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-deletion-private.h"
#include "gadget-store-rows.h"

#include "common/gadget-clock.h"

/* Returns {"total_ms":…,"lines":[…]}, or NULL for an empty receipt. */
static char *
dup_receipt (GadgetReceipt *receipt)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  if (gadget_receipt_get_n_lines (receipt) == 0 && gadget_receipt_get_total_ms (receipt) <= 0)
    return NULL;
  object = json_object_new ();
  json_object_set_double_member (object, "total_ms", gadget_receipt_get_total_ms (receipt));
  json_object_set_member (object, "lines", gadget_receipt_to_json (receipt));
  root = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (root, object);
  return json_to_string (root, FALSE);
}

static GadgetReceipt *
make_receipt (const char *text)
{
  g_autoptr (JsonNode) root = text != NULL ? json_from_string (text, NULL) : NULL;
  JsonObject *object;
  GadgetReceipt *receipt;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  object = json_node_get_object (root);
  receipt = gadget_receipt_new_from_json (json_object_get_member (object, "lines"));
  gadget_receipt_restore_total (receipt,
                                json_object_get_double_member_with_default (object, "total_ms", 0));
  return receipt;
}

GadgetTurnRow *
_gadget_turn_row_new_from (GadgetTurn *turn, gboolean with_attachments)
{
  GadgetTurnRow *self = g_new0 (GadgetTurnRow, 1);

  self->id = g_strdup (gadget_turn_get_id (turn));
  self->prompt = g_strdup (gadget_turn_get_prompt (turn));
  self->status = gadget_turn_get_status (turn);
  self->stop_reason = gadget_turn_get_stop_reason (turn);
  self->error_code = g_strdup (gadget_turn_get_error_code (turn));
  self->error_detail = g_strdup (gadget_turn_get_error_detail (turn));
  self->provider = g_strdup (gadget_turn_get_provider (turn));
  self->model = g_strdup (gadget_turn_get_model (turn));
  self->started_at = gadget_turn_get_started_at (turn);
  self->ended_at = gadget_turn_get_ended_at (turn);
  self->usage = *gadget_turn_get_usage (turn);
  self->receipt = dup_receipt (gadget_turn_get_receipt (turn));
  if (with_attachments)
    self->attachments = _gadget_attachment_rows_new_from (gadget_attachments_get (turn));
  return self;
}

static GadgetTurnRecord
make_record (const GadgetTurnRow *self, GadgetReceipt *receipt)
{
  return (GadgetTurnRecord) {
    .status = self->status,
    .stop_reason = self->stop_reason,
    .error_code = self->error_code,
    .error_detail = self->error_detail,
    .started_at = self->started_at,
    .ended_at = self->ended_at,
    .usage = self->usage,
    .receipt = receipt,
  };
}

/* Makes the turn with its items. */
GadgetTurn *
_gadget_turn_row_make (const GadgetTurnRow *self)
{
  GadgetTurn *turn = gadget_turn_new (self->id, self->prompt);
  g_autoptr (GadgetReceipt) receipt = make_receipt (self->receipt);
  const GadgetTurnRecord record = make_record (self, receipt);
  g_autoptr (GPtrArray) attachments = _gadget_attachments_from_rows (self->attachments);

  gadget_turn_set_model (turn, self->provider, self->model);
  gadget_attachments_set (turn, attachments);
  for (guint i = 0; i < self->items->len; i++)
    {
      g_autoptr (GadgetItem) item = _gadget_item_row_make (g_ptr_array_index (self->items, i));

      gadget_turn_append (turn, item);
    }
  gadget_turn_restore (turn, &record);
  return turn;
}

/* Updates a turn that another process works on to the stored state. Existing items keep their
 * objects, and their text only grows. */
void
_gadget_turn_row_update (const GadgetTurnRow *self, GadgetTurn *turn)
{
  g_autoptr (GadgetReceipt) receipt = make_receipt (self->receipt);
  const GadgetTurnRecord record = make_record (self, receipt);

  for (guint i = 0; i < self->items->len; i++)
    {
      const GadgetItemRow *row = g_ptr_array_index (self->items, i);

      if (i < gadget_turn_get_n_items (turn))
        _gadget_item_row_update (row, gadget_turn_get_item (turn, i));
      else
        {
          g_autoptr (GadgetItem) item = _gadget_item_row_make (row);

          gadget_turn_append (turn, item);
        }
    }
  gadget_turn_restore (turn, &record);
}

/* Reads a row that begins with the number and the columns of a turn, without its items. */
GadgetTurnRow *
_gadget_turn_row_read (sqlite3_stmt *stmt)
{
  GadgetTurnRow *self = g_new0 (GadgetTurnRow, 1);

  self->number = sqlite3_column_int64 (stmt, 0);
  _gadget_store_table_read (&_gadget_turn_table, self, stmt, 1);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_item_row_free);
  return self;
}

/* The parameters behind the columns are the time of the write and the id of the session. */
static char *
dup_write_sql (void)
{
  const GadgetStoreTable *table = &_gadget_turn_table;
  g_autofree char *names = _gadget_store_table_dup_names (table, NULL, 0);
  g_autofree char *values = _gadget_store_table_dup_values (table);
  g_autofree char *updates = _gadget_store_table_dup_updates (table);

  return g_strdup_printf (
      "INSERT INTO turn (session, position, %s, changed_at)"
      " SELECT number,"
      "  (SELECT coalesce(max(position) + 1, 0) FROM turn WHERE turn.session = session.number),"
      "  %s, ?%u"
      " FROM session WHERE id = ?%u"
      " ON CONFLICT (id) DO UPDATE SET %s, changed_at = excluded.changed_at"
      " RETURNING number",
      names, values, table->n_columns + 1, table->n_columns + 2, updates);
}

static const char *
get_write_sql (void)
{
  static char *sql;

  if (g_once_init_enter_pointer (&sql))
    g_once_init_leave_pointer (&sql, dup_write_sql ());
  return sql;
}

/* Creates or updates the row and sets @number to its primary key. A new row becomes the last turn
 * of the session, whose row must exist: else %GADGET_STORE_ERROR_NOT_FOUND or
 * %GADGET_STORE_ERROR_DELETED. */
gboolean
_gadget_turn_row_write (const GadgetTurnRow *self, sqlite3 *db, const char *session_id,
                        gint64 *number, GError **error)
{
  const int n_columns = (int) _gadget_turn_table.n_columns;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, get_write_sql (), error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_store_table_bind (&_gadget_turn_table, self, stmt);
  _gadget_sql_bind_int (stmt, n_columns + 1, gadget_clock_wall_ms ());
  _gadget_sql_bind_text (stmt, n_columns + 2, session_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                   "there is no session %s", session_id);
      _gadget_deletion_explain (db, session_id, error);
      return FALSE;
    }
  *number = sqlite3_column_int64 (stmt, 0);
  return _gadget_attachment_rows_write (self->attachments, db, session_id, TRUE, error);
}

void
_gadget_turn_row_free (GadgetTurnRow *self)
{
  _gadget_store_table_clear (&_gadget_turn_table, self);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self);
}
