/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes and shows toasts, announces them to screen readers, and works around three faults of
 * libadwaita: it cuts the text where the window is narrow, its announcement of a toast, and its use
 * of freed memory when toasts of high priority come fast. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-toast.h"

#include "gadget-announcer.h"

#include <glib/gi18n.h>

AdwToast *
gadget_toast_new (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return g_object_new (ADW_TYPE_TOAST, "use-markup", FALSE, "title", text, NULL);
}

/* Returns the text to announce, with the label of the button: the button is there for a moment
 * only. */
static char *
dup_text (AdwToast *toast)
{
  const char *label = adw_toast_get_button_label (toast);
  g_auto (GStrv) parts = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *button = NULL;

  if (label == NULL)
    return g_strdup (adw_toast_get_title (toast));
  parts = g_strsplit (label, "_", -1);
  plain = g_strjoinv (NULL, parts);
  /* Translators: said by a screen reader after what a toast says: the label of its button */
  button = g_strdup_printf (_ ("Button: %s"), plain);
  return gadget_announcer_dup_joined (adw_toast_get_title (toast), button);
}

static void
announce (GtkWidget *widget, AdwToast *toast)
{
  const gboolean urgent = adw_toast_get_priority (toast) == ADW_TOAST_PRIORITY_HIGH;
  g_autofree char *text = dup_text (toast);

  gadget_announce (widget, text,
                   urgent ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH
                          : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/**
 * gadget_toast_announce:
 * @widget: the widget that is about to show @toast, in the same iteration of the main loop
 *
 * Announces the text of @toast instead of libadwaita: that announcement begins with "A toast
 * appeared", comes when the toast begins to slide in, and may be lost because its accessible object
 * has no listener yet.
 */
void
gadget_toast_announce (GtkWidget *widget, AdwToast *toast)
{
  announce (widget, toast);
  gadget_announcer_replace_next (gadget_announcer_get_default (), widget);
}

/* --- Toasts of high priority ---------------------------------------------------------------------
 *
 * A toast of high priority replaces the one that is shown, which comes back later. libadwaita (1.7)
 * uses freed memory when the shown one has not finished sliding in, so such a toast waits until no
 * toast moves any more. */

/* The longest of libadwaita's toast animations takes 500 ms. */
#define AT_REST_MS 600

/* The toasts of one overlay, and those that wait for it. */
typedef struct
{
  AdwToastOverlay *overlay; /* (unowned): the overlay owns this structure */
  guint n_toasts;           /* toasts in the overlay: shown, replaced or queued */
  gint64 moves_until;       /* monotonic time, in µs, until which a toast may be moving */
  GQueue waiting;           /* of AdwToast, owned: toasts that wait until none moves */
  GListModel *children;     /* of the overlay: its child, and a widget for each toast */
  guint id;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  g_clear_handle_id (&order->id, g_source_remove);
  g_queue_clear_full (&order->waiting, g_object_unref);
  g_signal_handlers_disconnect_by_data (order->children, order);
  g_object_unref (order->children);
  g_free (order);
}

/* A title that is a widget of our own would wrap as well, but libadwaita (1.7) makes it the child
 * of two widgets when a toast comes back while it still slides out. */
static void
wrap_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    {
      gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_NONE);
      gtk_label_set_single_line_mode (GTK_LABEL (widget), FALSE);
      gtk_label_set_wrap (GTK_LABEL (widget), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD_CHAR);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_BUTTON (child))
      wrap_text (child);
}

static void
children_changed_cb (GListModel *children, guint position, guint n_removed, guint n_added,
                     Order *order)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      if (child != adw_toast_overlay_get_child (order->overlay))
        wrap_text (child);
    }
}

static Order *
get_order (AdwToastOverlay *overlay)
{
  Order *order = g_object_get_data (G_OBJECT (overlay), "gadget-toast-order");

  if (order != NULL)
    return order;
  order = g_new0 (Order, 1);
  order->overlay = overlay;
  g_queue_init (&order->waiting);
  order->children = gtk_widget_observe_children (GTK_WIDGET (overlay));
  g_signal_connect (order->children, "items-changed", G_CALLBACK (children_changed_cb), order);
  g_object_set_data_full (G_OBJECT (overlay), "gadget-toast-order", order, order_free);
  return order;
}

static void
toast_moves (Order *order)
{
  order->moves_until = g_get_monotonic_time () + AT_REST_MS * G_TIME_SPAN_MILLISECOND;
}

/* The handler disconnects itself, because libadwaita may emit the signal more than once. */
static void
dismissed_cb (AdwToast *toast, AdwToastOverlay *overlay)
{
  Order *order = get_order (overlay);

  g_signal_handlers_disconnect_by_func (toast, dismissed_cb, overlay);
  order->n_toasts--;
  toast_moves (order);
}

static void
add (Order *order, AdwToast *toast)
{
  order->n_toasts++;
  toast_moves (order);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), order->overlay,
                           G_CONNECT_DEFAULT);
  gadget_announcer_replace_next (gadget_announcer_get_default (), GTK_WIDGET (order->overlay));
  adw_toast_overlay_add_toast (order->overlay, toast);
}

static gboolean
is_in_the_way (Order *order)
{
  return order->n_toasts > 0 && adw_get_enable_animations (GTK_WIDGET (order->overlay))
         && g_get_monotonic_time () < order->moves_until;
}

static gboolean at_rest_cb (gpointer user_data);

static void
wait_for_rest (Order *order)
{
  const gint64 left = order->moves_until - g_get_monotonic_time ();

  order->id =
      g_timeout_add ((guint) (MAX (left, 0) / G_TIME_SPAN_MILLISECOND) + 1, at_rest_cb, order);
  g_source_set_name_by_id (order->id, "[gadget] show a toast that waits");
}

static gboolean
at_rest_cb (gpointer user_data)
{
  Order *order = user_data;
  AdwToast *toast = NULL;

  order->id = 0;
  if (!is_in_the_way (order))
    toast = g_queue_pop_head (&order->waiting);
  if (toast != NULL && g_object_get_data (G_OBJECT (toast), "gadget-toast-dismissed") != NULL)
    g_object_unref (toast);
  else if (toast != NULL)
    add (order, toast);
  if (!g_queue_is_empty (&order->waiting))
    wait_for_rest (order);
  return G_SOURCE_REMOVE;
}

void
gadget_toast_show (AdwToastOverlay *overlay, AdwToast *toast)
{
  Order *order;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay) && ADW_IS_TOAST (toast));

  announce (GTK_WIDGET (overlay), toast);
  order = get_order (overlay);
  if (adw_toast_get_priority (toast) != ADW_TOAST_PRIORITY_HIGH
      || (g_queue_is_empty (&order->waiting) && !is_in_the_way (order)))
    {
      add (order, toast);
      return;
    }
  g_queue_push_tail (&order->waiting, toast);
  if (order->id == 0)
    wait_for_rest (order);
}

/**
 * gadget_toast_dismiss:
 *
 * Dismisses @toast, also when gadget_toast_show() has not shown it yet.
 */
void
gadget_toast_dismiss (AdwToast *toast)
{
  g_return_if_fail (ADW_IS_TOAST (toast));

  g_object_set_data (G_OBJECT (toast), "gadget-toast-dismissed", GINT_TO_POINTER (TRUE));
  adw_toast_dismiss (toast);
}
