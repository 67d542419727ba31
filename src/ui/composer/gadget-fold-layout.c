/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-fold-layout.h"

#include "ui/common/gadget-ui.h"

struct _GadgetFoldLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetFoldLayout, gadget_fold_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
gadget_fold_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                            GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child == NULL || !gtk_widget_should_layout (child))
    return;
  gtk_widget_measure (child, orientation, -1, minimum, natural, minimum_baseline, natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
}

static void
gadget_fold_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                             int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int natural;

  if (child == NULL || !gtk_widget_should_layout (child))
    return;
  natural = gadget_ui_get_natural_width (child);
  gtk_widget_set_child_visible (child, width >= natural);
  gtk_widget_allocate (child, MAX (width, natural), height, baseline, NULL);
}

static void
gadget_fold_layout_class_init (GadgetFoldLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = gadget_fold_layout_measure;
  layout_class->allocate = gadget_fold_layout_allocate;
}

static void
gadget_fold_layout_init (GadgetFoldLayout *self)
{
}
