/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transcript under a real pointer and real keys, by xdotool. */

#include "gadget-test-ui.h"

#include "transcript/gadget-transcript-private.h"

#define WIDTH 720
#define HEIGHT 600

typedef struct
{
  GadgetSession *session;
  GtkWidget *window;
  GadgetTranscript *transcript;
} Fixture;

static void
add_turn (Fixture *fixture, const char *id, const char *prompt, const char *answer)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, prompt);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_item_append_text (item, answer, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  gadget_turn_finish (turn);
  gadget_session_append (fixture->session, turn);
}

static void
set_up (Fixture *fixture, guint n_turns)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  fixture->session = gadget_session_new ("s");
  for (guint i = 0; i < n_turns; i++)
    {
      g_autofree char *id = g_strdup_printf ("turn-%u", i);

      /* Rows: the prompt, two paragraphs, the status. */
      add_turn (fixture, id, "What is this?", "alpha beta gamma\ndelta epsilon\n\nzeta eta theta");
    }
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  fixture->window = gadget_test_window_new (scrolled, WIDTH, HEIGHT);
}

static void
tear_down (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (fixture->session);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
xdotool (Fixture *fixture, const char *command)
{
  g_autofree char *line = g_strconcat ("xdotool ", command, NULL);
  g_auto (GStrv) argv = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  g_assert_true (g_shell_parse_argv (line, NULL, &argv, &error));
  process = g_subprocess_newv ((const char *const *) argv, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, done_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  gadget_test_wait_frames (fixture->window, 4);
}

/* Where on the screen a byte of a row's text is. */
static void
get_point (Fixture *fixture, guint position, guint offset, int *x, int *y)
{
  GadgetRealised *row = _gadget_transcript_get_realised (fixture->transcript, position);
  GadgetTextPiece *piece;
  graphene_rect_t box;
  graphene_point_t point;

  g_assert_nonnull (row);
  piece = gadget_row_get_piece (row->widget);
  GTK_ACCESSIBLE_TEXT_GET_IFACE (piece)->get_extents (GTK_ACCESSIBLE_TEXT (piece), offset,
                                                      offset + 1, &box);
  g_assert_true (gtk_widget_compute_point (
      GTK_WIDGET (piece), fixture->window,
      &GRAPHENE_POINT_INIT (box.origin.x + 1, box.origin.y + box.size.height / 2), &point));
  *x = (int) point.x;
  *y = (int) point.y;
}

static void
move_to (Fixture *fixture, guint position, guint offset, const char *then)
{
  g_autofree char *command = NULL;
  int x, y;

  get_point (fixture, position, offset, &x, &y);
  command = g_strdup_printf ("mousemove %d %d %s", x, y, then);
  xdotool (fixture, command);
}

static void
check (Fixture *fixture, const char *expected)
{
  g_autofree char *text = gadget_transcript_dup_selection (fixture->transcript);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_words_and_lines (void)
{
  Fixture fixture;

  set_up (&fixture, 1);
  move_to (&fixture, 1, 7, "click --repeat 2 --delay 20 1");
  check (&fixture, "beta");
  /* Longer than the time in which clicks count as one more. */
  g_usleep (600000);
  move_to (&fixture, 1, 20, "click --repeat 3 --delay 20 1");
  check (&fixture, "delta epsilon");
  g_usleep (600000);
  move_to (&fixture, 1, 3, "click 1");
  check (&fixture, NULL);
  tear_down (&fixture);
}

static void
test_drag (void)
{
  Fixture fixture;

  set_up (&fixture, 2);
  /* From the first answer to the second prompt, over the status between them. */
  move_to (&fixture, 1, 6, "mousedown 1");
  move_to (&fixture, 1, 12, "");
  move_to (&fixture, 4, 4, "");
  move_to (&fixture, 4, 5, "mouseup 1");
  check (&fixture, "beta gamma\ndelta epsilon\n\nzeta eta theta\n\nWhat ");

  /* Shift and a click move the other end. */
  g_usleep (600000);
  move_to (&fixture, 1, 17, "keydown shift click 1 keyup shift");
  check (&fixture, "beta gamma\n");

  /* Backwards. */
  g_usleep (600000);
  move_to (&fixture, 5, 5, "mousedown 1");
  move_to (&fixture, 4, 6, "");
  move_to (&fixture, 4, 5, "mouseup 1");
  check (&fixture, "is this?\n\nalpha");
  tear_down (&fixture);
}

static void
read_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static void
test_copy (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  set_up (&fixture, 40);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  xdotool (&fixture, "key ctrl+a");
  xdotool (&fixture, "key ctrl+c");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.window), NULL, read_text_cb,
                                 &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  expected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (strlen (text), >, 40 * 40);
  tear_down (&fixture);
}

/* Held below the window, the pointer scrolls and goes on selecting. */
static void
test_autoscroll (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;

  set_up (&fixture, 60);
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  gadget_test_wait_frames (fixture.window, 3);
  move_to (&fixture, 1, 6, "mousedown 1");
  move_to (&fixture, 1, 12, "");
  xdotool (&fixture, "mousemove 300 690");
  gadget_test_wait_frames (fixture.window, 90);
  xdotool (&fixture, "mouseup 1");
  g_assert_null (_gadget_transcript_get_realised (fixture.transcript, 1));
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_true (g_str_has_prefix (text, "beta gamma\n"));
  parts = g_strsplit (text, "What is this?", -1);
  g_assert_cmpuint (g_strv_length (parts), >, 6);
  tear_down (&fixture);
}

static void
test_keys (void)
{
  Fixture fixture;
  double value;
  GtkAdjustment *adjustment;

  set_up (&fixture, 60);
  adjustment = fixture.transcript->vadjustment;
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  xdotool (&fixture, "key Home");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  xdotool (&fixture, "key Next");
  value = gtk_adjustment_get_value (adjustment);
  g_assert_cmpfloat (value, >, HEIGHT * 0.5);
  xdotool (&fixture, "key Down");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, value);
  xdotool (&fixture, "key Up");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
  xdotool (&fixture, "key Prior");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  xdotool (&fixture, "key ctrl+Down");
  g_assert_cmpuint (fixture.transcript->anchor, ==, 4);
  xdotool (&fixture, "key ctrl+Up");
  g_assert_cmpuint (fixture.transcript->anchor, ==, 0);
  xdotool (&fixture, "key End");
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  xdotool (&fixture, "mousemove 300 300 click 4");
  g_assert_false (gadget_transcript_get_following (fixture.transcript));
  xdotool (&fixture, "click --repeat 3 5");
  g_assert_true (gadget_transcript_get_following (fixture.transcript));
  tear_down (&fixture);
}

/* Digits answer while the card has the focus, and only then. */
static void
test_digits (void)
{
  static const char *const choices[] = { "One", "Two", NULL };
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question ("Which?", choices, TRUE);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("ask", "Ask me.");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "ask_user");
  Fixture fixture;

  set_up (&fixture, 1);
  gadget_item_set_prompt (item, prompt);
  gadget_turn_append (turn, item);
  gadget_session_append (fixture.session, turn);
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.transcript));
  xdotool (&fixture, "key 2");
  g_assert_true (gadget_prompt_is_open (prompt));
  g_assert_true (gadget_transcript_focus_ask (fixture.transcript));
  xdotool (&fixture, "key 2");
  g_assert_false (gadget_prompt_is_open (prompt));
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-pointer/words-and-lines", test_words_and_lines);
  g_test_add_func ("/ui/transcript-pointer/drag", test_drag);
  g_test_add_func ("/ui/transcript-pointer/copy", test_copy);
  g_test_add_func ("/ui/transcript-pointer/autoscroll", test_autoscroll);
  g_test_add_func ("/ui/transcript-pointer/keys", test_keys);
  g_test_add_func ("/ui/transcript-pointer/digits", test_digits);
  return g_test_run ();
}
