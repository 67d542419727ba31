/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of chats in a whole window. */

#include "config.h"

#include "common/gadget-clock.h"
#include "common/gadget-day-watch.h"
#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-motion.h"
#include "ui/library/gadget-chat-row.h"
#include "ui/library/gadget-library-private.h"
#include "wait.h"

/* However and whenever a turn ends, and whatever chat is shown then, its chat leaves "Running". */
static void
test_leaves_running (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 40; i++)
    {
      GadgetSession *session;
      g_autoptr (GadgetRun) run = NULL;
      g_autoptr (GadgetSession) keep = NULL;
      const int how = g_rand_int_range (rand, 0, 3);

      if (i == 0 || g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      session = gadget_window_get_session (self->window);
      keep = g_object_ref (session);
      gadget_session_set_model (session, "fake", "model");
      run = gadget_agent_start (agent, session, "go", &options, NULL);
      g_assert_nonnull (run);
      if (g_rand_boolean (rand))
        test_run_for ((guint) g_rand_int_range (rand, 0, 60));
      if (g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      if (how == 0)
        gadget_abort_ack_free (
            gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER));
      else
        {
          wait_until (fake_provider_is_waiting (self->provider));
          if (how == 1)
            fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                             GADGET_PROVIDER_ERROR_CUT, "cut"));
          else
            {
              fake_provider_text (self->provider, "text");
              fake_provider_end (self->provider);
            }
        }
      wait_until (gadget_session_get_active_run (session) == NULL);
      wait_until (test_find_label (GTK_WIDGET (self->window), "Running") == NULL);
    }
}

static gboolean
is_list (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LIST_VIEW (widget);
}

/* Where the label begins, from the upper edge of the list. */
static float
get_y (TestWindow *self, const char *label)
{
  GtkWidget *list = test_find (GTK_WIDGET (self->window), is_list, NULL);
  GtkWidget *widget = test_find_label (list, label);
  graphene_rect_t bounds;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_bounds (widget, list, &bounds));
  return bounds.origin.y;
}

static void
run_turn (TestWindow *self, GadgetSession *session, gboolean end)
{
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GadgetRun) run = NULL;

  gadget_session_set_model (session, "fake", "model");
  run = gadget_agent_start (gadget_engine_get_agent (self->engine), session, "go", &options, NULL);
  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (self->provider));
  if (!end)
    return;
  fake_provider_text (self->provider, "text");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

/* The chat that is shown gets a turn, and so do N - 1 new ones. */
static void
make_chats (TestWindow *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      run_turn (self, gadget_window_get_session (self->window), TRUE);
    }
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
}

static GtkAdjustment *
get_adjustment (TestWindow *self)
{
  return gtk_scrollable_get_vadjustment (
      GTK_SCROLLABLE (test_find (GTK_WIDGET (self->window), is_list, NULL)));
}

/* Who looks at the top of the list sees what comes there, the name of the group included. */
static void
test_top_stays (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, GPOINTER_TO_UINT (data));
  gtk_adjustment_set_value (get_adjustment (self), 0);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  g_assert_cmpfloat (get_y (self, "Today"), >=, 0);

  run_turn (self, session, FALSE);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (get_adjustment (self)), ==, 0);
  g_assert_cmpfloat (get_y (self, "Running"), >=, 0);

  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 1);
  g_assert_cmpfloat (get_y (self, "Today"), >=, 0);
}

static gboolean
scroll_down (GtkWidget *window, GtkAdjustment *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) / 3);
  gadget_test_wait_frames (window, 2);
  return gtk_adjustment_get_value (adjustment) > 0;
}

/* Who looks further down is not taken to the top. */
static void
test_top_is_not_forced (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);
  GtkAdjustment *adjustment;

  make_chats (self, 20);
  adjustment = get_adjustment (self);
  /* The last of them may still be on its way to the top. */
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));

  run_turn (self, first, FALSE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 0);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (first) == NULL);
}

static gboolean
is_search (GtkWidget *widget, gpointer data)
{
  return GTK_IS_SEARCH_ENTRY (widget) && gtk_widget_get_mapped (widget);
}

/* Ctrl+Shift+K a second time: what is typed replaces what was searched for, and is not added to it.
 */
