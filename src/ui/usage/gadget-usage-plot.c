/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A plot of bars over time, each made of parts. It takes the focus as one widget: keys and the
 * pointer choose a bar, whose values are written above the bars and told to screen readers. Time
 * runs in the direction of the text. Nothing moves. */

#define G_LOG_DOMAIN "gadget-usage"

#include "config.h"

#include "gadget-usage-plot.h"

#include "ui/common/gadget-announcer.h"

#include <adwaita.h>
#include <math.h>

#define HEIGHT 188
/* From the top to the highest line of the scale; the chosen bar's values are above it. */
#define TOP 34
/* From the base line to the bottom; marks are there. */
#define BASE 30
/* How much of its pitch a bar takes. */
#define BAR_SHARE 0.62
#define BAR_RADIUS 3
#define N_LINES 3
#define LINE_ALPHA 0.12f
#define LINE_ALPHA_CONTRAST 0.5f
#define CHOSEN_ALPHA 0.08f
#define VALUES_ALPHA 0.1f
/* How far the chosen bar's background is above the highest line. */
#define CHOSEN_RISE 4
#define VALUES_HEIGHT 23
#define VALUES_PADDING 10
/* The least distance between marks, and the distance of the scale to the bars. */
#define GAP 10
#define NONE G_MAXUINT

struct _GadgetUsagePlot
{
  GtkWidget parent_instance;

  GPtrArray *bars; /* of GadgetUsageBar, owned */
  GadgetUsageScaleFunc dup_scale;
  char *description;
  double step;  /* between two lines of the scale */
  guint chosen; /* index of a bar, or NONE */
};

G_DEFINE_FINAL_TYPE (GadgetUsagePlot, gadget_usage_plot, GTK_TYPE_WIDGET)

void
_gadget_usage_bar_free (GadgetUsageBar *bar)
{
  g_free (bar->mark);
  g_free (bar->values);
  g_free (bar->text);
  g_free (bar);
}

static const GadgetUsageBar *
get_bar (GadgetUsagePlot *self, guint index)
{
  return g_ptr_array_index (self->bars, index);
}

static double
get_sum (const GadgetUsageBar *bar)
{
  double sum = 0;

  for (guint i = 0; i < GADGET_USAGE_N_PATTERNS; i++)
    sum += bar->parts[i];
  return sum;
}

/* Returns a round number of which N_LINES are at least @max. */
static double
find_step (double max)
{
  static const double steps[] = { 1, 2, 2.5, 5 };
  const double least = max / N_LINES;
  const double power = pow (10, floor (log10 (least)));

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] * power >= least)
      return steps[i] * power;
  return 10 * power;
}

/* --- Places ----------------------------------------------------------------------------------- */

static PangoLayout *
make_scale_layout (GadgetUsagePlot *self, guint line)
{
  g_autofree char *text = self->dup_scale (self->step * line);

  return gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
}

/* Returns the width that is left for the bars beside the scale. */
static double
get_bars_width (GadgetUsagePlot *self)
{
  int widest = 0;

  for (guint i = 0; i <= N_LINES; i++)
    {
      g_autoptr (PangoLayout) layout = make_scale_layout (self, i);
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      widest = MAX (widest, width);
    }
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - widest - GAP, 1);
}

