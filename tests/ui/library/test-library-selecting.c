/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several chats of the list are selected, and moved, archived, exported or deleted together. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-file-dialog.h"
#include "test-forms.h"
#include "test-wait.h"
#include "ui/library/gadget-chat-row.h"
#include "wait.h"

#include <string.h>

static gboolean
is_selecting (TestWindow *self)
{
  return gadget_library_model_get_selecting (self->window->library->model);
}

/* Tells whether the chats with these titles are selected, and no others, in the order of the
 * list. */
static gboolean
has_selected (TestWindow *self, const char *titles)
{
  g_autoptr (GPtrArray) selected = gadget_library_model_dup_selected (self->window->library->model);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < selected->len; i++)
    g_string_append (text, gadget_session_get_title (g_ptr_array_index (selected, i)));
  return g_str_equal (text->str, titles);
}

/* Four chats, the last of which is shown: D, C, B, A in the list. */
static void
make_chats (TestWindow *self)
{
  static const char *const titles[] = { "A", "B", "C", "D" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    library_add_chat (self, titles[i]);
  wait_until (library_has_rows (self, "D\nC\nB\nA\n"));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
}

static GadgetSession *
get_chat (TestWindow *self, guint position)
{
  return GADGET_SESSION (
      gadget_library_model_get_entry (self->window->library->model, position)->item);
}

static void
click_with (TestWindow *self, const char *title, const char *key)
{
  test_point_at (library_find_row (self, title));
  test_xdo ("keydown", key, "click", "1", "keyup", key, NULL);
}

static void
click_in_foot (TestWindow *self, const char *label)
{
  GtkWidget *foot = self->window->library->foot;

  gadget_test_wait_frames (foot, 5);
  test_click (test_find_label (foot, label));
}

static gboolean
is_check (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_CHECK_BUTTON (widget) && gtk_widget_get_mapped (widget);
}

/* Ctrl and Shift select, a click then changes a check box, and opens nothing. */
static void
test_pointer (TestWindow *self, gconstpointer data)
{
  GtkWidget *library = GTK_WIDGET (self->window->library);
  GadgetSession *shown;

  make_chats (self);
  shown = gadget_window_get_session (self->window);
  g_assert_null (test_find (library, is_check, NULL));
  click_with (self, "C", "ctrl");
  g_assert_true (has_selected (self, "C"));
  wait_until (test_find_label (library, "1 selected") != NULL);
  g_assert_null (test_find_label (library, "Gadget"));
  g_assert_true (gtk_check_button_get_active (
      GTK_CHECK_BUTTON (test_find (library_find_row (self, "C"), is_check, NULL))));
  click_with (self, "A", "shift");
  g_assert_true (has_selected (self, "CBA"));
  test_click (library_find_row (self, "B"));
  g_assert_true (has_selected (self, "CA"));
  g_assert_false (gtk_check_button_get_active (
      GTK_CHECK_BUTTON (test_find (library_find_row (self, "B"), is_check, NULL))));
  test_xdo ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  g_assert_true (has_selected (self, "CA"));
  g_assert_true (gadget_window_get_session (self->window) == shown);
  test_click (test_find_label (library, "Select All"));
  g_assert_true (has_selected (self, "DCBA"));
  test_click (test_find_label (library, "Cancel"));
  wait_until (!is_selecting (self));
  wait_until (test_find_label (library, "Gadget") != NULL);
  g_assert_null (test_find (library, is_check, NULL));
  g_assert_true (gadget_window_get_session (self->window) == shown);
}

/* A long press does as well. */
static void
test_long_press (TestWindow *self, gconstpointer data)
{
  GtkWidget *row;
  g_autoptr (GListModel) controllers = NULL;

  make_chats (self);
  row = library_find_row (self, "C");
  controllers = gtk_widget_observe_controllers (row);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_LONG_PRESS (controller))
        g_signal_emit_by_name (controller, "pressed", 10.0, 10.0);
    }
  g_assert_true (has_selected (self, "C"));
}

