/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the files of a zip archive, as ChatGPT and Claude send them: PKWARE's APPNOTE 6.3.10,
 * without encryption, and with no methods but "stored" and "deflated", which GIO reads.
 *
 * Nothing is unpacked under the names in the archive, which are only compared, and links are passed
 * over. A bomb is stopped by the sizes that the archive says its files have, which are limited in
 * proportion to its own, and which no file may exceed. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>

#include "gadget-import-zip.h"

#include "gadget-import-error.h"

#define MAX_DIRECTORY (32 * 1024 * 1024)
#define MAX_FILES 200000
#define UNIX 3
#define LINK_TYPE 0120000
#define FILE_TYPES 0170000
/* Texts become 5 to 20 times smaller. */
#define MAX_RATIO 100
#define MIN_LIMIT (64 * 1024 * 1024)

#define TOO_LARGE _ ("The archive contains far more than its size allows.")

#define LOCAL "PK\003\004"
#define ENTRY "PK\001\002"
#define END "PK\005\006"
#define END_64 "PK\006\006"
#define LOCATOR "PK\006\007"
#define END_SIZE 22
#define MAX_COMMENT 65535
#define LOCATOR_SIZE 20
#define END_64_SIZE 56
#define ENTRY_SIZE 46
#define LOCAL_SIZE 30

/* A file in the archive. */
typedef struct
{
  const char *name; /* without folders */
  guint method;
  guint32 checksum;
  gboolean is_encrypted;
  guint64 size; /* in the archive */
  guint64 full_size;
  guint64 offset;
} File;

struct _GadgetImportZip
{
  GInputStream *archive;
  guint64 archive_size;
  GStringChunk *names;
  GArray *files; /* by their names */
  guint64 limit; /* of bytes that may still be read */
};

/* What zlib says of a file that is damaged, too. */
static void
set_damaged (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the file is damaged");
}

/* --- Streams ---------------------------------------------------------------------------------- */

#define GADGET_TYPE_IMPORT_PART (gadget_import_part_get_type ())
G_DECLARE_FINAL_TYPE (GadgetImportPart, gadget_import_part, GADGET, IMPORT_PART, GFilterInputStream)

/* Bytes of another stream. Several may be read in turn, so each seeks its own. */
struct _GadgetImportPart
{
  GFilterInputStream parent_instance;
  goffset offset; /* -1 for a stream that is read from the beginning */
  guint64 left;
  const File *file; /* (nullable): whose contents these are */
  gulong checksum;  /* of what was read of them */
};

G_DEFINE_FINAL_TYPE (GadgetImportPart, gadget_import_part, G_TYPE_FILTER_INPUT_STREAM)

/* Ends the stream, with an error if it is not what was put into the archive. */
static gssize
end_part (const GadgetImportPart *self, GError **error)
{
  if (self->file == NULL || self->checksum == self->file->checksum)
    return 0;
  set_damaged (error);
  return -1;
}

static gssize
read_part (GInputStream *stream, void *buffer, gsize count, GCancellable *cancellable,
           GError **error)
{
  GadgetImportPart *self = GADGET_IMPORT_PART (stream);
  GInputStream *base = g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (self));
  const gboolean is_limit = self->offset < 0;
  const gsize wanted = (gsize) MIN (count, is_limit ? count : self->left);
  gssize n;

  if (wanted == 0)
    return end_part (self, error);
  if (!is_limit
      && !g_seekable_seek (G_SEEKABLE (base), self->offset, G_SEEK_SET, cancellable, error))
    return -1;
  n = g_input_stream_read (base, buffer, wanted, cancellable, error);
  if (n <= 0)
    return n < 0 ? -1 : end_part (self, error);
  if ((guint64) n > self->left)
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_DAMAGED, TOO_LARGE);
      return -1;
    }
  self->left -= (guint64) n;
  if (!is_limit)
    self->offset += n;
  if (self->file != NULL)
    self->checksum = crc32_z (self->checksum, buffer, (gsize) n);
  return n;
}

static void
gadget_import_part_class_init (GadgetImportPartClass *klass)
{
  G_INPUT_STREAM_CLASS (klass)->read_fn = read_part;
}

static void
gadget_import_part_init (GadgetImportPart *self)
{
}

static GInputStream *
part_new (GInputStream *base, goffset offset, guint64 left, const File *file)
{
  GadgetImportPart *self =
      g_object_new (GADGET_TYPE_IMPORT_PART, "base-stream", base, "close-base-stream", FALSE, NULL);

  self->offset = offset;
  self->left = left;
  self->file = file;
  return G_INPUT_STREAM (self);
}

/* --- The directory ---------------------------------------------------------------------------- */

static guint64
get_number (const guint8 *bytes, guint size)
{
  guint64 number = 0;

  for (guint i = size; i > 0; i--)
    number = number << 8 | bytes[i - 1];
  return number;
}

/* Tells whether a record begins there. */
static gboolean
has_signature (const guint8 *bytes, const char *signature)
{
  return memcmp (bytes, signature, 4) == 0;
}

