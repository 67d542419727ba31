/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each leaf has a body (a child widget) and possibly markers before it (other children). A body is
 * indented as its containers require, and its gap to the body above depends on both leaves. The
 * bars of quotes are drawn by the view. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-view.h"

#include "gadget-markdown-body.h"
#include "gadget-table-view.h"
#include "ui/code/gadget-code-block.h"
#include "ui/common/gadget-ui.h"
#include "ui/markdown/gadget-markdown-markers.h"
#include "ui/text/gadget-selectable-text.h"

#include <adwaita.h>

#define GAP 12
#define GAP_LIST 6
#define GAP_HEADING 6

#define ITEM_INDENT 18
#define QUOTE_INDENT 15
#define QUOTE_BAR 3
#define QUOTE_ALPHA 0.2f
#define QUOTE_ALPHA_CONTRAST 0.8f

typedef struct
{
  const GadgetMarkdownLeaf *leaf; /* owned by the document */
  GtkWidget *body;
  GadgetMarkdownMarkers *markers;
  int indent;
  int y; /* position and height of the body, as last allocated */
  int height;
} Entry;

/* The settings that affect Pango attributes, which no style sheet can set. */
typedef struct
{
  gboolean dark;
  gboolean high_contrast;
  AdwAccentColor accent;
  const char *monospace; /* interned */
} StyleSettings;

struct _GadgetMarkdownView
{
  GtkWidget parent_instance;

  GadgetItem *item; /* the item with the text, and where in it the segment is */
  gsize start;
  gsize context;
  GadgetMarkdownDocument *document; /* (nullable) */
  int top_spacing;
  GArray *entries;          /* of Entry, one for each leaf */
  GArray *places;           /* of GadgetTextMapping */
  GHashTable *list_indents; /* list → indent in pixels, as last measured, so that drawing measures
                             * nothing */
  GtkWidget *tail;          /* (nullable): shows the caret where no text can */
  StyleSettings look;       /* the settings that the texts were drawn with */
};

G_DEFINE_FINAL_TYPE (GadgetMarkdownView, gadget_markdown_view, GTK_TYPE_WIDGET)

static Entry *
get_entry (GadgetMarkdownView *self, guint index)
{
  return &g_array_index (self->entries, Entry, index);
}

/* --- Places --- */

static gboolean
is_in_item (const GadgetMarkdownLeaf *leaf)
{
  for (guint i = 0; i < leaf->n_containers; i++)
    if (leaf->containers[i].kind == GADGET_MARKDOWN_ITEM)
      return TRUE;
  return FALSE;
}

static gboolean
is_block (GadgetMarkdownKind kind)
{
  return kind == GADGET_MARKDOWN_CODE || kind == GADGET_MARKDOWN_TABLE
         || kind == GADGET_MARKDOWN_RULE || kind == GADGET_MARKDOWN_PICTURE;
}

static int
get_gap (GadgetMarkdownView *self, guint index)
{
  const GadgetMarkdownLeaf *leaf = get_entry (self, index)->leaf;
  const GadgetMarkdownLeaf *before;

  /* Code may be folded completely. */
  if (!gtk_widget_get_visible (get_entry (self, index)->body))
    return 0;
  if (index == 0)
    return self->top_spacing;
  before = get_entry (self, index - 1)->leaf;
  if (leaf->kind == GADGET_MARKDOWN_HEADING)
    return GAP + GAP_HEADING;
  if (is_block (leaf->kind) || is_block (before->kind))
    return GAP;
  return is_in_item (leaf) && is_in_item (before) ? GAP_LIST : GAP;
}

/* Returns the indent of a list's items, in pixels; its widest marker must fit. */
static int
measure_list_indent (GadgetMarkdownView *self, const GadgetMarkdownContainer *item)
{
  int indent = ITEM_INDENT;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const int size = gadget_markdown_markers_measure (get_entry (self, i)->markers, item->list);

      if (size > 0)
        indent = MAX (indent, size + GADGET_MARKDOWN_ITEM_GAP);
    }
  return indent;
}

