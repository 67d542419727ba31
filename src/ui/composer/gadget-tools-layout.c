/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-tools-layout.h"

struct _GadgetToolsLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetToolsLayout, gadget_tools_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
gadget_tools_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
gadget_tools_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                             GtkOrientation orientation, int for_size, int *minimum, int *natural,
                             int *minimum_baseline, int *natural_baseline)
{
  const gboolean row = orientation == GTK_ORIENTATION_HORIZONTAL;

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum, child_natural;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, -1, &child_minimum, &child_natural, NULL, NULL);
      *minimum = row ? *minimum + child_minimum : MAX (*minimum, child_minimum);
      *natural = row ? *natural + child_natural : MAX (*natural, child_natural);
    }
}

static GArray *
measure_children (GtkWidget *widget, int *room)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (GtkRequestedSize));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkRequestedSize size = { .data = child };

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &size.minimum_size,
                          &size.natural_size, NULL, NULL);
      *room -= size.minimum_size;
      g_array_append_val (sizes, size);
    }
  return sizes;
}

/* Distributes @room over the children; the minimum sizes become the allocated ones. */
static void
share (GArray *sizes, int room)
{
  for (guint i = 0; i < sizes->len && room > 0; i++)
    {
      GtkRequestedSize *size =
          &g_array_index (sizes, GtkRequestedSize, (i + sizes->len - 1) % sizes->len);
      const int missing = size->natural_size - size->minimum_size;
      const int more = missing <= room ? missing : i == 0 ? room : 0;

      size->minimum_size += more;
      room -= more;
    }
}

static void
gadget_tools_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                              int baseline)
{
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int room = width;
  g_autoptr (GArray) sizes = measure_children (widget, &room);
  int x = 0;

  share (sizes, room);
  for (guint i = 0; i < sizes->len; i++)
    {
      const GtkRequestedSize *size = &g_array_index (sizes, GtkRequestedSize, i);
      const int left = mirrored ? width - x - size->minimum_size : x;

      gtk_widget_allocate (size->data, size->minimum_size, height, baseline,
                           gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) left, 0)));
      x += size->minimum_size;
    }
}

static void
gadget_tools_layout_class_init (GadgetToolsLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = gadget_tools_layout_get_request_mode;
  layout_class->measure = gadget_tools_layout_measure;
  layout_class->allocate = gadget_tools_layout_allocate;
}

static void
gadget_tools_layout_init (GadgetToolsLayout *self)
{
}
