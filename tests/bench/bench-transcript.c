/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Long chats in the transcript, one row of JSON a case. Run it under with-display.
 *
 * A frame is what GTK does between "before-paint" and "after-paint" of the window's frame clock:
 * taking over changes, making and measuring rows, allocating, and drawing, in software here; the
 * time is that of the thread's work, so that a busy machine gives the same figures. Its floor is a
 * frame in which nothing moved. */

#include "config.h"

#include "gadget-test-ui.h"

#include "ui/transcript/gadget-transcript-find.h"
#include "ui/transcript/gadget-transcript-private.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>

#define WIDTH 720
#define HEIGHT 720
#define N_TURNS 10000

typedef struct
{
  GtkWidget *window;
  GadgetTranscript *transcript;
  GtkAdjustment *adjustment;
  gint64 begin;
  double frame_ms; /* of the last frame */
} View;

static int
compare (gconstpointer a, gconstpointer b)
{
  const double first = *(const double *) a;
  const double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

static double
get_rank (GArray *values, double rank)
{
  g_array_sort (values, compare);
  return g_array_index (values, double, (guint) ((values->len - 1) * rank));
}

/* Microseconds of work of this thread: other programs on the machine do not count. */
static gint64
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static double
since (gint64 begin)
{
  return (double) (get_time () - begin) / 1000;
}

/* A row in the format of build/bench.json. */
static void
report (const char *name, const char *metric, GArray *values, double floor, const char *limit,
        gboolean ok)
{
  printf ("{\"bench\":\"transcript\",\"case\":\"%s\",\"metric\":\"%s\",\"n\":%u,"
          "\"median\":%.3f,\"p95\":%.3f,\"worst\":%.3f,",
          name, metric, values->len, get_rank (values, 0.5), get_rank (values, 0.95),
          get_rank (values, 1));
  if (floor > 0)
    printf ("\"floor\":%.3f,\"ratio\":%.3f,", floor, get_rank (values, 0.5) / floor);
  printf ("\"limit\":\"%s\",\"ok\":%s}\n", limit, ok ? "true" : "false");
  fflush (stdout);
}

static GArray *
values_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (double));
}

static void
add (GArray *values, double value)
{
  g_array_append_val (values, value);
}

static void
before_paint_cb (GdkFrameClock *clock, View *view)
{
  view->begin = get_time ();
}

static void
after_paint_cb (GdkFrameClock *clock, View *view)
{
  view->frame_ms = since (view->begin);
}

/* A frame in which nothing moved. */
static double
draw_frame (View *view)
{
  gtk_widget_queue_draw (GTK_WIDGET (view->transcript));
  gadget_test_wait_frames (view->window, 1);
  return view->frame_ms;
}

static void
open_view (View *view, GadgetSession *session)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GdkFrameClock *clock;

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  view->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (view->transcript));
  gadget_transcript_set_session (view->transcript, session);
  view->window = gadget_test_window_new (scrolled, WIDTH, HEIGHT);
  view->adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  clock = gtk_widget_get_frame_clock (view->window);
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), view);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint_cb), view);
}

