/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window at every size: what stops and closes it is inside, the focus stays where it is, and it
 * begins again as it was left. That something needs more room than it has is a warning of GTK, and
 * warnings are fatal here. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/common/gadget-toast.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-chat-private.h"

/* What the window draws around itself. */
typedef struct
{
  int width;
  int height;
} Frame;

static Frame
get_frame (TestWindow *self)
{
  Frame frame;

  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  gtk_window_get_default_size (GTK_WINDOW (self->window), &frame.width, &frame.height);
  frame.width -= gtk_widget_get_width (GTK_WIDGET (self->window));
  frame.height -= gtk_widget_get_height (GTK_WIDGET (self->window));
  return frame;
}

static void
resize (TestWindow *self, Frame frame, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (self->window), width + frame.width,
                               height + frame.height);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) == width
              && gtk_widget_get_height (GTK_WIDGET (self->window)) == height);
  /* A breakpoint may follow, and one inside it. */
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
}

static void
start (TestWindow *self)
{
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  test_window_advance (self, 1000);
}

static void
assert_inside (TestWindow *self, GtkWidget *widget)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self->window));
  const int height = gtk_widget_get_height (GTK_WIDGET (self->window));
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_get_mapped (widget));
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (self->window), &bounds));
  g_test_message ("%s at %.0f, %.0f: %.0f×%.0f in %d×%d", G_OBJECT_TYPE_NAME (widget),
                  bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height, width,
                  height);
  g_assert_cmpfloat (bounds.origin.x, >=, 0);
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, width);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, height);
}

static gboolean
is_close_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "close")
         && gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL;
}

static void
assert_all_inside (TestWindow *self)
{
  assert_inside (self, self->button);
  assert_inside (self, self->text);
  if (gtk_widget_get_visible (GTK_WIDGET (self->composer->queue_button)))
    assert_inside (self, GTK_WIDGET (self->composer->queue_button));
  assert_inside (self, test_find (GTK_WIDGET (self->window), is_close_button, NULL));
}

static void
queue (TestWindow *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("Queued %u", i);

      gadget_session_enqueue (gadget_window_get_session (self->window), text);
    }
}

/* While it is written and something waits, which needs the most room. */
static void
test_widths (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);

  start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("more");
  queue (self, 3);
  for (guint sides = 0; sides < 2; sides++)
    {
      adw_overlay_split_view_set_show_sidebar (self->window->activity_view, sides != 0);
      for (int width = 360; width <= 1000; width += width % 20 == 2 ? 18 : 1)
        {
          resize (self, frame, width, 600);
          assert_all_inside (self);
        }
    }
}

static int
measure (gpointer widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* The smallest width that each state needs, against the least that the window gives it: 340 pixels
 * where it is narrow, and 500 where it is not. */
static void
assert_needs (TestWindow *self, const char *state)
{
  for (guint i = 0; i < 2; i++)
    {
      const gboolean narrow = i == 0;

      g_object_set (self->chat, "narrow", narrow, NULL);
      g_test_message ("%s, %s: %d", state, narrow ? "narrow" : "wide", measure (self->chat));
      g_assert_cmpint (measure (self->chat), <=, narrow ? 340 : 500);
    }
}

static void
test_needs (TestWindow *self, gconstpointer data)
{
  assert_needs (self, "idle");
  gtk_widget_grab_focus (self->text);
  start (self);
  assert_needs (self, "running");
  test_type ("more");
  assert_needs (self, "running, with a draft");
  queue (self, 3);
  assert_needs (self, "running, with a queue");
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  assert_needs (self, "running, with a toast");
  test_key ("Escape");
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  assert_needs (self, "aborted");
}

static gboolean
is_toast (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (gtk_widget_get_css_name (widget), "toast");
}

static GtkWidget *
get_last_row (TestWindow *self)
{
  GadgetTranscript *transcript = _gadget_chat_get_transcript (self->chat);
  const guint n = gadget_transcript_model_get_n_rows (transcript->model);
  GadgetRealizedRow *row = _gadget_transcript_get_realized (transcript, n - 1);

  g_assert_nonnull (row);
  g_assert_cmpint (gadget_transcript_model_get_row (transcript->model, n - 1)->kind, ==,
                   GADGET_ROW_KIND_FOOTER);
  return GTK_WIDGET (row->widget);
}

static void
assert_apart (TestWindow *self, GtkWidget *toast, GtkWidget *widget)
{
  graphene_rect_t bounds, other;

  g_assert_true (gtk_widget_compute_bounds (toast, GTK_WIDGET (self->window), &bounds));
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (self->window), &other));
  g_test_message ("toast at %.0f to %.0f, %s at %.0f to %.0f", bounds.origin.y,
                  bounds.origin.y + bounds.size.height, G_OBJECT_TYPE_NAME (widget), other.origin.y,
                  other.origin.y + other.size.height);
  g_assert_false (graphene_rect_intersection (&bounds, &other, NULL));
}

