/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pasting text. A long text is attached instead of inserted, because a text view lays out all of
 * its text and blocks the main thread meanwhile. A toast offers to insert it all the same, also
 * when it is too long to attach. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-composer-private.h"

#include "ui/common/gadget-toast.h"

#include <glib/gi18n.h>
#include <string.h>

/* In bytes. Laying out a megabyte takes half a second, so this much takes about a frame; it is also
 * more than a user reads before sending, about eight pages. */
#define LONG_TEXT (32 * 1024)
#define TOAST_SECONDS 10
#define TEXT_KEY "gadget-text"
#define ATTACHMENT_KEY "gadget-attachment"

static gboolean
laid_out_cb (GtkWidget *text, GdkFrameClock *clock, gpointer user_data)
{
  guint *n_frames = user_data;

  if (++*n_frames < 2)
    return G_SOURCE_CONTINUE;
  gtk_text_view_scroll_mark_onscreen (
      GTK_TEXT_VIEW (text),
      gtk_text_buffer_get_insert (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text))));
  return G_SOURCE_REMOVE;
}

static gboolean
measured_cb (gpointer user_data)
{
  GadgetComposer *self = user_data;

  if (self->text != NULL)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->text), laid_out_cb, g_new0 (guint, 1), g_free);
  return G_SOURCE_REMOVE;
}

/* Scrolls to the cursor after the text view has measured its lines, which it does when idle, and
 * has grown. Before that a scroll would last: the view has one line, the end of the text would stay
 * at its top, and the scroll bar would be drawn in the wrong place. */
static void
scroll_to_cursor (GadgetComposer *self)
{
  g_idle_add_full (G_PRIORITY_LOW, measured_cb, g_object_ref (self), g_object_unref);
}

/* Inserts at @mark, as the text view does: it replaces the selection, if @mark is still there. */
static void
insert (GadgetComposer *self, const char *text, GtkTextMark *mark)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start;
  GtkTextIter end;
  GtkTextIter place;

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_iter_at_mark (buffer, &place, mark);
  if (gtk_text_buffer_get_selection_bounds (buffer, &start, &end)
      && gtk_text_iter_compare (&place, &start) >= 0 && gtk_text_iter_compare (&place, &end) <= 0)
    gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_get_iter_at_mark (buffer, &place, mark);
  gtk_text_buffer_insert (buffer, &place, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  scroll_to_cursor (self);
}

static void
insert_cb (AdwToast *toast, GadgetComposer *self)
{
  GadgetAttachment *attachment = g_object_get_data (G_OBJECT (toast), ATTACHMENT_KEY);
  const char *text = g_object_get_data (G_OBJECT (toast), TEXT_KEY);

  /* The attachment may have been sent or removed meanwhile. */
  if (self->text == NULL
      || (attachment != NULL && !gadget_attachment_list_remove (self->attachments, attachment)))
    return;
  insert (self, attachment != NULL ? gadget_attachment_get_text (attachment) : text,
          gtk_text_buffer_get_insert (gtk_text_view_get_buffer (self->text)));
  gadget_composer_focus (self);
}

/* Makes a toast with a button that inserts the text. (transfer full) */
static AdwToast *
offer_text (GadgetComposer *self, const char *title)
{
  AdwToast *toast = gadget_toast_new (title);

  adw_toast_set_button_label (toast, _ ("_Insert as Text"));
  adw_toast_set_timeout (toast, TOAST_SECONDS);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (insert_cb), self,
                           G_CONNECT_DEFAULT);
  return toast;
}

static void
attach (GadgetComposer *self, const char *text, gsize length)
{
  g_autoptr (AdwToast) toast = offer_text (self, _ ("Attached as a file"));
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  /* Translators: the name of an attachment */
  GadgetAttachment *attachment = gadget_attachment_new_text (_ ("Pasted text"), text, length);

  g_ptr_array_add (attachments, attachment);
  g_object_set_data_full (G_OBJECT (toast), ATTACHMENT_KEY, gadget_attachment_ref (attachment),
                          (GDestroyNotify) gadget_attachment_unref);
  gadget_attachment_list_add (self->attachments, attachments);
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
}

static void
refuse (GadgetComposer *self, const char *text)
{
  g_autofree char *size = g_format_size_full (GADGET_ATTACHMENT_MAX_TEXT, G_FORMAT_SIZE_IEC_UNITS);
  /* Translators: of a text from the clipboard; %s is a size, "1.0 MiB" */
  g_autofree char *title = g_strdup_printf (_ ("Too long to attach: at most %s of text"), size);
  g_autoptr (AdwToast) toast = offer_text (self, title);

  g_object_set_data_full (G_OBJECT (toast), TEXT_KEY, g_strdup (text), g_free);
  g_signal_emit (self, _gadget_composer_signals[GADGET_COMPOSER_TOAST], 0, toast);
}

/* Pastes @text. @mark is where the cursor was when the clipboard was asked for it. */
void
_gadget_composer_paste (GadgetComposer *self, const char *text, GtkTextMark *mark)
{
  const gsize length = strlen (text);

  if (length <= LONG_TEXT)
    insert (self, text, mark);
  else if (length <= GADGET_ATTACHMENT_MAX_TEXT)
    attach (self, text, length);
  else
    refuse (self, text);
}
