/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding in a chat with the keys of a window: opening, going through the matches, closing. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-stop.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-chat-private.h"
#include "ui/window/gadget-find-bar.h"
#include "wait.h"

static GadgetTranscript *
get_transcript (TestWindow *self)
{
  return GADGET_TRANSCRIPT (test_find (GTK_WIDGET (self->chat), test_is_transcript, NULL));
}

static gboolean
is_open (TestWindow *self)
{
  return self->chat->find_bar != NULL && gtk_widget_get_visible (GTK_WIDGET (self->chat->find_bar));
}

static gboolean
is_entry (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_TEXT (widget);
}

static GtkWidget *
get_entry (TestWindow *self)
{
  return test_find (GTK_WIDGET (self->chat->find_bar), is_entry, NULL);
}

static gboolean
is_count (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "numeric");
}

static const char *
get_count (TestWindow *self)
{
  return gtk_label_get_label (
      GTK_LABEL (test_find (GTK_WIDGET (self->chat->find_bar), is_count, NULL)));
}

static gboolean
counts (TestWindow *self, const char *text)
{
  return g_str_equal (get_count (self), text);
}

static gboolean
has_focus (TestWindow *self, GtkWidget *widget)
{
  return gtk_window_get_focus (GTK_WINDOW (self->window)) == widget;
}

static gboolean
has_query (TestWindow *self, const char *text)
{
  return g_str_equal (gtk_editable_get_text (GTK_EDITABLE (get_entry (self))), text);
}

/* A chat with three matches of "needle", which is at rest. */
static void
have_chat (TestWindow *self)
{
  test_window_send (self, "a needle please");
  fake_provider_text (self->provider, "Here is a **need**le, and one more: Needle.");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
}

static void
open_bar (TestWindow *self, const char *query)
{
  test_key ("ctrl+f");
  wait_until (is_open (self) && has_focus (self, get_entry (self)));
  test_type (query);
  wait_until (has_query (self, query));
}

/* What is typed goes into the entry, and nothing to the model. */
static void
test_keys (TestWindow *self, gconstpointer data)
{
  have_chat (self);
  open_bar (self, "needle");
  test_window_assert_text (self, "");
  wait_until (counts (self, "1 of 3"));
  test_key ("Return");
  wait_until (counts (self, "2 of 3"));
  test_key ("ctrl+g");
  wait_until (counts (self, "3 of 3"));
  test_key ("Return");
  wait_until (counts (self, "From the top"));
  wait_until (counts (self, "1 of 3"));
  test_key ("shift+Return");
  wait_until (counts (self, "From the end"));
  test_key ("ctrl+shift+g");
  wait_until (counts (self, "2 of 3"));
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 1);
  test_key ("Escape");
  wait_until (!is_open (self));
  g_assert_true (has_focus (self, self->text));
  /* It is there again with its query, which the next one replaces. */
  test_key ("ctrl+f");
  wait_until (is_open (self) && counts (self, "1 of 3"));
  g_assert_true (has_query (self, "needle"));
  test_type ("x");
  wait_until (has_query (self, "x"));
  wait_until (counts (self, "No matches"));
  g_assert_true (gtk_widget_has_css_class (gtk_widget_get_parent (get_entry (self)), "error"));
  test_key ("BackSpace");
  wait_until (counts (self, ""));
  g_assert_false (gtk_widget_has_css_class (gtk_widget_get_parent (get_entry (self)), "error"));
}

/* The selection is the first query, and its place is where the search begins. */
static void
test_selection (TestWindow *self, gconstpointer data)
{
  GadgetTranscript *transcript;

  have_chat (self);
  transcript = get_transcript (self);
  gadget_transcript_select_all (transcript);
  test_key ("ctrl+f");
  wait_until (is_open (self));
  g_assert_true (has_query (self, ""));
  test_key ("Escape");
  wait_until (!is_open (self));
  gadget_transcript_selection_set_ends (transcript->selection, (GadgetTextPosition) { 1, 36 },
                                        (GadgetTextPosition) { 1, 42 });
  test_key ("ctrl+f");
  wait_until (is_open (self) && has_query (self, "Needle"));
  wait_until (counts (self, "3 of 3"));
  /* It is selected in the entry, so that what is typed replaces it. */
  test_type ("x");
  wait_until (has_query (self, "x"));
}

