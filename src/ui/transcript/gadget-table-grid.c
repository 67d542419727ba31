/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A column is as wide as its widest cell, if there is room; else all columns give way, none below
 * WIDTH_KEPT, and what is in their cells is broken into lines. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-table-grid.h"

#include "gadget-markdown-shape.h"
#include "gadget-text-piece-private.h"

#define PAD_X 12
#define PAD_Y 6
#define LINE 1
#define WIDTH_KEPT 160
#define LINE_ALPHA 0.1f
#define LINE_ALPHA_HEADER 0.25f

struct _GadgetTableGrid
{
  GtkWidget parent_instance;

  guint n_columns;
  guint n_rows;
  gboolean has_header;
  GPtrArray *cells; /* of GadgetTextPiece, children */
  int *widths;      /* of the columns, as last allocated */
  int *heights;     /* of the rows */
};

G_DEFINE_FINAL_TYPE (GadgetTableGrid, gadget_table_grid, GTK_TYPE_WIDGET)

static GtkWidget *
get_cell (GadgetTableGrid *self, guint row, guint column)
{
  return g_ptr_array_index (self->cells, row * self->n_columns + column);
}

static int
get_natural_width (GadgetTableGrid *self, guint column)
{
  int width = 0;

  for (guint row = 0; row < self->n_rows; row++)
    {
      int natural;

      gtk_widget_measure (get_cell (self, row, column), GTK_ORIENTATION_HORIZONTAL, -1, NULL,
                          &natural, NULL, NULL);
      width = MAX (width, natural);
    }
  return width;
}

/* The first column begins, and the last one ends, where the text around the table does. */
static int
get_padding (GadgetTableGrid *self)
{
  return self->n_columns > 0 ? 2 * PAD_X * ((int) self->n_columns - 1) : 0;
}

static int
get_cell_x (GadgetTableGrid *self, const int *widths, guint column)
{
  int x = 0;

  for (guint i = 0; i < column; i++)
    x += widths[i] + 2 * PAD_X;
  return x;
}

static void
add_widths (GadgetTableGrid *self, int *least, int *natural)
{
  *least = *natural = get_padding (self);
  for (guint i = 0; i < self->n_columns; i++)
    {
      const int width = get_natural_width (self, i);

      *natural += width;
      *least += MIN (width, WIDTH_KEPT);
    }
}

/* The widths of the columns when all of them have @width. (transfer full) */
static int *
share_width (GadgetTableGrid *self, int width)
{
  int *widths = g_new0 (int, self->n_columns);
  int least, natural;

  add_widths (self, &least, &natural);
  for (guint i = 0; i < self->n_columns; i++)
    {
      const int full = get_natural_width (self, i);
      const int kept = MIN (full, WIDTH_KEPT);

      widths[i] = full;
      if (width < natural)
        widths[i] =
            kept
            + (int) ((gint64) (full - kept) * MAX (width - least, 0) / MAX (natural - least, 1));
    }
  return widths;
}

static int
measure_row (GadgetTableGrid *self, guint row, const int *widths)
{
  int height = 0;

  for (guint column = 0; column < self->n_columns; column++)
    {
      int natural;

      gtk_widget_measure (get_cell (self, row, column), GTK_ORIENTATION_VERTICAL,
                          MAX (widths[column], 1), NULL, &natural, NULL, NULL);
      height = MAX (height, natural);
    }
  return height + 2 * PAD_Y;
}

static void
gadget_table_grid_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    add_widths (self, minimum, natural);
  else
    {
      g_autofree int *widths = share_width (self, for_size < 0 ? G_MAXINT : for_size);
      int height = 0;

      for (guint row = 0; row < self->n_rows; row++)
        height += measure_row (self, row, widths) + (row > 0 ? LINE : 0);
      *minimum = *natural = height;
    }
}

