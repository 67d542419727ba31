/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exports chats: reads their rows and writes them to a stream, in a thread with a connection of its
 * own, within one read transaction. So the export is of one moment, the store goes on meanwhile,
 * and memory is needed for one row at a time. Chats of subagents belong to the chats that they work
 * for. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-blocking.h"
#include "common/gadget-id.h"
#include "gadget-export-private.h"
#include "store/gadget-store-schema.h"

/* How long a query waits for the lock of another process, in milliseconds. */
#define BUSY_TIMEOUT_MS 5000

GadgetExport *
_gadget_export_new (const char *directory, const char *const *ids, GadgetExportParts parts)
{
  GadgetExport *self = g_new0 (GadgetExport, 1);

  self->directory = g_strdup (directory);
  self->ids = g_strdupv ((char **) ids);
  self->parts = parts;
  return self;
}

void
_gadget_export_free (gpointer data)
{
  GadgetExport *self = data;

  g_free (self->directory);
  g_strfreev (self->ids);
  g_clear_object (&self->stream);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_object (&self->file);
  g_clear_pointer (&self->n_written, g_atomic_rc_box_release);
  g_free (self);
}

gboolean
_gadget_export_write (GadgetExport *self, const char *text, GError **error)
{
  return g_output_stream_write_all (self->stream, text, strlen (text), NULL, self->cancellable,
                                    error);
}

