/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "slow-content.h"

#include "wait.h"

struct _SlowContent
{
  GdkContentProvider parent_instance;

  char *mime_type;
  GTask *writing; /* (nullable) */
  GOutputStream *stream;
};

G_DEFINE_FINAL_TYPE (SlowContent, slow_content, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
ref_formats (GdkContentProvider *provider)
{
  return gdk_content_formats_new ((const char *[]) { SLOW_CONTENT (provider)->mime_type }, 1);
}

static void
write_mime_type_async (GdkContentProvider *provider, const char *mime_type, GOutputStream *stream,
                       int io_priority, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  SlowContent *self = SLOW_CONTENT (provider);

  g_assert_null (self->writing);
  self->writing = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->writing, write_mime_type_async);
  g_set_object (&self->stream, stream);
}

static gboolean
write_mime_type_finish (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
slow_content_dispose (GObject *object)
{
  SlowContent *self = SLOW_CONTENT (object);

  g_clear_pointer (&self->mime_type, g_free);
  g_clear_object (&self->writing);
  g_clear_object (&self->stream);
  G_OBJECT_CLASS (slow_content_parent_class)->dispose (object);
}

static void
slow_content_class_init (SlowContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = slow_content_dispose;
  provider_class->ref_formats = ref_formats;
  provider_class->write_mime_type_async = write_mime_type_async;
  provider_class->write_mime_type_finish = write_mime_type_finish;
}

static void
slow_content_init (SlowContent *self)
{
}

SlowContent *
slow_content_new (const char *mime_type)
{
  SlowContent *self = g_object_new (TYPE_SLOW_CONTENT, NULL);

  self->mime_type = g_strdup (mime_type);
  return self;
}

gboolean
slow_content_is_asked (SlowContent *self)
{
  return self->writing != NULL;
}

gboolean
slow_content_is_left (SlowContent *self)
{
  return self->writing != NULL
         && g_cancellable_is_cancelled (g_task_get_cancellable (self->writing));
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *written = user_data;

  *written = TRUE;
}

void
slow_content_give (SlowContent *self, GBytes *bytes)
{
  gboolean written = FALSE;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_output_stream_write_all_async (self->stream, data, length, G_PRIORITY_DEFAULT, NULL, written_cb,
                                   &written);
  wait_until (written);
}

void
slow_content_end (SlowContent *self)
{
  g_autoptr (GTask) writing = g_steal_pointer (&self->writing);

  g_task_return_boolean (writing, TRUE);
  g_clear_object (&self->stream);
}
