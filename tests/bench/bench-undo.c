/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What being able to undo costs in a folder of 200,000 files: how much longer than in an empty one
 * a command waits until it may begin, the first one and those after it, in a process of its own
 * each, as of gadget-cli; and how long it takes to undo a command that changed 50,000 of the files.
 * All of it must be on record, and be undone. Besides it, how long repositories are looked for in
 * such a folder, before a command and after it.
 *
 * The default is /tmp, which "./dev" has in memory: what is measured there is Gadget. On a disk it
 * depends on the file system as well; ext4 takes its time to make files in the minutes after many
 * were deleted, so a second run there is slower than the first.
 *
 *   bench-undo [FOLDER [FILES]]    makes the workspace in a folder there */

#include "config.h"

#include "bench-row.h"

#include "undo-fixture.h"
#include "effects/gadget-snapshot-service-private.h"
#include "process/git/gadget-sandbox-git.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_FILES 100 /* in each folder */
#define N 5

static void
make_files (const char *root, guint n_folders)
{
  for (guint i = 0; i < n_folders; i++)
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

/* One in four folders is of the command's. */
static void
change_files (const char *root, guint n_folders)
{
  for (guint i = 0; i < n_folders; i += 4)
    for (guint j = 0; j < N_FILES; j++)
      {
        g_autofree char *path =
            g_strdup_printf ("%s/part-%02u/folder-%u/source-file-%u.c", root, i % 32, i, j);
        g_autofd int fd = open (path, O_WRONLY | O_APPEND | O_CLOEXEC);

        g_assert_cmpint (write (fd, "changed\n", 8), ==, 8);
      }
}

static double
get_ms_since (gint64 begin)
{
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

/* Until a command may begin; it does nothing. */
static double
measure_begin (UndoFixture *fixture)
{
  const gint64 begin = g_get_monotonic_time ();
  const gint64 id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "true");
  const double ms = get_ms_since (begin);

  gadget_effects_end (fixture->effects, id, "exit 0");
  return ms;
}

static void
assert_complete (UndoFixture *fixture)
{
  g_autoptr (GadgetUndoList) list = undo_list_recorded (fixture);

  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_DONE);
}

/* However long it takes: that is what is measured. */
static GadgetUndoReport *
apply (UndoFixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetUndoReport *report;

  gadget_undo_apply_async (fixture->service, gadget_turn_get_id (fixture->turn), FALSE, NULL,
                           GADGET_UNDO_OVERWRITE, NULL, test_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  report = gadget_undo_apply_finish (result, &error);
  g_assert_no_error (error);
  return report;
}

/* A process of gadget-cli would leave, and the next ones go on with it. */
static void
wait_until_kept (UndoFixture *fixture)
{
  while (_gadget_snapshot_service_get_n_unkept (fixture->service, fixture->workspace) > 0)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
}

static void
print (const char *name, guint n, GArray *values, const char *limit, gboolean ok)
{
  g_autofree char *full = g_strdup_printf ("undo/%s-%u", name, n);

  bench_print_row ("tools", full, "ms", values, 0, limit, ok);
}

static void
measure_check (const char *folder, guint n)
{
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i <= N; i++)
    {
      const gint64 begin = g_get_monotonic_time ();
      g_autoptr (GadgetGitGuard) guard = gadget_git_guard_new (folder);
      g_autofree char *found = gadget_git_guard_check (guard);
      const double ms = get_ms_since (begin);

      g_assert_null (found);
      g_array_append_val (i == 0 ? first : later, ms);
    }
  print ("check-first", n, first, "<= 1 s", bench_get_rank (first, 1) <= 1000);
  print ("check", n, later, "median <= 0.3 s", bench_get_rank (later, 0.5) <= 300);
}

static void
measure_undo (UndoFixture *fixture, guint n_folders)
{
  const guint n = n_folders / 4 * N_FILES;
  g_autoptr (GArray) undone = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GadgetUndoReport) report = NULL;
  gint64 id;
  gint64 begin;
  double ms;

  undo_new_turn (fixture);
  id = undo_begin (fixture, GADGET_EFFECT_COMMAND, "change");
  change_files (fixture->workspace, n_folders);
  gadget_effects_end (fixture->effects, id, "exit 0");
  assert_complete (fixture);
  begin = g_get_monotonic_time ();
  report = apply (fixture);
  ms = get_ms_since (begin);
  g_assert_cmpuint (report->problems->len, ==, 0);
  g_assert_cmpuint (report->n_done, ==, n);
  undo_assert_text (fixture, "part-00/folder-0/source-file-7.c", "int value_0_7 = 1;\n");
  g_array_append_val (undone, ms);
  print ("apply", n, undone, "<= 10 s", ms <= 10000);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_canonicalize_filename (argc > 1 ? argv[1] : "/tmp", NULL);
  g_autofree char *place = g_build_filename (folder, "gadget-bench-XXXXXX", NULL);
  const guint n = argc > 2 ? (guint) atoi (argv[2]) : 200000;
  g_autofree char *work = NULL;
  g_autofree char *empty = NULL;
  g_autofree char *data = NULL;
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (double));
  UndoFixture bare = { 0 };
  UndoFixture fixture = { 0 };
  double floor = G_MAXDOUBLE;
  double ms;

  g_assert_nonnull (g_mkdtemp (place));
  work = g_build_filename (place, "work", NULL);
  empty = g_build_filename (place, "empty", NULL);
  data = g_build_filename (place, "data", NULL);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  make_files (work, n / N_FILES);

  undo_set_up_in (&bare, data, empty);
  for (guint i = 0; i < N; i++)
    floor = MIN (floor, measure_begin (&bare));
  undo_tear_down (&bare, NULL);

  undo_set_up_in (&fixture, data, work);
  ms = measure_begin (&fixture) - floor;
  g_array_append_val (first, ms);
  assert_complete (&fixture);
  wait_until_kept (&fixture);
  for (guint i = 0; i < N; i++)
    {
      undo_new_snapshot_service (&fixture);
      ms = measure_begin (&fixture) - floor;
      g_array_append_val (later, ms);
      assert_complete (&fixture);
    }
  print ("begin-first", n, first, "<= 1 s more than in an empty folder",
         bench_get_rank (first, 1) <= 1000);
  print ("begin", n, later, "median <= 0.3 s more than in an empty folder",
         bench_get_rank (later, 0.5) <= 300);
  measure_check (work, n);
  measure_undo (&fixture, n / N_FILES);
  undo_tear_down (&fixture, NULL);
  g_assert_true (g_str_has_prefix (place, folder));

  g_autofree char *line = g_strdup_printf ("rm -rf '%s'", place);

  return system (line);
}