/* Many entries are in the same list, so the markers of a list are measured once and the indent is
 * kept. */
static int
get_list_indent (GadgetMarkdownView *self, const GadgetMarkdownContainer *item)
{
  gpointer known = NULL;
  int indent;

  if (g_hash_table_lookup_extended (self->list_indents, GUINT_TO_POINTER (item->list), NULL,
                                    &known))
    return GPOINTER_TO_INT (known);
  indent = measure_list_indent (self, item);
  g_hash_table_insert (self->list_indents, GUINT_TO_POINTER (item->list), GINT_TO_POINTER (indent));
  return indent;
}

static int
get_container_indent (GadgetMarkdownView *self, const GadgetMarkdownContainer *container)
{
  return container->kind == GADGET_MARKDOWN_QUOTE ? QUOTE_INDENT
                                                  : get_list_indent (self, container);
}

static void
update_indents (GadgetMarkdownView *self)
{
  g_hash_table_remove_all (self->list_indents);
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = get_entry (self, i);

      entry->indent = 0;
      for (guint k = 0; k < entry->leaf->n_containers; k++)
        {
          entry->indent += get_container_indent (self, &entry->leaf->containers[k]);
          gadget_markdown_markers_set_indent (entry->markers, k, entry->indent);
        }
    }
}

/* Lists and quotes begin at the side where their text does, whatever the language of the window. */
static gboolean
is_mirrored (GadgetMarkdownView *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      GtkWidget *body = get_entry (self, i)->body;

      if (GADGET_IS_SELECTABLE_TEXT (body))
        return pango_layout_get_direction (
                   gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (body)), 0)
               == PANGO_DIRECTION_RTL;
      if (GADGET_IS_TABLE_VIEW (body))
        return gtk_widget_get_direction (body) == GTK_TEXT_DIR_RTL;
    }
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* --- Sizes --- */

/* In a narrow view at least half of the width is left for text. */
static int
get_indent (const Entry *entry, int width)
{
  return MIN (entry->indent, width / 2);
}

static int
measure_body (const Entry *entry, int width)
{
  int natural;

  gtk_widget_measure (entry->body, GTK_ORIENTATION_VERTICAL,
                      MAX (width - get_indent (entry, width), 1), NULL, &natural, NULL, NULL);
  return natural;
}

static void
gadget_markdown_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                              int *minimum, int *natural, int *minimum_baseline,
                              int *natural_baseline)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (widget);
  int height = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = 0;
      return;
    }
  update_indents (self);
  for (guint i = 0; i < self->entries->len; i++)
    height += get_gap (self, i) + measure_body (get_entry (self, i), MAX (for_size, 1));
  if (self->tail != NULL)
    {
      int tail;

      gtk_widget_measure (self->tail, GTK_ORIENTATION_VERTICAL, for_size, NULL, &tail, NULL, NULL);
      height += (self->entries->len > 0 ? GAP : self->top_spacing) + tail;
    }
  *minimum = *natural = height;
}

static void
allocate (GtkWidget *child, int x, int y, int width, int height)
{
  gtk_widget_allocate (child, width, height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) x, (float) y)));
}

static void
gadget_markdown_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (widget);
  const gboolean mirrored = is_mirrored (self);
  int y = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = get_entry (self, i);
      const int indent = get_indent (entry, width);

      y += get_gap (self, i);
      entry->y = y;
      entry->height = measure_body (entry, width);
      allocate (entry->body, mirrored ? 0 : indent, y, width - indent, entry->height);
      gadget_markdown_markers_allocate (entry->markers, entry->body, y, width,
                                        entry->indent - indent, mirrored);
      y += entry->height;
    }
  if (self->tail != NULL)
    {
      y += self->entries->len > 0 ? GAP : self->top_spacing;
      allocate (self->tail, 0, y, width, MAX (height - y, 1));
    }
}

