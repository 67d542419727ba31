/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draws the matches of a search in a row, and finds them. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"

#include "ui/code/gadget-code-block.h"
#include "ui/common/gadget-ui.h"

static GadgetSelectableText *
get_piece (GadgetRow *self, guint index)
{
  GPtrArray *pieces = _gadget_row_get_pieces (self);

  return index < pieces->len ? g_ptr_array_index (pieces, index) : NULL;
}

static void
find (GadgetRow *self, GadgetTextPattern *pattern, GArray *found)
{
  for (guint i = 0; get_piece (self, i) != NULL; i++)
    {
      const char *text = gadget_selectable_text_get_text (get_piece (self, i));
      const gsize length = gadget_selectable_text_get_length (get_piece (self, i));
      gsize start, end = 0;

      while (gadget_text_pattern_next (pattern, text, length, end, &start, &end))
        {
          const GadgetRowFound one = { i, (guint) start, (guint) end };

          g_array_append_val (found, one);
        }
    }
}

GArray *
gadget_row_find (GadgetRow *self, GadgetTextPattern *pattern)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GadgetRowFound));

  g_return_val_if_fail (GADGET_IS_ROW (self) && pattern != NULL, found);

  if (GADGET_ROW_GET_CLASS (self)->find != NULL)
    GADGET_ROW_GET_CLASS (self)->find (self, pattern, found);
  else
    find (self, pattern, found);
  return found;
}

static void
show_found (GadgetRow *self, GArray *found, int current, const GadgetFoundColors *colors)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (GadgetTextFound));
  guint at = 0;

  for (guint i = 0; get_piece (self, i) != NULL; i++)
    {
      const guint length = (guint) gadget_selectable_text_get_length (get_piece (self, i));

      g_array_set_size (ranges, 0);
      for (; at < found->len && g_array_index (found, GadgetRowFound, at).piece == i; at++)
        {
          const GadgetRowFound *one = &g_array_index (found, GadgetRowFound, at);
          const GadgetTextFound range = { one->start, MIN (one->end, length), (int) at == current };

          if (range.start < range.end)
            g_array_append_val (ranges, range);
        }
      gadget_selectable_text_set_found (get_piece (self, i),
                                        (const GadgetTextFound *) (gconstpointer) ranges->data,
                                        ranges->len, colors);
    }
}

/**
 * gadget_row_show_found:
 * @pattern: (nullable): %NULL only when @n is 0
 * @n: how many matches of it are shown, at most
 * @current: the number of the current match, from 0 on; -1 when it is in another row
 * @colors: (nullable): as @pattern
 */
void
gadget_row_show_found (GadgetRow *self, GadgetTextPattern *pattern, guint n, int current,
                       const GadgetFoundColors *colors)
{
  g_autoptr (GArray) found = NULL;

  g_return_if_fail (GADGET_IS_ROW (self) && (n == 0 || (pattern != NULL && colors != NULL)));

  if (n == 0 && !gtk_widget_has_css_class (GTK_WIDGET (self), "found"))
    return;
  found =
      n > 0 ? gadget_row_find (self, pattern) : g_array_new (FALSE, FALSE, sizeof (GadgetRowFound));
  g_array_set_size (found, MIN (found->len, n));
  gadget_ui_set_css_class (GTK_WIDGET (self), "found", n > 0);
  if (GADGET_ROW_GET_CLASS (self)->show_found != NULL)
    GADGET_ROW_GET_CLASS (self)->show_found (self, found, current, colors);
  else
    show_found (self, found, current, colors);
}

gboolean
gadget_row_get_found_range (GadgetRow *self, const GadgetRowFound *found, guint *start, guint *end)
{
  GadgetSelectableText *piece;
  guint begin = 0;
  guint length;

  g_return_val_if_fail (GADGET_IS_ROW (self), FALSE);

  piece = get_piece (self, found->piece);
  length = piece != NULL ? (guint) gadget_selectable_text_get_length (piece) : 0;
  if (found->start >= length)
    return FALSE;
  for (guint i = 0; i < found->piece; i++)
    begin += (guint) gadget_selectable_text_get_length (get_piece (self, i)) + 1;
  *start = begin + found->start;
  *end = begin + MIN (found->end, length);
  return TRUE;
}

GadgetCode *
gadget_row_get_found_code (GadgetRow *self, const GadgetRowFound *found)
{
  GtkWidget *block;

  g_return_val_if_fail (GADGET_IS_ROW (self), NULL);

  if (get_piece (self, found->piece) == NULL)
    return NULL;
  block =
      gtk_widget_get_ancestor (GTK_WIDGET (get_piece (self, found->piece)), GADGET_TYPE_CODE_BLOCK);
  return block != NULL ? gadget_code_block_get_code (GADGET_CODE_BLOCK (block)) : NULL;
}
