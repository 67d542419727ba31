/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One text piece has all lines, and tints are drawn behind it across the whole width. The colors of
 * signs and tints come from the style sheet: each is the color of a child that is never drawn (a
 * color probe), because Pango attributes need colors and cannot use style classes. */

#define G_LOG_DOMAIN "gadget-diff-view"

#include "config.h"

#include "gadget-diff-view.h"

#include "gadget-diff-colors.h"
#include "gadget-diff-gutter.h"
#include "ui/common/gadget-text-attributes.h"
#include "ui/common/gadget-ui.h"
#include "ui/text/gadget-horizontal-scroller.h"
#include "ui/text/gadget-narrow-bin.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/model/gadget-diff.h"

#include <glib/gi18n.h>
#include <string.h>

enum
{
  COLOR_ADDED_TINT,
  COLOR_REMOVED_TINT,
  COLOR_ADDED,
  COLOR_REMOVED,
  COLOR_RANGE,
  N_COLORS
};

struct _GadgetDiffView
{
  GtkWidget parent_instance;

  GadgetSelectableText *piece;
  GtkWidget *scrolled;
  GtkWidget *gutter;
  GtkWidget *color_probes[N_COLORS];
  GadgetDiffColors *colors; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GadgetDiffView, gadget_diff_view, GTK_TYPE_WIDGET)

/* --- Colors of the text  -----------------------------------------------------------------------
 */

/* Returns the space between the sign of a line and its text, which follow each other directly in a
 * patch, in Pango units. Pango adds half of it before the sign. */
static int
get_gap (GadgetDiffView *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self->piece));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  const int width = pango_font_metrics_get_approximate_digit_width (metrics);

  pango_font_metrics_unref (metrics);
  return width * 3 / 2;
}

static void
add_gap (PangoAttrList *attributes, int width, gsize at)
{
  PangoAttribute *gap = pango_attr_letter_spacing_new (width);

  gap->start_index = (guint) at;
  gap->end_index = (guint) at + 1;
  pango_attr_list_insert (attributes, gap);
}

static void
apply_colors (GadgetDiffView *self)
{
  const char *text = gadget_selectable_text_get_text (self->piece);
  const gsize length = gadget_selectable_text_get_length (self->piece);
  const int gap = get_gap (self);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (gsize at = 0, number = 0; at < length; number++)
    {
      const char *newline = memchr (text + at, '\n', length - at);
      const gsize end = newline != NULL ? (gsize) (newline - text) : length;
      const GadgetDiffLine line = gadget_diff_get_line (text + at);

      if (line == GADGET_DIFF_ADDED || line == GADGET_DIFF_REMOVED || line == GADGET_DIFF_SAME)
        add_gap (attributes, gap, at);
      switch (line)
        {
        case GADGET_DIFF_ADDED:
          gadget_text_attributes_color (attributes, self->color_probes[COLOR_ADDED], at, at + 1);
          gadget_text_attributes_embolden (attributes, at, at + 1);
          break;
        case GADGET_DIFF_REMOVED:
          gadget_text_attributes_color (attributes, self->color_probes[COLOR_REMOVED], at, at + 1);
          gadget_text_attributes_embolden (attributes, at, at + 1);
          break;
        case GADGET_DIFF_RANGE:
        case GADGET_DIFF_NOTE:
          gadget_text_attributes_color (attributes, self->color_probes[COLOR_RANGE], at, end);
          break;
        case GADGET_DIFF_SAME:
        default:
          break;
        }
      if (self->colors != NULL)
        gadget_diff_colors_apply (self->colors, (guint) number, attributes, at + 1);
      at = end + 1;
    }
  gadget_selectable_text_set_attributes (self->piece, attributes);
}

/* --- Drawing -----------------------------------------------------------------------------------
 */

/* In a narrow view there is one number per line. */
static int
get_gutter_width (GadgetDiffView *self, int width)
{
  int minimum, natural;

  gtk_widget_measure (self->gutter, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return width >= GADGET_CARD_NARROW ? natural : minimum;
}

static void
gadget_diff_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetDiffView *self = GADGET_DIFF_VIEW (widget);

  gtk_widget_measure (self->scrolled, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    return;
  *minimum += get_gutter_width (self, 0);
  *natural += get_gutter_width (self, G_MAXINT);
}

static void
gadget_diff_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetDiffView *self = GADGET_DIFF_VIEW (widget);
  const int gutter = get_gutter_width (self, width);

  gtk_widget_allocate (self->gutter, gutter, height, -1, NULL);
  gtk_widget_allocate (self->scrolled, width - gutter, height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) gutter, 0)));
}

static void
snapshot_tints (GadgetDiffView *self, GtkSnapshot *snapshot)
{
  const char *text = gadget_selectable_text_get_text (self->piece);
  PangoLayoutIter *iter = pango_layout_get_iter (gadget_selectable_text_get_layout (self->piece));
  graphene_point_t origin;
  GdkRGBA tints[2];

  if (!gtk_widget_compute_point (GTK_WIDGET (self->piece), GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT (0, 0), &origin))
    graphene_point_init (&origin, 0, 0);
  gtk_widget_get_color (self->color_probes[COLOR_ADDED_TINT], &tints[0]);
  gtk_widget_get_color (self->color_probes[COLOR_REMOVED_TINT], &tints[1]);
  do
    {
      const GadgetDiffLine line = gadget_diff_get_line (text + pango_layout_iter_get_index (iter));
      int top, bottom;

      if (line != GADGET_DIFF_ADDED && line != GADGET_DIFF_REMOVED)
        continue;
      pango_layout_iter_get_line_yrange (iter, &top, &bottom);
      top = PANGO_PIXELS (top);
      bottom = PANGO_PIXELS (bottom);
      gtk_snapshot_append_color (
          snapshot, &tints[line == GADGET_DIFF_REMOVED],
          &GRAPHENE_RECT_INIT (0, origin.y + (float) top,
                               (float) gtk_widget_get_width (GTK_WIDGET (self)),
                               (float) (bottom - top)));
    }
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
}

