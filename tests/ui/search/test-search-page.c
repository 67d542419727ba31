/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search over all chats, with keys: what it finds, the way to a match, and back. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/search/gadget-search-page.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

#include <string.h>

static GtkWidget *
get_root (TestWindow *self)
{
  return GTK_WIDGET (self->window);
}

static gboolean
is_searching (TestWindow *self)
{
  return _gadget_window_is_searching (self->window);
}

static void
say (TestWindow *self, const char *prompt, const char *answer)
{
  const guint n = self->n_completed;

  gtk_widget_grab_focus (self->text);
  test_type (prompt);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  fake_provider_text (self->provider, answer);
  fake_provider_end (self->provider);
  wait_until (self->n_completed == n + 1);
}

/* Two chats; returns the first. (transfer none) */
static GadgetSession *
make_chats (TestWindow *self)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  say (self, "where is the socket", "The socket is in the *cellar*, beside the boiler.");
  say (self, "and now", "Nothing has changed.");
  gadget_window_new_chat (self->window);
  say (self, "another chat", "It has no such thing, but a boiler.");
  return first;
}

static void
search_for (TestWindow *self, const char *words)
{
  test_key ("ctrl+shift+f");
  wait_until (is_searching (self));
  test_type (words);
}

static gboolean
is_find_entry (GtkWidget *widget, gpointer text)
{
  return GTK_IS_TEXT (widget) && gtk_widget_get_mapped (widget)
         && gtk_widget_is_ancestor (widget, GTK_WIDGET (text))
         && g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (widget)), "cellar") == 0;
}

static void
test_finds (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  g_assert_true (test_says (get_root (self), "beside the boiler"));
  g_assert_true (test_says (get_root (self), "Answer"));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (self->window)), ==, "Search");
  /* The words go on. */
  test_type (" socket");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  test_key ("ctrl+a");
  test_type ("unicorn");
  wait_until (test_says (get_root (self), "No chat has “unicorn”."));
  test_key ("ctrl+a");
  test_key ("BackSpace");
  wait_until (!test_says (get_root (self), "unicorn"));
}

/* Enter shows the first match in its chat, marked. */
static void
test_opens (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = make_chats (self);

  search_for (self, "cellar");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  test_key ("Return");
  wait_until (!is_searching (self));
  g_assert_true (gadget_window_get_session (self->window) == first);
  wait_until (self->chat->find_bar != NULL
              && gtk_widget_get_visible (GTK_WIDGET (self->chat->find_bar)));
  wait_until (test_find (get_root (self), is_find_entry, self->chat->find_bar) != NULL);
  wait_until (test_says (get_root (self), "1 of 1"));
}

/* Enter right after the last key opens what matches all the keys. */
static void
test_opens_typed (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = make_chats (self);
  GadgetSession *second = gadget_window_get_session (self->window);

  search_for (self, "another");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  test_key ("ctrl+a");
  test_type ("cellar");
  test_key ("Return");
  wait_until (!is_searching (self));
  g_assert_true (gadget_window_get_session (self->window) == first);
  search_for (self, "another");
  test_key ("Return");
  wait_until (!is_searching (self));
  g_assert_true (gadget_window_get_session (self->window) == second);
  /* What is typed after Enter is searched for, and Enter is forgotten. */
  search_for (self, "unicorn");
  test_key ("Return");
  test_key ("ctrl+a");
  test_type ("boiler");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  g_assert_true (is_searching (self));
}

/* Esc goes back to the chat and what is written in it; it stops nothing. */
static void
test_leaves (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  make_chats (self);
  session = gadget_window_get_session (self->window);
  say (self, "once more", "Again.");
  test_type ("go on");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_type ("half a draft");
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  test_key ("Escape");
  wait_until (!is_searching (self));
  g_assert_true (gadget_window_get_session (self->window) == session);
  g_assert_nonnull (gadget_session_get_active_run (session));
  g_assert_true (test_window_shows_text (self, "half a draft"));
  wait_until (gtk_widget_is_focus (self->text));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (self->window)), !=, "Search");
  /* What was searched for is still there, and is replaced by what is typed. */
  search_for (self, "socket");
  wait_until (test_says (get_root (self), "2 matches in 1 chat"));
  /* Shift+Esc stops at once, as everywhere. */
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (session) == NULL);
}

