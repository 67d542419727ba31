/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One text piece has all lines, and tints are drawn behind it across the whole width, as in a
 * difference of the transcript. In a narrow card, a difference has another text, with one line
 * number instead of two. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-body.h"

#include "gadget-ask-text.h"
#include "ui/common/gadget-text-attributes.h"
#include "ui/common/gadget-ui.h"
#include "ui/text/gadget-narrow-bin.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/rows/diff/gadget-diff-colors.h"

#include <string.h>

#define MAX_LINES 400
#define MAX_LENGTH (32 * 1024)

enum
{
  COLOR_ADDED_TINT,
  COLOR_REMOVED_TINT,
  COLOR_ADDED,
  COLOR_REMOVED,
  COLOR_DIM,
  N_COLORS
};

struct _GadgetAskBody
{
  GtkWidget parent_instance;

  GadgetPromptBody kind;
  GtkWidget *color_probes[N_COLORS];
  GadgetSelectableText *pieces[2]; /* the wide one, and (nullable) the narrow one */
  GadgetAskText *texts[2];
  gboolean narrow;          /* whether the narrow one is shown */
  GadgetDiffColors *colors; /* (nullable): of both, whose lines differ only in their numbers */
};

G_DEFINE_FINAL_TYPE (GadgetAskBody, gadget_ask_body, GTK_TYPE_WIDGET)

/* --- Colors of the text ------------------------------------------------------------------------
 */

/* Returns where the indicator of a line is: before the space that precedes the line's own text. */
static gsize
find_indicator (const GadgetAskText *text, const GadgetAskLine *line)
{
  const char *end = text->text + line->text_start - 1;

  return (gsize) (g_utf8_find_prev_char (text->text + line->start, end) - text->text);
}

static gsize
get_line_end (const GadgetAskText *text, guint number)
{
  return number + 1 < text->lines->len
             ? g_array_index (text->lines, GadgetAskLine, number + 1).start - 1
             : strlen (text->text);
}

static void
apply_colors (GadgetAskBody *self, guint index)
{
  const GadgetAskText *text = self->texts[index];
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (guint i = 0; i < text->lines->len; i++)
    {
      const GadgetAskLine *line = &g_array_index (text->lines, GadgetAskLine, i);
      const gboolean added = line->kind == GADGET_ASK_LINE_ADDED;

      if (line->kind == GADGET_ASK_LINE_RANGE)
        gadget_text_attributes_color (attributes, self->color_probes[COLOR_DIM], line->start,
                                      get_line_end (text, i));
      else if (line->kind == GADGET_ASK_LINE_PLAIN)
        gadget_text_attributes_color (attributes, self->color_probes[COLOR_DIM], line->start,
                                      line->text_start);
      else
        {
          const gsize indicator = find_indicator (text, line);

          gadget_text_attributes_color (attributes, self->color_probes[COLOR_DIM], line->start,
                                        indicator);
          gadget_text_attributes_color (attributes,
                                        self->color_probes[added ? COLOR_ADDED : COLOR_REMOVED],
                                        indicator, line->text_start);
          gadget_text_attributes_embolden (attributes, indicator, line->text_start);
        }
      if (self->colors != NULL)
        gadget_diff_colors_apply (self->colors, i, attributes, line->text_start);
    }
  gadget_selectable_text_set_attributes (self->pieces[index], attributes);
}

static void
colored_cb (GadgetAskBody *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->pieces); i++)
    if (self->pieces[i] != NULL)
      apply_colors (self, i);
}

static GadgetDiffLine
get_diff_line (GadgetAskBody *self, const GadgetAskLine *line)
{
  switch (line->kind)
    {
    case GADGET_ASK_LINE_ADDED:
      return GADGET_DIFF_ADDED;
    case GADGET_ASK_LINE_REMOVED:
      return GADGET_DIFF_REMOVED;
    case GADGET_ASK_LINE_RANGE:
      return GADGET_DIFF_RANGE;
    case GADGET_ASK_LINE_PLAIN:
    default:
      return self->kind == GADGET_PROMPT_BODY_DIFF ? GADGET_DIFF_SAME : GADGET_DIFF_ADDED;
    }
}

static void
find_colors (GadgetAskBody *self, const char *name)
{
  /* The narrow text has at least as many lines, since the length of the text is limited. */
  const GadgetAskText *text = self->texts[1] != NULL ? self->texts[1] : self->texts[0];

  self->colors = gadget_diff_colors_new (name);
  for (guint i = 0; i < text->lines->len; i++)
    {
      const GadgetAskLine *line = &g_array_index (text->lines, GadgetAskLine, i);

      gadget_diff_colors_add_line (self->colors, get_diff_line (self, line),
                                   text->text + line->text_start,
                                   get_line_end (text, i) - line->text_start);
    }
  g_signal_connect_swapped (self->colors, "colored", G_CALLBACK (colored_cb), self);
  gadget_diff_colors_begin (self->colors);
  colored_cb (self);
}

