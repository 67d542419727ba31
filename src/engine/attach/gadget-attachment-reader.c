/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first bytes of a file, not its name, decide what it is. The steps: check that it is a file
 * and read it up to the limit · take a picture as it is, or shrink it in a thread · extract the
 * text of a PDF with pdftotext · require that anything else is text. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-reader.h"

#include "common/gadget-image-info.h"
#include "gadget-attachment-file.h"
#include "gadget-attachment-stream.h"
#include "gadget-pdf-text.h"

#include <string.h>

/* The state of one attachment that is being read, owned by its task. */
typedef struct
{
  GFile *file; /* (nullable) */
  char *name;  /* (nullable) */
  GBytes *data;
  GadgetSandbox *sandbox;
  guint pdf_limit_ms;
  GadgetPictureFileFunc check;
  GadgetPictureFileFunc shrink;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_clear_object (&reading->file);
  g_free (reading->name);
  g_clear_pointer (&reading->data, g_bytes_unref);
  g_clear_object (&reading->sandbox);
  g_free (reading);
}

static void
refuse (GTask *task, GadgetAttachmentError code, const char *message)
{
  g_task_return_new_error_literal (task, GADGET_ATTACHMENT_ERROR, (int) code, message);
}

static void
unref_attachment (gpointer attachment)
{
  gadget_attachment_unref (attachment);
}

static void
return_attachment (GTask *task, GadgetAttachment *attachment)
{
  g_task_return_pointer (task, attachment, unref_attachment);
}

static const char *
get_name (const Reading *reading)
{
  return reading->name != NULL ? reading->name : "text";
}

/* --- Texts --- */

static void
return_text (GTask *task, const char *text, gsize length)
{
  const Reading *reading = g_task_get_task_data (task);

  if (length > GADGET_ATTACHMENT_MAX_TEXT)
    refuse (task, GADGET_ATTACHMENT_ERROR_TOO_LONG, "Its text is too long.");
  else if (strspn (text, " \t\r\n\f") == length)
    refuse (task, GADGET_ATTACHMENT_ERROR_EMPTY, "There is no text in it.");
  else
    return_attachment (task, gadget_attachment_new_text (get_name (reading), text,
                                                         g_bytes_get_size (reading->data)));
}

/* Converts UTF-16, which is recognized by its first two bytes. NULL for anything else. */
static char *
dup_utf16 (const char *bytes, gsize length)
{
  const gboolean little = memcmp (bytes, "\xff\xfe", 2) == 0;

  if (!little && memcmp (bytes, "\xfe\xff", 2) != 0)
    return NULL;
  return g_convert (bytes + 2, (gssize) length - 2, "UTF-8", little ? "UTF-16LE" : "UTF-16BE", NULL,
                    NULL, NULL);
}

static void
read_text (GTask *task)
{
  const Reading *reading = g_task_get_task_data (task);
  gsize length;
  const char *bytes = g_bytes_get_data (reading->data, &length);
  g_autofree char *text = NULL;

  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    {
      bytes += 3;
      length -= 3;
    }
  if (g_utf8_validate_len (bytes, length, NULL))
    text = g_strndup (bytes, length);
  else if (length >= 2 && length <= 4 * GADGET_ATTACHMENT_MAX_TEXT)
    text = dup_utf16 (bytes, length);
  if (text == NULL)
    refuse (task, GADGET_ATTACHMENT_ERROR_KIND, "It is no picture, text or PDF.");
  else
    return_text (task, text, strlen (text));
}

static void
pdf_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autofree char *text = _gadget_pdf_text_finish (result, &error);

  if (text != NULL)
    return_text (task, text, strlen (text));
  else
    g_task_return_error (task, error);
}

/* --- Pictures --- */

typedef struct
{
  GBytes *data;
  GadgetPictureFileFunc func;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_bytes_unref (work->data);
  g_free (work);
}

static void
work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  GError *error = NULL;
  GBytes *bytes = work->func (work->data, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
worked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Reading *reading = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) data = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GadgetPicture) picture =
      data != NULL ? gadget_picture_new (reading->name, data, &error) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (picture == NULL)
    refuse (task, GADGET_ATTACHMENT_ERROR_DAMAGED, error->message);
  else
    return_attachment (task, gadget_attachment_new_picture (picture));
}

