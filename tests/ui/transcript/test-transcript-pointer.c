/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transcript under a real pointer and real keys, by xdotool. */

#include "gadget-test-ui.h"
#include "transcript-fixture.h"

static void
test_words_and_lines (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  transcript_fixture_move_to (&fixture, 1, 7, "click --repeat 2 --delay 20 1");
  transcript_fixture_check (&fixture, "beta");
  /* Longer than the time in which clicks count as one more. */
  g_usleep (600000);
  transcript_fixture_move_to (&fixture, 1, 20, "click --repeat 3 --delay 20 1");
  transcript_fixture_check (&fixture, "delta epsilon");
  g_usleep (600000);
  transcript_fixture_move_to (&fixture, 1, 3, "click 1");
  transcript_fixture_check (&fixture, NULL);
  transcript_fixture_tear_down (&fixture);
}

/* The right half of a word's last letter is a part of the word as well. */
static void
test_last_letter (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  /* Between "beta" and "gamma", and two pixels to the left of the blank. */
  transcript_fixture_move_to (&fixture, 1, 10,
                              "mousemove_relative -- -2 0 click --repeat 2 --delay 20 1");
  transcript_fixture_check (&fixture, "beta");
  transcript_fixture_tear_down (&fixture);
}

static void
test_drag (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 2);
  /* From the first answer to the second prompt, over the status between them. */
  transcript_fixture_move_to (&fixture, 1, 6, "mousedown 1");
  transcript_fixture_move_to (&fixture, 1, 12, "");
  transcript_fixture_move_to (&fixture, 4, 4, "");
  transcript_fixture_move_to (&fixture, 4, 5, "mouseup 1");
  transcript_fixture_check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta\n\nWhat ");

  /* Shift and a click move the other end. */
  g_usleep (600000);
  transcript_fixture_move_to (&fixture, 1, 17, "keydown shift click 1 keyup shift");
  transcript_fixture_check (&fixture, "beta gamma\n");

  /* Backwards. */
  g_usleep (600000);
  transcript_fixture_move_to (&fixture, 5, 5, "mousedown 1");
  transcript_fixture_move_to (&fixture, 4, 6, "");
  transcript_fixture_move_to (&fixture, 4, 5, "mouseup 1");
  transcript_fixture_check (&fixture, "is this?\n\nalpha");
  transcript_fixture_tear_down (&fixture);
}

/* Shift and a click make a selection of the whole chat smaller, as Shift and the keys do. */
static void
test_shift_after_all (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  gadget_transcript_select_all (fixture.transcript);
  transcript_fixture_move_to (&fixture, 1, 6, "keydown shift click 1 keyup shift");
  transcript_fixture_check (&fixture, "What is this?\n\nalpha ");
  transcript_fixture_tear_down (&fixture);
}

static void
test_copy (void)
{
  TranscriptFixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  transcript_fixture_set_up (&fixture, 40);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "key ctrl+a");
  transcript_fixture_xdotool (&fixture, "key ctrl+c");
  text = gadget_test_read_clipboard (gtk_widget_get_clipboard (fixture.window));
  expected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (strlen (text), >, 40 * 40);
  transcript_fixture_tear_down (&fixture);
}

/* Where in the window the text begins. */
static float
get_left (TranscriptFixture *fixture, GadgetSelectableText *piece)
{
  graphene_point_t point;

  g_assert_true (gtk_widget_compute_point (GTK_WIDGET (piece), fixture->window,
                                           &GRAPHENE_POINT_INIT (0, 0), &point));
  return point.x;
}

static gboolean
has_selected (TranscriptFixture *fixture, const char *what)
{
  g_autofree char *text = gadget_transcript_dup_selection (fixture->transcript);

  return text != NULL && strstr (text, what) != NULL;
}

