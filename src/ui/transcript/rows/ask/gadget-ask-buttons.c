/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The layout depends only on the width, so that the height is right in the same frame. */

#define G_LOG_DOMAIN "gadget-ask-row"

#include "config.h"

#include "gadget-ask-buttons.h"

#include "ui/common/gadget-ui.h"

#define SPACING 6
/* The spacing between a button and the arrow that LASTING has shrunk to. */
#define NARROW_SPACING 2

struct _GadgetAskButtons
{
  GtkWidget parent_instance;

  GtkWidget *allow;
  GtkWidget *lasting; /* (nullable) */
  GtkWidget *deny;
};

G_DEFINE_FINAL_TYPE (GadgetAskButtons, gadget_ask_buttons, GTK_TYPE_WIDGET)

static void
place (GtkWidget *widget, int x, int width, int height)
{
  gtk_widget_allocate (widget, width, height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) x, 0)));
}

/* The widths of the buttons, and the spacing between the first two, in pixels. */
typedef struct
{
  int allow;
  int lasting;
  int deny;
  int spacing;
} Widths;

/* Shrinks two buttons that do not fit into @left pixels; the longer one shrinks more. */
static void
shrink (GadgetAskButtons *self, Widths *widths, int left)
{
  const int over = widths->allow + widths->deny - left;
  const int allow_gives = widths->allow - gadget_ui_get_minimum_width (self->allow);
  const int deny_gives = widths->deny - gadget_ui_get_minimum_width (self->deny);
  int from_allow;

  if (over <= 0)
    return;
  from_allow = CLAMP (over * widths->allow / MAX (widths->allow + widths->deny, 1),
                      over - deny_gives, allow_gives);
  from_allow = CLAMP (from_allow, 0, MAX (allow_gives, 0));
  widths->allow -= from_allow;
  widths->deny -= MIN (over - from_allow, MAX (deny_gives, 0));
}

static Widths
distribute (GadgetAskButtons *self, int width)
{
  Widths widths = { gadget_ui_get_natural_width (self->allow),
                    self->lasting != NULL ? gadget_ui_get_natural_width (self->lasting) : 0,
                    gadget_ui_get_natural_width (self->deny), self->lasting != NULL ? SPACING : 0 };

  if (width < 0 || widths.allow + widths.spacing + widths.lasting + SPACING + widths.deny <= width)
    return widths;
  if (self->lasting != NULL)
    {
      widths.lasting = gadget_ui_get_minimum_width (self->lasting);
      widths.spacing = NARROW_SPACING;
    }
  shrink (self, &widths, width - widths.lasting - widths.spacing - SPACING);
  return widths;
}

static void
gadget_ask_buttons_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  GadgetAskButtons *self = GADGET_ASK_BUTTONS (widget);
  Widths widths;
  int allow, lasting = 0, deny;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      widths = distribute (self, -1);
      *natural = widths.allow + widths.spacing + widths.lasting + SPACING + widths.deny;
      *minimum =
          gadget_ui_get_minimum_width (self->allow) + SPACING
          + gadget_ui_get_minimum_width (self->deny)
          + (self->lasting != NULL ? NARROW_SPACING + gadget_ui_get_minimum_width (self->lasting)
                                   : 0);
      return;
    }
  widths = distribute (self, for_size);
  gtk_widget_measure (self->allow, orientation, widths.allow, NULL, &allow, NULL, NULL);
  gtk_widget_measure (self->deny, orientation, widths.deny, NULL, &deny, NULL, NULL);
  if (self->lasting != NULL)
    gtk_widget_measure (self->lasting, orientation, widths.lasting, NULL, &lasting, NULL, NULL);
  *minimum = *natural = MAX (allow, MAX (lasting, deny));
}

static void
gadget_ask_buttons_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetAskButtons *self = GADGET_ASK_BUTTONS (widget);
  const gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const Widths widths = distribute (self, width);
  const int lasting = widths.allow + widths.spacing;

  place (self->allow, rtl ? width - widths.allow : 0, widths.allow, height);
  if (self->lasting != NULL)
    place (self->lasting, rtl ? width - lasting - widths.lasting : lasting, widths.lasting, height);
  place (self->deny, rtl ? 0 : width - widths.deny, widths.deny, height);
}

static void
gadget_ask_buttons_dispose (GObject *object)
{
  GadgetAskButtons *self = GADGET_ASK_BUTTONS (object);

  g_clear_pointer (&self->allow, gtk_widget_unparent);
  g_clear_pointer (&self->lasting, gtk_widget_unparent);
  g_clear_pointer (&self->deny, gtk_widget_unparent);

  G_OBJECT_CLASS (gadget_ask_buttons_parent_class)->dispose (object);
}

static void
gadget_ask_buttons_class_init (GadgetAskButtonsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_ask_buttons_dispose;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->measure = gadget_ask_buttons_measure;
  widget_class->size_allocate = gadget_ask_buttons_size_allocate;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void
gadget_ask_buttons_init (GadgetAskButtons *self)
{
}

GtkWidget *
gadget_ask_buttons_new (GtkWidget *allow, GtkWidget *lasting, GtkWidget *deny)
{
  GadgetAskButtons *self = g_object_new (GADGET_TYPE_ASK_BUTTONS, NULL);

  self->allow = allow;
  self->lasting = lasting;
  self->deny = deny;
  gtk_widget_set_parent (allow, GTK_WIDGET (self));
  if (lasting != NULL)
    gtk_widget_set_parent (lasting, GTK_WIDGET (self));
  gtk_widget_set_parent (deny, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
