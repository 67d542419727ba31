/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading text and keys from file descriptors, without blocking the main context. The memory that
 * held a key is cleared. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli-input.h"
#include "secrets/gadget-secret-values.h"
#include "secrets/gadget-secrets.h"

/* CHUNK and KEY_LIMIT are in bytes. */
#define CHUNK 65536
#define KEY_LIMIT 16384
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The task data of reading. */
typedef struct
{
  gsize limit; /* in bytes */
  GString *text;
  gboolean line; /* read only the first line */
} Reading;

/* The terminal on which echo is switched off, or -1. Global, because any end of the process, also
 * in a signal handler, has to switch it on again. */
static volatile sig_atomic_t hidden_on = -1;
static struct termios shown;

static void
reading_free (Reading *reading)
{
  /* The text may be a key. */
  explicit_bzero (reading->text->str, reading->text->allocated_len);
  g_string_free (reading->text, TRUE);
  g_free (reading);
}

static void
hide_typing (int fd)
{
  struct termios hidden;

  if (!isatty (fd) || tcgetattr (fd, &shown) != 0)
    return;
  hidden = shown;
  hidden.c_lflag &= ~(tcflag_t) ECHO;
  if (tcsetattr (fd, TCSAFLUSH, &hidden) == 0)
    hidden_on = fd;
  g_printerr (_ ("Key: "));
}

/**
 * gadget_cli_show_typing:
 *
 * Switches the echo of the terminal on again. May be called from a signal handler.
 */
void
gadget_cli_show_typing (void)
{
  if (hidden_on < 0)
    return;
  tcsetattr (hidden_on, TCSANOW, &shown);
  hidden_on = -1;
  if (write (STDERR_FILENO, "\n", 1) != 1)
    return;
}

static void read_more (GTask *task);

static void
finish (GTask *task)
{
  Reading *reading = g_task_get_task_data (task);

  gadget_cli_show_typing ();
  /* Some editors begin a file with a byte order mark, which is not part of the text. */
  if (g_str_has_prefix (reading->text->str, BYTE_ORDER_MARK))
    g_string_erase (reading->text, 0, strlen (BYTE_ORDER_MARK));
  if (memchr (reading->text->str, '\0', reading->text->len) != NULL
      || !g_utf8_validate_len (reading->text->str, reading->text->len, NULL))
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                                     _ ("what was read is not UTF-8 text"));
  else
    g_task_return_pointer (task, g_strdup (reading->text->str), g_free);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *data;

  bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  if (bytes == NULL)
    {
      gadget_cli_show_typing ();
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  data = g_bytes_get_data (bytes, &length);
  g_string_append_len (reading->text, data, (gssize) length);
  if (reading->text->len > reading->limit)
    {
      g_autofree char *limit = g_format_size (reading->limit);

      gadget_cli_show_typing ();
      /* Translators: %s is a size, "64.0 kB" */
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                               _ ("there is more to read than %s"), limit);
    }
  else if (length == 0 || (reading->line && memchr (data, '\n', length) != NULL))
    finish (task);
  else
    read_more (task);
}

static void
read_more (GTask *task)
{
  g_input_stream_read_bytes_async (g_task_get_source_object (task), CHUNK, G_PRIORITY_DEFAULT, NULL,
                                   read_cb, g_object_ref (task));
}

static void
begin (int fd, gsize limit, gboolean key, gpointer tag, GAsyncReadyCallback callback,
       gpointer user_data)
{
  g_autoptr (GInputStream) stream = g_unix_input_stream_new (fd, FALSE);
  g_autoptr (GTask) task = g_task_new (stream, NULL, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  reading->limit = limit;
  reading->line = key;
  reading->text = g_string_sized_new (key ? KEY_LIMIT + CHUNK : CHUNK);
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, reading, (GDestroyNotify) reading_free);
  if (key)
    hide_typing (fd);
  read_more (task);
}

void
gadget_cli_read_async (int fd, gsize limit, GAsyncReadyCallback callback, gpointer user_data)
{
  begin (fd, limit, FALSE, gadget_cli_read_async, callback, user_data);
}

char *
gadget_cli_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
gadget_cli_read_key_async (int fd, GAsyncReadyCallback callback, gpointer user_data)
{
  begin (fd, KEY_LIMIT, TRUE, gadget_cli_read_key_async, callback, user_data);
}

char *
gadget_cli_read_key_finish (GAsyncResult *result, GError **error)
{
  g_autofree char *key = g_task_propagate_pointer (G_TASK (result), error);

  if (key == NULL)
    return NULL;
  key[strcspn (key, "\r\n")] = '\0';
  g_strstrip (key);
  if (*key == '\0')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("there is no key in it"));
      return NULL;
    }
  return g_steal_pointer (&key);
}

static void
free_secret (gpointer secret)
{
  gadget_secrets_free_key (secret);
}

/**
 * gadget_cli_parse_secrets:
 * @names: the names of the secrets, each of which needs a line "NAME=VALUE"
 * @text: what was read from standard input
 *
 * The last line of a name counts; white space around a value is left out.
 *
 * Returns: (transfer full) (nullable): the secrets as JSON, to be freed with
 *   gadget_secrets_free_key (); %NULL with %G_IO_ERROR_INVALID_DATA when a name has no line
 */
char *
gadget_cli_parse_secrets (char **names, const char *text, GError **error)
{
  char **lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) pairs = g_ptr_array_new_with_free_func (free_secret);
  char *secrets = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *prefix = g_strconcat (names[i], "=", NULL);
      const char *found = NULL;

      for (guint j = 0; lines[j] != NULL; j++)
        if (g_str_has_prefix (lines[j], prefix))
          found = lines[j] + strlen (prefix);
      if (found == NULL)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("Standard input has no line “%s…”."), prefix);
          break;
        }
      g_ptr_array_add (pairs, g_strdup (names[i]));
      g_ptr_array_add (pairs, g_strstrip (g_strdup (found)));
    }
  if (pairs->len == 2 * g_strv_length (names))
    {
      g_ptr_array_add (pairs, NULL);
      secrets = gadget_secret_values_to_json ((const char *const *) pairs->pdata);
    }
  gadget_secret_values_free (lines);
  return secrets;
}
