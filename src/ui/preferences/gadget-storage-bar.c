/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parts differ in lightness and pattern, so they can be told apart without colors: deep, solid,
 * hatched and hollow. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-storage-bar.h"

#define BAR_HEIGHT 18
#define BAR_RADIUS 6
#define SAMPLE_SIZE 12
#define SAMPLE_RADIUS 3
#define GAP 2
/* The least width of a part that is not empty. */
#define MIN_WIDTH 6
#define HATCH_DISTANCE 4
#define HATCH_WIDTH 1.2f
#define EDGE 1.5f

struct _GadgetStorageBar
{
  GtkWidget parent_instance;

  int part;
  gint64 sizes[GADGET_STORAGE_BAR_PARTS];
};

enum
{
  PROP_PART = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetStorageBar, gadget_storage_bar, GTK_TYPE_WIDGET)

/* --- Drawing ---------------------------------------------------------------------------------- */

static GdkRGBA
mix (const GdkRGBA *a, const GdkRGBA *b, float share_of_b)
{
  return (GdkRGBA) {
    .red = a->red * (1 - share_of_b) + b->red * share_of_b,
    .green = a->green * (1 - share_of_b) + b->green * share_of_b,
    .blue = a->blue * (1 - share_of_b) + b->blue * share_of_b,
    .alpha = 1,
  };
}

static void
fill (GtkSnapshot *snapshot, const GdkRGBA *color, float alpha, const graphene_rect_t *area)
{
  const GdkRGBA filling = { color->red, color->green, color->blue, alpha };

  gtk_snapshot_append_color (snapshot, &filling, area);
}

static void
hatch (GtkSnapshot *snapshot, const GdkRGBA *color, const graphene_rect_t *area)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskStroke) stroke = gsk_stroke_new (HATCH_WIDTH);
  g_autoptr (GskPath) path = NULL;
  const float bottom = area->origin.y + area->size.height;
  const int n_lines = (int) ((area->size.width + area->size.height) / HATCH_DISTANCE) + 1;

  for (int i = 0; i < n_lines; i++)
    {
      const float x = (float) i * HATCH_DISTANCE - area->size.height;

      gsk_path_builder_move_to (builder, area->origin.x + x, bottom);
      gsk_path_builder_line_to (builder, area->origin.x + x + area->size.height, area->origin.y);
    }
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  gtk_snapshot_push_clip (snapshot, area);
  gtk_snapshot_append_stroke (snapshot, path, stroke, color);
  gtk_snapshot_pop (snapshot);
}

static void
draw_edge (GtkSnapshot *snapshot, const GdkRGBA *color, float width, const GskRoundedRect *outline)
{
  const float widths[] = { width, width, width, width };
  const GdkRGBA colors[] = { *color, *color, *color, *color };

  gtk_snapshot_append_border (snapshot, outline, widths, colors);
}

/* Draws a part; @outline has the rounded corners. */
static void
draw_part (GadgetStorageBar *self, GtkSnapshot *snapshot, int part, const GskRoundedRect *outline)
{
  AdwStyleManager *style =
      adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));
  g_autoptr (GdkRGBA) accent = adw_style_manager_get_accent_color_rgba (style);
  const graphene_rect_t *area = &outline->bounds;
  GdkRGBA text;
  GdkRGBA deep;

  gtk_widget_get_color (GTK_WIDGET (self), &text);
  deep = mix (accent, &text, 0.62f);
  gtk_snapshot_push_rounded_clip (snapshot, outline);
  if (part == 0)
    fill (snapshot, &deep, 1, area);
  else if (part == 1)
    fill (snapshot, accent, 1, area);
  else
    fill (snapshot, accent, part == 2 ? 0.22f : 0.1f, area);
  if (part == 2)
    hatch (snapshot, accent, area);
  gtk_snapshot_pop (snapshot);
  if (adw_style_manager_get_high_contrast (style))
    draw_edge (snapshot, &text, 1, outline);
  else if (part == 3)
    draw_edge (snapshot, accent, EDGE, outline);
}

