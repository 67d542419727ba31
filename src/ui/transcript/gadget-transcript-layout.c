/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The layout of the rows.
 *
 * The position of the rows is defined by the anchor: the row at the top of the viewport, and the y
 * coordinate where its slot begins. Rows become widgets downwards and upwards from it until the
 * viewport and a margin are filled; each is measured then, and its height replaces an estimate. So
 * rows above the anchor can turn out taller or shorter, and rows below it can grow, while nothing
 * in sight moves. While the end is followed, the end of the last row is the anchor instead.
 *
 * The value of the vertical adjustment is derived from the anchor: the sum of the heights before
 * it, minus where it begins. The value only serves the scrollbar; when the user changes it, the
 * difference is taken as a distance to scroll. While the user scrolls, the value is not corrected
 * even when heights above turn out to be different, because a kinetic scroll would undo the
 * correction and make the text jump. The difference is the value offset, which is dropped when the
 * scrolling ends or nears the top.
 *
 * Rows are placed in the update phase of a frame, so that no widgets are made during an allocation,
 * and again in the allocation, which then finds everything measured. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"
#include "ui/common/gadget-column.h"

#include <math.h>

/* The space below the last row, in pixels as all values here. */
#define PAD_BOTTOM 24

/* The end of the chat is in sight when no more than this of the last row is below the viewport. */
#define END_TOLERANCE 12

/* About the height of an ask card's title. */
#define ASK_TITLE_HEIGHT 48

/* Position and opacity of the vertical line beside a subagent's rows: it is below the middle of the
 * icon of the call. */
#define GUIDE_INSET 14
#define GUIDE_ALPHA 0.15f

/* Rows are realized this far beyond the viewport, in pixels, so that Tab finds a next row. While
 * the user scrolls there is no margin; its rows are made when the scrolling has ended. */
#define MARGIN 120

/* The scrolling has ended when the adjustment has not changed for this long. */
#define SCROLL_END_MS 200

static guint
get_n_rows (GadgetTranscript *self)
{
  return self->model != NULL ? gadget_transcript_model_get_n_rows (self->model) : 0;
}

static void
estimate_all (GadgetTranscript *self)
{
  const guint n = get_n_rows (self);

  self->estimate_width = self->column_width;
  for (guint i = 0; i < n; i++)
    if (gadget_heights_get_width (self->heights, i) != self->column_width)
      gadget_heights_set (self->heights, i, _gadget_transcript_estimate (self, i), 0);
}

/* Returns the measured height of a row's slot. A row that is not a widget is made one, unless it is
 * out of sight and was measured before at this width. */
static int
measure_slot (GadgetTranscript *self, guint position, gboolean in_sight)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (self, position);
  int height;

  if (row == NULL && !in_sight
      && gadget_heights_get_width (self->heights, position) == self->column_width)
    return gadget_heights_get (self->heights, position);
  if (row == NULL)
    row = _gadget_transcript_realize_row (self, position);
  row->gap = _gadget_transcript_get_gap (self, position);
  gtk_widget_measure (GTK_WIDGET (row->widget), GTK_ORIENTATION_VERTICAL,
                      _gadget_transcript_get_row_width (self, position), NULL, &height, NULL, NULL);
  row->height = height;
  row->growth = 0;
  /* A segment of Markdown may show nothing: link definitions, or lines that are folded together
   * with the code before them. */
  if (height == 0)
    row->gap = 0;
  gadget_heights_set (self->heights, position, row->gap + height, self->column_width);
  return row->gap + height;
}

/* --- Placing --- */

/* The rows that fill the viewport. */
typedef struct
{
  guint first;
  guint end;  /* the position after the last of them */
  int top;    /* y of the first row's slot, from the top of the viewport */
  int bottom; /* y below the last row's slot */
} Span;

/* Measures rows around the row at @position, whose slot begins at @y, until the viewport is
 * filled. */
static Span
fill_from (GadgetTranscript *self, guint position, int y)
{
  const guint n = get_n_rows (self);
  const int margin = self->scrolling ? 0 : MARGIN;
  const int upper = -margin;
  const int lower = self->height + margin;
  Span span = { position, position, y, y };

  while (span.first > 0 && span.top > upper)
    span.top -= measure_slot (self, --span.first, span.top <= lower);
  while (span.end < n && span.bottom < lower)
    {
      const int slot = gadget_heights_get (self->heights, span.end);

      span.bottom += measure_slot (self, span.end++, span.bottom + slot >= upper);
    }
  return span;
}

/* Returns how far the filled rows have to move so that there is no empty space above the first row
 * or below the last one. */
static int
get_shift (GadgetTranscript *self, const Span *span)
{
  const int missing = self->height - PAD_BOTTOM - span->bottom;

  if (span->first == 0 && span->top > 0)
    return -span->top;
  if (span->end < get_n_rows (self) || missing <= 0)
    return 0;
  return span->first == 0 ? MIN (missing, -span->top) : missing;
}

