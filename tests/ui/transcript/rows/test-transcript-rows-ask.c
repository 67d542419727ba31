/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows that ask: cards of questions and permissions. */

#include "config.h"

#include "transcript-rows-fixture.h"
#include "wait.h"

static int
get_least_width (GtkWidget *widget)
{
  int width;

  g_assert_nonnull (widget);
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width;
}

/* The name of a tool is one word, which a narrow window has no line for. */
static void
test_long_tool_name (void)
{
  g_autofree char *name = g_strnfill (120, 'x');
  g_autofree char *label = g_strdup_printf ("Allow \u2068%s\u2069 in This Chat", name);
  g_autoptr (GadgetItem) deaf = gadget_item_new_tool_call ("call-2", name);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_permission (name, "Do this?", "it", NULL);
  Fixture fixture;

  transcript_rows_set_up (&fixture);
  gadget_prompt_add_choice (prompt, GADGET_PROMPT_ALLOW_SESSION, label);
  gadget_item_set_prompt (transcript_rows_add_call (&fixture, GADGET_ITEM_RUNNING), prompt);
  transcript_rows_frames (&fixture);
  g_assert_cmpint (get_least_width (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ASK)), <=,
                   330);
  gadget_item_set_prompt (gadget_turn_get_item (fixture.turn, 0), NULL);
  transcript_rows_tear_down (&fixture);

  transcript_rows_set_up (&fixture);
  gadget_item_take_call_summary (
      deaf, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Running", NULL));
  gadget_item_set_status (deaf, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, deaf);
  gadget_item_set_unresponsive (deaf, TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (
      transcript_rows_has_text (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL), name));
  g_assert_cmpint (get_least_width (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL)), <=,
                   330);
  transcript_rows_tear_down (&fixture);
}

static gboolean
is_long_piece (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_SELECTABLE_TEXT (widget)
         && strstr (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)), user_data)
                != NULL;
}

/* All of @tail, which a long line ends with, can be read. */
static void
assert_tail_seen (Fixture *fixture, const char *tail)
{
  GtkWidget *piece = test_find (fixture->window, is_long_piece, (gpointer) tail);
  PangoLayout *layout;
  const char *text;
  PangoRectangle before, after;
  int width;

  g_assert_nonnull (piece);
  text = gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (piece));
  g_assert_true (g_str_has_suffix (text, tail));
  layout = gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (piece));
  g_assert_true (pango_layout_is_ellipsized (layout));
  /* What keeps the code apart from the words is not seen. */
  g_assert_null (strstr (pango_layout_get_text (layout), "\uFFFD"));
  pango_layout_index_to_pos (layout, (int) (strlen (text) - strlen (tail)), &before);
  pango_layout_index_to_pos (layout, (int) strlen (text) - 1, &after);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (width, <=, gtk_widget_get_width (piece));
  /* Bytes that are left out are all at one place. */
  g_assert_cmpint (after.x - before.x, >, (int) (strlen (tail) - 2) * 3 * PANGO_SCALE);
}

/* A long command gives way to how long it has taken. */
static void
test_long_command (void)
{
  Fixture fixture;
  g_autofree char *command = g_strnfill (600, 'x');
  g_autofree char *running = g_strdup_printf ("Running \u2068make %s\u2069", command);
  g_autofree char *ran = g_strdup_printf ("Ran \u2068make %s\u2069 · 75 s", command);
  GadgetItem *item;

  transcript_rows_set_up (&fixture);
  item = transcript_rows_add_call (&fixture, GADGET_ITEM_RUNNING);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, running, NULL));
  /* Far from the next minute, whatever this machine is busy with. */
  gadget_item_set_started_at (item, gadget_clock_wall_ms () - 62 * 1000);
  transcript_rows_frames (&fixture);
  assert_tail_seen (&fixture, gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (test_find (
                                  fixture.window, is_long_piece, (gpointer) " · 1 min ")))
                                  + strlen (running));
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, ran, NULL));
  transcript_rows_frames (&fixture);
  assert_tail_seen (&fixture, " · 75 s");
  transcript_rows_tear_down (&fixture);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **answer = user_data;

  *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, NULL);
}

static char *
ask (Fixture *fixture, GadgetPrompt *prompt, void (*reply) (Fixture *fixture, GtkWidget *row))
{
  GadgetItem *item = transcript_rows_add_call (fixture, GADGET_ITEM_PENDING);
  GtkWidget *row;
  char *answer = NULL;

  gadget_prompt_wait_async (prompt, NULL, answered_cb, &answer);
  gadget_item_set_prompt (item, prompt);
  transcript_rows_frames (fixture);
  row = transcript_rows_find_row (fixture, GADGET_ROW_KIND_ASK);
  g_assert_nonnull (row);
  /* The focus is offered, not taken. */
  g_assert_null (gtk_widget_get_focus_child (row));
  reply (fixture, row);
  while (answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  gadget_item_set_prompt (item, NULL);
  transcript_rows_frames (fixture);
  g_assert_null (transcript_rows_find_row (fixture, GADGET_ROW_KIND_ASK));
  g_assert_nonnull (transcript_rows_find_row (fixture, GADGET_ROW_KIND_TOOL));
  return answer;
}

static void
reply_button (Fixture *fixture, GtkWidget *row)
{
  g_signal_emit_by_name (transcript_rows_find_button (row, "In a new file"), "clicked");
}

static void
reply_text (Fixture *fixture, GtkWidget *row)
{
  GtkWidget *focus;

  g_signal_emit_by_name (transcript_rows_find_button (row, "Something Else…"), "clicked");
  transcript_rows_frames (fixture);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (GTK_IS_TEXT (focus));
  gtk_editable_set_text (GTK_EDITABLE (focus), "  Nowhere ");
  g_signal_emit_by_name (focus, "activate");
}

static void
reply_run (Fixture *fixture, GtkWidget *row)
{
  g_assert_true (gadget_transcript_focus_ask (fixture->transcript));
  /* What would be done comes first. */
  g_assert_true (GTK_IS_SCROLLED_WINDOW (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)), row));
  g_signal_emit_by_name (transcript_rows_find_button (row, "Allow Once"), "clicked");
}

