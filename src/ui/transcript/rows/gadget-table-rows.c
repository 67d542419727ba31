/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The grid tells the rows how wide the columns are. GTK calls measure () again only when a cell has
 * changed; until then the heights are kept together with the column widths that they were measured
 * for. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-table-rows.h"

#include "ui/markdown/gadget-markdown-attributes.h"

#include <string.h>

#define LINE_ALPHA 0.1f
#define LINE_ALPHA_HEADER 0.25f

struct _GadgetTableRows
{
  GtkWidget parent_instance;

  guint n_columns;
  guint n_rows;
  guint first; /* number in the table of the first row in this widget */
  gboolean has_header;
  GPtrArray *cells;  /* of GadgetSelectableText, children */
  GArray *naturals;  /* of int: the natural width of each cell */
  GArray *heights;   /* of int: the height of each row in columns of @widths, without its line */
  int *widths;       /* of each column */
  gboolean measured; /* whether @heights are valid for @widths */
  int *allocated;    /* the widths of the columns when the cells were last allocated */
};

G_DEFINE_FINAL_TYPE (GadgetTableRows, gadget_table_rows, GTK_TYPE_WIDGET)

static GtkWidget *
get_cell (GadgetTableRows *self, guint row, guint column)
{
  return g_ptr_array_index (self->cells, row * self->n_columns + column);
}

static int
get_natural (GadgetTableRows *self, guint row, guint column)
{
  return g_array_index (self->naturals, int, row * self->n_columns + column);
}

static int
get_height (GadgetTableRows *self, guint row)
{
  return g_array_index (self->heights, int, row);
}

/* Returns the height of the line above a row; the first row of the table has none. */
static int
get_line (GadgetTableRows *self, guint row)
{
  return self->first + row > 0 ? GADGET_TABLE_LINE : 0;
}

static int
get_cell_x (GadgetTableRows *self, const int *widths, guint column)
{
  int x = 0;

  for (guint i = 0; i < column; i++)
    x += widths[i] + 2 * GADGET_TABLE_PAD_X;
  return x;
}

/* --- Sizes --- */

static void
measure_cells (GadgetTableRows *self)
{
  g_array_set_size (self->naturals, self->cells->len);
  for (guint i = 0; i < self->cells->len; i++)
    gtk_widget_measure (g_ptr_array_index (self->cells, i), GTK_ORIENTATION_HORIZONTAL, -1, NULL,
                        &g_array_index (self->naturals, int, i), NULL, NULL);
  self->measured = FALSE;
}

static int
measure_row (GadgetTableRows *self, guint row)
{
  int height = 0;

  for (guint column = 0; column < self->n_columns; column++)
    {
      /* A cell that fits is not higher in a wider column; with its natural width it need not be
       * laid out again. */
      const int width = MIN (self->widths[column], get_natural (self, row, column));
      int natural;

      gtk_widget_measure (get_cell (self, row, column), GTK_ORIENTATION_VERTICAL, MAX (width, 1),
                          NULL, &natural, NULL, NULL);
      height = MAX (height, natural);
    }
  return height + 2 * GADGET_TABLE_PAD_Y;
}

static int
sum_heights (GadgetTableRows *self)
{
  int height = 0;

  for (guint row = 0; row < self->heights->len; row++)
    height += get_line (self, row) + get_height (self, row);
  return height;
}

/* GTK calls this after a cell has changed, before the widths are used again, so the cells are
 * measured here. */
static void
gadget_table_rows_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetTableRows *self = GADGET_TABLE_ROWS (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      measure_cells (self);
      *minimum = *natural = 0;
    }
  else
    *minimum = *natural = sum_heights (self);
}