/* Ctrl+A selects all but a new chat, Space changes one, the arrow keys open nothing, and Esc is for
 * this alone. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  GadgetSession *shown;

  make_chats (self);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  shown = gadget_window_get_session (self->window);
  wait_until (library_has_rows (self, "New Chat\nD\nC\nB\nA\n"));
  library_focus (self, get_chat (self, 1));
  test_key ("ctrl+a");
  g_assert_true (has_selected (self, "DCBA"));
  g_assert_nonnull (test_find (library_find_row (self, "D"), is_check, NULL));
  g_assert_null (test_find (library_find_row (self, "New Chat"), is_check, NULL));
  test_key ("space");
  g_assert_true (has_selected (self, "CBA"));
  test_key ("Down");
  test_key ("space");
  test_key ("Return");
  g_assert_true (has_selected (self, "BA"));
  g_assert_true (gadget_window_get_session (self->window) == shown);

  library_start_turn (self, shown);
  gtk_widget_grab_focus (self->text);
  test_key ("Escape");
  wait_until (!is_selecting (self));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (shown) == NULL);
}

/* What is not seen any more is not selected: else it would be deleted with the others. */
static void
test_search (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  gadget_session_set_title (get_chat (self, 1), "Pears");
  library_focus (self, get_chat (self, 0));
  test_key ("ctrl+a");
  test_key ("ctrl+shift+k");
  test_type ("pears");
  wait_until (library_has_rows (self, "Pears\n"));
  g_assert_true (has_selected (self, "Pears"));
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "1 selected") != NULL);
}

static void
test_move (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GtkWidget *menu;

  make_chats (self);
  gadget_chat_folders_create (library_get_folders (self), "Work", NULL);
  wait_until (library_has_rows (self, "Work/\nD\nC\nB\nA\n"));
  click_with (self, "C", "ctrl");
  click_with (self, "A", "ctrl");
  click_in_foot (self, "Move…");
  wait_until (test_find (root, library_is_open_menu, NULL) != NULL);
  menu = test_find (root, library_is_open_menu, NULL);
  gadget_test_wait_frames (root, 20);
  test_click (test_find_label (menu, "Work"));
  wait_until (library_has_rows (self, "Work/\n  C\n  A\nD\nB\n"));
  g_assert_false (is_selecting (self));
}