static void
reply_deny (Fixture *fixture, GtkWidget *row)
{
  g_signal_emit_by_name (transcript_rows_find_button (row, "Deny"), "clicked");
}

static void
test_ask (void)
{
  static const char *const choices[] = { "In the old file", "In a new file", NULL };
  g_autoptr (GadgetPrompt) first = gadget_prompt_new_question ("Where?", choices, FALSE);
  g_autoptr (GadgetPrompt) second = gadget_prompt_new_question ("Where?", choices, TRUE);
  g_autoptr (GadgetPrompt) third =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", "In ~");
  g_autoptr (GadgetPrompt) fourth =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  g_autofree char *answer = NULL;
  Fixture fixture;

  transcript_rows_set_up (&fixture);
  g_assert_false (gadget_transcript_focus_ask (fixture.transcript));
  answer = ask (&fixture, first, reply_button);
  g_assert_cmpstr (answer, ==, "In a new file");
  g_free (answer);
  answer = ask (&fixture, second, reply_text);
  g_assert_cmpstr (answer, ==, "Nowhere");
  g_free (answer);
  answer = ask (&fixture, third, reply_run);
  g_assert_cmpstr (answer, ==, GADGET_PROMPT_ALLOW);
  g_free (answer);
  answer = ask (&fixture, fourth, reply_deny);
  g_assert_cmpstr (answer, ==, GADGET_PROMPT_DENY);
  transcript_rows_tear_down (&fixture);
}

/* A card out of sight is known of, and can be fetched. */
static void
test_ask_hidden (void)
{
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  Fixture fixture;
  GadgetItem *item;
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);

  transcript_rows_set_up (&fixture);
  for (guint i = 0; i < 200; i++)
    gadget_item_append_text (text, "A line of the answer.\n", -1);
  gadget_turn_append (fixture.turn, text);
  item = transcript_rows_add_call (&fixture, GADGET_ITEM_PENDING);
  gadget_item_set_prompt (item, prompt);
  transcript_rows_frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  transcript_rows_frames (&fixture);
  g_assert_true (gadget_transcript_get_ask_hidden (fixture.transcript));
  g_assert_true (gadget_transcript_focus_ask (fixture.transcript));
  transcript_rows_frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));

  /* What has the focus stays, even if it is scrolled away. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 4);
  transcript_rows_frames (&fixture);
  g_assert_nonnull (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ASK));
  g_assert_nonnull (gtk_widget_get_focus_child (GTK_WIDGET (fixture.transcript)));
  gadget_item_set_prompt (item, NULL);
  transcript_rows_frames (&fixture);
  g_assert_false (gadget_transcript_get_ask_hidden (fixture.transcript));
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (fixture.transcript)));
  transcript_rows_tear_down (&fixture);
}

/* A hand that rests where a card appears need not move before it answers. */
static void
test_ask_at_rest (void)
{
  g_autoptr (GadgetPrompt) first =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  g_autoptr (GadgetPrompt) second =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  g_autofree char *answer = NULL;
  Fixture fixture;
  GadgetItem *item;

  transcript_rows_set_up (&fixture);
  item = transcript_rows_add_call (&fixture, GADGET_ITEM_PENDING);
  gadget_item_set_prompt (item, first);
  transcript_rows_frames (&fixture);
  test_point_at (transcript_rows_find_button (
      transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ASK), "Deny"));
  gadget_item_set_prompt (item, NULL);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ASK));

  gadget_prompt_wait_async (second, NULL, answered_cb, &answer);
  gadget_item_set_prompt (item, second);
  transcript_rows_frames (&fixture);
  g_assert_nonnull (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_ASK));
  gadget_test_wait_frames (fixture.window, 5);
  test_xdo ("click", "1", NULL);
  wait_until (answer != NULL);
  g_assert_cmpstr (answer, ==, GADGET_PROMPT_DENY);
  gadget_item_set_prompt (item, NULL);
  transcript_rows_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-rows/long-command", test_long_command);
  g_test_add_func ("/ui/transcript-rows/ask", test_ask);
  g_test_add_func ("/ui/transcript-rows/ask-at-rest", test_ask_at_rest);
  g_test_add_func ("/ui/transcript-rows/ask-hidden", test_ask_hidden);
  g_test_add_func ("/ui/transcript-rows/long-tool-name", test_long_tool_name);
  return g_test_run ();
}
