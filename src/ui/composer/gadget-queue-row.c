/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row for a queued message: its text, its attachments, its state, and buttons or, in a narrow
 * window, a menu. Rows can be dragged onto each other, and moved with Alt+Up and Alt+Down. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-queue-row.h"

#include "common/gadget-bidi.h"
#include "session/gadget-attachment.h"
#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>

struct _GadgetQueueRow
{
  GtkWidget parent_instance;

  GtkWidget *handle;
  GtkLabel *text;
  GtkWidget *attachments;
  GtkLabel *attachment_count;
  GtkLabel *state;
  GtkWidget *send;
  GtkWidget *edit;
  GtkWidget *remove;
  GtkMenuButton *more;

  GadgetQueuedMessage *message;
  guint index;
  guint n;
  gboolean busy; /* as it was given to gadget_queue_row_set_state() */
  gboolean narrow;
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
move_by (GadgetQueueRow *self, int distance)
{
  const int to = (int) self->index + distance;

  if (to >= 0 && to < (int) self->n)
    g_signal_emit (self, signals[MOVE], 0, self->message, (guint) to);
}

static void
move_up_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  move_by (GADGET_QUEUE_ROW (widget), -1);
}

static void
move_down_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  move_by (GADGET_QUEUE_ROW (widget), 1);
}

static void
send_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  send_cb (GADGET_QUEUE_ROW (widget));
}

static void
edit_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  edit_cb (GADGET_QUEUE_ROW (widget));
}

static void
remove_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  remove_cb (GADGET_QUEUE_ROW (widget));
}

static void
menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetQueueRow *self = GADGET_QUEUE_ROW (widget);

  if (gtk_widget_get_visible (GTK_WIDGET (self->more)))
    gtk_menu_button_popup (self->more);
}

static void
right_click_cb (GadgetQueueRow *self, int n_press, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  menu_action (GTK_WIDGET (self), NULL, NULL);
}

/* The data is the message and not its index, which may change while it is dragged. */
static GdkContentProvider *
prepare_drag_cb (GadgetQueueRow *self)
{
  return gdk_content_provider_new_typed (GADGET_TYPE_QUEUED_MESSAGE, self->message);
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
  GadgetQueuedMessage *message = g_value_get_object (value);

  if (message == self->message)
    return FALSE;
  g_signal_emit (self, signals[MOVE], 0, message, self->index);
  return TRUE;
}

static void
gadget_queue_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_QUEUE_ROW);
  g_clear_object (&GADGET_QUEUE_ROW (object)->message);

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
                                2, GADGET_TYPE_QUEUED_MESSAGE, G_TYPE_UINT);

  gtk_widget_class_install_action (widget_class, "queued.move-up", NULL, move_up_action);
  gtk_widget_class_install_action (widget_class, "queued.move-down", NULL, move_down_action);
  gtk_widget_class_install_action (widget_class, "queued.send", NULL, send_action);
  gtk_widget_class_install_action (widget_class, "queued.edit", NULL, edit_action);
  gtk_widget_class_install_action (widget_class, "queued.remove", NULL, remove_action);
  gtk_widget_class_install_action (widget_class, "menu.popup", NULL, menu_action);
  gadget_shortcut_table_bind (widget_class, "queued.");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "menu.popup",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "menu.popup", NULL);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/composer/gadget-queue-row.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, handle);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, text);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, attachments);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, attachment_count);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, state);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, send);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, edit);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, remove);
  gtk_widget_class_bind_template_child (widget_class, GadgetQueueRow, more);
  gtk_widget_class_bind_template_callback (widget_class, send_cb);
  gtk_widget_class_bind_template_callback (widget_class, edit_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
gadget_queue_row_init (GadgetQueueRow *self)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (GADGET_TYPE_QUEUED_MESSAGE, GDK_ACTION_MOVE);
  GtkGesture *right_click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect_swapped (source, "prepare", G_CALLBACK (prepare_drag_cb), self);
  g_signal_connect_swapped (source, "drag-begin", G_CALLBACK (begin_drag_cb), self);
  gtk_widget_add_controller (self->handle, GTK_EVENT_CONTROLLER (source));
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right_click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (right_click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (right_click));
}

/* Shows the number of attachments. Returns a text for screen readers, "" when there are none.
 * (transfer full) */
static char *
show_attachments (GadgetQueueRow *self, GPtrArray *attachments)
{
  const guint n = attachments != NULL ? attachments->len : 0;
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_autofree char *count = NULL;
  g_autofree char *words = NULL;

  if (n == 0)
    return g_strdup ("");
  for (guint i = 0; i < n; i++)
    {
      const char *name = gadget_attachment_get_name (g_ptr_array_index (attachments, i));

      g_string_append_printf (names, "%s%s", i > 0 ? "\n" : "", name != NULL ? name : _ ("Image"));
    }
  count = g_strdup_printf ("%u", n);
  words = g_strdup_printf (ngettext ("%u attachment", "%u attachments", n), n);
  gtk_label_set_label (self->attachment_count, count);
  shown = gadget_bidi_escape (names->str);
  gtk_widget_set_tooltip_text (self->attachments, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->attachments), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words, -1);
  gtk_widget_set_visible (self->attachments, TRUE);
  return g_steal_pointer (&words);
}

