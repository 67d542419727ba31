/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The numbers are read from the "@@" lines of the text, and drawn at the baselines of the piece's
 * layout. */

#define G_LOG_DOMAIN "gadget-diff-view"

#include "config.h"

#include "gadget-diff-gutter.h"

#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/model/gadget-diff.h"

#include <string.h>

/* Space at the edge, and between the columns, in pixels. */
#define EDGE 9
#define GAP 9
#define MIN_DIGITS 2

enum
{
  OLD,
  NEW,
  N_COLUMNS
};

typedef struct
{
  GadgetDiffLine kind;
  guint numbers[N_COLUMNS]; /* 0 when there is none */
} Line;

struct _GadgetDiffGutter
{
  GtkWidget parent_instance;

  GadgetSelectableText *piece; /* not owned: a sibling widget */
  GArray *lines;               /* of Line */
  guint n_digits;
  guint n_columns; /* at the natural width; 0 when there are no numbers */
};

G_DEFINE_FINAL_TYPE (GadgetDiffGutter, gadget_diff_gutter, GTK_TYPE_WIDGET)

/* --- Lines -------------------------------------------------------------------------------------
 */

static void
add_line (GadgetDiffGutter *self, const char *text, guint next[N_COLUMNS])
{
  Line line = { .kind = gadget_diff_get_line (text) };

  if (line.kind == GADGET_DIFF_RANGE)
    gadget_diff_parse_range (text, &next[OLD], &next[NEW]);
  if ((line.kind == GADGET_DIFF_SAME || line.kind == GADGET_DIFF_REMOVED) && next[OLD] > 0)
    line.numbers[OLD] = next[OLD]++;
  if ((line.kind == GADGET_DIFF_SAME || line.kind == GADGET_DIFF_ADDED) && next[NEW] > 0)
    line.numbers[NEW] = next[NEW]++;
  g_array_append_val (self->lines, line);
}

static void
measure_lines (GadgetDiffGutter *self)
{
  guint highest[N_COLUMNS] = { 0 };

  for (guint i = 0; i < self->lines->len; i++)
    for (guint k = 0; k < N_COLUMNS; k++)
      highest[k] = MAX (highest[k], g_array_index (self->lines, Line, i).numbers[k]);
  /* A new file has no old numbers. */
  self->n_columns = (highest[OLD] > 0) + (highest[NEW] > 0);
  self->n_digits = MIN_DIGITS;
  for (guint limit = 100; MAX (highest[OLD], highest[NEW]) >= limit; limit *= 10)
    self->n_digits++;
}

void
gadget_diff_gutter_update (GadgetDiffGutter *self)
{
  const char *text;
  gsize length;
  /* A new file is shown without its "@@" line, so its numbers begin with 1. */
  guint next[N_COLUMNS] = { [NEW] = 1 };

  g_return_if_fail (GADGET_IS_DIFF_GUTTER (self));

  text = gadget_selectable_text_get_text (self->piece);
  length = gadget_selectable_text_get_length (self->piece);
  g_array_set_size (self->lines, 0);
  for (gsize at = 0; at < length;)
    {
      const char *newline = memchr (text + at, '\n', length - at);

      add_line (self, text + at, next);
      at = newline != NULL ? (gsize) (newline - text) + 1 : length;
    }
  measure_lines (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* --- Drawing -----------------------------------------------------------------------------------
 */

static int
get_column_width (GadgetDiffGutter *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  const int digit = pango_font_metrics_get_approximate_digit_width (metrics);

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (digit * (int) self->n_digits);
}

static int
get_width (GadgetDiffGutter *self, guint n_columns)
{
  return n_columns == 0
             ? 0
             : EDGE + (int) n_columns * get_column_width (self) + (int) (n_columns - 1) * GAP;
}

static void
gadget_diff_gutter_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  GadgetDiffGutter *self = GADGET_DIFF_GUTTER (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL)
    return;
  *minimum = get_width (self, MIN (self->n_columns, 1));
  *natural = get_width (self, self->n_columns);
}

static guint
get_number (const Line *line, guint column, guint n_columns)
{
  if (n_columns == N_COLUMNS)
    return line->numbers[column];
  return line->kind == GADGET_DIFF_REMOVED || line->numbers[NEW] == 0 ? line->numbers[OLD]
                                                                      : line->numbers[NEW];
}

/* @baseline: the baseline of the line, in Pango units; @right: where the number ends, in pixels */
static void
snapshot_number (GtkSnapshot *snapshot, PangoLayout *layout, const GdkRGBA *color, guint number,
                 int right, int baseline)
{
  char text[16];
  int width;

  g_snprintf (text, sizeof text, "%u", number);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot,
      &GRAPHENE_POINT_INIT ((float) (right - width),
                            (float) PANGO_PIXELS (baseline - pango_layout_get_baseline (layout))));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
gadget_diff_gutter_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetDiffGutter *self = GADGET_DIFF_GUTTER (widget);
  const guint n_columns =
      gtk_widget_get_width (widget) >= get_width (self, self->n_columns) ? self->n_columns : 1;
  const int width = get_column_width (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  PangoLayoutIter *iter = pango_layout_get_iter (gadget_selectable_text_get_layout (self->piece));
  GdkRGBA color;
  guint at = 0;

  gtk_widget_get_color (widget, &color);
  do
    {
      const Line *line = at < self->lines->len ? &g_array_index (self->lines, Line, at++) : NULL;

      for (guint i = 0; line != NULL && i < n_columns; i++)
        if (get_number (line, i, n_columns) > 0)
          snapshot_number (snapshot, layout, &color, get_number (line, i, n_columns),
                           EDGE + ((int) i + 1) * width + (int) i * GAP,
                           pango_layout_iter_get_baseline (iter));
    }
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
}

/* --- Object ------------------------------------------------------------------------------------
 */

static void
gadget_diff_gutter_finalize (GObject *object)
{
  g_array_unref (GADGET_DIFF_GUTTER (object)->lines);

  G_OBJECT_CLASS (gadget_diff_gutter_parent_class)->finalize (object);
}

static void
gadget_diff_gutter_class_init (GadgetDiffGutterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gadget_diff_gutter_finalize;
  widget_class->measure = gadget_diff_gutter_measure;
  widget_class->snapshot = gadget_diff_gutter_snapshot;

  gtk_widget_class_set_css_name (widget_class, "diffgutter");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_NONE);
}

static void
gadget_diff_gutter_init (GadgetDiffGutter *self)
{
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

/**
 * gadget_diff_gutter_new:
 * @piece: (transfer none): the text, which must not wrap and begins at the top of the gutter; it
 *   must live as long as the gutter
 */
GtkWidget *
gadget_diff_gutter_new (GadgetSelectableText *piece)
{
  GadgetDiffGutter *self;

  g_return_val_if_fail (GADGET_IS_SELECTABLE_TEXT (piece), NULL);

  self = g_object_new (GADGET_TYPE_DIFF_GUTTER, NULL);
  self->piece = piece;
  return GTK_WIDGET (self);
}

void
gadget_diff_gutter_get_numbers (GadgetDiffGutter *self, guint line, guint *old_number,
                                guint *new_number)
{
  const Line *found;

  g_return_if_fail (GADGET_IS_DIFF_GUTTER (self) && line < self->lines->len);

  found = &g_array_index (self->lines, Line, line);
  *old_number = found->numbers[OLD];
  *new_number = found->numbers[NEW];
}
