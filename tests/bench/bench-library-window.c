/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window over the library that bench-library makes, with one chat of 10,000 turns more, beside
 * the window of a home without chats: the time from the start of the program until the list can be
 * used, its memory, the time until another chat is painted, and until text is found in the long
 * one. To be run under with-display, after bench-library.
 *
 *   bench-library-window FOLDER
 *
 * The window is that of a process of its own, which this program starts as
 *
 *   bench-library-window --window CHATS BEGAN_US
 *
 * and which writes its figures to standard output. The application in it is the one that the
 * program "gadget" has. */

#include "config.h"

#include "bench-row.h"
#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-window.h"

#include "ui/library/gadget-chat-row.h"
#include "ui/transcript/gadget-transcript-find.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-application.h"
#include "ui/window/gadget-chat-private.h"
#include "ui/window/gadget-window-private.h"

#include <stdlib.h>
#include <string.h>

#define N_STARTS 9
#define N_SWITCHES 60
#define N_FINDS 20
#define N_LONG_TURNS 10000
#define SETTLE_MS 1500
#define LONG_ID "slong"

/* --- In the window's process ------------------------------------------------------------------ */

static GtkApplication *application;
static gint64 began_us;

static double
since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / 1000;
}

static GadgetWindow *
get_window (void)
{
  GList *windows = gtk_application_get_windows (application);

  return windows != NULL && GADGET_IS_WINDOW (windows->data) ? windows->data : NULL;
}

static gboolean
is_chat_row (GtkWidget *widget, gpointer data)
{
  return GADGET_IS_CHAT_ROW (widget) && gtk_widget_get_mapped (widget);
}

/* A list without chats can be used once there is an engine. */
static gboolean
is_usable (gboolean has_chats)
{
  GadgetWindow *window = get_window ();

  return window != NULL && !gadget_window_is_waiting (window)
         && gtk_widget_get_mapped (GTK_WIDGET (window))
         && (!has_chats || test_find (GTK_WIDGET (window->library), is_chat_row, NULL) != NULL);
}

static double
read_pss (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL));
  line = strstr (text, "\nPss:");
  g_assert_nonnull (line);
  return g_ascii_strtod (line + strlen ("\nPss:"), NULL) / 1024;
}

static gboolean
shows (GadgetWindow *window, GadgetSession *session)
{
  GadgetTranscript *transcript = _gadget_chat_get_transcript (window->chat);

  return transcript != NULL && gadget_transcript_get_session (transcript) == session
         && gtk_widget_get_mapped (GTK_WIDGET (transcript)) && transcript->realized_rows->len > 0;
}

typedef struct
{
  GadgetWindow *window;
  GadgetSession *session;
  gboolean painted;
} Opening;

static void
after_paint_cb (GdkFrameClock *clock, Opening *opening)
{
  opening->painted = opening->painted || shows (opening->window, opening->session);
}

static double
open_chat (GadgetWindow *window, GadgetSession *session)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  Opening opening = { window, session, FALSE };
  const gint64 begin_us = g_get_monotonic_time ();
  const gulong handler =
      g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint_cb), &opening);

  gadget_window_open_session (window, session);
  while (!opening.painted)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, handler);
  return since (begin_us);
}

static void
switch_chats (GadgetWindow *window)
{
  GListModel *sessions = gadget_engine_get_sessions (window->engine);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < N_SWITCHES; i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (
          sessions,
          (guint) g_rand_int_range (rand, 0, (gint32) g_list_model_get_n_items (sessions)));

      if (session != gadget_window_get_session (window))
        g_print ("switch %f\n", open_chat (window, session));
      test_run_for (100);
    }
}

static void
find_in_long (GadgetWindow *window)
{
  GadgetSession *session = gadget_engine_find_session (window->engine, LONG_ID);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  GadgetTranscript *transcript;

  g_assert_nonnull (session);
  g_print ("long %f\n", open_chat (window, session));
  transcript = _gadget_chat_get_transcript (window->chat);
  for (guint i = 0; i < N_FINDS; i++)
    {
      g_autofree char *query =
          g_strdup_printf ("needle%d ", g_rand_int_range (rand, 0, N_LONG_TURNS));
      const gint64 begin_us = g_get_monotonic_time ();
      guint current;
      gboolean complete;

      gadget_transcript_find (transcript, query, FALSE, FALSE);
      while (gadget_transcript_get_n_found (transcript, &current, &complete) == 0)
        {
          g_assert_false (complete);
          g_main_context_iteration (NULL, TRUE);
        }
      g_print ("find %f\n", since (begin_us));
      gadget_transcript_find (transcript, NULL, FALSE, FALSE);
      test_run_for (50);
    }
}

