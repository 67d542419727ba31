/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A widget with one Pango layout. The layout is made when it is first needed and dropped when a
 * setting that affects it changes. Marks are in gadget-text-marks.c, moving by keys is in -caret.c,
 * and the interface for screen readers is in -accessible.c. */

#define G_LOG_DOMAIN "gadget-selectable-text"

#include "config.h"

#include "gadget-selectable-text-private.h"

#include "common/gadget-bidi.h"
#include "ui/common/gadget-ui.h"

#include <adwaita.h>

/* Pango multiplies the line height of the font, which is about 1.2 em, so the result is about 1.45
 * em. */
#define LINE_HEIGHT 1.2

#define CARET_WIDTH 4
#define CARET_GAP 1

/* No language has letters with more combining marks. */
#define MAX_COMBINING_MARKS 8

struct _GadgetSelectableText
{
  GtkWidget parent_instance;

  GadgetTextMode mode;
  PangoAlignment alignment; /* LEFT means the side where the text begins */
  guint hanging;            /* indent of the continuation of wrapped lines, in digits */
  char *text;
  gsize length;
  PangoAttrList *attributes;
  PangoLayout *layout; /* made when first needed */
  gboolean caret;
  gboolean stacked; /* has letters with so many combining marks that they reach into other rows */
  guint selection_start;
  guint selection_end;
  int head;               /* -1 when the head of the selection is in another piece */
  GadgetTextMarks *marks; /* (nullable) */
  GArray *found;          /* (nullable) of GadgetTextFound */
  GadgetFoundColors found_colors;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetSelectableText, gadget_selectable_text, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE_TEXT,
                                                      _gadget_selectable_text_accessible_init))

static gboolean
is_ellipsized (GadgetSelectableText *self)
{
  return self->mode == GADGET_TEXT_ELLIPSIZE || self->mode == GADGET_TEXT_ELLIPSIZE_MIDDLE;
}

static void
apply_attributes (GadgetSelectableText *self)
{
  g_autoptr (PangoAttrList) attributes =
      self->attributes != NULL ? pango_attr_list_copy (self->attributes) : pango_attr_list_new ();

  if (!is_ellipsized (self))
    pango_attr_list_insert_before (attributes, pango_attr_line_height_new (LINE_HEIGHT));
  /* A hyphen at a break in a long path would look like a part of it. */
  pango_attr_list_insert_before (attributes, pango_attr_insert_hyphens_new (FALSE));
  if (self->found != NULL)
    {
      GdkRGBA color;

      gtk_widget_get_color (GTK_WIDGET (self), &color);
      _gadget_text_found_apply (attributes, self->found, &self->found_colors, &color);
    }
  pango_layout_set_attributes (self->layout, attributes);
}

/* Characters that reorder text are replaced by a visible character. The replacement has as many
 * bytes and characters, so that offsets in the layout are those of the text; the original text is
 * copied. */
static void
apply_text (GadgetSelectableText *self)
{
  /* A one-line text is composed by Gadget, which puts isolates around names, so these are kept. */
  g_autofree char *covered = gadget_bidi_replace (self->text, self->length, is_ellipsized (self));

  pango_layout_set_text (self->layout, covered != NULL ? covered : self->text, (int) self->length);
}

/* A negative indent applies to all lines of a paragraph but the first. */
static void
apply_hanging (GadgetSelectableText *self)
{
  PangoContext *context = pango_layout_get_context (self->layout);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);

  pango_layout_set_indent (self->layout,
                           -(int) self->hanging
                               * pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
}