static void
test_search_again (TestWindow *self, gconstpointer data)
{
  GtkWidget *search;

  run_turn (self, gadget_window_get_session (self->window), TRUE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  search = test_find (GTK_WIDGET (self->window), is_search, NULL);
  test_key ("ctrl+shift+k");
  test_type ("first");
  wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (search)), "first"));
  test_key ("ctrl+l");
  test_key ("ctrl+shift+k");
  /* It is still there until then. */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "first");
  test_type ("second");
  wait_until (g_str_has_suffix (gtk_editable_get_text (GTK_EDITABLE (search)), "second"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "second");
}

static gboolean
is_current (TestWindow *self, GadgetSession *session)
{
  return gadget_window_get_session (self->window) == session && gtk_widget_is_focus (self->text);
}

/* Enter opens the chat, and what is typed next is for it. */
static void
test_enter (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  run_turn (self, session, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  gtk_widget_grab_focus (self->text);
  test_key ("ctrl+shift+k");
  test_type (gadget_session_get_title (session));
  test_key ("Return");
  wait_until (is_current (self, session));
  g_assert_true (gadget_composer_is_empty (self->composer));
  /* From the list, where the one that is shown already has it. */
  test_key ("ctrl+shift+k");
  test_xdo ("key", "--delay", "100", "Tab", "Down", NULL);
  g_assert_false (gtk_widget_is_focus (self->text));
  test_key ("Return");
  wait_until (gtk_widget_is_focus (self->text));
}

static gboolean
is_drawn_pressed (GtkWidget *widget, gpointer user_data)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_ACTIVE) != 0;
}

static gboolean
is_open_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

/* A row is not drawn pressed any more when its menu is closed. */
static void
test_right_click (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GadgetSession *session = gadget_window_get_session (self->window);
  GtkWidget *list;

  run_turn (self, session, TRUE);
  gadget_test_wait_frames (root, 3);
  list = test_find (root, is_list, NULL);
  test_point_at (test_find_label (list, gadget_session_get_title (session)));
  test_xdo ("click", "3", NULL);
  wait_until (test_find (root, is_open_menu, NULL) != NULL);
  test_key ("Escape");
  wait_until (test_find (root, is_open_menu, NULL) == NULL);
  gadget_test_wait_frames (root, 3);
  g_assert_null (test_find (list, is_drawn_pressed, NULL));
}

static void
test_next_day (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);

  test_window_send (self, "hello");
  fake_provider_text (self->provider, "text");
  fake_provider_end (self->provider);
  wait_until (test_find_label (root, "Today") != NULL);
  /* A turn that ends on the next day makes the chat one of that day. */
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  gadget_clock_shift_wall (24 * 60 * 60 * 1000);
  g_signal_emit_by_name (gadget_day_watch_get_default (), "changed");
  wait_until (test_find_label (root, "Yesterday") != NULL);
  g_assert_null (test_find_label (root, "Today"));
  gadget_clock_shift_wall (-24 * 60 * 60 * 1000);
}

static gboolean
is_spinner (GtkWidget *widget, gpointer user_data)
{
  return ADW_IS_SPINNER (widget);
}

/* A reply that only waits does not draw all the time. */
static void
test_rests (TestWindow *self, gconstpointer data)
{
  GtkWidget *library = GTK_WIDGET (self->window->library);

  gadget_motion_set_rest_ms (1500);
  test_window_send (self, "hello");
  wait_until (test_find (library, is_spinner, NULL) != NULL);
  wait_until (test_find (library, is_spinner, NULL) == NULL);
  fake_provider_text (self->provider, "text");
  wait_until (test_find (library, is_spinner, NULL) != NULL);
  fake_provider_end (self->provider);
  gadget_motion_set_rest_ms (10000);
}

