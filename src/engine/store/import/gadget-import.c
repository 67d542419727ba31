/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Imports chats from files: those that Gadget has exported, and those of other programs. What a
 * file is follows from its bytes and its members, never from its name.
 *
 * A thread reads the files and writes the chats, a few in each transaction; see
 * gadget-import-writer.c for how nothing is seen of them until all are there. Nothing in a file is
 * fetched, rendered or run, and of archives only the files with chats are read. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <gio/gfiledescriptorbased.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "gadget-import.h"

#include "gadget-import-alpaca.h"
#include "gadget-import-error.h"
#include "gadget-import-formats.h"
#include "gadget-import-json.h"
#include "gadget-import-writer.h"
#include "gadget-import-zip.h"

#include "common/gadget-blocking.h"
#include "common/gadget-json.h"

#define FORMAT "gadget-chats"
#define VERSION 1

#define SNIFFED_BYTES 4096
/* The progress is reported no more often. */
#define PROGRESS_US (100 * G_TIME_SPAN_MILLISECOND)

/* What the thread and the caller share, since the caller may be gone before the thread. */
typedef struct
{
  GadgetImportProgressFunc func; /* (nullable) */
  gpointer user_data;
  gboolean ended; /* used on the main context only */
} Progress;

typedef struct
{
  Progress *progress;
  double fraction;
  guint n_chats;
} Post;

typedef struct
{
  char *directory;
  char **paths;
  Progress *progress;
  /* Used in the thread. */
  GadgetImportWriter *writer;
  GadgetImportReport report;
  GCancellable *cancellable;
  int fd;        /* of the file that is read; -1 if it has none */
  goffset size;  /* of that */
  guint n_files; /* that were read */
  guint n_known; /* entries of this file that are chats */
  gint64 posted_at;
} Import;

typedef struct
{
  Progress *progress;
  GAsyncReadyCallback callback;
  gpointer user_data;
} Call;

/* --- Progress --------------------------------------------------------------------------------- */

static void
post_free (gpointer data)
{
  Post *post = data;

  g_atomic_rc_box_release (post->progress);
  g_free (post);
}

static gboolean
posted_cb (gpointer data)
{
  const Post *post = data;

  if (!post->progress->ended)
    post->progress->func (post->fraction, post->n_chats, post->progress->user_data);
  return G_SOURCE_REMOVE;
}

static void
report_progress (Import *self)
{
  const gint64 now = g_get_monotonic_time ();
  double within = 0;
  Post *post;

  if (self->progress->func == NULL || now - self->posted_at < PROGRESS_US)
    return;
  self->posted_at = now;
  if (self->fd >= 0 && self->size > 0)
    within = (double) lseek (self->fd, 0, SEEK_CUR) / (double) self->size;
  post = g_new0 (Post, 1);
  post->progress = g_atomic_rc_box_acquire (self->progress);
  post->fraction = (self->n_files + CLAMP (within, 0, 1)) / g_strv_length (self->paths);
  post->n_chats = self->report.n_added + self->report.n_extended + self->report.n_unchanged
                  + self->report.n_kept;
  g_idle_add_full (G_PRIORITY_DEFAULT, posted_cb, post, post_free);
}

/* --- Chats ------------------------------------------------------------------------------------ */

static gboolean
add_row (Import *self, JsonObject *chat, GError **error)
{
  GadgetImportResult result;
  guint *const counts[] = {
    [GADGET_IMPORT_ADDED] = &self->report.n_added,
    [GADGET_IMPORT_EXTENDED] = &self->report.n_extended,
    [GADGET_IMPORT_UNCHANGED] = &self->report.n_unchanged,
    [GADGET_IMPORT_KEPT] = &self->report.n_kept,
    [GADGET_IMPORT_BROKEN] = &self->report.n_broken,
  };

  if (!_gadget_import_writer_add_chat (self->writer, chat, &result, error))
    return FALSE;
  ++*counts[result];
  return TRUE;
}

/* Adds a chat of another program (transfer full) (nullable). */
static gboolean
add_converted (Import *self, GadgetImportChat *converted, GError **error)
{
  g_autoptr (GadgetImportChat) chat = converted;
  g_autoptr (JsonObject) row = NULL;
  JsonObject *folder;

  self->n_known++;
  if (chat == NULL)
    {
      self->report.n_broken++;
      return TRUE;
    }
  row = _gadget_import_chat_end (chat);
  if (row == NULL)
    {
      self->report.n_empty++;
      return TRUE;
    }
  self->report.n_missing += _gadget_import_chat_get_n_missing (chat);
  folder = gadget_json_get_object (row, "folder");
  if (folder != NULL)
    _gadget_import_writer_add_folder (self->writer, folder);
  return add_row (self, row, error);
}