/* What is typed for titles goes on in all chats. */
static void
test_from_titles (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  test_key ("ctrl+shift+k");
  test_type ("cellar");
  wait_until (test_says (get_root (self), "No chat has such a title."));
  test_click (test_find_label (get_root (self), "Search all chats for “cellar”"));
  wait_until (is_searching (self));
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
}

/* A chat that is being deleted is not found. */
static void
test_deleted (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = make_chats (self);
  g_autoptr (GError) error = NULL;

  gadget_engine_begin_delete (self->engine, first, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "but a boiler"));
  g_assert_false (test_says (get_root (self), "beside the boiler"));
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_engine_settle_finish (GADGET_ENGINE (source), result);
  *(gboolean *) user_data = TRUE;
}

/* Two chats, of which the first is in the folder "Website"; all is stored. */
static void
make_folder (TestWindow *self)
{
  GadgetSession *first = make_chats (self);
  GadgetChatFolder *folder =
      gadget_chat_folders_create (gadget_engine_get_chat_folders (self->engine), "Website", NULL);
  gboolean settled = FALSE;

  gadget_session_set_chat_folder (first, gadget_chat_folder_get_id (folder));
  gadget_engine_save (self->engine, first);
  gadget_engine_settle_async (self->engine, 5000, settled_cb, &settled);
  wait_until (settled);
}

/* Gives the focus to what has that label, a button or a row. */
static void
focus_label (TestWindow *self, const char *label)
{
  GtkWidget *widget;

  wait_until (test_find_label (get_root (self), label) != NULL);
  widget = test_find_label (get_root (self), label);
  while (!gtk_widget_grab_focus (widget))
    widget = gtk_widget_get_parent (widget);
  wait_until (gtk_widget_is_ancestor (test_find_label (get_root (self), label),
                                      gtk_window_get_focus (GTK_WINDOW (self->window))));
}

static gboolean
is_focused (TestWindow *self, const char *label)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && test_find_label (focus, label) != NULL;
}

/* Opens the menu of a chip with keys, and chooses the value that is N keys below the first. */
static void
choose (TestWindow *self, const char *chip, const char *any, const char *value, guint n)
{
  focus_label (self, chip);
  test_key ("space");
  wait_until (is_focused (self, any));
  for (guint i = 0; i < n; i++)
    test_key ("Down");
  wait_until (is_focused (self, value));
  test_key ("Return");
  wait_until (test_find_button (get_root (self), any) != NULL);
}

static void
test_folder (TestWindow *self, gconstpointer data)
{
  make_folder (self);
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  choose (self, "Folder", "Any Folder", "Website", 1);
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  g_assert_true (test_says (get_root (self), "beside the boiler"));
  /* Delete clears the chip that has the focus, and the focus stays there. */
  wait_until (is_focused (self, "Website"));
  /* A screen reader says what it filters by. */
  gtk_test_accessible_assert_property (
      GTK_ACCESSIBLE (gtk_window_get_focus (GTK_WINDOW (self->window))),
      GTK_ACCESSIBLE_PROPERTY_LABEL, "Folder: Website");
  test_key ("Delete");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  g_assert_null (test_find_button (get_root (self), "Any Folder"));
  g_assert_true (is_focused (self, "Folder"));
  /* So does the cross, which goes with it. */
  choose (self, "Folder", "Any Folder", "Website", 1);
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  test_key ("Tab");
  wait_until (gtk_widget_is_focus (test_find_button (get_root (self), "Any Folder")));
  test_key ("space");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  g_assert_true (is_focused (self, "Folder"));
}

/* When a filter leaves nothing, what would be found without it can be chosen. */
static void
test_relaxes_filter (TestWindow *self, gconstpointer data)
{
  make_folder (self);
  search_for (self, "thing");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  choose (self, "Folder", "Any Folder", "Website", 1);
  wait_until (test_find_row (get_root (self), "Search in every folder") != NULL);
  g_assert_true (test_says (get_root (self), "No chat has “thing”."));
  g_assert_true (test_says (get_root (self), "Not only: Website"));
  g_assert_true (test_says (get_root (self), "1 match"));
  g_assert_null (test_find_row (get_root (self), "Search without filters"));
  focus_label (self, "Search in every folder");
  test_key ("Return");
  wait_until (test_says (get_root (self), "but a boiler"));
  g_assert_null (test_find_button (get_root (self), "Any Folder"));
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
}

