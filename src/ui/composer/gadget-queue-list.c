/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of queued messages. Its rows follow the queue of the session; moving a message and
 * sending it next are done here, and the rest by the handlers of the signals. */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-queue-list.h"

#include "gadget-queue-row.h"

#include <glib/gi18n.h>

struct _GadgetQueueList
{
  AdwBin parent_instance;

  GtkScrolledWindow *scroller;
  GtkWidget *box;
  GadgetSession *session;
  gboolean busy;
  gboolean narrow;
  guint added;     /* the index of the message that was added last */
  guint scroll_id; /* tick callback that scrolls to it */
};

enum
{
  SEND,
  EDIT,
  REMOVE,
  CHANGED,
  FOCUS_LOST,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetQueueList, gadget_queue_list, ADW_TYPE_BIN)

static void
changed (GadgetQueueList *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static guint
get_index (GadgetQueueList *self, GtkWidget *row)
{
  guint index = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL && child != row;
       child = gtk_widget_get_next_sibling (child))
    index++;
  return index;
}

static void
send_cb (GadgetQueueList *self, GtkWidget *row)
{
  guint index = get_index (self, row);

  if (!self->busy)
    {
      g_signal_emit (self, signals[SEND], 0, index);
      return;
    }
  gadget_queued_message_set_paused (gadget_queue_row_get_message (GADGET_QUEUE_ROW (row)), FALSE);
  gadget_session_move_queued (self->session, index, 0);
  changed (self);
}

static void
edit_cb (GadgetQueueList *self, GtkWidget *row)
{
  g_signal_emit (self, signals[EDIT], 0, get_index (self, row));
  changed (self);
}

/* Returns the row at @index. (nullable) */
static GtkWidget *
get_row (GadgetQueueList *self, guint index)
{
  GtkWidget *row = gtk_widget_get_first_child (self->box);

  while (row != NULL && index-- > 0)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Tells whether the row has the focus, or something inside, such as its menu. */
static gboolean
has_focus (GtkWidget *row)
{
  GtkRoot *root = gtk_widget_get_root (row);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == row || gtk_widget_is_ancestor (focus, row));
}

/* Returns the message whose row has the focus. (transfer full) (nullable) */
static GadgetQueuedMessage *
dup_focused (GadgetQueueList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->box); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (has_focus (row))
      return g_object_ref (gadget_queue_row_get_message (GADGET_QUEUE_ROW (row)));
  return NULL;
}

static void
focus_message (GadgetQueueList *self, GadgetQueuedMessage *message)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->box); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (gadget_queue_row_get_message (GADGET_QUEUE_ROW (row)) == message)
      {
        gtk_widget_grab_focus (row);
        return;
      }
  g_signal_emit (self, signals[FOCUS_LOST], 0);
}

/* Removes a message; the next row gets the focus, or the one before. */
static void
remove_cb (GadgetQueueList *self, GtkWidget *row)
{
  GtkWidget *next = gtk_widget_get_next_sibling (row);

  if (next == NULL)
    next = gtk_widget_get_prev_sibling (row);
  if (next != NULL && has_focus (row))
    gtk_widget_grab_focus (next);
  g_signal_emit (self, signals[REMOVE], 0, get_index (self, row));
  changed (self);
}

/* Moves a message, unless it has left the queue: it may have been sent while it was dragged. */
static void
move_cb (GadgetQueueList *self, GadgetQueuedMessage *message, guint to)
{
  GListModel *queue = gadget_session_get_queue (self->session);
  guint from;

  if (!g_list_store_find (G_LIST_STORE (queue), message, &from))
    return;
  gadget_session_move_queued (self->session, from, to);
  changed (self);
}

static void
update_states (GadgetQueueList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->box); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    gadget_queue_row_set_state (GADGET_QUEUE_ROW (row), self->busy, self->narrow);
}

