/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-wish.h"

static const char *const picture_types[] = { "image/png", "image/jpeg", "image/webp", "image/gif",
                                             NULL };

GadgetWish *
gadget_wish_new (GadgetComposer *composer)
{
  GadgetWish *wish = g_new0 (GadgetWish, 1);

  wish->composer = g_object_ref (composer);
  g_set_object (&wish->session, composer->session);
  return wish;
}

void
gadget_wish_free (GadgetWish *wish)
{
  GtkTextBuffer *buffer = wish->mark != NULL ? gtk_text_mark_get_buffer (wish->mark) : NULL;

  if (buffer != NULL)
    gtk_text_buffer_delete_mark (buffer, wish->mark);
  if (wish->drop != NULL)
    gdk_drop_finish (wish->drop, GDK_ACTION_COPY);
  g_clear_object (&wish->drop);
  g_clear_object (&wish->mark);
  g_object_unref (wish->composer);
  g_clear_object (&wish->session);
  g_free (wish);
}

gboolean
gadget_wish_is_wanted (const GadgetWish *wish)
{
  return wish->composer->text != NULL && wish->composer->session == wish->session;
}

/* A link that was copied from a page may say that it is a file of another computer. */
static gboolean
is_file (GFile *file)
{
  return !g_file_has_uri_scheme (file, "http") && !g_file_has_uri_scheme (file, "https");
}

gboolean
gadget_wish_add_files (const GadgetWish *wish, const GSList *files)
{
  gboolean any = FALSE;

  for (; files != NULL; files = files->next)
    if (is_file (files->data))
      {
        gadget_attachment_list_add_file (wish->composer->attachments, files->data);
        any = TRUE;
      }
  return any;
}

void
gadget_wish_insert (const GadgetWish *wish, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (wish->composer->text);

  _gadget_composer_paste (wish->composer, text,
                          wish->mark != NULL ? wish->mark : gtk_text_buffer_get_insert (buffer));
}

const char *const *
gadget_wish_get_picture_types (void)
{
  return picture_types;
}

gboolean
gadget_wish_has_picture (GdkContentFormats *formats)
{
  for (guint i = 0; picture_types[i] != NULL; i++)
    if (gdk_content_formats_contain_mime_type (formats, picture_types[i]))
      return TRUE;
  return FALSE;
}

static void
picture_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWish) wish = user_data;
  g_autoptr (GBytes) data = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, NULL) <= 0
      || !gadget_wish_is_wanted (wish))
    return;
  data = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source));
  gadget_attachment_list_add_bytes (wish->composer->attachments, data, NULL);
}

void
gadget_wish_add_picture (GadgetWish *wish, GInputStream *stream)
{
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();

  g_output_stream_splice_async (
      memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
      G_PRIORITY_DEFAULT, NULL, picture_read_cb, wish);
}