/* Held below the window, the pointer scrolls and goes on selecting. */
static void
test_autoscroll (void)
{
  TranscriptFixture fixture;
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;

  transcript_fixture_set_up (&fixture, 60);
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  gadget_test_wait_frames (fixture.window, 3);
  transcript_fixture_move_to (&fixture, 1, 6, "mousedown 1");
  transcript_fixture_move_to (&fixture, 1, 12, "");
  transcript_fixture_xdotool (&fixture, "mousemove 300 690");
  gadget_test_wait_frames (fixture.window, 90);
  transcript_fixture_xdotool (&fixture, "mouseup 1");
  g_assert_null (_gadget_transcript_get_realized (fixture.transcript, 1));
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_prefix (text, "beta gamma\n"));
  parts = g_strsplit (text, "What is this?", -1);
  g_assert_cmpuint (g_strv_length (parts), >, 6);
  transcript_fixture_tear_down (&fixture);
}

/* Held beside code that is wider than the column, it scrolls that; but not where it only passes by.
 */
static void
test_autoscroll_sideways (void)
{
  TranscriptFixture fixture;
  GadgetSelectableText *piece;
  g_autofree char *text = NULL;

  transcript_fixture_set_up (&fixture, 1);
  transcript_fixture_add_turn (
      &fixture, "wide", "Show it.",
      "```\nalpha a line that is long, and longer, and so long that it does not fit into the "
      "column "
      "at all, not even nearly, however small the letters are omega\n```\n");
  gadget_test_wait_frames (fixture.window, 3);
  piece = gadget_row_get_piece (_gadget_transcript_get_realized (fixture.transcript, 5)->widget);
  g_assert_cmpfloat (get_left (&fixture, piece), >=, 0);

  transcript_fixture_move_to (&fixture, 1, 6, "mousedown 1");
  transcript_fixture_move_to (&fixture, 1, 12, "");
  transcript_fixture_move_to (&fixture, 5, 2, "");
  transcript_fixture_xdotool (&fixture, "mousemove_relative 660 0");
  gadget_test_wait_frames (fixture.window, 30);
  g_assert_cmpfloat (get_left (&fixture, piece), >=, 0);
  transcript_fixture_xdotool (&fixture, "mouseup 1");

  g_usleep (600000);
  transcript_fixture_move_to (&fixture, 5, 6, "mousedown 1");
  transcript_fixture_move_to (&fixture, 5, 14, "");
  transcript_fixture_xdotool (&fixture, "mousemove_relative 600 0");
  for (guint i = 0; i < 100 && !has_selected (&fixture, "omega"); i++)
    gadget_test_wait_frames (fixture.window, 5);
  g_assert_true (has_selected (&fixture, "omega"));
  g_assert_cmpfloat (get_left (&fixture, piece), <, -100);
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_prefix (text, "a line"));

  /* And back, to what is before it. */
  transcript_fixture_xdotool (&fixture, "mousemove_relative -- -745 0");
  for (guint i = 0; i < 100 && !has_selected (&fixture, "alpha"); i++)
    gadget_test_wait_frames (fixture.window, 5);
  transcript_fixture_check (&fixture, "alpha ");
  transcript_fixture_xdotool (&fixture, "mouseup 1");
  transcript_fixture_tear_down (&fixture);
}

static void
test_keys (void)
{
  TranscriptFixture fixture;
  double value;
  GtkAdjustment *adjustment;

  transcript_fixture_set_up (&fixture, 60);
  adjustment = fixture.transcript->vadjustment;
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "key Home");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  transcript_fixture_xdotool (&fixture, "key Next");
  value = gtk_adjustment_get_value (adjustment);
  g_assert_cmpfloat (value, >, TRANSCRIPT_FIXTURE_HEIGHT * 0.5);
  transcript_fixture_xdotool (&fixture, "key Down");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, value);
  transcript_fixture_xdotool (&fixture, "key Up");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
  transcript_fixture_xdotool (&fixture, "key Prior");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  transcript_fixture_xdotool (&fixture, "key ctrl+Down");
  g_assert_cmpuint (fixture.transcript->anchor, ==, 4);
  transcript_fixture_xdotool (&fixture, "key ctrl+Up");
  g_assert_cmpuint (fixture.transcript->anchor, ==, 0);
  transcript_fixture_xdotool (&fixture, "key End");
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "mousemove 300 300 click 4");
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "click --repeat 3 5");
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  transcript_fixture_tear_down (&fixture);
}