/* A chat of the list is renamed and deleted with the keys that rename and delete files. */
static void
test_row_keys (TestWindow *self, gconstpointer data)
{
  AdwApplicationWindow *window = ADW_APPLICATION_WINDOW (self->window);
  GListModel *sessions = gadget_engine_get_sessions (self->engine);
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 2);
  test_key ("ctrl+shift+k");
  test_key ("F2");
  test_key ("Delete");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_null (adw_application_window_get_visible_dialog (window));
  g_assert_cmpuint (g_list_model_get_n_items (sessions), ==, 2);
  test_xdo ("key", "--delay", "100", "Tab", "Down", NULL);
  wait_until (gadget_window_get_session (self->window) == session);
  test_key ("F2");
  wait_until (adw_application_window_get_visible_dialog (window) != NULL);
  test_type ("Other name");
  test_key ("Return");
  wait_until (g_strcmp0 (gadget_session_get_title (session), "Other name") == 0);
  wait_until (adw_application_window_get_visible_dialog (window) == NULL);
  test_key ("ctrl+shift+k");
  test_xdo ("key", "--delay", "100", "Tab", "Down", "Up", NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  session = gadget_window_get_session (self->window);
  test_key ("Delete");
  wait_until (test_window_has_toast (self, "Chat deleted"));
  g_assert_cmpint (gadget_session_get_deletion (session), ==, GADGET_DELETION_PENDING);
  g_assert_true (gadget_window_get_session (self->window) != session);
}

/* (nullable): the chat whose row has the focus */
static GadgetSession *
get_focused_chat (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));
  GtkWidget *row = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  return GADGET_IS_CHAT_ROW (row) ? gadget_chat_row_get_session (GADGET_CHAT_ROW (row)) : NULL;
}

static guint n_bells;

/* It takes the place of GTK's, for all that the program links. */
void
gtk_widget_error_bell (GtkWidget *widget)
{
  n_bells++;
}

static gboolean
has_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)) != NULL;
}

static gboolean
is_deleted (GadgetSession *session)
{
  return gadget_session_get_deletion (session) != GADGET_DELETION_NONE;
}

static void
focus_list (TestWindow *self)
{
  test_key ("ctrl+shift+k");
  test_key ("Tab");
  wait_until (get_focused_chat (self) != NULL);
}

/* The keys are for the row that has the focus. Tab leads to one whose chat is not selected. */
static void
test_keys_of_focused_row (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));
  GadgetSession *shown;

  make_chats (self, 2);
  shown = gadget_window_get_session (self->window);
  focus_list (self);
  test_key ("Tab");
  wait_until (get_focused_chat (self) == session);
  g_assert_true (gadget_window_get_session (self->window) == shown);

  test_key ("F2");
  wait_until (has_dialog (self));
  test_type ("Other name");
  test_key ("Return");
  wait_until (g_strcmp0 (gadget_session_get_title (session), "Other name") == 0);
  wait_until (!has_dialog (self));
  focus_list (self);
  test_key ("Tab");
  wait_until (get_focused_chat (self) == session);
  test_key ("Delete");
  wait_until (is_deleted (session));
  g_assert_true (gadget_window_get_session (self->window) == shown);
}

/* Renaming ends where it began, however it ends. */
static void
test_rename_keeps_focus (TestWindow *self, gconstpointer data)
{
  static const char *const keys[] = { "Return", "Escape" };
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 1);
  focus_list (self);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      wait_until (get_focused_chat (self) == session);
      test_key ("F2");
      wait_until (has_dialog (self));
      test_key (keys[i]);
      wait_until (!has_dialog (self));
      gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
      g_assert_true (get_focused_chat (self) == session);
    }
  test_key ("ctrl+l");
  wait_until (gtk_widget_is_focus (self->text));
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.rename-chat", NULL);
  wait_until (has_dialog (self));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  test_key ("Escape");
  wait_until (!has_dialog (self));
  wait_until (gtk_widget_is_focus (self->text));
}

/* One chat after the other is deleted: the focus goes on to the next row, and from the last one to
 * the one above. */
static void
test_delete_keeps_focus (TestWindow *self, gconstpointer data)
{
  const gboolean by_menu = GPOINTER_TO_INT (data);
  GListModel *sessions = gadget_engine_get_sessions (self->engine);
  GadgetSession *focused;

  make_chats (self, 4);
  focus_list (self);
  test_key ("Down");
  wait_until (gadget_window_get_session (self->window) == get_focused_chat (self));
  for (guint n = 4; n > 0; n--)
    {
      focused = get_focused_chat (self);
      if (by_menu)
        {
          test_key ("Menu");
          wait_until (test_find (GTK_WIDGET (self->window), is_open_menu, NULL) != NULL);
          test_key ("Up");
          test_key ("Return");
        }
      else
        test_key ("Delete");
      wait_until (g_list_model_get_n_items (sessions) == n - 1);
      g_assert_true (is_deleted (focused));
      gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
      g_assert_nonnull (get_focused_chat (self));
      g_assert_false (is_deleted (get_focused_chat (self)));
      /* The new chat is above them. */
      g_assert_true (n == 1 || get_focused_chat (self) != gadget_window_get_session (self->window));
    }
  g_assert_true (get_focused_chat (self) == gadget_window_get_session (self->window));
}

