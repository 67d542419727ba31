/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The width alone decides which child is shown, so that the height is right in the same frame. */

#define G_LOG_DOMAIN "gadget-card"

#include "config.h"

#include "gadget-narrow-bin.h"
#include "ui/common/gadget-ui.h"

struct _GadgetNarrowBin
{
  GtkWidget parent_instance;

  GtkWidget *wide;
  GtkWidget *narrow;
};

G_DEFINE_FINAL_TYPE (GadgetNarrowBin, gadget_narrow_bin, GTK_TYPE_WIDGET)

static GtkWidget *
choose (GadgetNarrowBin *self, int width)
{
  return width >= 0 && width < GADGET_CARD_NARROW ? self->narrow : self->wide;
}

static void
gadget_narrow_bin_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetNarrowBin *self = GADGET_NARROW_BIN (widget);
  int wide;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      gtk_widget_measure (choose (self, for_size), orientation, for_size, minimum, natural, NULL,
                          NULL);
      return;
    }
  gtk_widget_measure (self->narrow, orientation, -1, minimum, NULL, NULL, NULL);
  gtk_widget_measure (self->wide, orientation, -1, NULL, &wide, NULL, NULL);
  *natural = MAX (wide, *minimum);
}

static void
gadget_narrow_bin_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetNarrowBin *self = GADGET_NARROW_BIN (widget);
  GtkWidget *shown = choose (self, width);

  gtk_widget_set_child_visible (self->wide, shown == self->wide);
  gtk_widget_set_child_visible (self->narrow, shown == self->narrow);
  gtk_widget_allocate (shown, width, height, -1, NULL);
}

static void
gadget_narrow_bin_dispose (GObject *object)
{
  GadgetNarrowBin *self = GADGET_NARROW_BIN (object);

  g_clear_pointer (&self->wide, gtk_widget_unparent);
  g_clear_pointer (&self->narrow, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_narrow_bin_parent_class)->dispose (object);
}

static void
gadget_narrow_bin_class_init (GadgetNarrowBinClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_narrow_bin_dispose;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->measure = gadget_narrow_bin_measure;
  widget_class->size_allocate = gadget_narrow_bin_size_allocate;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void
gadget_narrow_bin_init (GadgetNarrowBin *self)
{
}

GtkWidget *
gadget_narrow_bin_new (GtkWidget *wide, GtkWidget *narrow)
{
  GadgetNarrowBin *self = g_object_new (GADGET_TYPE_NARROW_BIN, NULL);

  self->wide = wide;
  self->narrow = narrow;
  gtk_widget_set_parent (wide, GTK_WIDGET (self));
  gtk_widget_set_parent (narrow, GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (narrow), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  return GTK_WIDGET (self);
}