static Span
fill_viewport (GadgetTranscript *self)
{
  const guint n = get_n_rows (self);
  guint position = self->following ? n : MIN (self->anchor, n - 1);
  int y = self->following ? self->height - PAD_BOTTOM : (int) floor (self->anchor_y + 0.5);
  Span span;

  for (guint pass = 0; pass < 4; pass++)
    {
      int shift;

      span = fill_from (self, position, y);
      shift = get_shift (self, &span);
      if (shift == 0)
        break;
      y += shift;
    }
  return span;
}

gboolean
_gadget_transcript_is_near (GadgetTranscript *self, const GadgetRealizedRow *row)
{
  return row->y + row->gap + row->height > -MARGIN && row->y < self->height + MARGIN;
}

/* Sets where the rows are, and makes the first one in sight the anchor. */
static void
set_places (GadgetTranscript *self, const Span *span)
{
  gboolean found = FALSE;
  int y = span->top;

  for (guint position = span->first; position < span->end; position++)
    {
      GadgetRealizedRow *row = _gadget_transcript_get_realized (self, position);
      const int slot = gadget_heights_get (self->heights, position);

      if (row != NULL)
        row->y = y;
      if (!found && (y + slot > 0 || position + 1 == span->end))
        {
          /* While the anchor stays the same, the fraction of a pixel that the user scrolled is
           * kept. */
          if (self->anchor != position || fabs (self->anchor_y - y) >= 1)
            self->anchor_y = y;
          self->anchor = position;
          found = TRUE;
        }
      y += slot;
    }
}

/* Unrealizes rows that are far away. A row that has the focus stays a widget out of sight, since
 * the user may be typing in it. */
static void
unrealize_far_rows (GadgetTranscript *self, const Span *span)
{
  for (guint i = self->realized_rows->len; i > 0; i--)
    {
      GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i - 1);
      const gboolean outside = row->position < span->first || row->position >= span->end
                               || !_gadget_transcript_is_near (self, row);

      if (outside && _gadget_transcript_has_focus (self, row))
        row->y =
            row->position < self->anchor ? -MARGIN - row->height - row->gap : self->height + MARGIN;
      else if (outside)
        _gadget_transcript_unrealize_nth (self, i - 1);
    }
}

static gboolean
scroll_end_cb (gpointer data)
{
  GadgetTranscript *self = data;

  self->scroll_end_id = 0;
  self->scrolling = FALSE;
  _gadget_transcript_queue_update (self);
  _gadget_transcript_emit_view_changed (self);
  return G_SOURCE_REMOVE;
}

static void
sync_adjustment (GadgetTranscript *self)
{
  const guint n = get_n_rows (self);
  double value = 0;
  double upper = self->height;

  if (self->vadjustment == NULL)
    return;
  self->value_offset = 0;
  if (n > 0)
    {
      value = (double) gadget_heights_before (self->heights, self->anchor) - self->anchor_y;
      upper = (double) gadget_heights_before (self->heights, n) + PAD_BOTTOM;
      if (self->scrolling && !self->following && value > 0 && self->last_value > self->height)
        self->value_offset = self->last_value - value;
    }

  self->configuring = TRUE;
  gtk_adjustment_configure (self->vadjustment, value + self->value_offset, 0,
                            MAX (upper + self->value_offset, self->height), self->height * 0.1,
                            self->height * 0.9, self->height);
  self->last_value = gtk_adjustment_get_value (self->vadjustment);
  if (self->hadjustment != NULL)
    gtk_adjustment_configure (self->hadjustment, 0, 0, self->width, self->width * 0.1,
                              self->width * 0.9, self->width);
  self->configuring = FALSE;
}

/* New rows or text count as new only while the end of the chat is out of sight. */
static void
update_end (GadgetTranscript *self, const Span *span)
{
  const gboolean end_in_sight =
      span->end == get_n_rows (self) && span->bottom <= self->height + END_TOLERANCE;

  if (self->following || end_in_sight)
    _gadget_transcript_set_has_new (self, FALSE);
  else if (self->grew)
    _gadget_transcript_set_has_new (self, TRUE);
  self->grew = FALSE;
  _gadget_transcript_set_end_hidden (self, !self->following && !end_in_sight);
}

/* A waiting ask card counts as visible when at least its title is in sight. */
static void
update_ask_hidden (GadgetTranscript *self)
{
  const int position =
      self->model != NULL ? gadget_transcript_model_find_ask (self->model, -1) : -1;
  const GadgetRealizedRow *row =
      position >= 0 ? _gadget_transcript_get_realized (self, (guint) position) : NULL;
  const gboolean in_sight = row != NULL && row->y + row->gap + row->height > ASK_TITLE_HEIGHT
                            && row->y + row->gap < self->height - ASK_TITLE_HEIGHT;

  _gadget_transcript_set_ask_hidden (self, position >= 0 && !in_sight);
}

