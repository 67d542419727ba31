/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The keys of rows: which row they are for, and where the focus is afterwards. Chats are renamed in
 * their rows. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "ui/library/gadget-library-private.h"
#include "wait.h"

/* Returns the entry in the row of the list that is renamed. (nullable) */
static GtkWidget *
get_entry (TestWindow *self)
{
  return self->window->library->rename_entry;
}

static gboolean
is_titled (GadgetSession *session, const char *title)
{
  return g_strcmp0 (gadget_session_get_title (session), title) == 0;
}

static guint n_bells;

/* It takes the place of GTK's, for all that the program links. */
void
gtk_widget_error_bell (GtkWidget *widget)
{
  n_bells++;
}

static gboolean
is_deleted (GadgetSession *session)
{
  return gadget_session_get_deletion (session) != GADGET_DELETION_NONE;
}

/* A chat of the list is renamed and deleted with the keys that rename and delete files. */
static void
test_row_keys (TestWindow *self, gconstpointer data)
{
  GListModel *sessions = gadget_engine_get_sessions (self->engine);
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 2);
  test_key ("ctrl+shift+k");
  test_key ("F2");
  test_key ("Delete");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_null (get_entry (self));
  g_assert_cmpuint (g_list_model_get_n_items (sessions), ==, 2);
  test_xdo ("key", "--delay", "100", "Tab", "Down", NULL);
  wait_until (gadget_window_get_session (self->window) == session);
  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  test_type ("Other name");
  test_key ("Return");
  wait_until (is_titled (session, "Other name"));
  test_key ("ctrl+shift+k");
  test_xdo ("key", "--delay", "100", "Tab", "Down", "Up", NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  session = gadget_window_get_session (self->window);
  test_key ("Delete");
  wait_until (test_window_has_toast (self, "Chat deleted"));
  g_assert_cmpint (gadget_session_get_deletion (session), ==, GADGET_DELETION_PENDING);
  g_assert_true (gadget_window_get_session (self->window) != session);
}

/* The keys are for the row that has the focus. Tab leads to one whose chat is not selected. */
static void
test_keys_of_focused_row (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));
  GadgetSession *shown;

  library_make_chats (self, 2);
  shown = gadget_window_get_session (self->window);
  library_focus_list (self);
  test_key ("Tab");
  wait_until (library_get_focused_chat (self) == session);
  g_assert_true (gadget_window_get_session (self->window) == shown);

  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  test_type ("Other name");
  test_key ("Return");
  wait_until (is_titled (session, "Other name"));
  wait_until (library_get_focused_chat (self) == session);
  test_key ("Delete");
  wait_until (is_deleted (session));
  g_assert_true (gadget_window_get_session (self->window) == shown);
}

/* Enter takes the name and Esc leaves it; the row keeps the focus, and the chat that runs goes on.
 */
static void
test_rename_in_place (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 1);
  gadget_session_set_title (session, "Pears");
  library_run_turn (self, session, FALSE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  library_focus_list (self);
  wait_until (library_get_focused_chat (self) == session);

  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  g_assert_null (test_find_label (GTK_WIDGET (self->window->library->list), "Pears"));
  test_type ("Apples");
  test_key ("Escape");
  wait_until (get_entry (self) == NULL);
  g_assert_true (is_titled (session, "Pears"));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->window->library->list), "Pears"));
  wait_until (library_get_focused_chat (self) == session);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  g_assert_nonnull (gadget_session_get_active_run (session));

  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  test_type ("Apple juice");
  test_key ("Return");
  wait_until (is_titled (session, "Apple juice"));
  g_assert_null (get_entry (self));
  wait_until (library_get_focused_chat (self) == session);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

/* What is typed is taken when the user goes elsewhere. An empty title is none. */
static void
test_rename_and_leave (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 1);
  library_focus_list (self);
  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  test_type ("Apples");
  test_key ("ctrl+l");
  wait_until (is_titled (session, "Apples"));
  g_assert_null (get_entry (self));
  g_assert_true (gtk_widget_is_focus (self->text));

  library_focus_list (self);
  test_key ("F2");
  wait_until (get_entry (self) != NULL);
  test_key ("BackSpace");
  test_key ("Return");
  wait_until (get_entry (self) == NULL);
  g_assert_true (is_titled (session, "Apples"));
}

/* The menu does the same. A chat that goes takes the entry with it. */
static void
test_rename_by_menu (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 1);
  library_focus_list (self);
  library_press_in_menu (self, "Rename…");
  wait_until (get_entry (self) != NULL);
  wait_until (gtk_widget_get_focus_child (get_entry (self)) != NULL);
  test_type ("Apples");
  g_assert_true (gadget_engine_begin_delete (self->engine, session, GADGET_DELETE_UNSENT, NULL));
  wait_until (get_entry (self) == NULL);
  g_assert_false (is_titled (session, "Apples"));
  /* Not where the menus of other tests will be. */
  test_point_at (self->text);
}

/* The dialog of the window's own menu gives the focus back. */
static void
test_rename_dialog (TestWindow *self, gconstpointer data)
{
  library_make_chats (self, 1);
  test_key ("ctrl+l");
  wait_until (gtk_widget_is_focus (self->text));
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.rename-chat", NULL);
  wait_until (library_has_dialog (self));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  test_key ("Escape");
  wait_until (!library_has_dialog (self));
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

  library_make_chats (self, 4);
  library_focus_list (self);
  test_key ("Down");
  wait_until (gadget_window_get_session (self->window) == library_get_focused_chat (self));
  for (guint n = 4; n > 0; n--)
    {
      focused = library_get_focused_chat (self);
      if (by_menu)
        {
          test_key ("Menu");
          wait_until (test_find (GTK_WIDGET (self->window), library_is_open_menu, NULL) != NULL);
          test_key ("Up");
          test_key ("Return");
        }
      else
        test_key ("Delete");
      wait_until (g_list_model_get_n_items (sessions) == n - 1);
      g_assert_true (is_deleted (focused));
      gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
      g_assert_nonnull (library_get_focused_chat (self));
      g_assert_false (is_deleted (library_get_focused_chat (self)));
      /* The new chat is above them. */
      g_assert_true (
          n == 1 || library_get_focused_chat (self) != gadget_window_get_session (self->window));
    }
  g_assert_true (library_get_focused_chat (self) == gadget_window_get_session (self->window));
}

/* There is nothing to delete of a chat that has no messages. */
static void
test_delete_new_chat (TestWindow *self, gconstpointer data)
{
  n_bells = 0;
  library_focus_list (self);
  test_key ("Delete");
  wait_until (n_bells == 1);
  g_assert_true (library_get_focused_chat (self) == gadget_window_get_session (self->window));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/library/" path, TestWindow, data, test_window_set_up, func,                     \
              test_window_tear_down)
  ADD ("row-keys", test_row_keys, NULL);
  ADD ("keys-of-focused-row", test_keys_of_focused_row, NULL);
  ADD ("rename-in-place", test_rename_in_place, NULL);
  ADD ("rename-and-leave", test_rename_and_leave, NULL);
  ADD ("rename-dialog", test_rename_dialog, NULL);
  ADD ("delete-keeps-focus/key", test_delete_keeps_focus, GINT_TO_POINTER (FALSE));
  ADD ("delete-keeps-focus/menu", test_delete_keeps_focus, GINT_TO_POINTER (TRUE));
  ADD ("delete-new-chat", test_delete_new_chat, NULL);
  ADD ("rename-by-menu", test_rename_by_menu, NULL);
#undef ADD
  return g_test_run ();
}
