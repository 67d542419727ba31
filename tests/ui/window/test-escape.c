/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ui/window/gadget-escape.h"

typedef struct
{
  GadgetClock *clock;
  GadgetEscape *escape;
  guint n_armed;
  guint n_disarmed;
  guint n_abort;
} Fixture;

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = gadget_clock_new_manual (0);
  fixture->escape = gadget_escape_new (fixture->clock);
  g_signal_connect_swapped (fixture->escape, "armed", G_CALLBACK (count_cb), &fixture->n_armed);
  g_signal_connect_swapped (fixture->escape, "disarmed", G_CALLBACK (count_cb),
                            &fixture->n_disarmed);
  g_signal_connect_swapped (fixture->escape, "abort", G_CALLBACK (count_cb), &fixture->n_abort);
  gadget_escape_set_active (fixture->escape, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->escape);
  g_assert_finalize_object (fixture->clock);
}

static void
advance (Fixture *fixture, guint ms)
{
  gadget_clock_advance (fixture->clock, ms * G_TIME_SPAN_MILLISECOND);
}

static void
tap (Fixture *fixture)
{
  g_assert_true (gadget_escape_press (fixture->escape));
  gadget_escape_release (fixture->escape);
}

#define assert_counts(fixture, armed, disarmed, abort_)                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpuint ((fixture)->n_armed, ==, armed);                                              \
    g_assert_cmpuint ((fixture)->n_disarmed, ==, disarmed);                                        \
    g_assert_cmpuint ((fixture)->n_abort, ==, abort_);                                             \
  }                                                                                                \
  G_STMT_END

static void
test_single (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  g_assert_true (gadget_escape_is_armed (fixture->escape));
  assert_counts (fixture, 1, 0, 0);
}

static void
test_double (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  advance (fixture, 5);
  tap (fixture);
  assert_counts (fixture, 1, 0, 1);
  g_assert_false (gadget_escape_is_armed (fixture->escape));
  advance (fixture, 10000);
  assert_counts (fixture, 1, 0, 1);
}

static void
test_last_moment (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  advance (fixture, 2999);
  tap (fixture);
  assert_counts (fixture, 1, 0, 1);
}

static void
test_too_late (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  advance (fixture, 3100);
  assert_counts (fixture, 1, 1, 0);
  tap (fixture);
  assert_counts (fixture, 2, 1, 0);
  /* The second counts as a first one, with three seconds of its own. */
  advance (fixture, 2900);
  tap (fixture);
  assert_counts (fixture, 2, 1, 1);
}

static void
test_held (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 200; i++)
    {
      g_assert_true (gadget_escape_press (fixture->escape));
      advance (fixture, 33);
    }
  assert_counts (fixture, 1, 1, 0);
  gadget_escape_release (fixture->escape);
  tap (fixture);
  assert_counts (fixture, 2, 1, 0);
}

/* A press that closed something, and its repeats, count as nothing. */
static void
test_held_for_other (Fixture *fixture, gconstpointer data)
{
  gadget_escape_hold (fixture->escape);
  for (guint i = 0; i < 20; i++)
    {
      advance (fixture, 33);
      g_assert_true (gadget_escape_press (fixture->escape));
    }
  assert_counts (fixture, 0, 0, 0);
  gadget_escape_release (fixture->escape);
  tap (fixture);
  assert_counts (fixture, 1, 0, 0);
}

static void
test_inactive (Fixture *fixture, gconstpointer data)
{
  gadget_escape_set_active (fixture->escape, FALSE);
  g_assert_false (gadget_escape_press (fixture->escape));
  gadget_escape_release (fixture->escape);
  assert_counts (fixture, 0, 0, 0);
}

static void
test_completion_disarms (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  gadget_escape_set_active (fixture->escape, FALSE);
  assert_counts (fixture, 1, 1, 0);
  g_assert_false (gadget_escape_press (fixture->escape));
  gadget_escape_release (fixture->escape);
  /* A run that starts afterwards is not stopped by what was begun before it. */
  gadget_escape_set_active (fixture->escape, TRUE);
  tap (fixture);
  assert_counts (fixture, 2, 1, 0);
}

static void
test_dismissal_disarms (Fixture *fixture, gconstpointer data)
{
  tap (fixture);
  gadget_escape_disarm (fixture->escape);
  assert_counts (fixture, 1, 1, 0);
  tap (fixture);
  assert_counts (fixture, 2, 1, 0);
}

/* The key that was down when a run began is not a first press of it. */
static void
test_held_from_before (Fixture *fixture, gconstpointer data)
{
  gadget_escape_set_active (fixture->escape, FALSE);
  g_assert_false (gadget_escape_press (fixture->escape));
  gadget_escape_set_active (fixture->escape, TRUE);
  g_assert_true (gadget_escape_press (fixture->escape));
  assert_counts (fixture, 0, 0, 0);
}

static void
test_finalize_while_armed (Fixture *fixture, gconstpointer data)
{
  GadgetEscape *escape = gadget_escape_new (fixture->clock);

  gadget_escape_set_active (escape, TRUE);
  gadget_escape_press (escape);
  g_assert_finalize_object (escape);
  advance (fixture, 10000);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/escape/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("single", test_single);
  add ("double", test_double);
  add ("last-moment", test_last_moment);
  add ("too-late", test_too_late);
  add ("held", test_held);
  add ("held-for-other", test_held_for_other);
  add ("inactive", test_inactive);
  add ("completion-disarms", test_completion_disarms);
  add ("dismissal-disarms", test_dismissal_disarms);
  add ("held-from-before", test_held_from_before);
  add ("finalize-while-armed", test_finalize_while_armed);

  return g_test_run ();
}