/* Digits answer while the card has the focus, and only then. */
static void
test_digits (void)
{
  static const char *const choices[] = { "One", "Two", NULL };
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", choices, TRUE);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("ask", "Ask me.");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "ask_user");
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  gadget_item_set_prompt (item, prompt);
  gadget_turn_append (turn, item);
  gadget_session_append (fixture.session, turn);
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "key 2");
  g_assert_true (gadget_prompt_is_open (prompt));
  g_assert_true (gadget_transcript_focus_ask (fixture.transcript));
  transcript_fixture_xdotool (&fixture, "key 2");
  g_assert_false (gadget_prompt_is_open (prompt));
  transcript_fixture_tear_down (&fixture);
}

static gboolean
says (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

/* The menu shows the key that people know, not the other one. */
static void
test_menu_keys (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  transcript_fixture_move_to (&fixture, 1, 7, "click 3");
  g_assert_true (gtk_widget_get_mapped (fixture.transcript->menu));
  g_assert_true (says (fixture.transcript->menu, "Ctrl+C"));
  g_assert_false (says (fixture.transcript->menu, "Ctrl+Insert"));
  transcript_fixture_tear_down (&fixture);
}

/* There is no finger here that could press; the gesture says that one did. */
static void
press_long (TranscriptFixture *fixture, guint row, guint offset)
{
  GtkWidget *transcript = GTK_WIDGET (fixture->transcript);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (transcript);
  int x, y;

  transcript_fixture_get_point (fixture, transcript, row, offset, &x, &y);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_LONG_PRESS (controller))
        g_signal_emit_by_name (controller, "pressed", (double) x, (double) y);
    }
  gadget_test_wait_frames (fixture->window, 4);
}

/* A long press selects the word under the finger for the menu; what is selected there stays. */
static void
test_long_press (void)
{
  TranscriptFixture fixture;

  transcript_fixture_set_up (&fixture, 1);
  press_long (&fixture, 1, 7);
  transcript_fixture_check (&fixture, "beta");
  g_assert_true (gtk_widget_get_mapped (fixture.transcript->menu));
  gtk_popover_popdown (GTK_POPOVER (fixture.transcript->menu));
  press_long (&fixture, 1, 20);
  transcript_fixture_check (&fixture, "delta");
  gtk_popover_popdown (GTK_POPOVER (fixture.transcript->menu));
  gadget_transcript_select_all (fixture.transcript);
  press_long (&fixture, 1, 7);
  transcript_fixture_check (&fixture, "What is this?\n\nalpha beta gamma\ndelta epsilon\n\n"
                                      "zeta eta theta");
  transcript_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-pointer/words-and-lines", test_words_and_lines);
  g_test_add_func ("/ui/transcript-pointer/last-letter", test_last_letter);
  g_test_add_func ("/ui/transcript-pointer/drag", test_drag);
  g_test_add_func ("/ui/transcript-pointer/shift-after-all", test_shift_after_all);
  g_test_add_func ("/ui/transcript-pointer/copy", test_copy);
  g_test_add_func ("/ui/transcript-pointer/autoscroll", test_autoscroll);
  g_test_add_func ("/ui/transcript-pointer/autoscroll-sideways", test_autoscroll_sideways);
  g_test_add_func ("/ui/transcript-pointer/keys", test_keys);
  g_test_add_func ("/ui/transcript-pointer/digits", test_digits);
  g_test_add_func ("/ui/transcript-pointer/menu-keys", test_menu_keys);
  g_test_add_func ("/ui/transcript-pointer/long-press", test_long_press);
  return g_test_run ();
}
