/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a reply is doing, beside the chat, on it, and below it; opened by key in a real window. */

#include "config.h"

#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/inspector/gadget-inspector.h"
#include "wait.h"

static gboolean
is_inspector (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_INSPECTOR (widget) && gtk_widget_get_mapped (widget);
}

/* The one that is in sight; NULL when there is none. */
static GtkWidget *
find_inspector (TestWindow *self)
{
  return test_find (GTK_WIDGET (self->window), is_inspector, NULL);
}

static gboolean
shows (TestWindow *self, const char *label)
{
  GtkWidget *inspector = find_inspector (self);

  return inspector != NULL && test_find_label (inspector, label) != NULL;
}

static FakeTool *
add_tool (TestWindow *self)
{
  FakeTool *tool = fake_tool_new ("slow");

  gadget_toolbox_add (gadget_agent_get_toolbox (gadget_engine_get_agent (self->engine)),
                      GADGET_TOOL (tool));
  return tool;
}

static void
set_width (TestWindow *self, int width)
{
  g_autofree char *text = g_strdup_printf ("%d", width);

  test_xdo ("search", "--onlyvisible", "--name", "New Chat", "windowsize", text, "720", NULL);
  /* The window's frame is part of what was asked for. */
  wait_until (ABS (gtk_widget_get_width (GTK_WIDGET (self->window)) - width) < 30);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
}

/* From nothing through a connection and a tool to what the reply used. */
static void
test_follows (TestWindow *self, gconstpointer data)
{
  g_autoptr (FakeTool) tool = add_tool (self);

  set_width (self, 1000);
  g_assert_null (find_inspector (self));
  test_key ("shift+F9");
  wait_until (shows (self, "Nothing Is Running"));
  /* With the role of a bin it would have no name. */
  gtk_test_accessible_assert_role (find_inspector (self), GTK_ACCESSIBLE_ROLE_GROUP);

  gtk_widget_grab_focus (self->text);
  test_window_send (self, "hello");
  wait_until (shows (self, "Running Now") && shows (self, "Connection"));
  g_assert_true (shows (self, "Used So Far") && shows (self, "Steps"));
  /* Nobody has told how many. */
  g_assert_false (shows (self, "Tokens"));
  fake_provider_usage (self->provider, 1200, 34);
  fake_provider_call (self->provider, 0, "a", "slow", "{}");
  fake_provider_end (self->provider);
  wait_until (fake_tool_is_running (tool));
  wait_until (shows (self, "Tokens") && shows (self, "1234"));
  wait_until (shows (self, "Tool") && !shows (self, "Connection"));

  /* The times go on by themselves. */
  wait_until (shows (self, "2 s"));

  fake_tool_end (tool, "done");
  wait_until (fake_provider_is_waiting (self->provider));
  fake_provider_text (self->provider, "Done.");
  fake_provider_usage (self->provider, 1300, 2);
  fake_provider_end (self->provider);
  wait_until (shows (self, "Last Reply"));
  g_assert_false (shows (self, "Running Now"));
  g_assert_true (shows (self, "2"));

  test_key ("shift+F9");
  wait_until (find_inspector (self) == NULL);
}

/* A turn that another process writes is not the last reply until it has ended. */
static void
test_remote (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("remote", "elsewhere");
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new ();
  GadgetTurnRecord record = { .status = GADGET_TURN_PROCESSING, .receipt = receipt };

  set_width (self, 1000);
  test_key ("shift+F9");
  record.started_at = gadget_clock_wall_ms () - 65 * 1000;
  gadget_turn_restore (turn, &record);
  gadget_session_append (session, turn);
  gadget_session_set_remote_run (session, "run");
  wait_until (shows (self, "Used So Far"));
  wait_until (shows (self, "1 min 7 s"));

  record.status = GADGET_TURN_FINISHED;
  record.ended_at = record.started_at + 70 * 1000;
  record.receipt = NULL;
  gadget_turn_restore (turn, &record);
  gadget_session_set_remote_run (session, NULL);
  wait_until (shows (self, "Last Reply"));
  wait_until (shows (self, "1 min 10 s"));
}

