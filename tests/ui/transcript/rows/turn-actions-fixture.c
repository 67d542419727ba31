/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "turn-actions-fixture.h"

GadgetSession *
turn_actions_get_session (TestWindow *window)
{
  return gadget_window_get_session (window->window);
}

GadgetTurn *
turn_actions_say (TestWindow *window, const char *prompt, const char *answer)
{
  GadgetTurn *turn = test_window_send (window, prompt);

  fake_provider_text (window->provider, answer);
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
  return turn;
}

static char *
dup_prompts (TestWindow *window)
{
  GString *text = g_string_new (NULL);
  GadgetSession *session = turn_actions_get_session (window);

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            gadget_turn_get_prompt (gadget_session_get_turn (session, i)));
  return g_string_free_and_steal (text);
}

gboolean
turn_actions_has_prompts (TestWindow *window, const char *prompts)
{
  g_autofree char *text = dup_prompts (window);

  return g_str_equal (text, prompts);
}

void
turn_actions_expect (TestWindow *window, const char *prompts)
{
  g_autofree char *text = dup_prompts (window);

  g_assert_cmpstr (text, ==, prompts);
}

gboolean
turn_actions_does (GtkWidget *widget, gpointer user_data)
{
  const Wanted *wanted = user_data;
  const char *name =
      GTK_IS_BUTTON (widget) ? gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) : NULL;

  return g_strcmp0 (name, wanted->action) == 0
         && (wanted->turn_id == NULL
             || g_str_equal (
                 g_variant_get_string (
                     gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget)), NULL),
                 wanted->turn_id));
}

GtkWidget *
turn_actions_find (TestWindow *window, const char *action, guint nth)
{
  const Wanted wanted = { action, gadget_turn_get_id (gadget_session_get_turn (
                                      turn_actions_get_session (window), nth)) };

  return test_find (GTK_WIDGET (window->window), turn_actions_does, (gpointer) &wanted);
}

gboolean
turn_actions_shows (TestWindow *window, const char *label)
{
  return test_find_label (GTK_WIDGET (window->window), label) != NULL;
}

gboolean
turn_actions_is_more (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget)
         && gtk_widget_get_ancestor (widget, GADGET_TYPE_TURN_ACTIONS) != NULL;
}

/* What has no button is in the menu beside the buttons. */
static const char *
get_menu_label (const char *action)
{
  return g_str_equal (action, "session.delete-turn") ? "Delete Turn"
         : g_str_equal (action, "session.edit-turn") ? "Edit and Resend"
         : g_str_equal (action, "session.branch")    ? "Branch into New Chat"
                                                     : NULL;
}

static void
focus_and_press (GtkWidget *button)
{
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

static void
press_in_menu (TestWindow *window, const char *label, guint nth)
{
  GtkWidget *actions;
  GtkWidget *item;

  wait_until (turn_actions_find (window, "session.regenerate", nth) != NULL
              && gtk_widget_is_sensitive (turn_actions_find (window, "session.regenerate", nth)));
  actions = gtk_widget_get_ancestor (turn_actions_find (window, "session.regenerate", nth),
                                     GADGET_TYPE_TURN_ACTIONS);
  focus_and_press (gtk_widget_get_first_child (test_find (actions, turn_actions_is_more, NULL)));
  wait_until (turn_actions_shows (window, label));
  item = test_find_label (GTK_WIDGET (window->window), label);
  focus_and_press (gtk_widget_get_parent (item));
  wait_until (!turn_actions_shows (window, label));
}

/* With a key: rows move when others come, so that a click may come to where the button was. */
void
turn_actions_press (TestWindow *window, const char *action, guint nth)
{
  GtkWidget *button;

  if (get_menu_label (action) != NULL)
    {
      press_in_menu (window, get_menu_label (action), nth);
      return;
    }
  wait_until (turn_actions_find (window, action, nth) != NULL
              && gtk_widget_is_sensitive (turn_actions_find (window, action, nth)));
  button = turn_actions_find (window, action, nth);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

void
turn_actions_press_label (TestWindow *window, const char *label)
{
  GtkWidget *button;

  wait_until (turn_actions_shows (window, label));
  button = gtk_widget_get_ancestor (test_find_label (GTK_WIDGET (window->window), label),
                                    GTK_TYPE_BUTTON);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}
