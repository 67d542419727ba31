/* SPDX-License-Identifier: GPL-3.0-or-later */

/* bench-start GADGET BARE-WINDOW, under with-display: the time to the first frame on the screen and
 * the memory 1.5 s later, of Gadget and of a bare window of the same shape, taking turns. Each
 * start finds no data, settings or state of an earlier one. The first start of each is not counted:
 * it reads the programs from the disk and makes what the home folder caches. */

#include "config.h"

#include "bench-row.h"
#include "bench-window.h"

#include <poll.h>

#define N 15
#define SETTLE_MS 1500
#define LIMIT 1.5

typedef struct
{
  const char *program;
  GArray *frame_ms;
  GArray *pss_mb;
} Subject;

/* Everything but the cache goes to a folder that has not been used. */
static void
make_home (guint turn)
{
  static const char *const names[] = { "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/%u/%s", g_get_home_dir (), turn, names[i]);

      g_setenv (names[i], folder, TRUE);
    }
}

static void
measure (Subject *self, guint turn)
{
  BenchWindow *window;
  double frame_ms;
  double pss_mb;

  make_home (turn);
  window = bench_window_start (self->program, NULL);
  frame_ms = bench_window_await_frame (window);
  poll (NULL, 0, SETTLE_MS);
  pss_mb = bench_window_get_pss (window);
  bench_window_end (window);
  if (turn == 0)
    return;
  g_array_append_val (self->frame_ms, frame_ms);
  g_array_append_val (self->pss_mb, pss_mb);
}

static void
report (const char *metric, GArray *gadget, GArray *bare)
{
  const double floor = bench_get_rank (bare, 0.5);
  const double median = bench_get_rank (gadget, 0.5);

  bench_print_row ("start", "gadget", metric, gadget, floor, "median <= 1.5 times the bare window",
                   median <= LIMIT * floor);
  bench_print_row ("start", "bare-window", metric, bare, 0, "none, for comparison", TRUE);
}

int
main (int argc, char **argv)
{
  Subject subjects[2];

  if (argc != 3)
    bench_fail ("usage: bench-start GADGET BARE-WINDOW");
  for (guint i = 0; i < 2; i++)
    {
      subjects[i].program = argv[1 + i];
      subjects[i].frame_ms = g_array_new (FALSE, FALSE, sizeof (double));
      subjects[i].pss_mb = g_array_new (FALSE, FALSE, sizeof (double));
    }
  for (guint turn = 0; turn <= N; turn++)
    for (guint i = 0; i < 2; i++)
      measure (&subjects[i], turn);
  report ("first_frame_ms", subjects[0].frame_ms, subjects[1].frame_ms);
  report ("pss_mb", subjects[0].pss_mb, subjects[1].pss_mb);
  for (guint i = 0; i < 2; i++)
    {
      g_array_unref (subjects[i].frame_ms);
      g_array_unref (subjects[i].pss_mb);
    }
  return 0;
}
