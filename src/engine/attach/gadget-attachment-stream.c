/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the stream of another program, which may send data forever, or nothing without ever ending
 * the stream. Not every stream notices a cancel while it waits, so the task returns without waiting
 * for the stream. Data that arrives after that is discarded. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-stream.h"

#include "common/gadget-pending.h"
#include "gadget-attachment-file.h"

#define CHUNK (256 * 1024)

/* The incoming data, owned by the read that goes on. */
typedef struct
{
  GInputStream *stream;
  GCancellable *cancellable; /* (nullable) */
  GByteArray *bytes;         /* NULL once the task has returned */
  GadgetPending *pending;
} Incoming;

static void
incoming_free (gpointer data)
{
  Incoming *incoming = data;

  g_object_unref (incoming->stream);
  g_clear_object (&incoming->cancellable);
  g_clear_pointer (&incoming->bytes, g_byte_array_unref);
  gadget_pending_free (incoming->pending);
  g_free (incoming);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Incoming, incoming_free)

/* A read may go on for long, and must not keep the bytes. */
static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  Incoming *incoming = data;

  g_clear_pointer (&incoming->bytes, g_byte_array_unref);
  gadget_pending_return_stopped (pending);
}

static void read_next (Incoming *incoming);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Incoming) incoming = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) chunk =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  g_autoptr (GTask) task = NULL;

  if (gadget_pending_is_over (incoming->pending))
    return;
  if (chunk != NULL && g_bytes_get_size (chunk) > 0)
    {
      g_byte_array_append (incoming->bytes, g_bytes_get_data (chunk, NULL),
                           (guint) g_bytes_get_size (chunk));
      if (incoming->bytes->len <= GADGET_ATTACHMENT_MAX_FILE)
        {
          read_next (g_steal_pointer (&incoming));
          return;
        }
      error = g_error_new_literal (GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE,
                                   "It is too large.");
    }
  task = gadget_pending_take (incoming->pending);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, g_byte_array_free_to_bytes (g_steal_pointer (&incoming->bytes)),
                           (GDestroyNotify) g_bytes_unref);
}

/* (transfer full) of @incoming */
static void
read_next (Incoming *incoming)
{
  g_input_stream_read_bytes_async (incoming->stream, CHUNK, G_PRIORITY_DEFAULT,
                                   incoming->cancellable, read_cb, incoming);
}

void
_gadget_attachment_stream_async (GInputStream *stream, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Incoming *incoming = g_new0 (Incoming, 1);

  g_task_set_source_tag (task, _gadget_attachment_stream_async);
  incoming->stream = g_object_ref (stream);
  g_set_object (&incoming->cancellable, cancellable);
  incoming->bytes = g_byte_array_new ();
  incoming->pending = gadget_pending_new (task, cancellable, stopped_cb, incoming);
  read_next (incoming);
}

GBytes *
_gadget_attachment_stream_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