gboolean
_gadget_export_foreach (GadgetExport *self, const char *sql, gint64 key, GadgetExportRowFunc func,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (self->db, sql, error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, key);
  for (guint i = 0; _gadget_sql_next (stmt, &has_row, error); i++)
    {
      if (!has_row)
        return TRUE;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
          || !func (self, stmt, i, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
write_chat (GadgetExport *self, gint64 number, GError **error)
{
  const gboolean ok = self->writer != NULL ? _gadget_export_walk_chat (self, number, error)
                                           : _gadget_export_json_chat (self, number, error);

  self->n_chats += ok;
  if (self->n_written != NULL)
    g_atomic_int_set (self->n_written, (int) self->n_chats);
  return ok;
}

static gboolean
write_listed (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  return write_chat (self, sqlite3_column_int64 (stmt, 0), error);
}

static gboolean
write_named (GadgetExport *self, const char *id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (self->db, "SELECT number FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (has_row)
    return write_chat (self, sqlite3_column_int64 (stmt, 0), error);
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "there is no session %s",
               id);
  return FALSE;
}

static gboolean
write_chats (GadgetExport *self, GError **error)
{
  if (self->ids == NULL)
    return _gadget_export_foreach (
        self, "SELECT number FROM session WHERE " GADGET_SQL_IS_CHAT " ORDER BY created_at, number",
        0, write_listed, error);
  for (guint i = 0; self->ids[i] != NULL; i++)
    if (!write_named (self, self->ids[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
write_all (GadgetExport *self, GError **error)
{
  if (self->writer == NULL)
    return _gadget_export_json_begin (self, error) && write_chats (self, error)
           && _gadget_export_json_end (self, error);
  if (self->writer == &_gadget_export_html_writer)
    return _gadget_export_html_begin (self, error) && write_chats (self, error)
           && _gadget_export_html_end (self, error);
  return write_chats (self, error);
}

gboolean
_gadget_export_run (GadgetExport *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->directory, "gadget.db", NULL);
  int code = sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  gboolean ok = FALSE;

  _gadget_sql_enter_thread ();
  if (code != SQLITE_OK)
    _gadget_sql_set_error (self->db, code, error);
  else
    {
      sqlite3_busy_timeout (self->db, BUSY_TIMEOUT_MS);
      ok = _gadget_sql_exec (self->db, "BEGIN", error) && write_all (self, error)
           && (self->stream == NULL
               || g_output_stream_flush (self->stream, self->cancellable, error));
    }
  sqlite3_close_v2 (self->db);
  return ok;
}

/* GIO replaces a file that exists when the stream is closed, unless that is cancelled. */
static gboolean
replace_file (GadgetExport *self, GError **error)
{
  g_autoptr (GCancellable) stopped = g_cancellable_new ();

  self->stream = G_OUTPUT_STREAM (
      g_file_replace (self->file, NULL, FALSE, G_FILE_CREATE_PRIVATE, self->cancellable, error));
  if (self->stream == NULL)
    return FALSE;
  if (_gadget_export_run (self, error))
    return g_output_stream_close (self->stream, self->cancellable, error);
  g_cancellable_cancel (stopped);
  g_output_stream_close (self->stream, stopped, NULL);
  return FALSE;
}

/* A new file would be there at once, so another one gets its name at the end. */
static gboolean
make_file (GadgetExport *self, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (self->file);
  g_autofree char *name = g_file_get_basename (self->file);
  g_autofree char *random = gadget_id_new ();
  g_autofree char *partial_name = g_strdup_printf (".%.100s-%.8s.part", name, random);
  g_autoptr (GFile) partial = g_file_get_child (folder, partial_name);
  gboolean ok;

  self->stream =
      G_OUTPUT_STREAM (g_file_create (partial, G_FILE_CREATE_PRIVATE, self->cancellable, error));
  if (self->stream == NULL)
    return FALSE;
  ok = _gadget_export_run (self, error);
  ok = g_output_stream_close (self->stream, NULL, ok ? error : NULL) && ok;
  ok = ok
       && g_file_move (partial, self->file, G_FILE_COPY_OVERWRITE, self->cancellable, NULL, NULL,
                       error);
  if (!ok)
    g_file_delete (partial, NULL, NULL);
  return ok;
}

static gpointer
export_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  GadgetExport *self = data;
  gboolean ok;

  self->cancellable = cancellable;
  if (self->file == NULL)
    ok = _gadget_export_run (self, error);
  else if (g_file_query_exists (self->file, cancellable))
    ok = replace_file (self, error);
  else
    ok = make_file (self, error);
  return ok ? GUINT_TO_POINTER (self->n_chats + 1) : NULL;
}

static GadgetExport *
export_new (const char *directory, const char *const *ids, GadgetExportFormat format,
            GadgetExportParts parts)
{
  static const GadgetExportWriter *const writers[] = {
    [GADGET_EXPORT_JSON] = NULL,
    [GADGET_EXPORT_MARKDOWN] = &_gadget_export_markdown_writer,
    [GADGET_EXPORT_HTML] = &_gadget_export_html_writer,
  };
  GadgetExport *self = _gadget_export_new (directory, ids, parts);

  self->writer = writers[format];
  return self;
}

/**
 * gadget_export_async:
 * @directory: the data folder
 * @ids: (nullable) (array zero-terminated=1): the ids of the chats, in the order in which they are
 *   written; %NULL for all of them, the oldest first
 * @parts: what a text contains besides prompts and answers
 * @stream: the stream to write to, which is flushed but not closed
 *
 * Writes chats to a stream. After an error it contains a part of them. Nothing else may use the
 * stream until the export has ended.
 */
void
gadget_export_async (const char *directory, const char *const *ids, GadgetExportFormat format,
                     GadgetExportParts parts, GOutputStream *stream, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetExport *self;

  g_return_if_fail (directory != NULL && G_IS_OUTPUT_STREAM (stream));

  self = export_new (directory, ids, format, parts);
  self->stream = g_object_ref (stream);
  gadget_blocking_run_async (cancellable, export_in_thread, self, _gadget_export_free, NULL,
                             callback, user_data);
}

/**
 * gadget_export_to_file_async:
 * @ids: (nullable) (array zero-terminated=1): as for gadget_export_async ()
 * @file: the file, which only the user can read
 * @n_written: (nullable): a box of g_atomic_rc_box_new0 () in which the thread counts the chats
 *   that were written; read it atomically
 *
 * Writes chats to a file. It gets its name, or its new content, when it is complete: after an error
 * or a stop everything is as it was before.
 */
void
gadget_export_to_file_async (const char *directory, const char *const *ids,
                             GadgetExportFormat format, GadgetExportParts parts, GFile *file,
                             int *n_written, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetExport *self;

  g_return_if_fail (directory != NULL && G_IS_FILE (file));

  self = export_new (directory, ids, format, parts);
  self->file = g_object_ref (file);
  self->n_written = n_written != NULL ? g_atomic_rc_box_acquire (n_written) : NULL;
  gadget_blocking_run_async (cancellable, export_in_thread, self, _gadget_export_free, NULL,
                             callback, user_data);
}

/**
 * gadget_export_finish:
 * @n_chats: (out) (optional): the number of chats that were written
 *
 * Returns: whether all chats were written; else @error is a #GadgetStoreError (NOT_FOUND for an
 *   unknown id), an error of the stream or the file, or one of gadget_blocking_run_finish ()
 */
gboolean
gadget_export_finish (GAsyncResult *result, guint *n_chats, GError **error)
{
  const gpointer n = gadget_blocking_run_finish (result, error);

  if (n != NULL && n_chats != NULL)
    *n_chats = GPOINTER_TO_UINT (n) - 1;
  return n != NULL;
}