static GtkSizeRequestMode
gadget_table_grid_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
gadget_table_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (widget);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int y = 0;

  g_free (self->widths);
  self->widths = share_width (self, width);
  self->heights = g_renew (int, self->heights, self->n_rows);
  for (guint row = 0; row < self->n_rows; row++)
    {
      self->heights[row] = measure_row (self, row, self->widths);
      for (guint column = 0; column < self->n_columns; column++)
        {
          const int inside = get_cell_x (self, self->widths, column);
          const int cell_width = MAX (self->widths[column], 1);
          const graphene_point_t at = GRAPHENE_POINT_INIT (
              (float) (mirrored ? width - inside - cell_width : inside), (float) (y + PAD_Y));

          gtk_widget_allocate (get_cell (self, row, column), cell_width,
                               self->heights[row] - 2 * PAD_Y, -1,
                               gsk_transform_translate (NULL, &at));
        }
      y += self->heights[row] + LINE;
    }
}

static void
gadget_table_grid_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (widget);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const int width = self->n_columns > 0 && self->widths != NULL
                        ? get_cell_x (self, self->widths, self->n_columns) - 2 * PAD_X
                        : 0;
  const int x = mirrored ? gtk_widget_get_width (widget) - width : 0;
  GdkRGBA color;
  int y = 0;

  gtk_widget_get_color (widget, &color);
  for (guint row = 0; row + 1 < self->n_rows && self->heights != NULL; row++)
    {
      GdkRGBA line = color;

      y += self->heights[row];
      line.alpha *= row == 0 && self->has_header ? LINE_ALPHA_HEADER : LINE_ALPHA;
      gtk_snapshot_append_color (snapshot, &line,
                                 &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, LINE));
      y += LINE;
    }
  GTK_WIDGET_CLASS (gadget_table_grid_parent_class)->snapshot (widget, snapshot);
}

static void
drop_cell (gpointer cell)
{
  gtk_widget_unparent (GTK_WIDGET (cell));
}

static void
gadget_table_grid_dispose (GObject *object)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (object);

  g_ptr_array_set_size (self->cells, 0);
  self->n_rows = self->n_columns = 0;

  G_OBJECT_CLASS (gadget_table_grid_parent_class)->dispose (object);
}

static void
gadget_table_grid_finalize (GObject *object)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (object);

  g_ptr_array_unref (self->cells);
  g_free (self->widths);
  g_free (self->heights);

  G_OBJECT_CLASS (gadget_table_grid_parent_class)->finalize (object);
}