/* Messages that wait, and another chat with nothing in it. */
static void
test_queue (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetQueuedMessage) wordless = gadget_queued_message_new ("");
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  set_width (self, 1000);
  test_key ("shift+F9");
  gtk_widget_grab_focus (self->text);
  test_window_send (self, "hello");
  gadget_session_enqueue (test_window_get_session (self), "and <b>then</b> this");
  wait_until (shows (self, "Waiting Messages") && shows (self, "and <b>then</b> this"));
  g_assert_false (shows (self, "Attachments"));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("notes.txt", "Some notes", 10));
  gadget_attachments_set (wordless, attachments);
  gadget_session_enqueue_message (test_window_get_session (self), wordless);
  wait_until (shows (self, "Attachments"));

  test_key ("ctrl+n");
  wait_until (shows (self, "Nothing Is Running"));
  g_assert_false (shows (self, "Waiting Messages"));
}

/* Many at once: some rows, and how many more. */
static void
test_many (TestWindow *self, gconstpointer data)
{
  GadgetReceipt *receipt;
  guint ids[100];

  set_width (self, 1000);
  test_key ("shift+F9");
  gtk_widget_grab_focus (self->text);
  receipt = gadget_turn_get_receipt (test_window_send (self, "hello"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *name = g_strdup_printf ("make %u", i);

      ids[i] = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, name);
    }
  wait_until (shows (self, "make 0") && shows (self, "And 71 more"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (i % 2 == 0)
      gadget_receipt_end (receipt, ids[i], "ended", 0);
  wait_until (shows (self, "make 1") && shows (self, "And 21 more"));
  g_assert_false (shows (self, "make 0"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    gadget_receipt_end (receipt, ids[i], "ended", 0);
  wait_until (!shows (self, "make 1") && shows (self, "Connection"));
}

/* On top of the chat it is what Esc closes, and that is not the first Esc of a stop. */
static void
close_by_escape (TestWindow *self, int width)
{
  set_width (self, width);
  gtk_widget_grab_focus (self->text);
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  test_key ("shift+F9");
  wait_until (shows (self, "Running Now"));
  test_run_for (500);
  test_key ("Escape");
  wait_until (find_inspector (self) == NULL);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  g_assert_nonnull (gadget_session_get_active_run (test_window_get_session (self)));

  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  g_assert_cmpuint (self->n_completed, ==, 1);
}

static void
test_on_top (TestWindow *self, gconstpointer data)
{
  close_by_escape (self, 800);
}

static void
test_sheet (TestWindow *self, gconstpointer data)
{
  close_by_escape (self, 420);
}

/* The stop of everything works from within it. */
static void
test_stop_from_sheet (TestWindow *self, gconstpointer data)
{
  set_width (self, 420);
  gtk_widget_grab_focus (self->text);
  test_window_send (self, "hello");
  test_key ("shift+F9");
  wait_until (shows (self, "Running Now"));
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  g_assert_cmpuint (self->n_completed, ==, 1);
}

/* Beside the chat it stays: through a window that was narrow meanwhile, and to the next start. */
static void
test_room (TestWindow *self, gconstpointer data)
{
  set_width (self, 1000);
  test_key ("shift+F9");
  wait_until (find_inspector (self) != NULL);
  set_width (self, 800);
  wait_until (find_inspector (self) == NULL);
  set_width (self, 420);
  g_assert_null (find_inspector (self));
  set_width (self, 1000);
  wait_until (find_inspector (self) != NULL);

  /* What was opened on top of the chat does not stand beside it later. */
  test_key ("shift+F9");
  wait_until (find_inspector (self) == NULL);
  set_width (self, 800);
  test_key ("shift+F9");
  wait_until (find_inspector (self) != NULL);
  set_width (self, 1000);
  wait_until (find_inspector (self) == NULL);
}

static void
add (const char *name, void (*test) (TestWindow *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/ui/inspector/", name, NULL);

  g_test_add (path, TestWindow, NULL, test_window_set_up, test, test_window_tear_down);
}

int
main (int argc, char *argv[])
{
  gadget_test_ui_init (&argc, &argv);

  add ("follows", test_follows);
  add ("remote", test_remote);
  add ("queue", test_queue);
  add ("many", test_many);
  add ("on-top", test_on_top);
  add ("sheet", test_sheet);
  add ("stop-from-sheet", test_stop_from_sheet);
  add ("room", test_room);

  return g_test_run ();
}
