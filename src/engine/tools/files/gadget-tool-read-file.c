/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "read_file". The file is opened and read in a thread, on copies of the arguments, since
 * any file system may hang. A file of moderate size is read to its end, whatever part of it was
 * asked for: then the number of its lines is known, and later its content tells whether it has
 * changed. */

#define G_LOG_DOMAIN "gadget-tool-read-file"

#include "config.h"

#include "gadget-tool-read-file.h"

#include "gadget-file-tool.h"
#include "gadget-text-range.h"
#include "common/gadget-image-info.h"
#include "common/gadget-json.h"
#include "workspace/gadget-path-lookup.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BYTES (64 * 1024)
#define MAX_BYTES (256 * 1024)
#define BLOCK GADGET_IMAGE_HEAD
#define BINARY_CHECK_BYTES                                                                         \
  8192 /* bytes that are searched for a NUL byte, which binary files contain */
/* The least number of bytes that is read: some file systems report the size 0 for files that are
 * not empty. */
#define LEAST_READ (GADGET_FILE_VERSION_MAX_CONTENT + 1)

/* The data of the thread. */
typedef struct
{
  char *root; /* (nullable) */
  char *resolved;
  char *shown;                  /* the path as the model wrote it */
  GadgetVersionsRead *versions; /* (nullable) */
  gint64 first_line;
  gint64 max_lines; /* 0 for all */
  gint64 first_byte;
  gint64 max_bytes;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->root);
  g_free (reading->resolved);
  g_free (reading->shown);
  g_clear_pointer (&reading->versions, gadget_versions_read_unref);
  g_free (reading);
}

static const char description[] =
    "Reads a text file, whole or some lines of it, or shows a picture (PNG, JPEG, GIF, WebP). "
    "Paths are relative to the workspace folder; files outside of it need the user's permission. "
    "Long files are cut, with a note that says how to go on.";

static const GadgetToolParameter parameters[] = {
  { "path", GADGET_TOOL_STRING, TRUE },
  { "start_line", GADGET_TOOL_INTEGER, FALSE, "First line, from 1", .least = 1, .fallback = 1 },
  { "max_lines", GADGET_TOOL_INTEGER, .least = 1 },
  { "start_byte", GADGET_TOOL_INTEGER, FALSE, "Where to begin, instead of start_line" },
  { "max_bytes", GADGET_TOOL_INTEGER, FALSE, "65536 if not given", .least = 1, .most = MAX_BYTES,
    .fallback = DEFAULT_BYTES },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const char *path = gadget_json_get_string (arguments, "path");

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_READING, path != NULL ? path : "…", NULL);
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  return _gadget_file_tool_ask_read (context, arguments, NULL, "read_file",
                                     GADGET_CALL_SUMMARY_ASK_READ);
}

/* --- In a thread ------------------------------------------------------------------------------ */

/* The state of reading. */
typedef struct
{
  int fd;
  char *path; /* the real path */
  struct stat info;
  GadgetTextRange range;
  GByteArray *whole; /* (nullable): the whole content of a file that is not too large */
  gint64 left;       /* bytes that are still read, since a growing file has no end */
  char *block;
  gsize length; /* of the block */
} Reader;

