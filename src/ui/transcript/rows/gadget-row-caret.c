/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Places in the text of a row, and the way from one to the next by the keyboard. Lines are found by
 * where they are: cells of a table stand beside each other, and code has pieces of its own. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"

/* Between two lines that are looked for, in pixels: less than a line is high. */
#define STRIDE 8

/**
 * gadget_row_move:
 * @offset: (inout): a place in the row's text; untouched when it returns FALSE
 *
 * Returns: FALSE at the end of the row's text, or backwards at its beginning
 */
gboolean
gadget_row_move (GadgetRow *self, guint *offset, GadgetTextUnit unit, gboolean forward)
{
  GadgetTextPiece *piece;
  guint begin, at, end;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, *offset, &begin);
  if (piece == NULL)
    return FALSE;
  at = MIN (*offset - begin, (guint) gadget_text_piece_get_length (piece));
  if (gadget_text_piece_move (piece, &at, unit, forward))
    {
      *offset = begin + at;
      return TRUE;
    }
  end = begin + (guint) gadget_text_piece_get_length (piece);
  if (forward ? end >= gadget_row_get_length (self) : begin == 0)
    return FALSE;

  /* Over the byte between two pieces, which is a step for a character and nothing for others. */
  *offset = forward ? end + 1 : begin - 1;
  if (unit == GADGET_TEXT_UNIT_CHARACTER)
    return TRUE;
  piece = _gadget_row_find_piece (self, *offset, &begin);
  at = *offset - begin;
  if (gadget_text_piece_move (piece, &at, unit, forward))
    *offset = begin + at;
  return TRUE;
}

/**
 * gadget_row_get_caret_box:
 * @widget: whose coordinates are meant
 * @box: (out): where a caret at @offset stands; without a width
 *
 * Returns: whether the row has a text, and is on the screen
 */
gboolean
gadget_row_get_caret_box (GadgetRow *self, GtkWidget *widget, guint offset, graphene_rect_t *box)
{
  GadgetTextPiece *piece;
  graphene_point_t origin;
  guint begin;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, offset, &begin);
  if (piece == NULL
      || !gtk_widget_compute_point (GTK_WIDGET (piece), widget, &GRAPHENE_POINT_INIT (0, 0),
                                    &origin))
    return FALSE;
  gadget_text_piece_get_caret_box (piece, offset - begin, box);
  graphene_rect_offset (box, origin.x, origin.y);
  return TRUE;
}

/**
 * gadget_row_move_line:
 * @widget: whose coordinate @x is
 * @offset: (inout): a place in the row's text; untouched when it returns FALSE
 * @x: where in the line is looked for
 *
 * Returns: FALSE when there is no line below or above in the row
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
  GadgetTextPiece *piece;
  guint begin;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = _gadget_row_find_piece (self, offset, &begin);
  return piece != NULL && gadget_text_piece_is_rtl_at (piece, offset - begin);
}
