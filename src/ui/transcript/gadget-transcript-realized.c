/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows that are widgets, in the order of the chat. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-row-factory.h"
#include "gadget-transcript-private.h"

GadgetRealizedRow *
_gadget_transcript_get_nth (GadgetTranscript *self, guint index)
{
  return &g_array_index (self->realized_rows, GadgetRealizedRow, index);
}

/* Returns the index of the first realized row at or after @position. */
static guint
search (GadgetTranscript *self, guint position)
{
  guint low = 0;
  guint high = self->realized_rows->len;

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

GadgetRealizedRow *
_gadget_transcript_get_realized (GadgetTranscript *self, guint position)
{
  const guint index = search (self, position);

  if (index == self->realized_rows->len
      || _gadget_transcript_get_nth (self, index)->position != position)
    return NULL;
  return _gadget_transcript_get_nth (self, index);
}

void
_gadget_transcript_hold_row (GadgetTranscript *self, const GadgetRealizedRow *row)
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
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow realized_rows = *_gadget_transcript_get_nth (self, i);

      if (realized_rows.widget != row)
        continue;
      _gadget_transcript_hold_row (self, &realized_rows);
      gadget_transcript_model_set_expanded (self->model, realized_rows.position, expanded);
      self->grew = FALSE;
      _gadget_transcript_emit_view_changed (self);
      return;
    }
}

/* GTK invalidates the style of all siblings behind a new visible child, and matches the whole style
 * sheet again for each widget in them. So the row is made invisible first, and has its style before
 * it becomes visible. */
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

/* Tells screen readers which row of how many this is; most rows are no widgets. */
static void
update_number (GadgetTranscript *self, const GadgetRealizedRow *row)
{
  gtk_accessible_update_relation (GTK_ACCESSIBLE (row->widget), GTK_ACCESSIBLE_RELATION_POS_IN_SET,
                                  (int) row->position + 1, GTK_ACCESSIBLE_RELATION_SET_SIZE,
                                  (int) gadget_transcript_model_get_n_rows (self->model), -1);
}

void
_gadget_transcript_update_numbers (GadgetTranscript *self)
{
  for (guint i = 0; i < self->realized_rows->len; i++)
    update_number (self, _gadget_transcript_get_nth (self, i));
}

GadgetRealizedRow *
_gadget_transcript_realize_row (GadgetTranscript *self, guint position)
{
  const guint index = search (self, position);
  GtkWidget *before =
      index > 0 ? GTK_WIDGET (_gadget_transcript_get_nth (self, index - 1)->widget) : NULL;
  g_autoptr (GadgetRowData) data = NULL;
  GadgetRealizedRow row = { .position = position, .current_found = -1 };

  if (index < self->realized_rows->len
      && _gadget_transcript_get_nth (self, index)->position == position)
    return _gadget_transcript_get_nth (self, index);

  data = g_list_model_get_item (G_LIST_MODEL (self->model), position);
  row.widget = GADGET_ROW (gadget_row_factory_new_row (data));
  insert_row (self, row.widget, before);
  update_number (self, &row);
  g_signal_connect (row.widget, "expand", G_CALLBACK (row_expand_cb), self);
  g_array_insert_val (self->realized_rows, index, row);
  gadget_transcript_selection_draw (self->selection, _gadget_transcript_get_nth (self, index));
  _gadget_transcript_find_draw (self, _gadget_transcript_get_nth (self, index));
  /* The buttons of a footer are added in the next frame, even when this is called in an
   * allocation. */
  if (gadget_row_data_get_kind (data) == GADGET_ROW_KIND_FOOTER)
    _gadget_transcript_queue_update (self);
  return _gadget_transcript_get_nth (self, index);
}

void
_gadget_transcript_unrealize_nth (GadgetTranscript *self, guint index)
{
  GtkWidget *widget = GTK_WIDGET (_gadget_transcript_get_nth (self, index)->widget);

  g_signal_handlers_disconnect_by_func (widget, row_expand_cb, self);
  g_array_remove_index (self->realized_rows, index);
  gtk_widget_unparent (widget);
}

void
_gadget_transcript_clear_rows (GadgetTranscript *self)
{
  while (self->realized_rows->len > 0)
    _gadget_transcript_unrealize_nth (self, self->realized_rows->len - 1);
}

gboolean
_gadget_transcript_has_focus (GadgetTranscript *self, GadgetRealizedRow *row)
{
  return gtk_widget_get_focus_child (GTK_WIDGET (self)) == GTK_WIDGET (row->widget);
}