/* Esc closes the bar, wherever the focus is, and does not count as the first one of two; nor do its
 * repeats while it is held down. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  test_stop_start (self);
  open_bar (self, "words");
  test_xdo ("keydown", "Escape", NULL);
  wait_until (!is_open (self));
  test_run_for (1200);
  g_assert_false (gadget_escape_is_armed (self->chat->escape));
  test_xdo ("keyup", "Escape", NULL);
  test_stop_assert_goes_on (self);
  open_bar (self, "words");
  gtk_widget_grab_focus (self->text);
  test_key ("Escape");
  wait_until (!is_open (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  test_stop_assert_aborted (self);
}

static void
test_streaming (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "a needle please");
  fake_provider_text (self->provider, "Here is a need");
  open_bar (self, "needle");
  wait_until (counts (self, "1 of 1"));
  fake_provider_text (self->provider, "le and");
  wait_until (counts (self, "1 of 2"));
  fake_provider_text (self->provider, " a needle");
  wait_until (counts (self, "1 of 3"));
  test_key ("shift+Return");
  wait_until (counts (self, "3 of 3"));
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

/* The number is announced when nothing was typed for a while, and each match by its words. */
static void
test_said (TestWindow *self, gconstpointer data)
{
  GString *said;

  have_chat (self);
  said = gadget_test_listen ();
  open_bar (self, "needle");
  test_run_for (200);
  g_assert_null (strstr (said->str, "of 3"));
  wait_until (strstr (said->str, "1 of 3\n") != NULL);
  test_key ("Return");
  wait_until (strstr (said->str, "2 of 3: Here is a needle, and one more: Needle.\n") != NULL);
  g_string_truncate (said, 0);
  test_type ("x");
  wait_until (strstr (said->str, "No matches\n") != NULL);
  gadget_test_stop_listening (said);
}

static double
get_scroll (TestWindow *self)
{
  return gtk_adjustment_get_value (
      gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_transcript (self))));
}

/* Neither opening nor closing scrolls. */
static void
test_scroll (TestWindow *self, gconstpointer data)
{
  GString *text = g_string_new (NULL);
  GtkAdjustment *adjustment;
  double value;

  for (guint i = 0; i < 90; i++)
    g_string_append_printf (text, "Line %u%s.\n\n", i, i % 30 == 1 ? " has a needle" : "");
  test_window_send (self, "Many lines, please");
  fake_provider_text (self->provider, text->str);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_transcript (self)));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) / 2);
  test_run_for (400);
  value = get_scroll (self);
  test_key ("ctrl+f");
  wait_until (is_open (self) && has_focus (self, get_entry (self)));
  test_run_for (100);
  g_assert_cmpfloat_with_epsilon (get_scroll (self), value, 1);
  test_type ("needle");
  wait_until (counts (self, "3 of 3"));
  test_key ("shift+Return");
  wait_until (counts (self, "2 of 3"));
  test_run_for (300);
  value = get_scroll (self);
  test_key ("Escape");
  wait_until (!is_open (self));
  test_run_for (100);
  g_assert_cmpfloat_with_epsilon (get_scroll (self), value, 1);
  g_string_free (text, TRUE);
}

/* Another chat has no bar, until it is opened there. */
static void
test_other_chat (TestWindow *self, gconstpointer data)
{
  have_chat (self);
  open_bar (self, "needle");
  test_window_new_chat (self);
  g_assert_false (is_open (self));
  /* Nothing is to be found in an empty chat, and nothing is sent. */
  open_bar (self, "needle");
  wait_until (counts (self, "No matches"));
  test_key ("Return");
  test_run_for (100);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);
}

static gboolean
is_menu_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget);
}

/* Where there is no room, the options are in the menu of the chat. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  GMenuModel *menu = gtk_menu_button_get_menu_model (self->window->chat_menu);
  const int n = g_menu_model_get_n_items (menu);
  int frame;

  have_chat (self);
  open_bar (self, "needle");
  g_assert_nonnull (test_find (GTK_WIDGET (self->chat->find_bar), is_menu_button, NULL));
  /* The frame around the window counts too. */
  gtk_window_get_default_size (GTK_WINDOW (self->window), &frame, NULL);
  frame -= gtk_widget_get_width (GTK_WIDGET (self->window));
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, n);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 360 + frame, 600);
  wait_until (test_find (GTK_WIDGET (self->chat->find_bar), is_menu_button, NULL) == NULL);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, n + 1);
  gtk_widget_activate_action (GTK_WIDGET (self->window->chat_menu), "find.match-case", NULL);
  wait_until (counts (self, "1 of 2"));
  test_key ("Escape");
  wait_until (!is_open (self));
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, n);
}

/* For the page that searches all chats. */
static void
test_place (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = NULL;

  have_chat (self);
  session = g_object_ref (test_window_get_session (self));
  test_window_new_chat (self);
  gadget_window_find (self->window, session, "needle",
                      gadget_turn_get_id (gadget_session_get_turn (session, 0)), 0,
                      GADGET_ROW_TEXT_ITEM, 36);
  g_assert_true (test_window_get_session (self) == session);
  wait_until (is_open (self) && counts (self, "3 of 3"));
  g_assert_true (has_focus (self, get_entry (self)));
}

#define add(name, test)                                                                            \
  g_test_add ("/ui/find-bar/" name, TestWindow, NULL, test_window_set_up, test,                    \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("keys", test_keys);
  add ("selection", test_selection);
  add ("escape", test_escape);
  add ("streaming", test_streaming);
  add ("said", test_said);
  add ("scroll", test_scroll);
  add ("other-chat", test_other_chat);
  add ("narrow", test_narrow);
  add ("place", test_place);
  return g_test_run ();
}
