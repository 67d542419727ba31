/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A search of a tree of 100,000 files with the tool, in the sandbox, against ripgrep itself,
 * alternating; and how soon one ends after a stop.
 *
 *   bench-search [FOLDER]    makes the tree in a folder there */

#include "config.h"

#include "bench-row.h"

#include "test-process.h"
#include "tools/search/gadget-tool-search.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_FOLDERS 1000
#define N_FILES 100
#define N 15
#define PATTERN "value_99[0-9]_7 = 1;"

typedef struct
{
  GMainLoop *loop;
  GadgetToolResult *result;
  GError *error;
} Call;

/* A repository, so that what is ignored around the place means nothing in it. */
static void
make_files (const char *root)
{
  g_autofree char *git = g_build_filename (root, ".git", NULL);

  g_assert_cmpint (g_mkdir_with_parents (git, 0700), ==, 0);
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
measure_ripgrep (const char *root)
{
  g_autofree char *line =
      g_strdup_printf ("cd '%s' && rg --no-config -n -- '" PATTERN "' . >/dev/null", root);
  const gint64 begin = g_get_monotonic_time ();

  g_assert_cmpint (system (line), ==, 0);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;

  call->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &call->error);
  g_main_loop_quit (call->loop);
}

static gboolean
cancel_cb (gpointer cancellable)
{
  const gint64 now = g_get_monotonic_time ();

  g_object_set_data_full (cancellable, "begin", g_memdup2 (&now, sizeof now), g_free);
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

/* STOP_MS is when it is stopped, 0 for never; then what is measured begins there. */
static double
measure_tool (GadgetTool *tool, const char *root, guint stop_ms)
{
  g_autoptr (JsonNode) node = json_from_string ("{\"pattern\":\"" PATTERN "\"}", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  const gint64 *stopped;
  Call call = { .loop = loop };
  const GadgetToolContext context = { .workspace = root };
  const gint64 begin = g_get_monotonic_time ();
  gint64 end;

  gadget_tool_execute_async (tool, json_node_get_object (node), &context, cancellable, executed_cb,
                             &call);
  if (stop_ms > 0)
    g_timeout_add_full (G_PRIORITY_DEFAULT, stop_ms, cancel_cb, g_object_ref (cancellable),
                        g_object_unref);
  g_main_loop_run (loop);
  end = g_get_monotonic_time ();
  stopped = g_object_get_data (G_OBJECT (cancellable), "begin");
  if (stop_ms == 0)
    {
      g_assert_no_error (call.error);
      if (strstr (call.result->text, "value_999_7 = 1;") == NULL)
        g_error ("the search missed a file: %s", call.result->text);
      g_assert_null (strstr (call.result->text, "["));
    }
  g_clear_pointer (&call.result, gadget_tool_result_free);
  g_clear_error (&call.error);
  if (stop_ms > 0 && stopped == NULL)
    return 0; /* it was faster */
  return (double) (end - (stopped != NULL ? *stopped : begin)) / 1000;
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
  g_autofree char *folder = NULL;
  g_autofree char *root = NULL;
  g_autoptr (GArray) tools = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) floors = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GadgetRipgrep) ripgrep = gadget_ripgrep_new ();
  g_autoptr (GadgetTool) tool = gadget_tool_search_new (ripgrep);
  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox ();
  double floor;

  g_assert_nonnull (g_mkdtemp (place));
  folder = realpath (place, NULL);
  root = g_build_filename (folder, "work", NULL);
  make_files (root);
  gadget_ripgrep_set_sandbox (ripgrep, sandbox);
  measure_ripgrep (root);
  measure_tool (tool, root, 0);
  for (guint i = 0; i < N; i++)
    {
      add (floors, measure_ripgrep (root));
      add (tools, measure_tool (tool, root, 0));
    }
  for (guint i = 0; i < N; i++)
    add (stops, measure_tool (tool, root, 10 + 10 * i));
  floor = bench_get_rank (floors, 0.5);
  bench_print_row ("tools", "search/100000", "ms", tools, floor, "median <= 1.2 * ripgrep",
                   bench_get_rank (tools, 0.5) <= 1.2 * floor);
  /* Beside it, so that a slow moment of the machine is not taken for one of the tool. */
  bench_print_row ("tools", "search/100000-ripgrep", "ms", floors, 0, "none: the floor", TRUE);
  bench_print_row ("tools", "search/stopped", "ms", stops, 0, "worst <= 500 ms",
                   bench_get_rank (stops, 1) <= 500);
  nftw (folder, remove_cb, 32, FTW_DEPTH | FTW_PHYS);
  return 0;
}
