/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-inspector"

#include "config.h"

#include "gadget-meter-row.h"

struct _GadgetMeterRow
{
  GtkListBoxRow parent_instance;

  GtkLabel *name;
  GtkLabel *value;
  GtkProgressBar *bar;
};

G_DEFINE_FINAL_TYPE (GadgetMeterRow, gadget_meter_row, GTK_TYPE_LIST_BOX_ROW)

static void
gadget_meter_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_METER_ROW);

  G_OBJECT_CLASS (gadget_meter_row_parent_class)->dispose (object);
}

static void
gadget_meter_row_class_init (GadgetMeterRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_meter_row_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/inspector/gadget-meter-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetMeterRow, name);
  gtk_widget_class_bind_template_child (widget_class, GadgetMeterRow, value);
  gtk_widget_class_bind_template_child (widget_class, GadgetMeterRow, bar);
}

static void
gadget_meter_row_init (GadgetMeterRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
_gadget_meter_row_new (const char *name)
{
  GadgetMeterRow *self = g_object_new (GADGET_TYPE_METER_ROW, NULL);

  gtk_label_set_label (self->name, name);
  return GTK_WIDGET (self);
}

void
_gadget_meter_row_set (GadgetMeterRow *self, const char *value, double fraction)
{
  gtk_label_set_label (self->value, value);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), fraction >= 0);
  gtk_progress_bar_set_fraction (self->bar, CLAMP (fraction, 0, 1));
}