static void
test_archive (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  click_with (self, "C", "ctrl");
  click_with (self, "A", "ctrl");
  click_in_foot (self, "Archive");
  wait_until (library_has_rows (self, "D\nB\n\n"));
  g_assert_false (is_selecting (self));
  _gadget_library_show_archive (self->window->library, TRUE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_true (library_has_rows (self, "C\nA\n"));
  click_with (self, "A", "ctrl");
  g_assert_false (gtk_widget_get_visible (self->window->library->move_button));
  click_in_foot (self, "Unarchive");
  wait_until (library_has_rows (self, "C\n"));
}

/* The dialog offers the selected chats first, and all are in the file. */
static void
test_export (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  g_autofree char *path = g_build_filename (self->folder, "chats.md", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = NULL;

  make_chats (self);
  test_file_dialog_choose (file);
  click_with (self, "C", "ctrl");
  click_with (self, "A", "ctrl");
  click_in_foot (self, "Export…");
  wait_until (library_has_dialog (self));
  g_assert_false (is_selecting (self));
  wait_until (test_find_row (root, "2 Selected Chats") != NULL);
  gadget_test_wait_frames (root, 20);
  test_click (test_find_label (root, "Markdown"));
  test_press (root, "_Export…");
  wait_until (test_window_has_toast (self, "2 chats exported"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "# C\n"));
  g_assert_nonnull (strstr (text, "# A\n"));
  g_assert_null (strstr (text, "# B\n"));
}

static guint
count_deleted (GadgetSession **chats, guint n)
{
  guint n_deleted = 0;

  for (guint i = 0; i < n; i++)
    n_deleted += gadget_session_get_deletion (chats[i]) != GADGET_DELETION_NONE;
  return n_deleted;
}

/* One toast is for all of them, and Undo brings all back. */
static void
test_delete (TestWindow *self, gconstpointer data)
{
  const gboolean by_key = GPOINTER_TO_INT (data);
  GadgetSession *chats[3];

  make_chats (self);
  for (guint i = 0; i < G_N_ELEMENTS (chats); i++)
    chats[i] = get_chat (self, i);
  click_with (self, "C", "ctrl");
  click_with (self, "D", "ctrl");
  click_with (self, "B", "ctrl");
  g_assert_true (has_selected (self, "DCB"));
  if (by_key)
    test_key ("Delete");
  else
    click_in_foot (self, "Delete");
  wait_until (test_window_has_toast (self, "3 chats deleted"));
  g_assert_cmpuint (count_deleted (chats, G_N_ELEMENTS (chats)), ==, 3);
  wait_until (library_has_rows (self, "New Chat\nA\n"));
  g_assert_false (is_selecting (self));
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Undo") != NULL);
  test_click (test_find_label (GTK_WIDGET (self->chat), "Undo"));
  wait_until (library_has_rows (self, "D\nC\nB\nA\n"));
  g_assert_cmpuint (count_deleted (chats, G_N_ELEMENTS (chats)), ==, 0);
  g_assert_true (gadget_window_get_session (self->window) == chats[0]);
}

/* Those that run are asked for, once, and stopped. */
static void
test_delete_running (TestWindow *self, gconstpointer data)
{
  GadgetSession *chats[3];

  make_chats (self);
  for (guint i = 0; i < G_N_ELEMENTS (chats); i++)
    chats[i] = get_chat (self, i);
  library_start_turn (self, chats[0]);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Running") != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  click_with (self, "D", "ctrl");
  click_with (self, "C", "ctrl");
  click_with (self, "B", "ctrl");
  for (guint i = 0; i < 2; i++)
    {
      if (i > 0)
        {
          click_with (self, "D", "ctrl");
          click_with (self, "C", "ctrl");
          click_with (self, "B", "ctrl");
        }
      test_key ("Delete");
      wait_until (library_has_dialog (self));
      wait_until (test_find_label (GTK_WIDGET (self->window),
                                   "A reply is still being written in 1 of these chats.")
                  != NULL);
      g_assert_cmpuint (count_deleted (chats, G_N_ELEMENTS (chats)), ==, 0);
      test_key (i == 0 ? "Escape" : "alt+s");
      wait_until (!library_has_dialog (self));
      gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
      g_assert_true (i > 0 || gadget_session_get_active_run (chats[0]) != NULL);
    }
  wait_until (count_deleted (chats, G_N_ELEMENTS (chats)) == 3);
  g_assert_null (gadget_session_get_active_run (chats[0]));
  wait_until (test_window_has_toast (self, "3 chats deleted"));
}

/* All of them are dragged with one. */
static void
test_drag (TestWindow *self, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (self->window);

  make_chats (self);
  gadget_chat_folders_create (library_get_folders (self), "Work", NULL);
  wait_until (library_has_rows (self, "Work/\nD\nC\nB\nA\n"));
  gadget_test_wait_frames (window, 3);
  click_with (self, "C", "ctrl");
  click_with (self, "A", "ctrl");
  gadget_test_wait_frames (window, 5);
  test_point_at (library_find_row (self, "C"));
  test_xdo ("mousedown", "1", NULL);
  for (guint i = 0; i < 4; i++)
    test_xdo ("mousemove_relative", "5", "2", NULL);
  wait_until (self->window->library->dragged != NULL);
  test_point_at (library_find_row (self, "Work"));
  for (guint i = 0; i < 3; i++)
    {
      test_xdo ("mousemove_relative", "2", "1", NULL);
      gadget_test_wait_frames (window, 2);
    }
  test_xdo ("mouseup", "1", NULL);
  wait_until (library_has_rows (self, "Work/\n  C\n  A\nD\nB\n"));
  g_assert_false (is_selecting (self));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(name, data, function)                                                                  \
  g_test_add ("/ui/library/selecting/" name, TestWindow, data, test_window_set_up, function,       \
              test_window_tear_down)
  ADD ("pointer", NULL, test_pointer);
  ADD ("long-press", NULL, test_long_press);
  ADD ("keys", NULL, test_keys);
  ADD ("search", NULL, test_search);
  ADD ("move", NULL, test_move);
  ADD ("archive", NULL, test_archive);
  ADD ("export", NULL, test_export);
  ADD ("delete/foot", GINT_TO_POINTER (FALSE), test_delete);
  ADD ("delete/key", GINT_TO_POINTER (TRUE), test_delete);
  ADD ("delete-running", NULL, test_delete_running);
  ADD ("drag", NULL, test_drag);
  return g_test_run ();
}
