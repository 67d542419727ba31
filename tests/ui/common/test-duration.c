/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long something took, in words. */

#include "config.h"

#include "gadget-test-ui.h"
#include "ui/common/gadget-duration.h"

static void
test_fine (void)
{
  static const struct
  {
    double ms;
    const char *text;
  } cases[] = {
    { 0, "0 ms" },     { 12.4, "12 ms" }, { 999.4, "999 ms" },    { 999.6, "1.0 s" },
    { 1000, "1.0 s" }, { 9940, "9.9 s" }, { 65000, "1 min 5 s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = gadget_dup_fine_duration (cases[i].ms);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/duration/fine", test_fine);
  return g_test_run ();
}
