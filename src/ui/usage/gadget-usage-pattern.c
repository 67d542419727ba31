/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-pattern.h"

#include <adwaita.h>

/* How much of the text's color is in the deep pattern. */
#define DEEP_SHARE 0.62f
/* How much of the accent color is behind the lines of the hatched pattern, and in the hollow one.
 */
#define HATCHED_ALPHA 0.22f
#define HOLLOW_ALPHA 0.1f
/* The lines of the hatched pattern, and the edge of the hollow one, in pixels. The distance is
 * horizontal: 4 pixels across lines of 45 degrees. */
#define LINE_WIDTH 1.2
#define LINE_DISTANCE 5.66
#define EDGE_WIDTH 1.5
#define SAMPLE_SIZE 12

/* @text: of a text whose alpha shows @view through it */
static float
mix (float accent, float text, float alpha, float view)
{
  return accent * (1 - DEEP_SHARE) + (text * alpha + view * (1 - alpha)) * DEEP_SHARE;
}

static void
draw_edge (cairo_t *cr, const cairo_rectangle_int_t *bounds, double width, const GdkRGBA *color)
{
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, bounds->x + width / 2, bounds->y + width / 2, bounds->width - width,
                   bounds->height - width);
  cairo_stroke (cr);
}

void
_gadget_usage_pattern_draw (GadgetUsagePattern pattern, cairo_t *cr,
                            const cairo_rectangle_int_t *bounds, const GdkRGBA *text)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_autoptr (GdkRGBA) accent = adw_style_manager_get_accent_color_rgba (style);
  const float view = adw_style_manager_get_dark (style) ? 0 : 1;
  const GdkRGBA fills[GADGET_USAGE_N_PATTERNS] = {
    *accent,
    { mix (accent->red, text->red, text->alpha, view),
      mix (accent->green, text->green, text->alpha, view),
      mix (accent->blue, text->blue, text->alpha, view), 1 },
    { accent->red, accent->green, accent->blue, HATCHED_ALPHA },
    { accent->red, accent->green, accent->blue, HOLLOW_ALPHA },
  };
  const int reach = pattern == GADGET_USAGE_PATTERN_HATCHED ? bounds->width + bounds->height : 0;

  cairo_save (cr);
  gdk_cairo_rectangle (cr, bounds);
  cairo_clip (cr);
  gdk_cairo_set_source_rgba (cr, &fills[pattern]);
  cairo_paint (cr);
  gdk_cairo_set_source_rgba (cr, accent);
  cairo_set_line_width (cr, LINE_WIDTH);
  for (double x = LINE_DISTANCE / 2; x < reach; x += LINE_DISTANCE)
    {
      cairo_move_to (cr, bounds->x + x, bounds->y);
      cairo_rel_line_to (cr, -bounds->height, bounds->height);
    }
  cairo_stroke (cr);
  if (adw_style_manager_get_high_contrast (style))
    draw_edge (cr, bounds, 1, text);
  else if (pattern == GADGET_USAGE_PATTERN_HOLLOW)
    draw_edge (cr, bounds, EDGE_WIDTH, accent);
  cairo_restore (cr);
}

static void
draw_sample_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer pattern)
{
  const cairo_rectangle_int_t bounds = { 0, 0, width, height };
  GdkRGBA text;

  gtk_widget_get_color (GTK_WIDGET (area), &text);
  _gadget_usage_pattern_draw (GPOINTER_TO_UINT (pattern), cr, &bounds, &text);
}

GtkWidget *
_gadget_usage_sample_new (GadgetUsagePattern pattern)
{
  GtkWidget *area =
      g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                    "content-width", SAMPLE_SIZE, "content-height", SAMPLE_SIZE, "valign",
                    GTK_ALIGN_CENTER, "overflow", GTK_OVERFLOW_HIDDEN, NULL);

  gtk_widget_add_css_class (area, "usage-sample");
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_sample_cb,
                                  GUINT_TO_POINTER (pattern), NULL);
  return area;
}
