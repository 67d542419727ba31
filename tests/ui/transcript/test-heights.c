/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "ui/transcript/gadget-heights.h"

#include <glib.h>

static void
check (GadgetHeights *heights, GArray *model)
{
  gint64 sum = 0;

  g_assert_cmpuint (gadget_heights_get_n (heights), ==, model->len);
  for (guint i = 0; i < model->len; i++)
    {
      const int height = g_array_index (model, int, i);
      gint64 offset;

      g_assert_cmpint (gadget_heights_get (heights, i), ==, height);
      g_assert_cmpint (gadget_heights_before (heights, i), ==, sum);
      if (height > 0)
        {
          g_assert_cmpuint (gadget_heights_find (heights, sum, &offset), ==, i);
          g_assert_cmpint (offset, ==, 0);
          g_assert_cmpuint (gadget_heights_find (heights, sum + height - 1, &offset), ==, i);
          g_assert_cmpint (offset, ==, height - 1);
        }
      sum += height;
    }
  g_assert_cmpint (gadget_heights_before (heights, model->len), ==, sum);
}

/* Against a plain array, with splices anywhere. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (GadgetHeights) heights = gadget_heights_new ();
  g_autoptr (GArray) model = g_array_new (FALSE, TRUE, sizeof (int));

  for (guint round = 0; round < 300; round++)
    {
      const guint position = (guint) g_rand_int_range (random, 0, (gint32) model->len + 1);
      const guint removed =
          (guint) g_rand_int_range (random, 0, (gint32) (model->len - position) / 2 + 1);
      const guint added = (guint) g_rand_int_range (random, 0, 9);

      gadget_heights_splice (heights, position, removed, added);
      if (removed > 0)
        g_array_remove_range (model, position, removed);
      for (guint i = 0; i < added; i++)
        {
          const int height = g_rand_int_range (random, 1, 500);

          g_array_insert_val (model, position + i, height);
          gadget_heights_set (heights, position + i, height, 10);
        }
      if (model->len > 0)
        {
          const guint at = (guint) g_rand_int_range (random, 0, (gint32) model->len);
          const int height = g_rand_int_range (random, 1, 500);

          g_array_index (model, int, at) = height;
          gadget_heights_set (heights, at, height, 20);
          g_assert_cmpint (gadget_heights_get_width (heights, at), ==, 20);
        }
      check (heights, model);
    }
}

static void
test_beyond (void)
{
  g_autoptr (GadgetHeights) heights = gadget_heights_new ();
  gint64 offset;

  gadget_heights_splice (heights, 0, 0, 3);
  for (guint i = 0; i < 3; i++)
    gadget_heights_set (heights, i, 10, 1);
  g_assert_cmpuint (gadget_heights_find (heights, 1000, &offset), ==, 2);
  g_assert_cmpuint (gadget_heights_find (heights, -5, &offset), ==, 0);
  g_assert_cmpint (offset, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/heights/random", test_random);
  g_test_add_func ("/ui/heights/beyond", test_beyond);
  return g_test_run ();
}
