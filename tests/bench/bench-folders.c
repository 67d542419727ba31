/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much longer a command takes in a large folder than in an empty one, from the call of the tool
 * to its result: the folder's files are looked at before it, its repositories before it and after
 * it. What is done behind the result is over before the next command begins. One row each for the
 * first command of all, for later ones of the same process, and for the first one of later
 * processes, as of gadget-cli, which lists all folders itself; for a folder of many files, one of
 * many folders, and a deep one.
 *
 *   bench-folders [FOLDER]                   makes the workspaces in a folder there
 *   bench-folders --commands DATA WORK N     runs N commands, and prints their times */

#include "config.h"

#include "bench-row.h"

#include "effects/gadget-snapshot-service-private.h"
#include "test-process.h"
#include "tools/shell/gadget-tool-shell.h"
#include "undo-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 7

typedef struct
{
  const char *name;
  guint n_folders;
  guint n_files; /* in each */
  guint depth;
} Layout;

static const Layout layouts[] = {
  { "200000-in-2000", 2000, 100, 1 },
  { "200000-in-20000", 20000, 10, 1 },
  { "100000-in-30000-deep", 30000, 3, 12 },
};

/* --- The folders -------------------------------------------------------------------------------
 */

/* DEPTH folders in each other, then the next ones. */
static char *
make_folder (const char *root, const Layout *layout, guint i)
{
  g_autoptr (GString) path = g_string_new (root);

  g_string_append_printf (path, "/part-%02u/folder-%u", i / layout->depth % 32, i / layout->depth);
  for (guint j = 0; j < i % layout->depth; j++)
    g_string_append_printf (path, "/level-%u", j);
  g_assert_cmpint (g_mkdir_with_parents (path->str, 0700), ==, 0);
  return g_string_free_and_steal (g_steal_pointer (&path));
}

static void
make_files (const char *root, const Layout *layout)
{
  for (guint i = 0; i < layout->n_folders; i++)
    {
      g_autofree char *folder = make_folder (root, layout, i);

      for (guint j = 0; j < layout->n_files; j++)
        {
          g_autofree char *path = g_strdup_printf ("%s/source-file-%u.c", folder, j);
          g_autofree char *text = g_strdup_printf ("int value_%u_%u = 1;\n", i, j);
          g_autofd int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

          g_assert_cmpint (write (fd, text, strlen (text)), ==, (ssize_t) strlen (text));
        }
    }
}

/* --- The commands ------------------------------------------------------------------------------
 */

static GadgetToolResult *
execute (GadgetTool *tool, UndoFixture *fixture)
{
  g_autoptr (JsonNode) node = json_from_string ("{\"command\":\"true\"}", NULL);
  const GadgetToolContext context = { .workspace = fixture->workspace,
                                      .effects = fixture->effects };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetToolResult *ended;

  gadget_tool_execute_async (tool, json_node_get_object (node), &context, NULL, test_result_cb,
                             &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  ended = gadget_tool_execute_finish (tool, result, &error);
  g_assert_no_error (error);
  return ended;
}

/* Nothing of the command is worked on any more. */
static void
settle (UndoFixture *fixture)
{
  g_autoptr (GadgetUndoList) list = undo_list_recorded (fixture);

  g_assert_cmpint (list->recording, ==, GADGET_RECORDING_DONE);
  while (_gadget_snapshot_service_get_n_unkept (fixture->service, fixture->workspace) > 0)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
}

static int
run_commands (const char *data, const char *work, guint n)
{
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();
  g_autoptr (GadgetTool) tool = gadget_tool_shell_new (sandbox);
  UndoFixture fixture = { 0 };

  undo_set_up_in (&fixture, data, work);
  for (guint i = 0; i < n; i++)
    {
      const gint64 begin = g_get_monotonic_time ();
      g_autoptr (GadgetToolResult) result = execute (tool, &fixture);
      const double ms = (double) (g_get_monotonic_time () - begin) / 1000;

      g_assert_false (result->failed);
      g_print ("%.3f\n", ms);
      settle (&fixture);
      undo_new_turn (&fixture);
    }
  undo_tear_down (&fixture, NULL);
  return 0;
}

/* --- The rows ----------------------------------------------------------------------------------
 */

/* (element-type double): of one process. */
static GArray *
measure (const char *program, const char *place, const char *name, guint n)
{
  g_autofree char *data = g_strdup_printf ("%s/%s-data", place, name);
  g_autofree char *work = g_build_filename (place, name, NULL);
  g_autofree char *count = g_strdup_printf ("%u", n);
  const char *const argv[] = { program, "--commands", data, work, count, NULL };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (process));
  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      {
        const double value = g_ascii_strtod (lines[i], NULL);

        g_array_append_val (values, value);
      }
  g_assert_cmpuint (values->len, ==, n);
  return values;
}

static double
take (GArray *values, guint index)
{
  return g_array_index (values, double, index);
}

/* The first one of a process, and then the median of the others. */
static void
measure_floors (const char *program, const char *place, double *first, double *later)
{
  g_autoptr (GArray) values = measure (program, place, "empty", N + 1);

  *first = take (values, 0);
  g_array_remove_index (values, 0);
  *later = bench_get_rank (values, 0.5);
}

static void
print (const char *kind, const Layout *layout, GArray *values, double limit_ms)
{
  g_autofree char *name = g_strdup_printf ("%s/%s", kind, layout->name);
  g_autofree char *limit =
      g_strdup_printf ("median <= %.1f s more than in an empty folder", limit_ms / 1000);

  bench_print_row ("tools", name, "ms", values, 0, limit, bench_get_rank (values, 0.5) <= limit_ms);
}

static void
measure_layout (const char *program, const char *place, const Layout *layout)
{
  g_autofree char *work = g_build_filename (place, layout->name, NULL);
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (double));
  double first_floor;
  double later_floor;

  make_files (work, layout);
  for (guint i = 0; i < N; i++)
    {
      g_autoptr (GArray) values = measure (program, place, layout->name, 2);
      double ms;

      measure_floors (program, place, &first_floor, &later_floor);
      ms = take (values, 0) - first_floor;
      g_array_append_val (i == 0 ? first : others, ms);
      ms = take (values, 1) - later_floor;
      g_array_append_val (later, ms);
    }
  print ("command-first", layout, first, 1000);
  print ("command", layout, later, 300);
  print ("command-of-process", layout, others, 1000);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  g_autofree char *place = NULL;
  g_autofree char *empty = NULL;
  g_autofree char *line = NULL;

  if (argc > 4 && g_str_equal (argv[1], "--commands"))
    return run_commands (argv[2], argv[3], (guint) atoi (argv[4]));
  folder = g_canonicalize_filename (argc > 1 ? argv[1] : "/tmp", NULL);
  place = g_build_filename (folder, "gadget-bench-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (place));
  empty = g_build_filename (place, "empty", NULL);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    measure_layout (argv[0], place, &layouts[i]);
  line = g_strdup_printf ("rm -rf '%s'", place);
  return system (line);
}