/* --- The two texts -----------------------------------------------------------------------------
 */

/* Returns the index of the text for a width; only a difference has a narrow one. */
static guint
get_index_for_width (GadgetAskBody *self, int width)
{
  return self->kind == GADGET_PROMPT_BODY_DIFF && width >= 0 && width < GADGET_CARD_NARROW - 2 ? 1
                                                                                               : 0;
}

static void
add_piece (GadgetAskBody *self, guint index, const char *body)
{
  GadgetAskText *text = gadget_ask_text_new (self->kind, body, index == 1, MAX_LINES, MAX_LENGTH);

  self->texts[index] = text;
  self->pieces[index] = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_WRAP));
  gtk_widget_set_direction (GTK_WIDGET (self->pieces[index]), GTK_TEXT_DIR_LTR);
  gadget_selectable_text_set_hanging (self->pieces[index], text->indent);
  gadget_selectable_text_set_text (self->pieces[index], text->text, strlen (text->text));
  gtk_widget_set_cursor (GTK_WIDGET (self->pieces[index]), NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->pieces[index]), GTK_WIDGET (self));
  if (index == 1)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->pieces[index]), GTK_ACCESSIBLE_STATE_HIDDEN,
                                 TRUE, -1);
  apply_colors (self, index);
}

static void
gadget_ask_body_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetAskBody *self = GADGET_ASK_BODY (widget);

  gtk_widget_measure (GTK_WIDGET (self->pieces[get_index_for_width (self, for_size)]), orientation,
                      for_size, minimum, natural, NULL, NULL);
}

static void
gadget_ask_body_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetAskBody *self = GADGET_ASK_BODY (widget);
  GtkWidget *shown;

  self->narrow = get_index_for_width (self, width) == 1;
  shown = GTK_WIDGET (self->pieces[self->narrow]);
  for (guint i = 0; i < 2; i++)
    if (self->pieces[i] != NULL)
      gtk_widget_set_child_visible (GTK_WIDGET (self->pieces[i]),
                                    GTK_WIDGET (self->pieces[i]) == shown);
  gtk_widget_allocate (shown, width, height, -1, NULL);
}

/* --- Drawing -----------------------------------------------------------------------------------
 */

static void
snapshot_tints (GadgetAskBody *self, GtkSnapshot *snapshot)
{
  const GadgetAskText *text = self->texts[self->narrow];
  PangoLayoutIter *iter =
      pango_layout_get_iter (gadget_selectable_text_get_layout (self->pieces[self->narrow]));
  graphene_point_t origin;
  GdkRGBA tints[2];
  guint at = 0;

  if (!gtk_widget_compute_point (GTK_WIDGET (self->pieces[self->narrow]), GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT (0, 0), &origin))
    graphene_point_init (&origin, 0, 0);
  gtk_widget_get_color (self->color_probes[COLOR_ADDED_TINT], &tints[0]);
  gtk_widget_get_color (self->color_probes[COLOR_REMOVED_TINT], &tints[1]);
  do
    {
      const gsize index = (gsize) pango_layout_iter_get_index (iter);
      GadgetAskLineKind kind;
      int top, bottom;

      while (at + 1 < text->lines->len
             && g_array_index (text->lines, GadgetAskLine, at + 1).start <= index)
        at++;
      kind = g_array_index (text->lines, GadgetAskLine, at).kind;
      if (kind != GADGET_ASK_LINE_ADDED && kind != GADGET_ASK_LINE_REMOVED)
        continue;
      pango_layout_iter_get_line_yrange (iter, &top, &bottom);
      top = PANGO_PIXELS (top);
      bottom = PANGO_PIXELS (bottom);
      gtk_snapshot_append_color (
          snapshot, &tints[kind == GADGET_ASK_LINE_REMOVED],
          &GRAPHENE_RECT_INIT (0, origin.y + (float) top,
                               (float) gtk_widget_get_width (GTK_WIDGET (self)),
                               (float) (bottom - top)));
    }
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
}

static void
gadget_ask_body_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetAskBody *self = GADGET_ASK_BODY (widget);

  if (self->pieces[self->narrow] == NULL)
    return;
  if (self->texts[self->narrow]->lines->len > 0)
    snapshot_tints (self, snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->pieces[self->narrow]), snapshot);
}

