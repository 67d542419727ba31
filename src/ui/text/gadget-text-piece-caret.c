/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Places in the text of a piece, and the way from one to the next by the keyboard. */

#define G_LOG_DOMAIN "gadget-text-piece"

#include "config.h"

#include "gadget-text-piece-private.h"

static gboolean
is_stop (const PangoLogAttr *attr, GadgetTextUnit unit, gboolean forward)
{
  if (unit == GADGET_TEXT_UNIT_CHARACTER)
    return attr->is_cursor_position;
  return forward ? attr->is_word_end : attr->is_word_start;
}

/**
 * gadget_text_piece_move:
 * @offset: (inout): a place in the text; untouched when it returns FALSE
 *
 * Words are left at their far end, as GTK's own texts do.
 *
 * Returns: FALSE at the end of the text, or forwards and backwards at its beginning
 */
gboolean
gadget_text_piece_move (GadgetTextPiece *self, guint *offset, GadgetTextUnit unit, gboolean forward)
{
  const char *text = gadget_text_piece_get_text (self);
  const guint length = (guint) gadget_text_piece_get_length (self);
  const int step = forward ? 1 : -1;
  const PangoLogAttr *attrs;
  int n_attrs;
  int at;

  g_return_val_if_fail (GADGET_IS_TEXT_PIECE (self) && *offset <= length, FALSE);

  if (*offset == (forward ? length : 0))
    return FALSE;
  if (unit == GADGET_TEXT_UNIT_PIECE)
    {
      *offset = forward ? length : 0;
      return TRUE;
    }
  attrs = pango_layout_get_log_attrs_readonly (gadget_text_piece_get_layout (self), &n_attrs);
  at = (int) g_utf8_pointer_to_offset (text, text + *offset) + step;
  while (at > 0 && at < n_attrs - 1 && !is_stop (&attrs[at], unit, forward))
    at += step;
  *offset = (guint) (g_utf8_offset_to_pointer (text, at) - text);
  return TRUE;
}

/**
 * gadget_text_piece_get_caret_box:
 * @box: (out): where a caret at @offset stands, in the piece's own coordinates; without a width
 */
void
gadget_text_piece_get_caret_box (GadgetTextPiece *self, guint offset, graphene_rect_t *box)
{
  PangoRectangle at;

  g_return_if_fail (GADGET_IS_TEXT_PIECE (self));

  pango_layout_get_cursor_pos (gadget_text_piece_get_layout (self),
                               (int) MIN (offset, gadget_text_piece_get_length (self)), &at, NULL);
  graphene_rect_init (box, (float) at.x / PANGO_SCALE, (float) at.y / PANGO_SCALE, 0,
                      (float) at.height / PANGO_SCALE);
}

/**
 * gadget_text_piece_is_rtl_at:
 *
 * Returns: whether the text at @offset runs from right to left
 */
gboolean
gadget_text_piece_is_rtl_at (GadgetTextPiece *self, guint offset)
{
  g_return_val_if_fail (GADGET_IS_TEXT_PIECE (self), FALSE);

  return pango_layout_get_direction (gadget_text_piece_get_layout (self),
                                     (int) MIN (offset, gadget_text_piece_get_length (self)))
         == PANGO_DIRECTION_RTL;
}