/* Returns where something of @width pixels begins that is @from_start away from the start. */
static double
mirror (GadgetUsagePlot *self, double from_start, double width)
{
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    return gtk_widget_get_width (GTK_WIDGET (self)) - from_start - width;
  return from_start;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void
snapshot_layout (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y,
                 const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (roundf ((float) x), roundf ((float) y)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
snapshot_scale (GadgetUsagePlot *self, GtkSnapshot *snapshot, double bars_width,
                const GdkRGBA *text)
{
  const gboolean contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
  const int end = gtk_widget_get_width (GTK_WIDGET (self));
  const double x = mirror (self, 0, bars_width);
  GdkRGBA line = *text;

  line.alpha *= contrast ? LINE_ALPHA_CONTRAST : LINE_ALPHA;
  for (guint i = 0; i <= N_LINES; i++)
    {
      const double y = HEIGHT - BASE - round ((HEIGHT - BASE - TOP) * i / (double) N_LINES);
      g_autoptr (PangoLayout) layout = make_scale_layout (self, i);
      int width, height;

      pango_layout_get_pixel_size (layout, &width, &height);
      gtk_snapshot_append_color (snapshot, &line,
                                 &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) bars_width, 1));
      snapshot_layout (snapshot, layout, mirror (self, end - width, width), y - height / 2.0, text);
    }
}

/* Makes a path of a rectangle with two rounded corners at the top. */
static void
add_shape (cairo_t *cr, const cairo_rectangle_int_t *bounds)
{
  const double radius = MIN (BAR_RADIUS, bounds->height);
  const double y = bounds->y + radius;

  cairo_new_path (cr);
  cairo_arc (cr, bounds->x + radius, y, radius, G_PI, 1.5 * G_PI);
  cairo_arc (cr, bounds->x + bounds->width - radius, y, radius, 1.5 * G_PI, 2 * G_PI);
  cairo_line_to (cr, bounds->x + bounds->width, bounds->y + bounds->height);
  cairo_line_to (cr, bounds->x, bounds->y + bounds->height);
  cairo_close_path (cr);
}

/* Draws the parts above each other. Something very small still has a line. */
static void
draw_bar (GadgetUsagePlot *self, cairo_t *cr, guint index, double pitch, const GdkRGBA *text)
{
  const GadgetUsageBar *bar = get_bar (self, index);
  const double scale = (HEIGHT - BASE - TOP) / (self->step * N_LINES);
  const double width = MAX (round (pitch * BAR_SHARE), 2);
  const int x = (int) round (mirror (self, pitch * index + (pitch - width) / 2, width));
  const int height = MAX ((int) round (get_sum (bar) * scale), 1);
  int bottom = HEIGHT - BASE;
  double sum = 0;

  if (get_sum (bar) <= 0)
    return;
  cairo_save (cr);
  add_shape (cr, &(cairo_rectangle_int_t) { x, bottom - height, (int) width, height });
  cairo_clip (cr);
  for (guint i = 0; i < GADGET_USAGE_N_PATTERNS; i++)
    {
      int top;

      if (bar->parts[i] <= 0)
        continue;
      sum += bar->parts[i];
      top = HEIGHT - BASE - MAX ((int) round (sum * scale), 1);
      _gadget_usage_pattern_draw (
          i, cr, &(cairo_rectangle_int_t) { x, top, (int) width, bottom - top }, text);
      bottom = top;
    }
  cairo_restore (cr);
}

static void
draw_chosen (GadgetUsagePlot *self, cairo_t *cr, double pitch, const GdkRGBA *text)
{
  const int x = (int) round (mirror (self, pitch * self->chosen, pitch));
  const int top = TOP - CHOSEN_RISE;
  GdkRGBA color = *text;

  color.alpha *= CHOSEN_ALPHA;
  gdk_cairo_set_source_rgba (cr, &color);
  add_shape (cr, &(cairo_rectangle_int_t) { x, top, (int) round (pitch), HEIGHT - BASE - top });
  cairo_fill (cr);
}

/* Draws what the chosen bar is, at the end of the space above the bars. */
static void
snapshot_values (GadgetUsagePlot *self, GtkSnapshot *snapshot, double bars_width,
                 const GdkRGBA *text)
{
  const GadgetUsageBar *bar = get_bar (self, self->chosen);
  const int room = (int) bars_width - 2 * VALUES_PADDING;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  GskRoundedRect shape;
  GdkRGBA color = *text;
  int width, height;

  pango_layout_set_markup (layout, bar->values, -1);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (width > room)
    pango_layout_set_width (layout, room * PANGO_SCALE);
  width = MIN (width, room);
  color.alpha *= VALUES_ALPHA;
  gsk_rounded_rect_init_from_rect (
      &shape,
      &GRAPHENE_RECT_INIT ((float) mirror (self, bars_width - width - 2 * VALUES_PADDING,
                                           width + 2 * VALUES_PADDING),
                           0, (float) (width + 2 * VALUES_PADDING), VALUES_HEIGHT),
      VALUES_HEIGHT / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &color, &shape.bounds);
  gtk_snapshot_pop (snapshot);
  snapshot_layout (snapshot, layout, shape.bounds.origin.x + VALUES_PADDING,
                   (VALUES_HEIGHT - height) / 2.0, text);
}

/* Draws the marks that have room, from the latest to the earliest. */
static void
snapshot_marks (GadgetUsagePlot *self, GtkSnapshot *snapshot, double bars_width, double pitch,
                const GdkRGBA *text)
{
  double limit = bars_width;

  for (guint i = self->bars->len; i-- > 0;)
    {
      g_autoptr (PangoLayout) layout = NULL;
      double start;
      int width, height;

      if (get_bar (self, i)->mark == NULL)
        continue;
      layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), get_bar (self, i)->mark);
      pango_layout_get_pixel_size (layout, &width, &height);
      start = MAX (pitch * (i + 0.5) - width / 2.0, 0);
      if (start + width > limit)
        start = limit == bars_width ? limit - width : -1;
      if (start < 0)
        continue;
      snapshot_layout (snapshot, layout, mirror (self, start, width), HEIGHT - BASE + 6, text);
      limit = start - GAP;
    }
}

