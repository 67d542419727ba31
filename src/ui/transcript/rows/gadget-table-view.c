/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-table-view.h"

#include "gadget-table-grid.h"
#include "ui/common/gadget-ui.h"
#include "ui/text/gadget-horizontal-scroller.h"

#include <glib/gi18n.h>

struct _GadgetTableView
{
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GadgetTableGrid *grid;
};

G_DEFINE_FINAL_TYPE (GadgetTableView, gadget_table_view, GTK_TYPE_WIDGET)

/* A scrolled window does not ask its child for its height for a width, so the grid is measured
 * directly. */
static void
gadget_table_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetTableView *self = GADGET_TABLE_VIEW (widget);
  int least;

  gtk_widget_measure (GTK_WIDGET (self->grid), GTK_ORIENTATION_HORIZONTAL, -1, &least, natural,
                      NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
  else
    {
      gtk_widget_measure (GTK_WIDGET (self->grid), GTK_ORIENTATION_VERTICAL, MAX (for_size, least),
                          minimum, natural, NULL, NULL);
      *minimum = *natural;
    }
}

static void
gadget_table_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetTableView *self = GADGET_TABLE_VIEW (widget);

  /* GTK requires that a widget is measured before it is allocated, even if the result is not
   * used. */
  gtk_widget_measure (self->scrolled, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (self->scrolled, width, height, -1, NULL);
}

static void
gadget_table_view_dispose (GObject *object)
{
  g_clear_pointer (&GADGET_TABLE_VIEW (object)->scrolled, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_table_view_parent_class)->dispose (object);
}

static void
gadget_table_view_class_init (GadgetTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_table_view_dispose;
  widget_class->measure = gadget_table_view_measure;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->size_allocate = gadget_table_view_size_allocate;

  gtk_widget_class_set_css_name (widget_class, "tableview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
gadget_table_view_init (GadgetTableView *self)
{
  self->grid = GADGET_TABLE_GRID (gadget_table_grid_new ());
  self->scrolled = gadget_horizontal_scroller_new (GTK_WIDGET (self->grid), _ ("Table"));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

/* gadget_table_view_new: returns a view without a table. (transfer floating) */
GtkWidget *
gadget_table_view_new (void)
{
  return g_object_new (GADGET_TYPE_TABLE_VIEW, NULL);
}

void
gadget_table_view_show (GadgetTableView *self, const GadgetMarkdownTable *old,
                        const GadgetMarkdownTable *table)
{
  GtkTextDirection direction;

  g_return_if_fail (GADGET_IS_TABLE_VIEW (self));

  direction = gadget_table_grid_show (self->grid, old, table);
  /* With this direction, a table that is too wide is scrolled to its beginning. */
  gtk_widget_set_direction (GTK_WIDGET (self), direction);
  gtk_widget_set_direction (self->scrolled, direction);
  /* The viewport between the scrolled window and the grid. */
  gtk_widget_set_direction (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->scrolled)),
                            direction);
}

void
gadget_table_view_add_places (GadgetTableView *self, const GadgetMarkdownTable *table,
                              GArray *places)
{
  for (guint i = 0; i < table->cells->len; i++)
    {
      const GadgetTextMapping place = { gadget_table_grid_get_cell (self->grid, i),
                                        g_ptr_array_index (table->cells, i) };

      g_array_append_val (places, place);
    }
}
