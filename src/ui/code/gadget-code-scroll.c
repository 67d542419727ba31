/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lays out the text of a block of code, wrapped or scrolled horizontally. All rows of a block share
 * one GtkAdjustment, whose range is that of the widest row that was laid out. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-scroll.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>
#include <math.h>

/* In pixels; what is revealed is this far from the edge. */
#define REVEAL_MARGIN 24

struct _GadgetCodeScroll
{
  GtkWidget parent_instance;

  GadgetCode *code; /* (nullable) */
  GadgetSelectableText *piece;
  GtkWidget *bar; /* (nullable): made when a line is first too long */
  guint bar_id;
  GtkAdjustment *scroll; /* (nullable): the adjustment of @code */
  gulong scroll_id;
  gulong wrap_id;
  gboolean last;
};

G_DEFINE_FINAL_TYPE (GadgetCodeScroll, gadget_code_scroll, GTK_TYPE_WIDGET)

/* --- Sizes --- */

static void
gadget_code_scroll_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  GadgetCodeScroll *self = GADGET_CODE_SCROLL (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = 0;
      return;
    }
  if (self->code == NULL || !gadget_code_get_wrap (self->code))
    for_size = -1;
  gtk_widget_measure (GTK_WIDGET (self->piece), orientation, for_size, minimum, natural, NULL,
                      NULL);
}

static void
configure (GadgetCodeScroll *self, int wanted, int width)
{
  const double upper = MAX (gadget_code_widen (self->code, wanted), width);
  const double value = gtk_adjustment_get_value (self->scroll);

  if (gtk_adjustment_get_upper (self->scroll) != upper
      || gtk_adjustment_get_page_size (self->scroll) != width)
    gtk_adjustment_configure (self->scroll, MIN (value, MAX (upper - width, 0)), 0, upper,
                              width * 0.1, width * 0.9, width);
}

static gboolean
add_bar_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GadgetCodeScroll *self = GADGET_CODE_SCROLL (widget);

  self->bar_id = 0;
  self->bar = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL, self->scroll);
  gtk_widget_add_css_class (self->bar, "overlay-indicator");
  /* Code runs from left to right in every locale. A scroll bar does not pass its direction on to
   * its child, and has no other setting for the side where its range begins. */
  gtk_widget_set_direction (self->bar, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (gtk_widget_get_first_child (self->bar), GTK_TEXT_DIR_LTR);
  gtk_widget_set_parent (self->bar, widget);
  return G_SOURCE_REMOVE;
}

/* Makes the scroll bar in a tick callback, because widgets must not be added during an
 * allocation. */
static void
show_bar (GadgetCodeScroll *self, gboolean shown)
{
  if (self->bar != NULL)
    gtk_widget_set_child_visible (self->bar, shown);
  else if (shown && self->bar_id == 0)
    self->bar_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), add_bar_cb, NULL, NULL);
}

static void
allocate_bar (GadgetCodeScroll *self, int width, int height)
{
  int bar_height;

  if (self->bar == NULL || !gtk_widget_should_layout (self->bar))
    return;
  gtk_widget_measure (self->bar, GTK_ORIENTATION_VERTICAL, -1, NULL, &bar_height, NULL, NULL);
  /* The text leaves space for it below its last line. */
  gtk_widget_allocate (
      self->bar, width, bar_height, -1,
      gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, (float) (height - bar_height))));
}

static void
gadget_code_scroll_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GadgetCodeScroll *self = GADGET_CODE_SCROLL (widget);
  int wanted = width;
  double x = 0;

  if (self->code != NULL && !gadget_code_get_wrap (self->code))
    {
      gtk_widget_measure (GTK_WIDGET (self->piece), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted,
                          NULL, NULL);
      configure (self, wanted, width);
      x = floor (gtk_adjustment_get_value (self->scroll));
    }
  show_bar (self, self->last && self->code != NULL && !gadget_code_get_wrap (self->code)
                      && gtk_adjustment_get_upper (self->scroll) > width);
  gtk_widget_allocate (GTK_WIDGET (self->piece), MAX (wanted, width), height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) -x, 0)));
  allocate_bar (self, width, height);
}

/* --- Scrolling --- */