static void
gadget_table_rows_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetTableRows *self = GADGET_TABLE_ROWS (widget);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int y = 0;

  for (guint row = 0; row < self->heights->len; row++)
    {
      y += get_line (self, row);
      for (guint column = 0; column < self->n_columns; column++)
        {
          const int inside = get_cell_x (self, self->widths, column);
          const int cell_width = MAX (self->widths[column], 1);
          const graphene_point_t at =
              GRAPHENE_POINT_INIT ((float) (mirrored ? width - inside - cell_width : inside),
                                   (float) (y + GADGET_TABLE_PAD_Y));

          gtk_widget_allocate (get_cell (self, row, column), cell_width,
                               get_height (self, row) - 2 * GADGET_TABLE_PAD_Y, -1,
                               gsk_transform_translate (NULL, &at));
        }
      y += get_height (self, row);
    }
}

/* --- Drawing --- */

static void
gadget_table_rows_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetTableRows *self = GADGET_TABLE_ROWS (widget);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const int width = get_cell_x (self, self->widths, self->n_columns)
                    - (self->n_columns > 0 ? 2 * GADGET_TABLE_PAD_X : 0);
  const int x = mirrored ? gtk_widget_get_width (widget) - width : 0;
  GdkRGBA color;
  int y = 0;

  gtk_widget_get_color (widget, &color);
  for (guint row = 0; row < self->heights->len; row++)
    {
      GdkRGBA line = color;

      line.alpha *= self->first + row == 1 && self->has_header ? LINE_ALPHA_HEADER : LINE_ALPHA;
      if (get_line (self, row) > 0)
        gtk_snapshot_append_color (
            snapshot, &line,
            &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, GADGET_TABLE_LINE));
      y += get_line (self, row) + get_height (self, row);
    }
  GTK_WIDGET_CLASS (gadget_table_rows_parent_class)->snapshot (widget, snapshot);
}

static void
drop_cell (gpointer cell)
{
  gtk_widget_unparent (GTK_WIDGET (cell));
}

static void
gadget_table_rows_dispose (GObject *object)
{
  GadgetTableRows *self = GADGET_TABLE_ROWS (object);

  g_ptr_array_set_size (self->cells, 0);
  self->n_rows = 0;

  G_OBJECT_CLASS (gadget_table_rows_parent_class)->dispose (object);
}

static void
gadget_table_rows_finalize (GObject *object)
{
  GadgetTableRows *self = GADGET_TABLE_ROWS (object);

  g_ptr_array_unref (self->cells);
  g_array_unref (self->naturals);
  g_array_unref (self->heights);
  g_free (self->widths);
  g_free (self->allocated);

  G_OBJECT_CLASS (gadget_table_rows_parent_class)->finalize (object);
}

static void
gadget_table_rows_class_init (GadgetTableRowsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = gadget_table_rows_dispose;
  object_class->finalize = gadget_table_rows_finalize;
  widget_class->measure = gadget_table_rows_measure;
  widget_class->size_allocate = gadget_table_rows_size_allocate;
  widget_class->snapshot = gadget_table_rows_snapshot;

  gtk_widget_class_set_css_name (widget_class, "tablerows");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ROW_GROUP);
}

static void
gadget_table_rows_init (GadgetTableRows *self)
{
  self->cells = g_ptr_array_new_with_free_func (drop_cell);
  self->naturals = g_array_new (FALSE, TRUE, sizeof (int));
  self->heights = g_array_new (FALSE, TRUE, sizeof (int));
}

/**
 * gadget_table_rows_new:
 * @n_columns: the number of columns, which cannot be changed
 * @has_header: whether the first row has the names of the columns
 *
 * Returns: (transfer floating): the layout of some rows of a table, without cells yet
 */
GtkWidget *
gadget_table_rows_new (guint n_columns, gboolean has_header)
{
  GadgetTableRows *self = g_object_new (GADGET_TYPE_TABLE_ROWS, NULL);

  self->n_columns = n_columns;
  self->has_header = has_header;
  self->widths = g_new0 (int, n_columns);
  self->allocated = g_new0 (int, n_columns);
  return GTK_WIDGET (self);
}

/* --- Cells --- */

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