static void
add_row (GadgetQueueList *self, GadgetQueuedMessage *message, guint index, guint n)
{
  GtkWidget *row = gadget_queue_row_new (message, index, n);

  g_signal_connect_object (row, "send", G_CALLBACK (send_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "edit", G_CALLBACK (edit_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "remove", G_CALLBACK (remove_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "move", G_CALLBACK (move_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->box), row);
}

/* Makes all rows again, since there are only a few. The focus goes to the new row of the same
 * message. */
static void
fill (GadgetQueueList *self)
{
  g_autoptr (GadgetQueuedMessage) focused = dup_focused (self);
  GListModel *queue = self->session ? gadget_session_get_queue (self->session) : NULL;
  guint n = queue ? g_list_model_get_n_items (queue) : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      add_row (self, message, i, n);
    }
  update_states (self);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
  if (focused != NULL)
    focus_message (self, focused);
}

/* Waits for the layout that gives the row its height. */
static gboolean
scroll_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GadgetQueueList *self = GADGET_QUEUE_LIST (widget);
  GtkWidget *row = get_row (self, self->added);

  if (row != NULL && gtk_widget_get_height (row) == 0)
    return G_SOURCE_CONTINUE;
  if (row != NULL)
    gtk_viewport_scroll_to (GTK_VIEWPORT (gtk_scrolled_window_get_child (self->scroller)), row,
                            NULL);
  self->scroll_id = 0;
  return G_SOURCE_REMOVE;
}

/* Scrolls to a message that was added, since the end of the queue may be out of view. */
static void
queue_changed_cb (GadgetQueueList *self, guint position, guint removed, guint added)
{
  fill (self);
  /* A message that was moved is removed and added in one signal. */
  if (added <= removed)
    return;
  self->added = position;
  if (self->scroll_id == 0)
    self->scroll_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_cb, NULL, NULL);
}

static void
release (GadgetQueueList *self)
{
  if (self->session == NULL)
    return;
  g_signal_handlers_disconnect_by_data (gadget_session_get_queue (self->session), self);
  g_clear_object (&self->session);
}

static void
gadget_queue_list_dispose (GObject *object)
{
  release (GADGET_QUEUE_LIST (object));

  G_OBJECT_CLASS (gadget_queue_list_parent_class)->dispose (object);
}

static void
gadget_queue_list_class_init (GadgetQueueListClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_queue_list_dispose;

  signals[SEND] = g_signal_new ("send", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
  signals[EDIT] = g_signal_new ("edit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
  signals[REMOVE] = g_signal_new ("remove", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHANGED] =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FOCUS_LOST] =
      g_signal_new ("focus-lost", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_queue_list_init (GadgetQueueList *self)
{
  self->box = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST,
                            "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Queue"), -1);
  self->scroller = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (self->scroller, TRUE);
  gtk_scrolled_window_set_child (self->scroller, self->box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->scroller));
}

/**
 * gadget_queue_list_set_session:
 * @session: (nullable): the session whose queue is shown
 */
void
gadget_queue_list_set_session (GadgetQueueList *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_QUEUE_LIST (self));

  release (self);
  g_set_object (&self->session, session);
  if (session != NULL)
    g_signal_connect_object (gadget_session_get_queue (session), "items-changed",
                             G_CALLBACK (queue_changed_cb), self, G_CONNECT_SWAPPED);
  fill (self);
}

/**
 * gadget_queue_list_set_busy:
 * @busy: whether the session has an unsettled turn, so that a message cannot be sent now, only next
 */
void
gadget_queue_list_set_busy (GadgetQueueList *self, gboolean busy)
{
  g_return_if_fail (GADGET_IS_QUEUE_LIST (self));

  self->busy = busy;
  update_states (self);
}

void
gadget_queue_list_set_narrow (GadgetQueueList *self, gboolean narrow)
{
  g_return_if_fail (GADGET_IS_QUEUE_LIST (self));

  self->narrow = narrow;
  update_states (self);
}

/**
 * gadget_queue_list_set_max_height:
 * @height: in pixels; a longer list scrolls
 */
void
gadget_queue_list_set_max_height (GadgetQueueList *self, int height)
{
  g_return_if_fail (GADGET_IS_QUEUE_LIST (self));
  gtk_scrolled_window_set_max_content_height (self->scroller, height);
}
