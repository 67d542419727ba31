/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pango attributes of a range of bytes, in the colors of the style sheet. Pango takes a color and
 * not a style class, so the color comes from a widget with that class, which need not be drawn. */

#define G_LOG_DOMAIN "gadget-text-attributes"

#include "config.h"

#include "gadget-text-attributes.h"

/* Converts a color component; colors of the style sheet may lie outside of Pango's range. */
static guint16
to_pango (float part)
{
  return (guint16) (CLAMP (part, 0, 1) * G_MAXUINT16);
}

static void
insert (PangoAttrList *attributes, PangoAttribute *attribute, gsize start, gsize end)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) end;
  pango_attr_list_insert (attributes, attribute);
}

/**
 * gadget_text_attributes_color:
 * @color_widget: the widget whose color the text gets
 * @start: the first byte of the range
 * @end: the byte after the range; when it is not after @start, nothing is added
 */
void
gadget_text_attributes_color (PangoAttrList *attributes, GtkWidget *color_widget, gsize start,
                              gsize end)
{
  GdkRGBA rgba;

  g_return_if_fail (attributes != NULL && GTK_IS_WIDGET (color_widget));

  if (start >= end)
    return;
  gtk_widget_get_color (color_widget, &rgba);
  insert (
      attributes,
      pango_attr_foreground_new (to_pango (rgba.red), to_pango (rgba.green), to_pango (rgba.blue)),
      start, end);
  insert (attributes, pango_attr_foreground_alpha_new (MAX (to_pango (rgba.alpha), 1)), start, end);
}

void
gadget_text_attributes_embolden (PangoAttrList *attributes, gsize start, gsize end)
{
  g_return_if_fail (attributes != NULL);
  insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD), start, end);
}
