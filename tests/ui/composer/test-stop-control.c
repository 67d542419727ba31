/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ui/composer/gadget-stop-control.h"

typedef struct
{
  GadgetClock *clock;
  GadgetStopControl *control;
  guint n_changed;
} Fixture;

static void
count_cb (Fixture *fixture)
{
  fixture->n_changed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = gadget_clock_new_manual (1000000);
  fixture->control = gadget_stop_control_new (fixture->clock);
  g_signal_connect_swapped (fixture->control, "changed", G_CALLBACK (count_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->control);
  g_assert_finalize_object (fixture->clock);
}

static void
advance (Fixture *fixture, guint ms)
{
  gadget_clock_advance (fixture->clock, ms * G_TIME_SPAN_MILLISECOND);
}

static void
set_phase (Fixture *fixture, GadgetStopPhase phase)
{
  gadget_stop_control_set_phase (fixture->control, phase);
}

#define assert_state(fixture, expected_face, expected_sensitive)                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpint (gadget_stop_control_get_state ((fixture)->control), ==, expected_face);       \
    g_assert_cmpint (gadget_stop_control_get_sensitive ((fixture)->control), ==,                   \
                     expected_sensitive);                                                          \
  }                                                                                                \
  G_STMT_END

static void
test_faces (Fixture *fixture, gconstpointer data)
{
  assert_state (fixture, GADGET_STOP_STATE_SEND, TRUE);
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  assert_state (fixture, GADGET_STOP_STATE_CANCEL, TRUE);
  set_phase (fixture, GADGET_STOP_PHASE_SEALING);
  assert_state (fixture, GADGET_STOP_STATE_SEND, FALSE);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  assert_state (fixture, GADGET_STOP_STATE_SEND, TRUE);
  g_assert_cmpuint (fixture->n_changed, ==, 3);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  g_assert_cmpuint (fixture->n_changed, ==, 3);
}

static void
test_slow_abort (Fixture *fixture, gconstpointer data)
{
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  set_phase (fixture, GADGET_STOP_PHASE_ABORTING);
  assert_state (fixture, GADGET_STOP_STATE_CANCEL, FALSE);
  advance (fixture, 149);
  assert_state (fixture, GADGET_STOP_STATE_CANCEL, FALSE);
  g_assert_cmpuint (fixture->n_changed, ==, 2);
  advance (fixture, 1);
  assert_state (fixture, GADGET_STOP_STATE_ABORTING, FALSE);
  g_assert_cmpuint (fixture->n_changed, ==, 3);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  assert_state (fixture, GADGET_STOP_STATE_SEND, TRUE);
}

static void
test_quick_abort (Fixture *fixture, gconstpointer data)
{
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  set_phase (fixture, GADGET_STOP_PHASE_ABORTING);
  advance (fixture, 40);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  advance (fixture, 1000);
  assert_state (fixture, GADGET_STOP_STATE_SEND, TRUE);
  g_assert_cmpuint (fixture->n_changed, ==, 3);
  /* The next abort is drawn from its own beginning. */
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  set_phase (fixture, GADGET_STOP_PHASE_ABORTING);
  advance (fixture, 149);
  assert_state (fixture, GADGET_STOP_STATE_CANCEL, FALSE);
}

static GadgetStopAction
press (Fixture *fixture, gboolean by_pointer)
{
  return gadget_stop_control_press (fixture->control, by_pointer);
}

/* A double click on Send must not cancel, one on Cancel must not send. */
static void
test_double_click (Fixture *fixture, gconstpointer data)
{
  advance (fixture, 500);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_SEND);
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  advance (fixture, 100);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_NONE);
  advance (fixture, 299);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_NONE);
  advance (fixture, 1);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_CANCEL);
  set_phase (fixture, GADGET_STOP_PHASE_ABORTING);
  advance (fixture, 5);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  advance (fixture, 100);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_NONE);
  advance (fixture, 300);
  g_assert_cmpint (press (fixture, TRUE), ==, GADGET_STOP_ACTION_SEND);
}

static void
test_keyboard_is_not_guarded (Fixture *fixture, gconstpointer data)
{
  set_phase (fixture, GADGET_STOP_PHASE_RUNNING);
  g_assert_true (gadget_stop_control_is_guarded (fixture->control));
  g_assert_cmpint (press (fixture, FALSE), ==, GADGET_STOP_ACTION_CANCEL);
  set_phase (fixture, GADGET_STOP_PHASE_ABORTING);
  g_assert_cmpint (press (fixture, FALSE), ==, GADGET_STOP_ACTION_NONE);
  set_phase (fixture, GADGET_STOP_PHASE_SEALING);
  g_assert_cmpint (press (fixture, FALSE), ==, GADGET_STOP_ACTION_NONE);
  set_phase (fixture, GADGET_STOP_PHASE_IDLE);
  g_assert_cmpint (press (fixture, FALSE), ==, GADGET_STOP_ACTION_SEND);
}

/* Whatever happens in whatever order: busy means Cancel or Aborting…, and a press of either kind
 * never means what the button does not show. */
static void
test_property (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);

  for (guint i = 0; i < 20000; i++)
    {
      GadgetStopPhase phase = (GadgetStopPhase) g_rand_int_range (rand, 0, 4);
      gboolean by_pointer = g_rand_boolean (rand);
      GadgetStopState face;
      GadgetStopAction act;

      advance (fixture, (guint) g_rand_int_range (rand, 0, 500));
      set_phase (fixture, phase);
      advance (fixture, (guint) g_rand_int_range (rand, 0, 500));
      face = gadget_stop_control_get_state (fixture->control);
      act = press (fixture, by_pointer);

      g_assert_cmpint (phase == GADGET_STOP_PHASE_RUNNING || phase == GADGET_STOP_PHASE_ABORTING,
                       ==, face != GADGET_STOP_STATE_SEND);
      g_assert_cmpint (phase == GADGET_STOP_PHASE_RUNNING, ==,
                       face == GADGET_STOP_STATE_CANCEL
                           && gadget_stop_control_get_sensitive (fixture->control));
      if (act == GADGET_STOP_ACTION_CANCEL)
        g_assert_cmpint (phase, ==, GADGET_STOP_PHASE_RUNNING);
      if (act == GADGET_STOP_ACTION_SEND)
        g_assert_cmpint (phase, ==, GADGET_STOP_PHASE_IDLE);
      if (!by_pointer && phase == GADGET_STOP_PHASE_RUNNING)
        g_assert_cmpint (act, ==, GADGET_STOP_ACTION_CANCEL);
    }
}

static void
test_finalize_while_drawing (Fixture *fixture, gconstpointer data)
{
  GadgetStopControl *control = gadget_stop_control_new (fixture->clock);

  gadget_stop_control_set_phase (control, GADGET_STOP_PHASE_ABORTING);
  g_assert_finalize_object (control);
  advance (fixture, 1000);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/stop-control/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("faces", test_faces);
  add ("slow-abort", test_slow_abort);
  add ("quick-abort", test_quick_abort);
  add ("double-click", test_double_click);
  add ("keyboard-is-not-guarded", test_keyboard_is_not_guarded);
  add ("busy-means-cancel", test_property);
  add ("finalize-while-drawing", test_finalize_while_drawing);

  return g_test_run ();
}
