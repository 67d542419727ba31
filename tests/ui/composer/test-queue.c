/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages that wait above the composer, as somebody without a mouse uses them: keys are really
 * pressed. What is sent is what stood there. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-toast.h"
#include "ui/composer/gadget-queue-row.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static GadgetSession *
get_session (TestWindow *self)
{
  return gadget_window_get_session (self->window);
}

static char *
join_queue (TestWindow *self)
{
  GListModel *queue = gadget_session_get_queue (get_session (self));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      g_string_append_printf (text, "%s ", gadget_queued_message_get_text (message));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_queue (TestWindow *self, const char *expected)
{
  g_autofree char *text = join_queue (self);

  g_assert_cmpstr (text, ==, expected);
}

static gboolean
is_row (GtkWidget *widget, gpointer text)
{
  return GADGET_IS_QUEUE_ROW (widget) && test_find_label (widget, text) != NULL;
}

static GtkWidget *
find_row (TestWindow *self, const char *text)
{
  GtkWidget *row = test_find (GTK_WIDGET (self->composer), is_row, (gpointer) text);

  g_assert_nonnull (row);
  return row;
}

static gboolean
is_more (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_has_css_class (widget, "queued-button");
}

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

/* Three messages wait while a reply is written. */
static void
fill (TestWindow *self)
{
  test_window_send (self, "first");
  for (guint i = 0; i < 3; i++)
    {
      const char *const texts[] = { "one", "two", "three" };

      test_type (texts[i]);
      test_key ("Return");
    }
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (get_session (self))) == 3);
  assert_queue (self, "one two three ");
}

static void
assert_name (GtkWidget *row, const char *name)
{
  g_assert_null (gtk_test_accessible_check_property (GTK_ACCESSIBLE (row),
                                                     GTK_ACCESSIBLE_PROPERTY_LABEL, name));
}

/* Ends what runs, and returns the prompt of what comes next. */
static const char *
end_one (TestWindow *self)
{
  const guint n = fake_provider_get_n_requests (self->provider);

  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (fake_provider_get_n_requests (self->provider) == n + 1
              && fake_provider_is_waiting (self->provider));
  return gadget_turn_get_prompt (gadget_session_get_last_turn (get_session (self)));
}

/* --- Tests --- */

/* The row keeps the focus, so that a second press moves it further. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  fill (self);
  assert_name (find_row (self, "three"), "Queued message 3 of 3: three");
  gtk_widget_grab_focus (find_row (self, "three"));
  test_key ("alt+Up");
  assert_queue (self, "one three two ");
  g_assert_true (gtk_widget_is_focus (find_row (self, "three")));
  assert_name (find_row (self, "three"), "Queued message 2 of 3: three");
  test_key ("alt+Up");
  assert_queue (self, "three one two ");
  /* It cannot go further. */
  test_key ("alt+Up");
  assert_queue (self, "three one two ");
  g_assert_true (gtk_widget_is_focus (find_row (self, "three")));
  test_key ("alt+Down");
  assert_queue (self, "one three two ");
  g_assert_true (gtk_widget_is_focus (find_row (self, "three")));

  g_assert_cmpstr (end_one (self), ==, "one");
  g_assert_cmpstr (end_one (self), ==, "three");
  g_assert_cmpstr (end_one (self), ==, "two");
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

  fill (self);
  gtk_widget_grab_focus (find_row (self, "two"));
  more = test_find (find_row (self, "two"), is_more, NULL);
  for (guint i = 0; i < 10 && gtk_widget_get_focus_child (find_row (self, "two")) != more; i++)
    test_key ("Tab");
  g_assert_true (gtk_widget_get_focus_child (find_row (self, "two")) == more);
  test_key ("space");
  wait_until (has_menu (self));
  test_key ("Return");
  wait_until (!has_menu (self));
  assert_queue (self, "two one three ");
  wait_until (gtk_widget_is_focus (find_row (self, "two")));

  /* On the first one, the only thing to do is to move down. */
  test_key ("shift+F10");
  wait_until (has_menu (self));
  test_key ("Escape");
  wait_until (!has_menu (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  assert_queue (self, "two one three ");
  gtk_widget_activate_action (find_row (self, "two"), "queued.move-up", NULL);
  assert_queue (self, "two one three ");
  gtk_widget_activate_action (find_row (self, "two"), "queued.move-down", NULL);
  assert_queue (self, "one two three ");
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
  GtkWidget *handle = test_find (find_row (self, text), is_handle, NULL);
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

  g_signal_emit_by_name (find_controller (find_row (self, text), GTK_TYPE_DROP_TARGET), "drop",
                         value, 0.0, 0.0, &taken);
}

/* A message is what is dragged, whatever happens to the others, and to itself, meanwhile. */
static void
test_dragged (TestWindow *self, gconstpointer data)
{
  g_auto (GValue) one = G_VALUE_INIT;
  g_auto (GValue) three = G_VALUE_INIT;

  fill (self);
  begin_drag (self, "three", &three);
  begin_drag (self, "one", &one);
  g_free (gadget_session_dequeue (get_session (self), 0));
  assert_queue (self, "two three ");
  drop (self, "two", &three);
  assert_queue (self, "three two ");
  drop (self, "two", &one);
  assert_queue (self, "three two ");
  drop (self, "three", &three);
  assert_queue (self, "three two ");
}

static GtkWidget *
get_label (TestWindow *self, const char *text)
{
  return test_find_label (find_row (self, text), text);
}

/* In the smallest window: the handle and the menu are there, with all that the buttons did, and the
 * text has most of the width. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  GtkWidget *row, *more;

  fill (self);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 370, 640);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) <= 370);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  row = find_row (self, "two");
  more = test_find (row, is_more, NULL);
  g_assert_nonnull (more);
  g_assert_nonnull (test_find (row, is_handle, NULL));
  g_assert_cmpint (gtk_widget_get_width (get_label (self, "two")), >=, 220);

  gtk_widget_grab_focus (row);
  test_key ("Tab");
  wait_until (gtk_widget_get_focus_child (find_row (self, "two")) == more);
  test_key ("space");
  wait_until (has_menu (self));
  test_key ("r");
  wait_until (!has_menu (self));
  assert_queue (self, "one three ");
  /* The next message to be sent is that already. */
  gtk_widget_activate_action (find_row (self, "one"), "queued.send", NULL);
  assert_queue (self, "one three ");
  gtk_widget_activate_action (find_row (self, "three"), "queued.send", NULL);
  assert_queue (self, "three one ");
  gtk_widget_activate_action (find_row (self, "three"), "queued.edit", NULL);
  assert_queue (self, "one ");
}