void
_gadget_transcript_place (GadgetTranscript *self)
{
  Span span;

  if (self->column_width <= 0)
    return;
  if (get_n_rows (self) == 0)
    {
      _gadget_transcript_clear_rows (self);
      self->anchor = 0;
      self->anchor_y = 0;
    }
  else
    {
      if (ABS (self->estimate_width - self->column_width) * 6 > self->estimate_width)
        estimate_all (self);
      span = fill_viewport (self);
      set_places (self, &span);
      unrealize_far_rows (self, &span);
      update_end (self, &span);
    }
  update_ask_hidden (self);
  sync_adjustment (self);
}

/* After a change of the width, the anchor's offset is scaled with the height of its row, so that
 * the same part of it stays at the top of the viewport. */
static void
set_column (GadgetTranscript *self, int width)
{
  const int column = gadget_column_get_width (width);
  const gboolean first = self->column_width == 0;

  self->column_x = (width - column) / 2;
  if (column == self->column_width)
    return;
  self->column_width = column;
  _gadget_transcript_narrow_footers (self);
  /* Before the first column width is known, no row has been measured. */
  if (!first && self->anchor < get_n_rows (self) && self->anchor_y < 0 && !self->following)
    {
      const int before = gadget_heights_get (self->heights, self->anchor);
      const int after = measure_slot (self, self->anchor, TRUE);

      self->anchor_y *= (double) after / MAX (before, 1);
    }
}

static int
get_row_x (GadgetTranscript *self, guint position)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  return self->column_x + (mirrored ? 0 : _gadget_transcript_get_indent (self, position));
}

void
_gadget_transcript_layout (GadgetTranscript *self, int width, int height)
{
  self->width = width;
  self->height = height;
  set_column (self, width);
  _gadget_transcript_place (self);

  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i);
      const graphene_point_t origin = GRAPHENE_POINT_INIT ((float) get_row_x (self, row->position),
                                                           (float) (row->y + row->gap));

      gtk_widget_allocate (GTK_WIDGET (row->widget),
                           _gadget_transcript_get_row_width (self, row->position), row->height, -1,
                           gsk_transform_translate (NULL, &origin));
    }
}

/* Draws a vertical line beside the rows of a subagent, one for each level. */
void
_gadget_transcript_snapshot_guides (GadgetTranscript *self, GtkSnapshot *snapshot)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= GUIDE_ALPHA;
  for (guint i = 0; i < self->realized_rows->len; i++)
    {
      const GadgetRealizedRow *row = _gadget_transcript_get_nth (self, i);
      const int depth = (int) gadget_transcript_model_get_depth (self->model, row->position);
      const int step = depth > 0 ? _gadget_transcript_get_indent (self, row->position) / depth : 0;

      for (int level = 0; level < depth; level++)
        {
          const int inside = level * step + MIN (GUIDE_INSET, step / 2);
          const int x =
              mirrored ? self->column_x + self->column_width - inside - 1 : self->column_x + inside;

          gtk_snapshot_append_color (
              snapshot, &color,
              &GRAPHENE_RECT_INIT ((float) x, (float) row->y, 1, (float) (row->gap + row->height)));
        }
    }
}

/* --- Scrolling --- */

/* Scrolls so that the row's slot begins at @y of the viewport. */
void
_gadget_transcript_scroll_to (GadgetTranscript *self, guint position, double y)
{
  _gadget_transcript_set_following (self, FALSE);
  self->anchor = position;
  self->anchor_y = y;
  _gadget_transcript_queue_update (self);
}

void
_gadget_transcript_scroll_by (GadgetTranscript *self, double distance)
{
  if (self->vadjustment != NULL)
    gtk_adjustment_set_value (self->vadjustment, self->last_value + distance);
}

static void
jump_to_value (GadgetTranscript *self, double value)
{
  gint64 offset;

  self->anchor =
      gadget_heights_find (self->heights, (gint64) (value - self->value_offset), &offset);
  self->anchor_y = -(double) offset;
}

void
_gadget_transcript_value_changed (GadgetTranscript *self)
{
  const double value = gtk_adjustment_get_value (self->vadjustment);
  const double distance = value - self->last_value;
  const double end = gtk_adjustment_get_upper (self->vadjustment)
                     - gtk_adjustment_get_page_size (self->vadjustment);

  if (self->configuring || distance == 0 || get_n_rows (self) == 0)
    return;

  self->last_value = value;
  self->scrolling = TRUE;
  g_clear_handle_id (&self->scroll_end_id, g_source_remove);
  self->scroll_end_id = g_timeout_add (SCROLL_END_MS, scroll_end_cb, self);
  g_source_set_name_by_id (self->scroll_end_id, "gadget-transcript scroll end");

  if (fabs (distance) <= 3 * self->height)
    self->anchor_y -= distance;
  else
    jump_to_value (self, value);
  _gadget_transcript_set_following (self, distance > 0 && value >= end - 1);
  _gadget_transcript_queue_update (self);
}
