/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pieces of a row as one text: a selection spans all of them, and a pointer between two pieces
 * is at the nearer one. Between two pieces the text has one byte, which no piece shows. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"

static guint
get_n_pieces (GadgetRow *self)
{
  return _gadget_row_get_pieces (self)->len;
}

static GadgetSelectableText *
get_piece (GadgetRow *self, guint index)
{
  return g_ptr_array_index (_gadget_row_get_pieces (self), index);
}

GadgetSelectableText *
_gadget_row_find_piece (GadgetRow *self, guint offset, guint *begin)
{
  const guint n = get_n_pieces (self);

  *begin = 0;
  for (guint i = 0; i < n; i++)
    {
      const guint length = (guint) gadget_selectable_text_get_length (get_piece (self, i));

      if (offset <= *begin + length || i + 1 == n)
        return get_piece (self, i);
      *begin += length + 1;
    }
  return NULL;
}

gboolean
gadget_row_has_text (GadgetRow *self)
{
  return get_n_pieces (self) > 0;
}

/**
 * gadget_row_get_length:
 *
 * Returns: the length of the row's text in bytes
 */
guint
gadget_row_get_length (GadgetRow *self)
{
  const guint n = get_n_pieces (self);
  guint length = n > 0 ? n - 1 : 0;

  for (guint i = 0; i < n; i++)
    length += (guint) gadget_selectable_text_get_length (get_piece (self, i));
  return length;
}

/**
 * gadget_row_set_selection:
 *
 * Draws the range from @start to @end as selected; nothing when both are equal.
 */
void
gadget_row_set_selection (GadgetRow *self, guint start, guint end)
{
  guint begin = 0;

  g_return_if_fail (GADGET_IS_ROW (self) && start <= end);

  for (guint i = 0; i < get_n_pieces (self); i++)
    {
      GadgetSelectableText *piece = get_piece (self, i);
      const guint length = (guint) gadget_selectable_text_get_length (piece);

      gadget_selectable_text_set_selection (piece, MIN (start - MIN (begin, start), length),
                                            MIN (end - MIN (begin, end), length));
      begin += length + 1;
    }
}

/**
 * gadget_row_set_head:
 * @offset: where the head of the selection is, the end that moves; -1 when it is in another row
 */
void
gadget_row_set_head (GadgetRow *self, int offset)
{
  GadgetSelectableText *with = NULL;
  guint begin = 0;

  g_return_if_fail (GADGET_IS_ROW (self));

  if (offset >= 0)
    with = _gadget_row_find_piece (self, (guint) offset, &begin);
  for (guint i = 0; i < get_n_pieces (self); i++)
    {
      GadgetSelectableText *piece = get_piece (self, i);

      gadget_selectable_text_set_head (piece, piece == with ? offset - (int) begin : -1);
    }
}

/* Returns how far @at is outside of a range of @size that begins at @from. */
static double
get_distance (double at, double from, double size)
{
  return MAX (0, MAX (from - at, at - from - size));
}

/* Returns the distance of a point from a piece. The vertical distance counts first, so that a
 * pointer beside a line stays in it. */
static double
measure_distance (GadgetSelectableText *piece, GtkWidget *widget, double x, double y)
{
  graphene_rect_t box;

  if (!gtk_widget_compute_bounds (GTK_WIDGET (piece), widget, &box))
    return G_MAXDOUBLE;
  return get_distance (y, box.origin.y, box.size.height) * G_MAXINT16
         + get_distance (x, box.origin.x, box.size.width);
}

static gboolean
find_at (GadgetRow *self, GtkWidget *widget, double x, double y,
         guint (*find) (GadgetSelectableText *, double, double), guint *offset)
{
  GadgetSelectableText *best = NULL;
  double best_distance = G_MAXDOUBLE;
  graphene_point_t point;
  guint begin = 0;
  guint best_begin = 0;

  for (guint i = 0; i < get_n_pieces (self); i++)
    {
      GadgetSelectableText *piece = get_piece (self, i);
      const double distance = measure_distance (piece, widget, x, y);

      if (distance < best_distance)
        {
          best = piece;
          best_distance = distance;
          best_begin = begin;
        }
      begin += (guint) gadget_selectable_text_get_length (piece) + 1;
    }
  if (best == NULL
      || !gtk_widget_compute_point (widget, GTK_WIDGET (best),
                                    &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
    return FALSE;
  *offset = best_begin + find (best, point.x, point.y);
  return TRUE;
}

/**
 * gadget_row_get_offset_at:
 * @widget: the widget whose coordinates @x and @y are
 * @offset: (out): the offset nearest to the point, which may be outside of the row
 *
 * Returns: whether the row has a text
 */
gboolean
gadget_row_get_offset_at (GadgetRow *self, GtkWidget *widget, double x, double y, guint *offset)
{
  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);
  return find_at (self, widget, x, y, gadget_selectable_text_get_offset_at, offset);
}

/**
 * gadget_row_get_char_at:
 * @widget: the widget whose coordinates @x and @y are
 * @offset: (out): where the character under the point, or nearest to it, begins
 *
 * Returns: whether the row has a text
 */
gboolean
gadget_row_get_char_at (GadgetRow *self, GtkWidget *widget, double x, double y, guint *offset)
{
  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);
  return find_at (self, widget, x, y, gadget_selectable_text_get_char_at, offset);
}

/**
 * gadget_row_get_word_at:
 * @start: (out): where the word at @offset begins, or the gap between two words
 * @end: (out): where it ends
 */
void
gadget_row_get_word_at (GadgetRow *self, guint offset, guint *start, guint *end)
{
  guint begin;
  GadgetSelectableText *piece = _gadget_row_find_piece (self, offset, &begin);

  *start = *end = offset;
  if (piece == NULL)
    return;
  gadget_selectable_text_get_word_at (piece, offset - begin, start, end);
  *start += begin;
  *end += begin;
}

/**
 * gadget_row_get_line_at:
 * @start: (out): where the line of the text at @offset begins
 * @end: (out): the offset after its line end
 */
void
gadget_row_get_line_at (GadgetRow *self, guint offset, guint *start, guint *end)
{
  guint begin;
  GadgetSelectableText *piece = _gadget_row_find_piece (self, offset, &begin);

  *start = *end = offset;
  if (piece == NULL)
    return;
  gadget_selectable_text_get_line_at (piece, offset - begin, start, end);
  *start += begin;
  *end += begin;
}

gsize
gadget_row_to_source (GadgetRow *self, guint offset)
{
  g_return_val_if_fail (GADGET_IS_ROW (self), 0);

  if (GADGET_ROW_GET_CLASS (self)->to_source != NULL)
    return GADGET_ROW_GET_CLASS (self)->to_source (self, offset);
  return gadget_row_data_get_start (gadget_row_get_data (self)) + offset;
}

guint
gadget_row_from_source (GadgetRow *self, gsize offset)
{
  const gsize start = gadget_row_data_get_start (gadget_row_get_data (self));
  const guint length = gadget_row_get_length (self);

  g_return_val_if_fail (GADGET_IS_ROW (self), 0);

  if (GADGET_ROW_GET_CLASS (self)->from_source != NULL)
    return MIN (GADGET_ROW_GET_CLASS (self)->from_source (self, offset), length);
  return (guint) MIN (offset - MIN (start, offset), length);
}
