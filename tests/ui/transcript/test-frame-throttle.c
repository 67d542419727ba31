/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often a text that grows is shown, in made-up time. */

#include "ui/transcript/gadget-frame-throttle.h"

/* Shows something that takes @cost at @now, and says when the next may be shown. */
static gint64
show (GadgetFrameThrottle *throttle, gint64 now, gint64 cost)
{
  gadget_frame_throttle_begin (throttle, now);
  gadget_frame_throttle_end (throttle, now + cost);
  return now + cost + gadget_frame_throttle_get_delay (throttle, now + cost);
}

static void
test_share (void)
{
  GadgetFrameThrottle throttle = { 0 };
  gint64 now = 1000000;

  /* The first word is shown at once. */
  g_assert_cmpint (gadget_frame_throttle_get_delay (&throttle, now), ==, 0);
  /* What takes so little fits into each frame. */
  for (guint i = 0; i < 20; i++)
    {
      const gint64 next = show (&throttle, now, 800);

      g_assert_cmpint (next - now, <=, 16667);
      now = next;
    }
  /* Four milliseconds do not. */
  for (guint i = 0; i < 20; i++)
    now = show (&throttle, now, 4000);
  {
    const gint64 next = show (&throttle, now, 4000);

    g_assert_cmpint (next - now, >, 70000);
    g_assert_cmpint (next - now, <, 90000);
    now = next;
  }
  /* After a while without words the next one is shown at once again. */
  g_assert_cmpint (gadget_frame_throttle_get_delay (&throttle, now + 1000000), ==, 0);
}

static void
test_bounds (void)
{
  GadgetFrameThrottle throttle = { 0 };
  gint64 now = 1000000;

  /* Whatever it costs, it is shown ten times a second. */
  for (guint i = 0; i < 20; i++)
    {
      const gint64 next = show (&throttle, now, 50000);

      g_assert_cmpint (next - now, <=, 100000);
      now = next;
    }
  /* A frame in which nothing was shown is none of its cost. */
  gadget_frame_throttle_end (&throttle, now + 1000000);
  for (guint i = 0; i < 40; i++)
    now = show (&throttle, now, 500);
  g_assert_cmpint (show (&throttle, now, 500) - now, <=, 16667);
}

static void
test_disabled (void)
{
  GadgetFrameThrottle throttle = { 0 };

  gadget_frame_throttle_set_enabled (FALSE);
  show (&throttle, 1000000, 50000);
  g_assert_cmpint (gadget_frame_throttle_get_delay (&throttle, 1050000), ==, 0);
  gadget_frame_throttle_set_enabled (TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/frame-throttle/share", test_share);
  g_test_add_func ("/ui/frame-throttle/bounds", test_bounds);
  g_test_add_func ("/ui/frame-throttle/disabled", test_disabled);
  return g_test_run ();
}