/* --- Drawing --- */

/* Returns the last entry that is in the same container as the one at @index. */
static guint
find_last (GadgetMarkdownView *self, guint index, guint depth)
{
  const guint id = get_entry (self, index)->leaf->containers[depth].id;
  guint last = index;

  while (last + 1 < self->entries->len)
    {
      const GadgetMarkdownLeaf *next = get_entry (self, last + 1)->leaf;

      if (next->n_containers <= depth || next->containers[depth].id != id)
        break;
      last++;
    }
  return last;
}

static gboolean
is_first_in (GadgetMarkdownView *self, guint index, guint depth)
{
  const GadgetMarkdownLeaf *before = index > 0 ? get_entry (self, index - 1)->leaf : NULL;

  return before == NULL || before->n_containers <= depth
         || before->containers[depth].id != get_entry (self, index)->leaf->containers[depth].id;
}

static void
snapshot_bars (GadgetMarkdownView *self, GtkSnapshot *snapshot, guint index, const GdkRGBA *color)
{
  const gboolean mirrored = is_mirrored (self);
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const Entry *entry = get_entry (self, index);
  int x = 0;

  for (guint depth = 0; depth < entry->leaf->n_containers; depth++)
    {
      const GadgetMarkdownContainer *container = &entry->leaf->containers[depth];

      if (container->kind == GADGET_MARKDOWN_QUOTE && is_first_in (self, index, depth))
        {
          const Entry *last = get_entry (self, find_last (self, index, depth));
          const int inside = MIN (x, width / 2);
          /* Above the first leaf, the bar also covers the space if this view continues a quote. */
          const int top = index == 0 && !container->first ? 0 : entry->y;
          GskRoundedRect bar;

          gsk_rounded_rect_init_from_rect (
              &bar,
              &GRAPHENE_RECT_INIT ((float) (mirrored ? width - inside - QUOTE_BAR : inside),
                                   (float) top, QUOTE_BAR, (float) (last->y + last->height - top)),
              QUOTE_BAR / 2.0f);
          gtk_snapshot_push_rounded_clip (snapshot, &bar);
          gtk_snapshot_append_color (snapshot, color, &bar.bounds);
          gtk_snapshot_pop (snapshot);
        }
      x += get_container_indent (self, container);
    }
}

static void
gadget_markdown_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (widget);
  GdkRGBA color;

  gtk_widget_get_color (widget, &color);
  color.alpha *= adw_style_manager_get_high_contrast (adw_style_manager_get_default ())
                     ? QUOTE_ALPHA_CONTRAST
                     : QUOTE_ALPHA;
  for (guint i = 0; i < self->entries->len; i++)
    if (get_entry (self, i)->leaf->n_containers > 0)
      snapshot_bars (self, snapshot, i, &color);
  GTK_WIDGET_CLASS (gadget_markdown_view_parent_class)->snapshot (widget, snapshot);
}

/* --- Appearance --- */

/* Returns the block of code that the leaf belongs to, or NULL. */
static GadgetCode *
find_code (GadgetMarkdownView *self, const GadgetMarkdownLeaf *leaf)
{
  GadgetCode *code;

  if (leaf->kind != GADGET_MARKDOWN_CODE)
    return NULL;
  if (leaf->n_containers == 0)
    return gadget_code_get (self->item, self->context);
  code = gadget_code_get (self->item, leaf->code_begin);
  gadget_code_set_nested (code, self->start, self->context);
  return code;
}

static StyleSettings
get_style (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  return (StyleSettings) {
    adw_style_manager_get_dark (style),
    adw_style_manager_get_high_contrast (style),
    adw_style_manager_get_accent_color (style),
    g_intern_string (adw_style_manager_get_monospace_font_name (style)),
  };
}

