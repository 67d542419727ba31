/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with turns, in the window: buttons and keys that come from outside. */

#include "config.h"

#include "turn-actions-fixture.h"
#include "gadget-test-ui.h"

#include <string.h>

/* --- Looking ---------------------------------------------------------------------------------- */

static char *
read_clipboard (TestWindow *window)
{
  return gadget_test_read_clipboard (gtk_widget_get_clipboard (GTK_WIDGET (window->window)));
}

/* --- Copying ---------------------------------------------------------------------------------- */

static void
test_copy (TestWindow *window, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  turn_actions_say (window, "one", "# A *first* answer\n\n- x");
  turn_actions_say (window, "two", "second");
  turn_actions_press (window, "session.copy-turn", 0);
  wait_until (turn_actions_shows (window, "Reply copied"));
  first = read_clipboard (window);
  g_assert_cmpstr (first, ==, "# A *first* answer\n\n- x");
  gadget_chat_focus (window->chat);
  test_key ("ctrl+shift+c");
  wait_idle ();
  last = read_clipboard (window);
  g_assert_cmpstr (last, ==, "second");
}

/* --- Deleting --------------------------------------------------------------------------------- */

static void
test_delete (TestWindow *window, gconstpointer data)
{
  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  turn_actions_press (window, "session.delete-turn", 0);
  wait_until (turn_actions_shows (window, "Turn deleted"));
  turn_actions_expect (window, "two");
  turn_actions_press_label (window, "Undo");
  wait_until (turn_actions_has_prompts (window, "one two"));
}

/* By the menu of the chat, after a restart. */
static void
test_restore_later (TestWindow *window, gconstpointer data)
{
  g_autofree char *id = NULL;
  GadgetSession *session;

  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  turn_actions_press (window, "session.delete-turn", 1);
  wait_until (turn_actions_shows (window, "Turn deleted"));
  id = g_strdup (gadget_session_get_id (turn_actions_get_session (window)));
  test_window_restart (window);
  session = gadget_engine_find_session (window->engine, id);
  g_assert_nonnull (session);
  gadget_window_open_session (window->window, session);
  wait_until (gadget_session_get_loaded (session) && turn_actions_has_prompts (window, "one"));
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window->window), "win.restore-turns", NULL));
  wait_until (turn_actions_has_prompts (window, "one two"));
}

/* The last one: the chat is empty then, and comes back. */
static void
test_delete_only (TestWindow *window, gconstpointer data)
{
  turn_actions_say (window, "one", "first");
  turn_actions_press (window, "session.delete-turn", 0);
  wait_until (turn_actions_shows (window, "Turn deleted"));
  turn_actions_expect (window, "");
  turn_actions_press_label (window, "Undo");
  wait_until (turn_actions_has_prompts (window, "one"));
  wait_until (turn_actions_find (window, "session.regenerate", 0) != NULL);
}

static gboolean
has_file (const char *workspace)
{
  g_autofree char *path = g_build_filename (workspace, "one.txt", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
write_file (TestWindow *window)
{
  const guint n = fake_provider_get_n_requests (window->provider);

  test_window_send (window, "write");
  fake_provider_call (window->provider, 0, "c1", "write_file",
                      "{\"path\":\"one.txt\",\"content\":\"1\\n\"}");
  fake_provider_end (window->provider);
  wait_until (fake_provider_get_n_requests (window->provider) == n + 2
              && fake_provider_is_waiting (window->provider));
  fake_provider_text (window->provider, "Done.");
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
}

static void
test_delete_changes (TestWindow *window, gconstpointer data)
{
  char *workspace = test_window_give_workspace (window);

  write_file (window);
  turn_actions_press (window, "session.delete-turn", 0);
  wait_until (turn_actions_shows (window, "Undo File Changes?"));
  turn_actions_press_label (window, "Cancel");
  wait_until (!turn_actions_shows (window, "Undo File Changes?"));
  turn_actions_expect (window, "write");
  g_assert_true (has_file (workspace));

  turn_actions_press (window, "session.delete-turn", 0);
  turn_actions_press_label (window, "Keep Changes");
  wait_until (turn_actions_has_prompts (window, ""));
  g_assert_true (has_file (workspace));
  turn_actions_press_label (window, "Undo");
  wait_until (turn_actions_has_prompts (window, "write"));
  wait_until (!turn_actions_shows (window, "Undo File Changes?"));

  turn_actions_press (window, "session.delete-turn", 0);
  turn_actions_press_label (window, "Undo Changes");
  wait_until (turn_actions_has_prompts (window, ""));
  g_assert_false (has_file (workspace));
  test_dir_free (workspace);
}

/* --- Replacing -------------------------------------------------------------------------------- */

static void
test_regenerate (TestWindow *window, gconstpointer data)
{
  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  turn_actions_press (window, "session.regenerate", 1);
  wait_until (fake_provider_is_waiting (window->provider));
  turn_actions_expect (window, "one two");
  fake_provider_text (window->provider, "other");
  fake_provider_end (window->provider);
  wait_until (turn_actions_shows (window, "Reply replaced"));
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (
                       gadget_session_get_turn (turn_actions_get_session (window), 1), 0)),
                   ==, "other");
  turn_actions_press_label (window, "Undo");
  wait_until (g_str_equal (gadget_item_get_text (gadget_turn_get_item (
                               gadget_session_get_turn (turn_actions_get_session (window), 1), 0)),
                           "second"));
  turn_actions_expect (window, "one two");
}

