/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Selecting text across rows.
 *
 * The selection is a range in the model: rows, and bytes of their sources, which stay the same when
 * a row shows its source in another way. Rows in sight are told which part of them to draw when
 * they are realized and when the range changes; copying reads the sources. So the range may begin
 * and end in rows that are no longer widgets.
 *
 * "origin" is the range that the first press selected (a place, a word or a line); a selection that
 * the pointer extends always contains it. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-selection-private.h"

/* Pixels per second for each pixel that the pointer is outside the viewport, and the maximum. */
#define AUTOSCROLL_SPEED 12
#define AUTOSCROLL_MAX 4000

static int
compare (GadgetTextPosition a, GadgetTextPosition b)
{
  if (a.row != b.row)
    return a.row < b.row ? -1 : 1;
  return a.offset < b.offset ? -1 : a.offset > b.offset;
}

static gboolean
is_empty (const GadgetTextRange *range)
{
  return compare (range->start, range->end) >= 0;
}

/* --- Drawing --- */

void
gadget_transcript_selection_draw (GadgetTranscriptSelection *self, GadgetRealizedRow *row)
{
  const GadgetTextRange *range = &self->range;
  GadgetTextPosition fixed, head;
  gboolean has_head;
  guint start = 0;
  guint end = 0;

  if (!is_empty (range) && row->position >= range->start.row && row->position <= range->end.row)
    {
      end = gadget_row_get_length (row->widget);
      if (row->position == range->start.row)
        start = gadget_row_from_source (row->widget, range->start.offset);
      if (row->position == range->end.row)
        end = gadget_row_from_source (row->widget, range->end.offset);
    }
  gadget_row_set_selection (row->widget, MIN (start, end), end);
  has_head =
      gadget_transcript_selection_get_ends (self, &fixed, &head) && head.row == row->position;
  gadget_row_set_head (row->widget,
                       has_head ? (int) gadget_row_from_source (row->widget, head.offset) : -1);
}

/* Offers what is selected to others, and to the actions that copy it. */
static void
show_selected (GadgetTranscriptSelection *self, gboolean selected)
{
  _gadget_transcript_selection_offer_primary (self, selected);
  gadget_selection_host_selection_changed (self->host, selected);
}

static void
set_range (GadgetTranscriptSelection *self, GadgetTextRange range)
{
  GArray *rows = gadget_selection_host_get_realized_rows (self->host);

  if (compare (range.start, self->range.start) == 0 && compare (range.end, self->range.end) == 0)
    return;
  self->range = range;
  for (guint i = 0; i < rows->len; i++)
    gadget_transcript_selection_draw (self, &g_array_index (rows, GadgetRealizedRow, i));
  show_selected (self, !is_empty (&range));
}

/* --- Places --- */

/* Returns the row at @y of the viewport, or the nearest one. */
static GadgetRealizedRow *
get_row_at (GadgetTranscriptSelection *self, double y)
{
  GArray *rows = gadget_selection_host_get_realized_rows (self->host);
  GadgetRealizedRow *best = NULL;

  for (guint i = 0; i < rows->len; i++)
    {
      GadgetRealizedRow *row = &g_array_index (rows, GadgetRealizedRow, i);

      if (best == NULL || row->y + row->gap * 0.5 <= y)
        best = row;
    }
  return best;
}

/* Returns the range that a press at a point selects: an empty one at the place, the word, or the
 * line. */
static GadgetTextRange
get_range_at (GadgetTranscriptSelection *self, double x, double y, guint granularity)
{
  GadgetTextRange range = { 0 };
  GadgetRealizedRow *row = get_row_at (self, y);
  guint start = 0;
  guint end;

  if (row == NULL)
    return range;
  range.start.row = range.end.row = row->position;
  /* A place is between two characters; a word is found by the character under the pointer. */
  if (granularity == 1
          ? !gadget_row_get_offset_at (row->widget, GTK_WIDGET (self->host), x, y, &start)
          : !gadget_row_get_char_at (row->widget, GTK_WIDGET (self->host), x, y, &start))
    return range;
  end = start;
  if (granularity == 2)
    gadget_row_get_word_at (row->widget, start, &start, &end);
  else if (granularity > 2)
    gadget_row_get_line_at (row->widget, start, &start, &end);
  range.start.offset = gadget_row_to_source (row->widget, start);
  range.end.offset = gadget_row_to_source (row->widget, end);
  return range;
}

static void
extend_to (GadgetTranscriptSelection *self, double x, double y)
{
  const GadgetTextRange at = get_range_at (self, x, y, self->granularity);
  GadgetTextRange range = self->origin;

  if (compare (at.start, range.start) < 0)
    range.start = at.start;
  if (compare (at.end, range.end) > 0)
    range.end = at.end;
  set_range (self, range);
}

/* Returns the end of the last row, for a place in rows behind it that are removed. */
static GadgetTextPosition
get_end (GadgetTranscriptModel *model)
{
  const guint n_rows = gadget_transcript_model_get_n_rows (model);
  GadgetTextPosition end = { 0, 0 };

  if (n_rows > 0)
    end = (GadgetTextPosition) { n_rows - 1,
                                 gadget_transcript_model_get_row (model, n_rows - 1)->end };
  return end;
}

