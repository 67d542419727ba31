/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-tile-layout.h"

#define MAX_COLUMNS 3
#define SPACING 6

struct _GadgetTileLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetTileLayout, gadget_tile_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Measures the largest tile. Returns the number of tiles. */
static int
measure_tiles (GtkWidget *widget, GtkOrientation orientation, int *minimum, int *natural)
{
  int n = 0;

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum;
      int child_natural;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, -1, &child_minimum, &child_natural, NULL, NULL);
      *minimum = MAX (*minimum, child_minimum);
      *natural = MAX (*natural, child_natural);
      n++;
    }
  return n;
}

static int
get_columns (GtkWidget *widget, int width)
{
  int minimum;
  int natural;

  measure_tiles (widget, GTK_ORIENTATION_HORIZONTAL, &minimum, &natural);
  if (width < 0)
    return MAX_COLUMNS;
  return CLAMP ((width + SPACING) / (natural + SPACING), 1, MAX_COLUMNS);
}

static GtkSizeRequestMode
gadget_tile_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
gadget_tile_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                            GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  const int n = measure_tiles (widget, orientation, minimum, natural);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *natural = MAX_COLUMNS * (*natural + SPACING) - SPACING;
    }
  else
    {
      const int columns = get_columns (widget, for_size);
      const int rows = (n + columns - 1) / columns;

      *minimum = *natural = MAX (rows * (*natural + SPACING) - SPACING, 0);
    }
}

static void
gadget_tile_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                             int baseline)
{
  const int columns = get_columns (widget, width);
  const gboolean from_right = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int tile_minimum;
  int tile_height;
  int i = 0;

  measure_tiles (widget, GTK_ORIENTATION_VERTICAL, &tile_minimum, &tile_height);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      const int column = from_right ? columns - 1 - i % columns : i % columns;
      /* The edges are rounded, not the widths, so that the last tile ends at the end of the row. */
      const int start = column * (width + SPACING) / columns;
      const int end = (column + 1) * (width + SPACING) / columns - SPACING;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_size_allocate (child,
                                &(GtkAllocation) { start, i / columns * (tile_height + SPACING),
                                                   end - start, tile_height },
                                -1);
      i++;
    }
}

static void
gadget_tile_layout_class_init (GadgetTileLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = gadget_tile_layout_get_request_mode;
  layout_class->measure = gadget_tile_layout_measure;
  layout_class->allocate = gadget_tile_layout_allocate;
}

static void
gadget_tile_layout_init (GadgetTileLayout *self)
{
}
