/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A stop ends a search at once, wherever it is, and keeps what was found. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "search-tools-fixture.h"
#include "test-process.h"
#include "tool-call.h"
#include "wait.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* A tool has 500 ms; what else the machine does is not its fault. */
#define LIMIT_US (3 * G_USEC_PER_SEC)

static void
stop (GCancellable *cancellable, ToolCall *call)
{
  const gint64 begun = g_get_monotonic_time ();

  g_cancellable_cancel (cancellable);
  wait_until (call->done);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, LIMIT_US);
}

static void
put_big_tree (Fixture *fixture)
{
  g_autofree char *text = g_strnfill (2000, 'y');

  for (guint i = 0; i < 100; i++)
    for (guint j = 0; j < 50; j++)
      {
        g_autofree char *path = g_strdup_printf ("%u/%u/file-%u.c", i % 10, i, j);

        search_put (fixture, path, text);
      }
}

static void
test_stop_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *arguments = g_strdup_printf ("{\"pattern\":\"y{10}z|yy|%s\"}", marker);
  guint n_cut = 0;

  if (fixture->skipped)
    return;
  put_big_tree (fixture);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GadgetTool *tool = i % 3 == 0 ? fixture->find_files : fixture->search;
      g_auto (ToolCall) call = { 0 };

      search_start (fixture, tool, i % 3 == 0 ? "{\"pattern\":\"*.c\"}" : arguments, cancellable,
                    &call);
      test_spin ((guint) g_test_rand_int_range (0, 30));
      stop (cancellable, &call);
      test_assert_none_alive (marker);
      if (call.error != NULL)
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        n_cut += call.result->cut;
    }
  g_test_message ("%u of 30 had found something before", n_cut);
}

/* What was found before is told. */
static void
test_stop_keeps (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\ntrap '' TERM\n"
                                             "printf './a.c\\0%%s:found\\n' 1\nsleep %s\n",
                                             marker);
  g_autofree char *program = g_build_filename (fixture->workspace, "fake-rg", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (ToolCall) call = { 0 };

  if (fixture->skipped)
    return;
  search_put (fixture, "fake-rg", script);
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  gadget_ripgrep_set_program (fixture->ripgrep, program);
  search_start (fixture, fixture->search, "{\"pattern\":\"found\"}", cancellable, &call);
  wait_until (test_count_alive (marker) > 0);
  test_spin (100);
  stop (cancellable, &call);
  test_assert_none_alive (marker);
  g_assert_no_error (call.error);
  g_assert_true (call.result->cut);
  g_assert_cmpstr (call.result->text, ==, "a.c:1:found\n");
}

/* Somebody else has the pipe open as well, and keeps it: ripgrep's end is the end. */
static void
test_pipe_held (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_build_filename (fixture->workspace, "fake-rg", NULL);
  g_autofree char *go = g_build_filename (fixture->workspace, "go", NULL);
  g_autofree char *number = g_build_filename (fixture->workspace, "pid", NULL);
  g_autofree char *pid = NULL;
  g_autofree char *pipe = NULL;
  g_autofd int held = -1;
  g_auto (ToolCall) call = { 0 };

  if (fixture->skipped)
    return;
  search_put (fixture, "fake-rg",
              "#!/bin/sh\nprintf './a.c\\0%s:found\\n' 1\n"
              "echo $$ >.pid; mv .pid pid; while [ ! -e go ]; do sleep 0.01; done\n");
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  gadget_ripgrep_set_program (fixture->ripgrep, program);
  search_start (fixture, fixture->search, "{\"pattern\":\"found\"}", NULL, &call);
  wait_until (g_file_get_contents (number, &pid, NULL, NULL));
  pipe = g_strdup_printf ("/proc/%s/fd/1", g_strchomp (pid));
  held = open (pipe, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (held, >=, 0);
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  wait_until (call.done);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==, "a.c:1:found\n");
}

/* Patterns made to take for ever: each ends by itself. */
static void
test_hostile_pattern (Fixture *fixture, gconstpointer data)
{
  static const char *const patterns[] = { "(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b",
                                          "^(([a-z])+.)+[A-Z]([a-z])+$" };
  g_autofree char *line = g_strnfill (4000, 'a');
  g_autofree char *text = g_strdup_printf ("%s!\n%s!\n%s!\n", line, line, line);

  if (fixture->skipped)
    return;
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("file-%u", i);

      search_put (fixture, path, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"pattern\":\"%s\"}", patterns[i]);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      const gint64 begun = g_get_monotonic_time ();
      g_auto (ToolCall) whole = { 0 };
      g_auto (ToolCall) stopped = { 0 };

      search_run (fixture, fixture->search, arguments, &whole);
      g_assert_no_error (whole.error);
      g_test_message ("%s: %" G_GINT64_FORMAT " ms", patterns[i],
                      (g_get_monotonic_time () - begun) / 1000);
      search_start (fixture, fixture->search, arguments, cancellable, &stopped);
      test_spin (20);
      stop (cancellable, &stopped);
      wait_until (gadget_blocking_get_n_given_up () == 0);
    }
}

static guint
count_children (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;

  g_assert_true (g_file_get_contents ("/proc/thread-self/children", &text, NULL, NULL));
  words = g_strsplit (g_strstrip (text), " ", -1);
  return *text != '\0' ? g_strv_length (words) : 0;
}

/* Many searches of one step are started one after the other: in between a stop is seen. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  ToolCall calls[30] = { 0 };
  guint n_done = 0;
  guint n_before = 0;
  guint most = 0;

  if (fixture->skipped)
    return;
  search_put (fixture, "a.txt", "found\n");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    search_start (fixture, fixture->search, "{\"pattern\":\"found\"}", NULL, &calls[i]);
  while (n_done < G_N_ELEMENTS (calls))
    {
      g_main_context_iteration (NULL, TRUE);

      const guint n = count_children ();

      most = MAX (most, n > n_before ? n - n_before : 0);
      n_before = n;
      n_done = 0;
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        n_done += calls[i].done;
    }
  g_assert_cmpuint (most, >=, 1);
  g_assert_cmpuint (most, <=, 2);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_assert_no_error (calls[i].error);
      g_assert_cmpstr (calls[i].result->text, ==, "a.txt:1:found\n");
      tool_call_clear (&calls[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  search_add ("stop-anywhere", test_stop_anywhere);
  search_add ("hostile-pattern", test_hostile_pattern);
  search_add ("stop-keeps", test_stop_keeps);
  g_test_add ("/engine/search/many", Fixture, GINT_TO_POINTER (UNCONFINED), search_set_up,
              test_many, search_tear_down);
  g_test_add ("/engine/search/pipe-held", Fixture, GINT_TO_POINTER (UNCONFINED), search_set_up,
              test_pipe_held, search_tear_down);

  return g_test_run ();
}