/* There is nothing to delete of a chat that has no messages. */
static void
test_delete_new_chat (TestWindow *self, gconstpointer data)
{
  n_bells = 0;
  focus_list (self);
  test_key ("Delete");
  wait_until (n_bells == 1);
  g_assert_true (get_focused_chat (self) == gadget_window_get_session (self->window));
}

/* Nor does its menu offer to. */
static void
test_menu_of_new_chat (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GtkWidget *menu;

  make_chats (self, 1);
  gtk_widget_activate_action (root, "win.new-chat", NULL);
  for (guint i = 0; i < 2; i++)
    {
      focus_list (self);
      if (i > 0)
        test_key ("Tab");
      wait_until ((get_focused_chat (self) == gadget_window_get_session (self->window))
                  == (i == 0));
      test_key ("Menu");
      wait_until (test_find (root, is_open_menu, NULL) != NULL);
      menu = test_find (root, is_open_menu, NULL);
      wait_until (gtk_widget_is_sensitive (test_find_label (menu, "Delete")) == (i > 0));
      g_assert_true (gtk_widget_is_sensitive (test_find_label (menu, "Rename…")));
      test_key ("Escape");
      wait_until (test_find (root, is_open_menu, NULL) == NULL);
    }
}

static void
search_for (TestWindow *self, const char *text)
{
  GtkWidget *search = test_find (GTK_WIDGET (self->window), is_search, NULL);

  test_key ("ctrl+shift+k");
  test_type (text);
  wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (search)), text));
}

static guint
count_listed (TestWindow *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->window->library->model));
}

/* (nullable) (transfer none): the chat that is marked in the list */
static GadgetSession *
get_marked (TestWindow *self)
{
  GadgetLibraryModel *model = self->window->library->model;

  for (guint i = 0; i < count_listed (self); i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model), i))
      return GADGET_SESSION (gadget_library_model_get_entry (model, i)->item);
  return NULL;
}

/* A chat that gets another title while the user searches comes and goes by it. */
static void
test_search_follows_titles (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 2);
  gadget_session_set_title (session, "Apples");
  search_for (self, "pears");
  wait_until (count_listed (self) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "No chat has such a title.")
              != NULL);
  gadget_session_set_title (session, "Pears");
  wait_until (count_listed (self) == 1);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Pears") != NULL);
  gadget_session_set_title (session, "Apples");
  wait_until (count_listed (self) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "No chat has such a title.")
              != NULL);
}

/* A title does not move a chat, so the list stays where the user has scrolled to. */
static void
test_title_does_not_scroll (TestWindow *self, gconstpointer data)
{
  GtkAdjustment *adjustment;
  double value;

  make_chats (self, 20);
  adjustment = get_adjustment (self);
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));
  test_run_for (300);
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));
  value = gtk_adjustment_get_value (adjustment);
  gadget_session_set_title (gadget_window_get_session (self->window), "Other name");
  wait_until (self->window->library->rebuild_id == 0);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
}

/* The chat that is shown stays marked, whatever is clicked. */
static void
test_stays_selected (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 1);
  focus_list (self);
  wait_until (get_focused_chat (self) == session);
  test_key ("ctrl+space");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_true (get_marked (self) == session);

  /* A search that does not find it still marks none. */
  search_for (self, "nothing of it");
  wait_until (count_listed (self) == 0);
  g_assert_null (get_marked (self));
}

/* When others are found, none of them is marked instead. */
static void
test_not_found_not_selected (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  make_chats (self, 2);
  gadget_session_set_title (first, "Pears");
  search_for (self, "pears");
  wait_until (count_listed (self) == 1);
  g_assert_true (gadget_window_get_session (self->window) != first);
  g_assert_null (get_marked (self));
  test_key ("BackSpace");
  test_type ("z");
  wait_until (count_listed (self) == 0);
  test_key ("Escape");
  wait_until (count_listed (self) == 2);
  g_assert_true (get_marked (self) == gadget_window_get_session (self->window));
}

