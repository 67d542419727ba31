/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several windows of one program: how they are opened, what a chat that two of them show has in
 * common, and what becomes of the work when one is closed, or the last one. Keys are really
 * pressed. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/library/gadget-library-private.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

#include <string.h>

typedef struct
{
  TestWindow first;
  TestWindow second; /* the window that open_second () waits for */
  GadgetApplication *application;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  test_window_set_up (&self->first, data);
  self->application = test_window_make_application (&self->first);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_window_end_application (&self->first, self->application);
  test_window_tear_down (&self->first, data);
}

static GtkWidget *
get_root (TestWindow *window)
{
  return GTK_WIDGET (window->window);
}

static guint
count_windows (Fixture *self)
{
  return g_list_length (gtk_application_get_windows (GTK_APPLICATION (self->application)));
}

/* Waits for the window that was just asked for. */
static void
open_second (Fixture *self)
{
  GadgetWindow *window;

  wait_until (count_windows (self) == 2);
  wait_until (_gadget_application_get_window (self->application) != self->first.window);
  window = _gadget_application_get_window (self->application);
  test_window_adopt (&self->first, window, &self->second);
  gadget_test_wait_frames (get_root (&self->second), 2);
}

static gboolean
has_part (GtkWidget *widget, gpointer part)
{
  return GADGET_IS_SELECTABLE_TEXT (widget) && gtk_widget_get_mapped (widget)
         && strstr (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)), part)
                != NULL;
}

/* Tells whether the chat in the window has such a text. */
static gboolean
shows (TestWindow *window, const char *part)
{
  return test_find (GTK_WIDGET (window->chat), has_part, (gpointer) part) != NULL;
}

static GadgetSession *
get_session (TestWindow *window)
{
  return gadget_window_get_session (window->window);
}

static gboolean
is_busy (TestWindow *window)
{
  return gadget_session_get_active_run (get_session (window)) != NULL;
}

static void
say (TestWindow *window, const char *prompt, const char *answer)
{
  const guint n = window->n_completed;

  test_window_send (window, prompt);
  fake_provider_text (window->provider, answer);
  fake_provider_end (window->provider);
  wait_until (!is_busy (window) && n <= window->n_completed);
}

static void
focus_chat (TestWindow *window)
{
  gtk_widget_activate_action (get_root (window), "win.search", NULL);
  gadget_test_wait_frames (get_root (window), 3);
  gadget_library_focus_chat (window->window->library, get_session (window));
  gtk_widget_grab_focus (GTK_WIDGET (window->window->library->list));
  wait_until (gadget_library_has_focus (window->window->library));
}

/* Both windows show the chat of the first, in which a reply is being written. */
static void
show_running_twice (Fixture *self)
{
  test_window_send (&self->first, "hello");
  fake_provider_text (self->first.provider, "Some text");
  test_window_advance (&self->first, 1000);
  focus_chat (&self->first);
  test_key ("ctrl+Return");
  open_second (self);
  g_assert_true (get_session (&self->second) == get_session (&self->first));
}

static AdwDialog *
get_dialog (TestWindow *window)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window->window));
}

static gboolean
is_stored (Fixture *self, const char *id)
{
  GadgetStore *store = test_store_open (self->first.folder);
  GadgetSession *session = gadget_session_new (id);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  gboolean loaded;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  loaded = gadget_store_load_session_finish (store, result, NULL);
  g_clear_object (&result);
  g_object_unref (session);
  test_store_close (store);
  return loaded;
}

/* --- Opening ----------------------------------------------------------------------------------- */