/* A single message has no place to be moved to. */
/* Where it was, and what it was: for the turn that is going on. */
static void
test_edited_in_place (TestWindow *self, gconstpointer data)
{
  GListModel *queue;
  g_autoptr (GadgetQueuedMessage) message = NULL;

  fill (self);
  queue = gadget_session_get_queue (get_session (self));
  g_signal_emit_by_name (find_row (self, "one"), "edit");
  assert_queue (self, "two three ");
  test_key ("ctrl+a");
  test_type ("uno");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  assert_queue (self, "uno two three ");

  /* The one behind it is sent meanwhile: it would have been before that. */
  g_signal_emit_by_name (find_row (self, "uno"), "edit");
  g_assert_cmpstr (end_one (self), ==, "two");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  assert_queue (self, "uno three ");

  /* The last one, and one that is written anew. */
  g_signal_emit_by_name (find_row (self, "three"), "edit");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  assert_queue (self, "uno three ");
  test_type ("four");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  assert_queue (self, "uno three four ");

  test_type ("steer");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (queue) == 4);
  g_signal_emit_by_name (find_row (self, "steer"), "edit");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 4);
  message = g_list_model_get_item (queue, 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "steer");
  g_assert_true (gadget_queued_message_get_steering (message));
}

static void
test_single (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "first");
  test_type ("one");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (get_session (self))) == 1);
  g_assert_null (test_find (find_row (self, "one"), is_more, NULL));
  gtk_widget_grab_focus (find_row (self, "one"));
  test_key ("shift+F10");
  test_run_for (100);
  g_assert_false (has_menu (self));
  g_assert_true (gtk_widget_is_focus (find_row (self, "one")));
}

static GPtrArray *
make_attachments (void)
{
  GPtrArray *attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_text ("notes.txt", "Some notes", 10));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("more.txt", "More notes", 10));
  return attachments;
}

static gboolean
is_given (GtkWidget *widget, gpointer user_data)
{
  return gtk_widget_has_css_class (widget, "queued-given") && gtk_widget_get_mapped (widget);
}