static gboolean
fail (GError **error)
{
  g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_DAMAGED,
                       _ ("The archive is damaged or not complete."));
  return FALSE;
}

static gboolean
read_at (GadgetImportZip *self, guint64 offset, guint8 *bytes, gsize length,
         GCancellable *cancellable, GError **error)
{
  gsize n;

  if (offset > self->archive_size || length > self->archive_size - offset)
    return fail (error);
  return g_seekable_seek (G_SEEKABLE (self->archive), (goffset) offset, G_SEEK_SET, cancellable,
                          error)
         && g_input_stream_read_all (self->archive, bytes, length, &n, cancellable, error)
         && (n == length || fail (error));
}

/* Finds the directory in the record at the end of the archive, whose large values are in another
 * record before it. */
static gboolean
find_directory (GadgetImportZip *self, guint64 *offset, guint64 *size, GCancellable *cancellable,
                GError **error)
{
  const gsize length = (gsize) MIN (self->archive_size, END_SIZE + MAX_COMMENT + LOCATOR_SIZE);
  g_autofree guint8 *tail = g_malloc (length + 1);
  guint8 record[END_64_SIZE];
  gsize at = length;

  if (length < END_SIZE
      || !read_at (self, self->archive_size - length, tail, length, cancellable, error))
    return length < END_SIZE ? fail (error) : FALSE;
  for (at = length - END_SIZE; at > 0 && !has_signature (tail + at, END); at--)
    ;
  if (!has_signature (tail + at, END))
    return fail (error);
  *size = get_number (tail + at + 12, 4);
  *offset = get_number (tail + at + 16, 4);
  if (at < LOCATOR_SIZE || !has_signature (tail + at - LOCATOR_SIZE, LOCATOR))
    return TRUE;
  if (!read_at (self, get_number (tail + at - LOCATOR_SIZE + 8, 8), record, sizeof record,
                cancellable, error))
    return FALSE;
  if (!has_signature (record, END_64))
    return fail (error);
  *size = get_number (record + 40, 8);
  *offset = get_number (record + 48, 8);
  return TRUE;
}

/* Replaces the values that did not fit by those in the extra fields, in which they have an order.
 */
static void
read_large_values (File *file, const guint8 *extra, gsize length)
{
  while (length >= 4)
    {
      const gsize size = (gsize) get_number (extra + 2, 2);
      const guint8 *value = extra + 4;
      const guint8 *end = value + MIN (size, length - 4);

      if (get_number (extra, 2) == 1)
        {
          if (file->full_size == G_MAXUINT32 && value + 8 <= end)
            {
              file->full_size = get_number (value, 8);
              value += 8;
            }
          if (file->size == G_MAXUINT32 && value + 8 <= end)
            {
              file->size = get_number (value, 8);
              value += 8;
            }
          if (file->offset == G_MAXUINT32 && value + 8 <= end)
            file->offset = get_number (value, 8);
        }
      length -= (gsize) (end - extra);
      extra = end;
    }
}

static void
add_file (GadgetImportZip *self, const guint8 *entry, gsize name_length, gsize extra_length)
{
  const guint type = (guint) get_number (entry + 38, 4) >> 16 & FILE_TYPES;
  g_autofree char *name = g_strndup ((const char *) entry + ENTRY_SIZE, name_length);
  const char *slash = strrchr (name, '/');
  File file = { .method = (guint) get_number (entry + 10, 2),
                .is_encrypted = (entry[8] & 1) != 0,
                .checksum = (guint32) get_number (entry + 16, 4),
                .size = get_number (entry + 20, 4),
                .full_size = get_number (entry + 24, 4),
                .offset = get_number (entry + 42, 4) };

  if (entry[5] == UNIX && type == LINK_TYPE)
    return;
  file.name = g_string_chunk_insert (self->names, slash != NULL ? slash + 1 : name);
  read_large_values (&file, entry + ENTRY_SIZE + name_length, extra_length);
  g_array_append_val (self->files, file);
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  return strcmp (((const File *) a)->name, ((const File *) b)->name);
}

static gboolean
add_files (GadgetImportZip *self, const guint8 *directory, gsize size, GError **error)
{
  while (size >= ENTRY_SIZE && has_signature (directory, ENTRY))
    {
      const gsize name = (gsize) get_number (directory + 28, 2);
      const gsize extra = (gsize) get_number (directory + 30, 2);
      const gsize comment = (gsize) get_number (directory + 32, 2);

      if (name + extra + comment > size - ENTRY_SIZE || self->files->len == MAX_FILES)
        return fail (error);
      add_file (self, directory, name, extra);
      size -= ENTRY_SIZE + name + extra + comment;
      directory += ENTRY_SIZE + name + extra + comment;
    }
  g_array_sort (self->files, compare_files);
  return TRUE;
}

