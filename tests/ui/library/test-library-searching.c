/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searching titles with what is typed, and opening what is found. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "ui/common/gadget-announcer.h"
#include "ui/library/gadget-library-private.h"
#include "wait.h"

#include <string.h>

/* Ctrl+Shift+K a second time: what is typed replaces what was searched for, and is not added to it.
 */
static void
test_search_again (TestWindow *self, gconstpointer data)
{
  GtkWidget *search;

  library_run_turn (self, gadget_window_get_session (self->window), TRUE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  search = GTK_WIDGET (self->window->library->search);
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

  library_run_turn (self, session, TRUE);
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

static void
search_for (TestWindow *self, const char *text)
{
  GtkWidget *search = GTK_WIDGET (self->window->library->search);

  test_key ("ctrl+shift+k");
  test_type (text);
  wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (search)), text));
}

/* (nullable) (transfer none): the chat that is marked in the list */
static GadgetSession *
get_marked (TestWindow *self)
{
  GadgetLibraryModel *model = self->window->library->model;

  for (guint i = 0; i < library_count_listed (self); i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model), i))
      return GADGET_SESSION (gadget_library_model_get_entry (model, i)->item);
  return NULL;
}

/* A chat that gets another title while the user searches comes and goes by it. */
static void
test_search_follows_titles (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 2);
  gadget_session_set_title (session, "Apples");
  search_for (self, "pears");
  wait_until (library_count_listed (self) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "No chat has such a title.")
              != NULL);
  gadget_session_set_title (session, "Pears");
  wait_until (library_count_listed (self) == 1);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Pears") != NULL);
  gadget_session_set_title (session, "Apples");
  wait_until (library_count_listed (self) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "No chat has such a title.")
              != NULL);
}

/* The chat that is shown stays marked, whatever is clicked. */
static void
test_stays_selected (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 1);
  library_focus_list (self);
  wait_until (library_get_focused_chat (self) == session);
  test_key ("ctrl+space");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_true (get_marked (self) == session);

  /* A search that does not find it still marks none. */
  search_for (self, "nothing of it");
  wait_until (library_count_listed (self) == 0);
  g_assert_null (get_marked (self));
}

/* When others are found, none of them is marked instead. */
static void
test_not_found_not_selected (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  library_make_chats (self, 2);
  gadget_session_set_title (first, "Pears");
  search_for (self, "pears");
  wait_until (library_count_listed (self) == 1);
  g_assert_true (gadget_window_get_session (self->window) != first);
  g_assert_null (get_marked (self));
  test_key ("BackSpace");
  test_type ("z");
  wait_until (library_count_listed (self) == 0);
  test_key ("Escape");
  wait_until (library_count_listed (self) == 2);
  g_assert_true (get_marked (self) == gadget_window_get_session (self->window));
}

/* What is typed in the list is searched for; it replaces what was searched for before. */
static void
test_typing_searches (TestWindow *self, gconstpointer data)
{
  GtkWidget *search = GTK_WIDGET (self->window->library->search);
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, 2);
  gadget_session_set_title (session, "Pears");
  for (guint i = 0; i < 2; i++)
    {
      library_focus_list (self);
      test_type ("pear");
      wait_until (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (search)), "pear"));
      wait_until (library_count_listed (self) == 1);
    }
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

  library_run_turn (self, session, TRUE);
  search = GTK_WIDGET (self->window->library->search);
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
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/library/" path, TestWindow, data, test_window_set_up, func,                     \
              test_window_tear_down)
  ADD ("search-again", test_search_again, NULL);
  ADD ("enter", test_enter, NULL);
  ADD ("search-follows-titles", test_search_follows_titles, NULL);
  ADD ("stays-selected", test_stays_selected, NULL);
  ADD ("not-found-not-selected", test_not_found_not_selected, NULL);
  ADD ("typing-searches", test_typing_searches, NULL);
  ADD ("search-announced", test_search_announced, NULL);
#undef ADD
  return g_test_run ();
}
