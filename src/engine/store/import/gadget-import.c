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
#include "gadget-import-archives.h"
#include "gadget-import-error.h"
#include "gadget-import-formats.h"
#include "gadget-import-json.h"
#include "gadget-import-writer.h"
#include "gadget-import-zip.h"

#include "common/gadget-blocking.h"

#define FORMAT "gadget-chats"
#define VERSION 1

#define SNIFFED_BYTES 4096
#define MAX_NUMBERS 100000
/* A chat of a database has about so many bytes. */
#define CHAT_SIZE 16384
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
  GadgetImportArchives *archives;
  GHashTable *numbers; /* of the numbered files */
  int fd;              /* of the file that is read; -1 if it has none */
  goffset size;        /* of that */
  guint n_files;       /* that were read */
  guint n_known;       /* entries of this file that are chats */
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

/* Adds a chat of another program with its branches (transfer full) (nullable). */
static gboolean
add_converted (Import *self, GadgetImportConverted *chat, GadgetImportMemory *memory, gsize size,
               GError **error)
{
  g_autoptr (GadgetImportConverted) converted = chat;
  g_autoptr (GadgetImportMemory) owned = memory;
  const GadgetImportValue *folder;

  self->n_known++;
  if (converted == NULL || converted->rows->len == 0)
    {
      self->report.n_broken += converted == NULL;
      self->report.n_empty += converted != NULL;
      return TRUE;
    }
  self->report.n_missing += converted->n_missing;
  self->report.n_left_out += converted->n_left_out;
  self->report.n_instructions += converted->has_instructions;
  folder = _gadget_import_get_object (g_ptr_array_index (converted->rows, 0), "folder");
  if (folder != NULL)
    _gadget_import_writer_add_folder (self->writer, folder);
  return _gadget_import_writer_add (self->writer, g_steal_pointer (&converted->rows),
                                    g_steal_pointer (&owned), size, error);
}

/* Adds an object of a file, if it is a chat, with the memory that it is in (transfer full). */
static gboolean
add_object (Import *self, GadgetImportValue *object, GadgetImportMemory *memory, gboolean is_own,
            gsize size, GError **error)
{
  g_autoptr (GadgetImportMemory) owned = memory;
  const GadgetImportContext context = { memory, _gadget_import_archives_find_file, self->archives };
  const GadgetImportFormat *format = is_own ? NULL : _gadget_import_find_format (object);
  GPtrArray *rows;

  if (is_own)
    {
      self->n_known++;
      rows = g_ptr_array_new ();
      g_ptr_array_add (rows, object);
      return _gadget_import_writer_add (self->writer, rows, g_steal_pointer (&owned), size, error);
    }
  if (format != NULL)
    return add_converted (self, _gadget_import_convert (format, &context, object),
                          g_steal_pointer (&owned), size, error);
  self->report.n_foreign++;
  return TRUE;
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Reads what is before the chats of an export of Gadget's (transfer full). */
static gboolean
read_head (Import *self, GadgetImportBuffer *text, gboolean *is_own, GError **error)
{
  g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (self->directory);
  const GadgetImportValue *head = _gadget_import_memory_parse (memory, text);
  const GadgetImportValue *folders = _gadget_import_get_array (head, "folders");
  gint64 version = 0;

  *is_own = g_strcmp0 (_gadget_import_get_string (head, "format"), FORMAT) == 0;
  if (!*is_own)
    return TRUE;
  self->n_known++;
  _gadget_import_get_int (head, "version", &version);
  if (version != VERSION)
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                           _ ("A newer version of Gadget exported this file."));
      return FALSE;
    }
  for (const GadgetImportValue *folder = _gadget_import_get_first (folders); folder != NULL;
       folder = folder->next)
    _gadget_import_writer_add_folder (self->writer, folder);
  return TRUE;
}

/* Reads a value (transfer full). */
static gboolean
read_value (Import *self, GadgetImportBuffer *text, gboolean is_own, GError **error)
{
  g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (self->directory);
  const gsize size = text->length;
  GadgetImportValue *value = _gadget_import_memory_parse (memory, text);

  if (value == NULL)
    self->report.n_broken++;
  else if (value->type == GADGET_IMPORT_OBJECT)
    return add_object (self, value, g_steal_pointer (&memory), is_own, size, error);
  else
    self->report.n_foreign++;
  return TRUE;
}