static void
begin_work (GTask *task, GadgetPictureFileFunc func)
{
  const Reading *reading = g_task_get_task_data (task);
  g_autoptr (GTask) work =
      g_task_new (NULL, g_task_get_cancellable (task), worked_cb, g_object_ref (task));
  Work *copy = g_new0 (Work, 1);

  copy->data = g_bytes_ref (reading->data);
  copy->func = func;
  g_task_set_source_tag (work, begin_work);
  g_task_set_task_data (work, copy, work_free);
  /* A decoder cannot be cancelled: the task returns without waiting for it. */
  g_task_set_return_on_cancel (work, TRUE);
  g_task_run_in_thread (work, work_in_thread);
}

static void
read_picture (GTask *task)
{
  const Reading *reading = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetPicture) picture = gadget_picture_new (reading->name, reading->data, &error);

  if (picture != NULL && reading->check != NULL)
    begin_work (task, reading->check);
  else if (picture != NULL)
    return_attachment (task, gadget_attachment_new_picture (picture));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    refuse (task, GADGET_ATTACHMENT_ERROR_DAMAGED, error->message);
  else if (reading->shrink != NULL)
    begin_work (task, reading->shrink);
  else
    refuse (task, GADGET_ATTACHMENT_ERROR_TOO_LARGE, "The picture is too large.");
}

/* --- Choosing the kind --- */

static void
detect_kind (GTask *task)
{
  const Reading *reading = g_task_get_task_data (task);
  GadgetImageInfo info;
  gsize length;
  const char *bytes = g_bytes_get_data (reading->data, &length);

  if (length == 0)
    refuse (task, GADGET_ATTACHMENT_ERROR_EMPTY, "There is nothing in it.");
  else if (gadget_image_info_read (&info, bytes, length))
    read_picture (task);
  else if (length > 5 && memcmp (bytes, "%PDF-", 5) == 0)
    _gadget_pdf_text_async (reading->data, reading->sandbox, reading->pdf_limit_ms,
                            g_task_get_cancellable (task), pdf_text_cb, g_object_ref (task));
  else
    read_text (task);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);
  g_autofree char *name = NULL;
  GError *error = NULL;

  reading->data = _gadget_attachment_file_finish (result, &name, &error);
  if (reading->data == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (reading->name == NULL)
    reading->name = g_steal_pointer (&name);
  detect_kind (task);
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);
  GError *error = NULL;

  reading->data = _gadget_attachment_stream_finish (result, &error);
  if (reading->data != NULL)
    detect_kind (task);
  else
    g_task_return_error (task, error);
}

/**
 * gadget_attachment_read_async:
 * @source: only used during the call
 *
 * Reads what is to be attached to a message. Nothing blocks the main context, and everything stops
 * when @cancellable is cancelled.
 */
void
gadget_attachment_read_async (const GadgetAttachmentSource *source, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading;

  g_return_if_fail (source != NULL
                    && (source->file != NULL || source->data != NULL || source->stream != NULL));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_attachment_read_async);
  reading = g_new0 (Reading, 1);
  g_set_object (&reading->file, source->file);
  g_set_object (&reading->sandbox, source->sandbox);
  reading->name = g_strdup (source->name);
  reading->pdf_limit_ms = source->pdf_limit_ms;
  reading->check = source->check;
  reading->shrink = source->shrink;
  reading->data = source->data != NULL ? g_bytes_ref (source->data) : NULL;
  g_task_set_task_data (task, reading, reading_free);
  if (reading->data != NULL)
    detect_kind (task);
  else if (source->stream != NULL)
    _gadget_attachment_stream_async (source->stream, cancellable, streamed_cb, g_object_ref (task));
  else
    _gadget_attachment_file_async (reading->file, cancellable, loaded_cb, g_object_ref (task));
}

/**
 * gadget_attachment_read_finish:
 *
 * Returns: (transfer full) (nullable): %NULL with %G_IO_ERROR_CANCELLED, a #GadgetAttachmentError,
 *   or the reason why the file could not be read
 */
GadgetAttachment *
gadget_attachment_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_attachment_read_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
