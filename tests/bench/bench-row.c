/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-row.h"

#include <stdio.h>

static int
compare (gconstpointer a, gconstpointer b)
{
  const double first = *(const double *) a;
  const double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

/* The nearest value (of doubles) at a rank from 0 to 1, rounded up: with few of them, the 95th
 * percentile must not leave out the worst. */
double
bench_get_rank (GArray *values, double rank)
{
  g_assert_cmpuint (values->len, >, 0);
  g_array_sort (values, compare);
  return g_array_index (values, double, (guint) ((values->len - 1) * rank + 0.999));
}

/* A floor of 0 is none. */
void
bench_print_row (const char *bench, const char *name, const char *metric, GArray *values,
                 double floor, const char *limit, gboolean ok)
{
  const double median = bench_get_rank (values, 0.5);

  printf ("{\"bench\":\"%s\",\"case\":\"%s\",\"metric\":\"%s\",\"n\":%u,\"median\":%.3f,"
          "\"p95\":%.3f,\"worst\":%.3f,",
          bench, name, metric, values->len, median, bench_get_rank (values, 0.95),
          bench_get_rank (values, 1));
  if (floor > 0)
    printf ("\"floor\":%.3f,\"ratio\":%.3f,", floor, median / floor);
  else
    printf ("\"floor\":null,\"ratio\":null,");
  printf ("\"limit\":\"%s\",\"ok\":%s}\n", limit, ok ? "true" : "false");
  fflush (stdout);
}
