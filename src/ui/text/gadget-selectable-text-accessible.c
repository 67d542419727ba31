/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GtkAccessibleText for a piece of text. Its offsets are in characters, those of the piece in
 * bytes. */

#define G_LOG_DOMAIN "gadget-selectable-text"

#include "config.h"

#include "gadget-selectable-text-private.h"

static guint
to_chars (GadgetSelectableText *self, guint offset)
{
  const char *text = gadget_selectable_text_get_text (self);

  return (guint) g_utf8_pointer_to_offset (text, text + offset);
}

static guint
count_chars (GadgetSelectableText *self)
{
  return (guint) g_utf8_strlen (gadget_selectable_text_get_text (self), -1);
}

static GBytes *
copy_range (GadgetSelectableText *self, guint start, guint end)
{
  const char *text = gadget_selectable_text_get_text (self);
  const guint n = count_chars (self);
  g_autofree char *part = NULL;

  end = MIN (end, n);
  start = MIN (start, end);
  part = g_utf8_substring (text, start, end);
  return g_bytes_new (part, strlen (part) + 1);
}

static GBytes *
get_contents (GtkAccessibleText *accessible, guint start, guint end)
{
  return copy_range (GADGET_SELECTABLE_TEXT (accessible), start, end);
}

/* Gets the bounds of the line on the screen that has the byte @index, in bytes. */
static void
get_screen_line (GadgetSelectableText *self, guint index, guint *start, guint *end)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (self);
  PangoLayoutLine *line;
  int number;

  pango_layout_index_to_line_x (layout, (int) index, FALSE, &number, NULL);
  line = pango_layout_get_line_readonly (layout, number);
  *start = (guint) pango_layout_line_get_start_index (line);
  *end = *start + (guint) pango_layout_line_get_length (line);
}

static GBytes *
get_contents_at (GtkAccessibleText *accessible, guint offset,
                 GtkAccessibleTextGranularity granularity, guint *start, guint *end)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (accessible);
  const char *text = gadget_selectable_text_get_text (self);
  const guint n = count_chars (self);
  const guint at = MIN (offset, n);
  const guint index = (guint) (g_utf8_offset_to_pointer (text, at) - text);
  guint from = index;
  guint to = index;

  switch (granularity)
    {
    case GTK_ACCESSIBLE_TEXT_GRANULARITY_WORD:
      gadget_selectable_text_get_word_at (self, index, &from, &to);
      break;
    case GTK_ACCESSIBLE_TEXT_GRANULARITY_LINE:
      get_screen_line (self, index, &from, &to);
      break;
    case GTK_ACCESSIBLE_TEXT_GRANULARITY_SENTENCE:
    case GTK_ACCESSIBLE_TEXT_GRANULARITY_PARAGRAPH:
      gadget_selectable_text_get_line_at (self, index, &from, &to);
      break;
    case GTK_ACCESSIBLE_TEXT_GRANULARITY_CHARACTER:
    default:
      if (at < n)
        to = (guint) (g_utf8_next_char (text + index) - text);
      break;
    }
  *start = to_chars (self, from);
  *end = to_chars (self, to);
  return copy_range (self, *start, *end);
}

/* When the head of the selection is in another piece, the end of the selected part is nearest to
 * it. */
static guint
get_caret_position (GtkAccessibleText *accessible)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (accessible);
  const int head = gadget_selectable_text_get_head (self);
  guint start, end;

  if (head >= 0)
    return to_chars (self, (guint) head);
  gadget_selectable_text_get_selection (self, &start, &end);
  return to_chars (self, end);
}

static gboolean
get_selection (GtkAccessibleText *accessible, gsize *n_ranges, GtkAccessibleTextRange **ranges)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (accessible);
  guint start, end;

  gadget_selectable_text_get_selection (self, &start, &end);
  *n_ranges = 0;
  if (start == end)
    return FALSE;
  *n_ranges = 1;
  if (ranges != NULL)
    {
      *ranges = g_new (GtkAccessibleTextRange, 1);
      (*ranges)[0].start = to_chars (self, start);
      (*ranges)[0].length = to_chars (self, end) - (*ranges)[0].start;
    }
  return TRUE;
}

static gboolean
get_attributes (GtkAccessibleText *accessible, guint offset, gsize *n_ranges,
                GtkAccessibleTextRange **ranges, char ***names, char ***values)
{
  *n_ranges = 0;
  return FALSE;
}

static gboolean
get_extents (GtkAccessibleText *accessible, guint start, guint end, graphene_rect_t *extents)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (accessible);
  PangoLayout *layout = gadget_selectable_text_get_layout (self);
  const char *text = gadget_selectable_text_get_text (self);
  const guint n = count_chars (self);
  int range[2];
  cairo_region_t *region;
  cairo_rectangle_int_t box;

  range[0] = (int) (g_utf8_offset_to_pointer (text, MIN (start, n)) - text);
  range[1] = (int) (g_utf8_offset_to_pointer (text, MIN (end, n)) - text);
  region = gdk_pango_layout_get_clip_region (layout, 0, 0, range, 1);
  cairo_region_get_extents (region, &box);
  cairo_region_destroy (region);
  *extents =
      GRAPHENE_RECT_INIT ((float) box.x, (float) box.y, (float) box.width, (float) box.height);
  return TRUE;
}

static gboolean
get_offset (GtkAccessibleText *accessible, const graphene_point_t *point, guint *offset)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (accessible);

  *offset = to_chars (self, gadget_selectable_text_get_offset_at (self, point->x, point->y));
  return TRUE;
}

void
_gadget_selectable_text_accessible_init (GtkAccessibleTextInterface *iface)
{
  iface->get_contents = get_contents;
  iface->get_contents_at = get_contents_at;
  iface->get_caret_position = get_caret_position;
  iface->get_selection = get_selection;
  iface->get_attributes = get_attributes;
  iface->get_extents = get_extents;
  iface->get_offset = get_offset;
}