/* A chat that is not listed any more is not kept by the list. */
static void
test_deleted_is_forgotten (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  make_chats (self, 2);
  g_assert_true (g_hash_table_contains (self->window->library->watched, first));
  g_assert_true (gadget_engine_begin_delete (self->engine, first, GADGET_DELETE_UNSENT, NULL));
  wait_until (count_listed (self) == 1);
  wait_until (!g_hash_table_contains (self->window->library->watched, first));
}

static gboolean
has_description (GtkWidget *row, const char *text)
{
  return g_str_equal (gadget_chat_row_get_description (GADGET_CHAT_ROW (row)), text);
}

/* What a screen reader says of a row has the state of the chat, whatever its folder is called. */
static void
test_row_description (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_engine_new_session (self->engine);
  GtkWidget *row = g_object_ref_sink (gadget_chat_row_new ());

  gadget_session_set_title (session, "Pears");
  gadget_session_set_workspace (session, "/tmp/failed-builds");
  gadget_session_set_model (session, "fake", "model");
  run_turn (self, session, FALSE);
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), session, self->engine);
  g_assert_cmpstr (gadget_chat_row_get_description (GADGET_CHAT_ROW (row)), ==,
                   "Pears, failed-builds · model, running");
  fake_provider_fail (self->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
  wait_until (gadget_session_get_active_run (session) == NULL);
  /* The window shows another chat. */
  wait_until (has_description (row, "Pears, failed-builds · failed, unread"));
  gadget_session_set_unread (session, FALSE);
  g_assert_true (has_description (row, "Pears, failed-builds · failed"));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), NULL, NULL);
  g_object_unref (row);
}

/* The line below the title of a branch names the chat that it comes from, while there is one. */
static void
test_branch_line (TestWindow *self, gconstpointer data)
{
  GadgetSession *origin = gadget_window_get_session (self->window);
  g_autoptr (GadgetSession) branch = gadget_session_new ("branch");
  GtkWidget *row = g_object_ref_sink (gadget_chat_row_new ());

  make_chats (self, 1);
  gadget_session_set_title (origin, "Pears");
  gadget_session_set_title (branch, "More pears");
  gadget_session_set_origin_id (branch, gadget_session_get_id (origin));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), branch, self->engine);
  g_assert_true (has_description (row, "More pears, Branch of Pears"));
  gadget_session_set_title (origin, "Apples");
  g_assert_true (has_description (row, "More pears, Branch of Apples"));
  g_assert_true (gadget_engine_begin_delete (self->engine, origin, GADGET_DELETE_UNSENT, NULL));
  g_assert_true (has_description (row, "More pears, Branch of a deleted chat"));
  /* What is wrong with a chat is more important. */
  gadget_session_set_last_stop_reason (branch, GADGET_STOP_INTERRUPTED);
  gadget_session_set_last_status (branch, GADGET_TURN_ABORTED);
  g_assert_true (has_description (row, "More pears, No workspace · interrupted"));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), NULL, NULL);
  g_object_unref (row);
}

/* A pinned chat is above all others, also above those that run. */
static void
test_pinned (TestWindow *self, gconstpointer data)
{
  GadgetLibraryModel *model = self->window->library->model;
  GadgetSession *first = gadget_window_get_session (self->window);

  make_chats (self, 3);
  run_turn (self, gadget_window_get_session (self->window), FALSE);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") != NULL);
  g_assert_cmpuint (gadget_library_model_find (model, first), ==, 2);
  gadget_session_set_pinned (first, TRUE);
  wait_until (gadget_library_model_find (model, first) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") != NULL);
  g_assert_cmpint (gadget_library_model_get_entry (model, 1)->group, ==, GADGET_LIBRARY_RUNNING);
  gadget_session_set_pinned (first, FALSE);
  wait_until (gadget_library_model_find (model, first) == 2);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") == NULL);
  fake_provider_end (self->provider);
}

static void
press_in_menu (TestWindow *self, const char *label)
{
  GtkWidget *root = GTK_WIDGET (self->window);

  test_key ("Menu");
  wait_until (test_find (root, is_open_menu, NULL) != NULL);
  gadget_test_wait_frames (root, 3);
  test_click (test_find_label (test_find (root, is_open_menu, NULL), label));
  wait_until (test_find (root, is_open_menu, NULL) == NULL);
}

/* By its menu a chat is pinned and unpinned. */
static void
test_pin_by_menu (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 1);
  focus_list (self);
  press_in_menu (self, "Pin");
  wait_until (gadget_session_get_pinned (session));
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") != NULL);
  focus_list (self);
  press_in_menu (self, "Unpin");
  wait_until (!gadget_session_get_pinned (session));
}