/* Filters that find something only together are cleared together. */
static void
test_relaxes_all (TestWindow *self, gconstpointer data)
{
  make_folder (self);
  search_for (self, "thing");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  choose (self, "Status", "Any Status", "Failed", 4);
  wait_until (test_find_row (get_root (self), "Search in turns with any status") != NULL);
  choose (self, "Folder", "Any Folder", "Website", 1);
  wait_until (test_find_row (get_root (self), "Search without filters") != NULL);
  g_assert_null (test_find_row (get_root (self), "Search in every folder"));
  g_assert_null (test_find_row (get_root (self), "Search in turns with any status"));
  focus_label (self, "Search without filters");
  test_key ("Return");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  g_assert_null (test_find_button (get_root (self), "Any Status"));
}

static void
test_relaxes_words (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  search_for (self, "cellar unicorn");
  wait_until (test_find_row (get_root (self), "Search for “cellar” alone") != NULL);
  g_assert_null (test_find_row (get_root (self), "Search for “unicorn” alone"));
  focus_label (self, "Search for “cellar” alone");
  test_key ("Return");
  wait_until (test_says (get_root (self), "beside the boiler"));
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  /* What is typed goes on behind the word. */
  test_type (" boiler");
  wait_until (test_says (get_root (self), "1 match in 1 chat"));
  test_type (" and a unicorn");
  wait_until (test_says (get_root (self), "No chat has “cellar boiler and a unicorn”."));
}

/* The provider and the tool of what is searched. */
static void
test_provider_and_tool (TestWindow *self, gconstpointer data)
{
  make_chats (self);
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  /* The Guide, which is always the first, has answered nothing. */
  choose (self, "Provider", "Any Provider", "Guide", 1);
  wait_until (test_find_row (get_root (self), "Search in turns of every provider") != NULL);
  test_key ("Delete");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  /* The boiler is in no call. */
  gtk_widget_activate_action (test_find_label (get_root (self), "Tool"), "filter.tool", "s",
                              "shell");
  wait_until (test_find_row (get_root (self), "Search not only in calls of one tool") != NULL);
}

static void
run_outside (TestWindow *self, const char *sql)
{
  GadgetStore *store = test_store_open (self->folder);

  test_store_run_sql (store, sql);
  test_store_close (store);
}

/* When the chats cannot be searched, the page says so, also to screen readers, and searches them
 * again when it is told to. */
static void
test_unreadable (TestWindow *self, gconstpointer data)
{
  GString *said;

  make_folder (self);
  run_outside (self, "PRAGMA legacy_alter_table = ON; ALTER TABLE session RENAME TO away");
  said = gadget_test_listen ();
  search_for (self, "boiler");
  wait_until (test_says (get_root (self), "The chats could not be searched."));
  wait_until (strstr (said->str, "The chats could not be searched.") != NULL);
  g_assert_false (test_says (get_root (self), "Best Match"));
  run_outside (self, "PRAGMA legacy_alter_table = ON; ALTER TABLE away RENAME TO session");
  focus_label (self, "Try Again");
  test_key ("space");
  wait_until (test_says (get_root (self), "2 matches in 2 chats"));
  wait_until (strstr (said->str, "2 matches in 2 chats") != NULL);
  gadget_test_stop_listening (said);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func)                                                                            \
  g_test_add ("/ui/search-page/" path, TestWindow, NULL, test_window_set_up, func,                 \
              test_window_tear_down)
  ADD ("finds", test_finds);
  ADD ("opens", test_opens);
  ADD ("opens-typed", test_opens_typed);
  ADD ("leaves", test_leaves);
  ADD ("from-titles", test_from_titles);
  ADD ("deleted", test_deleted);
  ADD ("folder", test_folder);
  ADD ("relaxes-filter", test_relaxes_filter);
  ADD ("unreadable", test_unreadable);
  ADD ("relaxes-all", test_relaxes_all);
  ADD ("relaxes-words", test_relaxes_words);
  ADD ("provider-and-tool", test_provider_and_tool);
#undef ADD
  return g_test_run ();
}
