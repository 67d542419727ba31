/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of chats in a whole window: its groups, its rows, and where it is scrolled to. */

#include "config.h"

#include "common/gadget-clock.h"
#include "common/gadget-day-watch.h"
#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "ui/common/gadget-motion.h"
#include "ui/library/gadget-chat-row.h"
#include "ui/library/gadget-library-private.h"
#include "wait.h"

/* However and whenever a turn ends, and whatever chat is shown then, its chat leaves "Running". */
static void
test_leaves_running (TestWindow *self, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (self->engine);
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 40; i++)
    {
      GadgetSession *session;
      g_autoptr (GadgetRun) run = NULL;
      g_autoptr (GadgetSession) keep = NULL;
      const int how = g_rand_int_range (rand, 0, 3);

      if (i == 0 || g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      session = gadget_window_get_session (self->window);
      keep = g_object_ref (session);
      gadget_session_set_model (session, "fake", "model");
      run = gadget_agent_start (agent, session, "go", &options, NULL);
      g_assert_nonnull (run);
      if (g_rand_boolean (rand))
        test_run_for ((guint) g_rand_int_range (rand, 0, 60));
      if (g_rand_boolean (rand))
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      if (how == 0)
        gadget_abort_ack_free (
            gadget_agent_abort (agent, gadget_session_get_id (session), NULL, GADGET_STOP_USER));
      else
        {
          wait_until (fake_provider_is_waiting (self->provider));
          if (how == 1)
            fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                             GADGET_PROVIDER_ERROR_CUT, "cut"));
          else
            {
              fake_provider_text (self->provider, "text");
              fake_provider_end (self->provider);
            }
        }
      wait_until (gadget_session_get_active_run (session) == NULL);
      wait_until (test_find_label (GTK_WIDGET (self->window), "Running") == NULL);
    }
}

/* Where the label begins, from the upper edge of the list. */
static float
get_y (TestWindow *self, const char *label)
{
  GtkWidget *list = GTK_WIDGET (self->window->library->list);
  GtkWidget *widget = test_find_label (list, label);
  graphene_rect_t bounds;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_bounds (widget, list, &bounds));
  return bounds.origin.y;
}

static GtkAdjustment *
get_adjustment (TestWindow *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (GTK_WIDGET (self->window->library->list)));
}

/* Who looks at the top of the list sees what comes there, the name of the group included. */
static void
test_top_stays (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  library_make_chats (self, GPOINTER_TO_UINT (data));
  gtk_adjustment_set_value (get_adjustment (self), 0);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 2);
  g_assert_cmpfloat (get_y (self, "Today"), >=, 0);

  library_run_turn (self, session, FALSE);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (get_adjustment (self)), ==, 0);
  g_assert_cmpfloat (get_y (self, "Running"), >=, 0);

  fake_provider_end (self->provider);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") == NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 1);
  g_assert_cmpfloat (get_y (self, "Today"), >=, 0);
}

static gboolean
scroll_down (GtkWidget *window, GtkAdjustment *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) / 3);
  gadget_test_wait_frames (window, 2);
  return gtk_adjustment_get_value (adjustment) > 0;
}

/* Who looks further down is not taken to the top. */
static void
test_top_is_not_forced (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);
  GtkAdjustment *adjustment;

  library_make_chats (self, 20);
  adjustment = get_adjustment (self);
  /* The last of them may still be on its way to the top. */
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));

  library_run_turn (self, first, FALSE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 0);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (first) == NULL);
}

static void
test_next_day (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);

  test_window_send (self, "hello");
  fake_provider_text (self->provider, "text");
  fake_provider_end (self->provider);
  wait_until (test_find_label (root, "Today") != NULL);
  /* A turn that ends on the next day makes the chat one of that day. */
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  gadget_clock_shift_wall (24 * 60 * 60 * 1000);
  g_signal_emit_by_name (gadget_day_watch_get_default (), "changed");
  wait_until (test_find_label (root, "Yesterday") != NULL);
  g_assert_null (test_find_label (root, "Today"));
  gadget_clock_shift_wall (-24 * 60 * 60 * 1000);
}

static gboolean
is_spinner (GtkWidget *widget, gpointer user_data)
{
  return ADW_IS_SPINNER (widget);
}

/* A reply that only waits does not draw all the time. */
static void
test_rests (TestWindow *self, gconstpointer data)
{
  GtkWidget *library = GTK_WIDGET (self->window->library);

  gadget_motion_set_rest_ms (1500);
  test_window_send (self, "hello");
  wait_until (test_find (library, is_spinner, NULL) != NULL);
  wait_until (test_find (library, is_spinner, NULL) == NULL);
  fake_provider_text (self->provider, "text");
  wait_until (test_find (library, is_spinner, NULL) != NULL);
  fake_provider_end (self->provider);
  gadget_motion_set_rest_ms (10000);
}

/* A title does not move a chat, so the list stays where the user has scrolled to. */
static void
test_title_does_not_scroll (TestWindow *self, gconstpointer data)
{
  GtkAdjustment *adjustment;
  double value;

  library_make_chats (self, 20);
  adjustment = get_adjustment (self);
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));
  test_run_for (300);
  wait_until (scroll_down (GTK_WIDGET (self->window), adjustment));
  value = gtk_adjustment_get_value (adjustment);
  gadget_session_set_title (gadget_window_get_session (self->window), "Other name");
  wait_until (self->window->library->rebuild_id == 0);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
}

/* A chat that is not listed any more is not kept by the list. */
static void
test_deleted_is_forgotten (TestWindow *self, gconstpointer data)
{
  GadgetSession *first = gadget_window_get_session (self->window);

  library_make_chats (self, 2);
  g_assert_true (g_hash_table_contains (self->window->library->watched, first));
  g_assert_true (gadget_engine_begin_delete (self->engine, first, GADGET_DELETE_UNSENT, NULL));
  wait_until (library_count_listed (self) == 1);
  wait_until (!g_hash_table_contains (self->window->library->watched, first));
}