/* A toast as wide as the chat is above what tells how far the reply has come. */
static void
test_toast (TestWindow *self, gconstpointer data)
{
  static const int widths[] = { 360, 480, 600, 1000 };
  const Frame frame = get_frame (self);
  AdwToast *toast;

  start (self);
  for (guint i = 0; i < 30; i++)
    fake_provider_text (self->provider, "\n\nmore");
  toast =
      gadget_toast_new ("Undo was stopped before something that has a very long name, and more");
  adw_toast_set_button_label (toast, "_Continue");
  adw_toast_set_timeout (toast, 0);
  gadget_chat_add_toast (self->chat, toast);
  wait_until (test_find (GTK_WIDGET (self->chat), is_toast, NULL) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *shown;

      resize (self, frame, widths[i], 480);
      test_run_for (700); /* until it is where it stays */
      shown = test_find (GTK_WIDGET (self->chat), is_toast, NULL);
      assert_inside (self, shown);
      assert_apart (self, shown, get_last_row (self));
      assert_apart (self, shown, self->button);
    }
}

/* Of a list that scrolls: the row that came last. */
static void
assert_last_in_sight (TestWindow *self)
{
  GtkWidget *list = GTK_WIDGET (self->composer->queue);
  GtkWidget *label = test_find_label (list, "Queued 29");
  graphene_rect_t bounds;

  g_assert_nonnull (label);
  wait_until (gtk_widget_compute_bounds (label, list, &bounds)
              && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (list));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
}

static void
test_long_queue (TestWindow *self, gconstpointer data)
{
  static const int sizes[][2] = { { 360, 400 }, { 360, 480 }, { 1000, 720 } };
  const Frame frame = get_frame (self);

  start (self);
  queue (self, 30);
  assert_last_in_sight (self);
  gtk_widget_grab_focus (self->text);
  test_type ("more");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      resize (self, frame, sizes[i][0], sizes[i][1]);
      assert_all_inside (self);
      /* There is still something to be seen of the chat. */
      g_assert_cmpint (gtk_widget_get_height (gadget_chat_get_toasts (self->chat)), >, 60);
    }
}

/* A sidebar that is hidden needs no room, and asks for none when the window becomes narrow. */
static void
test_hidden_sidebar (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);

  for (guint sides = 0; sides < 2; sides++)
    {
      resize (self, frame, 1000, 600);
      adw_overlay_split_view_set_show_sidebar (self->window->activity_view, sides != 0);
      for (int width = 360; width <= 640; width += 70)
        {
          resize (self, frame, 1000, 600);
          adw_overlay_split_view_set_show_sidebar (self->window->split_view, FALSE);
          resize (self, frame, width, 600);
          assert_all_inside (self);
        }
    }
}

/* --- The focus ---------------------------------------------------------------------------------
 */

static void
assert_keeps_focus (TestWindow *self, Frame frame, int from, int to)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  g_assert_nonnull (focus);
  resize (self, frame, to, 600);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == focus);
  resize (self, frame, from, 600);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == focus);
}

static void
test_focus (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  g_autofree char *text = NULL;

  resize (self, frame, 1000, 600);
  gtk_widget_grab_focus (self->text);
  assert_keeps_focus (self, frame, 1000, 800);
  assert_keeps_focus (self, frame, 1000, 600);
  assert_keeps_focus (self, frame, 1000, 360);
  gtk_widget_grab_focus (GTK_WIDGET (self->window->chat_menu));
  assert_keeps_focus (self, frame, 1000, 360);

  /* The search is out of sight in a narrow window, and the message entry is of use there. */
  test_key ("ctrl+shift+k");
  test_type ("he");
  assert_keeps_focus (self, frame, 1000, 700);
  resize (self, frame, 500, 600);
  g_assert_true (gtk_widget_is_focus (self->text));
  test_key ("ctrl+shift+k");
  test_type ("llo");
  assert_keeps_focus (self, frame, 500, 400);
}