PangoLayout *
gadget_selectable_text_get_layout (GadgetSelectableText *self)
{
  if (self->layout != NULL)
    return self->layout;

  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  apply_text (self);
  pango_layout_set_wrap (self->layout, PANGO_WRAP_WORD_CHAR);
  if (is_ellipsized (self))
    pango_layout_set_ellipsize (self->layout, self->mode == GADGET_TEXT_ELLIPSIZE
                                                  ? PANGO_ELLIPSIZE_END
                                                  : PANGO_ELLIPSIZE_MIDDLE);
  /* Each paragraph begins at the side of its own script. Pango swaps the sides for a paragraph that
   * runs against the direction of the window, so the alignment must depend on that direction. */
  if (self->alignment != PANGO_ALIGN_LEFT)
    pango_layout_set_alignment (self->layout, self->alignment);
  else if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    pango_layout_set_alignment (self->layout, PANGO_ALIGN_RIGHT);
  apply_attributes (self);
  if (self->hanging > 0)
    apply_hanging (self);
  if (self->mode != GADGET_TEXT_UNBROKEN && gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    pango_layout_set_width (self->layout, gtk_widget_get_width (GTK_WIDGET (self)) * PANGO_SCALE);
  return self->layout;
}

static int
get_natural_width (GadgetSelectableText *self)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (self);
  const int width = pango_layout_get_width (layout);
  int natural;

  /* Setting a width, even the same one, makes Pango lay out the text again. */
  if (width != -1)
    pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, &natural, NULL);
  if (width != -1)
    pango_layout_set_width (layout, width);
  return natural + (self->caret ? CARET_GAP + CARET_WIDTH : 0);
}

static void
gadget_selectable_text_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                int *minimum, int *natural, int *minimum_baseline,
                                int *natural_baseline)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (widget);
  PangoLayout *layout = gadget_selectable_text_get_layout (self);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      /* A wrapped piece takes the width that it gets, so its natural width need not be computed. */
      *natural = self->mode == GADGET_TEXT_WRAP ? 0 : get_natural_width (self);
      *minimum = self->mode == GADGET_TEXT_UNBROKEN ? *natural : 0;
      return;
    }

  if (for_size >= 0 && self->mode != GADGET_TEXT_UNBROKEN)
    pango_layout_set_width (layout, for_size * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, natural);
  *minimum = *natural;
  *minimum_baseline = *natural_baseline = PANGO_PIXELS (pango_layout_get_baseline (layout));
}

static void
gadget_selectable_text_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (widget);

  if (self->mode != GADGET_TEXT_UNBROKEN)
    pango_layout_set_width (gadget_selectable_text_get_layout (self), width * PANGO_SCALE);
  if (self->marks != NULL)
    _gadget_text_marks_place (self->marks, gadget_selectable_text_get_layout (self));
}

static void
snapshot_selection (GadgetSelectableText *self, GtkSnapshot *snapshot)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const int range[] = { (int) self->selection_start, (int) self->selection_end };
  cairo_region_t *region;
  GdkRGBA color;

  if (self->selection_start >= self->selection_end)
    return;
  adw_accent_color_to_rgba (adw_style_manager_get_accent_color (style), &color);
  color.alpha = 0.3f;
  region = gdk_pango_layout_get_clip_region (self->layout, 0, 0, range, 1);
  for (int i = 0; i < cairo_region_num_rectangles (region); i++)
    {
      cairo_rectangle_int_t box;

      cairo_region_get_rectangle (region, i, &box);
      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT ((float) box.x, (float) box.y,
                                                      (float) box.width, (float) box.height));
    }
  cairo_region_destroy (region);
}

static void
snapshot_caret (GadgetSelectableText *self, GtkSnapshot *snapshot)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  PangoRectangle at;
  GdkRGBA color;
  float height, x;

  pango_layout_get_cursor_pos (self->layout, (int) self->length, &at, NULL);
  adw_accent_color_to_standalone_rgba (adw_style_manager_get_accent_color (style),
                                       adw_style_manager_get_dark (style), &color);
  height = (float) at.height / PANGO_SCALE;
  x = (float) at.x / PANGO_SCALE + CARET_GAP;
  if (pango_layout_get_direction (self->layout, (int) self->length) == PANGO_DIRECTION_RTL)
    x -= CARET_WIDTH + 2 * CARET_GAP;
  x = CLAMP (x, 0, MAX (0, gtk_widget_get_width (GTK_WIDGET (self)) - CARET_WIDTH));
  gtk_snapshot_append_color (
      snapshot, &color,
      &GRAPHENE_RECT_INIT (x, (float) at.y / PANGO_SCALE + 1, CARET_WIDTH, height - 2));
}