static GadgetTextPosition
shift (GadgetTranscriptModel *model, GadgetTextPosition at, guint position, guint removed,
       guint added)
{
  if (at.row >= position + removed)
    at.row += added - removed;
  else if (at.row >= position)
    at = (GadgetTextPosition) { position, 0 };
  if (at.row >= gadget_transcript_model_get_n_rows (model))
    return get_end (model);

  /* The end of the last piece of a growing text may have moved into the next row. */
  while (at.row + 1 < gadget_transcript_model_get_n_rows (model))
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (model, at.row);
      const GadgetRowSpec *next = gadget_transcript_model_get_row (model, at.row + 1);

      if (at.offset <= row->end || row->turn != next->turn || row->kind != next->kind
          || row->item != next->item || row->scope != next->scope)
        break;
      at.row++;
    }
  return at;
}

void
gadget_transcript_selection_spliced (GadgetTranscriptSelection *self, guint position, guint removed,
                                     guint added)
{
  GadgetTextPosition *all[] = { &self->origin.start, &self->origin.end, &self->range.start,
                                &self->range.end };
  const gboolean was_empty = is_empty (&self->range);

  if (was_empty && !self->selecting && !self->placed)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    *all[i] =
        shift (gadget_selection_host_get_model (self->host), *all[i], position, removed, added);
  if (!was_empty && is_empty (&self->range))
    show_selected (self, FALSE);
}

/* --- The pointer --- */

static int
get_height (GadgetTranscriptSelection *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self->host));
}

/* Returns how far the pointer is above (< 0) or below the viewport. */
static double
get_outside (GadgetTranscriptSelection *self)
{
  return self->pointer_y < 0 ? self->pointer_y : MAX (0, self->pointer_y - get_height (self));
}

/* Returns how far the pointer is beside the row under it, when that row is wider than the column.
 * Only the row where the selection began scrolls horizontally; the pointer only passes the
 * others. */
static double
get_horizontal_overshoot (GadgetTranscriptSelection *self, GadgetRow **row, guint *offset)
{
  const double y = CLAMP (self->pointer_y, 0, get_height (self));
  GadgetRealizedRow *at = get_row_at (self, y);

  if (at == NULL || at->position != self->origin.start.row
      || !gadget_row_get_offset_at (at->widget, GTK_WIDGET (self->host), self->pointer_x, y,
                                    offset))
    return 0;
  *row = at->widget;
  return gadget_row_get_horizontal_overshoot (at->widget, GTK_WIDGET (self->host), *offset,
                                              self->pointer_x);
}

static double
get_distance (double outside, double seconds)
{
  return CLAMP (outside * AUTOSCROLL_SPEED, -AUTOSCROLL_MAX, AUTOSCROLL_MAX) * seconds;
}

static gboolean
autoscroll_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GadgetTranscriptSelection *self = data;
  const gint64 now = gdk_frame_clock_get_frame_time (clock);
  const double seconds =
      self->autoscroll_time != 0 ? (double) (now - self->autoscroll_time) / 1e6 : 0;
  const double outside = get_outside (self);
  GadgetRow *row = NULL;
  guint offset = 0;
  const double overshoot = get_horizontal_overshoot (self, &row, &offset);

  if (overshoot != 0)
    gadget_row_scroll_horizontally (row, offset, get_distance (overshoot, seconds));
  if (outside != 0)
    gadget_selection_host_scroll_by (self->host, get_distance (outside, seconds));
  self->autoscroll_time = now;
  extend_to (self, self->pointer_x, CLAMP (self->pointer_y, 0, get_height (self)));
  return G_SOURCE_CONTINUE;
}

static void
stop_autoscroll (GadgetTranscriptSelection *self)
{
  if (self->autoscroll_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->host), self->autoscroll_id);
  self->autoscroll_id = 0;
}

static void
update_autoscroll (GadgetTranscriptSelection *self)
{
  GadgetRow *row;
  guint offset;

  if (get_outside (self) == 0 && get_horizontal_overshoot (self, &row, &offset) == 0)
    stop_autoscroll (self);
  else if (self->autoscroll_id == 0)
    {
      self->autoscroll_time = 0;
      self->autoscroll_id =
          gtk_widget_add_tick_callback (GTK_WIDGET (self->host), autoscroll_cb, self, NULL);
    }
}