/* Adds an object of a file, if it is a chat. */
static gboolean
add_object (Import *self, JsonObject *object, gboolean is_own, GError **error)
{
  if (is_own)
    {
      self->n_known++;
      return add_row (self, object, error);
    }
  if (_gadget_import_is_chatgpt (object))
    return add_converted (self, _gadget_import_convert_chatgpt (object), error);
  if (_gadget_import_is_claude (object))
    return add_converted (self, _gadget_import_convert_claude (object), error);
  if (_gadget_import_is_open_webui (object))
    return add_converted (self, _gadget_import_convert_open_webui (object), error);
  self->report.n_foreign++;
  return TRUE;
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Reads what is before the chats of an export of Gadget's. */
static gboolean
read_head (Import *self, const GString *text, gboolean *is_own, GError **error)
{
  g_autoptr (JsonNode) node = gadget_json_parse_repaired (text->str, text->len, NULL);
  JsonObject *head =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonArray *folders = gadget_json_get_array (head, "folders");
  gint64 version = 0;

  *is_own = g_strcmp0 (gadget_json_get_string (head, "format"), FORMAT) == 0;
  if (!*is_own)
    return TRUE;
  self->n_known++;
  gadget_json_get_int (head, "version", &version);
  if (version != VERSION)
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                           _ ("A newer version of Gadget exported this file."));
      return FALSE;
    }
  for (guint i = 0; folders != NULL && i < json_array_get_length (folders); i++)
    {
      JsonObject *folder = gadget_json_get_element (folders, i);

      if (folder != NULL)
        _gadget_import_writer_add_folder (self->writer, folder);
    }
  return TRUE;
}

static gboolean
read_value (Import *self, const GString *text, gboolean is_own, GError **error)
{
  g_autoptr (JsonNode) node = gadget_json_parse_repaired (text->str, text->len, NULL);

  if (node == NULL)
    self->report.n_broken++;
  else if (JSON_NODE_HOLDS_OBJECT (node))
    return add_object (self, json_node_get_object (node), is_own, error);
  else
    self->report.n_foreign++;
  return TRUE;
}

static gboolean
read_json (Import *self, GInputStream *stream, GError **error)
{
  g_autoptr (GadgetImportJson) json =
      _gadget_import_json_new (stream, GADGET_IMPORT_JSON_MAX_BYTES);
  GadgetImportJsonEvent event = GADGET_IMPORT_JSON_HEAD;
  gboolean is_own = FALSE;

  while (event != GADGET_IMPORT_JSON_END)
    {
      const GString *text;
      gboolean ok = _gadget_import_json_next (json, &event, self->cancellable, error)
                    && !g_cancellable_set_error_if_cancelled (self->cancellable, error);

      text = _gadget_import_json_get_text (json);
      if (ok && event == GADGET_IMPORT_JSON_HEAD)
        ok = read_head (self, text, &is_own, error);
      else if (ok && event == GADGET_IMPORT_JSON_VALUE)
        ok = read_value (self, text, is_own, error);
      if (!ok)
        return FALSE;
      self->report.n_broken += event == GADGET_IMPORT_JSON_TOO_LARGE;
      self->report.n_cut += event == GADGET_IMPORT_JSON_CUT;
      report_progress (self);
    }
  return TRUE;
}

/* --- Files ------------------------------------------------------------------------------------ */

static gboolean
fail_unknown (const guint8 *bytes, gsize length, GError **error)
{
  g_autofree char *type = g_content_type_guess (NULL, bytes, length, NULL);
  g_autofree char *description = g_content_type_get_description (type);

  g_set_error (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
               /* Translators: a kind of file, as the desktop calls it */
               _ ("Gadget cannot read this file. It looks like this: %s"), description);
  return FALSE;
}

