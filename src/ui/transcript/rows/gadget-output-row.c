/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The output of a tool in its own colors. These were chosen for an unknown terminal, so here each
 * is mixed with the color of the text until it is readable on the background of the view. */

#define G_LOG_DOMAIN "gadget-output-row"

#include "config.h"

#include "gadget-output-row.h"

#include "ui/terminal/gadget-output-text.h"
#include "ui/terminal/gadget-sgr.h"

#include <glib/gi18n.h>
#include <math.h>

#define CONTRAST 4.5f
#define STEPS 10
#define DIM 0.35f

struct _GadgetOutputRow
{
  GadgetRow parent_instance;

  GtkWidget *card;
  GadgetSelectableText *piece;
  GtkWidget *color_probe; /* its color is the background of the view; made when first needed */
};

G_DEFINE_FINAL_TYPE (GadgetOutputRow, gadget_output_row, GADGET_TYPE_ROW)

/* --- Colors --- */

static float
get_luminance_part (float part)
{
  return part <= 0.04045f ? part / 12.92f : powf ((part + 0.055f) / 1.055f, 2.4f);
}

static float
get_luminance (const GdkRGBA *color)
{
  return 0.2126f * get_luminance_part (color->red) + 0.7152f * get_luminance_part (color->green)
         + 0.0722f * get_luminance_part (color->blue);
}

float
gadget_output_row_get_contrast (const GdkRGBA *a, const GdkRGBA *b)
{
  const float one = get_luminance (a);
  const float other = get_luminance (b);

  return (MAX (one, other) + 0.05f) / (MIN (one, other) + 0.05f);
}

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, float part)
{
  return (GdkRGBA) { a->red + (b->red - a->red) * part, a->green + (b->green - a->green) * part,
                     a->blue + (b->blue - a->blue) * part, 1 };
}

void
gadget_output_row_make_readable (GdkRGBA *color, const GdkRGBA *background, const GdkRGBA *towards)
{
  const GdkRGBA meant = *color;

  for (guint i = 1; i <= STEPS && gadget_output_row_get_contrast (color, background) < CONTRAST;
       i++)
    *color = mix (&meant, towards, (float) i / STEPS);
}

/* --- Attributes --- */

/* The state of making a Pango attribute list. */
typedef struct
{
  PangoAttrList *list;
  gsize begin; /* where the piece begins in the source */
  GdkRGBA text;
  GdkRGBA view;
} Painter;

static void
insert (Painter *painter, PangoAttribute *attribute, gsize start, gsize end)
{
  attribute->start_index = (guint) (start - painter->begin);
  attribute->end_index = (guint) (end - painter->begin);
  pango_attr_list_insert (painter->list, attribute);
}

static guint16
to_pango (float part)
{
  return (guint16) (CLAMP (part, 0, 1) * G_MAXUINT16);
}

static GdkRGBA
get_color (GadgetTerminalColor color, const GdkRGBA *none)
{
  GdkRGBA rgba = { 0, 0, 0, 1 };

  if (color == GADGET_TERMINAL_COLOR_NONE)
    return *none;
  gadget_sgr_get_color (color, &rgba.red, &rgba.green, &rgba.blue);
  return rgba;
}

static void
paint_colors (Painter *painter, gsize start, gsize end, const GadgetTerminalStyle *style)
{
  static const GdkRGBA black = { 0, 0, 0, 1 };
  static const GdkRGBA white = { 1, 1, 1, 1 };
  const gboolean inverse = (style->flags & GADGET_TERMINAL_INVERSE) != 0;
  const gboolean filled = inverse || style->background != GADGET_TERMINAL_COLOR_NONE;
  const gboolean dim = (style->flags & GADGET_TERMINAL_DIM) != 0;
  GdkRGBA front = get_color (style->foreground, &painter->text);
  GdkRGBA back = get_color (style->background, &painter->view);
  const GdkRGBA *towards = &painter->text;

  if (!filled && !dim && style->foreground == GADGET_TERMINAL_COLOR_NONE)
    return;
  if (inverse)
    {
      const GdkRGBA other = front;

      front = back;
      back = other;
    }
  if (dim)
    front = mix (&front, &back, DIM);
  if (filled)
    towards = gadget_output_row_get_contrast (&back, &black)
                      > gadget_output_row_get_contrast (&back, &white)
                  ? &black
                  : &white;
  gadget_output_row_make_readable (&front, &back, towards);
  insert (painter,
          pango_attr_foreground_new (to_pango (front.red), to_pango (front.green),
                                     to_pango (front.blue)),
          start, end);
  /* Without this, Pango would draw the colors with the opacity of the text color. */
  insert (painter, pango_attr_foreground_alpha_new (G_MAXUINT16), start, end);
  if (!filled)
    return;
  insert (
      painter,
      pango_attr_background_new (to_pango (back.red), to_pango (back.green), to_pango (back.blue)),
      start, end);
  insert (painter, pango_attr_background_alpha_new (G_MAXUINT16), start, end);
}