static void
gadget_selectable_text_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (widget);
  PangoLayout *layout = gadget_selectable_text_get_layout (self);
  GdkRGBA color;

  gtk_widget_get_color (widget, &color);
  if (self->marks != NULL)
    _gadget_text_marks_snapshot (self->marks, snapshot, layout, &color);
  snapshot_selection (self, snapshot);
  if (self->stacked)
    gtk_snapshot_push_clip (snapshot,
                            &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                 (float) gtk_widget_get_height (widget)));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  if (self->stacked)
    gtk_snapshot_pop (snapshot);
  if (self->caret)
    snapshot_caret (self, snapshot);
  /* The children are the links, which draw a ring when they have the focus. */
  GTK_WIDGET_CLASS (gadget_selectable_text_parent_class)->snapshot (widget, snapshot);
}

static void
gadget_selectable_text_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (widget);

  g_clear_object (&self->layout);
  GTK_WIDGET_CLASS (gadget_selectable_text_parent_class)->system_setting_changed (widget, setting);
  gtk_widget_queue_resize (widget);
}

static void
gadget_selectable_text_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (widget);

  g_clear_object (&self->layout);
  gtk_widget_queue_resize (widget);
}

static void
gadget_selectable_text_dispose (GObject *object)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (object);

  g_clear_pointer (&self->marks, _gadget_text_marks_free);

  G_OBJECT_CLASS (gadget_selectable_text_parent_class)->dispose (object);
}

static void
gadget_selectable_text_finalize (GObject *object)
{
  GadgetSelectableText *self = GADGET_SELECTABLE_TEXT (object);

  g_clear_object (&self->layout);
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_free (self->text);

  G_OBJECT_CLASS (gadget_selectable_text_parent_class)->finalize (object);
}

static void
gadget_selectable_text_class_init (GadgetSelectableTextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_selectable_text_dispose;
  object_class->finalize = gadget_selectable_text_finalize;
  widget_class->measure = gadget_selectable_text_measure;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->size_allocate = gadget_selectable_text_size_allocate;
  widget_class->snapshot = gadget_selectable_text_snapshot;
  widget_class->system_setting_changed = gadget_selectable_text_system_setting_changed;
  widget_class->direction_changed = gadget_selectable_text_direction_changed;

  gtk_widget_class_set_css_name (widget_class, "textpiece");
}

static void
gadget_selectable_text_init (GadgetSelectableText *self)
{
  self->text = g_strdup ("");
  self->head = -1;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "text");
}

GtkWidget *
gadget_selectable_text_new (GadgetTextMode mode)
{
  return gadget_selectable_text_new_with_role (mode, GTK_ACCESSIBLE_ROLE_PARAGRAPH);
}

GtkWidget *
gadget_selectable_text_new_with_role (GadgetTextMode mode, GtkAccessibleRole role)
{
  GadgetSelectableText *self =
      g_object_new (GADGET_TYPE_SELECTABLE_TEXT, "accessible-role", role, NULL);

  self->mode = mode;
  return GTK_WIDGET (self);
}

void
gadget_selectable_text_set_mode (GadgetSelectableText *self, GadgetTextMode mode)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  if (self->mode == mode)
    return;
  self->mode = mode;
  g_clear_object (&self->layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static gboolean
has_stacked_marks (const char *text)
{
  guint n_marks = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      n_marks = (guchar) *p >= 0x80 && g_unichar_ismark (g_utf8_get_char (p)) ? n_marks + 1 : 0;
      if (n_marks > MAX_COMBINING_MARKS)
        return TRUE;
    }
  return FALSE;
}

/* Tell screen readers which text is removed, while it can still be read, and which is inserted.
 * @kept: the number of bytes at the beginning that stay the same */
static void
announce_removal (GadgetSelectableText *self, gsize kept)
{
  const guint n_kept = (guint) g_utf8_strlen (self->text, (gssize) kept);

  if (kept < self->length)
    gtk_accessible_text_update_contents (GTK_ACCESSIBLE_TEXT (self),
                                         GTK_ACCESSIBLE_TEXT_CONTENT_CHANGE_REMOVE, n_kept,
                                         n_kept + (guint) g_utf8_strlen (self->text + kept, -1));
}

