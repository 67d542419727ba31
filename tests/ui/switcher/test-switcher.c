/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The quick switcher, with keys: what it lists, and where each kind of entry leads. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/common/gadget-announcer.h"
#include "ui/switcher/gadget-switcher-row.h"
#include "ui/switcher/gadget-switcher.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static AdwDialog *
get_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window));
}

static gboolean
is_open (TestWindow *self)
{
  return GADGET_IS_SWITCHER (get_dialog (self));
}

static gboolean
is_list (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LIST_BOX (widget) && gtk_widget_get_mapped (widget);
}

static const GadgetSwitcherEntry *
get_entry (GtkListBoxRow *row)
{
  return row != NULL ? gadget_switcher_row_get_entry (GADGET_SWITCHER_ROW (row)) : NULL;
}

static GtkListBox *
get_list (TestWindow *self)
{
  return GTK_LIST_BOX (test_find (GTK_WIDGET (get_dialog (self)), is_list, NULL));
}

static const char *
get_title (TestWindow *self, int index)
{
  const GadgetSwitcherEntry *entry =
      get_entry (gtk_list_box_get_row_at_index (get_list (self), index));

  return entry != NULL ? entry->title : NULL;
}

static const char *
get_chosen (TestWindow *self)
{
  const GadgetSwitcherEntry *entry = get_entry (gtk_list_box_get_selected_row (get_list (self)));

  return entry != NULL ? entry->title : NULL;
}

static gboolean
lists (TestWindow *self, const char *title)
{
  for (int i = 0; get_title (self, i) != NULL; i++)
    if (g_str_equal (get_title (self, i), title))
      return TRUE;
  return FALSE;
}

static void
make_chat (TestWindow *self, const char *title)
{
  const guint n = self->n_completed;

  test_window_send (self, "go");
  wait_until (fake_provider_is_waiting (self->provider));
  fake_provider_text (self->provider, "text");
  fake_provider_end (self->provider);
  wait_until (self->n_completed == n + 1);
  gadget_session_set_title (gadget_window_get_session (self->window), title);
}

static void
switch_to (TestWindow *self, const char *text)
{
  test_key ("ctrl+k");
  wait_until (is_open (self) && get_list (self) != NULL && get_title (self, 0) != NULL);
  if (*text != '\0')
    {
      test_type (text);
      wait_until (g_strcmp0 (get_title (self, 0), "New chat") != 0
                  || g_str_has_prefix (text, "new"));
    }
}

static void
press_enter (TestWindow *self)
{
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  test_key ("Return");
  wait_until (!is_open (self));
}

/* The best match comes first, and Enter goes there. */
static void
test_chats (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  make_chat (self, "Close the store");
  gadget_window_new_chat (self->window);
  make_chat (self, "Storage and stories");
  switch_to (self, "");
  g_assert_cmpstr (get_title (self, 0), ==, "Storage and stories");
  g_assert_cmpstr (get_title (self, 1), ==, "Close the store");
  g_assert_cmpstr (get_title (self, 2), ==, "New chat");
  g_assert_cmpstr (get_chosen (self), ==, "Storage and stories");
  test_type ("sto");
  wait_until (lists (self, "Search all chats for “sto”"));
  g_assert_cmpstr (get_chosen (self), ==, "Storage and stories");
  g_assert_true (lists (self, "Storage")); /* of the preferences */
  test_type (" close");
  wait_until (g_strcmp0 (get_chosen (self), "Close the store") == 0);
  press_enter (self);
  wait_until (gadget_window_get_session (self->window) == first);
  wait_until (gtk_widget_is_focus (self->text));
}

/* What cannot be done now is not listed; what is chosen is done, with the focus that it wants. */
static void
test_actions (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  make_chat (self, "Pears");
  switch_to (self, "stop the");
  g_assert_false (lists (self, "Stop the reply"));
  test_key ("Escape");
  wait_until (!is_open (self));

  test_window_send (self, "again");
  wait_until (fake_provider_is_waiting (self->provider));
  switch_to (self, "stop the");
  wait_until (g_strcmp0 (get_chosen (self), "Stop the reply") == 0);
  press_enter (self);
  wait_until (gadget_session_get_active_run (session) == NULL);

  switch_to (self, "find in");
  wait_until (g_strcmp0 (get_chosen (self), "Find in the chat") == 0);
  press_enter (self);
  wait_until (self->chat->find_bar != NULL
              && gtk_widget_get_focus_child (GTK_WIDGET (self->chat->find_bar)) != NULL);
}

