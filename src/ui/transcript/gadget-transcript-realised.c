/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows that are widgets: those in sight, in their order. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-row-factory.h"
#include "gadget-transcript-private.h"

GadgetRealised *
_gadget_transcript_get_nth (GadgetTranscript *self, guint index)
{
  return &g_array_index (self->realised, GadgetRealised, index);
}

/* The index of the first realised row at or after @position. */
static guint
search (GadgetTranscript *self, guint position)
{
  guint low = 0;
  guint high = self->realised->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (_gadget_transcript_get_nth (self, middle)->position < position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

GadgetRealised *
_gadget_transcript_get_realised (GadgetTranscript *self, guint position)
{
  const guint index = search (self, position);

  if (index == self->realised->len
      || _gadget_transcript_get_nth (self, index)->position != position)
    return NULL;
  return _gadget_transcript_get_nth (self, index);
}

void
_gadget_transcript_hold_row (GadgetTranscript *self, const GadgetRealised *row)
{
  if (!self->following)
    return;
  self->anchor = row->position;
  self->anchor_y = row->y;
  _gadget_transcript_set_following (self, FALSE);
  self->unfolded = TRUE;
}

static void
row_expand_cb (GadgetRow *row, gboolean expanded, GadgetTranscript *self)
{
  for (guint i = 0; i < self->realised->len; i++)
    {
      const GadgetRealised realised = *_gadget_transcript_get_nth (self, i);

      if (realised.widget != row)
        continue;
      _gadget_transcript_hold_row (self, &realised);
      gadget_transcript_model_set_expanded (self->model, realised.position, expanded);
      self->grew = FALSE;
      return;
    }
}

/* GTK takes what is new about a visible child for all that follow it, and matches the whole style
 * sheet anew for each widget in them. So the row has its style before it becomes visible. */
static void
insert_row (GadgetTranscript *self, GadgetRow *row, GtkWidget *before)
{
  GtkWidget *widget = GTK_WIDGET (row);
  GdkRGBA color;

  gtk_widget_set_visible (widget, FALSE);
  gtk_widget_insert_after (widget, GTK_WIDGET (self), before);
  gtk_widget_get_color (widget, &color);
  gtk_widget_set_visible (widget, TRUE);
}

GadgetRealised *
_gadget_transcript_realise (GadgetTranscript *self, guint position)
{
  const guint index = search (self, position);
  GtkWidget *before =
      index > 0 ? GTK_WIDGET (_gadget_transcript_get_nth (self, index - 1)->widget) : NULL;
  g_autoptr (GadgetBlock) block = NULL;
  GadgetRealised row = { .position = position };

  if (index < self->realised->len && _gadget_transcript_get_nth (self, index)->position == position)
    return _gadget_transcript_get_nth (self, index);

  block = g_list_model_get_item (G_LIST_MODEL (self->model), position);
  row.widget = GADGET_ROW (gadget_row_new (block));
  insert_row (self, row.widget, before);
  g_signal_connect (row.widget, "expand", G_CALLBACK (row_expand_cb), self);
  g_array_insert_val (self->realised, index, row);
  _gadget_transcript_selection_draw (self, _gadget_transcript_get_nth (self, index));
  /* What is offered at it comes with the next frame, also when this is in an allocation. */
  if (gadget_block_get_kind (block) == GADGET_BLOCK_FOOTER)
    _gadget_transcript_queue_update (self);
  return _gadget_transcript_get_nth (self, index);
}

void
_gadget_transcript_unrealise_nth (GadgetTranscript *self, guint index)
{
  GtkWidget *widget = GTK_WIDGET (_gadget_transcript_get_nth (self, index)->widget);

  g_signal_handlers_disconnect_by_func (widget, row_expand_cb, self);
  g_array_remove_index (self->realised, index);
  gtk_widget_unparent (widget);
}

void
_gadget_transcript_clear_rows (GadgetTranscript *self)
{
  while (self->realised->len > 0)
    _gadget_transcript_unrealise_nth (self, self->realised->len - 1);
}

gboolean
_gadget_transcript_has_focus (GadgetTranscript *self, GadgetRealised *row)
{
  return gtk_widget_get_focus_child (GTK_WIDGET (self)) == GTK_WIDGET (row->widget);
}
