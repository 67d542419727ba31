/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls of one step are one line, until it is opened. */

#include "gadget-test-ui.h"
#include "test-window.h"

#include "ui/transcript/gadget-transcript-private.h"

#include <string.h>

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
} Fixture;

static void
set_up (Fixture *fixture)
{
  *fixture = (Fixture) { .session = gadget_session_new ("s"),
                         .turn = gadget_turn_new ("turn-1", "Do it.") };
  gadget_session_append (fixture->session, fixture->turn);
  fixture->window = gadget_test_transcript_new (fixture->session, 720, 600, &fixture->transcript);
}

static void
tear_down (Fixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
}

static GadgetItem *
add_call (Fixture *fixture, guint step, GadgetItemStatus status)
{
  g_autofree char *id = g_strdup_printf ("call-%u", gadget_turn_get_n_items (fixture->turn));
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "shell");

  gadget_item_append_arguments (item, "{\"command\": \"make\"}");
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Ran \u2068make\u2069", NULL));
  gadget_item_set_step (item, step);
  gadget_item_set_status (item, status);
  gadget_turn_append (fixture->turn, item);
  return item;
}

/* One letter a row, with a number for those that are further in. */
static char *
describe (Fixture *fixture)
{
  static const char letters[] = "psiItnrRSgtaodPAxeuf";
  GadgetTranscriptModel *model = fixture->transcript->model;
  GString *text = g_string_new (NULL);

  gadget_test_wait_frames (fixture->window, 3);
  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    {
      const guint depth = gadget_transcript_model_get_depth (model, i);

      g_string_append_c (text, letters[gadget_transcript_model_get_row (model, i)->kind]);
      if (depth > 0)
        g_string_append_printf (text, "%u", depth);
    }
  return g_string_free_and_steal (text);
}

static void
assert_rows (Fixture *fixture, const char *expected)
{
  g_autofree char *found = describe (fixture);

  g_assert_cmpstr (found, ==, expected);
}

static guint
find_group (Fixture *fixture)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == GADGET_ROW_KIND_GROUP)
      return i;
  g_assert_not_reached ();
}

static gboolean
is_piece (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_SELECTABLE_TEXT (widget);
}

static void
assert_line (Fixture *fixture, const char *expected)
{
  GadgetRealizedRow *row;

  gadget_test_wait_frames (fixture->window, 3);
  row = _gadget_transcript_get_realized (fixture->transcript, find_group (fixture));
  g_assert_cmpstr (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (
                       test_find (GTK_WIDGET (row->widget), is_piece, NULL))),
                   ==, expected);
}

static void
unfold (Fixture *fixture, guint position, gboolean expanded)
{
  GadgetRealizedRow *row;

  gadget_test_wait_frames (fixture->window, 3);
  row = _gadget_transcript_get_realized (fixture->transcript, position);
  gadget_row_set_expanded (row->widget, expanded);
}

static void
test_one_line (void)
{
  Fixture fixture;
  GadgetItem *items[4];

  set_up (&fixture);
  for (guint i = 0; i < 2; i++)
    items[i] = add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pttf");
  items[2] = add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pgf");
  assert_line (&fixture, "3 tools · 3 running");
  items[3] = add_call (&fixture, 0, GADGET_ITEM_PENDING);
  assert_rows (&fixture, "pgf");
  assert_line (&fixture, "4 tools · 3 running");
  /* Another step is another matter. */
  add_call (&fixture, 1, GADGET_ITEM_FINISHED);
  assert_rows (&fixture, "pgtf");

  gadget_item_set_started_at (items[0], 1000);
  gadget_item_set_ended_at (items[0], 4000);
  gadget_item_set_status (items[0], GADGET_ITEM_FAILED);
  gadget_item_set_started_at (items[1], 2000);
  gadget_item_set_ended_at (items[1], 6000);
  gadget_item_set_status (items[1], GADGET_ITEM_ABORTED);
  assert_line (&fixture, "4 tools · 1 running · 1 failed · 1 interrupted");
  gadget_item_take_call_summary (
      items[2],
      gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Edited \u2068a\u2069 · +3 −1", NULL));
  gadget_item_set_status (items[2], GADGET_ITEM_FINISHED);
  gadget_item_set_status (items[3], GADGET_ITEM_NOT_RUN);
  assert_line (&fixture, "4 tools · 1 failed · 1 interrupted · 1 not run · 5 s");
  tear_down (&fixture);
}

static void
test_opened (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < 3; i++)
    add_call (&fixture, 0, GADGET_ITEM_FINISHED);
  assert_rows (&fixture, "pgf");
  unfold (&fixture, 1, TRUE);
  assert_rows (&fixture, "pgt1t1t1f");
  /* One of them in turn, with what it was called with. */
  unfold (&fixture, 3, TRUE);
  assert_rows (&fixture, "pgt1t1a1t1f");
  unfold (&fixture, 1, FALSE);
  assert_rows (&fixture, "pgf");
  unfold (&fixture, 1, TRUE);
  assert_rows (&fixture, "pgt1t1a1t1f");
  tear_down (&fixture);
}

