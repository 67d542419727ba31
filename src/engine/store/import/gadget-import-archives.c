/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The archives of an import, and those in them, one level deep. All are opened before the first
 * chat is read, since the chats of one may refer to files in another one. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gadget-import-archives.h"

#include "gadget-import-value.h"

#include "session/gadget-picture.h"

/* Names that the files of an archive had, in a file of ChatGPT's. */
#define ASSET_NAMES "conversation_asset_file_names"
#define MAX_NAMES (16 * 1024 * 1024)

/* An archive, or one in it. */
typedef struct
{
  guint path; /* the index of its file */
  GadgetImportZip *zip;
  GadgetImportMemory *memory;
  const GadgetImportValue *names; /* (nullable): of its files */
} Archive;

struct _GadgetImportArchives
{
  const char *directory;
  GPtrArray *list; /* of Archive */
  guint *n_damaged;
  GCancellable *cancellable;
};

static void
archive_free (gpointer data)
{
  Archive *self = data;

  _gadget_import_zip_free (self->zip);
  _gadget_import_memory_free (self->memory);
  g_free (self);
}

/* Reads a file that is not larger than @max (transfer full). */
static GString *
read_all (GadgetImportArchives *self, const Archive *archive, int index, gsize max, GError **error)
{
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GString) text = NULL;
  gsize n;

  if (index < 0 || _gadget_import_zip_get_size (archive->zip, (guint) index) > max)
    return NULL;
  stream = _gadget_import_zip_read_file (archive->zip, (guint) index, self->cancellable, error);
  if (stream == NULL)
    return NULL;
  text = g_string_new (NULL);
  g_string_set_size (text, (gsize) _gadget_import_zip_get_size (archive->zip, (guint) index));
  /* The checksum is compared by whoever reads the end. */
  if (!g_input_stream_read_all (stream, text->str, text->len + 1, &n, self->cancellable, error))
    return NULL;
  g_string_truncate (text, n);
  return g_steal_pointer (&text);
}

/* Returns the name that a file had before it got the one in the archive: from a list, or behind its
 * id (nullable). */
static const char *
get_old_name (const Archive *archive, const char *name, const char *id)
{
  const char *listed = _gadget_import_get_string (archive->names, name);

  name += strlen (id);
  return listed != NULL || *name != '-' || name[1] == '\0' ? listed : name + 1;
}

GBytes *
_gadget_import_archives_find_file (const char *id, const char **name, gpointer archives)
{
  GadgetImportArchives *self = archives;

  for (guint i = 0; i < self->list->len; i++)
    {
      const Archive *archive = g_ptr_array_index (self->list, i);
      const int index = _gadget_import_zip_find (archive->zip, id);
      GString *bytes = read_all (self, archive, index, GADGET_PICTURE_MAX_BYTES, NULL);

      if (bytes == NULL)
        continue;
      *name = get_old_name (archive, _gadget_import_zip_get_name (archive->zip, (guint) index), id);
      return g_string_free_to_bytes (bytes);
    }
  return NULL;
}

/* Copies an archive that is in another one to a file, which has no name as soon as it is open
 * (transfer full). Only one import goes on at a time. */
static GInputStream *
copy_archive (GadgetImportArchives *self, GadgetImportZip *zip, guint index, GError **error)
{
  g_autoptr (GInputStream) from =
      _gadget_import_zip_read_file (zip, index, self->cancellable, error);
  g_autofree char *path = g_build_filename (self->directory, "import-archive", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) to = NULL;
  g_autoptr (GFileInputStream) copy = NULL;

  if (from == NULL)
    return NULL;
  g_unlink (path);
  to = g_file_create (file, G_FILE_CREATE_PRIVATE, self->cancellable, error);
  if (to != NULL)
    copy = g_file_read (file, self->cancellable, error);
  g_unlink (path);
  if (copy == NULL
      || g_output_stream_splice (G_OUTPUT_STREAM (to), from, G_OUTPUT_STREAM_SPLICE_NONE,
                                 self->cancellable, error)
             < 0)
    return NULL;
  return G_INPUT_STREAM (g_steal_pointer (&copy));
}

static gboolean
add_archive (GadgetImportArchives *self, guint path, GInputStream *stream, goffset size,
             gboolean is_inner, GError **error)
{
  g_autoptr (GArray) inner = NULL;
  g_autoptr (GString) text = NULL;
  Archive *archive;
  GadgetImportZip *zip = _gadget_import_zip_new (stream, size, self->cancellable, error);

  if (zip == NULL)
    return FALSE;
  archive = g_new0 (Archive, 1);
  archive->path = path;
  archive->zip = zip;
  archive->memory = _gadget_import_memory_new (self->directory);
  g_ptr_array_add (self->list, archive);
  text = read_all (self, archive, _gadget_import_zip_find (zip, ASSET_NAMES), MAX_NAMES, NULL);
  if (text != NULL)
    archive->names = _gadget_import_memory_parse_copy (archive->memory, text->str, text->len);
  inner = _gadget_import_zip_list (zip, GADGET_IMPORT_ZIP_ARCHIVE);
  for (guint i = 0; !is_inner && i < inner->len; i++)
    {
      const guint index = g_array_index (inner, guint, i);
      GError *read_error = NULL;
      g_autoptr (GInputStream) copy = copy_archive (self, zip, index, &read_error);
      gboolean ok;

      ok = copy == NULL
               ? _gadget_import_zip_pass_damage (read_error, self->n_damaged, error)
               : add_archive (self, path, copy, (goffset) _gadget_import_zip_get_size (zip, index),
                              TRUE, error);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

gboolean
_gadget_import_archives_add (GadgetImportArchives *self, guint path, GInputStream *stream,
                             goffset size, GError **error)
{
  return add_archive (self, path, stream, size, FALSE, error);
}

GadgetImportZip *
_gadget_import_archives_get (GadgetImportArchives *self, guint index, guint *path)
{
  const Archive *archive;

  if (index >= self->list->len)
    return NULL;
  archive = g_ptr_array_index (self->list, index);
  *path = archive->path;
  return archive->zip;
}

GadgetImportArchives *
_gadget_import_archives_new (const char *directory, guint *n_damaged, GCancellable *cancellable)
{
  GadgetImportArchives *self = g_new0 (GadgetImportArchives, 1);

  self->directory = directory;
  self->list = g_ptr_array_new_with_free_func (archive_free);
  self->n_damaged = n_damaged;
  self->cancellable = cancellable;
  return self;
}

void
_gadget_import_archives_free (GadgetImportArchives *self)
{
  g_ptr_array_unref (self->list);
  g_free (self);
}
