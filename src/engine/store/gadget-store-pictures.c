/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures are written once, with their item, and never change. Loading a session reads their
 * descriptions; their bytes are read for the next request, or to be shown. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-pictures.h"

#include "gadget-store-pictures-private.h"
#include "gadget-store-rows.h"
#include "common/gadget-json.h"
#include "session/gadget-session-pictures.h"

/* A picture as plain data. */
typedef struct
{
  char *id;
  char *name; /* (nullable) */
  char *mime_type;
  guint width;
  guint height;
  gsize size;
  GBytes *data; /* NULL if not in memory, and stored already */
} GadgetPictureRow;

static void
row_free (gpointer data)
{
  GadgetPictureRow *row = data;

  g_free (row->id);
  g_free (row->name);
  g_free (row->mime_type);
  g_clear_pointer (&row->data, g_bytes_unref);
  g_free (row);
}

GPtrArray *
_gadget_picture_rows_new_from (GadgetItem *item)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);
  GPtrArray *rows;

  if (pictures == NULL)
    return NULL;
  rows = g_ptr_array_new_with_free_func (row_free);
  for (guint i = 0; i < pictures->len; i++)
    {
      const GadgetPicture *picture = g_ptr_array_index (pictures, i);
      GadgetPictureRow *row = g_new0 (GadgetPictureRow, 1);
      GBytes *data = gadget_picture_get_data (picture);

      row->id = g_strdup (gadget_picture_get_id (picture));
      row->name = g_strdup (gadget_picture_get_name (picture));
      row->mime_type = g_strdup (gadget_picture_get_mime_type (picture));
      row->width = gadget_picture_get_width (picture);
      row->height = gadget_picture_get_height (picture);
      row->size = gadget_picture_get_size (picture);
      row->data = data != NULL ? g_bytes_ref (data) : NULL;
      g_ptr_array_add (rows, row);
    }
  return rows;
}

/* Pictures are set once, so an item that has pictures keeps them. */
void
_gadget_picture_rows_apply (GPtrArray *rows, GadgetItem *item)
{
  g_autoptr (GPtrArray) pictures = NULL;

  if (rows == NULL || gadget_item_get_pictures (item) != NULL)
    return;
  pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetPictureRow *row = g_ptr_array_index (rows, i);

      g_ptr_array_add (pictures, gadget_picture_new_stored (row->id, row->name, row->mime_type,
                                                            row->width, row->height, row->size));
    }
  gadget_item_set_pictures (item, pictures);
}

/* Bytes that are not in memory are in the database already, and have no "data". */
JsonNode *
_gadget_picture_rows_to_json (GPtrArray *rows)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_array (json);
  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetPictureRow *row = g_ptr_array_index (rows, i);

      json_builder_begin_object (json);
      json_builder_set_member_name (json, "id");
      json_builder_add_string_value (json, row->id);
      if (row->name != NULL)
        {
          json_builder_set_member_name (json, "name");
          json_builder_add_string_value (json, row->name);
        }
      json_builder_set_member_name (json, "mime_type");
      json_builder_add_string_value (json, row->mime_type);
      gadget_json_add_int (json, "width", row->width);
      gadget_json_add_int (json, "height", row->height);
      gadget_json_add_bytes (json, "data", row->data);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  return json_builder_get_root (json);
}

static GadgetPictureRow *
row_from_json (JsonObject *object)
{
  const char *id = gadget_json_get_string (object, "id");
  const char *mime_type = gadget_json_get_string (object, "mime_type");
  GadgetPictureRow *row;
  gint64 width = 0;
  gint64 height = 0;

  if (id == NULL || mime_type == NULL)
    return NULL;
  gadget_json_get_int (object, "width", &width);
  gadget_json_get_int (object, "height", &height);
  row = g_new0 (GadgetPictureRow, 1);
  row->id = g_strdup (id);
  row->name = g_strdup (gadget_json_get_string (object, "name"));
  row->mime_type = g_strdup (mime_type);
  row->width = (guint) CLAMP (width, 0, G_MAXINT);
  row->height = (guint) CLAMP (height, 0, G_MAXINT);
  row->data = gadget_json_get_bytes (object, "data");
  row->size = row->data != NULL ? g_bytes_get_size (row->data) : 0;
  return row;
}