static gboolean
is_same_style (const StyleSettings *a, const StyleSettings *b)
{
  return a->dark == b->dark && a->high_contrast == b->high_contrast && a->accent == b->accent
         && a->monospace == b->monospace;
}

static void
gadget_markdown_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (widget);
  const StyleSettings look = get_style ();

  GTK_WIDGET_CLASS (gadget_markdown_view_parent_class)->css_changed (widget, change);
  if (is_same_style (&look, &self->look))
    return;
  self->look = look;
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    _gadget_markdown_body_show (get_entry (self, i)->body, NULL, get_entry (self, i)->leaf,
                                self->item, find_code (self, get_entry (self, i)->leaf));
}

/* --- The document --- */

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->body, gtk_widget_unparent);
  g_clear_pointer (&entry->markers, gadget_markdown_markers_free);
}

/* The order of the children is that of the text, for the keyboard and for screen readers. */
static void
insert_child (GadgetMarkdownView *self, GtkWidget *child, GtkWidget *before)
{
  gtk_widget_insert_after (child, GTK_WIDGET (self), before);
}

static void
show_leaf (GadgetMarkdownView *self, guint index, const GadgetMarkdownLeaf *leaf)
{
  GtkWidget *before;
  Entry *entry;

  if (index == self->entries->len)
    g_array_set_size (self->entries, index + 1);
  entry = get_entry (self, index);
  if (entry->body != NULL && !_gadget_markdown_body_fits (entry->leaf, leaf))
    {
      clear_entry (entry);
      entry->leaf = NULL;
    }
  if (entry->body == NULL)
    {
      before = index > 0 ? get_entry (self, index - 1)->body : NULL;
      entry->body = _gadget_markdown_body_new (leaf);
      insert_child (self, entry->body, before);
      entry->markers = gadget_markdown_markers_new ();
    }
  gadget_markdown_markers_show (entry->markers, leaf, GTK_WIDGET (self), entry->body);
  if (entry->leaf == NULL || !gadget_markdown_leaf_equal (entry->leaf, leaf))
    _gadget_markdown_body_show (entry->body, entry->leaf, leaf, self->item, find_code (self, leaf));
  else
    _gadget_markdown_body_keep (entry->body, leaf);
  entry->leaf = leaf;
  _gadget_markdown_body_add_places (entry->body, leaf, self->places);
}

static void
gadget_markdown_view_dispose (GObject *object)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (object);

  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->tail, gtk_widget_unparent);
  g_array_set_size (self->places, 0);
  g_clear_object (&self->item);

  G_OBJECT_CLASS (gadget_markdown_view_parent_class)->dispose (object);
}

static void
gadget_markdown_view_finalize (GObject *object)
{
  GadgetMarkdownView *self = GADGET_MARKDOWN_VIEW (object);

  g_clear_pointer (&self->document, gadget_markdown_document_free);
  g_array_unref (self->places);
  g_hash_table_unref (self->list_indents);

  G_OBJECT_CLASS (gadget_markdown_view_parent_class)->finalize (object);
}

static void
gadget_markdown_view_class_init (GadgetMarkdownViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_markdown_view_dispose;
  object_class->finalize = gadget_markdown_view_finalize;
  widget_class->measure = gadget_markdown_view_measure;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->size_allocate = gadget_markdown_view_size_allocate;
  widget_class->snapshot = gadget_markdown_view_snapshot;
  widget_class->css_changed = gadget_markdown_view_css_changed;

  gtk_widget_class_set_css_name (widget_class, "markdown");
}

static void
gadget_markdown_view_init (GadgetMarkdownView *self)
{
  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->places = g_array_new (FALSE, FALSE, sizeof (GadgetTextMapping));
  self->list_indents = g_hash_table_new (NULL, NULL);
  self->look = get_style ();
}

/* gadget_markdown_view_new: returns a view without text. (transfer floating) */
GtkWidget *
gadget_markdown_view_new (void)
{
  return g_object_new (GADGET_TYPE_MARKDOWN_VIEW, NULL);
}