static void
announce_insertion (GadgetSelectableText *self, gsize kept)
{
  const guint n_kept = (guint) g_utf8_strlen (self->text, (gssize) kept);

  if (kept < self->length)
    gtk_accessible_text_update_contents (GTK_ACCESSIBLE_TEXT (self),
                                         GTK_ACCESSIBLE_TEXT_CONTENT_CHANGE_INSERT, n_kept,
                                         n_kept + (guint) g_utf8_strlen (self->text + kept, -1));
}

/**
 * gadget_selectable_text_set_text:
 * @text: valid UTF-8, not necessarily terminated by a NUL
 * @length: its length in bytes
 */
void
gadget_selectable_text_set_text (GadgetSelectableText *self, const char *text, gsize length)
{
  gsize kept = 0;

  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self) && text != NULL);

  if (length == self->length && memcmp (text, self->text, length) == 0)
    return;
  /* When the text only grows, screen readers are told of the new part alone. */
  if (length > self->length && memcmp (text, self->text, self->length) == 0)
    kept = self->length;
  announce_removal (self, kept);
  g_free (self->text);
  self->text = g_strndup (text, length);
  self->length = strlen (self->text);
  self->stacked = has_stacked_marks (self->text);
  if (self->layout != NULL)
    apply_text (self);
  self->selection_end = MIN (self->selection_end, (guint) self->length);
  self->selection_start = MIN (self->selection_start, (guint) self->length);
  self->head = MIN (self->head, (int) self->length);
  announce_insertion (self, kept);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
gadget_selectable_text_get_text (GadgetSelectableText *self)
{
  return self->text;
}

gsize
gadget_selectable_text_get_length (GadgetSelectableText *self)
{
  return self->length;
}

/**
 * gadget_selectable_text_set_attributes:
 * @attributes: (nullable) (transfer none): attributes for the text as it is now
 */