static void
reader_clear (Reader *reader)
{
  g_clear_fd (&reader->fd, NULL);
  _gadget_text_range_clear (&reader->range);
  g_clear_pointer (&reader->whole, g_byte_array_unref);
  g_free (reader->path);
  g_free (reader->block);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
set_errno (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
}

static gboolean
reader_open (Reader *reader, const Reading *reading, GError **error)
{
  reader->fd =
      gadget_path_lookup_open_regular (reading->root, reading->resolved, &reader->path, error);
  if (reader->fd < 0)
    return FALSE;
  if (fstat (reader->fd, &reader->info) < 0)
    {
      set_errno (error);
      return FALSE;
    }
  reader->block = g_malloc (BLOCK);
  reader->left = MAX ((gint64) reader->info.st_size, LEAST_READ);
  reader->range = (GadgetTextRange) { .first_line = reading->first_line,
                                      .max_lines = reading->max_lines,
                                      .first_byte = reading->first_byte,
                                      .max_bytes = (gsize) reading->max_bytes };
  _gadget_text_range_init (&reader->range);
  if (reader->info.st_size <= GADGET_FILE_VERSION_MAX_CONTENT)
    reader->whole = g_byte_array_new ();
  return TRUE;
}

/* Reads the next block; its length is 0 at the end. */
static gboolean
reader_fill (Reader *reader, GCancellable *cancellable, GError **error)
{
  ssize_t n;

  do
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      n = read (reader->fd, reader->block, MIN (reader->left, BLOCK));
    }
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      set_errno (error);
      return FALSE;
    }
  reader->length = (gsize) n;
  reader->left -= n;
  return TRUE;
}

static void
reader_feed (Reader *reader)
{
  _gadget_text_range_feed (&reader->range, reader->block, reader->length);
  if (reader->whole == NULL)
    return;
  g_byte_array_append (reader->whole, (const guint8 *) reader->block, (guint) reader->length);
  /* The file grows while it is read. */
  if (reader->whole->len > GADGET_FILE_VERSION_MAX_CONTENT)
    g_clear_pointer (&reader->whole, g_byte_array_unref);
}