/* A reply is stopped by the menu of its chat, also while another chat is shown. */
static void
test_stop_by_menu (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  run_turn (self, session, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  focus_list (self);
  if (get_focused_chat (self) != session)
    test_key ("shift+Tab");
  for (guint i = 0; i < 3 && get_focused_chat (self) != session; i++)
    {
      test_key ("ctrl+Up");
      gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
    }
  g_assert_true (get_focused_chat (self) == session);
  press_in_menu (self, "Stop");
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_cmpint (gadget_session_get_last_status (session), ==, GADGET_TURN_ABORTED);
  g_assert_true (gadget_window_get_session (self->window) != session);
}

/* What ends while another chat is shown is unread until it is shown. */
static void
test_unread (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));

  run_turn (self, session, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  g_assert_false (gadget_session_get_unread (session));
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_true (gadget_session_get_unread (session));
  gadget_window_open_session (self->window, session);
  g_assert_false (gadget_session_get_unread (session));
}

/* A copy has all turns, and is no branch; the chat that it was made of stays. */
static void
test_duplicate (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  GadgetSession *copy;

  run_turn (self, session, TRUE);
  gadget_session_set_title (session, "Pears");
  focus_list (self);
  press_in_menu (self, "Duplicate");
  wait_until (gadget_window_get_session (self->window) != session);
  copy = gadget_window_get_session (self->window);
  g_assert_cmpstr (gadget_session_get_title (copy), ==, "Pears (copy)");
  g_assert_cmpuint (gadget_session_get_n_turns (copy), ==, 1);
  g_assert_null (gadget_session_get_origin_id (copy));
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
}

/* The menu exports the chat that it was opened for, whichever is shown. */
static void
test_export_by_menu (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);

  make_chats (self, 1);
  gadget_session_set_title (gadget_window_get_session (self->window), "Pears");
  gtk_widget_activate_action (root, "win.new-chat", NULL);
  gadget_test_wait_frames (root, 3);
  focus_list (self);
  if (gadget_session_get_title (get_focused_chat (self)) == NULL)
    test_key ("Down");
  press_in_menu (self, "Export…");
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (root)) != NULL);
  wait_until (test_find_label (root, "This Chat") != NULL);
  g_assert_nonnull (test_find_label (
      GTK_WIDGET (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (root))),
      "Pears"));
  test_key ("Escape");
  wait_until (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (root)) == NULL);
}

/* The list is computed when something has changed, and not again. */
static void
test_computed_once (TestWindow *self, gconstpointer data)
{
  guint n;

  make_chats (self, 2);
  gadget_session_set_pinned (gadget_window_get_session (self->window), TRUE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  n = self->window->library->n_rebuilds;
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  g_assert_cmpuint (self->window->library->n_rebuilds - n, <=, 2);
}

/* An archived chat is in no group, but in the archive, and comes back from there. */
static void
test_archive (TestWindow *self, gconstpointer data)
{
  GadgetLibraryModel *model = self->window->library->model;
  GtkWidget *root = GTK_WIDGET (self->window->library);
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));

  make_chats (self, 2);
  gadget_session_set_title (session, "Pears");
  test_point_at (test_find_label (root, "Pears"));
  test_xdo ("click", "3", NULL);
  wait_until (test_find (root, is_open_menu, NULL) != NULL);
  gadget_test_wait_frames (root, 3);
  test_click (test_find_label (test_find (root, is_open_menu, NULL), "Archive"));
  wait_until (gadget_session_get_archived (session));
  wait_until (test_find_label (root, "Pears") == NULL);
  g_assert_cmpuint (count_listed (self), ==, 2); /* the other chat, and the archive */
  g_assert_cmpint (gadget_library_model_get_entry (model, 1)->count, ==, 1);

  /* The menu has an item of that name. */
  wait_until (test_find (root, is_open_menu, NULL) == NULL);
  gadget_test_wait_frames (root, 5);
  test_click (test_find_label (root, "Archive"));
  wait_until (test_find_label (root, "Pears") != NULL);
  g_assert_cmpuint (count_listed (self), ==, 1);
  test_key ("alt+Left");
  wait_until (test_find_label (root, "Pears") == NULL);
  g_assert_cmpuint (count_listed (self), ==, 2);

  /* With the keyboard. The row gets the focus when it has a place. */
  wait_until (gtk_widget_get_focus_child (GTK_WIDGET (self->window->library->list)) != NULL);
  gadget_test_wait_frames (root, 3);
  test_key ("Return");
  wait_until (test_find_label (root, "Pears") != NULL);
  wait_until (get_focused_chat (self) == session);
  press_in_menu (self, "Unarchive");
  wait_until (!gadget_session_get_archived (session));
  wait_until (count_listed (self) == 0);
  wait_until (test_find_label (root, "Archived chats appear here.") != NULL);
  gtk_widget_activate_action (root, "library.leave-archive", NULL);
  wait_until (test_find_label (root, "Pears") != NULL);
  g_assert_cmpuint (count_listed (self), ==, 2);
}