static void
close_view (View *view)
{
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (view->window), view);
  gtk_window_destroy (GTK_WINDOW (view->window));
  g_object_unref (view->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A window that already shows an empty chat is given one: until that is painted. */
static double
measure_open (View *view, GadgetSession *session)
{
  gint64 begin;

  gadget_transcript_set_session (view->transcript, NULL);
  gadget_test_wait_frames (view->window, 2);
  begin = get_time ();
  gadget_transcript_set_session (view->transcript, session);
  {
    const double model = since (begin);

    gtk_widget_queue_draw (GTK_WIDGET (view->transcript));
    gadget_test_wait_frames (view->window, 1);
    return model + view->frame_ms;
  }
}

static void
bench_open (GadgetSession *session, const char *name)
{
  g_autoptr (GadgetSession) empty = gadget_session_new ("empty");
  g_autoptr (GArray) values = values_new ();
  g_autoptr (GArray) floors = values_new ();
  View view;

  open_view (&view, NULL);
  for (guint i = 0; i < 12; i++)
    {
      add (floors, measure_open (&view, empty));
      add (values, measure_open (&view, session));
    }
  report (name, "open_ms", values, get_rank (floors, 0.5), "worst <= floor + 100 ms",
          get_rank (values, 1) <= get_rank (floors, 0.5) + 100);
  close_view (&view);
}

typedef enum
{
  STEP_WHEEL,
  STEP_PAGE_UP,
  STEP_PAGE_DOWN,
  STEP_JUMP,
  STEP_HOME_END,
} Step;

static void
take_step (View *view, Step step, guint i, GRand *random)
{
  GtkWidget *transcript = GTK_WIDGET (view->transcript);
  const double value = gtk_adjustment_get_value (view->adjustment);

  switch (step)
    {
    case STEP_WHEEL:
      gtk_adjustment_set_value (view->adjustment, value - 80);
      break;
    case STEP_PAGE_UP:
      gtk_widget_activate_action (transcript, "transcript.scroll", "i", 2);
      break;
    case STEP_PAGE_DOWN:
      gtk_widget_activate_action (transcript, "transcript.scroll", "i", 3);
      break;
    case STEP_JUMP:
      gtk_adjustment_set_value (
          view->adjustment, g_rand_double (random) * gtk_adjustment_get_upper (view->adjustment));
      break;
    case STEP_HOME_END:
    default:
      gtk_widget_activate_action (transcript, "transcript.scroll", "i", i % 2 == 0 ? 4 : 5);
      break;
    }
}

static void
bench_step (View *view, const char *name, Step step, guint n)
{
  g_autoptr (GArray) values = values_new ();
  g_autoptr (GArray) floors = values_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  guint most = 0;

  for (guint i = 0; i < n; i++)
    {
      add (floors, draw_frame (view));
      take_step (view, step, i, random);
      gadget_test_wait_frames (view->window, 1);
      add (values, view->frame_ms);
      most = MAX (most, view->transcript->realized_rows->len);
    }
  report (name, "frame_ms", values, get_rank (floors, 0.5), "median <= 8 ms, p95 <= 16 ms",
          get_rank (values, 0.5) <= 8 && get_rank (values, 0.95) <= 16);
  g_printerr ("# %s: at most %u rows are widgets\n", name, most);
}

/* How far what is read moves beside what was scrolled, while rows above are measured. */
static void
bench_jump (View *view)
{
  g_autoptr (GArray) values = values_new ();

  gtk_adjustment_set_value (view->adjustment, gtk_adjustment_get_upper (view->adjustment) / 3);
  gadget_test_wait_frames (view->window, 20);
  for (guint i = 0; i < 400; i++)
    {
      const guint anchor = view->transcript->anchor;
      const double before = _gadget_transcript_get_realized (view->transcript, anchor)->y;
      GadgetRealizedRow *row;

      gtk_adjustment_set_value (view->adjustment, gtk_adjustment_get_value (view->adjustment) - 90);
      gadget_test_wait_frames (view->window, 1);
      row = _gadget_transcript_get_realized (view->transcript, anchor);
      if (row != NULL)
        add (values, fabs (row->y - before - 90));
    }
  report ("no-jump", "moved_px", values, 0, "worst <= 1 px", get_rank (values, 1) <= 1);
}

/* 2,000 pieces of text a second into the last row, at 60 frames a second. */
static double
measure_streaming (GadgetSession *session, GArray *values)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("live", "Go on.");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  View view;

  gadget_turn_append (turn, item);
  gadget_session_append (session, turn);
  open_view (&view, session);
  for (guint frame = 0; frame < 200; frame++)
    {
      const gint64 begin = get_time ();
      double append;

      for (guint i = 0; i < 33; i++)
        gadget_item_append_text (item, i == 32 && frame % 4 == 0 ? "end.\n\n" : "word ", -1);
      append = since (begin);
      gadget_test_wait_frames (view.window, 1);
      add (values, append + view.frame_ms);
    }
  close_view (&view);
  return get_rank (values, 0.5);
}

static void
bench_streaming (GadgetSession *session)
{
  g_autoptr (GadgetSession) small = gadget_test_session_new (10, 21);
  g_autoptr (GArray) floors = values_new ();
  g_autoptr (GArray) values = values_new ();
  const double floor = measure_streaming (small, floors);
  const double median = measure_streaming (session, values);

  report ("streaming-2000-per-s", "frame_ms", values, floor,
          "median <= 1.25 times the same with 10 turns above", median <= 1.25 * floor);
}

/* The work since the last turn of the main loop, in milliseconds. */
typedef struct
{
  guint current;
  gboolean complete;
  double longest;
} Finding;

/* Runs the main loop until something is found, or all is. */
static void
find_until (View *view, Finding *finding, gboolean all)
{
  finding->complete = FALSE;
  while (!finding->complete)
    {
      const gint64 begin = get_time ();
      guint n;

      g_main_context_iteration (NULL, TRUE);
      finding->longest = MAX (finding->longest, since (begin));
      n = gadget_transcript_get_n_found (view->transcript, &finding->current, &finding->complete);
      if (n > 0 && !all)
        return;
    }
}