GPtrArray *
_gadget_picture_rows_from_json (JsonArray *array)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (row_free);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);
      GadgetPictureRow *row = object != NULL ? row_from_json (object) : NULL;

      if (row != NULL)
        g_ptr_array_add (rows, row);
    }
  return rows;
}

/* --- On the thread ---------------------------------------------------------------------------- */

gboolean
_gadget_picture_rows_write (GPtrArray *rows, sqlite3 *db, gint64 turn_number, guint item,
                            GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;

  if (rows == NULL)
    return TRUE;
  stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO picture (turn, item, position, id, name, mime_type, width, height, data)"
      " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9"
      " WHERE NOT EXISTS (SELECT 1 FROM picture WHERE id = ?4)",
      error);
  if (stmt == NULL)
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetPictureRow *row = g_ptr_array_index (rows, i);
      int n = 0;

      if (row->data == NULL)
        continue;
      _gadget_sql_bind_int (stmt, ++n, turn_number);
      _gadget_sql_bind_int (stmt, ++n, item);
      _gadget_sql_bind_int (stmt, ++n, i);
      _gadget_sql_bind_text (stmt, ++n, row->id);
      _gadget_sql_bind_text (stmt, ++n, row->name);
      _gadget_sql_bind_text (stmt, ++n, row->mime_type);
      _gadget_sql_bind_int (stmt, ++n, row->width);
      _gadget_sql_bind_int (stmt, ++n, row->height);
      sqlite3_bind_blob64 (stmt, ++n, g_bytes_get_data (row->data, NULL), row->size, SQLITE_STATIC);
      if (!_gadget_sql_run (stmt, error))
        return FALSE;
    }
  return TRUE;
}

/* Reads a row of the query in _gadget_pictures_read (). SQLite knows the length of a blob without
 * reading it. */
static GadgetPictureRow *
row_read (sqlite3_stmt *stmt)
{
  GadgetPictureRow *row = g_new0 (GadgetPictureRow, 1);

  row->id = _gadget_sql_dup_text (stmt, 2);
  row->name = _gadget_sql_dup_text (stmt, 3);
  row->mime_type = _gadget_sql_dup_text (stmt, 4);
  row->width = (guint) sqlite3_column_int64 (stmt, 5);
  row->height = (guint) sqlite3_column_int64 (stmt, 6);
  row->size = (gsize) sqlite3_column_int64 (stmt, 7);
  return row;
}

static void
give (GPtrArray *items, gint64 position, GadgetPictureRow *picture)
{
  GadgetItemRow *item;

  /* Positions have no gaps, because items are only ever appended. */
  if (position < 0 || position >= items->len)
    {
      row_free (picture);
      return;
    }
  item = g_ptr_array_index (items, (guint) position);
  if (item->pictures == NULL)
    item->pictures = g_ptr_array_new_with_free_func (row_free);
  g_ptr_array_add (item->pictures, picture);
}

gboolean
_gadget_pictures_read (sqlite3 *db, const char *session_id, gint64 after, GPtrArray *turns,
                       GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT turn.number, picture.item, picture.id, name, mime_type, width, height, length (data)"
      " FROM turn JOIN picture ON picture.turn = turn.number"
      " WHERE turn.session = (SELECT number FROM session WHERE id = ?1) AND turn.position > ?2"
      " AND turn.removed_at IS NULL ORDER BY turn.position, picture.item, picture.position",
      error);
  guint at = 0;
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  _gadget_sql_bind_int (stmt, 2, after);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      const gint64 number = has_row ? sqlite3_column_int64 (stmt, 0) : 0;

      if (!has_row)
        return TRUE;
      while (at < turns->len && ((GadgetTurnRow *) g_ptr_array_index (turns, at))->number != number)
        at++;
      if (at < turns->len)
        give (((GadgetTurnRow *) g_ptr_array_index (turns, at))->items,
              sqlite3_column_int64 (stmt, 1), row_read (stmt));
    }
  return FALSE;
}