/**
 * gadget_markdown_view_set_source:
 * @item: the item with the text
 * @start: where in the text of @item the segment begins, in bytes
 * @context: where the block begins that the segment continues, else @start
 */
void
gadget_markdown_view_set_source (GadgetMarkdownView *self, GadgetItem *item, gsize start,
                                 gsize context)
{
  g_return_if_fail (GADGET_IS_MARKDOWN_VIEW (self) && GADGET_IS_ITEM (item));

  g_set_object (&self->item, item);
  self->start = start;
  self->context = context;
}

/**
 * gadget_markdown_view_set_document:
 * @document: (transfer full): the document to show
 * @top_spacing: space above the first leaf, in pixels
 */
void
gadget_markdown_view_set_document (GadgetMarkdownView *self, GadgetMarkdownDocument *document,
                                   int top_spacing)
{
  g_autoptr (GadgetMarkdownDocument) old = NULL;

  g_return_if_fail (GADGET_IS_MARKDOWN_VIEW (self) && document != NULL);

  old = g_steal_pointer (&self->document);
  self->document = document;
  self->top_spacing = top_spacing;
  g_array_set_size (self->places, 0);
  for (guint i = 0; i < document->leaves->len; i++)
    show_leaf (self, i, gadget_markdown_document_get_leaf (document, i));
  if (self->entries->len > document->leaves->len)
    g_array_set_size (self->entries, document->leaves->len);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

GArray *
gadget_markdown_view_get_places (GadgetMarkdownView *self)
{
  g_return_val_if_fail (GADGET_IS_MARKDOWN_VIEW (self), NULL);
  return self->places;
}

/* Returns the piece at the end, or NULL when the last leaf is no text. */
static GadgetSelectableText *
get_last_piece (GadgetMarkdownView *self)
{
  const Entry *last = self->entries->len > 0 ? get_entry (self, self->entries->len - 1) : NULL;

  if (last == NULL || last->leaf->kind == GADGET_MARKDOWN_RULE
      || last->leaf->kind == GADGET_MARKDOWN_PICTURE || self->places->len == 0)
    return NULL;
  return g_array_index (self->places, GadgetTextMapping, self->places->len - 1).piece;
}

void
gadget_markdown_view_set_caret (GadgetMarkdownView *self, gboolean caret)
{
  GadgetSelectableText *last;

  g_return_if_fail (GADGET_IS_MARKDOWN_VIEW (self));

  last = get_last_piece (self);
  for (guint i = 0; i < self->places->len; i++)
    {
      GadgetSelectableText *piece = g_array_index (self->places, GadgetTextMapping, i).piece;

      gadget_selectable_text_set_caret (piece, caret && piece == last);
    }
  if (caret && last == NULL && self->tail == NULL)
    {
      self->tail = gadget_selectable_text_new (GADGET_TEXT_WRAP);
      gadget_selectable_text_set_caret (GADGET_SELECTABLE_TEXT (self->tail), TRUE);
      gtk_widget_set_parent (self->tail, GTK_WIDGET (self));
    }
  else if ((!caret || last != NULL) && self->tail != NULL)
    g_clear_pointer (&self->tail, gtk_widget_unparent);
}

void
gadget_markdown_view_set_joined (GadgetMarkdownView *self, gboolean continued, gboolean continues)
{
  const guint n = self->entries->len;

  for (guint i = 0; i < n; i++)
    {
      const Entry *entry = get_entry (self, i);
      const gboolean nested = entry->leaf->n_containers > 0;

      if (GADGET_IS_CODE_BLOCK (entry->body))
        gadget_code_block_set_joined (GADGET_CODE_BLOCK (entry->body),
                                      nested ? entry->leaf->continued : continued && i == 0,
                                      continues && i + 1 == n);
    }
}