/* Sets @widths to the widths of the parts, which fill @width with their gaps. */
static void
share_width (const gint64 *sizes, float width, float *widths)
{
  double sum = 0;
  float left = width + GAP;
  float extra = 0;

  for (guint i = 0; i < GADGET_STORAGE_BAR_PARTS; i++)
    {
      sum += (double) sizes[i];
      left -= sizes[i] > 0 ? MIN_WIDTH + GAP : 0;
    }
  extra = MAX (left, 0);
  for (guint i = 0; i < GADGET_STORAGE_BAR_PARTS; i++)
    widths[i] = sizes[i] > 0 ? MIN_WIDTH + extra * (float) ((double) sizes[i] / sum) : 0;
}

static void
draw_bar (GadgetStorageBar *self, GtkSnapshot *snapshot, float width, float height)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  float widths[GADGET_STORAGE_BAR_PARTS];
  float x = 0;
  GskRoundedRect whole;

  share_width (self->sizes, width, widths);
  gsk_rounded_rect_init_from_rect (&whole, &GRAPHENE_RECT_INIT (0, 0, width, height), BAR_RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &whole);
  for (int i = 0; i < GADGET_STORAGE_BAR_PARTS; i++)
    {
      const float left = rtl ? width - x - widths[i] : x;
      const gboolean first = x <= 0;
      const gboolean last = x + widths[i] >= width - 0.5f;
      const graphene_size_t outer = GRAPHENE_SIZE_INIT (BAR_RADIUS, BAR_RADIUS);
      const graphene_size_t none = GRAPHENE_SIZE_INIT (0, 0);
      const graphene_size_t *start = (rtl ? last : first) ? &outer : &none;
      const graphene_size_t *end = (rtl ? first : last) ? &outer : &none;
      GskRoundedRect outline;

      if (widths[i] <= 0)
        continue;
      gsk_rounded_rect_init (&outline, &GRAPHENE_RECT_INIT (left, 0, widths[i], height), start, end,
                             end, start);
      draw_part (self, snapshot, i, &outline);
      x += widths[i] + GAP;
    }
  gtk_snapshot_pop (snapshot);
}

static void
gadget_storage_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetStorageBar *self = GADGET_STORAGE_BAR (widget);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);
  GskRoundedRect outline;

  if (self->part < 0)
    {
      draw_bar (self, snapshot, width, height);
      return;
    }
  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, width, height),
                                   SAMPLE_RADIUS);
  draw_part (self, snapshot, self->part, &outline);
}

static void
gadget_storage_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  if (GADGET_STORAGE_BAR (widget)->part >= 0)
    *minimum = *natural = SAMPLE_SIZE;
  else if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = BAR_HEIGHT;
  else
    *minimum = *natural = GADGET_STORAGE_BAR_PARTS * (MIN_WIDTH + GAP);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_storage_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, GADGET_STORAGE_BAR (object)->part);
}

static void
gadget_storage_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GADGET_STORAGE_BAR (object)->part = g_value_get_int (value);
}

static void
gadget_storage_bar_class_init (GadgetStorageBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = gadget_storage_bar_get_property;
  object_class->set_property = gadget_storage_bar_set_property;
  widget_class->measure = gadget_storage_bar_measure;
  widget_class->snapshot = gadget_storage_bar_snapshot;

  /**
   * GadgetStorageBar:part:
   *
   * The part of which this is a sample; -1 for a bar of all parts.
   */
  props[PROP_PART] =
      g_param_spec_int ("part", NULL, NULL, -1, GADGET_STORAGE_BAR_PARTS - 1, -1,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
gadget_storage_bar_init (GadgetStorageBar *self)
{
}

void
gadget_storage_bar_set_sizes (GadgetStorageBar *self, const gint64 sizes[GADGET_STORAGE_BAR_PARTS])
{
  g_return_if_fail (GADGET_IS_STORAGE_BAR (self));

  for (guint i = 0; i < GADGET_STORAGE_BAR_PARTS; i++)
    self->sizes[i] = sizes[i];
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
