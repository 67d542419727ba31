/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What subagents do, in a whole window: unfolded, stopped from there, and read again later. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "session/gadget-session-children.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-tool-row.h"

#define TASK "{\"description\":\"Read the sources\",\"prompt\":\"Read them\"}"

static GadgetTranscript *
get_transcript (TestWindow *self)
{
  return GADGET_TRANSCRIPT (test_find (GTK_WIDGET (self->chat), test_is_transcript, NULL));
}

/* The row of the first call, of the chat's own or of the first subagent's; NULL if there is none.
 */
static GtkWidget *
find_call (TestWindow *self, guint depth)
{
  GadgetTranscript *transcript = get_transcript (self);

  for (guint i = 0; transcript != NULL && i < transcript->realized_rows->len; i++)
    {
      GadgetRow *row = g_array_index (transcript->realized_rows, GadgetRealizedRow, i).widget;

      if (GADGET_IS_TOOL_ROW (row)
          && gadget_row_data_get_depth (gadget_row_get_data (row)) == depth)
        return GTK_WIDGET (row);
    }
  return NULL;
}

static GadgetItem *
get_call (TestWindow *self, guint depth)
{
  return gadget_row_data_get_item (gadget_row_get_data (GADGET_ROW (find_call (self, depth))));
}

static gboolean
shows (TestWindow *self, const char *words)
{
  GadgetTranscript *transcript = get_transcript (self);

  for (guint i = 0; i < transcript->realized_rows->len; i++)
    {
      GadgetRow *row = g_array_index (transcript->realized_rows, GadgetRealizedRow, i).widget;
      gsize length;
      const char *text = gadget_row_data_get_text (gadget_row_get_data (row), &length);

      if (g_strstr_len (text, (gssize) length, words) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* A click on the call's line, as a hand does it. */
static void
unfold (TestWindow *self)
{
  GtkWidget *row = find_call (self, 0);

  test_click (GTK_WIDGET (gadget_row_get_piece (GADGET_ROW (row))));
}

/* A turn whose subagent waits for a minute. */
static GadgetTurn *
start_waiting (TestWindow *self)
{
  GadgetTurn *turn;

  fake_provider_set_parallel (self->provider);
  turn = test_window_send (self, "hello");
  fake_provider_call (self->provider, 0, "task-1", "task", TASK);
  fake_provider_end (self->provider);
  wait_until (fake_provider_choose (self->provider, "Read them"));
  fake_provider_text (self->provider, "I wait for a while.");
  fake_provider_call (self->provider, 0, "wait-1", "wait", "{\"seconds\":60}");
  fake_provider_end (self->provider);
  wait_until (find_call (self, 0) != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  unfold (self);
  wait_until (find_call (self, 1) != NULL && test_find_label (find_call (self, 1), "Stop") != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  return turn;
}

static GtkWidget *
find_stop (TestWindow *self, guint depth)
{
  return gtk_widget_get_ancestor (test_find_label (find_call (self, depth), "Stop"),
                                  GTK_TYPE_BUTTON);
}

/* The one call has ended, and nothing else: the subagent is asked on, and then the turn. */
static void
assert_tool_alone_stopped (TestWindow *self, GadgetTurn *turn)
{
  GadgetItem *wait = get_call (self, 1);
  GadgetItem *task = get_call (self, 0);

  wait_until (gadget_item_get_status (wait) == GADGET_ITEM_ABORTED);
  g_assert_cmpint (gadget_item_get_status (task), ==, GADGET_ITEM_RUNNING);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  wait_until (fake_provider_choose (self->provider, "Read them"));
  fake_provider_text (self->provider, "Then without it.");
  fake_provider_end (self->provider);
  wait_until (gadget_item_get_status (task) == GADGET_ITEM_FINISHED);
  wait_until (fake_provider_choose (self->provider, "hello"));
  fake_provider_text (self->provider, "That is all.");
  fake_provider_end (self->provider);
  wait_until (gadget_turn_get_status (turn) == GADGET_TURN_FINISHED);
  wait_until (self->n_completed == 1);
}

static void
test_stop_clicked (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = start_waiting (self);

  test_click (find_stop (self, 1));
  assert_tool_alone_stopped (self, turn);
}

static void
test_stop_pressed (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = start_waiting (self);

  g_assert_true (gtk_widget_grab_focus (find_stop (self, 1)));
  test_key ("space");
  assert_tool_alone_stopped (self, turn);
}

/* The outer Stop ends the subagent with what it was doing; the turn goes on. */
static void
test_stop_subagent (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = start_waiting (self);
  GadgetItem *wait = get_call (self, 1);
  GadgetItem *task = get_call (self, 0);

  test_click (find_stop (self, 0));
  wait_until (gadget_item_get_status (task) == GADGET_ITEM_ABORTED);
  g_assert_cmpint (gadget_item_get_status (wait), ==, GADGET_ITEM_ABORTED);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  g_assert_true (shows (self, "I wait for a while."));
  wait_until (fake_provider_choose (self->provider, "hello"));
  fake_provider_text (self->provider, "That is all.");
  fake_provider_end (self->provider);
  wait_until (gadget_turn_get_status (turn) == GADGET_TURN_FINISHED);
}

/* After a restart the chat of a subagent is not read before somebody looks. */
static void
test_read_lazily (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = start_waiting (self);
  g_autoptr (GadgetSession) session = NULL;
  GadgetItem *task;

  test_click (find_stop (self, 1));
  assert_tool_alone_stopped (self, turn);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);

  /* What is unfolded when the window closes is unfolded again. */
  unfold (self);
  wait_until (find_call (self, 1) == NULL);
  test_window_restart (self);
  session = g_list_model_get_item (gadget_engine_get_sessions (self->engine), 0);
  gadget_window_open_session (self->window, session);
  wait_until (gadget_session_get_loaded (session) && find_call (self, 0) != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  task = get_call (self, 0);
  test_run_for (100);
  g_assert_null (gadget_item_get_child (task));
  g_assert_false (shows (self, "I wait for a while."));

  unfold (self);
  wait_until (gadget_item_get_child_turn (task) != NULL && shows (self, "I wait for a while."));
  g_assert_true (shows (self, "Then without it."));
  g_assert_nonnull (find_call (self, 1));
  /* Folded and unfolded again, it is the same. */
  unfold (self);
  wait_until (find_call (self, 1) == NULL);
  unfold (self);
  wait_until (find_call (self, 1) != NULL && shows (self, "Then without it."));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/ui/transcript-subagents/" path, TestWindow, NULL, test_window_set_up, func,        \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("stop-clicked", test_stop_clicked);
  ADD ("stop-pressed", test_stop_pressed);
  ADD ("stop-subagent", test_stop_subagent);
  ADD ("read-lazily", test_read_lazily);
  return g_test_run ();
}