static void
count_unmaps_cb (guint *n)
{
  (*n)++;
}

static char *
dup_text (TestWindow *self)
{
  char *text;

  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), "text", &text, NULL);
  return text;
}

/* What lies on top of the chat goes when the user goes to the chat. */
static void
test_covered (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);

  resize (self, frame, 500, 600);
  for (guint i = 0; i < 2; i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (self->window),
                                  i == 0 ? "win.toggle-sidebar" : "win.toggle-activity", NULL);
      test_run_for (600); /* until it is there */
      gtk_widget_activate_action (GTK_WIDGET (self->window), "win.focus-composer", NULL);
      g_assert_true (gtk_widget_is_focus (self->text));
      test_run_for (600);
      test_type ("x");
      g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
      g_assert_false (adw_bottom_sheet_get_open (self->window->activity_sheet));
    }
}

/* A new chat is one to type into. */
static void
test_covered_new_chat (TestWindow *self, gconstpointer data)
{
  resize (self, get_frame (self), 500, 600);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  wait_until (adw_bottom_sheet_get_open (self->window->activity_sheet));
  test_run_for (600);
  test_key ("ctrl+n");
  wait_until (!adw_bottom_sheet_get_open (self->window->activity_sheet));
  test_run_for (600);
  g_assert_true (gtk_widget_is_focus (self->text));
}

static void
assert_in_sheet_cb (GtkLayoutManager *layout, GParamSpec *pspec, GadgetWindow *window)
{
  g_assert_true (adw_bottom_sheet_get_sheet (window->activity_sheet)
                 == GTK_WIDGET (window->inspector));
}

/* The window is made wider under an open sheet, which slides out as it is. */
static void
test_sheet_widened (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  GtkWidget *inspector = GTK_WIDGET (self->window->inspector);

  resize (self, frame, 1000, 600);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  for (guint i = 0; i < 2; i++)
    {
      const int width = i == 0 ? 1000 : 800;

      resize (self, frame, 500, 600);
      g_assert_true (adw_bottom_sheet_get_sheet (self->window->activity_sheet) == inspector);
      gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
      wait_until (gtk_widget_get_mapped (inspector));
      test_run_for (600); /* until it is there */
      g_signal_connect_after (self->window->sidebar_layout, "notify::narrow",
                              G_CALLBACK (assert_in_sheet_cb), self->window);
      resize (self, frame, width, 600);
      g_signal_handlers_disconnect_by_func (self->window->sidebar_layout, assert_in_sheet_cb,
                                            self->window);
      wait_until (adw_overlay_split_view_get_sidebar (self->window->activity_view) == inspector);
      g_assert_null (adw_bottom_sheet_get_sheet (self->window->activity_sheet));
      /* Beside the chat it is as the user left it there, and over it hidden. */
      if (width == 1000)
        wait_until (gtk_widget_get_mapped (inspector));
      g_assert_cmpint (gtk_widget_get_mapped (inspector), ==, width == 1000);
    }
}

/* What lies over the end of the chat slides out as it is, too. */
static void
test_overlay_narrowed (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  GtkWidget *inspector = GTK_WIDGET (self->window->inspector);

  resize (self, frame, 800, 600);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  wait_until (gtk_widget_get_mapped (inspector));
  test_run_for (600); /* until it is there */
  gtk_window_set_default_size (GTK_WINDOW (self->window), 500 + frame.width, 600 + frame.height);
  wait_until (!adw_overlay_split_view_get_show_sidebar (self->window->activity_view));
  g_assert_true (adw_overlay_split_view_get_sidebar (self->window->activity_view) == inspector);
  wait_until (adw_bottom_sheet_get_sheet (self->window->activity_sheet) == inspector);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  wait_until (gtk_widget_get_mapped (inspector));
}

static gboolean
is_beside (AdwOverlaySplitView *view)
{
  return adw_overlay_split_view_get_show_sidebar (view)
         && !adw_overlay_split_view_get_collapsed (view);
}