/* Of an earlier turn: what followed is kept in a chat of its own. */
static void
test_regenerate_earlier (TestWindow *window, gconstpointer data)
{
  GListModel *sessions = gadget_engine_get_sessions (window->engine);
  GadgetSession *session = turn_actions_get_session (window);
  g_autoptr (GadgetSession) branch = NULL;

  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  turn_actions_press (window, "session.regenerate", 0);
  wait_until (fake_provider_is_waiting (window->provider));
  turn_actions_expect (window, "one");
  g_assert_true (turn_actions_get_session (window) == session);
  g_assert_cmpuint (g_list_model_get_n_items (sessions), ==, 2);
  fake_provider_text (window->provider, "other");
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetSession) other = g_list_model_get_item (sessions, i);

      if (other != session)
        g_set_object (&branch, other);
    }
  gadget_window_open_session (window->window, branch);
  wait_until (turn_actions_has_prompts (window, "one two"));
}

/* With another model, with which the chat goes on. */
static void
test_regenerate_with (TestWindow *window, gconstpointer data)
{
  GadgetTurn *turn = turn_actions_say (window, "one", "first");

  gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.regenerate-with", "(sss)",
                              gadget_turn_get_id (turn), "fake", "larger");
  wait_until (fake_provider_is_waiting (window->provider));
  turn_actions_expect (window, "one");
  g_assert_cmpstr (gadget_session_get_model (turn_actions_get_session (window)), ==, "larger");
  fake_provider_end (window->provider);
}

/* --- While a reply is written ------------------------------------------------------------------
 */

static void
test_running (TestWindow *window, gconstpointer data)
{
  GtkWidget *button;

  turn_actions_say (window, "one", "first");
  wait_until (turn_actions_find (window, "session.regenerate", 0) != NULL);
  test_window_send (window, "two");
  button = turn_actions_find (window, "session.regenerate", 0);
  wait_until (!gtk_widget_is_sensitive (button));
  gtk_test_accessible_assert_property (
      GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      "Regenerate Reply\nNot available while a reply is in progress");
  g_assert_true (gtk_widget_is_sensitive (turn_actions_find (window, "session.copy-turn", 0)));
  g_assert_null (turn_actions_find (window, "session.regenerate", 1));
  fake_provider_text (window->provider, "second");
  fake_provider_end (window->provider);
  wait_until (gtk_widget_is_sensitive (button));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "");
  wait_until (turn_actions_find (window, "session.regenerate", 1) != NULL);
}

/* --- Branching -------------------------------------------------------------------------------- */

static void
test_branch (TestWindow *window, gconstpointer data)
{
  GadgetSession *before;

  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  turn_actions_say (window, "three", "third");
  before = turn_actions_get_session (window);
  turn_actions_press (window, "session.branch", 1);
  wait_until (turn_actions_get_session (window) != before);
  turn_actions_expect (window, "one two");
  g_assert_cmpstr (gadget_session_get_title (turn_actions_get_session (window)), ==,
                   "one (Branch)");
  g_assert_true (gadget_engine_find_session (
                     window->engine, gadget_session_get_id (turn_actions_get_session (window)))
                 == turn_actions_get_session (window));
  turn_actions_say (window, "four", "fourth");
  turn_actions_expect (window, "one two four");
  g_assert_cmpuint (gadget_session_get_n_turns (before), ==, 3);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/ui/turn-actions/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  ADD ("copy", test_copy);
  ADD ("delete", test_delete);
  ADD ("restore-later", test_restore_later);
  ADD ("delete-only", test_delete_only);
  ADD ("delete-changes", test_delete_changes);
  ADD ("regenerate", test_regenerate);
  ADD ("regenerate-earlier", test_regenerate_earlier);
  ADD ("regenerate-with", test_regenerate_with);
  ADD ("running", test_running);
  ADD ("branch", test_branch);
  return g_test_run ();
}