static gboolean
measure_cb (gpointer data)
{
  const gboolean has_chats = *(gboolean *) data;

  if (!is_usable (has_chats))
    return G_SOURCE_CONTINUE;
  gadget_test_wait_frames (GTK_WIDGET (get_window ()), 1);
  g_print ("usable %f\n", since (began_us));
  test_run_for (SETTLE_MS);
  g_print ("pss %f\n", read_pss ());
  if (has_chats && g_getenv ("GADGET_BENCH_ALL") != NULL)
    {
      switch_chats (get_window ());
      find_in_long (get_window ());
    }
  g_print ("end 1\n");
  exit (0);
}

static int
run_window (const char *chats, const char *began)
{
  gboolean has_chats = atoi (chats);
  char *argv[] = { (char *) "gadget", NULL };

  began_us = g_ascii_strtoll (began, NULL, 10);
  application = GTK_APPLICATION (gadget_application_new ());
  /* Whatever the window has to do goes first. */
  g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, 1, measure_cb, &has_chats, NULL);
  return g_application_run (G_APPLICATION (application), 1, argv);
}

/* --- The homes -------------------------------------------------------------------------------- */

static char *
make_empty_home (guint number)
{
  return g_strdup_printf ("%s/empty-%u", g_get_home_dir (), number);
}

static gboolean
add_long_chat (sqlite3 *db, gpointer data, GError **error)
{
  static const char sql[] =
      "BEGIN;"
      "INSERT INTO session (id, title, workspace, created_at, updated_at)"
      " VALUES ('" LONG_ID "', 'The long chat', '/work', 1690000000000, 1690000000000);"
      "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 10000)"
      " INSERT INTO turn (id, session, position, prompt, status, stop_reason, provider, started_at,"
      " ended_at, changed_at, input_tokens, output_tokens, usage_estimated)"
      " SELECT '" LONG_ID "' || i, (SELECT number FROM session WHERE id = '" LONG_ID "'), i,"
      " 'Where is number ' || i || '?', 'finished', 'none', 'p', 0, 0, 0, 0, 0, 0 FROM n;"
      "INSERT INTO item (turn, position, kind, status, step, text, name, arguments, started_at,"
      " ended_at)"
      " SELECT turn.number, 0, 'text', 'finished', 0, 'It is **here**, beside needle' || position "
      "||"
      " ' and some others. ' || printf ('%.*c', 400, 'x') || char (10) || char (10) ||"
      " 'A second paragraph follows, with `code` and a list:' || char (10) || char (10) ||"
      " '- one' || char (10) || '- two', NULL, '', 0, 0"
      " FROM turn WHERE session = (SELECT number FROM session WHERE id = '" LONG_ID "');"
      "COMMIT";

  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
  return TRUE;
}

static gboolean
has_long_chat (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  g_assert_cmpint (
      sqlite3_prepare_v2 (db, "SELECT 1 FROM session WHERE id = '" LONG_ID "'", -1, &stmt, NULL),
      ==, SQLITE_OK);
  *(gboolean *) data = sqlite3_step (stmt) == SQLITE_ROW;
  sqlite3_finalize (stmt);
  return TRUE;
}

/* The data of Gadget in the home are the library's own. */
static char *
make_library_home (const char *directory)
{
  char *home = g_build_filename (g_get_home_dir (), "library", NULL);
  g_autofree char *data = g_build_filename (home, "XDG_DATA_HOME", NULL);
  g_autofree char *link = g_build_filename (data, "gadget", NULL);
  g_autofree char *path = g_canonicalize_filename (directory, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (link);
  GadgetStore *store = test_store_open (path);
  gboolean has_long = FALSE;

  test_store_run (store, has_long_chat, &has_long);
  if (!has_long)
    test_store_run (store, add_long_chat, NULL);
  /* The window shows no chat at its start. */
  test_store_run_sql (store, "DELETE FROM setting");
  test_store_close (store);
  g_assert_cmpint (g_mkdir_with_parents (data, 0700), ==, 0);
  g_assert_true (g_file_make_symbolic_link (file, path, NULL, NULL));
  return home;
}

/* --- Measuring -------------------------------------------------------------------------------- */

typedef struct
{
  GArray *usable;
  GArray *pss;
  GArray *switches;
  GArray *longs;
  GArray *finds;
} Figures;

static GArray *
values_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (double));
}