/* A side that was swiped away, which hides it as this does, was closed by the user: it is not back
 * when the window was narrow in between, and the next press of its button shows it. */
static void
test_swiped (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  AdwOverlaySplitView *views[] = { self->window->split_view, self->window->activity_view };
  static const char *const actions[] = { "win.toggle-sidebar", "win.toggle-activity" };

  resize (self, frame, 1000, 600);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      wait_until (is_beside (views[i]));
      adw_overlay_split_view_set_show_sidebar (views[i], FALSE);
      resize (self, frame, 500, 600);
      resize (self, frame, 1000, 600);
      g_assert_false (adw_overlay_split_view_get_show_sidebar (views[i]));
      gtk_widget_activate_action (GTK_WIDGET (self->window), actions[i], NULL);
      g_assert_true (is_beside (views[i]));
      resize (self, frame, 500, 600);
      resize (self, frame, 1000, 600);
      wait_until (is_beside (views[i]));
    }
}

/* Activity slides in beside the chat, which gets narrow by that, and the window is made smaller and
 * larger. Keys pressed meanwhile all go into the message. */
static void
test_typing (TestWindow *self, gconstpointer data)
{
  static const int widths[] = { 800, 600, 360, 1000 };
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  const Frame frame = get_frame (self);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint n_unmaps = 0;

  resize (self, frame, 1000, 600);
  gtk_widget_grab_focus (self->text);
  g_signal_connect_swapped (self->text, "unmap", G_CALLBACK (count_unmaps_cb), &n_unmaps);
  for (guint i = 0; i < 2; i++)
    {
      test_xdo ("key", "shift+F9", "type", "--delay", "20", letters, NULL);
      g_string_append (expected, letters);
    }
  adw_overlay_split_view_set_show_sidebar (self->window->activity_view, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      gtk_window_set_default_size (GTK_WINDOW (self->window), widths[i] + frame.width,
                                   600 + frame.height);
      test_xdo ("type", "--delay", "20", letters, NULL);
      g_string_append (expected, letters);
    }
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  text = dup_text (self);
  g_assert_cmpstr (text, ==, expected->str);
  g_assert_cmpuint (n_unmaps, ==, 0);
  g_assert_true (gtk_widget_is_focus (self->text));
  g_signal_handlers_disconnect_by_func (self->text, count_unmaps_cb, &n_unmaps);
}

/* A frame may be drawn before GTK has looked at what was typed. The scroll bar follows the text in
 * that frame nevertheless: GTK warns when it does not. */
static void
test_growing (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  gtk_widget_grab_focus (self->text);
  for (guint i = 0; i < 400; i++)
    {
      if (i % 20 == 0)
        gtk_text_buffer_set_text (buffer, "", -1);
      gtk_text_buffer_insert_at_cursor (buffer, "mmmmmmmmmmmmmmmmmmmm", -1);
      gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->text),
                                          gtk_text_buffer_get_insert (buffer));
      if (i % 2 == 0)
        gadget_test_wait_frames (GTK_WIDGET (self->window), 1);
      else
        g_main_context_iteration (NULL, FALSE);
    }
}

static gboolean
makes_chat (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), "win.new-chat")
                == 0;
}

/* A new chat is one press away, with the chats beside it and without. */
static void
test_new_chat (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GtkWidget *beside;
  GtkWidget *above;

  gadget_test_wait_frames (root, 2);
  beside = test_find (root, makes_chat, NULL);
  gtk_widget_activate_action (root, "win.toggle-sidebar", NULL);
  wait_until (!gtk_widget_get_mapped (beside));
  above = test_find (root, makes_chat, NULL);
  g_assert_nonnull (above);
  g_assert_true (above != beside);
  gtk_widget_activate_action (root, "win.toggle-sidebar", NULL);
  wait_until (gtk_widget_get_mapped (beside) && !gtk_widget_get_mapped (above));
}

static gboolean
is_model (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (gtk_label_get_label (GTK_LABEL (widget)), "model-of-a-name")
         && gtk_widget_get_ancestor (widget, GADGET_TYPE_COMPOSER) != NULL;
}

