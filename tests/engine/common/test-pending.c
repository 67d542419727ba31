/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pending task returns once, with the first of its outcomes, and nothing is called after that. */

#include "config.h"

#include "common/gadget-pending.h"
#include "wait.h"

typedef struct
{
  GadgetPending *pending;
  GCancellable *cancellable;
  GadgetClock *clock;
  GTask *weak; /* NULL once the task is freed */
  guint n_returned;
  guint n_stopped;
  guint n_late;
  int answer;
  GError *error;
} Fixture;

static void
returned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_returned++;
  fixture->answer = (int) g_task_propagate_int (G_TASK (result), &fixture->error);
}

static void
return_answer (Fixture *fixture, int answer)
{
  g_autoptr (GTask) task = gadget_pending_take (fixture->pending);

  if (task != NULL)
    g_task_return_int (task, answer);
}

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (pending == fixture->pending);
  fixture->n_stopped++;
  return_answer (fixture, 2);
}

static void
late_cb (GadgetPending *pending, gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (pending == fixture->pending);
  fixture->n_late++;
  return_answer (fixture, 3);
}

static void
begin (Fixture *fixture, GadgetPendingFunc stopped)
{
  GTask *task = g_task_new (NULL, NULL, returned_cb, fixture);

  g_task_set_source_tag (task, begin);
  g_set_weak_pointer (&fixture->weak, task);
  fixture->pending = gadget_pending_new (task, fixture->cancellable, stopped, fixture);
}

static gboolean
has_source (Fixture *fixture)
{
  return g_main_context_find_source_by_user_data (NULL, fixture->pending) != NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->cancellable = g_cancellable_new ();
  fixture->clock = gadget_clock_new_manual (0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  /* Whatever is due has to find nothing to call. */
  g_cancellable_cancel (fixture->cancellable);
  gadget_clock_advance (fixture->clock, 60 * G_USEC_PER_SEC);
  wait_idle ();
  g_assert_cmpuint (fixture->n_returned, ==, 1);
  g_assert_cmpuint (fixture->n_stopped + fixture->n_late, <=, 1);
  g_assert_null (fixture->weak);
  if (fixture->pending != NULL)
    {
      g_assert_true (gadget_pending_is_over (fixture->pending));
      g_assert_null (gadget_pending_take (fixture->pending));
      g_assert_false (has_source (fixture));
      gadget_pending_free (fixture->pending);
    }
  g_clear_error (&fixture->error);
  g_object_unref (fixture->clock);
  g_object_unref (fixture->cancellable);
}

static void
test_answer (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  g_assert_false (gadget_pending_is_over (fixture->pending));
  g_assert_true (has_source (fixture));
  return_answer (fixture, 1);
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, 1);
  g_assert_cmpuint (fixture->n_stopped, ==, 0);
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  begin (fixture, NULL);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  g_cancellable_cancel (fixture->cancellable);
  g_assert_cmpuint (fixture->n_returned, ==, 0);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (fixture->n_returned, ==, 1);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_stop_callback (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  g_cancellable_cancel (fixture->cancellable);
  g_assert_cmpuint (fixture->n_stopped, ==, 0);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (fixture->n_stopped, ==, 1);
  g_assert_cmpint (fixture->answer, ==, 2);
}

static void
test_stopped_before (Fixture *fixture, gconstpointer data)
{
  g_cancellable_cancel (fixture->cancellable);
  begin (fixture, NULL);
  g_assert_false (gadget_pending_is_over (fixture->pending));
  g_assert_cmpuint (fixture->n_returned, ==, 0);
  wait_until (fixture->n_returned == 1);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The stop is due in the next iteration, but the answer comes before. */
static void
test_answer_wins (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  g_cancellable_cancel (fixture->cancellable);
  return_answer (fixture, 1);
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, 1);
  g_assert_cmpuint (fixture->n_stopped, ==, 0);
}

static gboolean
answer_cb (gpointer user_data)
{
  return_answer (user_data, 1);
  return G_SOURCE_REMOVE;
}

/* Both are dispatched in one iteration, the source that was attached first before the other. */
static void
test_same_iteration (Fixture *fixture, gconstpointer data)
{
  const gboolean answer_first = GPOINTER_TO_INT (data);

  if (answer_first)
    g_idle_add_full (G_PRIORITY_DEFAULT, answer_cb, fixture, NULL);
  begin (fixture, stopped_cb);
  if (!answer_first)
    g_idle_add_full (G_PRIORITY_DEFAULT, answer_cb, fixture, NULL);
  g_cancellable_cancel (fixture->cancellable);
  g_main_context_iteration (NULL, FALSE);
  g_assert_true (gadget_pending_is_over (fixture->pending));
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, answer_first ? 1 : 2);
}