static void
name_row (GadgetQueueRow *self, GadgetQueuedMessage *message)
{
  g_autofree char *attachments = show_attachments (self, gadget_attachments_get (message));
  const char *text = gadget_queued_message_get_text (message);
  const gboolean has_text = *text != '\0';
  g_autofree char *name = NULL;

  /* Translators: the accessible name of a message that waits: its place, how many wait, its text */
  name = g_strdup_printf (_ ("Queued message %u of %u: %s"), self->index + 1, self->n,
                          has_text ? text : attachments);
  if (has_text && *attachments != '\0')
    {
      g_autofree char *plain = g_steal_pointer (&name);

      /* Translators: the accessible name of a message that waits, and "2 attachments" */
      name = g_strdup_printf (_ ("%s, %s"), plain, attachments);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Makes the menu. In a narrow window it has the actions of the buttons, whose width is given to the
 * text. */
static void
make_menu (GadgetQueueRow *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) message = g_menu_new ();
  g_autoptr (GMenu) place = g_menu_new ();
  /* Translators: a menu of what can be done with a message that waits */
  const char *name = self->narrow ? _ ("Message Menu") : _ ("Change Its Place");

  if (self->narrow)
    {
      g_menu_append (message, self->busy ? _ ("_Send Next") : _ ("_Send Now"), "queued.send");
      g_menu_append (message, _ ("_Edit"), "queued.edit");
      g_menu_append (message, _ ("_Remove From Queue"), "queued.remove");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (message));
    }
  if (self->n > 1)
    {
      g_menu_append (place, _ ("Move _Up"), "queued.move-up");
      g_menu_append (place, _ ("Move _Down"), "queued.move-down");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
    }
  gtk_menu_button_set_menu_model (self->more, G_MENU_MODEL (menu));
  /* The popover is aligned with the button, which is at the edge of the window. */
  gtk_widget_set_halign (GTK_WIDGET (gtk_menu_button_get_popover (self->more)), GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->more), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_widget_set_visible (GTK_WIDGET (self->more), self->narrow || self->n > 1);
}

static const char *
describe_state (GadgetQueueRow *self)
{
  if (gadget_queued_message_get_steering (self->message))
    return self->narrow ? _ ("Next step") : _ ("With the next step");
  return gadget_queued_message_get_paused (self->message) ? _ ("Paused") : _ ("Queued");
}

static void
update_state (GadgetQueueRow *self)
{
  const gboolean steering = gadget_queued_message_get_steering (self->message);
  const gboolean paused = gadget_queued_message_get_paused (self->message);
  /* While the session is busy, the first message is the next to be sent anyway. */
  const gboolean can_send = (!self->busy || self->index > 0 || paused) && !steering;
  const char *send = self->busy ? _ ("Send Next") : _ ("Send Now");

  gtk_label_set_label (self->state, describe_state (self));
  gtk_widget_set_visible (self->handle, !self->narrow || self->n > 1);
  gtk_widget_set_visible (self->send, !self->narrow);
  gtk_widget_set_visible (self->edit, !self->narrow);
  gtk_widget_set_visible (self->remove, !self->narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->state), !self->narrow || paused || steering);
  gtk_widget_set_tooltip_text (self->send, send);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send), GTK_ACCESSIBLE_PROPERTY_LABEL, send,
                                  -1);
  gtk_widget_set_sensitive (self->send, can_send);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "queued.send", can_send);
}

GtkWidget *
gadget_queue_row_new (GadgetQueuedMessage *message, guint index, guint n)
{
  g_autofree char *text = NULL;
  GadgetQueueRow *self;

  g_return_val_if_fail (GADGET_IS_QUEUED_MESSAGE (message) && index < n, NULL);

  self = g_object_new (GADGET_TYPE_QUEUE_ROW, NULL);
  self->index = index;
  self->n = n;
  self->message = g_object_ref (message);
  g_signal_connect_object (message, "notify::paused", G_CALLBACK (update_state), self,
                           G_CONNECT_SWAPPED);
  text = gadget_bidi_escape (gadget_queued_message_get_text (message));
  gtk_label_set_label (self->text, text);
  name_row (self, message);
  make_menu (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "queued.move-up", index > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "queued.move-down", index + 1 < n);
  return GTK_WIDGET (self);
}

GadgetQueuedMessage *
gadget_queue_row_get_message (GadgetQueueRow *self)
{
  g_return_val_if_fail (GADGET_IS_QUEUE_ROW (self), NULL);
  return self->message;
}

/**
 * gadget_queue_row_set_state:
 * @busy: whether the session has an unsettled turn, so that the message cannot be sent now, only
 *   next
 * @narrow: whether a menu replaces the buttons
 */
void
gadget_queue_row_set_state (GadgetQueueRow *self, gboolean busy, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_QUEUE_ROW (self));

  /* Setting a menu model closes an open menu, so it is not set without need. */
  if (self->busy != busy || self->narrow != narrow)
    {
      self->busy = busy;
      self->narrow = narrow;
      make_menu (self);
    }
  update_state (self);
}
