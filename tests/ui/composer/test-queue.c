/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages that wait above the composer, as somebody without a mouse uses them: keys are really
 * pressed. What is sent is what stood there. */

#include "config.h"

#include "gadget-test-ui.h"
#include "queue-fixture.h"
#include "session/gadget-attachment.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-queue-row.h"
#include "wait.h"

static gboolean
is_popover (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
has_menu (TestWindow *self)
{
  return test_find (GTK_WIDGET (self->composer), is_popover, NULL) != NULL;
}

static void
assert_name (GtkWidget *row, const char *name)
{
  g_assert_null (gtk_test_accessible_check_property (GTK_ACCESSIBLE (row),
                                                     GTK_ACCESSIBLE_PROPERTY_LABEL, name));
}

/* The row keeps the focus, so that a second press moves it further. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  queue_fill (self);
  assert_name (queue_find_row (self, "three"), "Queued message 3 of 3: three");
  gtk_widget_grab_focus (queue_find_row (self, "three"));
  test_key ("alt+Up");
  queue_assert_queue (self, "one three two ");
  g_assert_true (gtk_widget_is_focus (queue_find_row (self, "three")));
  assert_name (queue_find_row (self, "three"), "Queued message 2 of 3: three");
  test_key ("alt+Up");
  queue_assert_queue (self, "three one two ");
  /* It cannot go further. */
  test_key ("alt+Up");
  queue_assert_queue (self, "three one two ");
  g_assert_true (gtk_widget_is_focus (queue_find_row (self, "three")));
  test_key ("alt+Down");
  queue_assert_queue (self, "one three two ");
  g_assert_true (gtk_widget_is_focus (queue_find_row (self, "three")));

  g_assert_cmpstr (queue_end_one (self), ==, "one");
  g_assert_cmpstr (queue_end_one (self), ==, "three");
  g_assert_cmpstr (queue_end_one (self), ==, "two");
}

/* From the composer to the menu of a row by Tab, and through it. */
static gboolean
is_handle (GtkWidget *widget, gpointer data)
{
  return GTK_IS_IMAGE (widget) && gtk_widget_has_css_class (widget, "queued-handle");
}

static void
test_menu (TestWindow *self, gconstpointer data)
{
  GtkWidget *more;

  queue_fill (self);
  gtk_widget_grab_focus (queue_find_row (self, "two"));
  more = test_find (queue_find_row (self, "two"), queue_is_more, NULL);
  for (guint i = 0; i < 10 && gtk_widget_get_focus_child (queue_find_row (self, "two")) != more;
       i++)
    test_key ("Tab");
  g_assert_true (gtk_widget_get_focus_child (queue_find_row (self, "two")) == more);
  test_key ("space");
  wait_until (has_menu (self));
  test_key ("Return");
  wait_until (!has_menu (self));
  queue_assert_queue (self, "two one three ");
  wait_until (gtk_widget_is_focus (queue_find_row (self, "two")));

  /* On the first one, the only thing to do is to move down. */
  test_key ("shift+F10");
  wait_until (has_menu (self));
  test_key ("Escape");
  wait_until (!has_menu (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  queue_assert_queue (self, "two one three ");
  gtk_widget_activate_action (queue_find_row (self, "two"), "queued.move-up", NULL);
  queue_assert_queue (self, "two one three ");
  gtk_widget_activate_action (queue_find_row (self, "two"), "queued.move-down", NULL);
  queue_assert_queue (self, "one two three ");
}

static gpointer
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller;
    }
  return NULL;
}

static void
begin_drag (TestWindow *self, const char *text, GValue *value)
{
  GtkWidget *handle = test_find (queue_find_row (self, text), is_handle, NULL);
  g_autoptr (GdkContentProvider) content = NULL;

  g_signal_emit_by_name (find_controller (handle, GTK_TYPE_DRAG_SOURCE), "prepare", 0.0, 0.0,
                         &content);
  g_value_init (value, GADGET_TYPE_QUEUED_MESSAGE);
  g_assert_true (gdk_content_provider_get_value (content, value, NULL));
}

static void
drop (TestWindow *self, const char *text, const GValue *value)
{
  gboolean taken;

  g_signal_emit_by_name (find_controller (queue_find_row (self, text), GTK_TYPE_DROP_TARGET),
                         "drop", value, 0.0, 0.0, &taken);
}

/* A message is what is dragged, whatever happens to the others, and to itself, meanwhile. */
static void
test_dragged (TestWindow *self, gconstpointer data)
{
  g_auto (GValue) one = G_VALUE_INIT;
  g_auto (GValue) three = G_VALUE_INIT;

  queue_fill (self);
  begin_drag (self, "three", &three);
  begin_drag (self, "one", &one);
  g_free (gadget_session_dequeue (test_window_get_session (self), 0));
  queue_assert_queue (self, "two three ");
  drop (self, "two", &three);
  queue_assert_queue (self, "three two ");
  drop (self, "two", &one);
  queue_assert_queue (self, "three two ");
  drop (self, "three", &three);
  queue_assert_queue (self, "three two ");
}

static GtkWidget *
get_label (TestWindow *self, const char *text)
{
  return test_find_label (queue_find_row (self, text), text);
}

