/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ranges of a text that a search has found. Their colors and the underline are attributes that
 * have no influence on where a letter is. */

#define G_LOG_DOMAIN "gadget-selectable-text"

#include "config.h"

#include "gadget-selectable-text-private.h"

static guint16
to_pango (float part)
{
  return (guint16) (CLAMP (part, 0, 1) * G_MAXUINT16);
}

/* Replaces what the range has of the kind. */
static void
change (PangoAttrList *attributes, PangoAttribute *attribute, const GadgetTextFound *found)
{
  attribute->start_index = found->start;
  attribute->end_index = found->end;
  pango_attr_list_change (attributes, attribute);
}

static void
change_background (PangoAttrList *attributes, const GdkRGBA *color, const GadgetTextFound *found)
{
  change (attributes,
          pango_attr_background_new (to_pango (color->red), to_pango (color->green),
                                     to_pango (color->blue)),
          found);
  change (attributes, pango_attr_background_alpha_new (MAX (to_pango (color->alpha), 1)), found);
}

/* Without an alpha of its own, Pango would give the text that of the other text. */
static void
change_text (PangoAttrList *attributes, const GdkRGBA *color, const GadgetTextFound *found)
{
  change (attributes,
          pango_attr_foreground_new (to_pango (color->red), to_pango (color->green),
                                     to_pango (color->blue)),
          found);
  change (attributes, pango_attr_foreground_alpha_new (G_MAXUINT16), found);
}

void
_gadget_text_found_apply (PangoAttrList *attributes, GArray *found, const GadgetFoundColors *colors,
                          const GdkRGBA *text)
{
  for (guint i = 0; i < found->len; i++)
    {
      const GadgetTextFound *one = &g_array_index (found, GadgetTextFound, i);

      change_background (attributes, one->current ? &colors->current_background : &colors->tint,
                         one);
      change_text (attributes, one->current ? &colors->current_text : text, one);
      change (
          attributes,
          pango_attr_underline_new (one->current ? PANGO_UNDERLINE_NONE : PANGO_UNDERLINE_SINGLE),
          one);
    }
}