static void
paint_cb (gsize start, gsize end, const GadgetTerminalStyle *style, gpointer user_data)
{
  Painter *painter = user_data;

  paint_colors (painter, start, end, style);
  if ((style->flags & GADGET_TERMINAL_BOLD) != 0)
    insert (painter, pango_attr_weight_new (PANGO_WEIGHT_BOLD), start, end);
  if ((style->flags & GADGET_TERMINAL_ITALIC) != 0)
    insert (painter, pango_attr_style_new (PANGO_STYLE_ITALIC), start, end);
  if ((style->flags & GADGET_TERMINAL_UNDERLINE) != 0)
    insert (painter, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), start, end);
  if ((style->flags & GADGET_TERMINAL_STRIKE) != 0)
    insert (painter, pango_attr_strikethrough_new (TRUE), start, end);
}

static void
make_color_probe (GadgetOutputRow *self)
{
  self->color_probe = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->color_probe, "view-color-probe");
  gtk_box_append (GTK_BOX (self->card), self->color_probe);
}

static void
paint (GadgetOutputRow *self)
{
  GadgetRowData *data = gadget_row_get_data (GADGET_ROW (self));
  const gsize begin = gadget_row_data_get_start (data);
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  Painter painter = { .list = list, .begin = begin };

  if (!gadget_output_text_has_styles (gadget_row_data_get_item (data)))
    return;
  if (self->color_probe == NULL)
    make_color_probe (self);
  gtk_widget_get_color (GTK_WIDGET (self->piece), &painter.text);
  gtk_widget_get_color (self->color_probe, &painter.view);
  painter.text = mix (&painter.view, &painter.text, painter.text.alpha);
  gadget_output_text_foreach (gadget_row_data_get_item (data), begin,
                              begin + gadget_selectable_text_get_length (self->piece), paint_cb,
                              &painter);
  gadget_selectable_text_set_attributes (self->piece, list);
}

/* --- Row --- */

static void
gadget_output_row_update (GadgetRow *row)
{
  GadgetOutputRow *self = GADGET_OUTPUT_ROW (row);
  gsize length;
  const char *text = gadget_row_data_get_text (gadget_row_get_data (row), &length);

  gadget_selectable_text_set_text (self->piece, text, length);
  paint (self);
  gadget_row_join_card (row, self->card);
}

/* The colors depend on the light or dark style of the window. */
static void
gadget_output_row_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (gadget_output_row_parent_class)->css_changed (widget, change);
  if (gadget_row_get_data (GADGET_ROW (widget)) != NULL)
    paint (GADGET_OUTPUT_ROW (widget));
}

static void
gadget_output_row_class_init (GadgetOutputRowClass *klass)
{
  GADGET_ROW_CLASS (klass)->update = gadget_output_row_update;
  GTK_WIDGET_CLASS (klass)->css_changed = gadget_output_row_css_changed;
}

static void
gadget_output_row_init (GadgetOutputRow *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->card, "tool-output");
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_WRAP));
  gtk_box_append (GTK_BOX (self->card), GTK_WIDGET (self->piece));
  gadget_row_set_child (GADGET_ROW (self), self->card);
  gadget_row_set_piece (GADGET_ROW (self), self->piece);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tool output"), -1);
}
