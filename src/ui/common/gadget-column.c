/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-column.h"

#define COLUMN_WIDTH 760
#define NARROW_WIDTH 560
#define MARGIN_SIDE 24
#define MARGIN_SIDE_NARROW 12

struct _GadgetColumnLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetColumnLayout, gadget_column_layout, GTK_TYPE_LAYOUT_MANAGER)

int
gadget_column_get_width (int width)
{
  const int margin = width < NARROW_WIDTH ? MARGIN_SIDE_NARROW : MARGIN_SIDE;

  return MAX (1, MIN (COLUMN_WIDTH, width - 2 * margin));
}

static GtkSizeRequestMode
gadget_column_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
gadget_column_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                              GtkOrientation orientation, int for_size, int *minimum, int *natural,
                              int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child == NULL || !gtk_widget_should_layout (child))
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (child, orientation, -1, minimum, natural, NULL, NULL);
      *minimum += 2 * MARGIN_SIDE_NARROW;
      *natural = MAX (*natural, COLUMN_WIDTH) + 2 * MARGIN_SIDE;
      return;
    }
  gtk_widget_measure (child, orientation, for_size < 0 ? -1 : gadget_column_get_width (for_size),
                      minimum, natural, NULL, NULL);
}

static void
gadget_column_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                               int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  const int column = gadget_column_get_width (width);
  const int x = (width - column) / 2;
  const graphene_point_t origin = GRAPHENE_POINT_INIT ((float) x, 0);

  if (child != NULL && gtk_widget_should_layout (child))
    gtk_widget_allocate (child, column, height, baseline, gsk_transform_translate (NULL, &origin));
}

static void
gadget_column_layout_class_init (GadgetColumnLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = gadget_column_layout_get_request_mode;
  layout_class->measure = gadget_column_layout_measure;
  layout_class->allocate = gadget_column_layout_allocate;
}

static void
gadget_column_layout_init (GadgetColumnLayout *self)
{
}