/* A touch scrolls; only a pointer selects by dragging. A long press selects a word. */
static gboolean
is_touch (GtkGesture *gesture)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  GdkDevice *device = event != NULL ? gdk_event_get_device (event) : NULL;

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y,
            GadgetTranscriptSelection *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (gadget_selection_host_get_model (self->host) == NULL || is_touch (GTK_GESTURE (gesture)))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self->host));
  self->selecting = TRUE;
  self->caret = FALSE;
  /* Without a place to extend from, Shift changes nothing. */
  if ((state & GDK_SHIFT_MASK) != 0 && n_press == 1 && (self->placed || !is_empty (&self->range)))
    {
      self->granularity = 1;
      extend_to (self, x, y);
      return;
    }
  self->granularity = (guint) (n_press - 1) % 3 + 1;
  self->placed = TRUE;
  self->origin = get_range_at (self, x, y, self->granularity);
  set_range (self, self->origin);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, GadgetTranscriptSelection *self)
{
  if (is_touch (GTK_GESTURE (gesture)))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, GadgetTranscriptSelection *self)
{
  double x, y;

  if (!self->selecting || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (!gtk_drag_check_threshold (GTK_WIDGET (self->host), (int) x, (int) y, (int) (x + dx),
                                 (int) (y + dy))
      && is_empty (&self->range))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->pointer_x = x + dx;
  self->pointer_y = y + dy;
  extend_to (self, self->pointer_x, CLAMP (self->pointer_y, 0, get_height (self)));
  update_autoscroll (self);
}

void
gadget_transcript_selection_end (GadgetTranscriptSelection *self)
{
  stop_autoscroll (self);
  self->selecting = FALSE;
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, GadgetTranscriptSelection *self)
{
  gadget_transcript_selection_end (self);
}

/* --- The selected text --- */

gboolean
_gadget_transcript_selection_is_empty (GadgetTranscriptSelection *self)
{
  return gadget_selection_host_get_model (self->host) == NULL || is_empty (&self->range);
}

void
_gadget_transcript_selection_find (GadgetTranscriptSelection *self, double x, double y,
                                   GadgetTextPosition *place)
{
  *place = get_range_at (self, x, y, 1).start;
}

gboolean
gadget_transcript_selection_get_ends (GadgetTranscriptSelection *self, GadgetTextPosition *fixed,
                                      GadgetTextPosition *head)
{
  const gboolean backwards = compare (self->range.start, self->origin.start) < 0;

  if (is_empty (&self->range))
    {
      *fixed = *head = self->origin.start;
      return self->placed;
    }
  *fixed = backwards ? self->origin.end : self->origin.start;
  *head = backwards ? self->range.start : self->range.end;
  return TRUE;
}

void
gadget_transcript_selection_set_ends (GadgetTranscriptSelection *self, GadgetTextPosition fixed,
                                      GadgetTextPosition head)
{
  const gboolean backwards = compare (head, fixed) < 0;

  self->origin = (GadgetTextRange) { fixed, fixed };
  self->placed = TRUE;
  set_range (self, (GadgetTextRange) { backwards ? head : fixed, backwards ? fixed : head });
}

void
gadget_transcript_selection_select_word_at (GadgetTranscriptSelection *self, double x, double y)
{
  const GadgetTextRange word = get_range_at (self, x, y, 2);

  if (is_empty (&word)
      || (compare (word.start, self->range.start) >= 0 && compare (word.end, self->range.end) <= 0))
    return;
  self->caret = FALSE;
  self->placed = TRUE;
  self->origin = word;
  set_range (self, word);
}

void
gadget_transcript_selection_select_all (GadgetTranscriptSelection *self)
{
  GadgetTranscriptModel *model = gadget_selection_host_get_model (self->host);
  GadgetTextRange range = { 0 };

  if (model == NULL || gadget_transcript_model_get_n_rows (model) == 0)
    return;
  range.end.row = gadget_transcript_model_get_n_rows (model) - 1;
  range.end.offset = G_MAXUINT32;
  /* The start is the fixed end, so that Shift with a click can make the selection smaller. */
  self->origin = (GadgetTextRange) { range.start, range.start };
  set_range (self, range);
}

void
gadget_transcript_selection_unselect (GadgetTranscriptSelection *self)
{
  const GadgetTextRange nothing = { 0 };

  self->origin = nothing;
  self->placed = FALSE;
  self->caret = FALSE;
  set_range (self, nothing);
}

GadgetTranscriptSelection *
gadget_transcript_selection_new (GadgetSelectionHost *host)
{
  GadgetTranscriptSelection *self = g_new0 (GadgetTranscriptSelection, 1);

  self->host = host;
  self->click = gtk_gesture_click_new ();
  self->drag = gtk_gesture_drag_new ();
  g_signal_connect (self->click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (host), GTK_EVENT_CONTROLLER (self->click));
  gtk_widget_add_controller (GTK_WIDGET (host), GTK_EVENT_CONTROLLER (self->drag));
  gtk_gesture_group (self->click, self->drag);
  _gadget_transcript_selection_init_primary (self);
  return self;
}

/* The host must have ended the selection and the PRIMARY selection before: a host that is being
 * finalized is not asked for anything any more, and its gestures may end later than this. */
void
gadget_transcript_selection_free (GadgetTranscriptSelection *self)
{
  g_assert (self->primary == NULL && self->autoscroll_id == 0);

  g_signal_handlers_disconnect_by_data (self->click, self);
  g_signal_handlers_disconnect_by_data (self->drag, self);
  g_free (self);
}
