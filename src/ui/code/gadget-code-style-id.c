/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of styles, and the colors that are readable on each background. A style is added once
 * and never removed. Used on the main thread only. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-style-id.h"

#include <adwaita.h>
#include <math.h>

/* The backgrounds of code, as 0xRRGGBB, light and dark: libadwaita's view, and the tint on it that
 * is the hardest to read on, which is that of removed lines in the light scheme and of added lines
 * in the dark one. */
static const guint32 backgrounds[GADGET_CODE_N_GROUNDS][2] = {
  [GADGET_CODE_ON_VIEW] = { 0xffffff, 0x1d1d20 },
  [GADGET_CODE_ON_TINT] = { 0xf3dcde, 0x293b36 },
};

/* The contrast ratio that is required between text and background (WCAG 2.2, 1.4.3 and 1.4.6). */
#define CONTRAST 4.5
#define CONTRAST_HIGH 7.0
#define STEPS 20

/* A style, and its readable colors. */
typedef struct
{
  GadgetCodeStyle style;
  /* The readable color by ground, light or dark, and normal or high contrast; 0: not computed
   * yet. */
  guint32 readable[GADGET_CODE_N_GROUNDS][2][2];
} Entry;

static GArray *entries; /* of Entry; the id of a style is its index + 1 */

static gboolean
is_equal (const GadgetCodeStyle *a, const GadgetCodeStyle *b)
{
  return a->light == b->light && a->dark == b->dark && a->weight == b->weight
         && a->slant == b->slant && a->underlined == b->underlined && a->struck == b->struck;
}

static const GadgetCodeStyle *
get_style (GadgetCodeStyleId style_id)
{
  static const GadgetCodeStyle plain = { 0 };

  return style_id > 0 ? &g_array_index (entries, Entry, style_id - 1).style : &plain;
}

/**
 * gadget_code_style_id_intern:
 *
 * The table has as many entries as the schemes have styles, some dozens, so it is searched
 * linearly.
 *
 * Returns: the id of @style; 0 for plain text, and when the table is full
 */
GadgetCodeStyleId
gadget_code_style_id_intern (const GadgetCodeStyle *style)
{
  const GadgetCodeStyle plain = { 0 };
  const Entry entry = { .style = *style };

  if (is_equal (style, &plain))
    return 0;
  if (entries == NULL)
    entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < entries->len; i++)
    if (is_equal (&g_array_index (entries, Entry, i).style, style))
      return (GadgetCodeStyleId) (i + 1);
  if (entries->len == G_MAXUINT16)
    return 0;
  g_array_append_val (entries, entry);
  return (GadgetCodeStyleId) entries->len;
}

GadgetCodeStyleId
gadget_code_style_id_combine (GadgetCodeStyleId outer, GadgetCodeStyleId inner)
{
  GadgetCodeStyle style;
  const GadgetCodeStyle *upper;

  if (outer == 0 || inner == 0 || outer == inner)
    return inner != 0 ? inner : outer;
  style = *get_style (outer);
  upper = get_style (inner);
  if ((upper->light | upper->dark) != 0)
    {
      style.light = upper->light;
      style.dark = upper->dark;
    }
  style.weight = upper->weight != 0 ? upper->weight : style.weight;
  style.slant = upper->slant != 0 ? upper->slant : style.slant;
  style.underlined |= upper->underlined;
  style.struck |= upper->struck;
  return gadget_code_style_id_intern (&style);
}

/* --- Colors --- */

static double
get_channel (guint32 color, guint shift)
{
  return (double) ((color >> shift) & 0xff) / 255;
}

/* Returns the relative luminance as WCAG defines it. */
static double
get_luminance (guint32 color)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    {
      const double value = get_channel (color, i * 8);

      sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
    }
  return sum;
}

static double
get_contrast (guint32 a, guint32 b)
{
  const double first = get_luminance (a);
  const double second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

static guint32
mix (guint32 color, guint32 other, double share)
{
  guint32 mixed = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    mixed |=
        (guint32) floor (
            (get_channel (color, shift) * (1 - share) + get_channel (other, shift) * share) * 255
            + 0.5)
        << shift;
  return mixed;
}

static guint32
make_readable (guint32 color, GadgetCodeGround ground, gboolean dark, double contrast)
{
  const guint32 background = backgrounds[ground][dark];
  const guint32 text = dark ? 0xffffff : 0x000000;
  guint32 readable = color & 0xffffff;

  for (guint i = 1; i <= STEPS && get_contrast (readable, background) < contrast; i++)
    readable = mix (color & 0xffffff, text, (double) i / STEPS);
  return readable;
}

/* Returns the readable color in the current scheme; 0 for the color of the text. */
static guint32
get_color (GadgetCodeStyleId style_id, GadgetCodeGround ground)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  const gboolean dark = adw_style_manager_get_dark (manager);
  const gboolean high = adw_style_manager_get_high_contrast (manager);
  const guint32 color = dark ? get_style (style_id)->dark : get_style (style_id)->light;
  guint32 *readable;

  if (color == 0)
    return 0;
  readable = &g_array_index (entries, Entry, style_id - 1).readable[ground][dark][high];
  if (*readable == 0)
    *readable =
        GADGET_CODE_COLORED | make_readable (color, ground, dark, high ? CONTRAST_HIGH : CONTRAST);
  return *readable;
}

static void
add (PangoAttrList *attributes, PangoAttribute *attribute, guint start, guint end)
{
  attribute->start_index = start;
  attribute->end_index = end;
  pango_attr_list_insert (attributes, attribute);
}

static guint16
to_pango (guint32 color, guint shift)
{
  return (guint16) (((color >> shift) & 0xff) * 257);
}

void
gadget_code_style_id_add (GadgetCodeStyleId style_id, GadgetCodeGround ground,
                          PangoAttrList *attributes, guint start, guint end)
{
  const GadgetCodeStyle *style = get_style (style_id);
  const guint32 color = get_color (style_id, ground);

  if (color != 0)
    {
      add (attributes,
           pango_attr_foreground_new (to_pango (color, 16), to_pango (color, 8),
                                      to_pango (color, 0)),
           start, end);
      /* Otherwise the text keeps the alpha of its own color, which is not opaque. */
      add (attributes, pango_attr_foreground_alpha_new (G_MAXUINT16), start, end);
    }
  if (style->weight == 1)
    add (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD), start, end);
  if (style->slant == 1)
    add (attributes, pango_attr_style_new (PANGO_STYLE_ITALIC), start, end);
  if (style->underlined)
    add (attributes, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), start, end);
  if (style->struck)
    add (attributes, pango_attr_strikethrough_new (TRUE), start, end);
}
