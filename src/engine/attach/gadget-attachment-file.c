/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a file in a thread that is left behind when the user stops waiting for it, because the file
 * may be on a file system that hangs. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-file.h"

#include "common/gadget-blocking.h"

#define CHUNK (256 * 1024)

typedef struct
{
  GBytes *bytes;
  char *name;
} Loaded;

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;

  g_clear_pointer (&loaded->bytes, g_bytes_unref);
  g_free (loaded->name);
  g_free (loaded);
}

static gboolean
check (GFileInfo *info, GError **error)
{
  /* Reading a pipe or a device might never end. */
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    g_set_error_literal (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_FOLDER,
                         "It is no file.");
  else if (g_file_info_get_size (info) > GADGET_ATTACHMENT_MAX_FILE)
    g_set_error_literal (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE,
                         "The file is too large.");
  else
    return TRUE;
  return FALSE;
}

/* Checks the size while it reads, because the file may grow meanwhile. */
static GBytes *
read_all (GInputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize n = 1;

  while (n > 0 && bytes->len <= GADGET_ATTACHMENT_MAX_FILE)
    {
      const guint length = bytes->len;

      g_byte_array_set_size (bytes, length + CHUNK);
      if (!g_input_stream_read_all (stream, bytes->data + length, CHUNK, &n, cancellable, error))
        return NULL;
      g_byte_array_set_size (bytes, length + (guint) n);
    }
  if (bytes->len > GADGET_ATTACHMENT_MAX_FILE)
    {
      g_set_error_literal (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE,
                           "The file is too large.");
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static gpointer
load (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info =
      g_file_query_info (data,
                         G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                        "," G_FILE_ATTRIBUTE_STANDARD_DISPLAY_NAME,
                         G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GBytes) bytes = NULL;
  Loaded *loaded;

  if (info == NULL || !check (info, error))
    return NULL;
  stream = g_file_read (data, cancellable, error);
  if (stream != NULL)
    bytes = read_all (G_INPUT_STREAM (stream), cancellable, error);
  if (bytes == NULL)
    return NULL;
  loaded = g_new0 (Loaded, 1);
  loaded->bytes = g_steal_pointer (&bytes);
  loaded->name = g_strdup (g_file_info_get_display_name (info));
  return loaded;
}

void
_gadget_attachment_file_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  gadget_blocking_run_async (cancellable, load, g_object_ref (file), g_object_unref, loaded_free,
                             callback, user_data);
}

/* @name: (out) (transfer full): the file's display name */
GBytes *
_gadget_attachment_file_finish (GAsyncResult *result, char **name, GError **error)
{
  Loaded *loaded = gadget_blocking_run_finish (result, error);
  GBytes *bytes;

  if (loaded == NULL)
    return NULL;
  bytes = g_steal_pointer (&loaded->bytes);
  *name = g_steal_pointer (&loaded->name);
  loaded_free (loaded);
  return bytes;
}