/* What is typed in the list is searched for; it replaces what was searched for before. */
static void
test_typing_searches (TestWindow *self, gconstpointer data)
{
  GtkWidget *search = test_find (GTK_WIDGET (self->window), is_search, NULL);
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chats (self, 2);
  gadget_session_set_title (session, "Pears");
  for (guint i = 0; i < 2; i++)
    {
      focus_list (self);
      test_type ("pear");
      wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (search)), "pear"));
      wait_until (count_listed (self) == 1);
    }
}

static void
branched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GadgetSession **) user_data =
      gadget_engine_branch_finish (GADGET_ENGINE (source), result, NULL);
}

/* From a branch its menu leads to the chat that it comes from. */
static void
test_go_to_origin (TestWindow *self, gconstpointer data)
{
  GadgetSession *origin = gadget_window_get_session (self->window);
  g_autoptr (GadgetSession) branch = NULL;

  make_chats (self, 1);
  gadget_engine_branch_async (self->engine, origin,
                              gadget_turn_get_id (gadget_session_get_turn (origin, 0)), "A branch",
                              branched_cb, &branch);
  wait_until (branch != NULL);
  gadget_window_open_session (self->window, branch);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  focus_list (self);
  wait_until (get_focused_chat (self) == branch);
  press_in_menu (self, "Go to Origin");
  wait_until (gadget_window_get_session (self->window) == origin);
}

/* When that chat is the one that is shown it scrolls to the turn. */
static void
test_go_to_origin_shown (TestWindow *self, gconstpointer data)
{
  GadgetSession *origin = gadget_window_get_session (self->window);
  g_autoptr (GadgetSession) branch = NULL;
  GadgetTranscript *transcript;
  const char *turn_id;
  g_autofree char *position = NULL;

  for (guint i = 0; i < 12; i++)
    run_turn (self, origin, TRUE);
  turn_id = gadget_turn_get_id (gadget_session_get_turn (origin, 1));
  gadget_engine_branch_async (self->engine, origin, turn_id, "A branch", branched_cb, &branch);
  wait_until (branch != NULL);
  transcript = GADGET_TRANSCRIPT (test_find (GTK_WIDGET (self->window), test_is_transcript, NULL));
  gadget_transcript_follow (transcript);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_false (gadget_transcript_get_end_hidden (transcript));
  g_signal_emit_by_name (self->window->library, "go-to-origin", branch);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_true (gadget_window_get_session (self->window) == origin);
  position = gadget_transcript_dup_view (transcript);
  g_assert_nonnull (position);
  g_assert_nonnull (strstr (position, turn_id));
}

static void
count_cb (guint *count)
{
  (*count)++;
}