static Figures
figures_new (void)
{
  return (Figures) { values_new (), values_new (), values_new (), values_new (), values_new () };
}

static void
figures_free (Figures *self)
{
  g_array_unref (self->usable);
  g_array_unref (self->pss);
  g_array_unref (self->switches);
  g_array_unref (self->longs);
  g_array_unref (self->finds);
}

static void
add_lines (Figures *self, const char *text)
{
  const struct
  {
    const char *name;
    GArray *values;
  } kinds[] = { { "usable ", self->usable },
                { "pss ", self->pss },
                { "switch ", self->switches },
                { "long ", self->longs },
                { "find ", self->finds } };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_nonnull (strstr (text, "end 1\n"));
  for (guint i = 0; lines[i] != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (kinds); j++)
      if (g_str_has_prefix (lines[i], kinds[j].name))
        {
          const double value = g_ascii_strtod (lines[i] + strlen (kinds[j].name), NULL);

          g_array_append_val (kinds[j].values, value);
        }
}

static void
start (Figures *figures, const char *program, const char *home, gboolean has_chats, gboolean all)
{
  static const char *const names[] = { "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME" };
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autofree char *began = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GSubprocess) process = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (home, names[i], NULL);

      g_subprocess_launcher_setenv (launcher, names[i], folder, TRUE);
    }
  if (all)
    g_subprocess_launcher_setenv (launcher, "GADGET_BENCH_ALL", "1", TRUE);
  began = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_monotonic_time ());
  process = g_subprocess_launcher_spawn (launcher, NULL, program, "--window", has_chats ? "1" : "0",
                                         began, NULL);
  g_assert_nonnull (process);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, NULL));
  if (figures != NULL)
    add_lines (figures, text);
}

static void
report (const Figures *empty, const Figures *full)
{
  const double empty_ms = bench_get_rank (empty->usable, 0.5);
  const double empty_mb = bench_get_rank (empty->pss, 0.5);

  bench_print_row ("library", "window/usable", "ms", full->usable, empty_ms,
                   "median <= 1.3 times an empty one",
                   bench_get_rank (full->usable, 0.5) <= 1.3 * empty_ms);
  bench_print_row ("library", "window/memory", "MB", full->pss, empty_mb,
                   "median <= an empty one + 15", bench_get_rank (full->pss, 0.5) <= empty_mb + 15);
  bench_print_row ("library", "window/switch", "ms", full->switches, 0, "p95 <= 80 ms",
                   bench_get_rank (full->switches, 0.95) <= 80);
  bench_print_row ("library", "window/open-10000-turns", "ms", full->longs, 0,
                   "none, for comparison", TRUE);
  bench_print_row ("library", "window/find-in-10000-turns", "ms", full->finds, 0, "p95 <= 50 ms",
                   bench_get_rank (full->finds, 0.95) <= 50);
}

int
main (int argc, char **argv)
{
  Figures empty;
  Figures full;
  g_autofree char *directory = NULL;
  g_autofree char *home = NULL;

  if (argc == 4 && g_str_equal (argv[1], "--window"))
    return run_window (argv[2], argv[3]);
  g_assert_cmpint (argc, ==, 2);
  directory = g_build_filename (argv[1], "library-bench", "2", NULL);
  home = make_library_home (directory);
  empty = figures_new ();
  full = figures_new ();
  /* The first start of each is not counted: it indexes the long chat, and reads the programs. */
  for (guint i = 0; i <= N_STARTS; i++)
    {
      g_autofree char *empty_home = make_empty_home (i);

      start (i > 0 ? &empty : NULL, argv[0], empty_home, FALSE, FALSE);
      start (i > 0 ? &full : NULL, argv[0], home, TRUE, i == N_STARTS);
    }
  report (&empty, &full);
  figures_free (&empty);
  figures_free (&full);
  return 0;
}
