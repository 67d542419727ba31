/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that are dragged in the list. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "wait.h"

#define ROWS "Work/\n  A\nB\n"

typedef struct
{
  GadgetSession *a;
  GadgetSession *b;
  GadgetChatFolder *work;
} Chats;

/* A chat in a folder, and one in none. */
static Chats
make_chats (TestWindow *self)
{
  Chats chats;

  chats.a = library_add_chat (self, "A");
  chats.b = library_add_chat (self, "B");
  chats.work = gadget_chat_folders_create (library_get_folders (self), "Work", NULL);
  gadget_session_set_chat_folder (chats.a, gadget_chat_folder_get_id (chats.work));
  wait_until (library_has_rows (self, ROWS));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  return chats;
}

/* Takes a row, and moves the pointer over the other one. */
static void
drag (TestWindow *self, const char *label, GtkWidget *target)
{
  test_point_at (library_find_row (self, label));
  test_xdo ("mousedown", "1", NULL);
  for (guint i = 0; i < 4; i++)
    test_xdo ("mousemove_relative", "5", "2", NULL);
  wait_until (self->window->library->dragged != NULL);
  test_point_at (target);
  for (guint i = 0; i < 3; i++)
    {
      test_xdo ("mousemove_relative", "2", "1", NULL);
      gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
    }
}

static void
let_go (TestWindow *self)
{
  test_xdo ("mouseup", "1", NULL);
  wait_until (self->window->library->dragged == NULL);
}

static gboolean
is_marked (GtkWidget *row)
{
  return (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_DROP_ACTIVE) != 0;
}

static void
test_onto_folder (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  drag (self, "B", library_find_row (self, "Work"));
  g_assert_true (is_marked (library_find_row (self, "Work")));
  let_go (self);
  wait_until (library_has_rows (self, "Work/\n  B\n  A\n"));
  g_assert_false (is_marked (library_find_row (self, "Work")));
}

static void
test_onto_chat_in_folder (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  drag (self, "B", library_find_row (self, "A"));
  let_go (self);
  wait_until (library_has_rows (self, "Work/\n  B\n  A\n"));
}

/* The row of a date, and its heading, are out of the folder. */
static void
test_onto_date (TestWindow *self, gconstpointer data)
{
  const gboolean on_heading = GPOINTER_TO_INT (data);
  GtkWidget *list = GTK_WIDGET (self->window->library->list);

  make_chats (self);
  drag (self, "A", on_heading ? test_find_label (list, "Today") : library_find_row (self, "B"));
  let_go (self);
  wait_until (library_has_rows (self, "Work/\nB\nA\n"));
}

/* Where a chat is already it cannot be dropped, nor on the heading of the folders. */
static void
test_refused (TestWindow *self, gconstpointer data)
{
  GtkWidget *list = GTK_WIDGET (self->window->library->list);
  GtkWidget *heading;

  make_chats (self);
  drag (self, "A", library_find_row (self, "Work"));
  g_assert_false (is_marked (library_find_row (self, "Work")));
  let_go (self);
  drag (self, "B", test_find_label (list, "Folders"));
  heading = gtk_widget_get_parent (test_find_label (list, "Folders"));
  g_assert_false (is_marked (heading));
  let_go (self);
  gadget_test_wait_frames (list, 5);
  g_assert_true (library_has_rows (self, ROWS));
}

/* Esc ends the drag, and nothing else. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  library_start_turn (self, gadget_window_get_session (self->window));
  wait_until (library_has_rows (self, "B\nWork/\n  A\n"));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  drag (self, "B", library_find_row (self, "Work"));
  /* The button is released at once. */
  test_xdo ("key", "Escape", "mouseup", "1", NULL);
  wait_until (self->window->library->dragged == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  g_assert_true (library_has_rows (self, "B\nWork/\n  A\n"));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
}

/* A closed folder opens when the drag stays over it, and not before. */
static void
test_opens (TestWindow *self, gconstpointer data)
{
  const Chats chats = make_chats (self);

  _gadget_library_set_folder_open (self->window->library, chats.work, FALSE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  drag (self, "B", library_find_row (self, "Work"));
  wait_until (library_has_rows (self, ROWS));
  let_go (self);
  wait_until (library_has_rows (self, "Work/\n  B\n  A\n"));

  /* Not after it has left again. */
  _gadget_library_set_folder_open (self->window->library, chats.work, FALSE);
  gadget_session_set_chat_folder (chats.b, NULL);
  wait_until (library_has_rows (self, "Work/\nB\n"));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  drag (self, "B", library_find_row (self, "Work"));
  test_point_at (library_find_row (self, "B"));
  test_run_for (900);
  let_go (self);
  g_assert_true (library_has_rows (self, "Work/\nB\n"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(name, data, function)                                                                  \
  g_test_add ("/ui/library/drag/" name, TestWindow, data, test_window_set_up, function,            \
              test_window_tear_down)
  ADD ("onto-folder", NULL, test_onto_folder);
  ADD ("onto-chat-in-folder", NULL, test_onto_chat_in_folder);
  ADD ("onto-date/row", GINT_TO_POINTER (FALSE), test_onto_date);
  ADD ("onto-date/heading", GINT_TO_POINTER (TRUE), test_onto_date);
  ADD ("refused", NULL, test_refused);
  ADD ("escape", NULL, test_escape);
  ADD ("opens", NULL, test_opens);
  return g_test_run ();
}