static gboolean
read_bytes (sqlite3 *db, gpointer data, GError **error)
{
  GPtrArray *rows = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT data FROM picture WHERE id = ?1"
                           " UNION ALL SELECT data FROM attachment WHERE id = ?1",
                           error);

  if (stmt == NULL)
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    {
      GadgetPictureRow *row = g_ptr_array_index (rows, i);
      gboolean has_row;

      _gadget_sql_bind_text (stmt, 1, row->id);
      if (!_gadget_sql_next (stmt, &has_row, error))
        return FALSE;
      /* A picture that was removed has no row, or an empty one. */
      if (has_row && sqlite3_column_bytes (stmt, 0) > 0)
        row->data =
            g_bytes_new (sqlite3_column_blob (stmt, 0), (gsize) sqlite3_column_bytes (stmt, 0));
      sqlite3_reset (stmt);
    }
  return TRUE;
}

/* --- On the main context ---------------------------------------------------------------------- */

static void
unref_array (gpointer array)
{
  g_ptr_array_unref (array);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *pictures = g_task_get_task_data (task);
  GPtrArray *rows = gadget_store_get_job_data (result);
  GError *error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetPictureRow *row = g_ptr_array_index (rows, i);

      if (row->data != NULL)
        gadget_picture_set_data (g_ptr_array_index (pictures, i), row->data);
    }
  g_task_return_boolean (task, TRUE);
}

void
gadget_store_load_pictures_async (GadgetStore *self, GadgetSession *session,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GPtrArray) pictures = gadget_session_choose_pictures (session);
  GPtrArray *rows;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  g_task_set_source_tag (task, gadget_store_load_pictures_async);
  for (guint i = pictures->len; i > 0; i--)
    if (gadget_picture_get_data (g_ptr_array_index (pictures, i - 1)) != NULL)
      g_ptr_array_remove_index_fast (pictures, i - 1);
  if (pictures->len == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  rows = g_ptr_array_new_with_free_func (row_free);
  for (guint i = 0; i < pictures->len; i++)
    {
      GadgetPictureRow *row = g_new0 (GadgetPictureRow, 1);

      row->id = g_strdup (gadget_picture_get_id (g_ptr_array_index (pictures, i)));
      g_ptr_array_add (rows, row);
    }
  g_task_set_task_data (task, g_steal_pointer (&pictures), unref_array);
  gadget_store_run_async (self, read_bytes, rows, unref_array, read_cb, g_steal_pointer (&task));
}

/**
 * gadget_store_load_pictures_finish:
 *
 * Returns: whether the bytes of all stored pictures are in memory; else @error is a
 *   #GadgetStoreError
 */
gboolean
gadget_store_load_pictures_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
read_one_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *rows = gadget_store_get_job_data (result);
  GadgetPictureRow *row = g_ptr_array_index (rows, 0);
  GError *error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    g_task_return_error (task, error);
  else if (row->data == NULL)
    g_task_return_new_error (task, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                             "There is no such picture.");
  else
    g_task_return_pointer (task, g_bytes_ref (row->data), (GDestroyNotify) g_bytes_unref);
}

void
gadget_store_read_picture_async (GadgetStore *self, const char *id, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GPtrArray *rows;
  GadgetPictureRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL);

  g_task_set_source_tag (task, gadget_store_read_picture_async);
  row = g_new0 (GadgetPictureRow, 1);
  row->id = g_strdup (id);
  rows = g_ptr_array_new_with_free_func (row_free);
  g_ptr_array_add (rows, row);
  gadget_store_run_async (self, read_bytes, rows, unref_array, read_one_cb,
                          g_steal_pointer (&task));
}

/**
 * gadget_store_read_picture_finish:
 *
 * Returns: (transfer full): the content of the picture's file, or %NULL with a #GadgetStoreError:
 *   %GADGET_STORE_ERROR_NOT_FOUND if there is no such picture
 */
GBytes *
gadget_store_read_picture_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
