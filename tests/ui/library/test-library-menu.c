/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the menu of a chat does. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "ui/library/gadget-library-private.h"
#include "wait.h"

#include <string.h>

static gboolean
is_drawn_pressed (GtkWidget *widget, gpointer user_data)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_ACTIVE) != 0;
}

/* A row is not drawn pressed any more when its menu is closed. */
static void
test_right_click (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GadgetSession *session = gadget_window_get_session (self->window);
  GtkWidget *list;

  library_run_turn (self, session, TRUE);
  gadget_test_wait_frames (root, 3);
  list = GTK_WIDGET (self->window->library->list);
  test_point_at (test_find_label (list, gadget_session_get_title (session)));
  test_xdo ("click", "3", NULL);
  wait_until (test_find (root, library_is_open_menu, NULL) != NULL);
  test_key ("Escape");
  wait_until (test_find (root, library_is_open_menu, NULL) == NULL);
  gadget_test_wait_frames (root, 3);
  g_assert_null (test_find (list, is_drawn_pressed, NULL));
}

/* Nor does its menu offer to. */
static void
test_menu_of_new_chat (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GtkWidget *menu;

  library_make_chats (self, 1);
  gtk_widget_activate_action (root, "win.new-chat", NULL);
  for (guint i = 0; i < 2; i++)
    {
      library_focus_list (self);
      if (i > 0)
        test_key ("Tab");
      wait_until ((library_get_focused_chat (self) == gadget_window_get_session (self->window))
                  == (i == 0));
      test_key ("Menu");
      wait_until (test_find (root, library_is_open_menu, NULL) != NULL);
      menu = test_find (root, library_is_open_menu, NULL);
      wait_until (gtk_widget_is_sensitive (test_find_label (menu, "Delete")) == (i > 0));
      g_assert_true (gtk_widget_is_sensitive (test_find_label (menu, "Rename…")));
      test_key ("Escape");
      wait_until (test_find (root, library_is_open_menu, NULL) == NULL);
    }
}

static void
press_in_menu (TestWindow *self, const char *label)
{
  library_press_in_menu (self, label);
  wait_until (test_find (GTK_WIDGET (self->window), library_is_open_menu, NULL) == NULL);
}

/* By its menu a chat is pinned and unpinned. */
static void
test_pin_by_menu (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 1);
  library_focus_list (self);
  press_in_menu (self, "Pin");
  wait_until (gadget_session_get_pinned (session));
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") != NULL);
  library_focus_list (self);
  press_in_menu (self, "Unpin");
  wait_until (!gadget_session_get_pinned (session));
}

/* A reply is stopped by the menu of its chat, also while another chat is shown. */
static void
test_stop_by_menu (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_run_turn (self, session, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  library_focus_list (self);
  if (library_get_focused_chat (self) != session)
    test_key ("shift+Tab");
  for (guint i = 0; i < 3 && library_get_focused_chat (self) != session; i++)
    {
      test_key ("ctrl+Up");
      gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
    }
  g_assert_true (library_get_focused_chat (self) == session);
  press_in_menu (self, "Stop");
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_cmpint (gadget_session_get_last_status (session), ==, GADGET_TURN_ABORTED);
  g_assert_true (gadget_window_get_session (self->window) != session);
}

/* A copy has all turns, and is no branch; the chat that it was made of stays. */
static void
test_duplicate (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  GadgetSession *copy;

  library_run_turn (self, session, TRUE);
  gadget_session_set_title (session, "Pears");
  library_focus_list (self);
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

  library_make_chats (self, 1);
  gadget_session_set_title (gadget_window_get_session (self->window), "Pears");
  gtk_widget_activate_action (root, "win.new-chat", NULL);
  gadget_test_wait_frames (root, 3);
  library_focus_list (self);
  if (gadget_session_get_title (library_get_focused_chat (self)) == NULL)
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

/* An archived chat is in no group, but in the archive, and comes back from there. */
static void
test_archive (TestWindow *self, gconstpointer data)
{
  GadgetLibraryModel *model = self->window->library->model;
  GtkWidget *root = GTK_WIDGET (self->window->library);
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));

  library_make_chats (self, 2);
  gadget_session_set_title (session, "Pears");
  test_point_at (test_find_label (root, "Pears"));
  test_xdo ("click", "3", NULL);
  wait_until (test_find (root, library_is_open_menu, NULL) != NULL);
  gadget_test_wait_frames (root, 3);
  test_click (test_find_label (test_find (root, library_is_open_menu, NULL), "Archive"));
  wait_until (gadget_session_get_archived (session));
  wait_until (test_find_label (root, "Pears") == NULL);
  g_assert_cmpuint (library_count_listed (self), ==, 2); /* the other chat, and the archive */
  g_assert_cmpint (gadget_library_model_get_entry (model, 1)->count, ==, 1);

  /* The menu has an item of that name. */
  wait_until (test_find (root, library_is_open_menu, NULL) == NULL);
  gadget_test_wait_frames (root, 5);
  test_click (test_find_label (root, "Archive"));
  wait_until (test_find_label (root, "Pears") != NULL);
  g_assert_cmpuint (library_count_listed (self), ==, 1);
  test_key ("alt+Left");
  wait_until (test_find_label (root, "Pears") == NULL);
  g_assert_cmpuint (library_count_listed (self), ==, 2);

  /* With the keyboard. The row gets the focus when it has a place. */
  wait_until (gtk_widget_get_focus_child (GTK_WIDGET (self->window->library->list)) != NULL);
  gadget_test_wait_frames (root, 3);
  test_key ("Return");
  wait_until (test_find_label (root, "Pears") != NULL);
  wait_until (library_get_focused_chat (self) == session);
  press_in_menu (self, "Unarchive");
  wait_until (!gadget_session_get_archived (session));
  wait_until (library_count_listed (self) == 0);
  wait_until (test_find_label (root, "Archived chats appear here.") != NULL);
  gtk_widget_activate_action (root, "library.leave-archive", NULL);
  wait_until (test_find_label (root, "Pears") != NULL);
  g_assert_cmpuint (library_count_listed (self), ==, 2);
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

  library_make_chats (self, 1);
  gadget_engine_branch_async (self->engine, origin,
                              gadget_turn_get_id (gadget_session_get_turn (origin, 0)), "A branch",
                              branched_cb, &branch);
  wait_until (branch != NULL);
  gadget_window_open_session (self->window, branch);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  library_focus_list (self);
  wait_until (library_get_focused_chat (self) == branch);
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
    library_run_turn (self, origin, TRUE);
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

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/library/" path, TestWindow, data, test_window_set_up, func,                     \
              test_window_tear_down)
  ADD ("right-click", test_right_click, NULL);
  ADD ("menu-of-new-chat", test_menu_of_new_chat, NULL);
  ADD ("pin-by-menu", test_pin_by_menu, NULL);
  ADD ("stop-by-menu", test_stop_by_menu, NULL);
  ADD ("duplicate", test_duplicate, NULL);
  ADD ("export", test_export_by_menu, NULL);
  ADD ("archive", test_archive, NULL);
  ADD ("go-to-origin", test_go_to_origin, NULL);
  ADD ("go-to-origin-shown", test_go_to_origin_shown, NULL);
#undef ADD
  return g_test_run ();
}