static void
gadget_table_grid_class_init (GadgetTableGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_table_grid_dispose;
  object_class->finalize = gadget_table_grid_finalize;
  widget_class->measure = gadget_table_grid_measure;
  widget_class->get_request_mode = gadget_table_grid_get_request_mode;
  widget_class->size_allocate = gadget_table_grid_size_allocate;
  widget_class->snapshot = gadget_table_grid_snapshot;

  gtk_widget_class_set_css_name (widget_class, "tablegrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
gadget_table_grid_init (GadgetTableGrid *self)
{
  self->cells = g_ptr_array_new_with_free_func (drop_cell);
}

GtkWidget *
gadget_table_grid_new (void)
{
  return g_object_new (GADGET_TYPE_TABLE_GRID, NULL);
}

static PangoAlignment
to_pango (GadgetMarkdownAlignment alignment)
{
  switch (alignment)
    {
    case GADGET_MARKDOWN_ALIGN_CENTER:
      return PANGO_ALIGN_CENTER;
    case GADGET_MARKDOWN_ALIGN_RIGHT:
      return PANGO_ALIGN_RIGHT;
    case GADGET_MARKDOWN_ALIGN_NONE:
    case GADGET_MARKDOWN_ALIGN_LEFT:
    default:
      return PANGO_ALIGN_LEFT;
    }
}

/* Cells are in the order of the text, for the keyboard and for screen readers. */
static void
add_cell (GadgetTableGrid *self)
{
  const gboolean header = self->has_header && self->cells->len < self->n_columns;
  GtkWidget *cell = gadget_text_piece_new_with_role (
      GADGET_TEXT_SHRINK, header ? GTK_ACCESSIBLE_ROLE_COLUMN_HEADER : GTK_ACCESSIBLE_ROLE_CELL);

  gtk_widget_set_parent (cell, GTK_WIDGET (self));
  g_ptr_array_add (self->cells, cell);
}

static void
show_cell (GadgetTableGrid *self, const GadgetMarkdownTable *table, guint row, guint column)
{
  GtkWidget *cell = get_cell (self, row, column);

  gadget_text_piece_set_alignment (GADGET_TEXT_PIECE (cell), to_pango (table->alignments[column]));
  gadget_markdown_shape_apply (gadget_markdown_table_get_cell (table, row, column),
                               GADGET_TEXT_PIECE (cell));
  if (row == 0 && table->has_header)
    gtk_widget_add_css_class (cell, "heading");
  else
    gtk_widget_remove_css_class (cell, "heading");
}

/* Pango tells no difference between a text that runs from left to right and one of digits only, but
 * its layouts say what the first letter decides. */
static GtkTextDirection
find_cell_direction (GtkWidget *cell, const GadgetMarkdownText *text)
{
  PangoLayout *layout = _gadget_text_piece_get_layout (GADGET_TEXT_PIECE (cell));

  for (const char *p = text->text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalpha (g_utf8_get_char (p)))
      return pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL ? GTK_TEXT_DIR_RTL
                                                                           : GTK_TEXT_DIR_LTR;
  return GTK_TEXT_DIR_NONE;
}

/* That of the first cell that has one: a table begins where its text does, whatever the language of
 * the window. */
static GtkTextDirection
find_direction (GadgetTableGrid *self, const GadgetMarkdownTable *table)
{
  GtkTextDirection direction = GTK_TEXT_DIR_NONE;

  for (guint i = 0; i < table->cells->len && direction == GTK_TEXT_DIR_NONE; i++)
    direction = find_cell_direction (g_ptr_array_index (self->cells, i),
                                     g_ptr_array_index (table->cells, i));
  return direction;
}

/* A widget without a direction of its own has that of the window, not of what it is in. */
static void
set_direction (GadgetTableGrid *self, GtkTextDirection direction)
{
  gtk_widget_set_direction (GTK_WIDGET (self), direction);
  for (guint i = 0; i < self->cells->len; i++)
    gtk_widget_set_direction (g_ptr_array_index (self->cells, i), direction);
}

/**
 * gadget_table_grid_show:
 *
 * Returns: the direction that its texts have, or %GTK_TEXT_DIR_NONE
 */
GtkTextDirection
gadget_table_grid_show (GadgetTableGrid *self, const GadgetMarkdownTable *table)
{
  const guint n_cells = table->n_rows * table->n_columns;
  GtkTextDirection direction;

  g_return_val_if_fail (GADGET_IS_TABLE_GRID (self), GTK_TEXT_DIR_NONE);

  /* A widget keeps the role that it was made with. */
  if (self->n_columns != table->n_columns || self->has_header != table->has_header)
    g_ptr_array_set_size (self->cells, 0);
  self->n_rows = table->n_rows;
  self->n_columns = table->n_columns;
  self->has_header = table->has_header;
  if (self->cells->len > n_cells)
    g_ptr_array_set_size (self->cells, (int) n_cells);
  while (self->cells->len < n_cells)
    add_cell (self);
  for (guint row = 0; row < table->n_rows; row++)
    for (guint column = 0; column < table->n_columns; column++)
      show_cell (self, table, row, column);
  direction = find_direction (self, table);
  set_direction (self, direction);
  g_clear_pointer (&self->widths, g_free);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return direction;
}

GadgetTextPiece *
gadget_table_grid_get_cell (GadgetTableGrid *self, guint index)
{
  g_return_val_if_fail (index < self->cells->len, NULL);
  return g_ptr_array_index (self->cells, index);
}
