/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The link has the size of the box around its text, and its region has one rectangle for each line;
 * contains () accepts points of the region only. It draws a focus ring, and under a link to a file
 * a line on hover. */

#define G_LOG_DOMAIN "gadget-text-link"

#include "config.h"

#include "gadget-text-link.h"

#include "common/gadget-bidi.h"

#include <adwaita.h>

#define RING_ALPHA 0.5f
#define RING_WIDTH 2
#define RING_RADIUS 3
#define UNDERLINE_WIDTH 1

struct _GadgetTextLink
{
  GtkWidget parent_instance;

  guint start;
  guint end;
  char *address;
  gboolean is_file;
  cairo_region_t *region; /* (nullable): one rectangle for each line, in coordinates of the link */
};

G_DEFINE_FINAL_TYPE (GadgetTextLink, gadget_text_link, GTK_TYPE_WIDGET)

static void
open_link (GadgetTextLink *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self),
                              self->is_file ? "transcript.open-file" : "transcript.open-link", "s",
                              self->address);
}

static void
open_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  open_link (GADGET_TEXT_LINK (widget));
}

/* After selecting by dragging, the transcript's drag gesture has claimed the sequence, so this is
 * not called. */
static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, GadgetTextLink *self)
{
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  /* A click with Shift extends the selection. */
  if (n_press == 1 && (state & GDK_SHIFT_MASK) == 0
      && gtk_widget_contains (GTK_WIDGET (self), x, y))
    open_link (self);
}

static gboolean
gadget_text_link_contains (GtkWidget *widget, double x, double y)
{
  GadgetTextLink *self = GADGET_TEXT_LINK (widget);

  return self->region != NULL && cairo_region_contains_point (self->region, (int) x, (int) y);
}

/* The underline shows under the pointer that a link to a file can be opened. */
static void
snapshot_underline (GadgetTextLink *self, GtkSnapshot *snapshot)
{
  const int n = self->region != NULL ? cairo_region_num_rectangles (self->region) : 0;
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  for (int i = 0; i < n; i++)
    {
      cairo_rectangle_int_t box;

      cairo_region_get_rectangle (self->region, i, &box);
      gtk_snapshot_append_color (
          snapshot, &color,
          &GRAPHENE_RECT_INIT ((float) box.x, (float) (box.y + box.height - UNDERLINE_WIDTH),
                               (float) box.width, UNDERLINE_WIDTH));
    }
}

static void
gadget_text_link_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  if (GADGET_TEXT_LINK (widget)->is_file
      && ((before ^ gtk_widget_get_state_flags (widget)) & GTK_STATE_FLAG_PRELIGHT) != 0)
    gtk_widget_queue_draw (widget);
}

static void
gadget_text_link_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetTextLink *self = GADGET_TEXT_LINK (widget);
  AdwStyleManager *style = adw_style_manager_get_default ();
  const int n = self->region != NULL ? cairo_region_num_rectangles (self->region) : 0;
  const float widths[] = { RING_WIDTH, RING_WIDTH, RING_WIDTH, RING_WIDTH };
  GdkRGBA color;

  if (self->is_file && (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_PRELIGHT) != 0)
    snapshot_underline (self, snapshot);
  if ((gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_VISIBLE) == 0)
    return;
  adw_accent_color_to_standalone_rgba (adw_style_manager_get_accent_color (style),
                                       adw_style_manager_get_dark (style), &color);
  color.alpha = adw_style_manager_get_high_contrast (style) ? 1 : RING_ALPHA;
  for (int i = 0; i < n; i++)
    {
      const GdkRGBA colors[] = { color, color, color, color };
      cairo_rectangle_int_t box;
      GskRoundedRect ring;

      cairo_region_get_rectangle (self->region, i, &box);
      gsk_rounded_rect_init_from_rect (
          &ring,
          &GRAPHENE_RECT_INIT ((float) box.x - RING_WIDTH, (float) box.y,
                               (float) box.width + 2 * RING_WIDTH, (float) box.height),
          RING_RADIUS);
      gtk_snapshot_append_border (snapshot, &ring, widths, colors);
    }
}

static void
gadget_text_link_finalize (GObject *object)
{
  GadgetTextLink *self = GADGET_TEXT_LINK (object);

  g_clear_pointer (&self->region, cairo_region_destroy);
  g_free (self->address);

  G_OBJECT_CLASS (gadget_text_link_parent_class)->finalize (object);
}

static void
gadget_text_link_class_init (GadgetTextLinkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter,
                                GDK_KEY_space };

  G_OBJECT_CLASS (klass)->finalize = gadget_text_link_finalize;
  widget_class->contains = gadget_text_link_contains;
  widget_class->snapshot = gadget_text_link_snapshot;
  widget_class->state_flags_changed = gadget_text_link_state_flags_changed;

  gtk_widget_class_install_action (widget_class, "link.open", NULL, open_action);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i], 0, "link.open", NULL);
  gtk_widget_class_set_css_name (widget_class, "textlink");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LINK);
}

static void
gadget_text_link_init (GadgetTextLink *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "pointer");
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

/* gadget_text_link_new: returns a link that leads nowhere until gadget_text_link_set ().
 * (transfer floating) */
GtkWidget *
gadget_text_link_new (void)
{
  return g_object_new (GADGET_TYPE_TEXT_LINK, NULL);
}

/**
 * gadget_text_link_set:
 * @start: where the text of the link begins in the piece, in bytes
 * @end: where it ends
 * @address: the address, or the absolute path of a file
 * @is_file: whether @address is the path of a file
 * @label: the accessible label
 */
void
gadget_text_link_set (GadgetTextLink *self, guint start, guint end, const char *address,
                      gboolean is_file, const char *label)
{
  g_autofree char *shown = NULL;

  g_return_if_fail (GADGET_IS_TEXT_LINK (self) && address != NULL && label != NULL);

  self->start = start;
  self->end = end;
  self->is_file = is_file;
  gtk_widget_set_focusable (GTK_WIDGET (self), !is_file);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (!g_set_str (&self->address, address))
    return;
  shown = gadget_bidi_escape (address);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  address, -1);
}

const char *
gadget_text_link_get_address (GadgetTextLink *self)
{
  return self->address;
}

gboolean
gadget_text_link_is_file (GadgetTextLink *self)
{
  g_return_val_if_fail (GADGET_IS_TEXT_LINK (self), FALSE);
  return self->is_file;
}

/**
 * gadget_text_link_open:
 *
 * Opens the link. For a widget around it that gets the click first.
 */
void
gadget_text_link_open (GadgetTextLink *self)
{
  g_return_if_fail (GADGET_IS_TEXT_LINK (self));
  open_link (self);
}

void
gadget_text_link_place (GadgetTextLink *self, PangoLayout *layout)
{
  const int range[] = { (int) self->start, (int) self->end };
  cairo_rectangle_int_t box;

  g_return_if_fail (GADGET_IS_TEXT_LINK (self));

  g_clear_pointer (&self->region, cairo_region_destroy);
  self->region = gdk_pango_layout_get_clip_region (layout, 0, 0, range, 1);
  cairo_region_get_extents (self->region, &box);
  cairo_region_translate (self->region, -box.x, -box.y);
  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (
      GTK_WIDGET (self), box.width, box.height, -1,
      gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) box.x, (float) box.y)));
}

GadgetTextLink *
gadget_text_link_find (GtkWidget *widget)
{
  return widget != NULL ? (GadgetTextLink *) gtk_widget_get_ancestor (widget, GADGET_TYPE_TEXT_LINK)
                        : NULL;
}