static void
test_new_window (Fixture *self, gconstpointer data)
{
  int widths[2];
  int heights[2];

  gadget_session_set_model (get_session (&self->first), "fake", "model");
  say (&self->first, "hello", "An answer");
  test_key ("F9");
  test_run_for (300);
  test_key ("ctrl+shift+n");
  open_second (self);
  g_assert_true (get_session (&self->second) != get_session (&self->first));
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (&self->second)), ==, 0);
  g_assert_cmpstr (gadget_session_get_provider (get_session (&self->second)), ==, "fake");
  g_assert_true (gtk_widget_is_focus (self->second.text));
  gtk_window_get_default_size (GTK_WINDOW (self->first.window), &widths[0], &heights[0]);
  gtk_window_get_default_size (GTK_WINDOW (self->second.window), &widths[1], &heights[1]);
  g_assert_cmpint (widths[1], ==, widths[0]);
  g_assert_cmpint (heights[1], ==, heights[0]);
  /* The sidebar is as in the window before, and each has its own from then on. */
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->second.window->split_view));
  test_key ("F9");
  wait_until (adw_overlay_split_view_get_show_sidebar (self->second.window->split_view));
  g_assert_false (adw_overlay_split_view_get_show_sidebar (self->first.window->split_view));
  /* What is sent here changes nothing there. */
  say (&self->second, "another", "Another answer");
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (&self->first)), ==, 1);
  wait_until (shows (&self->second, "Another answer"));
  g_assert_false (shows (&self->first, "Another answer"));
}

/* A size belongs to its window; another one does not follow. */
static void
test_sizes (Fixture *self, gconstpointer data)
{
  const int width = gtk_widget_get_width (get_root (&self->first));

  test_key ("ctrl+shift+n");
  open_second (self);
  gtk_window_set_default_size (GTK_WINDOW (self->second.window), width - 100, 600);
  wait_until (gtk_widget_get_width (get_root (&self->second)) < width - 50);
  test_run_for (200);
  g_assert_cmpint (gtk_widget_get_width (get_root (&self->first)), ==, width);
}

/* As the desktop and other programs ask for a window. */
static void
test_from_outside (Fixture *self, gconstpointer data)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->application), "new-window", NULL);
  open_second (self);
  test_window_go_to (&self->first);
  /* "gadget" again shows the window that was used last, and makes none. */
  g_application_activate (G_APPLICATION (self->application));
  test_run_for (200);
  g_assert_cmpuint (count_windows (self), ==, 2);
  g_assert_true (gtk_window_is_active (GTK_WINDOW (self->first.window)));
  g_action_group_activate_action (G_ACTION_GROUP (self->application), "new-chat", NULL);
  g_assert_cmpuint (count_windows (self), ==, 2);
}

static void
press_item (TestWindow *window, const char *label)
{
  wait_until (test_find_label (get_root (window), label) != NULL);
  gadget_test_wait_frames (get_root (window), 3);
  test_click (test_find_label (get_root (window), label));
}

static void
test_menus (Fixture *self, gconstpointer data)
{
  GtkWidget *row;

  say (&self->first, "hello", "An answer");
  test_click (GTK_WIDGET (self->first.window->chat_menu));
  press_item (&self->first, "Open in New Window");
  open_second (self);
  g_assert_true (get_session (&self->second) == get_session (&self->first));
  wait_until (shows (&self->second, "An answer"));
  gtk_window_close (GTK_WINDOW (self->second.window));
  wait_until (count_windows (self) == 1);
  test_window_go_to (&self->first);

  focus_chat (&self->first);
  row = gtk_window_get_focus (GTK_WINDOW (self->first.window));
  g_assert_nonnull (row);
  test_key ("shift+F10");
  press_item (&self->first, "Open in New Window");
  open_second (self);
  g_assert_true (get_session (&self->second) == get_session (&self->first));
}

/* A match opens at its place in another window; the search stays in this one. */
static void
test_from_search (Fixture *self, gconstpointer data)
{
  GadgetSession *session;

  say (&self->first, "where is the socket", "The socket is in the cellar.");
  session = get_session (&self->first);
  test_window_new_chat (&self->first);
  test_key ("ctrl+shift+f");
  wait_until (_gadget_window_is_searching (self->first.window));
  test_type ("cellar");
  wait_until (test_says (get_root (&self->first), "1 match in 1 chat"));
  test_key ("ctrl+Return");
  open_second (self);
  g_assert_true (get_session (&self->second) == session);
  wait_until (self->second.chat->find_bar != NULL
              && gtk_widget_get_visible (GTK_WIDGET (self->second.chat->find_bar)));
  wait_until (test_says (get_root (&self->second), "1 of 1"));
  g_assert_true (_gadget_window_is_searching (self->first.window));
  gtk_window_close (GTK_WINDOW (self->second.window));
  wait_until (count_windows (self) == 1);

  /* The same on a row. */
  test_window_go_to (&self->first);
  test_key ("Tab");
  while (!GTK_IS_LIST_BOX_ROW (gtk_window_get_focus (GTK_WINDOW (self->first.window))))
    test_key ("Tab");
  test_key ("ctrl+Return");
  open_second (self);
  g_assert_true (get_session (&self->second) == session);
}