static gboolean
reader_run (Reader *reader, GCancellable *cancellable, GError **error)
{
  while (reader->length > 0 && (reader->whole != NULL || !reader->range.full))
    {
      reader_feed (reader);
      if (!reader_fill (reader, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* From now on the chat may overwrite the file, unless it changed while it was read. */
static void
note_read (const Reader *reader, const Reading *reading)
{
  struct stat now;
  GadgetFileVersion before;
  GadgetFileVersion version;

  if (reading->versions == NULL || fstat (reader->fd, &now) < 0)
    return;
  gadget_file_version_init (&before, &reader->info);
  gadget_file_version_init (&version, &now);
  if (!gadget_file_version_equals (&before, &version))
    return;
  if (reader->whole != NULL)
    gadget_file_version_set_content (&version, reader->whole->data, reader->whole->len);
  gadget_versions_read_note (reading->versions, reader->path, &version);
}

static GadgetToolResult *
make_image_result (const Reader *reader, const Reading *reading, const GadgetImageInfo *image,
                   GadgetPicture *picture, const char *why_not)
{
  const gboolean known = image->width > 0 && image->height > 0;
  g_autofree char *pixels = g_strdup_printf ("%u × %u", image->width, image->height);
  g_autofree char *text = g_strdup_printf (
      "%s is a picture: %s, %s pixels, %" G_GINT64_FORMAT " bytes.%s%s%s", reading->shown,
      image->mime_type, known ? pixels : "an unknown number of", (gint64) reader->info.st_size,
      why_not != NULL ? " " : "", why_not != NULL ? why_not : "",
      why_not != NULL ? " Make a smaller copy of it, and read that." : "");
  GadgetToolResult *result =
      gadget_tool_result_new (FALSE, text,
                              gadget_call_summary_with_path (
                                  gadget_call_summary_new (GADGET_CALL_SUMMARY_READ, reading->shown,
                                                           known ? pixels : image->mime_type),
                                  reader->path));

  if (picture != NULL)
    gadget_tool_result_add_picture (result, picture);
  return result;
}

/* A picture that is too large to be shown is not read to its end. */
static GadgetToolResult *
read_image (Reader *reader, const Reading *reading, const GadgetImageInfo *image,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GBytes) data = NULL;
  g_autofree char *name = g_path_get_basename (reading->shown);
  g_autoptr (GadgetPicture) picture = NULL;
  g_autoptr (GError) why_not = NULL;

  while (reader->length > 0 && bytes->len <= GADGET_PICTURE_MAX_BYTES)
    {
      g_byte_array_append (bytes, (const guint8 *) reader->block, (guint) reader->length);
      if (!reader_fill (reader, cancellable, error))
        return NULL;
    }
  data = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  picture = gadget_picture_new (name, data, &why_not);
  return make_image_result (reader, reading, image, picture,
                            why_not != NULL ? why_not->message : NULL);
}

static gboolean
check_text (const Reader *reader, const Reading *reading, const char *data, gsize length,
            GError **error)
{
  g_autofree char *type = NULL;

  if (length == 0 || memchr (data, '\0', length) == NULL)
    return TRUE;
  type = g_content_type_guess (reading->shown, (const guchar *) data, length, NULL);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "%s is not a text file: %s, %" G_GINT64_FORMAT " bytes.", reading->shown, type,
               (gint64) reader->info.st_size);
  return FALSE;
}

static GadgetToolResult *
make_text_result (Reader *reader, const Reading *reading)
{
  GadgetTextRange *range = &reader->range;
  const gint64 total = reader->whole != NULL ? _gadget_text_range_count (range) : 0;
  g_autofree char *note = _gadget_text_range_finish (range, total);
  g_autofree char *valid = g_utf8_make_valid (range->text->str, (gssize) range->text->len);
  const gboolean ends = range->text->len == 0 || g_str_has_suffix (valid, "\n");
  g_autofree char *text =
      note != NULL ? g_strconcat (valid, ends ? "" : "\n", note, NULL) : g_strdup (valid);
  const gint64 n_lines = range->n_lines + (ends ? 0 : 1);

  return gadget_tool_result_new (
      FALSE, text,
      gadget_call_summary_with_path (
          gadget_call_summary_new_with_numbers (GADGET_CALL_SUMMARY_READ_LINES, reading->shown,
                                                n_lines, 0),
          reader->path));
}

static gpointer
read_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  const Reading *reading = data;
  g_auto (Reader) reader = { .fd = -1 };
  GadgetImageInfo image;

  if (!reader_open (&reader, reading, error) || !reader_fill (&reader, cancellable, error))
    return NULL;
  if (gadget_image_info_read (&image, reader.block, reader.length))
    return read_image (&reader, reading, &image, cancellable, error);
  if (!check_text (&reader, reading, reader.block, MIN (reader.length, BINARY_CHECK_BYTES), error)
      || !reader_run (&reader, cancellable, error)
      || !check_text (&reader, reading, reader.range.text->str, reader.range.text->len, error))
    return NULL;
  note_read (&reader, reading);
  return make_text_result (&reader, reading);
}

/* --- Starting --------------------------------------------------------------------------------- */

static gint64
get_number (JsonObject *arguments, const char *name)
{
  return gadget_tool_arguments_get_integer (arguments, parameters, name);
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *resolved = _gadget_file_tool_resolve (context, arguments, NULL, &error);
  Reading *reading;

  if (resolved == NULL)
    {
      g_task_report_error (tool, callback, user_data, execute_async, g_steal_pointer (&error));
      return;
    }
  reading = g_new0 (Reading, 1);
  reading->root = g_strdup (context->workspace);
  reading->resolved = g_strdup (resolved);
  reading->shown = g_strdup (gadget_json_get_string (arguments, "path"));
  reading->versions =
      context->versions != NULL ? gadget_versions_read_ref (context->versions) : NULL;
  reading->first_line = get_number (arguments, "start_line");
  reading->max_lines = get_number (arguments, "max_lines");
  reading->first_byte = get_number (arguments, "start_byte");
  reading->max_bytes = get_number (arguments, "max_bytes");
  _gadget_ledgered_task_async (tool, context, GADGET_EFFECT_READ, resolved, NULL, cancellable,
                               read_in_thread, reading, reading_free, gadget_tool_result_free,
                               callback, user_data);
}

static const GadgetToolDescriptor descriptor = {
  .name = "read_file",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .permission = permission,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_read_file_new (void)
{
  return gadget_tool_new (&descriptor, NULL, NULL);
}
