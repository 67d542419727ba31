/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How something comes to be given with a message: by the button, from the clipboard, or dropped. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include <glib/gi18n.h>

static const char *const picture_types[] = { "image/png", "image/jpeg", "image/webp", "image/gif",
                                             NULL };

/* What is read belongs to the chat that was shown when it was asked for. */
typedef struct
{
  GadgetComposer *composer;
  GadgetSession *session;
  GtkTextMark *mark; /* (nullable): where the words go */
} Wish;

static Wish *
wish_new (GadgetComposer *self)
{
  Wish *wish = g_new0 (Wish, 1);

  wish->composer = g_object_ref (self);
  g_set_object (&wish->session, self->session);
  return wish;
}

static void
wish_free (Wish *wish)
{
  GtkTextBuffer *buffer = wish->mark != NULL ? gtk_text_mark_get_buffer (wish->mark) : NULL;

  if (buffer != NULL)
    gtk_text_buffer_delete_mark (buffer, wish->mark);
  g_clear_object (&wish->mark);
  g_object_unref (wish->composer);
  g_clear_object (&wish->session);
  g_free (wish);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wish, wish_free)

static gboolean
is_wanted (const Wish *wish)
{
  return wish->composer->text != NULL && wish->composer->session == wish->session;
}

/* A link that was copied from a page may say that it is a file of another computer. */
static gboolean
is_file (GFile *file)
{
  return !g_file_has_uri_scheme (file, "http") && !g_file_has_uri_scheme (file, "https");
}

static gboolean
add_files (GadgetComposer *self, const GSList *files)
{
  gboolean any = FALSE;

  for (; files != NULL; files = files->next)
    if (is_file (files->data))
      {
        gadget_attachment_list_add_file (self->attachments, files->data);
        any = TRUE;
      }
  return any;
}

/* --- The button --- */

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  g_autoptr (GListModel) files =
      gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (files == NULL || !is_wanted (wish))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      gadget_attachment_list_add_file (wish->composer->attachments, file);
    }
  gadget_composer_focus (wish->composer);
}

static void
attach_cb (GadgetComposer *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Attach Files"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Attach"));
  gtk_file_dialog_open_multiple (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, wish_new (self));
}

/* --- The clipboard --- */

static void
text_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && is_wanted (wish))
    _gadget_composer_paste (wish->composer, text, wish->mark);
}

/* What is typed before they are there comes behind them. */
static void
paste_text (GadgetComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  Wish *wish = wish_new (self);
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  wish->mark = g_object_ref (gtk_text_buffer_create_mark (buffer, NULL, &cursor, TRUE));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self->text)), NULL,
                                 text_pasted_cb, wish);
}

static void
files_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, NULL);

  if (!is_wanted (wish))
    return;
  if (value == NULL || !add_files (wish->composer, g_value_get_boxed (value)))
    paste_text (wish->composer);
}

static void
picture_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  g_autoptr (GBytes) data = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, NULL) <= 0
      || !is_wanted (wish))
    return;
  data = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source));
  gadget_attachment_list_add_bytes (wish->composer->attachments, data, NULL);
}

static void
picture_pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Wish) wish = user_data;
  g_autoptr (GInputStream) stream =
      gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, NULL, NULL);
  g_autoptr (GOutputStream) memory = NULL;

  if (stream == NULL || !is_wanted (wish))
    return;
  memory = g_memory_output_stream_new_resizable ();
  g_output_stream_splice_async (
      memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
      G_PRIORITY_DEFAULT, NULL, picture_read_cb, g_steal_pointer (&wish));
}

static gboolean
has_picture (GdkContentFormats *formats)
{
  for (guint i = 0; picture_types[i] != NULL; i++)
    if (gdk_content_formats_contain_mime_type (formats, picture_types[i]))
      return TRUE;
  return FALSE;
}

/* Files come before their names, and words before a picture of them. */
static void
paste_cb (GtkTextView *text, GadgetComposer *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (text));
  g_autoptr (GdkContentFormats) formats = gdk_content_formats_union_deserialize_gtypes (
      gdk_content_formats_ref (gdk_clipboard_get_formats (clipboard)));

  /* What is on the clipboard by this program itself says what it is, and not how it is written. */
  formats = gdk_content_formats_union_serialize_mime_types (g_steal_pointer (&formats));
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL,
                                    files_pasted_cb, wish_new (self));
  else if (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING))
    paste_text (self);
  else if (has_picture (formats))
    gdk_clipboard_read_async (clipboard, (const char **) picture_types, G_PRIORITY_DEFAULT, NULL,
                              picture_pasted_cb, wish_new (self));
  else
    return;
  g_signal_stop_emission_by_name (text, "paste-clipboard");
}

/* --- Dropping --- */

static gboolean
drop_cb (GadgetComposer *self, const GValue *value)
{
  gtk_widget_remove_css_class (self->card, "drop");
  if (self->session == NULL || !add_files (self, g_value_get_boxed (value)))
    return FALSE;
  gadget_composer_focus (self);
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
 * @widget: in which files can be dropped, besides the composer: the chat
 */
void
gadget_composer_take_drops (GadgetComposer *self, GtkWidget *widget)
{
  GtkDropTarget *target;

  g_return_if_fail (GADGET_IS_COMPOSER (self) && GTK_IS_WIDGET (widget));

  target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  /* The text would take the names. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "enter", G_CALLBACK (enter_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "leave", G_CALLBACK (leave_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

/* --- For gadget-composer.c --- */

static void
changed_cb (GadgetComposer *self)
{
  _gadget_composer_update_button (self);
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
