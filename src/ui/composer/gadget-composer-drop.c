/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is dropped in the chat: files, and pictures. A page offers a picture as its address and the
 * picture itself, which is taken; of a link the address goes into the text. Words alone are left to
 * the text, which takes them where they fall. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-wish.h"

#include <glib/gi18n.h>

/* (transfer full) */
static GdkContentFormats *
get_formats (GdkDrop *drop)
{
  return gadget_wish_dup_formats (gdk_drop_get_formats (drop), gdk_drop_get_drag (drop) != NULL);
}

static gboolean
accept_cb (GadgetComposer *self, GdkDrop *drop)
{
  g_autoptr (GdkContentFormats) formats = get_formats (drop);

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    return TRUE;
  return !gdk_content_formats_contain_gtype (formats, G_TYPE_STRING)
         && gadget_wish_has_picture (formats);
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWish) wish = user_data;
  g_autoptr (GError) error = NULL;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, &error);

  if (value != NULL && wish->arrival != NULL)
    {
      gadget_wish_insert (wish, g_value_get_string (value));
      gadget_wish_forget (wish);
    }
  else
    gadget_wish_take (wish, NULL, error);
}

static void
picture_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWish) wish = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (source), result, NULL, &error);

  gadget_wish_take (wish, stream, error);
}

static void
read_other (GadgetWish *wish)
{
  g_autoptr (GdkContentFormats) formats = get_formats (wish->drop);
  GCancellable *cancellable = gadget_arrival_get_cancellable (wish->arrival);

  if (gadget_wish_has_picture (formats))
    gdk_drop_read_async (wish->drop, (const char **) gadget_wish_get_picture_types (),
                         G_PRIORITY_DEFAULT, cancellable, picture_cb, gadget_wish_ref (wish));
  else
    gdk_drop_read_value_async (wish->drop, G_TYPE_STRING, G_PRIORITY_DEFAULT, cancellable, text_cb,
                               gadget_wish_ref (wish));
}

static void
files_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetWish) wish = user_data;
  const GValue *value = gdk_drop_read_value_finish (GDK_DROP (source), result, NULL);

  if (wish->arrival == NULL)
    return;
  if (value != NULL && gadget_wish_add_files (wish, g_value_get_boxed (value)))
    gadget_wish_forget (wish);
  else
    read_other (wish);
}

static gboolean
drop_cb (GadgetComposer *self, GdkDrop *drop)
{
  g_autoptr (GdkContentFormats) formats = get_formats (drop);
  g_autoptr (GadgetWish) wish = NULL;

  gtk_widget_remove_css_class (self->card, "drop");
  if (self->session == NULL)
    return FALSE;
  wish = gadget_wish_new (self);
  wish->drop = g_object_ref (drop);
  gadget_wish_expect (wish, gadget_wish_has_picture (formats) ? _ ("Picture") : _ ("Files"));
  gadget_composer_focus (self);
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_drop_read_value_async (drop, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT,
                               gadget_arrival_get_cancellable (wish->arrival), files_cb,
                               gadget_wish_ref (wish));
  else
    read_other (wish);
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
 * @widget: in which files and pictures can be dropped, besides the composer: the chat
 */
void
gadget_composer_take_drops (GadgetComposer *self, GtkWidget *widget)
{
  GtkDropTargetAsync *target;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && GTK_IS_WIDGET (widget));

  target = gtk_drop_target_async_new (NULL, GDK_ACTION_COPY);
  /* The text would take the names. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "accept", G_CALLBACK (accept_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drag-enter", G_CALLBACK (enter_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drag-leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}
