/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Attaching by the button and from the clipboard. Drag-and-drop is in gadget-composer-drop.c. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-pending-attachment.h"

#include <glib/gi18n.h>

/* --- The button --- */

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  g_autoptr (GListModel) files =
      gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (files == NULL || !gadget_pending_attachment_is_wanted (pending))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      gadget_attachment_list_add_file (pending->composer->attachments, file);
    }
  gadget_composer_focus (pending->composer);
}

static void
attach_cb (GadgetComposer *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Attach Files"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Attach"));
  gtk_file_dialog_open_multiple (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, gadget_pending_attachment_new (self));
}

/* --- The clipboard --- */

static void
text_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && gadget_pending_attachment_is_wanted (pending))
    gadget_pending_attachment_insert (pending, text);
}

/* Keeps the place of the cursor, with left gravity: text that is typed before the clipboard's text
 * arrives goes after it. */
static void
paste_text (GadgetComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GadgetPendingAttachment *pending = gadget_pending_attachment_new (self);
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  pending->mark = g_object_ref (gtk_text_buffer_create_mark (buffer, NULL, &cursor, TRUE));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self->text)), NULL,
                                 text_pasted_cb, pending);
}

static void
files_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, NULL);
  gboolean any;

  if (pending->incoming == NULL)
    return;
  any = value != NULL && gadget_pending_attachment_add_files (pending, g_value_get_boxed (value));
  gadget_pending_attachment_cancel (pending);
  if (!any)
    paste_text (pending->composer);
}

static void
paste_files (GadgetComposer *self, GdkClipboard *clipboard)
{
  GadgetPendingAttachment *pending = gadget_pending_attachment_new (self);

  gadget_pending_attachment_announce (pending, _ ("Files"));
  gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT,
                                  gadget_incoming_attachment_get_cancellable (pending->incoming),
                                  files_pasted_cb, pending);
}

static void
picture_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPendingAttachment) pending = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream =
      gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, NULL, &error);

  gadget_pending_attachment_receive (pending, stream, error);
}

static void
paste_picture (GadgetComposer *self, GdkClipboard *clipboard)
{
  GadgetPendingAttachment *pending = gadget_pending_attachment_new (self);

  gadget_pending_attachment_announce (pending, _ ("Image"));
  gdk_clipboard_read_async (
      clipboard, (const char **) gadget_pending_attachment_get_picture_types (), G_PRIORITY_DEFAULT,
      gadget_incoming_attachment_get_cancellable (pending->incoming), picture_pasted_cb, pending);
}

/* Files are preferred to their names, and text to a picture of it. */
static void
paste_cb (GtkTextView *text, GadgetComposer *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (text));
  g_autoptr (GdkContentFormats) formats = gadget_pending_attachment_dup_formats (
      gdk_clipboard_get_formats (clipboard), gdk_clipboard_is_local (clipboard));

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    paste_files (self, clipboard);
  else if (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING))
    paste_text (self);
  else if (gadget_pending_attachment_has_picture (formats))
    paste_picture (self, clipboard);
  else
    return;
  g_signal_stop_emission_by_name (text, "paste-clipboard");
}

/* --- For gadget-composer.c --- */

static void
changed_cb (GadgetComposer *self)
{
  _gadget_composer_update_buttons (self);
  gadget_picture_note_set_attached (self->picture_note,
                                    gadget_attachment_list_has_pictures (self->attachments));
  _gadget_composer_draft_changed (self);
  if (!gadget_attachment_list_is_reading (self->attachments))
    _gadget_composer_save_draft (self);
}

void
_gadget_composer_init_attach (GadgetComposer *self)
{
  g_signal_connect_swapped (self->attach_button, "clicked", G_CALLBACK (attach_cb), self);
  g_signal_connect_object (self->text, "paste-clipboard", G_CALLBACK (paste_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->attachments, "changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->attachments, "left", G_CALLBACK (gadget_composer_focus), self,
                           G_CONNECT_SWAPPED);
}