static void
test_timeout (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  gadget_clock_advance (fixture->clock, 999 * 1000);
  g_assert_cmpuint (fixture->n_late, ==, 0);
  gadget_clock_advance (fixture->clock, 1000);
  g_assert_cmpuint (fixture->n_late, ==, 1);
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, 3);
}

/* The time is over while the stop is due. */
static void
test_timeout_wins (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  g_cancellable_cancel (fixture->cancellable);
  gadget_clock_advance (fixture->clock, G_USEC_PER_SEC);
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, 3);
  g_assert_cmpuint (fixture->n_stopped, ==, 0);
}

static void
test_stop_before_timeout (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  g_cancellable_cancel (fixture->cancellable);
  wait_idle ();
  gadget_clock_advance (fixture->clock, G_USEC_PER_SEC);
  g_assert_cmpint (fixture->answer, ==, 2);
  g_assert_cmpuint (fixture->n_late, ==, 0);
}

static void
later_cb (GadgetPending *pending, gpointer data)
{
  Fixture *fixture = data;

  gadget_pending_set_timeout (pending, fixture->clock, 500, late_cb);
}

/* A new time limit takes the place of the last, and the last may set a new one when it is over. */
static void
test_timeout_again (Fixture *fixture, gconstpointer data)
{
  begin (fixture, stopped_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 2000, later_cb);
  gadget_clock_advance (fixture->clock, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (fixture->n_late, ==, 0);
  g_assert_false (gadget_pending_is_over (fixture->pending));
  gadget_clock_advance (fixture->clock, 500 * 1000);
  g_assert_cmpuint (fixture->n_late, ==, 1);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, late_cb);
}

static void
freeing_cb (GadgetPending *pending, gpointer data)
{
  Fixture *fixture = data;
  g_autoptr (GTask) task = gadget_pending_free_and_take (pending);

  fixture->pending = NULL;
  g_task_return_int (task, 4);
}

/* A callback may free the object that calls it. */
static void
test_freed_inside (Fixture *fixture, gconstpointer data)
{
  begin (fixture, freeing_cb);
  gadget_pending_set_timeout (fixture->pending, fixture->clock, 1000, freeing_cb);
  if (GPOINTER_TO_INT (data))
    g_cancellable_cancel (fixture->cancellable);
  else
    gadget_clock_advance (fixture->clock, G_USEC_PER_SEC);
  wait_idle ();
  g_assert_null (fixture->pending);
  g_assert_cmpint (fixture->answer, ==, 4);
}

/* The stop, and with it the callback of the task, comes in the context of the caller. */
static void
test_context (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();

  g_main_context_push_thread_default (context);
  begin (fixture, NULL);
  g_main_context_pop_thread_default (context);
  g_cancellable_cancel (fixture->cancellable);
  wait_idle ();
  g_assert_cmpuint (fixture->n_returned, ==, 0);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (fixture->n_returned, ==, 1);
  g_assert_false (g_main_context_pending (context));
}

/* Without a cancellable and without a time limit only the answer ends the wait. */
static void
test_answer_alone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) unused = g_steal_pointer (&fixture->cancellable);

  begin (fixture, NULL);
  g_set_object (&fixture->cancellable, unused);
  g_assert_false (has_source (fixture));
  g_cancellable_cancel (unused);
  wait_idle ();
  g_assert_cmpuint (fixture->n_returned, ==, 0);
  return_answer (fixture, 1);
  wait_idle ();
  g_assert_cmpint (fixture->answer, ==, 1);
}

static void
add (const char *name, void (*test) (Fixture *, gconstpointer), gboolean data)
{
  g_autofree char *path = g_strconcat ("/engine/pending/", name, NULL);

  g_test_add (path, Fixture, GINT_TO_POINTER (data), set_up, test, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("answer", test_answer, FALSE);
  add ("answer-alone", test_answer_alone, FALSE);
  add ("stop", test_stop, FALSE);
  add ("stop-callback", test_stop_callback, FALSE);
  add ("stopped-before", test_stopped_before, FALSE);
  add ("answer-wins", test_answer_wins, FALSE);
  add ("same-iteration/answer-first", test_same_iteration, TRUE);
  add ("same-iteration/stop-first", test_same_iteration, FALSE);
  add ("timeout", test_timeout, FALSE);
  add ("timeout-wins", test_timeout_wins, FALSE);
  add ("stop-before-timeout", test_stop_before_timeout, FALSE);
  add ("timeout-again", test_timeout_again, FALSE);
  add ("freed-inside/stop", test_freed_inside, TRUE);
  add ("freed-inside/timeout", test_freed_inside, FALSE);
  add ("context", test_context, FALSE);
  return g_test_run ();
}