static gboolean
has_description (GtkWidget *row, const char *text)
{
  return g_str_equal (gadget_chat_row_get_description (GADGET_CHAT_ROW (row)), text);
}

/* What a screen reader says of a row has the state of the chat, whatever its folder is called. */
static void
test_row_description (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_engine_new_session (self->engine);
  GtkWidget *row = g_object_ref_sink (gadget_chat_row_new ());

  gadget_session_set_title (session, "Pears");
  gadget_session_set_workspace (session, "/tmp/failed-builds");
  gadget_session_set_model (session, "fake", "model");
  library_run_turn (self, session, FALSE);
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), session, self->engine);
  g_assert_cmpstr (gadget_chat_row_get_description (GADGET_CHAT_ROW (row)), ==,
                   "Pears, failed-builds · model, running");
  fake_provider_fail (self->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
  wait_until (gadget_session_get_active_run (session) == NULL);
  /* The window shows another chat. */
  wait_until (has_description (row, "Pears, failed-builds · failed, unread"));
  gadget_session_set_unread (session, FALSE);
  g_assert_true (has_description (row, "Pears, failed-builds · failed"));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), NULL, NULL);
  g_object_unref (row);
}

/* The line below the title of a branch names the chat that it comes from, while there is one. */
static void
test_branch_line (TestWindow *self, gconstpointer data)
{
  GadgetSession *origin = gadget_window_get_session (self->window);
  g_autoptr (GadgetSession) branch = gadget_session_new ("branch");
  GtkWidget *row = g_object_ref_sink (gadget_chat_row_new ());

  library_make_chats (self, 1);
  gadget_session_set_title (origin, "Pears");
  gadget_session_set_title (branch, "More pears");
  gadget_session_set_origin_id (branch, gadget_session_get_id (origin));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), branch, self->engine);
  g_assert_true (has_description (row, "More pears, Branch of Pears"));
  gadget_session_set_title (origin, "Apples");
  g_assert_true (has_description (row, "More pears, Branch of Apples"));
  g_assert_true (gadget_engine_begin_delete (self->engine, origin, GADGET_DELETE_UNSENT, NULL));
  g_assert_true (has_description (row, "More pears, Branch of a deleted chat"));
  /* What is wrong with a chat is more important. */
  gadget_session_set_last_stop_reason (branch, GADGET_STOP_INTERRUPTED);
  gadget_session_set_last_status (branch, GADGET_TURN_ABORTED);
  g_assert_true (has_description (row, "More pears, No workspace · interrupted"));
  gadget_chat_row_set_session (GADGET_CHAT_ROW (row), NULL, NULL);
  g_object_unref (row);
}

/* A pinned chat is above all others, also above those that run. */
static void
test_pinned (TestWindow *self, gconstpointer data)
{
  GadgetLibraryModel *model = self->window->library->model;
  GadgetSession *first = gadget_window_get_session (self->window);

  library_make_chats (self, 3);
  library_run_turn (self, gadget_window_get_session (self->window), FALSE);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Running") != NULL);
  g_assert_cmpuint (gadget_library_model_find (model, first), ==, 2);
  gadget_session_set_pinned (first, TRUE);
  wait_until (gadget_library_model_find (model, first) == 0);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") != NULL);
  g_assert_cmpint (gadget_library_model_get_entry (model, 1)->group, ==, GADGET_LIBRARY_RUNNING);
  gadget_session_set_pinned (first, FALSE);
  wait_until (gadget_library_model_find (model, first) == 2);
  wait_until (test_find_label (GTK_WIDGET (self->window), "Pinned") == NULL);
  fake_provider_end (self->provider);
}

/* What ends while another chat is shown is unread until it is shown. */
static void
test_unread (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = g_object_ref (gadget_window_get_session (self->window));

  library_run_turn (self, session, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  g_assert_false (gadget_session_get_unread (session));
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_true (gadget_session_get_unread (session));
  gadget_window_open_session (self->window, session);
  g_assert_false (gadget_session_get_unread (session));
}

/* The list is computed when something has changed, and not again. */
static void
test_computed_once (TestWindow *self, gconstpointer data)
{
  guint n;

  library_make_chats (self, 2);
  gadget_session_set_pinned (gadget_window_get_session (self->window), TRUE);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  n = self->window->library->n_rebuilds;
  gadget_test_wait_frames (GTK_WIDGET (self->window), 10);
  g_assert_cmpuint (self->window->library->n_rebuilds - n, <=, 2);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/library/" path, TestWindow, data, test_window_set_up, func,                     \
              test_window_tear_down)
  ADD ("leaves-running", test_leaves_running, NULL);
  ADD ("top-stays/alone", test_top_stays, GUINT_TO_POINTER (1));
  ADD ("top-stays/of-many", test_top_stays, GUINT_TO_POINTER (24));
  ADD ("top-is-not-forced", test_top_is_not_forced, NULL);
  ADD ("next-day", test_next_day, NULL);
  ADD ("rests", test_rests, NULL);
  ADD ("title-does-not-scroll", test_title_does_not_scroll, NULL);
  ADD ("deleted-is-forgotten", test_deleted_is_forgotten, NULL);
  ADD ("row-description", test_row_description, NULL);
  ADD ("branch-line", test_branch_line, NULL);
  ADD ("pinned", test_pinned, NULL);
  ADD ("unread", test_unread, NULL);
  ADD ("computed-once", test_computed_once, NULL);
#undef ADD
  return g_test_run ();
}
