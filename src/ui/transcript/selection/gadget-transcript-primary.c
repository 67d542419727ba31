/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The PRIMARY selection, which a middle click pastes. The transcript offers its selected text as
 * soon as something is selected, by pointer or by keys, as GtkText does. The text is read only when
 * a program pastes it, so extending a selection over a long chat copies nothing. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-selection-private.h"

/* PRIMARY is given up this long after the end of a selection, unless a new selection follows. */
#define RELEASE_MS 100

#define GADGET_TYPE_TRANSCRIPT_CONTENT (gadget_transcript_content_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTranscriptContent, gadget_transcript_content, GADGET,
                      TRANSCRIPT_CONTENT, GdkContentProvider)

struct _GadgetTranscriptContent
{
  GdkContentProvider parent_instance;

  GadgetTranscriptSelection *selection; /* NULL after the transcript has gone */
};

G_DEFINE_FINAL_TYPE (GadgetTranscriptContent, gadget_transcript_content, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
ref_formats (GdkContentProvider *provider)
{
  return gdk_content_formats_new_for_gtype (G_TYPE_STRING);
}

static gboolean
get_value (GdkContentProvider *provider, GValue *value, GError **error)
{
  GadgetTranscriptContent *self = GADGET_TRANSCRIPT_CONTENT (provider);
  char *text = NULL;

  if (G_VALUE_HOLDS (value, G_TYPE_STRING) && self->selection != NULL)
    text = gadget_transcript_selection_dup_text (self->selection, FALSE);
  if (text != NULL)
    {
      g_value_take_string (value, text);
      return TRUE;
    }
  return GDK_CONTENT_PROVIDER_CLASS (gadget_transcript_content_parent_class)
      ->get_value (provider, value, error);
}

static void
gadget_transcript_content_class_init (GadgetTranscriptContentClass *klass)
{
  GDK_CONTENT_PROVIDER_CLASS (klass)->ref_formats = ref_formats;
  GDK_CONTENT_PROVIDER_CLASS (klass)->get_value = get_value;
}

static void
gadget_transcript_content_init (GadgetTranscriptContent *self)
{
}

static void
release (GadgetTranscriptSelection *self)
{
  GdkClipboard *clipboard = gtk_widget_get_primary_clipboard (GTK_WIDGET (self->host));

  g_clear_handle_id (&self->release_id, g_source_remove);
  if (gdk_clipboard_get_content (clipboard) == self->primary)
    gdk_clipboard_set_content (clipboard, NULL);
}

static void
release_cb (gpointer data)
{
  GadgetTranscriptSelection *self = data;

  self->release_id = 0;
  release (self);
}

/* On X11, GDK may take the notification of one claim for the claim of another program when the next
 * claim follows at once. So text that is offered already is not offered again, and the claim is
 * given up only when no other selection follows within RELEASE_MS. */
void
_gadget_transcript_selection_offer_primary (GadgetTranscriptSelection *self, gboolean selected)
{
  GdkClipboard *clipboard = gtk_widget_get_primary_clipboard (GTK_WIDGET (self->host));
  const gboolean offered = gdk_clipboard_get_content (clipboard) == self->primary;

  g_clear_handle_id (&self->release_id, g_source_remove);
  if (selected && !offered)
    gdk_clipboard_set_content (clipboard, self->primary);
  if (selected || !offered)
    return;
  self->release_id = g_timeout_add_once (RELEASE_MS, release_cb, self);
  g_source_set_name_by_id (self->release_id, "gadget-transcript release PRIMARY");
}

void
_gadget_transcript_selection_init_primary (GadgetTranscriptSelection *self)
{
  GadgetTranscriptContent *content = g_object_new (GADGET_TYPE_TRANSCRIPT_CONTENT, NULL);

  content->selection = self;
  self->primary = GDK_CONTENT_PROVIDER (content);
}

void
gadget_transcript_selection_clear_primary (GadgetTranscriptSelection *self)
{
  if (self->primary == NULL)
    return;
  release (self);
  GADGET_TRANSCRIPT_CONTENT (self->primary)->selection = NULL;
  g_clear_object (&self->primary);
}