static void
test_settings (TestWindow *self, gconstpointer data)
{
  make_chat (self, "Pears");
  switch_to (self, "backups");
  wait_until (g_strcmp0 (get_chosen (self), "Storage") == 0);
  press_enter (self);
  wait_until (ADW_IS_PREFERENCES_DIALOG (get_dialog (self)));
  g_assert_cmpstr (
      adw_preferences_dialog_get_visible_page_name (ADW_PREFERENCES_DIALOG (get_dialog (self))), ==,
      "storage");
}

/* What is nothing's title is looked for in the chats. */
static void
test_search (TestWindow *self, gconstpointer data)
{
  make_chat (self, "Pears");
  switch_to (self, "zzyzx");
  wait_until (g_strcmp0 (get_chosen (self), "Search all chats for “zzyzx”") == 0);
  press_enter (self);
  wait_until (_gadget_window_is_searching (self->window));
  wait_until (test_says (GTK_WIDGET (self->window), "No chat has “zzyzx”."));
}

static void
announced_cb (GadgetAnnouncer *announcer, const char *text, guint priority, GString *said)
{
  g_string_append_printf (said, "%s\n", text);
}

/* The focus stays in the entry; the ends lead to each other; the chosen row is announced. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) said = g_string_new (NULL);

  make_chat (self, "Pears");
  switch_to (self, "");
  g_signal_connect (gadget_announcer_get_default (), "announced", G_CALLBACK (announced_cb), said);
  test_key ("Down");
  wait_until (g_strcmp0 (get_chosen (self), get_title (self, 1)) == 0);
  test_key ("Up");
  test_key ("Up");
  wait_until (
      get_title (self,
                 gtk_list_box_row_get_index (gtk_list_box_get_selected_row (get_list (self))) + 1)
      == NULL);
  test_key ("Down");
  wait_until (g_strcmp0 (get_chosen (self), "Pears") == 0);
  test_key ("Page_Down");
  wait_until (g_strcmp0 (get_chosen (self), "Pears") != 0);
  test_key ("Page_Up");
  wait_until (g_strcmp0 (get_chosen (self), "Pears") == 0);
  wait_until (strstr (said->str, "Pears, ") != NULL);
  g_signal_handlers_disconnect_by_func (gadget_announcer_get_default (), announced_cb, said);
  test_type ("pea");
  wait_until (lists (self, "Search all chats for “pea”"));
}

/* Esc closes it, and is not the first one of two. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, "go");
  wait_until (fake_provider_is_waiting (self->provider));
  switch_to (self, "");
  test_key ("Escape");
  wait_until (!is_open (self));
  test_key ("Escape");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_nonnull (gadget_session_get_active_run (session));
  test_key ("Escape");
  wait_until (gadget_session_get_active_run (session) == NULL);
}

/* In a narrow window it is a sheet, where typing works as well. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  make_chat (self, "Pears");
  gtk_window_set_default_size (GTK_WINDOW (self->window), 375, 600);
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) < 400);
  switch_to (self, "pea");
  wait_until (lists (self, "Search all chats for “pea”"));
  press_enter (self);
  test_key ("ctrl+k");
  wait_until (is_open (self));
  test_type ("pea");
  wait_until (lists (self, "Search all chats for “pea”"));
  wait_until (g_strcmp0 (get_chosen (self), "Pears") == 0);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func)                                                                            \
  g_test_add ("/ui/switcher/" path, TestWindow, NULL, test_window_set_up, func,                    \
              test_window_tear_down)
  ADD ("chats", test_chats);
  ADD ("actions", test_actions);
  ADD ("settings", test_settings);
  ADD ("search", test_search);
  ADD ("keys", test_keys);
  ADD ("escape", test_escape);
  ADD ("narrow", test_narrow);
#undef ADD
  return g_test_run ();
}