static gboolean
is_queue_button (GtkWidget *widget, gpointer user_data)
{
  g_autofree char *difference = NULL;

  /* What labels it would come before its own name. */
  if (!GTK_IS_BUTTON (widget) || !gtk_widget_get_mapped (widget)
      || gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                           GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return FALSE;
  difference = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL, "Queue");
  return difference == NULL;
}

/* The button that queues does not push the name of the model away. */
static void
test_model_name (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  PangoLayout *layout;

  gadget_session_set_model (gadget_window_get_session (self->window), "fake", "model-of-a-name");
  resize (self, frame, 360, 480);
  start (self);
  test_type ("next");
  wait_until (gtk_widget_get_mapped (self->composer->queue_button));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  layout = gtk_label_get_layout (GTK_LABEL (test_find (GTK_WIDGET (self->window), is_model, NULL)));
  g_assert_cmpint (pango_layout_get_width (layout) / PANGO_SCALE, >=, 60);
  g_assert_nonnull (test_find (self->composer->queue_button, is_queue_button, NULL));
  fake_provider_end (self->provider);
}

/* --- The next start ----------------------------------------------------------------------------
 */

static void
test_kept (TestWindow *self, gconstpointer data)
{
  const Frame frame = get_frame (self);
  int width, height, again_width, again_height;

  resize (self, frame, 900, 650);
  gtk_window_get_default_size (GTK_WINDOW (self->window), &width, &height);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-sidebar", NULL);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-activity", NULL);
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
  test_window_restart (self);
  gtk_window_get_default_size (GTK_WINDOW (self->window), &again_width, &again_height);
  g_assert_cmpint (again_width, ==, width);
  g_assert_cmpint (again_height, ==, height);
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->split_view));

  /* A narrow window hides the sidebar without forgetting that it is wanted. */
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.toggle-sidebar", NULL);
  test_run_for (600); /* until it is there */
  resize (self, frame, 500, 600);
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
  test_window_restart (self);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
  resize (self, frame, 900, 600);
  g_assert_true (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
}

#define add(name, test)                                                                            \
  g_test_add ("/ui/layout/" name, TestWindow, NULL, test_window_set_up, test, test_window_tear_down)

static gboolean
is_toggle (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)),
                       "win.toggle-sidebar")
                == 0;
}

/* Up to 400 pixels the open sidebar takes the whole window, with the buttons that are below it. */
static void
test_sidebar_covers (TestWindow *self, gconstpointer data)
{
  static const struct
  {
    int width;
    int sidebar;
  } widths[] = { { 360, 360 }, { 400, 400 }, { 402, 280 }, { 1000, 280 }, { 360, 360 } };
  GtkWidget *library = GTK_WIDGET (self->window->library);
  const Frame frame = get_frame (self);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      resize (self, frame, widths[i].width, 600);
      adw_overlay_split_view_set_show_sidebar (self->window->split_view, TRUE);
      wait_until (gtk_widget_get_mapped (library));
      wait_until (gtk_widget_get_width (library) == widths[i].sidebar);
      gadget_test_wait_frames (library, 5);
      g_assert_cmpint (test_find (library, is_close_button, NULL) != NULL, ==,
                       widths[i].sidebar == widths[i].width);
      g_assert_cmpint (test_find (library, is_toggle, NULL) != NULL, ==,
                       widths[i].sidebar == widths[i].width);
    }
  wait_until (test_find (library, is_toggle, NULL) != NULL);
  gtk_widget_activate (test_find (library, is_toggle, NULL));
  wait_until (!adw_overlay_split_view_get_show_sidebar (self->window->split_view));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("needs", test_needs);
  add ("toast", test_toast);
  add ("widths", test_widths);
  add ("long-queue", test_long_queue);
  add ("hidden-sidebar", test_hidden_sidebar);
  add ("sidebar-covers", test_sidebar_covers);
  add ("focus", test_focus);
  add ("covered", test_covered);
  add ("covered-new-chat", test_covered_new_chat);
  add ("sheet-widened", test_sheet_widened);
  add ("overlay-narrowed", test_overlay_narrowed);
  add ("swiped", test_swiped);
  add ("typing", test_typing);
  add ("growing", test_growing);
  add ("model-name", test_model_name);
  add ("new-chat", test_new_chat);
  add ("kept", test_kept);

  return g_test_run ();
}
