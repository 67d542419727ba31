/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Menus of turns, what the pointer and a finger show, and places that stay where they are. */

#include "config.h"

#include "turn-actions-fixture.h"
#include "test-window.h"

/* --- Looking ---------------------------------------------------------------------------------- */

static GadgetTranscript *
get_transcript (TestWindow *window)
{
  return GADGET_TRANSCRIPT (test_find (GTK_WIDGET (window->window), test_is_transcript, NULL));
}

/* --- Menus and places --------------------------------------------------------------------------
 */

static void
test_menu (TestWindow *window, gconstpointer data)
{
  turn_actions_say (window, "one", "first");
  gtk_widget_grab_focus (GTK_WIDGET (get_transcript (window)));
  test_key ("shift+F10");
  wait_until (turn_actions_shows (window, "Delete Turn"));
  g_assert_true (turn_actions_shows (window, "Edit and Resend"));
  g_assert_true (turn_actions_shows (window, "Regenerate Reply"));
  g_assert_true (turn_actions_shows (window, "Branch into New Chat"));
  g_assert_true (turn_actions_shows (window, "Copy Reply"));
  /* With its letter. */
  test_key ("d");
  wait_until (turn_actions_has_prompts (window, ""));
}

static GtkGesture *
find_long_press (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_LONG_PRESS (controller))
        return GTK_GESTURE (controller);
    }
  return NULL;
}

/* A finger that stays, which has no second button. */
static void
test_long_press (TestWindow *window, gconstpointer data)
{
  GtkWidget *transcript;
  GtkGesture *gesture;

  turn_actions_say (window, "one", "first");
  transcript = GTK_WIDGET (get_transcript (window));
  gesture = find_long_press (transcript);
  g_assert_nonnull (gesture);
  g_assert_true (gtk_gesture_single_get_touch_only (GTK_GESTURE_SINGLE (gesture)));
  g_signal_emit_by_name (gesture, "pressed", 40.0, 20.0);
  wait_until (turn_actions_shows (window, "Copy as Markdown"));
  g_assert_true (turn_actions_shows (window, "Delete Turn"));
  test_key ("Escape");
  wait_until (!turn_actions_shows (window, "Delete Turn"));
}

/* Shown where the pointer is, and in the last turn. */
static void
test_hover (TestWindow *window, gconstpointer data)
{
  GtkWidget *actions;
  GtkWidget *last;

  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  wait_until (turn_actions_find (window, "session.regenerate", 1) != NULL);
  test_point_at (window->text);
  actions = gtk_widget_get_ancestor (turn_actions_find (window, "session.regenerate", 0),
                                     GADGET_TYPE_TURN_ACTIONS);
  last = gtk_widget_get_ancestor (turn_actions_find (window, "session.regenerate", 1),
                                  GADGET_TYPE_TURN_ACTIONS);
  wait_until (!gtk_widget_has_css_class (actions, "shown"));
  g_assert_true (gtk_widget_has_css_class (last, "shown"));
  test_point_at (actions);
  wait_until (gtk_widget_has_css_class (actions, "shown"));
  g_assert_true (gtk_widget_has_css_class (last, "shown"));
  /* A window that goes while the pointer is over a button leaves its tooltip to the next one. */
  test_point_at (window->text);
  wait_until (!gtk_widget_has_css_class (actions, "shown"));
}

static void
open_narrow_menu (TestWindow *window)
{
  GtkWidget *button = gtk_widget_get_first_child (
      test_find (GTK_WIDGET (window->window), turn_actions_is_more, NULL));

  gtk_widget_grab_focus (button);
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
  wait_until (turn_actions_shows (window, "Delete Turn"));
}

