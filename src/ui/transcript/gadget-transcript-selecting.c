/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The GadgetSelectionHost interface of the transcript, and its functions that select and read text.
 * How text is selected is in the folder "selection". */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

static GadgetTranscriptModel *
get_model (GadgetSelectionHost *host)
{
  return GADGET_TRANSCRIPT (host)->model;
}

static GArray *
get_realized_rows (GadgetSelectionHost *host)
{
  return GADGET_TRANSCRIPT (host)->realized_rows;
}

static GadgetRealizedRow *
get_realized (GadgetSelectionHost *host, guint position)
{
  return _gadget_transcript_get_realized (GADGET_TRANSCRIPT (host), position);
}

static void
place (GadgetSelectionHost *host)
{
  GadgetTranscript *self = GADGET_TRANSCRIPT (host);

  _gadget_transcript_layout (self, self->width, self->height);
}

static GadgetRow *
reach_row (GadgetSelectionHost *host, guint position)
{
  return _gadget_transcript_reach_row (GADGET_TRANSCRIPT (host), position);
}

static void
scroll_by (GadgetSelectionHost *host, double distance)
{
  _gadget_transcript_scroll_by (GADGET_TRANSCRIPT (host), distance);
}

static void
selection_changed (GadgetSelectionHost *host, gboolean selected)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (host), "clipboard.copy", selected);
  gtk_widget_action_set_enabled (GTK_WIDGET (host), "transcript.copy-source", selected);
}

void
_gadget_transcript_selection_host_init (GadgetSelectionHostInterface *iface)
{
  iface->get_model = get_model;
  iface->get_realized_rows = get_realized_rows;
  iface->get_realized = get_realized;
  iface->place = place;
  iface->reach_row = reach_row;
  iface->scroll_by = scroll_by;
  iface->selection_changed = selection_changed;
}

static void
extend_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gadget_transcript_selection_extend (GADGET_TRANSCRIPT (widget)->selection, parameter);
}

void
_gadget_transcript_selecting_class_init (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.extend", "(ib)", extend_action);
  gadget_transcript_selection_bind_keys (widget_class);
}

/**
 * gadget_transcript_dup_selection:
 *
 * Returns: (nullable) (transfer full): the selected text as it is shown, or %NULL when there is
 *   none
 */
char *
gadget_transcript_dup_selection (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);
  return gadget_transcript_selection_dup_text (self->selection, FALSE);
}

/**
 * gadget_transcript_dup_selection_source:
 *
 * Returns: (nullable) (transfer full): the Markdown source of the selected text, or %NULL when
 *   there is none
 */
char *
gadget_transcript_dup_selection_source (GadgetTranscript *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);
  return gadget_transcript_selection_dup_text (self->selection, TRUE);
}

void
gadget_transcript_select_all (GadgetTranscript *self)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));
  gadget_transcript_selection_select_all (self->selection);
}

void
gadget_transcript_unselect (GadgetTranscript *self)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT (self));
  gadget_transcript_selection_unselect (self->selection);
}