static gboolean
read_directory (GadgetImportZip *self, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *directory = NULL;
  guint64 offset;
  guint64 size;

  if (!find_directory (self, &offset, &size, cancellable, error))
    return FALSE;
  if (size > MAX_DIRECTORY)
    return fail (error);
  directory = g_malloc ((gsize) size + 1);
  return read_at (self, offset, directory, (gsize) size, cancellable, error)
         && add_files (self, directory, (gsize) size, error);
}

/* --- The archive ------------------------------------------------------------------------------ */

gboolean
_gadget_import_zip_check (const guint8 *bytes, gsize length)
{
  return length >= 4 && (has_signature (bytes, LOCAL) || has_signature (bytes, END));
}

GadgetImportZip *
_gadget_import_zip_new (GInputStream *archive, goffset size, GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GadgetImportZip) self = g_new0 (GadgetImportZip, 1);

  self->archive = g_object_ref (archive);
  self->files = g_array_new (FALSE, FALSE, sizeof (File));
  self->names = g_string_chunk_new (4096);
  self->archive_size = (guint64) MAX (size, 0);
  self->limit = MAX (MIN_LIMIT, self->archive_size * MAX_RATIO);
  return read_directory (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

void
_gadget_import_zip_free (GadgetImportZip *self)
{
  g_object_unref (self->archive);
  g_array_unref (self->files);
  g_string_chunk_free (self->names);
  g_free (self);
}

static const File *
get_file (GadgetImportZip *self, guint index)
{
  return &g_array_index (self->files, File, index);
}

static void
list_names (GadgetImportZip *self, const char *prefix, const char *suffix, GArray *list)
{
  for (guint i = 0; i < self->files->len; i++)
    if (g_str_has_prefix (get_file (self, i)->name, prefix)
        && g_str_has_suffix (get_file (self, i)->name, suffix))
      g_array_append_val (list, i);
}

GArray *
_gadget_import_zip_list (GadgetImportZip *self, GadgetImportZipKind kind)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));

  if (kind == GADGET_IMPORT_ZIP_ARCHIVE)
    list_names (self, "", ".zip", list);
  else
    {
      list_names (self, "conversations", ".json", list);
      /* Another name is that of the only file, or it is not known what the others are. */
      if (list->len == 0)
        list_names (self, "", ".json", list);
    }
  return list;
}

int
_gadget_import_zip_find (GadgetImportZip *self, const char *id)
{
  const gsize length = strlen (id);
  guint low = 0;
  guint high = self->files->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (strcmp (get_file (self, middle)->name, id) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (; length > 0 && low < self->files->len; low++)
    {
      const char *name = get_file (self, low)->name;

      if (!g_str_has_prefix (name, id))
        break;
      if (!g_ascii_isalnum (name[length]))
        return (int) low;
    }
  return -1;
}

const char *
_gadget_import_zip_get_name (GadgetImportZip *self, guint index)
{
  return get_file (self, index)->name;
}

guint64
_gadget_import_zip_get_size (GadgetImportZip *self, guint index)
{
  return get_file (self, index)->full_size;
}

/* Tells whether a file can be read. */
static gboolean
check_file (GadgetImportZip *self, const File *file, GError **error)
{
  const char *problem = NULL;

  if (file->is_encrypted)
    problem = _ ("The archive is encrypted. Unpack it and import the files in it.");
  else if (file->method != 0 && file->method != 8)
    problem = _ ("The archive is of another kind. Unpack it and import the files in it.");
  if (problem != NULL)
    g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN, problem);
  else if (file->full_size > self->limit)
    g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_DAMAGED, TOO_LARGE);
  else
    return TRUE;
  return FALSE;
}

gboolean
_gadget_import_zip_pass_damage (GError *read_error, guint *n_damaged, GError **error)
{
  if (!g_error_matches (read_error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA)
      && !g_error_matches (read_error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    {
      g_propagate_error (error, read_error);
      return FALSE;
    }
  g_error_free (read_error);
  ++*n_damaged;
  return TRUE;
}

GInputStream *
_gadget_import_zip_read_file (GadgetImportZip *self, guint index, GCancellable *cancellable,
                              GError **error)
{
  const File *file = get_file (self, index);
  g_autoptr (GZlibDecompressor) inflater = NULL;
  g_autoptr (GInputStream) part = NULL;
  g_autoptr (GInputStream) inflated = NULL;
  guint8 local[LOCAL_SIZE];
  guint64 start;

  if (!check_file (self, file, error)
      || !read_at (self, file->offset, local, sizeof local, cancellable, error))
    return NULL;
  start = file->offset + LOCAL_SIZE + get_number (local + 26, 2) + get_number (local + 28, 2);
  if (!has_signature (local, LOCAL) || start > self->archive_size
      || file->size > self->archive_size - start)
    {
      set_damaged (error);
      return NULL;
    }
  self->limit -= file->full_size;
  part = part_new (self->archive, (goffset) start, file->size, file->method == 0 ? file : NULL);
  if (file->method == 0)
    return g_steal_pointer (&part);
  inflater = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  inflated = g_converter_input_stream_new (part, G_CONVERTER (inflater));
  return part_new (inflated, -1, file->full_size, file);
}
