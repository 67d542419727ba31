/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Moving through the text of a piece by the keyboard. */

#define G_LOG_DOMAIN "gadget-selectable-text"

#include "config.h"

#include "gadget-selectable-text-private.h"

static gboolean
is_stop (const PangoLogAttr *attr, GadgetTextUnit unit, gboolean forward)
{
  if (unit == GADGET_TEXT_UNIT_CHARACTER)
    return attr->is_cursor_position;
  return forward ? attr->is_word_end : attr->is_word_start;
}

/**
 * gadget_selectable_text_move:
 * @offset: (inout): an offset in the text; unchanged when the function returns %FALSE
 *
 * Moves to the end of a word, or backward to its beginning, as GTK's own text widgets do.
 *
 * Returns: %FALSE at the end of the text, or at its beginning when moving backward
 */
gboolean
gadget_selectable_text_move (GadgetSelectableText *self, guint *offset, GadgetTextUnit unit,
                             gboolean forward)
{
  const char *text = gadget_selectable_text_get_text (self);
  const guint length = (guint) gadget_selectable_text_get_length (self);
  const int step = forward ? 1 : -1;
  const PangoLogAttr *attrs;
  int n_attrs;
  int at;

  g_return_val_if_fail (GADGET_IS_SELECTABLE_TEXT (self) && *offset <= length, FALSE);

  if (*offset == (forward ? length : 0))
    return FALSE;
  if (unit == GADGET_TEXT_UNIT_PIECE)
    {
      *offset = forward ? length : 0;
      return TRUE;
    }
  attrs = pango_layout_get_log_attrs_readonly (gadget_selectable_text_get_layout (self), &n_attrs);
  at = (int) g_utf8_pointer_to_offset (text, text + *offset) + step;
  while (at > 0 && at < n_attrs - 1 && !is_stop (&attrs[at], unit, forward))
    at += step;
  *offset = (guint) (g_utf8_offset_to_pointer (text, at) - text);
  return TRUE;
}

/**
 * gadget_selectable_text_get_caret_box:
 * @box: (out): position and height of a caret at @offset, in coordinates of the piece; the width is
 *   0
 */
void
gadget_selectable_text_get_caret_box (GadgetSelectableText *self, guint offset,
                                      graphene_rect_t *box)
{
  PangoRectangle at;

  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  pango_layout_get_cursor_pos (gadget_selectable_text_get_layout (self),
                               (int) MIN (offset, gadget_selectable_text_get_length (self)), &at,
                               NULL);
  graphene_rect_init (box, (float) at.x / PANGO_SCALE, (float) at.y / PANGO_SCALE, 0,
                      (float) at.height / PANGO_SCALE);
}

/**
 * gadget_selectable_text_is_rtl_at:
 *
 * Returns: whether the text at @offset runs from right to left
 */
gboolean
gadget_selectable_text_is_rtl_at (GadgetSelectableText *self, guint offset)
{
  g_return_val_if_fail (GADGET_IS_SELECTABLE_TEXT (self), FALSE);

  return pango_layout_get_direction (gadget_selectable_text_get_layout (self),
                                     (int) MIN (offset, gadget_selectable_text_get_length (self)))
         == PANGO_DIRECTION_RTL;
}