static gboolean
read_json (Import *self, GInputStream *stream, GError **error)
{
  g_autoptr (GadgetImportJson) json =
      _gadget_import_json_new (stream, GADGET_IMPORT_JSON_MAX_BYTES, self->directory);
  GadgetImportJsonEvent event = GADGET_IMPORT_JSON_HEAD;
  gboolean is_own = FALSE;

  while (event != GADGET_IMPORT_JSON_END)
    {
      gboolean ok = _gadget_import_json_next (json, &event, self->cancellable, error)
                    && !g_cancellable_set_error_if_cancelled (self->cancellable, error);

      if (ok && event == GADGET_IMPORT_JSON_HEAD)
        ok = read_head (self, _gadget_import_json_steal_text (json), &is_own, error);
      else if (ok && event == GADGET_IMPORT_JSON_VALUE)
        ok = read_value (self, _gadget_import_json_steal_text (json), is_own, error);
      if (!ok)
        return FALSE;
      self->report.n_too_large += event == GADGET_IMPORT_JSON_TOO_LARGE;
      self->n_known += event == GADGET_IMPORT_JSON_TOO_LARGE;
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

/* Notes the number of a numbered file, like conversations-003.json. */
static void
note_number (Import *self, const char *name)
{
  const char *digits = name + strlen ("conversations-");
  char *end;
  guint64 number;

  if (!g_str_has_prefix (name, "conversations-") || !g_ascii_isdigit (*digits))
    return;
  number = g_ascii_strtoull (digits, &end, 10);
  if (g_str_equal (end, ".json") && number < MAX_NUMBERS)
    g_hash_table_add (self->numbers, GUINT_TO_POINTER ((guint) number + 1));
}

/* Returns how many files are not there of those with a lower number than the last one. They begin
 * with 0 or 1. */
static guint
count_gaps (Import *self)
{
  guint last = 0;
  GHashTableIter iter;
  gpointer number;

  g_hash_table_iter_init (&iter, self->numbers);
  while (g_hash_table_iter_next (&iter, &number, NULL))
    last = MAX (last, GPOINTER_TO_UINT (number));
  if (last > 1 && !g_hash_table_contains (self->numbers, GUINT_TO_POINTER (1)))
    last--;
  return last - g_hash_table_size (self->numbers);
}

static gboolean
read_archive (Import *self, GadgetImportZip *zip, GError **error)
{
  g_autoptr (GArray) list = _gadget_import_zip_list (zip, GADGET_IMPORT_ZIP_CHATS);

  for (guint i = 0; i < list->len; i++)
    {
      const guint index = g_array_index (list, guint, i);
      GError *read_error = NULL;
      g_autoptr (GInputStream) file =
          _gadget_import_zip_read_file (zip, index, self->cancellable, &read_error);

      note_number (self, _gadget_import_zip_get_name (zip, index));
      if (file != NULL && read_json (self, file, &read_error))
        continue;
      if (!_gadget_import_zip_pass_damage (read_error, &self->report.n_damaged, error))
        return FALSE;
      self->n_known++;
    }
  return TRUE;
}

/* Reads the archives of a file. Those of one export may have chats or files only. */
static gboolean
read_archives (Import *self, guint path, GError **error)
{
  GadgetImportZip *zip;
  gboolean has_chats = self->report.n_damaged > 0;
  guint owner;

  for (guint i = 0; (zip = _gadget_import_archives_get (self->archives, i, &owner)) != NULL; i++)
    {
      g_autoptr (GArray) list = _gadget_import_zip_list (zip, GADGET_IMPORT_ZIP_CHATS);

      has_chats = has_chats || list->len > 0;
      if (owner == path && !read_archive (self, zip, error))
        return FALSE;
    }
  if (!has_chats)
    g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                         _ ("There are no chats in this archive."));
  return has_chats;
}

static gboolean
read_alpaca (Import *self, const char *path, GError **error)
{
  g_autoptr (GadgetImportAlpaca) alpaca =
      _gadget_import_alpaca_new (path, self->directory, self->cancellable, error);
  gboolean more = alpaca != NULL;

  if (alpaca == NULL)
    return FALSE;
  while (more)
    {
      g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (self->directory);
      const GadgetImportContext context = { memory, NULL, NULL };
      g_autoptr (GError) read_error = NULL;
      GadgetImportConverted *chat = _gadget_import_alpaca_next (alpaca, &context, &read_error);

      if (read_error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&read_error));
          return FALSE;
        }
      more = chat != NULL;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
          || (more && !add_converted (self, chat, g_steal_pointer (&memory), CHAT_SIZE, error)))
        return FALSE;
      report_progress (self);
    }
  return TRUE;
}

