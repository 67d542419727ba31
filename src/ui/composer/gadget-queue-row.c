/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-queue-row.h"

#include <glib/gi18n.h>

struct _GadgetQueueRow
{
  GtkWidget parent_instance;

  GtkWidget *handle;
  GtkLabel *text;
  GtkLabel *state;
  GtkWidget *send;
  GtkWidget *edit;
  GtkWidget *remove;

  gboolean steering;
  guint index;
  guint n;
};

enum
{
  SEND,
  EDIT,
  REMOVE,
  MOVE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetQueueRow, gadget_queue_row, GTK_TYPE_WIDGET)

static void
send_cb (GadgetQueueRow *self)
{
  g_signal_emit (self, signals[SEND], 0);
}

static void
edit_cb (GadgetQueueRow *self)
{
  g_signal_emit (self, signals[EDIT], 0);
}

static void
remove_cb (GadgetQueueRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static void
move_by (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetQueueRow *self = GADGET_QUEUE_ROW (widget);
  int to = (int) self->index + g_variant_get_int32 (parameter);

  if (to >= 0 && to < (int) self->n)
    g_signal_emit (self, signals[MOVE], 0, self->index, (guint) to);
}

static GdkContentProvider *
prepare_drag_cb (GadgetQueueRow *self)
{
  return gdk_content_provider_new_typed (G_TYPE_UINT, self->index);
}

static void
begin_drag_cb (GadgetQueueRow *self, GdkDrag *drag, GtkDragSource *source)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (GTK_WIDGET (self));

  gtk_drag_source_set_icon (source, picture, 0, 0);
}

static gboolean
drop_cb (GadgetQueueRow *self, const GValue *value)
{
  guint from = g_value_get_uint (value);

  if (from >= self->n || from == self->index)
    return FALSE;
  g_signal_emit (self, signals[MOVE], 0, from, self->index);
  return TRUE;
}

static void
gadget_queue_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_QUEUE_ROW);

  G_OBJECT_CLASS (gadget_queue_row_parent_class)->dispose (object);
}

static void
gadget_queue_row_class_init (GadgetQueueRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_queue_row_dispose;

  signals[SEND] =
      g_signal_new ("send", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[EDIT] =
      g_signal_new ("edit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REMOVE] =
      g_signal_new ("remove", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MOVE] = g_signal_new ("move", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                2, G_TYPE_UINT, G_TYPE_UINT);

  gtk_widget_class_install_action (widget_class, "queued.move", "i", move_by);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "queued.move", "i",
                                       -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "queued.move", "i",
                                       1);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-queue-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, handle);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, text);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, state);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, send);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, edit);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, remove);
  gtk_widget_class_bind_template_callback (widget_class, send_cb);
  gtk_widget_class_bind_template_callback (widget_class, edit_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
gadget_queue_row_init (GadgetQueueRow *self)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_UINT, GDK_ACTION_MOVE);

  gtk_widget_init_template (GTK_WIDGET (self));

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect_swapped (source, "prepare", G_CALLBACK (prepare_drag_cb), self);
  g_signal_connect_swapped (source, "drag-begin", G_CALLBACK (begin_drag_cb), self);
  gtk_widget_add_controller (self->handle, GTK_EVENT_CONTROLLER (source));
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

GtkWidget *
gadget_queue_row_new (GadgetQueuedMessage *message, guint index, guint n)
{
  GadgetQueueRow *self;
  g_autofree char *name = NULL;

  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (message) && index < n, NULL);

  self = g_object_new (GADGET_TYPE_QUEUE_ROW, NULL);
  self->index = index;
  self->n = n;
  self->steering = gadget_queued_message_get_steering (message);
  gtk_label_set_label (self->text, gadget_queued_message_get_text (message));
  /* Translators: the accessible name of a message that waits: its place, how many wait, its text */
  name = g_strdup_printf (_ ("Queued message %u of %u: %s"), index + 1, n,
                          gadget_queued_message_get_text (message));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}

void
gadget_queue_row_set_state (GadgetQueueRow *self, gboolean busy, gboolean paused, gboolean narrow)
{
  const char *send;

  g_return_if_fail (GADGET_IS_QUEUE_ROW (self));

  send = busy ? _ ("Send Next") : _ ("Send Now");
  gtk_label_set_label (self->state, self->steering && narrow ? _ ("Next step")
                                    : self->steering         ? _ ("With the next step")
                                    : paused                 ? _ ("Paused")
                                                             : _ ("Queued"));
  gtk_widget_set_visible (GTK_WIDGET (self->state), !narrow || paused || self->steering);
  gtk_widget_set_tooltip_text (self->send, send);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send), GTK_ACCESSIBLE_PROPERTY_LABEL, send,
                                  -1);
  gtk_widget_set_sensitive (self->send, (!busy || self->index > 0) && !self->steering);
}
