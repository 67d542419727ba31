/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the key of a provider from a file that an environment variable names. The file must be a
 * regular file that only this user can read. */

#define G_LOG_DOMAIN "gadget-key-file"

#include "config.h"

#include "gadget-key-file.h"

#include "gadget-secrets-key.h"

#include <string.h>
#include <unistd.h>

#define MAX_SIZE (64 * 1024)

/**
 * gadget_key_file_make_variable:
 * @id: the id of a provider
 *
 * Returns: (transfer full): the name of the environment variable that names the key file of the
 *   provider: "GADGET_KEY_FILE_" and the id in upper case, with "_" for characters other than ASCII
 *   letters and digits
 */
char *
gadget_key_file_make_variable (const char *id)
{
  g_autofree char *upper = g_ascii_strup (id, -1);

  for (char *c = upper; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  return g_strconcat ("GADGET_KEY_FILE_", upper, NULL);
}

static gboolean
check_info (GFileInfo *info, GError **error)
{
  guint32 mode = g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_MODE);
  const char *why = NULL;

  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    why = "it is not a plain file";
  else if (g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_UID) != geteuid ())
    why = "it belongs to another user";
  else if ((mode & 077) != 0)
    why = "others may read it (its mode must be 0600)";
  else if (g_file_info_get_size (info) > MAX_SIZE)
    why = "it is too large for a key";
  if (why == NULL)
    return TRUE;
  g_set_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_KEY_FILE,
               "The key file can't be used: %s", why);
  return FALSE;
}

static void
fail (GTask *task, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || error->domain == GADGET_SECRETS_ERROR)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_new_error (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_KEY_FILE,
                             "The key file can't be read: %s", error->message);
}

static void
free_bytes (gpointer data)
{
  gadget_secrets_free_key (data);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  char *buffer = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gsize length;

  if (!g_input_stream_read_all_finish (G_INPUT_STREAM (source), result, &length, &error))
    {
      fail (task, error);
      return;
    }
  buffer[length] = '\0';
  g_strstrip (buffer);
  if (*buffer == '\0')
    g_task_return_new_error (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_KEY_FILE,
                             "The key file can't be used: it is empty");
  else
    g_task_return_pointer (task, g_strdup (buffer), free_bytes);
}

static void
info_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GFileInputStream *stream = G_FILE_INPUT_STREAM (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_input_stream_query_info_finish (stream, result, &error);
  GCancellable *cancellable = g_task_get_cancellable (task);
  char *buffer;

  if (info == NULL || !check_info (info, &error))
    {
      fail (task, error);
      return;
    }
  buffer = g_malloc0 (MAX_SIZE + 1);
  g_task_set_task_data (task, buffer, free_bytes);
  g_input_stream_read_all_async (G_INPUT_STREAM (stream), buffer, MAX_SIZE, G_PRIORITY_DEFAULT,
                                 cancellable, read_cb, g_steal_pointer (&task));
}

static void
open_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read_finish (G_FILE (source), result, &error);
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (stream == NULL)
    {
      fail (task, error);
      return;
    }
  /* Queries the open file, because the path may name another file by now. */
  g_file_input_stream_query_info_async (
      stream, "standard::type,standard::size,unix::mode,unix::uid", G_PRIORITY_DEFAULT, cancellable,
      info_cb, g_steal_pointer (&task));
}

/**
 * gadget_key_file_read_async:
 * @path: the path of the key file, of at most MAX_SIZE bytes
 *
 * Reads a key.
 */
void
gadget_key_file_read_async (const char *path, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_task_set_source_tag (task, gadget_key_file_read_async);
  g_file_read_async (file, G_PRIORITY_DEFAULT, cancellable, open_cb, g_steal_pointer (&task));
}

/**
 * gadget_key_file_read_finish:
 *
 * Returns: (transfer full): the key without surrounding white space, to be freed with
 *   gadget_secrets_free_key (); %NULL with %GADGET_SECRETS_ERROR_KEY_FILE or %G_IO_ERROR_CANCELLED
 */
char *
gadget_key_file_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