/* --- A chat in two windows --------------------------------------------------------------------- */

static void
test_same_chat (Fixture *self, gconstpointer data)
{
  GListModel *queue;

  show_running_twice (self);
  queue = gadget_session_get_queue (get_session (&self->first));
  fake_provider_text (self->first.provider, " and more");
  wait_until (shows (&self->second, "Some text and more"));
  wait_until (shows (&self->first, "Some text and more"));
  g_assert_cmpstr (test_window_get_face (&self->second), ==, "Cancel");

  /* What is queued in one waits in both. */
  gtk_widget_grab_focus (self->second.text);
  test_window_type (&self->second, "one more");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 1);
  wait_until (test_find_label (GTK_WIDGET (self->first.composer), "Queued") != NULL);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->second.composer), "Queued"));

  /* And what runs is stopped from either. */
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  wait_until (!is_busy (&self->first));
  g_assert_cmpint (
      gadget_turn_get_status (gadget_session_get_last_turn (get_session (&self->first))), ==,
      GADGET_TURN_ABORTED);
  wait_until (g_str_equal (test_window_get_face (&self->first), "Send"));
  g_assert_cmpstr (test_window_get_face (&self->second), ==, "Send");
  g_assert_false (test_window_has_toast (&self->first, "Aborting…"));
  g_assert_cmpuint (self->first.n_completed, ==, 1);
}

static void
test_stop_all (Fixture *self, gconstpointer data)
{
  test_window_send (&self->first, "hello");
  fake_provider_text (self->first.provider, "Some text");
  test_window_advance (&self->first, 1000);
  test_key ("ctrl+shift+n");
  open_second (self);
  g_assert_false (is_busy (&self->second));
  test_key ("ctrl+shift+Escape");
  wait_until (!is_busy (&self->first));
  wait_until (test_window_has_toast (&self->second, "Stopping 1 reply"));
  g_assert_false (test_window_has_toast (&self->first, "Stopping 1 reply"));
}

static gboolean
is_card (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_ASK_ROW (widget);
}

static gboolean
has_card (TestWindow *window)
{
  return test_find (GTK_WIDGET (window->chat), is_card, NULL) != NULL;
}

static void
test_asking (Fixture *self, gconstpointer data)
{
  test_window_send (&self->first, "hello");
  fake_provider_call (self->first.provider, 0, "call", "ask_user",
                      "{\"question\":\"Where to?\",\"choices\":[\"Here\",\"There\"]}");
  fake_provider_end (self->first.provider);
  wait_until (has_card (&self->first));
  focus_chat (&self->first);
  test_key ("ctrl+Return");
  open_second (self);
  wait_until (has_card (&self->second));

  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (self->second.window)),
                                       GADGET_TYPE_ASK_ROW)
              != NULL);
  test_run_for (600);
  test_key ("2");
  wait_until (fake_provider_is_waiting (self->first.provider));
  wait_until (!has_card (&self->first) && !has_card (&self->second));
  fake_provider_text (self->first.provider, "There it is");
  fake_provider_end (self->first.provider);
  wait_until (!is_busy (&self->first));
  wait_until (shows (&self->first, "There it is"));
}

static gboolean
is_entry (GtkWidget *widget, gpointer text)
{
  return GTK_IS_ENTRY (widget) && g_str_equal (gtk_editable_get_text (GTK_EDITABLE (widget)), text);
}

static gboolean
has_answer (TestWindow *window, const char *text)
{
  return test_find (GTK_WIDGET (window->chat), is_entry, (gpointer) text) != NULL;
}