/* What is given with a message is seen on it, and moves with it. */
static void
test_attachments (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = make_attachments ();
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("four");
  GtkWidget *given;

  fill (self);
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (get_session (self), message);
  wait_until ((given = test_find (find_row (self, "four"), is_given, NULL)) != NULL);
  g_assert_nonnull (test_find_label (given, "2"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (given), ==, "notes.txt\nmore.txt");
  assert_name (find_row (self, "four"), "Queued message 4 of 4: four, 2 attachments");
  g_assert_null (test_find (find_row (self, "three"), is_given, NULL));
  gtk_widget_grab_focus (find_row (self, "four"));
  test_key ("alt+Up");
  test_key ("alt+Up");
  test_key ("alt+Up");
  assert_queue (self, "four one two three ");
  wait_until (test_find (find_row (self, "four"), is_given, NULL) != NULL);
  g_assert_cmpstr (end_one (self), ==, "four");
  g_assert_cmpuint (gadget_attachments_get (gadget_session_get_last_turn (get_session (self)))->len,
                    ==, 2);
}

static void
test_attachments_only (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = make_attachments ();
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("");
  GtkWidget *given;

  fill (self);
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (get_session (self), message);
  wait_until ((given = test_find (GTK_WIDGET (self->composer), is_given, NULL)) != NULL);
  assert_name (gtk_widget_get_ancestor (given, GADGET_TYPE_QUEUE_ROW),
               "Queued message 4 of 4: 2 attachments");
}

/* The order is what is on disk. */
static void
test_restart (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  fill (self);
  gtk_widget_grab_focus (find_row (self, "three"));
  test_key ("alt+Up");
  test_key ("alt+Up");
  assert_queue (self, "three one two ");
  id = g_strdup (gadget_session_get_id (get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (get_session (self)));
  assert_queue (self, "three one two ");
}

static gboolean
is_button (GtkWidget *widget, gpointer icon)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0;
}

static void
press (TestWindow *self, const char *text, const char *icon)
{
  GListModel *queue = gadget_session_get_queue (get_session (self));
  const guint n = g_list_model_get_n_items (queue);

  gtk_widget_grab_focus (test_find (find_row (self, text), is_button, (gpointer) icon));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == n - 1);
}

static void
stop (TestWindow *self)
{
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  wait_until (gadget_session_get_active_run (get_session (self)) == NULL);
}

static gboolean
has_text (TestWindow *self, const char *expected)
{
  g_autofree char *text = gadget_composer_dup_text (self->composer);

  return g_strcmp0 (text, expected) == 0;
}

static void
assert_text (TestWindow *self, const char *expected)
{
  g_autofree char *text = gadget_composer_dup_text (self->composer);

  g_assert_cmpstr (text, ==, expected);
}

/* Nothing runs, so that nothing else writes the chat: what is taken out stays out, and what is
 * taken out to be edited is the draft. */
