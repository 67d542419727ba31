/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The width alone decides whether EXTRA is shown, so that the height is right in the same frame. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-label.h"

#include "ui/common/gadget-ui.h"

#define SPACING 9

struct _GadgetAskLabel
{
  GtkWidget parent_instance;

  GtkWidget *kept;
  GtkWidget *extra;
  gboolean extra_first;
};

G_DEFINE_FINAL_TYPE (GadgetAskLabel, gadget_ask_label, GTK_TYPE_WIDGET)

static gboolean
label_has_extra (GadgetAskLabel *self, int width)
{
  return width < 0
         || width >= gadget_ui_get_natural_width (self->kept) + SPACING
                         + gadget_ui_get_natural_width (self->extra);
}

static void
gadget_ask_label_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetAskLabel *self = GADGET_ASK_LABEL (widget);
  int extra = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = gadget_ui_get_minimum_width (self->kept);
      *natural = gadget_ui_get_natural_width (self->kept) + SPACING
                 + gadget_ui_get_natural_width (self->extra);
      return;
    }
  gtk_widget_measure (self->kept, orientation, label_has_extra (self, for_size) ? -1 : for_size,
                      minimum, natural, NULL, NULL);
  if (label_has_extra (self, for_size))
    gtk_widget_measure (self->extra, orientation, -1, &extra, NULL, NULL, NULL);
  *minimum = MAX (*minimum, extra);
  *natural = MAX (*natural, extra);
}

static void
place (GtkWidget *widget, int x, int width, int height)
{
  gtk_widget_allocate (widget, width, height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) x, 0)));
}

static void
gadget_ask_label_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetAskLabel *self = GADGET_ASK_LABEL (widget);
  const gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const int kept = MIN (gadget_ui_get_natural_width (self->kept), width);
  const int extra = gadget_ui_get_natural_width (self->extra);

  gtk_widget_set_child_visible (self->extra, label_has_extra (self, width));
  if (!label_has_extra (self, width))
    {
      place (self->kept, (width - kept) / 2, kept, height);
      return;
    }
  if (self->extra_first == rtl)
    {
      place (self->kept, 0, width - extra - SPACING, height);
      place (self->extra, width - extra, extra, height);
    }
  else
    {
      place (self->extra, 0, extra, height);
      place (self->kept, extra + SPACING, width - extra - SPACING, height);
    }
}

static void
gadget_ask_label_dispose (GObject *object)
{
  GadgetAskLabel *self = GADGET_ASK_LABEL (object);

  g_clear_pointer (&self->kept, gtk_widget_unparent);
  g_clear_pointer (&self->extra, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_ask_label_parent_class)->dispose (object);
}

static void
gadget_ask_label_class_init (GadgetAskLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_ask_label_dispose;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->measure = gadget_ask_label_measure;
  widget_class->size_allocate = gadget_ask_label_size_allocate;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
gadget_ask_label_init (GadgetAskLabel *self)
{
}

GtkWidget *
gadget_ask_label_new (GtkWidget *kept, GtkWidget *extra, gboolean extra_first)
{
  GadgetAskLabel *self = g_object_new (GADGET_TYPE_ASK_LABEL, NULL);

  self->kept = kept;
  self->extra = extra;
  self->extra_first = extra_first;
  gtk_widget_set_parent (extra_first ? extra : kept, GTK_WIDGET (self));
  gtk_widget_set_parent (extra_first ? kept : extra, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
