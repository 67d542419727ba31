/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-wish.h"

static const char *const picture_types[] = { "image/png", "image/jpeg", "image/webp", "image/gif",
                                             NULL };

GadgetWish *
gadget_wish_new (GadgetComposer *composer)
{
  GadgetWish *wish = g_rc_box_new0 (GadgetWish);

  g_set_weak_pointer (&wish->composer, composer);
  g_set_object (&wish->session, composer->session);
  return wish;
}

GadgetWish *
gadget_wish_ref (GadgetWish *wish)
{
  return g_rc_box_acquire (wish);
}

/* Who offers it may forget it then. */
static void
finish_drop (GadgetWish *wish)
{
  g_autoptr (GdkDrop) drop = g_steal_pointer (&wish->drop);

  if (drop != NULL)
    gdk_drop_finish (drop, wish->taken ? GDK_ACTION_COPY : 0);
}

static void
clear (gpointer data)
{
  GadgetWish *wish = data;
  GtkTextBuffer *buffer = wish->mark != NULL ? gtk_text_mark_get_buffer (wish->mark) : NULL;

  if (buffer != NULL)
    gtk_text_buffer_delete_mark (buffer, wish->mark);
  finish_drop (wish);
  g_clear_object (&wish->mark);
  g_clear_weak_pointer (&wish->composer);
  g_clear_object (&wish->session);
}

void
gadget_wish_unref (GadgetWish *wish)
{
  g_rc_box_release_full (wish, clear);
}

gboolean
gadget_wish_is_wanted (const GadgetWish *wish)
{
  return wish->composer != NULL && wish->composer->text != NULL
         && wish->composer->session == wish->session;
}

/* A page offers what is copied or dragged from it as an address: of another computer, or one that
 * is no address of anything ("data:…", "mailto:…"). What else can be read is a file. */
static gboolean
is_file (GFile *file)
{
  g_autofree char *scheme = g_file_get_uri_scheme (file);

  return !g_file_has_uri_scheme (file, "http") && !g_file_has_uri_scheme (file, "https")
         && (g_file_is_native (file)
             || (scheme != NULL
                 && g_strv_contains (g_vfs_get_supported_uri_schemes (g_vfs_get_default ()),
                                     scheme)));
}

gboolean
gadget_wish_add_files (GadgetWish *wish, const GSList *files)
{
  for (; files != NULL; files = files->next)
    if (is_file (files->data))
      {
        gadget_attachment_list_add_file (wish->composer->attachments, files->data);
        wish->taken = TRUE;
      }
  return wish->taken;
}

void
gadget_wish_insert (GadgetWish *wish, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (wish->composer->text);

  wish->taken = TRUE;
  _gadget_composer_paste (wish->composer, text,
                          wish->mark != NULL ? wish->mark : gtk_text_buffer_get_insert (buffer));
}

const char *const *
gadget_wish_get_picture_types (void)
{
  return picture_types;
}

GdkContentFormats *
gadget_wish_dup_formats (GdkContentFormats *formats, gboolean local)
{
  formats = gdk_content_formats_union_deserialize_gtypes (gdk_content_formats_ref (formats));
  return local ? gdk_content_formats_union_serialize_mime_types (formats) : formats;
}

gboolean
gadget_wish_has_picture (GdkContentFormats *formats)
{
  for (guint i = 0; picture_types[i] != NULL; i++)
    if (gdk_content_formats_contain_mime_type (formats, picture_types[i]))
      return TRUE;
  return FALSE;
}

/* --- What is still to come --- */

/* Nobody waits for the rest of it. */
static void
arrived_cb (gboolean taken, gpointer user_data)
{
  g_autoptr (GadgetWish) wish = user_data;

  wish->arrival = NULL;
  wish->taken |= taken;
  finish_drop (wish);
  g_clear_object (&wish->session);
}

void
gadget_wish_expect (GadgetWish *wish, const char *name)
{
  wish->arrival = gadget_attachment_list_expect (wish->composer->attachments, name, arrived_cb,
                                                 gadget_wish_ref (wish));
}

void
gadget_wish_take (GadgetWish *wish, GInputStream *stream, const GError *error)
{
  if (wish->arrival == NULL)
    return;
  if (stream == NULL)
    g_message ("what was to be attached did not come: %s", error->message);
  gadget_arrival_take (wish->arrival, stream);
}

void
gadget_wish_forget (GadgetWish *wish)
{
  gadget_arrival_forget (wish->arrival);
}