/* Opens a file, and reads its first bytes into the buffer. */
static GInputStream *
open_file (Import *self, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) base = g_file_read (file, self->cancellable, error);
  g_autoptr (GFileInfo) info =
      base != NULL ? g_file_input_stream_query_info (base, G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                                     self->cancellable, NULL)
                   : NULL;
  g_autoptr (GInputStream) stream = NULL;

  if (base == NULL)
    return NULL;
  stream = g_buffered_input_stream_new_sized (G_INPUT_STREAM (base), SNIFFED_BYTES);
  /* An archive goes on with the base. */
  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (stream), FALSE);
  if (g_buffered_input_stream_fill (G_BUFFERED_INPUT_STREAM (stream), SNIFFED_BYTES,
                                    self->cancellable, error)
      < 0)
    return NULL;
  self->fd = G_IS_FILE_DESCRIPTOR_BASED (base)
                 ? g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (base))
                 : -1;
  self->size = info != NULL ? g_file_info_get_size (info) : 0;
  return g_steal_pointer (&stream);
}

static gboolean
read_stream (Import *self, guint path, GInputStream *stream, GError **error)
{
  gsize length;
  const guint8 *bytes =
      g_buffered_input_stream_peek_buffer (G_BUFFERED_INPUT_STREAM (stream), &length);
  gsize at = 0;

  if (_gadget_import_zip_check (bytes, length))
    return read_archives (self, path, error);
  if (_gadget_import_alpaca_check (bytes, length))
    return read_alpaca (self, self->paths[path], error);
  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    at = 3;
  while (at < length && g_ascii_isspace (bytes[at]))
    at++;
  if (at == length || (bytes[at] != '[' && bytes[at] != '{'))
    return fail_unknown (bytes, length, error);
  return read_json (self, stream, error);
}

static gboolean
read_file (Import *self, guint path, GError **error)
{
  g_autoptr (GInputStream) stream = open_file (self, self->paths[path], error);
  const guint n_others = self->report.n_foreign + self->report.n_broken;
  g_autofree char *name = g_path_get_basename (self->paths[path]);
  gboolean ok;

  self->n_known = 0;
  note_number (self, name);
  ok = stream != NULL && read_stream (self, path, stream, error);
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

/* --- Archives --------------------------------------------------------------------------------- */

/* Opens an archive, so that its files are found by the chats of all other ones. */
static gboolean
open_archive (Import *self, guint path, GError **error)
{
  g_autoptr (GInputStream) stream = open_file (self, self->paths[path], error);
  gsize length;
  const guint8 *bytes;

  self->fd = -1;
  if (stream == NULL)
    return FALSE;
  bytes = g_buffered_input_stream_peek_buffer (G_BUFFERED_INPUT_STREAM (stream), &length);
  return !_gadget_import_zip_check (bytes, length)
         || _gadget_import_archives_add (
             self->archives, path,
             g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream)), self->size,
             error);
}

/* --- The thread ------------------------------------------------------------------------------- */

/* Calls a function for each file. */
static gboolean
for_each_file (Import *self, gboolean (*func) (Import *self, guint path, GError **error),
               GError **error)
{
  for (guint i = 0; self->paths[i] != NULL; i++)
    if (!func (self, i, error))
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
  gboolean ok;

  self->cancellable = cancellable;
  self->fd = -1;
  self->archives =
      _gadget_import_archives_new (self->directory, &self->report.n_damaged, cancellable);
  self->numbers = g_hash_table_new (NULL, NULL);
  self->writer =
      _gadget_import_writer_new (self->directory, names, &self->report, cancellable, error);
  ok = self->writer != NULL && for_each_file (self, open_archive, error)
       && for_each_file (self, read_file, error)
       && _gadget_import_writer_flush (self->writer, error)
       && !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (ok && !gadget_blocking_commit (job))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The import was stopped."));
      ok = FALSE;
    }
  ok = ok && _gadget_import_writer_complete (self->writer, error);
  self->report.n_gaps = count_gaps (self);
  g_clear_pointer (&self->writer, _gadget_import_writer_free);
  _gadget_import_archives_free (self->archives);
  g_hash_table_unref (self->numbers);
  return ok ? g_memdup2 (&self->report, sizeof self->report) : NULL;
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
