/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of calls, subagents and reasoning, also from right to left. */

#include "config.h"

#include "transcript-rows-fixture.h"
#include "wait.h"

static void
test_tool (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  GadgetItem *item;
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  item = transcript_rows_add_call (&fixture, GADGET_ITEM_RUNNING);
  gadget_item_append_text (item, "cc -c a.c\n", -1);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL);
  transcript_rows_press (&fixture, row, "Stop", "stop-tool call-1");
  gadget_transcript_select_all (fixture.transcript);
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, "Do it.\n\nRunning make");
  gadget_transcript_unselect (fixture.transcript);
  g_assert_null (transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL_OUTPUT));

  /* Live output, opened. */
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (
      transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL_OUTPUT), "cc -c a.c"));
  gadget_item_append_text (item, "cc -c b.c\n", -1);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (
      transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL_OUTPUT), "b.c"));

  /* While aborting there is no Stop; after 3 s there is a warning. */
  gadget_turn_set_phase (fixture.turn, GADGET_PHASE_ABORTING);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_button (row, "Stop"));
  gadget_item_set_unresponsive (item, TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "has not stopped for 3 s"));
  transcript_rows_press (&fixture, row, "Stop Waiting", "stop-waiting call-1");
  gadget_item_set_unresponsive (item, FALSE);
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  transcript_rows_frames (&fixture);
  g_assert_null (transcript_rows_find_button (row, "Stop Waiting"));
  g_assert_true (transcript_rows_has_text (row, "interrupted"));
  transcript_rows_tear_down (&fixture);
}

static void
test_reasoning (void)
{
  Fixture fixture;
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_REASONING);
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  gadget_turn_append (fixture.turn, item);
  gadget_item_set_started_at (item, 1000);
  gadget_item_append_text (item, "First this.\nThen that", -1);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_REASONING);
  g_assert_true (transcript_rows_has_text (row, "Then that"));
  g_assert_false (transcript_rows_has_text (row, "First this"));
  gadget_item_append_text (item, " and those.\n", -1);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "Then that and those."));
  gadget_item_set_ended_at (item, 9300);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "Thought for 8 s"));
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (
      transcript_rows_find_row (&fixture, GADGET_ROW_KIND_REASONING_TEXT), "First this."));
  transcript_rows_tear_down (&fixture);
}

/* What a subagent does, indented, with its own Stop. */
static void
test_subagent (void)
{
  Fixture fixture;
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("child-turn", "Do it");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("task-1", "task");
  g_autoptr (GadgetItem) inner = gadget_item_new_tool_call ("call-1", "shell");
  graphene_rect_t outside, inside;
  GtkWidget *row, *nested;

  transcript_rows_set_up (&fixture);
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Look closely", NULL));
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, item);
  gadget_session_append (child, turn);
  gadget_item_set_child_ids (item, "child", "child-turn");
  gadget_item_set_child (item, child);
  gadget_item_set_status (inner, GADGET_ITEM_RUNNING);
  gadget_turn_append (turn, inner);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL);
  g_assert_true (transcript_rows_has_text (row, "Look closely"));
  transcript_rows_press (&fixture, row, "Stop", "stop-tool task-1");

  gadget_item_set_asking (item, TRUE);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "waiting for you"));
  nested = gtk_widget_get_next_sibling (row);
  g_assert_nonnull (nested);
  transcript_rows_press (&fixture, nested, "Stop", "stop-tool child/call-1");
  g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture.transcript), &outside));
  g_assert_true (gtk_widget_compute_bounds (nested, GTK_WIDGET (fixture.transcript), &inside));
  g_assert_cmpfloat (inside.origin.x, >, outside.origin.x);
  g_assert_cmpfloat (inside.size.width, <, outside.size.width);
  gadget_item_set_asking (item, FALSE);
  gadget_item_set_status (item, GADGET_ITEM_ABORTED);
  transcript_rows_frames (&fixture);
  g_assert_true (transcript_rows_has_text (row, "stopped"));
  transcript_rows_tear_down (&fixture);
}

static void
assert_begins_at (GtkWidget *row, gboolean right)
{
  PangoLayout *layout = gadget_selectable_text_get_layout (gadget_row_get_piece (GADGET_ROW (row)));
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  PangoRectangle line;

  pango_layout_iter_get_line_extents (iter, NULL, &line);
  pango_layout_iter_free (iter);
  if (right)
    g_assert_cmpint (line.x + line.width, ==, pango_layout_get_width (layout));
  else
    g_assert_cmpint (line.x, ==, 0);
  g_assert_cmpint (line.width, <, pango_layout_get_width (layout));
}