static void
gadget_ask_body_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GadgetAskBody *self = GADGET_ASK_BODY (widget);

  GTK_WIDGET_CLASS (gadget_ask_body_parent_class)->css_changed (widget, change);
  colored_cb (self);
}

/* --- Object ------------------------------------------------------------------------------------
 */

static void
gadget_ask_body_dispose (GObject *object)
{
  GadgetAskBody *self = GADGET_ASK_BODY (object);

  if (self->colors != NULL)
    g_signal_handlers_disconnect_by_data (self->colors, self);
  g_clear_object (&self->colors);
  for (guint i = 0; i < N_COLORS; i++)
    g_clear_pointer (&self->color_probes[i], gtk_widget_unparent);
  for (guint i = 0; i < 2; i++)
    {
      if (self->pieces[i] != NULL)
        gtk_widget_unparent (GTK_WIDGET (self->pieces[i]));
      self->pieces[i] = NULL;
    }

  G_OBJECT_CLASS (gadget_ask_body_parent_class)->dispose (object);
}

static void
gadget_ask_body_finalize (GObject *object)
{
  GadgetAskBody *self = GADGET_ASK_BODY (object);

  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->texts[i], gadget_ask_text_free);

  G_OBJECT_CLASS (gadget_ask_body_parent_class)->finalize (object);
}

static void
gadget_ask_body_class_init (GadgetAskBodyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_ask_body_dispose;
  object_class->finalize = gadget_ask_body_finalize;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->measure = gadget_ask_body_measure;
  widget_class->size_allocate = gadget_ask_body_size_allocate;
  widget_class->snapshot = gadget_ask_body_snapshot;
  widget_class->css_changed = gadget_ask_body_css_changed;

  gtk_widget_class_set_css_name (widget_class, "askbody");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void
gadget_ask_body_init (GadgetAskBody *self)
{
  static const char *const names[N_COLORS] = { "added-tint", "removed-tint", "added", "removed",
                                               "range" };

  for (guint i = 0; i < N_COLORS; i++)
    {
      self->color_probes[i] = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, NULL);
      gtk_widget_add_css_class (self->color_probes[i], names[i]);
      gtk_widget_set_parent (self->color_probes[i], GTK_WIDGET (self));
    }
}

GtkWidget *
gadget_ask_body_new (GadgetPromptBody kind, const char *name, const char *text)
{
  GadgetAskBody *self = g_object_new (GADGET_TYPE_ASK_BODY, NULL);

  self->kind = kind;
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  if (kind == GADGET_PROMPT_BODY_DIFF || kind == GADGET_PROMPT_BODY_FILE)
    gtk_widget_add_css_class (GTK_WIDGET (self), "numbered");
  add_piece (self, 0, text);
  /* Both pieces are made here, since measuring must not add children. */
  if (kind == GADGET_PROMPT_BODY_DIFF)
    add_piece (self, 1, text);
  if (name != NULL && (kind == GADGET_PROMPT_BODY_DIFF || kind == GADGET_PROMPT_BODY_FILE))
    find_colors (self, name);
  return GTK_WIDGET (self);
}

guint
gadget_ask_body_get_n_lines (GadgetAskBody *self)
{
  g_return_val_if_fail (GADGET_IS_ASK_BODY (self), 0);
  return self->texts[0]->n_lines;
}

guint
gadget_ask_body_get_n_omitted (GadgetAskBody *self)
{
  g_return_val_if_fail (GADGET_IS_ASK_BODY (self), 0);
  return self->texts[self->narrow]->n_omitted;
}

guint
gadget_ask_body_get_n_escaped (GadgetAskBody *self)
{
  g_return_val_if_fail (GADGET_IS_ASK_BODY (self), 0);
  return self->texts[0]->n_escaped;
}

guint
gadget_ask_body_count_below (GadgetAskBody *self, double y)
{
  GadgetSelectableText *piece;
  const GadgetAskText *text;
  guint n = 0;
  guint offset;

  g_return_val_if_fail (GADGET_IS_ASK_BODY (self), 0);

  piece = self->pieces[self->narrow];
  text = self->texts[self->narrow];
  if (y >= gtk_widget_get_height (GTK_WIDGET (piece)))
    return 0;
  offset = gadget_selectable_text_get_offset_at (piece, 0, y);
  /* The line at the edge is cut off, so it does not count as visible. */
  for (guint i = text->lines->len; i > 0; i--, n++)
    if (g_array_index (text->lines, GadgetAskLine, i - 1).start < offset)
      break;
  return n;
}
