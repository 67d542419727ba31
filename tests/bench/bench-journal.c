/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much of a streamed reply is lost when the process is killed in the middle of it. The floor is
 * a bare write and fdatasync of one page, in the same folder. */

#include "config.h"

#include "bench-row.h"
#include "killed-stream.h"
#include "test-store.h"

#include <fcntl.h>
#include <unistd.h>

#define N 60
#define PAGE 4096

static double
measure_floor (const char *directory)
{
  static const char page[PAGE];
  g_autofree char *path = g_build_filename (directory, "floor", NULL);
  const int fd = open (path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  const gint64 begin = g_get_monotonic_time ();

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, page, sizeof (page)), ==, sizeof (page));
  g_assert_cmpint (fdatasync (fd), ==, 0);
  close (fd);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_path_get_dirname (argv[0]);
  g_autofree char *tests = g_path_get_dirname (folder);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) floors = g_array_new (FALSE, FALSE, sizeof (double));

  /* Where the killed program is found. */
  g_setenv ("G_TEST_BUILDDIR", tests, FALSE);
  for (guint i = 0; i < N; i++)
    {
      char *directory = test_dir_new ();
      const double floor = measure_floor (directory);
      const double lost =
          (double) test_killed_stream (directory, (guint) g_random_int_range (0, 1000)) / 1000;

      g_array_append_val (floors, floor);
      g_array_append_val (values, lost);
      test_dir_free (directory);
    }
  bench_print_row ("journal", "killed-mid-stream", "lost_ms", values, bench_get_rank (floors, 0.5),
                   "worst <= 250 ms", bench_get_rank (values, 1) <= 250);
  return 0;
}