/* Cells are added in the order of the text, for the keyboard and for screen readers. */
static void
add_cell (GadgetTableRows *self)
{
  const gboolean header =
      self->has_header && self->first == 0 && self->cells->len < self->n_columns;
  GtkWidget *cell = gadget_selectable_text_new_with_role (
      GADGET_TEXT_SHRINK, header ? GTK_ACCESSIBLE_ROLE_COLUMN_HEADER : GTK_ACCESSIBLE_ROLE_CELL);

  if (header)
    gtk_widget_add_css_class (cell, "heading");
  gtk_widget_set_parent (cell, GTK_WIDGET (self));
  g_ptr_array_add (self->cells, cell);
}

static gboolean
is_shown (const GadgetMarkdownTable *old, const GadgetMarkdownTable *table, guint row, guint column)
{
  return old != NULL && row < old->n_rows && old->alignments[column] == table->alignments[column]
         && gadget_markdown_text_equal (gadget_markdown_table_get_cell (old, row, column),
                                        gadget_markdown_table_get_cell (table, row, column));
}

static void
show_cell (GadgetTableRows *self, const GadgetMarkdownTable *table, guint row, guint column)
{
  GadgetSelectableText *cell = GADGET_SELECTABLE_TEXT (get_cell (self, row, column));

  gadget_selectable_text_set_alignment (cell, to_pango (table->alignments[column]));
  gadget_markdown_attributes_apply (
      gadget_markdown_table_get_cell (table, self->first + row, column), cell);
}

void
gadget_table_rows_show (GadgetTableRows *self, const GadgetMarkdownTable *old,
                        const GadgetMarkdownTable *table, guint first, guint n_rows)
{
  guint n_before;

  g_return_if_fail (GADGET_IS_TABLE_ROWS (self) && self->n_columns == table->n_columns);
  g_return_if_fail (first + n_rows <= table->n_rows);

  n_before = self->n_rows;
  self->first = first;
  self->n_rows = n_rows;
  if (n_rows < n_before)
    g_ptr_array_set_size (self->cells, (int) (n_rows * self->n_columns));
  while (self->cells->len < n_rows * self->n_columns)
    add_cell (self);
  for (guint row = 0; row < n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      if (row >= n_before || !is_shown (old, table, first + row, column))
        show_cell (self, table, row, column);
  if (n_rows != n_before)
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
gadget_table_rows_set_direction (GadgetTableRows *self, GtkTextDirection direction)
{
  g_return_if_fail (GADGET_IS_TABLE_ROWS (self));

  gtk_widget_set_direction (GTK_WIDGET (self), direction);
  for (guint i = 0; i < self->cells->len; i++)
    gtk_widget_set_direction (g_ptr_array_index (self->cells, i), direction);
}

void
gadget_table_rows_add_widths (GadgetTableRows *self, int *widths)
{
  g_return_if_fail (GADGET_IS_TABLE_ROWS (self));

  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  for (guint row = 0; row < self->n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      widths[column] = MAX (widths[column], get_natural (self, row, column));
}

int
gadget_table_rows_get_height (GadgetTableRows *self, const int *widths)
{
  const gsize size = self->n_columns * sizeof *widths;

  g_return_val_if_fail (GADGET_IS_TABLE_ROWS (self), 0);

  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  if (!self->measured || memcmp (self->widths, widths, size) != 0)
    {
      memcpy (self->widths, widths, size);
      g_array_set_size (self->heights, self->n_rows);
      for (guint row = 0; row < self->n_rows; row++)
        g_array_index (self->heights, int, row) = measure_row (self, row);
      self->measured = TRUE;
    }
  return sum_heights (self);
}

void
gadget_table_rows_allocate (GadgetTableRows *self, const int *widths, int y, int width)
{
  const int height = gadget_table_rows_get_height (self, widths);
  const gsize size = self->n_columns * sizeof *widths;

  /* When the columns moved but the total width is the same, GTK would skip the allocation. */
  if (memcmp (self->allocated, widths, size) != 0)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  memcpy (self->allocated, widths, size);
  gtk_widget_allocate (GTK_WIDGET (self), width, height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, (float) y)));
}

GadgetSelectableText *
gadget_table_rows_get_cell (GadgetTableRows *self, guint index)
{
  g_return_val_if_fail (index < self->cells->len, NULL);
  return g_ptr_array_index (self->cells, index);
}