/* From the end of the chat to what is at its beginning, and is nowhere else. */
static void
bench_find (GadgetSession *session, View *view)
{
  static const char *const often[] = { "the", "e", "naïve" };
  g_autoptr (GArray) firsts = values_new ();
  g_autoptr (GArray) wholes = values_new ();
  g_autoptr (GArray) slices = values_new ();
  g_autoptr (GadgetItem) item =
      g_object_ref (gadget_turn_get_item (gadget_session_get_turn (session, 3), 0));
  Finding finding = { 0 };

  gadget_item_append_text (item, " And a **singu**larity.", -1);
  for (guint i = 0; i < 20; i++)
    {
      gint64 begin;

      gadget_transcript_follow (view->transcript);
      gadget_test_wait_frames (view->window, 3);
      begin = get_time ();
      finding.longest = 0;
      gadget_transcript_find (view->transcript, "singularity", FALSE, FALSE);
      find_until (view, &finding, FALSE);
      add (firsts, since (begin));
      add (slices, finding.longest);
      gadget_transcript_find (view->transcript, NULL, FALSE, FALSE);
    }
  report ("find-one", "first_ms", firsts, 0, "p95 <= 50 ms", get_rank (firsts, 0.95) <= 50);
  report ("find-one", "turn_ms", slices, 0, "p95 <= 5 ms", get_rank (slices, 0.95) <= 5);
  g_array_set_size (slices, 0);
  for (guint i = 0; i < 9; i++)
    {
      const gint64 begin = get_time ();

      finding.longest = 0;
      gadget_transcript_find (view->transcript, often[i % G_N_ELEMENTS (often)], FALSE, FALSE);
      find_until (view, &finding, TRUE);
      add (wholes, since (begin));
      add (slices, finding.longest);
      gadget_transcript_find (view->transcript, NULL, FALSE, FALSE);
    }
  report ("find-often", "whole_ms", wholes, 0, "none", TRUE);
  report ("find-often", "turn_ms", slices, 0, "none: with frames", TRUE);
}

static void
bench_memory (GadgetSession *session)
{
  g_autoptr (GArray) values = values_new ();
  const struct mallinfo2 before = mallinfo2 ();
  g_autoptr (GadgetTranscriptModel) model = gadget_transcript_model_new (session);
  g_autoptr (GadgetHeights) heights = gadget_heights_new ();
  const guint n = gadget_transcript_model_get_n_rows (model);
  struct mallinfo2 after;

  gadget_heights_splice (heights, 0, 0, n);
  gadget_heights_before (heights, n);
  after = mallinfo2 ();
  add (values, (double) (after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / n);
  report ("memory", "bytes_per_row", values, 0, "<= 128 bytes", get_rank (values, 1) <= 128);
  g_printerr ("# %u rows\n", n);
}

static GadgetSession *
long_line_session_new (void)
{
  GadgetSession *session = gadget_test_session_new (5, 4);
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("long", "A long line, please.");
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  g_autofree char *line = g_strnfill (1 << 20, 'x');

  for (gsize i = 9; i < 1 << 20; i += 10)
    line[i] = ' ';
  gadget_item_append_text (item, line, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  gadget_turn_finish (turn);
  gadget_session_append (session, turn);
  return session;
}

/* Turns with a table of 40 rows each. */
static GadgetSession *
table_session_new (guint n_turns)
{
  GadgetSession *session = gadget_session_new ("tables");

  for (guint i = 0; i < n_turns; i++)
    {
      g_autofree char *id = g_strdup_printf ("table-%u", i);
      g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "A table, please.");
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

      gadget_item_append_text (item, "| number | name | price |\n|---:|---|---:|\n", -1);
      for (guint row = 0; row < 40; row++)
        {
          g_autofree char *line = g_strdup_printf ("| %u | part **%u** of `%u` | %u.%02u |\n", row,
                                                   row, i, row * i % 997, row);

          gadget_item_append_text (item, line, -1);
        }
      gadget_item_set_status (item, GADGET_ITEM_FINISHED);
      gadget_turn_append (turn, item);
      gadget_turn_finish (turn);
      gadget_session_append (session, turn);
    }
  return session;
}

int
main (int argc, char **argv)
{
  g_autoptr (GadgetSession) session = NULL;
  g_autoptr (GadgetSession) long_line = NULL;
  g_autoptr (GadgetSession) tables = NULL;
  View view;

  gadget_test_ui_start ();
  session = gadget_test_session_new (N_TURNS, 1);
  long_line = long_line_session_new ();
  tables = table_session_new (500);

  bench_memory (session);
  bench_open (session, "10000-turns");
  bench_open (long_line, "1-mb-line");
  open_view (&view, session);
  bench_step (&view, "wheel", STEP_WHEEL, 200);
  bench_step (&view, "page-up", STEP_PAGE_UP, 200);
  bench_step (&view, "page-down", STEP_PAGE_DOWN, 200);
  bench_step (&view, "scrollbar-jump", STEP_JUMP, 200);
  bench_step (&view, "home-end", STEP_HOME_END, 40);
  bench_jump (&view);
  bench_find (session, &view);
  close_view (&view);
  open_view (&view, long_line);
  bench_step (&view, "1-mb-line/page-up", STEP_PAGE_UP, 200);
  close_view (&view);
  bench_open (tables, "500-tables");
  open_view (&view, tables);
  bench_step (&view, "500-tables/page-up", STEP_PAGE_UP, 200);
  bench_step (&view, "500-tables/wheel", STEP_WHEEL, 200);
  close_view (&view);
  bench_streaming (session);
  return 0;
}