/* An answer that is typed in one window is typed in the other one as well. */
static void
test_answer_shared (Fixture *self, gconstpointer data)
{
  GadgetTurn *turn;

  test_window_send (&self->first, "hello");
  fake_provider_call (self->first.provider, 0, "call", "ask_user",
                      "{\"question\":\"Where to?\",\"choices\":[\"Here\",\"There\"]}");
  fake_provider_end (self->first.provider);
  wait_until (has_card (&self->first));
  focus_chat (&self->first);
  test_key ("ctrl+Return");
  open_second (self);
  wait_until (has_card (&self->second));
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (self->second.window)),
                                       GADGET_TYPE_ASK_ROW)
              != NULL);
  test_key ("3");
  wait_until (has_answer (&self->second, ""));
  test_type ("Else");
  wait_until (has_answer (&self->second, "Else") && has_answer (&self->first, "Else"));
  test_window_go_to (&self->first);
  test_key ("ctrl+j");
  test_key ("End");
  test_type ("where");
  wait_until (has_answer (&self->first, "Elsewhere") && has_answer (&self->second, "Elsewhere"));
  test_run_for (600);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->first.provider));
  turn = gadget_session_get_last_turn (get_session (&self->first));
  g_assert_nonnull (strstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), "Elsewhere"));
  wait_until (!has_card (&self->first) && !has_card (&self->second));
  test_window_assert_text (&self->first, "");
  test_window_assert_text (&self->second, "");
  fake_provider_end (self->first.provider);
  wait_until (!is_busy (&self->first));
}

/* What was typed into a card comes back once, although two windows have the card, and also when the
 * window where it was typed is gone. */
static void
test_answer_left (Fixture *self, gconstpointer closes)
{
  test_window_send (&self->first, "hello");
  fake_provider_call (self->first.provider, 0, "call", "ask_user", "{\"question\":\"Where to?\"}");
  fake_provider_end (self->first.provider);
  wait_until (has_card (&self->first));
  focus_chat (&self->first);
  test_key ("ctrl+Return");
  open_second (self);
  wait_until (has_card (&self->second));
  test_key ("ctrl+j");
  wait_until (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (self->second.window)),
                                       GADGET_TYPE_ASK_ROW)
              != NULL);
  test_type ("half an answer");
  test_run_for (200);
  if (closes != NULL)
    {
      test_key ("ctrl+w");
      wait_until (count_windows (self) == 1);
      test_window_go_to (&self->first);
    }
  test_key ("shift+Escape");
  wait_until (!is_busy (&self->first));
  wait_until (test_window_shows_text (&self->first, "half an answer"));
  test_run_for (700);
  test_window_assert_text (&self->first, "half an answer");
  if (closes == NULL)
    test_window_assert_text (&self->second, "half an answer");
}

/* --- Deleting ---------------------------------------------------------------------------------- */

static void
test_delete (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = NULL;
  g_autofree char *id = NULL;

  say (&self->first, "hello", "An answer");
  session = g_object_ref (get_session (&self->first));
  id = g_strdup (gadget_session_get_id (session));
  focus_chat (&self->first);
  test_key ("ctrl+Return");
  open_second (self);

  focus_chat (&self->second);
  test_key ("Delete");
  wait_until (test_window_has_toast (&self->second, "Chat deleted"));
  g_assert_false (test_window_has_toast (&self->first, "Chat deleted"));
  g_assert_true (get_session (&self->first) != session);
  g_assert_true (get_session (&self->second) != session);
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (&self->first)), ==, 0);
  test_press (GTK_WIDGET (self->second.chat), "_Undo");
  wait_until (get_session (&self->second) == session);
  g_assert_true (is_stored (self, id));

  /* With the window goes what it offers to undo. */
  focus_chat (&self->second);
  test_key ("Delete");
  wait_until (test_window_has_toast (&self->second, "Chat deleted"));
  g_assert_true (is_stored (self, id));
  test_key ("ctrl+w");
  wait_until (count_windows (self) == 1);
  wait_until (gadget_session_get_deletion (session) == GADGET_DELETION_DONE);
  g_assert_false (is_stored (self, id));
}

/* --- Closing ----------------------------------------------------------------------------------- */