static gboolean
read_zip (Import *self, GInputStream *archive, GError **error)
{
  g_autoptr (GadgetImportZip) zip =
      _gadget_import_zip_new (archive, self->size, self->cancellable, error);

  if (zip == NULL)
    return FALSE;
  if (_gadget_import_zip_get_size (zip) == 0)
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                           _ ("There are no chats in this archive."));
      return FALSE;
    }
  for (guint i = 0; i < _gadget_import_zip_get_size (zip); i++)
    {
      g_autoptr (GInputStream) file =
          _gadget_import_zip_read_file (zip, i, self->cancellable, error);

      if (file == NULL || !read_json (self, file, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_alpaca (Import *self, const char *path, GError **error)
{
  g_autoptr (GadgetImportAlpaca) alpaca =
      _gadget_import_alpaca_new (path, self->directory, self->cancellable, error);
  g_autoptr (GError) read_error = NULL;
  GadgetImportChat *chat;

  if (alpaca == NULL)
    return FALSE;
  while ((chat = _gadget_import_alpaca_next (alpaca, &read_error)) != NULL)
    {
      if (!add_converted (self, chat, error)
          || g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      report_progress (self);
    }
  if (read_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&read_error));
  return FALSE;
}

static gboolean
read_stream (Import *self, const char *path, GBufferedInputStream *stream, GError **error)
{
  gsize length;
  const guint8 *bytes;
  gsize at = 0;

  if (g_buffered_input_stream_fill (stream, SNIFFED_BYTES, self->cancellable, error) < 0)
    return FALSE;
  bytes = g_buffered_input_stream_peek_buffer (stream, &length);
  if (_gadget_import_zip_check (bytes, length))
    return read_zip (self, g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream)),
                     error);
  if (_gadget_import_alpaca_check (bytes, length))
    return read_alpaca (self, path, error);
  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    at = 3;
  while (at < length && g_ascii_isspace (bytes[at]))
    at++;
  if (at == length || (bytes[at] != '[' && bytes[at] != '{'))
    return fail_unknown (bytes, length, error);
  return read_json (self, G_INPUT_STREAM (stream), error);
}

static gboolean
read_file (Import *self, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) base = g_file_read (file, self->cancellable, error);
  g_autoptr (GFileInfo) info =
      base != NULL ? g_file_input_stream_query_info (base, G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                                     self->cancellable, NULL)
                   : NULL;
  const guint n_others = self->report.n_foreign + self->report.n_broken;
  g_autoptr (GInputStream) stream = NULL;
  gboolean ok;

  if (base == NULL)
    return FALSE;
  stream = g_buffered_input_stream_new_sized (G_INPUT_STREAM (base), SNIFFED_BYTES);
  self->fd = G_IS_FILE_DESCRIPTOR_BASED (base)
                 ? g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (base))
                 : -1;
  self->size = info != NULL ? g_file_info_get_size (info) : 0;
  self->n_known = 0;
  ok = read_stream (self, path, G_BUFFERED_INPUT_STREAM (stream), error);
  self->fd = -1;
  self->n_files++;
  if (ok && self->n_known == 0 && self->report.n_foreign + self->report.n_broken > n_others)
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                           _ ("Gadget cannot read this file. There are no chats in it that it"
                              " knows."));
      ok = FALSE;
    }
  return ok;
}

/* --- The thread ------------------------------------------------------------------------------- */

static gboolean
read_files (Import *self, GError **error)
{
  for (guint i = 0; self->paths[i] != NULL; i++)
    if (!read_file (self, self->paths[i], error))
      {
        g_autofree char *name = g_filename_display_basename (self->paths[i]);

        g_prefix_error (error, "%s: ", name);
        return FALSE;
      }
  return TRUE;
}

static char *
dup_names (char **paths)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_strdup (names->str);
}

static gpointer
import_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  Import *self = data;
  g_autofree char *names = dup_names (self->paths);
  guint n_kept;
  gboolean ok;

  self->cancellable = cancellable;
  self->writer = _gadget_import_writer_new (self->directory, names, cancellable, error);
  ok = self->writer != NULL && read_files (self, error)
       && !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (ok && !gadget_blocking_commit (job))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The import was stopped."));
      ok = FALSE;
    }
  ok = ok && _gadget_import_writer_complete (self->writer, &self->report.number, &n_kept, error);
  g_clear_pointer (&self->writer, _gadget_import_writer_free);
  if (!ok)
    return NULL;
  self->report.n_extended -= n_kept;
  self->report.n_kept += n_kept;
  return g_memdup2 (&self->report, sizeof self->report);
}

/* --- On the main context ---------------------------------------------------------------------- */

static void
import_free (gpointer data)
{
  Import *self = data;

  g_free (self->directory);
  g_strfreev (self->paths);
  g_atomic_rc_box_release (self->progress);
  g_free (self);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;

  call->progress->ended = TRUE;
  g_atomic_rc_box_release (call->progress);
  call->callback (source, result, call->user_data);
  g_free (call);
}

/**
 * gadget_import_async:
 * @directory: the data folder, whose database a store has opened
 * @paths: (array zero-terminated=1): the files, of which there is at least one
 * @progress: (nullable): called while the import goes on
 *
 * Imports the chats of files. Either all files are imported or, after an error, a stop or the end
 * of the process, none is; what is wrong with single chats is counted. The store emits
 * #GadgetStore::changed-outside for the new chats.
 */
void
gadget_import_async (const char *directory, const char *const *paths, GCancellable *cancellable,
                     GadgetImportProgressFunc progress, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  Import *self;
  Call *call;

  g_return_if_fail (directory != NULL && paths != NULL && paths[0] != NULL && callback != NULL);

  self = g_new0 (Import, 1);
  self->directory = g_strdup (directory);
  self->paths = g_strdupv ((char **) paths);
  self->progress = g_atomic_rc_box_new0 (Progress);
  self->progress->func = progress;
  self->progress->user_data = user_data;
  call = g_new0 (Call, 1);
  call->progress = g_atomic_rc_box_acquire (self->progress);
  call->callback = callback;
  call->user_data = user_data;
  gadget_blocking_run_async (cancellable, import_in_thread, self, import_free, g_free, imported_cb,
                             call);
}

/**
 * gadget_import_finish:
 *
 * Returns: (transfer full) (nullable): what was done, to be freed with g_free (); %NULL if nothing
 *   was changed, with a #GadgetStoreError (BUSY if another import goes on), a
 *   #GadgetImportError, or an error of GIO or gadget_blocking_run_finish ()
 */
GadgetImportReport *
gadget_import_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
