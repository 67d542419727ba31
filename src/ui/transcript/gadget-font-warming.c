/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pango and cairo keep what is warmed here: the file of a font, its face, and the shapes of its
 * letters in one size. So the sizes are those of the style sheet. A size that is missing in the
 * table, or another text scaling factor, only costs some milliseconds later. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-font-warming.h"

#include <adwaita.h>

/* The surface is large enough for the letters of the largest font; clipped letters are not
 * drawn. */
#define WIDTH 1600
#define HEIGHT 48

/* The characters of most code and Latin text. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ "
                              "0123456789 .,:;!?'\"()[]{}<>/*-+=_#&|%";

typedef struct
{
  gboolean monospace;
  PangoWeight weight;
  PangoStyle style;
  double scale;
} Font;

/* The likeliest fonts come first. */
static const Font fonts[] = {
  { FALSE, PANGO_WEIGHT_NORMAL, PANGO_STYLE_NORMAL, 1 },
  { FALSE, PANGO_WEIGHT_BOLD, PANGO_STYLE_NORMAL, 1 },
  { TRUE, PANGO_WEIGHT_NORMAL, PANGO_STYLE_NORMAL, 0.88 },
  { TRUE, PANGO_WEIGHT_NORMAL, PANGO_STYLE_NORMAL, 0.91 },
  { FALSE, PANGO_WEIGHT_BOLD, PANGO_STYLE_NORMAL, 1.18 },
  { FALSE, PANGO_WEIGHT_BOLD, PANGO_STYLE_NORMAL, 1.08 },
  { FALSE, PANGO_WEIGHT_NORMAL, PANGO_STYLE_ITALIC, 1 },
  { FALSE, PANGO_WEIGHT_NORMAL, PANGO_STYLE_NORMAL, 0.9 },
  { FALSE, PANGO_WEIGHT_BOLD, PANGO_STYLE_NORMAL, 1.32 },
};

typedef struct
{
  GtkWidget *widget;
  cairo_surface_t *surface;
  guint next;
  guint source;
} Warming;

static void
end (Warming *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  cairo_surface_destroy (self->surface);
  g_free (self);
}

static void
gone_cb (gpointer data, GObject *widget)
{
  end (data);
}

static void
draw (Warming *self, const Font *font)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->widget, letters);
  PangoContext *context = pango_layout_get_context (layout);
  PangoFontDescription *description =
      pango_font_description_copy (pango_context_get_font_description (context));
  const double size = pango_font_description_get_size (description) * font->scale;
  cairo_t *cr = cairo_create (self->surface);

  if (font->monospace)
    {
      PangoFontDescription *monospace = pango_font_description_from_string (
          adw_style_manager_get_monospace_font_name (adw_style_manager_get_default ()));

      pango_font_description_set_family (description,
                                         pango_font_description_get_family (monospace));
      pango_font_description_free (monospace);
    }
  pango_font_description_set_weight (description, font->weight);
  pango_font_description_set_style (description, font->style);
  if (pango_font_description_get_size_is_absolute (description))
    pango_font_description_set_absolute_size (description, size);
  else
    pango_font_description_set_size (description, (int) size);
  pango_layout_set_font_description (layout, description);
  pango_cairo_show_layout (cr, layout);

  cairo_destroy (cr);
  pango_font_description_free (description);
}

static gboolean
next_cb (gpointer data)
{
  Warming *self = data;

  draw (self, &fonts[self->next++]);
  if (self->next < G_N_ELEMENTS (fonts))
    return G_SOURCE_CONTINUE;
  self->source = 0;
  g_object_weak_unref (G_OBJECT (self->widget), gone_cb, self);
  end (self);
  return G_SOURCE_REMOVE;
}

void
gadget_font_warming_start (GtkWidget *widget)
{
  static gboolean started;
  Warming *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (started)
    return;
  started = TRUE;
  self = g_new0 (Warming, 1);
  self->widget = widget;
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  self->source = g_idle_add_full (G_PRIORITY_LOW, next_cb, self, NULL);
  g_object_weak_ref (G_OBJECT (widget), gone_cb, self);
}