/* A reply goes on without the window, of which nothing is left, without a word. */
static void
test_close_one (Fixture *self, gconstpointer data)
{
  GtkWidget *transcript;
  GtkWidget *window;

  show_running_twice (self);
  wait_until (shows (&self->second, "Some text"));
  transcript = test_find (get_root (&self->second), test_is_transcript, NULL);
  window = get_root (&self->second);
  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  test_key ("ctrl+w");
  wait_until (count_windows (self) == 1);
  wait_until (window == NULL && transcript == NULL);
  g_assert_null (get_dialog (&self->first));
  g_assert_true (is_busy (&self->first));
  fake_provider_text (self->first.provider, " and more");
  wait_until (shows (&self->first, "Some text and more"));
  fake_provider_end (self->first.provider);
  wait_until (!is_busy (&self->first));
}

/* The same with the window that was there first. */
static void
test_close_first (Fixture *self, gconstpointer data)
{
  GadgetSession *session;

  show_running_twice (self);
  session = get_session (&self->second);
  test_window_go_to (&self->first);
  test_key ("ctrl+w");
  wait_until (count_windows (self) == 1);
  test_window_go_to (&self->second);
  fake_provider_text (self->first.provider, " and more");
  wait_until (shows (&self->second, "Some text and more"));
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  wait_until (gadget_session_get_active_run (session) == NULL);
  /* The fixture ends with one of its windows. */
  gtk_window_set_application (GTK_WINDOW (self->second.window), NULL);
  g_object_unref (self->first.window);
  self->first = self->second;
  g_object_ref (self->first.window);
}

static void
test_close_last (Fixture *self, gconstpointer data)
{
  show_running_twice (self);
  test_key ("ctrl+w");
  wait_until (count_windows (self) == 1);
  test_window_go_to (&self->first);
  test_key ("ctrl+w");
  wait_until (get_dialog (&self->first) != NULL);
  g_assert_true (test_says (get_root (&self->first), "Stop and Close?"));
  test_press (get_root (&self->first), "_Keep Open");
  wait_until (get_dialog (&self->first) == NULL);
  g_assert_true (is_busy (&self->first));
}

/* Quitting asks once, for all. */
static void
test_quit (Fixture *self, gconstpointer data)
{
  test_window_send (&self->first, "hello");
  fake_provider_text (self->first.provider, "Some text");
  test_key ("ctrl+shift+n");
  open_second (self);
  test_key ("ctrl+q");
  wait_until (get_dialog (&self->second) != NULL);
  g_assert_true (test_says (get_root (&self->second), "Stop and Close?"));
  g_assert_null (get_dialog (&self->first));
  test_window_go_to (&self->first);
  test_key ("ctrl+q");
  wait_until (gtk_window_is_active (GTK_WINDOW (self->second.window)));
  g_assert_null (get_dialog (&self->first));
  test_key ("Escape");
  wait_until (get_dialog (&self->second) == NULL);
  g_assert_true (is_busy (&self->first));
  g_assert_cmpuint (count_windows (self), ==, 2);
}

/* --- What is told ------------------------------------------------------------------------------ */

/* A screen reader hears of a reply once, and from the window that is used. */
static void
test_announced_once (Fixture *self, gconstpointer data)
{
  GString *said;
  const char *end;

  show_running_twice (self);
  said = gadget_test_listen ();
  fake_provider_text (self->first.provider, " and more.");
  fake_provider_end (self->first.provider);
  wait_until (!is_busy (&self->first));
  test_run_for (3000);
  end = strstr (said->str, "complete");
  g_assert_nonnull (end);
  g_assert_null (strstr (end + 1, "complete"));
  gadget_test_stop_listening (said);
}

#define add_with(name, data, test)                                                                 \
  g_test_add ("/ui/windows/" name, Fixture, data, set_up, test, tear_down)
#define add(name, test) add_with (name, NULL, test)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("new-window", test_new_window);
  add ("sizes", test_sizes);
  add ("from-outside", test_from_outside);
  add ("menus", test_menus);
  add ("from-search", test_from_search);
  add ("same-chat", test_same_chat);
  add ("stop-all", test_stop_all);
  add ("asking", test_asking);
  add ("answer-shared", test_answer_shared);
  add_with ("answer-left", NULL, test_answer_left);
  add_with ("answer-left/closed", "closed", test_answer_left);
  add ("delete", test_delete);
  add ("close-one", test_close_one);
  add ("close-first", test_close_first);
  add ("close-last", test_close_last);
  add ("quit", test_quit);
  add ("announced-once", test_announced_once);
  return g_test_run ();
}
