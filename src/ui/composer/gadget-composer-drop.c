/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Drag-and-drop into the chat: files and pictures. A web page offers a picture as its address and
 * as data; the data is attached. The address of a dragged link goes into the text. Plain text is
 * left to the text view, which inserts it where it is dropped. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-pending-attachment.h"

#include <glib/gi18n.h>

/* Returns the types that a drop can be read as. (transfer full) */
static GdkContentFormats *
get_formats (GdkDrop *drop)
{
  return gadget_pending_attachment_dup_formats (gdk_drop_get_formats (drop),
                                                gdk_drop_get_drag (drop) != NULL);
}

static gboolean
accept_cb (GadgetComposer *self, GdkDrop *drop)
{
  g_autoptr (GdkContentFormats) formats = get_formats (drop);

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    return TRUE;
  return !gdk_content_formats_contain_gtype (formats, G_TYPE_STRING)
         && gadget_pending_attachment_has_picture (formats);
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  g_autoptr (GError) error = NULL;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, &error);

  if (value != NULL && pending->incoming != NULL)
    {
      gadget_pending_attachment_insert (pending, g_value_get_string (value));
      gadget_pending_attachment_cancel (pending);
    }
  else
    gadget_pending_attachment_receive (pending, NULL, error);
}

static void
picture_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (source), result, NULL, &error);

  gadget_pending_attachment_receive (pending, stream, error);
}

static void
read_other (GadgetPendingAttachment *pending)
{
  g_autoptr (GdkContentFormats) formats = get_formats (pending->drop);
  GCancellable *cancellable = gadget_incoming_attachment_get_cancellable (pending->incoming);

  if (gadget_pending_attachment_has_picture (formats))
    gdk_drop_read_async (
        pending->drop, (const char **) gadget_pending_attachment_get_picture_types (),
        G_PRIORITY_DEFAULT, cancellable, picture_cb, gadget_pending_attachment_ref (pending));
  else
    gdk_drop_read_value_async (pending->drop, G_TYPE_STRING, G_PRIORITY_DEFAULT, cancellable,
                               text_cb, gadget_pending_attachment_ref (pending));
}

static void
files_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, NULL);

  if (pending->incoming == NULL)
    return;
  if (value != NULL && gadget_pending_attachment_add_files (pending, g_value_get_boxed (value)))
    gadget_pending_attachment_cancel (pending);
  else
    read_other (pending);
}

static gboolean
drop_cb (GadgetComposer *self, GdkDrop *drop)
{
  g_autoptr (GdkContentFormats) formats = get_formats (drop);
  g_autoptr (GadgetPendingAttachment) pending = NULL;

  gtk_widget_remove_css_class (self->card, "drop");
  if (self->session == NULL)
    return FALSE;
  pending = gadget_pending_attachment_new (self);
  pending->drop = g_object_ref (drop);
  gadget_pending_attachment_announce (
      pending, gadget_pending_attachment_has_picture (formats) ? _ ("Image") : _ ("Files"));
  gadget_composer_focus (self);
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_drop_read_value_async (drop, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT,
                               gadget_incoming_attachment_get_cancellable (pending->incoming),
                               files_cb, gadget_pending_attachment_ref (pending));
  else
    read_other (pending);
  return TRUE;
}

static GdkDragAction
enter_cb (GadgetComposer *self)
{
  gtk_widget_add_css_class (self->card, "drop");
  return GDK_ACTION_COPY;
}

static void
leave_cb (GadgetComposer *self)
{
  gtk_widget_remove_css_class (self->card, "drop");
}

/**
 * gadget_composer_take_drops:
 * @widget: the widget, around the composer, in which files and pictures can be dropped
 */
void
gadget_composer_take_drops (GadgetComposer *self, GtkWidget *widget)
{
  GtkDropTargetAsync *target;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && GTK_IS_WIDGET (widget));

  target = gtk_drop_target_async_new (NULL, GDK_ACTION_COPY);
  /* In the capture phase, because the text view would insert the names of files. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "accept", G_CALLBACK (accept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drag-enter", G_CALLBACK (enter_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drag-leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}
