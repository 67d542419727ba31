/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Data from the clipboard or from a drop that is to be attached. It is read asynchronously, and may
 * have to be dropped because another chat is shown by the time it arrives. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-pending-attachment.h"

static const char *const picture_types[] = { "image/png", "image/jpeg", "image/webp", "image/gif",
                                             NULL };

GadgetPendingAttachment *
gadget_pending_attachment_new (GadgetComposer *composer)
{
  GadgetPendingAttachment *pending = g_rc_box_new0 (GadgetPendingAttachment);

  g_set_weak_pointer (&pending->composer, composer);
  g_set_object (&pending->session, composer->session);
  return pending;
}

GadgetPendingAttachment *
gadget_pending_attachment_ref (GadgetPendingAttachment *pending)
{
  return g_rc_box_acquire (pending);
}

/* Ends the drag-and-drop operation, so that the source may free the data. */
static void
finish_drop (GadgetPendingAttachment *pending)
{
  g_autoptr (GdkDrop) drop = g_steal_pointer (&pending->drop);

  if (drop != NULL)
    gdk_drop_finish (drop, pending->taken ? GDK_ACTION_COPY : 0);
}

static void
clear (gpointer data)
{
  GadgetPendingAttachment *pending = data;
  GtkTextBuffer *buffer = pending->mark != NULL ? gtk_text_mark_get_buffer (pending->mark) : NULL;

  if (buffer != NULL)
    gtk_text_buffer_delete_mark (buffer, pending->mark);
  finish_drop (pending);
  g_clear_object (&pending->mark);
  g_clear_weak_pointer (&pending->composer);
  g_clear_object (&pending->session);
}

void
gadget_pending_attachment_unref (GadgetPendingAttachment *pending)
{
  g_rc_box_release_full (pending, clear);
}

gboolean
gadget_pending_attachment_is_wanted (const GadgetPendingAttachment *pending)
{
  return pending->composer != NULL && pending->composer->text != NULL
         && pending->composer->session == pending->session;
}

/* Tells whether a URI that was copied or dropped can be read as a file. Web pages offer addresses
 * of another computer, or addresses that are no location at all ("data:…", "mailto:…"). */
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
gadget_pending_attachment_add_files (GadgetPendingAttachment *pending, const GSList *files)
{
  for (; files != NULL; files = files->next)
    if (is_file (files->data))
      {
        gadget_attachment_list_add_file (pending->composer->attachments, files->data);
        pending->taken = TRUE;
      }
  return pending->taken;
}

void
gadget_pending_attachment_insert (GadgetPendingAttachment *pending, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (pending->composer->text);

  pending->taken = TRUE;
  _gadget_composer_paste (pending->composer, text,
                          pending->mark != NULL ? pending->mark
                                                : gtk_text_buffer_get_insert (buffer));
}

const char *const *
gadget_pending_attachment_get_picture_types (void)
{
  return picture_types;
}

GdkContentFormats *
gadget_pending_attachment_dup_formats (GdkContentFormats *formats, gboolean local)
{
  formats = gdk_content_formats_union_deserialize_gtypes (gdk_content_formats_ref (formats));
  return local ? gdk_content_formats_union_serialize_mime_types (formats) : formats;
}

gboolean
gadget_pending_attachment_has_picture (GdkContentFormats *formats)
{
  for (guint i = 0; picture_types[i] != NULL; i++)
    if (gdk_content_formats_contain_mime_type (formats, picture_types[i]))
      return TRUE;
  return FALSE;
}

/* --- The incoming attachment ------------------------------------------------------------------ */

/* The data was attached, failed, or is not wanted any more. */
static void
arrived_cb (gboolean taken, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;

  pending->incoming = NULL;
  pending->taken |= taken;
  finish_drop (pending);
  g_clear_object (&pending->session);
}

void
gadget_pending_attachment_announce (GadgetPendingAttachment *pending, const char *name)
{
  pending->incoming = gadget_attachment_list_expect (
      pending->composer->attachments, name, arrived_cb, gadget_pending_attachment_ref (pending));
}

void
gadget_pending_attachment_receive (GadgetPendingAttachment *pending, GInputStream *stream,
                                   const GError *error)
{
  if (pending->incoming == NULL)
    return;
  if (stream == NULL)
    g_message ("what was to be attached did not come: %s", error->message);
  gadget_incoming_attachment_receive (pending->incoming, stream);
}

void
gadget_pending_attachment_cancel (GadgetPendingAttachment *pending)
{
  gadget_incoming_attachment_cancel (pending->incoming);
}