static void
gadget_diff_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetDiffView *self = GADGET_DIFF_VIEW (widget);

  snapshot_tints (self, snapshot);
  gtk_widget_snapshot_child (widget, self->gutter, snapshot);
  gtk_widget_snapshot_child (widget, self->scrolled, snapshot);
}

static void
gadget_diff_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (gadget_diff_view_parent_class)->css_changed (widget, change);
  if (GADGET_DIFF_VIEW (widget)->piece != NULL)
    apply_colors (GADGET_DIFF_VIEW (widget));
}

/* --- Object ------------------------------------------------------------------------------------
 */

static void
drop_colors (GadgetDiffView *self)
{
  if (self->colors != NULL)
    g_signal_handlers_disconnect_by_data (self->colors, self);
  g_clear_object (&self->colors);
}

static void
gadget_diff_view_dispose (GObject *object)
{
  GadgetDiffView *self = GADGET_DIFF_VIEW (object);

  for (guint i = 0; i < N_COLORS; i++)
    g_clear_pointer (&self->color_probes[i], gtk_widget_unparent);
  g_clear_pointer (&self->gutter, gtk_widget_unparent);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  self->piece = NULL;
  drop_colors (self);

  G_OBJECT_CLASS (gadget_diff_view_parent_class)->dispose (object);
}

static void
gadget_diff_view_class_init (GadgetDiffViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_diff_view_dispose;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->measure = gadget_diff_view_measure;
  widget_class->size_allocate = gadget_diff_view_size_allocate;
  widget_class->snapshot = gadget_diff_view_snapshot;
  widget_class->css_changed = gadget_diff_view_css_changed;

  gtk_widget_class_set_css_name (widget_class, "diffview");
}

static void
gadget_diff_view_init (GadgetDiffView *self)
{
  static const char *const names[N_COLORS] = { "added-tint", "removed-tint", "added", "removed",
                                               "range" };

  for (guint i = 0; i < N_COLORS; i++)
    {
      self->color_probes[i] = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, NULL);
      gtk_widget_add_css_class (self->color_probes[i], names[i]);
      gtk_widget_set_parent (self->color_probes[i], GTK_WIDGET (self));
    }
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_UNBROKEN));
  self->scrolled =
      gadget_horizontal_scroller_new (GTK_WIDGET (self->piece), _ ("Changes of the file"));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  self->gutter = gadget_diff_gutter_new (self->piece);
  gtk_widget_set_parent (self->gutter, GTK_WIDGET (self));
  /* The text of a file runs from left to right in any language of the window. */
  for (GtkWidget *at = GTK_WIDGET (self->piece); at != NULL; at = gtk_widget_get_parent (at))
    gtk_widget_set_direction (at, GTK_TEXT_DIR_LTR);
}

/* gadget_diff_view_new: returns a view without a difference. (transfer floating) */
GtkWidget *
gadget_diff_view_new (void)
{
  return g_object_new (GADGET_TYPE_DIFF_VIEW, NULL);
}

static void
need_colors (GadgetDiffView *self, const char *name)
{
  if (self->colors != NULL && g_strcmp0 (gadget_diff_colors_get_name (self->colors), name) == 0)
    return;
  drop_colors (self);
  if (name == NULL)
    return;
  self->colors = gadget_diff_colors_new (name);
  g_signal_connect_swapped (self->colors, "colored", G_CALLBACK (apply_colors), self);
}

/* Adds the lines that are new. When a difference is unfolded, the colors of its beginning are kept
 * meanwhile. */
static void
update_colors (GadgetDiffView *self)
{
  const char *text = gadget_selectable_text_get_text (self->piece);
  const gsize length = gadget_selectable_text_get_length (self->piece);
  const guint n_known = gadget_diff_colors_get_n_lines (self->colors);

  for (gsize at = 0, number = 0; at < length; number++)
    {
      const char *newline = memchr (text + at, '\n', length - at);
      const gsize end = newline != NULL ? (gsize) (newline - text) : length;
      const gsize start = MIN (at + 1, end);

      if (number >= n_known)
        gadget_diff_colors_add_line (self->colors, gadget_diff_get_line (text + at), text + start,
                                     end - start);
      at = end + 1;
    }
  gadget_diff_colors_begin (self->colors);
}

/**
 * gadget_diff_view_set_text:
 * @name: (nullable): the name of the file, by which the language of the code is found
 * @text: hunks in the format of "diff -u": a whole difference or its beginning
 */
void
gadget_diff_view_set_text (GadgetDiffView *self, const char *name, const char *text, gsize length)
{
  g_return_if_fail (GADGET_IS_DIFF_VIEW (self) && text != NULL);

  gadget_selectable_text_set_text (self->piece, text, length);
  gadget_diff_gutter_update (GADGET_DIFF_GUTTER (self->gutter));
  need_colors (self, name);
  if (self->colors != NULL)
    update_colors (self);
  apply_colors (self);
}

GadgetSelectableText *
gadget_diff_view_get_piece (GadgetDiffView *self)
{
  g_return_val_if_fail (GADGET_IS_DIFF_VIEW (self), NULL);
  return self->piece;
}
