/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the stream of another program, which may send data forever, or nothing without ever ending
 * the stream. Not every stream notices a cancel while it waits, so the task returns without waiting
 * for the stream. Data that arrives after that is discarded. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-stream.h"

#include "common/gadget-stop-source.h"
#include "gadget-attachment-file.h"

#define CHUNK (256 * 1024)

/* The incoming data, owned by the task. */
typedef struct
{
  GInputStream *stream;
  GByteArray *bytes;
  GSource *stop; /* (nullable) */
  gboolean answered;
} Incoming;

static void
incoming_free (gpointer data)
{
  Incoming *incoming = data;

  g_object_unref (incoming->stream);
  g_clear_pointer (&incoming->bytes, g_byte_array_unref);
  g_free (incoming);
}

/* Ends the collecting and takes the bytes. A pending read may keep the task alive for long, but not
 * the bytes. */
static GBytes *
begin_answer (Incoming *incoming)
{
  incoming->answered = TRUE;
  gadget_stop_source_end (&incoming->stop);
  return g_byte_array_free_to_bytes (g_steal_pointer (&incoming->bytes));
}

/* The pending read holds the reference to the task. */
static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;

  g_bytes_unref (begin_answer (g_task_get_task_data (task)));
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void read_next (GTask *task);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Incoming *incoming = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) chunk =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  g_autoptr (GBytes) bytes = NULL;

  if (incoming->answered)
    {
      g_clear_error (&error);
      return;
    }
  if (chunk != NULL && g_bytes_get_size (chunk) > 0)
    {
      g_byte_array_append (incoming->bytes, g_bytes_get_data (chunk, NULL),
                           (guint) g_bytes_get_size (chunk));
      if (incoming->bytes->len <= GADGET_ATTACHMENT_MAX_FILE)
        {
          read_next (g_steal_pointer (&task));
          return;
        }
      error = g_error_new_literal (GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE,
                                   "It is too large.");
    }
  bytes = begin_answer (incoming);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&bytes), (GDestroyNotify) g_bytes_unref);
}

/* (transfer full) of @task */
static void
read_next (GTask *task)
{
  const Incoming *incoming = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (incoming->stream, CHUNK, G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task), read_cb, task);
}

void
_gadget_attachment_stream_async (GInputStream *stream, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Incoming *incoming = g_new0 (Incoming, 1);

  g_task_set_source_tag (task, _gadget_attachment_stream_async);
  incoming->stream = g_object_ref (stream);
  incoming->bytes = g_byte_array_new ();
  g_task_set_task_data (task, incoming, incoming_free);
  incoming->stop =
      gadget_stop_source_new (cancellable, "[gadget] stop reading what is given", stopped_cb, task);
  read_next (task);
}

GBytes *
_gadget_attachment_stream_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
