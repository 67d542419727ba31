/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A look at an unchanged workspace of 100,000 files, against git's status of it in the same state,
 * alternating.
 *
 *   bench-scan [FOLDER]    makes the workspace in a folder there */

#include "config.h"

#include "bench-row.h"

#include "effects/gadget-workspace-snapshot.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_FOLDERS 1000
#define N_FILES 100
#define N 15

static void
run_git (const char *root, const char *arguments)
{
  g_autofree char *line = g_strdup_printf (
      "git -C '%s' -c user.name=a -c user.email=a@b -c gc.auto=0 %s >/dev/null", root, arguments);

  g_assert_cmpint (system (line), ==, 0);
}

static void
make_files (const char *root)
{
  for (guint i = 0; i < N_FOLDERS; i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/part-%02u/folder-%u", root, i % 32, i);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      for (guint j = 0; j < N_FILES; j++)
        {
          g_autofree char *path = g_strdup_printf ("%s/source-file-%u.c", folder, j);
          g_autofree char *text = g_strdup_printf ("int value_%u_%u = 1;\n", i, j);
          g_autofd int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

          g_assert_cmpint (write (fd, text, strlen (text)), ==, (ssize_t) strlen (text));
        }
    }
}

static double
measure_git (const char *root)
{
  const gint64 begin = g_get_monotonic_time ();

  run_git (root, "status --porcelain");
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static double
measure_look (GadgetWorkspaceSnapshot *snapshot)
{
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  GadgetSnapshotRequest terms = { .until = G_MAXINT64 };
  g_autoptr (GPtrArray) changes = _gadget_workspace_snapshot_take (snapshot, &terms, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (changes->len, ==, 0);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static int
remove_cb (const char *path, const struct stat *info, int type, struct FTW *where)
{
  return remove (path);
}

static void
add (GArray *values, double value)
{
  g_array_append_val (values, value);
}

int
main (int argc, char **argv)
{
  g_autofree char *place = g_strdup_printf ("%s/gadget-bench-XXXXXX", argc > 1 ? argv[1] : "/tmp");
  g_autofree char *root = NULL;
  g_autofree char *data = NULL;
  g_autoptr (GArray) looks = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) floors = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (double));
  GadgetBlobs *blobs;
  GadgetWorkspaceSnapshot *snapshot;
  double floor;
  gint64 begin;

  g_assert_nonnull (g_mkdtemp (place));
  root = g_build_filename (place, "work", NULL);
  data = g_build_filename (place, "data", NULL);
  make_files (root);
  run_git (root, "init -q");
  run_git (root, "add .");
  run_git (root, "commit -qm files");
  blobs = _gadget_blobs_new (data, G_MAXUINT64);
  snapshot = _gadget_workspace_snapshot_new (data, root, blobs);

  /* The first look reads and keeps everything. */
  begin = g_get_monotonic_time ();
  GadgetSnapshotRequest terms = { .until = G_MAXINT64 };
  g_ptr_array_unref (_gadget_workspace_snapshot_take (snapshot, &terms, NULL));
  add (firsts, (double) (g_get_monotonic_time () - begin) / 1000);
  g_usleep (100 * 1000);
  measure_look (snapshot);
  measure_git (root);
  for (guint i = 0; i < N; i++)
    {
      add (floors, measure_git (root));
      add (looks, measure_look (snapshot));
    }
  floor = bench_get_rank (floors, 0.5);
  bench_print_row ("tools", "scan/unchanged-100000", "ms", looks, floor,
                   "median <= 1.2 * git status", bench_get_rank (looks, 0.5) <= 1.2 * floor);
  bench_print_row ("tools", "scan/first-100000", "ms", firsts, 0,
                   "none: it does not hold a command", TRUE);
  _gadget_workspace_snapshot_free (snapshot);
  _gadget_blobs_free (blobs);
  nftw (place, remove_cb, 32, FTW_DEPTH | FTW_PHYS);
  return 0;
}