static void
gadget_usage_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetUsagePlot *self = GADGET_USAGE_PLOT (widget);
  double bars_width, pitch;
  cairo_t *cr;
  GdkRGBA text;

  if (self->bars->len == 0)
    return;
  gtk_widget_get_color (widget, &text);
  bars_width = get_bars_width (self);
  pitch = bars_width / self->bars->len;
  snapshot_scale (self, snapshot, bars_width, &text);
  snapshot_marks (self, snapshot, bars_width, pitch, &text);
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), HEIGHT));
  if (self->chosen != NONE)
    draw_chosen (self, cr, pitch, &text);
  for (guint i = 0; i < self->bars->len; i++)
    draw_bar (self, cr, i, pitch, &text);
  cairo_destroy (cr);
  if (self->chosen != NONE)
    snapshot_values (self, snapshot, bars_width, &text);
}

static void
gadget_usage_plot_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 0;
}

/* --- Choosing --------------------------------------------------------------------------------- */

static void
update_accessible (GadgetUsagePlot *self)
{
  const char *text = self->chosen != NONE ? get_bar (self, self->chosen)->text : self->description;

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->description, -1);
}

static void
choose (GadgetUsagePlot *self, guint index)
{
  if (index == self->chosen)
    return;
  self->chosen = index;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

typedef enum
{
  STEP_FIRST,
  STEP_LEFT,
  STEP_RIGHT,
  STEP_LAST,
} Step;

static guint
find_stepped (GadgetUsagePlot *self, Step step)
{
  const gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const guint last = self->bars->len - 1;

  if (step == STEP_FIRST)
    return 0;
  if (step == STEP_LAST || self->chosen == NONE)
    return last;
  if ((step == STEP_LEFT) != rtl)
    return self->chosen > 0 ? self->chosen - 1 : 0;
  return MIN (self->chosen + 1, last);
}

/* The keys never leave the plot, not even at its ends. */
static gboolean
step_cb (GtkWidget *widget, GVariant *step, gpointer user_data)
{
  GadgetUsagePlot *self = GADGET_USAGE_PLOT (widget);

  if (self->bars->len == 0)
    return GDK_EVENT_PROPAGATE;
  choose (self, find_stepped (self, (Step) g_variant_get_int32 (step)));
  gadget_announce (widget, get_bar (self, self->chosen)->text,
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  return GDK_EVENT_STOP;
}

static void
choose_at (GadgetUsagePlot *self, double x)
{
  const double bars_width = get_bars_width (self);
  const double from_start = mirror (self, x, 0);

  if (self->bars->len > 0 && from_start >= 0 && from_start < bars_width)
    choose (self, (guint) (from_start / bars_width * self->bars->len));
}

static void
motion_cb (GadgetUsagePlot *self, double x, double y)
{
  choose_at (self, x);
}

/* A finger has no motion. */
static void
pressed_cb (GadgetUsagePlot *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  choose_at (self, x);
}

static void
leave_cb (GadgetUsagePlot *self)
{
  if (!gtk_widget_has_focus (GTK_WIDGET (self)))
    choose (self, NONE);
}

static void
focus_changed_cb (GadgetUsagePlot *self)
{
  if (!gtk_widget_has_focus (GTK_WIDGET (self)))
    choose (self, NONE);
  else if (self->chosen == NONE && self->bars->len > 0)
    choose (self, self->bars->len - 1);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_usage_plot_finalize (GObject *object)
{
  GadgetUsagePlot *self = GADGET_USAGE_PLOT (object);

  g_ptr_array_unref (self->bars);
  g_free (self->description);

  G_OBJECT_CLASS (gadget_usage_plot_parent_class)->finalize (object);
}

static void
add_binding (GtkWidgetClass *widget_class, guint key, guint keypad_key, Step step)
{
  gtk_widget_class_add_binding (widget_class, key, 0, step_cb, "i", step);
  gtk_widget_class_add_binding (widget_class, keypad_key, 0, step_cb, "i", step);
}

static void
gadget_usage_plot_class_init (GadgetUsagePlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gadget_usage_plot_finalize;
  widget_class->snapshot = gadget_usage_plot_snapshot;
  widget_class->measure = gadget_usage_plot_measure;

  add_binding (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, STEP_LEFT);
  add_binding (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, STEP_RIGHT);
  add_binding (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, STEP_FIRST);
  add_binding (widget_class, GDK_KEY_End, GDK_KEY_KP_End, STEP_LAST);
  gtk_widget_class_set_css_name (widget_class, "usage-plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
gadget_usage_plot_init (GadgetUsagePlot *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->bars = g_ptr_array_new ();
  self->chosen = NONE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self), "numeric");
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_changed_cb), NULL);
}

void
_gadget_usage_plot_set_bars (GadgetUsagePlot *self, GPtrArray *bars, GadgetUsageScaleFunc dup_scale,
                             const char *description)
{
  double max = 0;

  if (bars->len != self->bars->len)
    self->chosen = NONE;
  g_ptr_array_unref (self->bars);
  self->bars = bars;
  self->dup_scale = dup_scale;
  g_set_str (&self->description, description);
  for (guint i = 0; i < bars->len; i++)
    max = MAX (max, get_sum (get_bar (self, i)));
  self->step = find_step (max > 0 ? max : 1);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