static GtkWidget *
find_marker (GtkWidget *root)
{
  GtkWidget *found = NULL;

  if (gtk_widget_has_css_class (root, "markdown-marker"))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_marker (child);
  return found;
}

/* The dot stands behind the number of a list that runs from left to right, in any window. */
static void
test_numbers_mirrored (void)
{
  static const struct
  {
    const char *text;
    GtkTextDirection direction;
  } lists[] = { { "9. nine", GTK_TEXT_DIR_LTR }, { "9. תשע", GTK_TEXT_DIR_RTL } };

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      Fixture fixture;
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
      GtkWidget *marker;

      transcript_rows_set_up (&fixture);
      gadget_item_append_text (item, lists[i].text, -1);
      gadget_turn_append (fixture.turn, item);
      transcript_rows_frames (&fixture);
      marker = find_marker (GTK_WIDGET (fixture.transcript));
      g_assert_nonnull (marker);
      g_assert_cmpint (gtk_widget_get_direction (marker), ==, lists[i].direction);
      transcript_rows_tear_down (&fixture);
    }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* In a window that runs from right to left, what a subagent does is indented from there, and each
 * text begins where its own script does. */
static void
test_mirrored (void)
{
  Fixture fixture;
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("child-turn", "Do it");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("task-1", "task");
  g_autoptr (GadgetItem) english = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetItem) hebrew = gadget_item_new (GADGET_ITEM_TEXT);
  graphene_rect_t outside, inside;
  GtkWidget *row, *nested;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  transcript_rows_set_up (&fixture);
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Look closely", NULL));
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture.turn, item);
  gadget_session_append (child, turn);
  gadget_item_set_child_ids (item, "child", "child-turn");
  gadget_item_set_child (item, child);
  gadget_item_append_text (english, "Some words", -1);
  gadget_item_append_text (hebrew, "כמה מילים", -1);
  gadget_turn_append (turn, english);
  gadget_turn_append (turn, hebrew);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL);
  gadget_row_set_expanded (GADGET_ROW (row), TRUE);
  transcript_rows_frames (&fixture);

  nested = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TEXT);
  g_assert_nonnull (nested);
  g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture.transcript), &outside));
  g_assert_true (gtk_widget_compute_bounds (nested, GTK_WIDGET (fixture.transcript), &inside));
  g_assert_cmpfloat (inside.origin.x, ==, outside.origin.x);
  g_assert_cmpfloat (inside.size.width, <, outside.size.width);
  assert_begins_at (nested, FALSE);
  assert_begins_at (gtk_widget_get_next_sibling (nested), TRUE);
  transcript_rows_tear_down (&fixture);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* A hand that rests where Stop appears need not move before it clicks. */
static void
test_stop_at_rest (void)
{
  Fixture fixture;
  GadgetItem *item;
  GtkWidget *row;

  transcript_rows_set_up (&fixture);
  item = transcript_rows_add_call (&fixture, GADGET_ITEM_RUNNING);
  transcript_rows_frames (&fixture);
  row = transcript_rows_find_row (&fixture, GADGET_ROW_KIND_TOOL);
  test_point_at (transcript_rows_find_button (row, "Stop"));
  for (guint i = 0; i < 3; i++)
    {
      gadget_item_set_status (item, GADGET_ITEM_STREAMING);
      transcript_rows_frames (&fixture);
      g_assert_null (transcript_rows_find_button (row, "Stop"));
      gadget_item_set_status (item, GADGET_ITEM_RUNNING);
      transcript_rows_frames (&fixture);
      g_assert_nonnull (transcript_rows_find_button (row, "Stop"));
      gadget_test_wait_frames (fixture.window, 5);
      test_xdo ("click", "1", NULL);
      wait_until (fixture.activated != NULL);
      g_assert_cmpstr (fixture.activated, ==, "stop-tool call-1");
      g_clear_pointer (&fixture.activated, g_free);
    }
  transcript_rows_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/transcript-rows/tool", test_tool);
  g_test_add_func ("/ui/transcript-rows/subagent", test_subagent);
  g_test_add_func ("/ui/transcript-rows/mirrored", test_mirrored);
  g_test_add_func ("/ui/transcript-rows/numbers-mirrored", test_numbers_mirrored);
  g_test_add_func ("/ui/transcript-rows/reasoning", test_reasoning);
  g_test_add_func ("/ui/transcript-rows/stop-at-rest", test_stop_at_rest);
  return g_test_run ();
}
