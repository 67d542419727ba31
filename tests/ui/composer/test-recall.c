/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Up and Down in the composer: what was said before comes back, and what is being written never
 * goes. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-window.h"
#include "wait.h"

static void
say (TestWindow *self, const char *text)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, text);
  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

static void
test_walk (TestWindow *self, gconstpointer data)
{
  test_key ("Up");
  test_window_assert_text (self, "");
  say (self, "one");
  say (self, "two");
  say (self, "two");
  test_key ("Down");
  test_window_assert_text (self, "");
  test_key ("Up");
  test_window_assert_text (self, "two");
  test_key ("Up");
  test_window_assert_text (self, "one");
  /* There is nothing before it. */
  test_key ("Up");
  test_window_assert_text (self, "one");
  test_key ("Down");
  test_window_assert_text (self, "two");
  test_key ("Down");
  test_window_assert_text (self, "");
  test_key ("Down");
  test_window_assert_text (self, "");
  /* It can be sent as it is, and is the last one then. */
  test_key ("Up");
  test_key ("Up");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_window_assert_text (self, "");
  test_key ("Up");
  test_window_assert_text (self, "one");
}

/* What is being written stays, recalled or not. */
static void
test_never_lost (TestWindow *self, gconstpointer data)
{
  say (self, "one");
  say (self, "two");
  test_type ("new");
  test_key ("Up");
  test_window_assert_text (self, "new");
  test_key ("Down");
  test_window_assert_text (self, "new");
  gadget_composer_clear (self->composer);
  test_key ("Up");
  test_window_assert_text (self, "two");
  test_type ("!");
  test_key ("Up");
  test_window_assert_text (self, "two!");
  test_key ("Down");
  test_window_assert_text (self, "two!");
}

/* In a text of several lines the keys move first. */
static void
test_lines (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  say (self, "one");
  gtk_text_buffer_set_text (buffer, "first\nsecond", -1);
  gtk_widget_grab_focus (self->text);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_key ("Up");
  test_window_assert_text (self, "first\nsecond");
  test_key ("Up");
  test_window_assert_text (self, "first\nsecond");
  test_key ("Up");
  test_window_assert_text (self, "one");
  test_key ("Down");
  wait_until (test_window_shows_text (self, "first\nsecond"));
  test_key ("Down");
  test_window_assert_text (self, "");
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/recall/" path, TestWindow, NULL, test_window_set_up, function,                  \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("walk", test_walk);
  add ("never-lost", test_never_lost);
  add ("lines", test_lines);

  return g_test_run ();
}
