/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets that depend on the "narrow" property change the size requests of widgets inside, which is
 * not allowed while sizes are allocated. So the property is set in a tick callback, before the next
 * frame is laid out; until then the child gets the size that it needs, and its end is cut off for
 * one frame.
 *
 * Before the first allocation nothing is shown that could be cut off or laid out wrongly, so the
 * property is set at once. */

#define G_LOG_DOMAIN "gadget-layout"

#include "config.h"

#include "gadget-breakpoint-layout.h"

#include <adwaita.h>

struct _GadgetBreakpointLayout
{
  GtkLayoutManager parent_instance;

  double max_width; /* in sp: pixels at a text scale of 1 */
  gboolean narrow;
  gboolean allocated; /* the widget was allocated at least once */
  guint tick_id;
};

enum
{
  PROP_0,
  PROP_MAX_WIDTH,
  PROP_NARROW,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetBreakpointLayout, gadget_breakpoint_layout, GTK_TYPE_LAYOUT_MANAGER)

static double
get_max_width (GadgetBreakpointLayout *self, GtkWidget *widget)
{
  return adw_length_unit_to_px (ADW_LENGTH_UNIT_SP, self->max_width,
                                gtk_widget_get_settings (widget));
}

static gboolean
is_narrow (GadgetBreakpointLayout *self, GtkWidget *widget, int width)
{
  return width <= get_max_width (self, widget);
}

static void
set_narrow (GadgetBreakpointLayout *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GadgetBreakpointLayout *self = user_data;

  self->tick_id = 0;
  set_narrow (self, is_narrow (self, widget, gtk_widget_get_width (widget)));
  gtk_widget_queue_resize (widget);
  return G_SOURCE_REMOVE;
}

/* --- Overrides ---------------------------------------------------------------------------------
 */

static GtkSizeRequestMode
gadget_breakpoint_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* A child that is not in its narrow form is never allocated less than the breakpoint. Its minimum
 * may be smaller than what it needs: a hidden sidebar asks for nothing, and AdwOverlaySplitView
 * gives it what the content leaves. */
static int
get_needed_width (GadgetBreakpointLayout *self, GtkWidget *widget, GtkWidget *child)
{
  int minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  if (self->allocated && !self->narrow)
    minimum = MAX (minimum, (int) get_max_width (self, widget) + 1);
  return minimum;
}

static int
get_needed_height (GtkWidget *child, int width)
{
  int minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
  return minimum;
}

static void
gadget_breakpoint_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                                  GtkOrientation orientation, int for_size, int *minimum,
                                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  GadgetBreakpointLayout *self = GADGET_BREAKPOINT_LAYOUT (manager);
  GtkWidget *child = gtk_widget_get_first_child (widget);

  *minimum = 0;
  if (child == NULL || !gtk_widget_should_layout (child))
    return;
  if (for_size >= 0 && orientation == GTK_ORIENTATION_VERTICAL)
    for_size = MAX (for_size, get_needed_width (self, widget, child));
  else
    for_size = -1;
  gtk_widget_measure (child, orientation, for_size, NULL, natural, NULL, NULL);
}

/* Tells whether the "narrow" property of this layout and of those around it is up to date. */
static gboolean
is_settled (GadgetBreakpointLayout *self, GtkWidget *widget)
{
  if (!self->allocated)
    return FALSE;
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      GtkLayoutManager *manager = gtk_widget_get_layout_manager (widget);

      if (GADGET_IS_BREAKPOINT_LAYOUT (manager) && GADGET_BREAKPOINT_LAYOUT (manager)->tick_id != 0)
        return FALSE;
    }
  return TRUE;
}

static void
gadget_breakpoint_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width,
                                   int height, int baseline)
{
  GadgetBreakpointLayout *self = GADGET_BREAKPOINT_LAYOUT (manager);
  GtkWidget *child = gtk_widget_get_first_child (widget);
  const gboolean narrow = is_narrow (self, widget, width);
  int needed_width;
  int needed_height;

  if (!self->allocated)
    set_narrow (self, narrow);
  else if (narrow != self->narrow && self->tick_id == 0)
    self->tick_id =
        gtk_widget_add_tick_callback (widget, tick_cb, g_object_ref (self), g_object_unref);
  if (child == NULL || !gtk_widget_should_layout (child))
    return;
  needed_width = get_needed_width (self, widget, child);
  needed_height = get_needed_height (child, MAX (width, needed_width));
  if ((needed_width > width || needed_height > height) && is_settled (self, widget))
    g_warning ("%s needs %d×%d and gets %d×%d", G_OBJECT_TYPE_NAME (child), needed_width,
               needed_height, width, height);
  self->allocated = TRUE;
  gtk_widget_allocate (child, MAX (width, needed_width), MAX (height, needed_height), baseline,
                       NULL);
}

static void
gadget_breakpoint_layout_get_property (GObject *object, guint prop_id, GValue *value,
                                       GParamSpec *pspec)
{
  GadgetBreakpointLayout *self = GADGET_BREAKPOINT_LAYOUT (object);

  switch (prop_id)
    {
    case PROP_MAX_WIDTH:
      g_value_set_double (value, self->max_width);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_breakpoint_layout_set_property (GObject *object, guint prop_id, const GValue *value,
                                       GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_MAX_WIDTH:
      GADGET_BREAKPOINT_LAYOUT (object)->max_width = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_breakpoint_layout_class_init (GadgetBreakpointLayoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  object_class->get_property = gadget_breakpoint_layout_get_property;
  object_class->set_property = gadget_breakpoint_layout_set_property;
  layout_class->get_request_mode = gadget_breakpoint_layout_get_request_mode;
  layout_class->measure = gadget_breakpoint_layout_measure;
  layout_class->allocate = gadget_breakpoint_layout_allocate;

  /**
   * GadgetBreakpointLayout:max-width:
   *
   * In sp: pixels at a text scale of 1.
   */
  props[PROP_MAX_WIDTH] =
      g_param_spec_double ("max-width", NULL, NULL, 0, G_MAXDOUBLE, 0,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  props[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_breakpoint_layout_init (GadgetBreakpointLayout *self)
{
}
