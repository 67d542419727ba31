/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A column is as wide as its widest cell if there is room. Otherwise all columns wider than
 * WIDTH_KEPT become narrower, though not narrower than that, and the text in their cells wraps.
 *
 * The rows are in groups, so that updating a growing table costs only as much as its last group. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-table-grid.h"

#include "gadget-table-rows.h"
#include "ui/common/gadget-ui.h"
#include "ui/text/gadget-selectable-text.h"

#define WIDTH_KEPT 160
#define GROUP_ROWS 32

struct _GadgetTableGrid
{
  GtkWidget parent_instance;

  guint n_columns;
  gboolean has_header;
  GPtrArray *groups; /* of GadgetTableRows, children: GROUP_ROWS rows each, fewer in the last one */
};

G_DEFINE_FINAL_TYPE (GadgetTableGrid, gadget_table_grid, GTK_TYPE_WIDGET)

static GadgetTableRows *
get_group (GadgetTableGrid *self, guint index)
{
  return g_ptr_array_index (self->groups, index);
}

/* Returns the natural width of each column. (transfer full) */
static int *
get_natural_widths (GadgetTableGrid *self)
{
  int *widths = g_new0 (int, self->n_columns);

  for (guint i = 0; i < self->groups->len; i++)
    gadget_table_rows_add_widths (get_group (self, i), widths);
  return widths;
}

/* Returns the padding between the columns; there is none before the first and after the last
 * column, which are aligned with the text around the table. */
static int
get_padding (GadgetTableGrid *self)
{
  return self->n_columns > 0 ? 2 * GADGET_TABLE_PAD_X * ((int) self->n_columns - 1) : 0;
}

static void
sum_widths (GadgetTableGrid *self, const int *widths, int *least, int *natural)
{
  *least = *natural = get_padding (self);
  for (guint i = 0; i < self->n_columns; i++)
    {
      *natural += widths[i];
      *least += MIN (widths[i], WIDTH_KEPT);
    }
}

/* Returns the widths of the columns when the table is @width wide. (transfer full) */
static int *
share_width (GadgetTableGrid *self, int width)
{
  int *widths = get_natural_widths (self);
  int least, natural;

  sum_widths (self, widths, &least, &natural);
  for (guint i = 0; i < self->n_columns && width < natural; i++)
    {
      const int kept = MIN (widths[i], WIDTH_KEPT);

      widths[i] =
          kept
          + (int) ((gint64) (widths[i] - kept) * MAX (width - least, 0) / MAX (natural - least, 1));
    }
  return widths;
}

static void
gadget_table_grid_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      g_autofree int *widths = get_natural_widths (self);

      sum_widths (self, widths, minimum, natural);
    }
  else
    {
      g_autofree int *widths = share_width (self, for_size < 0 ? G_MAXINT : for_size);
      int height = 0;

      for (guint i = 0; i < self->groups->len; i++)
        height += gadget_table_rows_get_height (get_group (self, i), widths);
      *minimum = *natural = height;
    }
}

static void
gadget_table_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (widget);
  g_autofree int *widths = share_width (self, width);
  int y = 0;

  for (guint i = 0; i < self->groups->len; i++)
    {
      gadget_table_rows_allocate (get_group (self, i), widths, y, width);
      y += gadget_table_rows_get_height (get_group (self, i), widths);
    }
}

static void
drop_group (gpointer group)
{
  gtk_widget_unparent (GTK_WIDGET (group));
}

static void
gadget_table_grid_dispose (GObject *object)
{
  GadgetTableGrid *self = GADGET_TABLE_GRID (object);

  g_ptr_array_set_size (self->groups, 0);
  self->n_columns = 0;

  G_OBJECT_CLASS (gadget_table_grid_parent_class)->dispose (object);
}