static void
test_taken_out (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  fill (self);
  fake_provider_text (self->provider, "Yes");
  stop (self);
  press (self, "one", "window-close-symbolic");
  assert_queue (self, "two three ");
  press (self, "three", "document-edit-symbolic");
  assert_queue (self, "two ");
  id = g_strdup (gadget_session_get_id (get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (get_session (self))
              && !gadget_composer_is_empty (self->composer));
  assert_queue (self, "two ");
  assert_text (self, "three");
}

static void
undo (TestWindow *self)
{
  GListModel *queue = gadget_session_get_queue (get_session (self));
  const guint n = g_list_model_get_n_items (queue);
  GtkWidget *label;

  wait_until ((label = test_find_label (GTK_WIDGET (self->window), "Undo")) != NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == n + 1);
  wait_until (!test_window_has_toast (self, "Message removed"));
}

/* It comes back with what is given with it, to where it was, and is stored there. */
static void
test_removed (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = make_attachments ();
  g_autoptr (GadgetQueuedMessage) four = gadget_queued_message_new ("four");
  g_autoptr (GadgetQueuedMessage) message = NULL;
  g_autofree char *id = NULL;

  fill (self);
  gadget_attachments_set (four, attachments);
  gadget_session_enqueue_message (get_session (self), four);
  g_signal_emit_by_name (find_row (self, "four"), "remove");
  assert_queue (self, "one two three ");
  undo (self);
  assert_queue (self, "one two three four ");
  message = g_list_model_get_item (gadget_session_get_queue (get_session (self)), 3);
  g_assert_cmpuint (gadget_attachments_get (message)->len, ==, 2);

  g_signal_emit_by_name (find_row (self, "two"), "remove");
  assert_queue (self, "one three four ");
  /* The one before it is sent meanwhile. */
  g_assert_cmpstr (end_one (self), ==, "one");
  undo (self);
  assert_queue (self, "two three four ");
  fake_provider_text (self->provider, "Yes");
  stop (self);
  wait_until (test_window_has_toast (self, "Aborting…"));
  test_window_advance (self, 5000);
  wait_until (!test_window_has_toast (self, "Aborting…"));
  press (self, "three", "window-close-symbolic");
  assert_queue (self, "two four ");
  undo (self);
  id = g_strdup (gadget_session_get_id (get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (get_session (self)));
  assert_queue (self, "two three four ");
}

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* Whoever removes one after the other with the keyboard goes on with the next one, and is at the
 * message entry then. */
static void
test_removed_by_key (TestWindow *self, gconstpointer data)
{
  fill (self);
  gtk_widget_grab_focus (find_row (self, "two"));
  g_signal_emit_by_name (find_row (self, "two"), "remove");
  g_assert_true (has_focus (find_row (self, "three")));
  g_signal_emit_by_name (find_row (self, "three"), "remove");
  g_assert_true (has_focus (find_row (self, "one")));
  g_signal_emit_by_name (find_row (self, "one"), "remove");
  g_assert_true (has_focus (self->text));
}

/* It can be undone at once, whatever was said just before; that stands there again afterwards. */
static void
test_removed_beside_toast (TestWindow *self, gconstpointer data)
{
  AdwToast *toast = gadget_toast_new ("Something else");

  fill (self);
  adw_toast_set_timeout (toast, 0);
  gadget_chat_add_toast (self->chat, toast);
  wait_until (test_window_has_toast (self, "Something else"));
  g_signal_emit_by_name (find_row (self, "two"), "remove");
  wait_until (test_window_has_toast (self, "Message removed"));
  assert_queue (self, "one three ");
}

/* Not while Esc is armed: that stays in sight. */
static void
test_removed_beside_escape (TestWindow *self, gconstpointer data)
{
  fill (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  g_signal_emit_by_name (find_row (self, "two"), "remove");
  test_run_for (500);
  g_assert_true (test_window_has_toast (self, "Press Esc again to abort"));
}

/* The turn that it was to steer is over when it comes back, into the chat that it was taken from.
 */
static void
test_removed_steering (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  g_autoptr (GadgetQueuedMessage) message = NULL;
  GtkWidget *label;

  test_window_send (self, "first");
  session = get_session (self);
  test_type ("steer");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 1);
  g_signal_emit_by_name (find_row (self, "steer"), "remove");
  stop (self);
  gadget_window_new_chat (self->window);
  wait_until ((label = test_find_label (GTK_WIDGET (self->window), "Undo")) != NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 1);
  message = g_list_model_get_item (gadget_session_get_queue (session), 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "steer");
  g_assert_false (gadget_queued_message_get_steering (message));
  g_assert_true (gadget_session_get_queue_paused (session));
}

/* What is taken out is the draft, also when an earlier message was being edited. */
static void
test_taken_out_of_edit (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *id = NULL;

  fill (self);
  fake_provider_text (self->provider, "Yes");
  stop (self);
  test_type ("before");
  wait_until (has_text (self, "before"));
  gtk_widget_activate_action (
      GTK_WIDGET (self->chat), "session.edit-turn", "s",
      gadget_turn_get_id (gadget_session_get_last_turn (get_session (self))));
  assert_text (self, "first");
  press (self, "two", "document-edit-symbolic");
  assert_queue (self, "one three ");
  assert_text (self, "two\n\nbefore");
  g_assert_false (gtk_revealer_get_reveal_child (self->chat->edit_banner));
  /* Nothing is edited any more that it could end. */
  test_key ("Escape");
  assert_text (self, "two\n\nbefore");
  id = g_strdup (gadget_session_get_id (get_session (self)));
  test_window_restart (self);
  session = gadget_engine_find_session (self->engine, id);
  gadget_engine_load_async (self->engine, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_load_finish (self->engine, result, NULL));
  gadget_window_open_session (self->window, session);
  /* Nor is it while the draft is not known yet. */
  g_signal_emit_by_name (find_row (self, "one"), "edit");
  wait_until (!gadget_composer_is_empty (self->composer));
  assert_queue (self, "one three ");
  assert_text (self, "two\n\nbefore");
}

/* The queue changes by itself whenever a reply ends. Whoever is at a row stays there; when that
 * message is sent, the message entry has the focus. */
static void
test_sent_beside_focus (TestWindow *self, gconstpointer data)
{
  GtkWidget *more;

  fill (self);
  gtk_widget_grab_focus (find_row (self, "three"));
  g_assert_cmpstr (end_one (self), ==, "one");
  g_assert_true (gtk_widget_is_focus (find_row (self, "three")));

  /* Also at a button of it. */
  more = test_find (find_row (self, "two"), is_more, NULL);
  g_assert_true (gtk_widget_grab_focus (more));
  g_assert_cmpstr (end_one (self), ==, "two");
  g_assert_true (has_focus (self->text));
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
  add ("taken-out", test_taken_out);
  add ("removed", test_removed);
  add ("removed-by-key", test_removed_by_key);
  add ("sent-beside-focus", test_sent_beside_focus);
  add ("removed-beside-toast", test_removed_beside_toast);
  add ("removed-beside-escape", test_removed_beside_escape);
  add ("removed-steering", test_removed_steering);
  add ("taken-out-of-edit", test_taken_out_of_edit);

  return g_test_run ();
}
