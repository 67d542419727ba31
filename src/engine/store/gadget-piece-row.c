/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-rows.h"

GadgetPieceRow *
_gadget_piece_row_new (guint position, const char *field, const char *text, gsize from, gsize to)
{
  GadgetPieceRow *self = g_new0 (GadgetPieceRow, 1);

  self->position = position;
  self->field = field;
  self->offset = from;
  self->length = to - from;
  self->data = g_memdup2 (text + from, self->length);
  return self;
}

gboolean
_gadget_piece_row_write (const GadgetPieceRow *self, sqlite3 *db, gint64 turn_number,
                         GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  int n = 0;

  stmt = _gadget_sql_prepare (db,
                              "INSERT OR REPLACE INTO piece (turn, position, field, offset, data)"
                              " VALUES (?1, ?2, ?3, ?4, ?5)",
                              error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, ++n, turn_number);
  _gadget_sql_bind_int (stmt, ++n, self->position);
  _gadget_sql_bind_text (stmt, ++n, self->field);
  _gadget_sql_bind_int (stmt, ++n, (gint64) self->offset);
  _gadget_sql_bind_bytes (stmt, ++n, self->data, self->length);
  return _gadget_sql_run (stmt, error);
}

/* Appends the part of a piece that @text does not have yet. Pieces may overlap if a write was
 * repeated; a piece behind a gap cannot be trusted and is ignored. */
static void
join_piece (GString *text, gint64 offset, const char *data, gsize length)
{
  gsize known;

  if (offset < 0 || (guint64) offset > text->len)
    return;
  known = text->len - (gsize) offset;
  if (length > known)
    g_string_append_len (text, data + known, (gssize) (length - known));
}

/* Completes @items, the rows of one turn in order of their positions, with the stored pieces. */
gboolean
_gadget_pieces_read (sqlite3 *db, gint64 turn_number, GPtrArray *items, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT position, field, offset, data FROM piece WHERE turn = ?1"
                           " ORDER BY position, field, offset",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, turn_number);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;

      gint64 position = sqlite3_column_int64 (stmt, 0);
      const char *field = (const char *) sqlite3_column_text (stmt, 1);
      const char *data = (const char *) sqlite3_column_text (stmt, 3);
      GadgetItemRow *item;

      /* Positions have no gaps, because items are only ever appended. */
      if (position < 0 || position >= items->len)
        continue;
      item = g_ptr_array_index (items, (guint) position);
      join_piece (g_strcmp0 (field, GADGET_PIECE_TEXT) == 0 ? item->text : item->arguments,
                  sqlite3_column_int64 (stmt, 2), data, (gsize) sqlite3_column_bytes (stmt, 3));
    }
  return FALSE;
}

void
_gadget_piece_row_free (GadgetPieceRow *self)
{
  g_free (self->data);
  g_free (self);
}