void
gadget_selectable_text_set_attributes (GadgetSelectableText *self, PangoAttrList *attributes)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  if (attributes == NULL && self->attributes == NULL)
    return;
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  self->attributes = attributes != NULL ? pango_attr_list_ref (attributes) : NULL;
  if (self->layout != NULL)
    apply_attributes (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * gadget_selectable_text_set_marks:
 * @marks: (array length=n_marks): ranges of the text as it is now, in order
 */
void
gadget_selectable_text_set_marks (GadgetSelectableText *self, const GadgetTextMark *marks,
                                  guint n_marks)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  if (n_marks == 0 && self->marks == NULL)
    return;
  if (self->marks == NULL)
    self->marks = _gadget_text_marks_new (self);
  _gadget_text_marks_set (self->marks, marks, n_marks);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * gadget_selectable_text_set_alignment:
 * @alignment: of the lines; %PANGO_ALIGN_LEFT, the default, means the side where the text begins
 */
void
gadget_selectable_text_set_alignment (GadgetSelectableText *self, PangoAlignment alignment)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  if (self->alignment == alignment)
    return;
  self->alignment = alignment;
  g_clear_object (&self->layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
gadget_selectable_text_set_hanging (GadgetSelectableText *self, guint n_digits)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  self->hanging = n_digits;
  g_clear_object (&self->layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * gadget_selectable_text_set_caret:
 * @caret: whether a caret at the end shows that more text is coming
 */
void
gadget_selectable_text_set_caret (GadgetSelectableText *self, gboolean caret)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  if (self->caret == caret)
    return;
  self->caret = caret;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * gadget_selectable_text_set_found:
 * @found: (array length=n_found) (nullable): ranges in order, for as long as the text stays the
 *   same or grows
 * @colors: (nullable): their colors; %NULL only when there are no ranges
 */
void
gadget_selectable_text_set_found (GadgetSelectableText *self, const GadgetTextFound *found,
                                  guint n_found, const GadgetFoundColors *colors)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self) && (n_found == 0 || colors != NULL));

  if (n_found == 0 && self->found == NULL)
    return;
  g_clear_pointer (&self->found, g_array_unref);
  if (n_found > 0)
    {
      self->found = g_array_new (FALSE, FALSE, sizeof (GadgetTextFound));
      g_array_append_vals (self->found, found, n_found);
      self->found_colors = *colors;
    }
  if (self->layout != NULL)
    apply_attributes (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gadget_selectable_text_set_selection (GadgetSelectableText *self, guint start, guint end)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  end = MIN (end, (guint) self->length);
  start = MIN (start, end);
  if (start == end)
    start = end = 0;
  if (self->selection_start == start && self->selection_end == end)
    return;
  self->selection_start = start;
  self->selection_end = end;
  gtk_accessible_text_update_selection_bound (GTK_ACCESSIBLE_TEXT (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gadget_selectable_text_get_selection (GadgetSelectableText *self, guint *start, guint *end)
{
  *start = self->selection_start;
  *end = self->selection_end;
}

void
gadget_selectable_text_set_head (GadgetSelectableText *self, int offset)
{
  g_return_if_fail (GADGET_IS_SELECTABLE_TEXT (self));

  offset = MIN (offset, (int) self->length);
  if (self->head == offset)
    return;
  self->head = offset;
  if (offset >= 0)
    gtk_accessible_text_update_caret_position (GTK_ACCESSIBLE_TEXT (self));
}

int
gadget_selectable_text_get_head (GadgetSelectableText *self)
{
  return self->head;
}

/* Returns the byte index at a point. @trailing: how many characters behind it the edge nearest to
 * the point is */
static guint
get_index_at (GadgetSelectableText *self, double x, double y, int *trailing)
{
  int index;

  *trailing = 0;
  if (y < 0)
    return 0;
  if (y > gtk_widget_get_height (GTK_WIDGET (self)))
    return (guint) self->length;
  pango_layout_xy_to_index (gadget_selectable_text_get_layout (self), (int) (x * PANGO_SCALE),
                            (int) (y * PANGO_SCALE), &index, trailing);
  return MIN ((guint) index, (guint) self->length);
}

guint
gadget_selectable_text_get_offset_at (GadgetSelectableText *self, double x, double y)
{
  int trailing;
  guint index = get_index_at (self, x, y, &trailing);

  while (trailing-- > 0 && index < self->length)
    index = (guint) (g_utf8_next_char (self->text + index) - self->text);
  return index;
}

guint
gadget_selectable_text_get_char_at (GadgetSelectableText *self, double x, double y)
{
  int trailing;

  return get_index_at (self, x, y, &trailing);
}

void
gadget_selectable_text_get_word_at (GadgetSelectableText *self, guint offset, guint *start,
                                    guint *end)
{
  int n_attrs;
  const PangoLogAttr *attrs =
      pango_layout_get_log_attrs_readonly (gadget_selectable_text_get_layout (self), &n_attrs);
  const int at = (int) g_utf8_pointer_to_offset (self->text, self->text + offset);
  int first = MIN (at, n_attrs - 1);
  int last = MIN (at + 1, n_attrs - 1);

  /* On a word these are its bounds; between two words, the bounds of the gap. */
  while (first > 0 && !attrs[first].is_word_start && !attrs[first].is_word_end)
    first--;
  while (last < n_attrs - 1 && !attrs[last].is_word_start && !attrs[last].is_word_end)
    last++;
  *start = (guint) (g_utf8_offset_to_pointer (self->text, first) - self->text);
  *end = (guint) (g_utf8_offset_to_pointer (self->text, last) - self->text);
}

void
gadget_selectable_text_get_line_at (GadgetSelectableText *self, guint offset, guint *start,
                                    guint *end)
{
  const char *at = self->text + MIN (offset, self->length);
  const char *before = memrchr (self->text, '\n', (gsize) (at - self->text));
  const char *after = strchr (at, '\n');

  *start = before != NULL ? (guint) (before + 1 - self->text) : 0;
  *end = after != NULL ? (guint) (after + 1 - self->text) : (guint) self->length;
}