static void
gadget_table_grid_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_TABLE_GRID (object)->groups);

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
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->size_allocate = gadget_table_grid_size_allocate;

  gtk_widget_class_set_css_name (widget_class, "tablegrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
gadget_table_grid_init (GadgetTableGrid *self)
{
  self->groups = g_ptr_array_new_with_free_func (drop_group);
}

GtkWidget *
gadget_table_grid_new (void)
{
  return g_object_new (GADGET_TYPE_TABLE_GRID, NULL);
}

/* Pango reports left-to-right also for a text without letters, so a letter must be found first;
 * then the direction of the layout is that of the text. */
static GtkTextDirection
find_cell_direction (GtkWidget *cell, const GadgetMarkdownText *text)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (cell));

  for (const char *p = text->text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalpha (g_utf8_get_char (p)))
      return pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL ? GTK_TEXT_DIR_RTL
                                                                           : GTK_TEXT_DIR_LTR;
  return GTK_TEXT_DIR_NONE;
}

/* Returns the direction of the first cell that has one: a table begins at the side where its text
 * does, whatever the language of the window. */
static GtkTextDirection
find_direction (GadgetTableGrid *self, const GadgetMarkdownTable *table)
{
  GtkTextDirection direction = GTK_TEXT_DIR_NONE;

  for (guint i = 0; i < table->cells->len && direction == GTK_TEXT_DIR_NONE; i++)
    direction = find_cell_direction (GTK_WIDGET (gadget_table_grid_get_cell (self, i)),
                                     g_ptr_array_index (table->cells, i));
  return direction;
}

/* Sets the direction on all groups and cells, since a widget without a direction of its own has
 * that of the window and not that of its parent. */
static void
set_direction (GadgetTableGrid *self, GtkTextDirection direction)
{
  gtk_widget_set_direction (GTK_WIDGET (self), direction);
  for (guint i = 0; i < self->groups->len; i++)
    gadget_table_rows_set_direction (get_group (self, i), direction);
}

static void
add_group (GadgetTableGrid *self)
{
  GtkWidget *group = gadget_table_rows_new (self->n_columns, self->has_header);

  gtk_widget_set_parent (group, GTK_WIDGET (self));
  g_ptr_array_add (self->groups, group);
}

/**
 * gadget_table_grid_show:
 * @old: (nullable): the table that was shown before; its equal cells are kept
 *
 * Returns: the direction of the table's texts, or %GTK_TEXT_DIR_NONE
 */
GtkTextDirection
gadget_table_grid_show (GadgetTableGrid *self, const GadgetMarkdownTable *old,
                        const GadgetMarkdownTable *table)
{
  const guint n_groups = (table->n_rows + GROUP_ROWS - 1) / GROUP_ROWS;
  GtkTextDirection direction;

  g_return_val_if_fail (GADGET_IS_TABLE_GRID (self), GTK_TEXT_DIR_NONE);

  /* The accessible role of a cell cannot change, so all cells are made anew. */
  if (self->n_columns != table->n_columns || self->has_header != table->has_header)
    {
      g_ptr_array_set_size (self->groups, 0);
      old = NULL;
    }
  self->n_columns = table->n_columns;
  self->has_header = table->has_header;
  if (self->groups->len > n_groups)
    {
      g_ptr_array_set_size (self->groups, (int) n_groups);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
  for (guint i = 0; i < n_groups; i++)
    {
      if (i == self->groups->len)
        add_group (self);
      gadget_table_rows_show (get_group (self, i), old, table, i * GROUP_ROWS,
                              MIN (GROUP_ROWS, table->n_rows - i * GROUP_ROWS));
    }
  direction = find_direction (self, table);
  set_direction (self, direction);
  return direction;
}

GadgetSelectableText *
gadget_table_grid_get_cell (GadgetTableGrid *self, guint index)
{
  const guint n_cells = GROUP_ROWS * self->n_columns;

  g_return_val_if_fail (index / n_cells < self->groups->len, NULL);
  return gadget_table_rows_get_cell (get_group (self, index / n_cells), index % n_cells);
}