/* In the smallest window: the handle and the menu are there, with all that the buttons did, and the
 * text has most of the width. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  GtkWidget *row, *more;

  queue_fill (self);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 370, 640);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) <= 370);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  row = queue_find_row (self, "two");
  more = test_find (row, queue_is_more, NULL);
  g_assert_nonnull (more);
  g_assert_nonnull (test_find (row, is_handle, NULL));
  g_assert_cmpint (gtk_widget_get_width (get_label (self, "two")), >=, 220);

  gtk_widget_grab_focus (row);
  test_key ("Tab");
  wait_until (gtk_widget_get_focus_child (queue_find_row (self, "two")) == more);
  test_key ("space");
  wait_until (has_menu (self));
  test_key ("r");
  wait_until (!has_menu (self));
  queue_assert_queue (self, "one three ");
  /* The next message to be sent is that already. */
  gtk_widget_activate_action (queue_find_row (self, "one"), "queued.send", NULL);
  queue_assert_queue (self, "one three ");
  gtk_widget_activate_action (queue_find_row (self, "three"), "queued.send", NULL);
  queue_assert_queue (self, "three one ");
  gtk_widget_activate_action (queue_find_row (self, "three"), "queued.edit", NULL);
  queue_assert_queue (self, "one ");
}

/* Where it was, and what it was: for the turn that is going on. */
static void
test_edited_in_place (TestWindow *self, gconstpointer data)
{
  GListModel *queue;
  g_autoptr (GadgetQueuedMessage) message = NULL;

  queue_fill (self);
  queue = gadget_session_get_queue (test_window_get_session (self));
  g_signal_emit_by_name (queue_find_row (self, "one"), "edit");
  queue_assert_queue (self, "two three ");
  test_key ("ctrl+a");
  test_type ("uno");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  queue_assert_queue (self, "uno two three ");

  /* The one behind it is sent meanwhile: it would have been before that. */
  g_signal_emit_by_name (queue_find_row (self, "uno"), "edit");
  g_assert_cmpstr (queue_end_one (self), ==, "two");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  queue_assert_queue (self, "uno three ");

  /* The last one, and one that is written anew. */
  g_signal_emit_by_name (queue_find_row (self, "three"), "edit");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  queue_assert_queue (self, "uno three ");
  test_type ("four");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  queue_assert_queue (self, "uno three four ");

  test_type ("steer");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (queue) == 4);
  g_signal_emit_by_name (queue_find_row (self, "steer"), "edit");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 4);
  message = g_list_model_get_item (queue, 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "steer");
  g_assert_true (gadget_queued_message_get_steering (message));
}

/* A single message has no place to be moved to. */
static void
test_single (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "first");
  test_type ("one");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self)))
              == 1);
  g_assert_null (test_find (queue_find_row (self, "one"), queue_is_more, NULL));
  gtk_widget_grab_focus (queue_find_row (self, "one"));
  test_key ("shift+F10");
  test_run_for (100);
  g_assert_false (has_menu (self));
  g_assert_true (gtk_widget_is_focus (queue_find_row (self, "one")));
}

static gboolean
is_attachment_sign (GtkWidget *widget, gpointer user_data)
{
  return gtk_widget_has_css_class (widget, "queued-attachments") && gtk_widget_get_mapped (widget);
}

/* What is given with a message is seen on it, and moves with it. */
static void
test_attachments (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = queue_make_attachments ();
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("four");
  GtkWidget *sign;

  queue_fill (self);
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (test_window_get_session (self), message);
  wait_until ((sign = test_find (queue_find_row (self, "four"), is_attachment_sign, NULL)) != NULL);
  g_assert_nonnull (test_find_label (sign, "2"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (sign), ==, "notes.txt\nmore.txt");
  assert_name (queue_find_row (self, "four"), "Queued message 4 of 4: four, 2 attachments");
  g_assert_null (test_find (queue_find_row (self, "three"), is_attachment_sign, NULL));
  gtk_widget_grab_focus (queue_find_row (self, "four"));
  test_key ("alt+Up");
  test_key ("alt+Up");
  test_key ("alt+Up");
  queue_assert_queue (self, "four one two three ");
  wait_until (test_find (queue_find_row (self, "four"), is_attachment_sign, NULL) != NULL);
  g_assert_cmpstr (queue_end_one (self), ==, "four");
  g_assert_cmpuint (
      gadget_attachments_get (gadget_session_get_last_turn (test_window_get_session (self)))->len,
      ==, 2);
}

static void
test_attachments_only (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = queue_make_attachments ();
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("");
  GtkWidget *sign;

  queue_fill (self);
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (test_window_get_session (self), message);
  wait_until ((sign = test_find (GTK_WIDGET (self->composer), is_attachment_sign, NULL)) != NULL);
  assert_name (gtk_widget_get_ancestor (sign, GADGET_TYPE_QUEUE_ROW),
               "Queued message 4 of 4: 2 attachments");
}

/* The order is what is on disk. */
static void
test_restart (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  queue_fill (self);
  gtk_widget_grab_focus (queue_find_row (self, "three"));
  test_key ("alt+Up");
  test_key ("alt+Up");
  queue_assert_queue (self, "three one two ");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (test_window_get_session (self)));
  queue_assert_queue (self, "three one two ");
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/queue/" path, TestWindow, NULL, test_window_set_up, function,                   \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("keys", test_keys);
  add ("menu", test_menu);
  add ("dragged", test_dragged);
  add ("narrow", test_narrow);
  add ("single", test_single);
  add ("edited-in-place", test_edited_in_place);
  add ("attachments", test_attachments);
  add ("attachments-only", test_attachments_only);
  add ("restart", test_restart);

  return g_test_run ();
}