static void
test_narrow (TestWindow *window, gconstpointer data)
{
  static const char reason[] = "Not available while a reply is in progress";

  turn_actions_say (window, "one", "first");
  wait_until (turn_actions_find (window, "session.regenerate", 0) != NULL);
  /* What the window draws around itself is a part of it: 360 are left. */
  gtk_window_set_default_size (GTK_WINDOW (window->window), 370, 640);
  wait_until (turn_actions_find (window, "session.regenerate", 0) == NULL);
  open_narrow_menu (window);
  g_assert_false (turn_actions_shows (window, reason));
  test_key ("Escape");
  wait_until (!turn_actions_shows (window, "Delete Turn"));

  /* Why most of it cannot be chosen now. */
  gadget_composer_focus (window->composer);
  test_window_send (window, "two");
  open_narrow_menu (window);
  wait_until (turn_actions_shows (window, reason));
  test_key ("Escape");
  wait_until (!turn_actions_shows (window, "Delete Turn"));
  fake_provider_end (window->provider);
}

/* Keys that scroll, and where a chat was left. */
static void
test_place (TestWindow *window, gconstpointer data)
{
  g_autofree char *words = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  GadgetTranscript *transcript;
  GadgetSession *session;
  double value;

  words = gadget_test_words (random, 6000);
  turn_actions_say (window, "one", words);
  turn_actions_say (window, "two", words);
  turn_actions_say (window, "three", words);
  session = turn_actions_get_session (window);
  transcript = get_transcript (window);
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("Home");
  wait_until (!gadget_transcript_get_following (transcript)
              && gtk_adjustment_get_value (transcript->vadjustment) == 0);
  test_key ("Next");
  wait_until (gtk_adjustment_get_value (transcript->vadjustment) > 100);
  test_key ("Prior");
  wait_until (gtk_adjustment_get_value (transcript->vadjustment) == 0);
  test_key ("ctrl+Down");
  wait_until (transcript->anchor == gadget_transcript_model_get_turn_row (transcript->model, 1));
  test_key ("Next");
  wait_until (transcript->anchor_y < -50
              || transcript->anchor > gadget_transcript_model_get_turn_row (transcript->model, 1));
  gadget_test_wait_frames (GTK_WIDGET (window->window), 20);
  value = transcript->anchor_y;

  gadget_window_new_chat (window->window);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 3);
  {
    const guint anchor = transcript->anchor;

    gadget_window_open_session (window->window, session);
    gadget_test_wait_frames (GTK_WIDGET (window->window), 3);
    g_assert_false (gadget_transcript_get_following (transcript));
    g_assert_cmpuint (transcript->anchor, ==, anchor);
    g_assert_cmpfloat (ABS (transcript->anchor_y - value), <=, 1);
  }
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("End");
  wait_until (gadget_transcript_get_following (transcript));
}

/* A turn in the midst goes and comes back: what is read below it does not move. */
static void
test_no_jump (TestWindow *window, gconstpointer data)
{
  g_autofree char *words = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  GadgetTranscript *transcript;
  g_autofree char *id = NULL;

  words = gadget_test_words (random, 4000);
  turn_actions_say (window, "one", words);
  turn_actions_say (window, "two", words);
  turn_actions_say (window, "three", words);
  transcript = get_transcript (window);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
  _gadget_transcript_scroll_to (
      transcript, gadget_transcript_model_get_turn_row (transcript->model, 2) + 1, -20);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
  g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->turn,
                    ==, 2);
  {
    const GadgetRowSpec row =
        *gadget_transcript_model_get_row (transcript->model, transcript->anchor);
    const double y = transcript->anchor_y;

    id = g_strdup (
        gadget_turn_get_id (gadget_session_get_turn (turn_actions_get_session (window), 1)));
    gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.delete-turn", "s", id);
    wait_until (turn_actions_has_prompts (window, "one three"));
    gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
    g_assert_cmpfloat (ABS (transcript->anchor_y - y), <=, 1);
    g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->item,
                      ==, row.item);
    gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.restore-turns", NULL);
    wait_until (turn_actions_has_prompts (window, "one two three"));
    gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
    g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->turn,
                      ==, 2);
    g_assert_cmpfloat (ABS (transcript->anchor_y - y), <=, 1);
  }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/ui/turn-actions/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  ADD ("long-press", test_long_press);
  ADD ("menu", test_menu);
  ADD ("hover", test_hover);
  ADD ("narrow", test_narrow);
  ADD ("place", test_place);
  ADD ("no-jump", test_no_jump);
  return g_test_run ();
}
