/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-stop.h"

#include "test-wait.h"
#include "wait.h"

GadgetSession *
test_stop_get_session (TestWindow *self)
{
  return gadget_window_get_session (self->window);
}

gboolean
test_stop_is_busy (TestWindow *self)
{
  return gadget_session_get_active_run (test_stop_get_session (self)) != NULL;
}

/* The button and the session tell the same. */
void
test_stop_assert_button (TestWindow *self)
{
  const char *face = test_window_get_face (self);

  if (!test_stop_is_busy (self))
    g_assert_cmpstr (face, ==, "Send");
  else if (g_str_equal (face, "Cancel"))
    g_assert_true (gtk_widget_get_sensitive (self->button));
  else
    g_assert_cmpstr (face, ==, "Aborting…");
}

/* The turn runs, and Cancel can be pressed. */
void
test_stop_assert_goes_on (TestWindow *self)
{
  test_run_for (150);
  g_assert_true (test_stop_is_busy (self));
  g_assert_cmpstr (test_window_get_face (self), ==, "Cancel");
  g_assert_true (gtk_widget_get_sensitive (self->button));
  g_assert_true (fake_provider_is_waiting (self->provider));
}

/* The turn of test_stop_start() ends as aborted, once, and nothing of it is left in the window. */
void
test_stop_assert_aborted (TestWindow *self)
{
  wait_until (!test_stop_is_busy (self));
  g_assert_cmpint (
      gadget_turn_get_status (gadget_session_get_last_turn (test_stop_get_session (self))), ==,
      GADGET_TURN_ABORTED);
  g_assert_cmpuint (self->n_completed, ==, 1);
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  test_run_for (100);
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
}

/* A turn of which some text has come, and which waits for more. */
GadgetTurn *
test_stop_start (TestWindow *self)
{
  GadgetTurn *turn = test_window_send (self, "hello");

  fake_provider_text (self->provider, "Some text");
  test_window_advance (self, 1000);
  test_stop_assert_goes_on (self);
  return turn;
}
