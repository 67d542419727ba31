/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Moving through the text of a row by the keyboard. Lines are found by their position on the
 * screen, since the cells of a table are beside each other and code has several pieces. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"

/* The distance in pixels at which the next line is searched; less than the height of a line. */
#define STRIDE 8

/**
 * gadget_row_move:
 * @offset: (inout): an offset in the row's text; unchanged when the function returns %FALSE
 *
 * Returns: %FALSE at the end of the row's text, or at its beginning when moving backward
 */
gboolean
gadget_row_move (GadgetRow *self, guint *offset, GadgetTextUnit unit, gboolean forward)
{
  GadgetSelectableText *piece;
  guint begin, at, end;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, *offset, &begin);
  if (piece == NULL)
    return FALSE;
  at = MIN (*offset - begin, (guint) gadget_selectable_text_get_length (piece));
  if (gadget_selectable_text_move (piece, &at, unit, forward))
    {
      *offset = begin + at;
      return TRUE;
    }
  end = begin + (guint) gadget_selectable_text_get_length (piece);
  if (forward ? end >= gadget_row_get_length (self) : begin == 0)
    return FALSE;

  /* The byte between two pieces is one step for characters, and is skipped for larger units. */
  *offset = forward ? end + 1 : begin - 1;
  if (unit == GADGET_TEXT_UNIT_CHARACTER)
    return TRUE;
  piece = _gadget_row_find_piece (self, *offset, &begin);
  at = *offset - begin;
  if (gadget_selectable_text_move (piece, &at, unit, forward))
    *offset = begin + at;
  return TRUE;
}

/**
 * gadget_row_get_caret_box:
 * @widget: the widget whose coordinates @box has
 * @box: (out): the position and height of a caret at @offset; the width is 0
 *
 * Returns: %FALSE when the row has no text, or is not in the same window as @widget
 */
gboolean
gadget_row_get_caret_box (GadgetRow *self, GtkWidget *widget, guint offset, graphene_rect_t *box)
{
  GadgetSelectableText *piece;
  graphene_point_t origin;
  guint begin;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, offset, &begin);
  if (piece == NULL
      || !gtk_widget_compute_point (GTK_WIDGET (piece), widget, &GRAPHENE_POINT_INIT (0, 0),
                                    &origin))
    return FALSE;
  gadget_selectable_text_get_caret_box (piece, offset - begin, box);
  graphene_rect_offset (box, origin.x, origin.y);
  return TRUE;
}

/**
 * gadget_row_move_line:
 * @widget: the widget whose coordinate @x is
 * @offset: (inout): an offset in the row's text; unchanged when the function returns %FALSE
 * @x: the horizontal position to keep
 *
 * Returns: %FALSE when the row has no further line below or above
 */
gboolean
gadget_row_move_line (GadgetRow *self, GtkWidget *widget, guint *offset, double x, gboolean down)
{
  graphene_rect_t from, row, box;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  if (!gadget_row_get_caret_box (self, widget, *offset, &from)
      || !gtk_widget_compute_bounds (GTK_WIDGET (self), widget, &row))
    return FALSE;
  for (double y = down ? from.origin.y + from.size.height : from.origin.y;
       y >= row.origin.y && y <= row.origin.y + row.size.height; y += down ? STRIDE : -STRIDE)
    {
      guint at;

      if (!gadget_row_get_offset_at (self, widget, x, y + (down ? 1 : -1), &at)
          || !gadget_row_get_caret_box (self, widget, at, &box))
        return FALSE;
      if (down ? box.origin.y >= from.origin.y + from.size.height / 2
               : box.origin.y + box.size.height <= from.origin.y + from.size.height / 2)
        {
          *offset = at;
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * gadget_row_is_rtl_at:
 *
 * Returns: whether the text at @offset runs from right to left
 */
gboolean
gadget_row_is_rtl_at (GadgetRow *self, guint offset)
{
  GadgetSelectableText *piece;
  guint begin;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, offset, &begin);
  return piece != NULL && gadget_selectable_text_is_rtl_at (piece, offset - begin);
}
