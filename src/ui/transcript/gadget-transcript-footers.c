/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The actions of a turn are offered in its footer row: for the turn under the pointer, and for the
 * last turn. The buttons are made only after scrolling has ended, since nobody reads them
 * meanwhile. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-footer-row.h"

#define NARROW_WIDTH 480

/* Called in each update, since rows may have appeared, disappeared or moved. */
void
_gadget_transcript_update_footers (GadgetTranscript *self)
{
  const guint n_turns = self->model != NULL ? gadget_transcript_model_get_n_turns (self->model) : 0;

  if (self->scrolling)
    return;
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = &g_array_index (self->realized_rows, GadgetRealizedRow, i);
      const GadgetRowSpec *spec = gadget_transcript_model_get_row (self->model, row->position);
      gboolean last;

      if (spec->kind != GADGET_ROW_KIND_FOOTER)
        continue;
      last = spec->turn + 1 == n_turns;
      gadget_footer_row_offer_actions (
          GADGET_FOOTER_ROW (row->widget),
          last || gadget_row_data_get_turn (gadget_row_get_data (row->widget)) == self->pointed_at,
          self->column_width < NARROW_WIDTH);
    }
}

/* Called during allocation, before the rows are measured, since several buttons may need more width
 * than a narrow column has. */
void
_gadget_transcript_narrow_footers (GadgetTranscript *self)
{
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      GtkWidget *row = GTK_WIDGET (_gadget_transcript_get_nth (self, i)->widget);

      if (GADGET_IS_FOOTER_ROW (row))
        gadget_footer_row_set_narrow (GADGET_FOOTER_ROW (row), self->column_width < NARROW_WIDTH);
    }
}

/* Returns the turn whose row is at @y of the viewport, or NULL. (transfer none) */
GadgetTurn *
_gadget_transcript_find_turn_at (GadgetTranscript *self, double y)
{
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = &g_array_index (self->realized_rows, GadgetRealizedRow, i);

      if (y < row->y || y >= row->y + row->gap + row->height)
        continue;
      return _gadget_transcript_get_turn_of (self, row->position);
    }
  return NULL;
}

/* Returns the turn of the chat that the row belongs to; also for the row of a subagent. (transfer
 * none) */
GadgetTurn *
_gadget_transcript_get_turn_of (GadgetTranscript *self, guint position)
{
  const guint turn = gadget_transcript_model_get_row (self->model, position)->turn;

  return gadget_session_get_turn (gadget_transcript_model_get_session (self->model), turn);
}

static void
point_at (GadgetTranscript *self, GadgetTurn *turn)
{
  if (self->pointed_at == turn)
    return;
  self->pointed_at = turn;
  _gadget_transcript_update_footers (self);
}

static void
motion_cb (GtkEventController *controller, double x, double y, GadgetTranscript *self)
{
  point_at (self, _gadget_transcript_find_turn_at (self, y));
}

static void
leave_cb (GtkEventController *controller, GadgetTranscript *self)
{
  point_at (self, NULL);
}

void
_gadget_transcript_footers_init (GadgetTranscript *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}