/* How many chats were found is told while the search goes on, and not when it is over. */
static void
test_search_announced (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  GString *said;
  GtkWidget *search;
  guint n_searches = 0;

  run_turn (self, session, TRUE);
  search = test_find (GTK_WIDGET (self->window), is_search, NULL);
  said = gadget_test_listen ();
  test_key ("ctrl+shift+k");
  test_type (gadget_session_get_title (session));
  wait_until (strstr (said->str, "1 chat found\n") != NULL);

  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (search), 600);
  g_signal_connect_swapped (search, "search-changed", G_CALLBACK (count_cb), &n_searches);
  test_key ("BackSpace");
  test_key ("Return");
  wait_until (gtk_widget_is_focus (self->text));
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_string_truncate (said, 0);
  wait_until (n_searches > 0);
  test_run_for (2 * GADGET_ANNOUNCER_GAP_MS);
  g_assert_null (strstr (said->str, "found"));
  g_signal_handlers_disconnect_by_data (search, &n_searches);
  gadget_test_stop_listening (said);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add ("/ui/library/leaves-running", TestWindow, NULL, test_window_set_up,
              test_leaves_running, test_window_tear_down);
  g_test_add ("/ui/library/top-stays/alone", TestWindow, GUINT_TO_POINTER (1), test_window_set_up,
              test_top_stays, test_window_tear_down);
  g_test_add ("/ui/library/top-stays/of-many", TestWindow, GUINT_TO_POINTER (24),
              test_window_set_up, test_top_stays, test_window_tear_down);
  g_test_add ("/ui/library/top-is-not-forced", TestWindow, NULL, test_window_set_up,
              test_top_is_not_forced, test_window_tear_down);
  g_test_add ("/ui/library/search-again", TestWindow, NULL, test_window_set_up, test_search_again,
              test_window_tear_down);
  g_test_add ("/ui/library/enter", TestWindow, NULL, test_window_set_up, test_enter,
              test_window_tear_down);
  g_test_add ("/ui/library/next-day", TestWindow, NULL, test_window_set_up, test_next_day,
              test_window_tear_down);
  g_test_add ("/ui/library/rests", TestWindow, NULL, test_window_set_up, test_rests,
              test_window_tear_down);
  g_test_add ("/ui/library/right-click", TestWindow, NULL, test_window_set_up, test_right_click,
              test_window_tear_down);
  g_test_add ("/ui/library/row-keys", TestWindow, NULL, test_window_set_up, test_row_keys,
              test_window_tear_down);
  g_test_add ("/ui/library/keys-of-focused-row", TestWindow, NULL, test_window_set_up,
              test_keys_of_focused_row, test_window_tear_down);
  g_test_add ("/ui/library/rename-keeps-focus", TestWindow, NULL, test_window_set_up,
              test_rename_keeps_focus, test_window_tear_down);
  g_test_add ("/ui/library/delete-keeps-focus/key", TestWindow, GINT_TO_POINTER (FALSE),
              test_window_set_up, test_delete_keeps_focus, test_window_tear_down);
  g_test_add ("/ui/library/delete-keeps-focus/menu", TestWindow, GINT_TO_POINTER (TRUE),
              test_window_set_up, test_delete_keeps_focus, test_window_tear_down);
  g_test_add ("/ui/library/delete-new-chat", TestWindow, NULL, test_window_set_up,
              test_delete_new_chat, test_window_tear_down);
  g_test_add ("/ui/library/search-announced", TestWindow, NULL, test_window_set_up,
              test_search_announced, test_window_tear_down);
#define ADD(name, function)                                                                        \
  g_test_add ("/ui/library/" name, TestWindow, NULL, test_window_set_up, function,                 \
              test_window_tear_down)
  ADD ("menu-of-new-chat", test_menu_of_new_chat);
  ADD ("search-follows-titles", test_search_follows_titles);
  ADD ("title-does-not-scroll", test_title_does_not_scroll);
  ADD ("stays-selected", test_stays_selected);
  ADD ("not-found-not-selected", test_not_found_not_selected);
  ADD ("deleted-is-forgotten", test_deleted_is_forgotten);
  ADD ("row-description", test_row_description);
  ADD ("branch-line", test_branch_line);
  ADD ("pinned", test_pinned);
  ADD ("pin-by-menu", test_pin_by_menu);
  ADD ("stop-by-menu", test_stop_by_menu);
  ADD ("unread", test_unread);
  ADD ("duplicate", test_duplicate);
  ADD ("export", test_export_by_menu);
  ADD ("computed-once", test_computed_once);
  ADD ("archive", test_archive);
  ADD ("typing-searches", test_typing_searches);
  ADD ("go-to-origin", test_go_to_origin);
  ADD ("go-to-origin-shown", test_go_to_origin_shown);
  return g_test_run ();
}