/* What is being read when the third call comes stays open. */
static void
test_stays_open (void)
{
  Fixture fixture;

  set_up (&fixture);
  add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pttf");
  unfold (&fixture, 1, TRUE);
  assert_rows (&fixture, "ptatf");
  add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pgt1a1t1t1f");
  unfold (&fixture, 1, FALSE);
  assert_rows (&fixture, "pgf");
  add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pgf");
  tear_down (&fixture);
}

/* What waits for the user is in the open, whatever is folded. */
static void
test_needs_user (void)
{
  g_autoptr (GadgetPrompt) prompt =
      gadget_prompt_new_permission ("shell", "Run this command?", "make", NULL);
  Fixture fixture;
  GadgetItem *items[3];

  set_up (&fixture);
  for (guint i = 0; i < 3; i++)
    items[i] = add_call (&fixture, 0, i == 0 ? GADGET_ITEM_RUNNING : GADGET_ITEM_PENDING);
  gadget_item_set_prompt (items[1], prompt);
  assert_rows (&fixture, "pgA1f");
  assert_line (&fixture, "3 tools · 1 running · waiting for you");
  g_assert_true (gadget_transcript_focus_ask (fixture.transcript));
  gadget_item_set_prompt (items[1], NULL);
  assert_rows (&fixture, "pgf");
  gadget_item_set_unresponsive (items[0], TRUE);
  assert_rows (&fixture, "pgt1f");
  gadget_item_set_unresponsive (items[0], FALSE);
  assert_rows (&fixture, "pgf");
  tear_down (&fixture);
}

/* Each can be stopped by itself, and is seen at work. */
static void
test_subagents (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *id = g_strdup_printf ("task-%u", i);
      g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "task");

      gadget_item_set_status (item, GADGET_ITEM_RUNNING);
      gadget_turn_append (fixture.turn, item);
    }
  for (guint i = 0; i < 3; i++)
    add_call (&fixture, 0, GADGET_ITEM_RUNNING);
  assert_rows (&fixture, "pttttgf");
  tear_down (&fixture);
}

/* Of a chat that is opened again. */
static void
test_finished (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < 9; i++)
    add_call (&fixture, i / 3, GADGET_ITEM_FINISHED);
  gadget_turn_finish (fixture.turn);
  assert_rows (&fixture, "pgggf");
  gadget_transcript_set_session (fixture.transcript, NULL);
  gadget_transcript_set_session (fixture.transcript, fixture.session);
  assert_rows (&fixture, "pgggf");
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/groups/one-line", test_one_line);
  g_test_add_func ("/ui/groups/opened", test_opened);
  g_test_add_func ("/ui/groups/stays-open", test_stays_open);
  g_test_add_func ("/ui/groups/needs-user", test_needs_user);
  g_test_add_func ("/ui/groups/subagents", test_subagents);
  g_test_add_func ("/ui/groups/finished", test_finished);
  return g_test_run ();
}