static gboolean
scroll_by (GadgetCodeScroll *self, double distance)
{
  const double before = self->scroll != NULL ? gtk_adjustment_get_value (self->scroll) : 0;

  if (self->scroll == NULL || gadget_code_get_wrap (self->code))
    return GDK_EVENT_PROPAGATE;
  gtk_adjustment_set_value (self->scroll, before + distance);
  return gtk_adjustment_get_value (self->scroll) != before ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

/* With Shift a vertical wheel scrolls horizontally. */
static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, GadgetCodeScroll *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const double step =
      gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL ? 60 : 1;

  if (dx == 0 && (state & GDK_SHIFT_MASK) != 0)
    dx = dy;
  if (fabs (dx) < fabs (dy) && (state & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  return scroll_by (self, dx * step);
}

static void
scroll_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GadgetCodeScroll *self = GADGET_CODE_SCROLL (widget);

  if (self->scroll != NULL)
    scroll_by (self,
               g_variant_get_int32 (parameter) * gtk_adjustment_get_step_increment (self->scroll));
}

static void
wrap_cb (GadgetCodeScroll *self)
{
  const gboolean wrap = gadget_code_get_wrap (self->code);

  gadget_selectable_text_set_mode (self->piece, wrap ? GADGET_TEXT_WRAP : GADGET_TEXT_UNBROKEN);
  gtk_widget_set_focusable (GTK_WIDGET (self), !wrap);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* --- Object --- */

static void
drop_code (GadgetCodeScroll *self)
{
  if (self->code == NULL)
    return;
  g_clear_signal_handler (&self->scroll_id, self->scroll);
  g_clear_signal_handler (&self->wrap_id, self->code);
  g_clear_object (&self->scroll);
  g_clear_object (&self->code);
}

static void
gadget_code_scroll_dispose (GObject *object)
{
  GadgetCodeScroll *self = GADGET_CODE_SCROLL (object);

  drop_code (self);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  if (self->piece != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->piece));
  self->piece = NULL;

  G_OBJECT_CLASS (gadget_code_scroll_parent_class)->dispose (object);
}

static void
gadget_code_scroll_class_init (GadgetCodeScrollClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_code_scroll_dispose;
  widget_class->measure = gadget_code_scroll_measure;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->size_allocate = gadget_code_scroll_size_allocate;

  gtk_widget_class_set_css_name (widget_class, "codescroll");
  gtk_widget_class_install_action (widget_class, "code.scroll", "i", scroll_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, 0, "code.scroll", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Right, 0, "code.scroll", "i", 1);
}

static void
gadget_code_scroll_init (GadgetCodeScroll *self)
{
  GtkEventController *wheel =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->piece = GADGET_SELECTABLE_TEXT (gadget_selectable_text_new (GADGET_TEXT_UNBROKEN));
  gtk_widget_set_parent (GTK_WIDGET (self->piece), GTK_WIDGET (self));
  /* Code runs from left to right in every locale. */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (self->piece), GTK_TEXT_DIR_LTR);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (wheel, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), wheel);
}

/* gadget_code_scroll_new: returns the scrolled text of a code block, empty. (transfer floating) */
GtkWidget *
gadget_code_scroll_new (void)
{
  return g_object_new (GADGET_TYPE_CODE_SCROLL, NULL);
}

GadgetSelectableText *
gadget_code_scroll_get_piece (GadgetCodeScroll *self)
{
  g_return_val_if_fail (GADGET_IS_CODE_SCROLL (self), NULL);
  return self->piece;
}

/**
 * gadget_code_scroll_set_code:
 *
 * Sets the block that the text is a part of.
 */
void
gadget_code_scroll_set_code (GadgetCodeScroll *self, GadgetCode *code)
{
  g_return_if_fail (GADGET_IS_CODE_SCROLL (self) && GADGET_IS_CODE (code));

  if (self->code == code)
    return;
  drop_code (self);
  self->code = g_object_ref (code);
  self->scroll = g_object_ref (gadget_code_get_scroll (code));
  self->scroll_id = g_signal_connect_swapped (self->scroll, "value-changed",
                                              G_CALLBACK (gtk_widget_queue_allocate), self);
  self->wrap_id = g_signal_connect_swapped (code, "notify::wrap", G_CALLBACK (wrap_cb), self);
  if (self->bar != NULL)
    gtk_scrollbar_set_adjustment (GTK_SCROLLBAR (self->bar), self->scroll);
  wrap_cb (self);
}

/**
 * gadget_code_scroll_set_last:
 * @last: whether the block ends here, so that this row has the scroll bar
 */
void
gadget_code_scroll_set_last (GadgetCodeScroll *self, gboolean last)
{
  g_return_if_fail (GADGET_IS_CODE_SCROLL (self));

  if (self->last == last)
    return;
  self->last = last;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/**
 * gadget_code_scroll_by:
 * @distance: in pixels, to the right
 */
void
gadget_code_scroll_by (GadgetCodeScroll *self, double distance)
{
  g_return_if_fail (GADGET_IS_CODE_SCROLL (self));

  scroll_by (self, distance);
}

/**
 * gadget_code_scroll_reveal:
 * @x: a position in the text, in pixels, to scroll into view
 */
void
gadget_code_scroll_reveal (GadgetCodeScroll *self, double x)
{
  g_return_if_fail (GADGET_IS_CODE_SCROLL (self));

  if (self->scroll != NULL && !gadget_code_get_wrap (self->code))
    gtk_adjustment_clamp_page (self->scroll, x - REVEAL_MARGIN, x + REVEAL_MARGIN);
}
