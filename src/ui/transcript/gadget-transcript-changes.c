/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Applies changes of the model to the widget, and decides which row keeps its place then. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

static guint
shift_position (guint at, guint position, guint removed, guint added)
{
  if (at >= position + removed)
    return at + added - removed;
  return MIN (at, position);
}

/* When the anchor row is among the removed ones, the first row after them becomes the anchor and
 * keeps its place if it is in sight. */
static void
replace_removed_anchor (GadgetTranscript *self, guint position, guint removed)
{
  const guint next = position + removed;
  const GadgetRealizedRow *row = _gadget_transcript_get_realized (self, next);

  if (self->anchor < position || self->anchor >= next)
    return;
  self->anchor = next;
  self->anchor_y = row != NULL && row->y < self->height ? row->y : 0;
}

void
_gadget_transcript_rows_spliced (GadgetTranscript *self, guint position, guint removed, guint added)
{
  if (removed > 0 && added == 0)
    replace_removed_anchor (self, position, removed);
  for (guint i = self->realized_rows->len; i > 0; i--)
    {
      GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i - 1);

      if (row->position >= position + removed)
        row->position += added - removed;
      else if (row->position >= position)
        {
          /* The transcript takes the focus of a removed row, so that the keys go on working. */
          if (_gadget_transcript_has_focus (self, row))
            gtk_widget_grab_focus (GTK_WIDGET (self));
          _gadget_transcript_unrealize_nth (self, i - 1);
        }
    }
  if (added != removed)
    _gadget_transcript_update_numbers (self);
  gadget_heights_splice (self->heights, position, removed, added);
  if (self->column_width > 0)
    for (guint i = position; i < position + added; i++)
      gadget_heights_set (self->heights, i, _gadget_transcript_estimate (self, i), 0);

  self->anchor = shift_position (self->anchor, position, removed, added);
  gadget_transcript_selection_spliced (self->selection, position, removed, added);
  if (added > 0 && position >= self->anchor)
    self->grew = TRUE;
  _gadget_transcript_queue_update (self);
}

void
_gadget_transcript_row_changed (GadgetTranscript *self, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (self, position);

  if (row == NULL)
    {
      if (self->column_width > 0)
        gadget_heights_set (self->heights, position, _gadget_transcript_estimate (self, position),
                            0);
    }
  else
    {
      gadget_transcript_model_update_row_data (self->model, position,
                                               gadget_row_get_data (row->widget));
      gadget_row_update (row->widget);
      gadget_transcript_selection_draw (self->selection, row);
      _gadget_transcript_find_draw (self, row);
    }
  if (position >= self->anchor)
    self->grew = TRUE;
  _gadget_transcript_queue_update (self);
}
