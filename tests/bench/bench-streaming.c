/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers that come in fast, beside a plain GtkTextView that is given the same in the same run. Run
 * it under with-display; with the name of a part (short, answer, code, table) it is that alone. The
 * parts "step" and "step-plain" measure nothing by themselves: they are for valgrind. */

#include "config.h"

#include "bench-row.h"
#include "bench-stage.h"
#include "gadget-test-ui.h"
#include "ui/transcript/gadget-frame-throttle.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_BYTES 1000000
#define ANSWER_DELTAS 50000
#define SHORT_BYTES 23000
#define SHORT_DELTAS 5000
#define CODE_LINES 20000
#define TABLE_ROWS 3000
#define FLOOD_DELTAS 100
#define STEPS 250

static const char *const blocks[] = {
  "## A heading with `code` in it\n\n",
  "A paragraph with **bold**, *emphasis*, `code`, [a link](https://example.org/a/b), 函数.\n\n",
  "- an item\n- another one with `code`\n  - nested, with **bold**\n- the last\n\n",
  "```python\ndef main():\n    print('hello')\n    for i in range(10):\n        work(i)\n```\n\n",
  "| name | value |\n|---|---:|\n| one | 1 |\n| two | 2 |\n\n",
  "> a quote of two lines\n> that goes on\n\n",
  "1. first\n2. second\n3. third, \\(x^2\\)\n\n",
  "The order of the two calls matters, because closing while a read is pending fails. ",
  "That is why nothing is closed before the read has returned.\n\n",
};

static char *
make_text (gsize length)
{
  GString *text = g_string_sized_new (length + 512);

  for (guint i = 0; text->len < length; i++)
    g_string_append (text, blocks[(i * 7 + i / 5) % G_N_ELEMENTS (blocks)]);
  return g_string_free_and_steal (text);
}

static char *
make_code (void)
{
  GString *text = g_string_new ("```c\n");

  for (guint i = 0; i < CODE_LINES / 4; i++)
    g_string_append_printf (text,
                            "/* Number %u of many. */\nstatic int number_%u = %u;\n"
                            "const char *name_%u = \"a \\\"name\\\"\";\n\n",
                            i, i, i * 7, i);
  g_string_append (text, "```\n");
  return g_string_free_and_steal (text);
}

static char *
make_table (void)
{
  GString *text = g_string_new ("| number | name | *state* | price |\n|---:|---|:---:|---:|\n");

  for (guint i = 0; i < TABLE_ROWS; i++)
    g_string_append_printf (text, "| %u | part `%u` of it | **%s** | %u.%02u |\n", i, i * 7,
                            i % 3 == 0 ? "open" : "done", i % 97, i % 100);
  return g_string_free_and_steal (text);
}

static void
print (const char *name, const char *metric, double value, double floor, const char *limit,
       gboolean ok)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_append_val (values, value);
  bench_print_row ("streaming", name, metric, values, floor, limit, ok);
}

/* What is left of the last tenth when what grew in a plain view grows in ours: nothing may. */
static void
print_growth (const char *name, const BenchCost *cost)
{
  const double first = cost->tenths[0];
  const double last = cost->tenths[9];

  print (name, "last_tenth_us", last, first, "last tenth <= 1.2 x first", last <= 1.2 * first);
}

static void
print_parts (const char *name, const BenchCost *cost)
{
  g_printerr ("# %s: %u frames; taking over %.0f ms, layout and painting %.0f ms, rest %.0f ms; "
              "longest %.1f ms\n",
              name, cost->n_frames, cost->parts_ms[0], cost->parts_ms[1], cost->parts_ms[2],
              cost->iteration_ms);
}

static void
print_cost (const char *name, const BenchCost *ours, const BenchCost *plain, gboolean complete)
{
  print (name, "own_delta_us", ours->own_us, plain->own_us, "none", TRUE);
  print (name, "own_iteration_ms", ours->own_ms, plain->own_ms, "worst <= 16 ms",
         ours->own_ms <= 16);
  print (name, "iteration_ms", ours->iteration_ms, plain->iteration_ms, "worst <= 50 ms",
         ours->iteration_ms <= 50);
  print (name, "key_waits_ms", ours->wait_ms, plain->wait_ms, "worst <= 50 ms",
         ours->wait_ms <= 50);
  print (name, "cpu_s", ours->cpu_s, plain->cpu_s, "<= 2 x GtkTextView",
         ours->cpu_s <= 2 * plain->cpu_s);
  print (name, "complete", complete, 0, "1", complete);
  print_parts (name, ours);
  print_parts ("GtkTextView", plain);
}

static void
measure (BenchStage *stage, const char *text, guint n_deltas, guint rate, BenchCost *cost,
         gboolean *complete)
{
  bench_stage_stream (stage, text, n_deltas, rate, cost);
  *complete = bench_stage_shows (stage, text);
  bench_stage_free (stage);
}

static void
bench (const char *name, const char *text, guint n_deltas, guint rate)
{
  BenchCost ours, plain;
  gboolean complete, plain_complete;

  measure (bench_stage_new_text_view (), text, n_deltas, rate, &plain, &plain_complete);
  measure (bench_stage_new_transcript (), text, n_deltas, rate, &ours, &complete);
  print_cost (name, &ours, &plain, complete && plain_complete);
  print_growth (name, &ours);
}

static void
bench_short (void)
{
  g_autofree char *text = make_text (SHORT_BYTES);
  BenchCost ours, plain;
  gboolean complete, plain_complete;

  measure (bench_stage_new_text_view (), text, SHORT_DELTAS, 500, &plain, &plain_complete);
  measure (bench_stage_new_transcript (), text, SHORT_DELTAS, 500, &ours, &complete);
  print ("23 kB at 500/s", "cpu_s", ours.cpu_s, plain.cpu_s, "<= 1.0 s", ours.cpu_s <= 1);
  print ("23 kB at 500/s", "own_iteration_ms", ours.own_ms, plain.own_ms, "worst <= 16 ms",
         ours.own_ms <= 16);
  print ("23 kB at 500/s", "iteration_ms", ours.iteration_ms, plain.iteration_ms, "worst <= 16 ms",
         ours.iteration_ms <= 16);
  print ("23 kB at 500/s", "complete", complete && plain_complete, 0, "1",
         complete && plain_complete);
  print_parts ("23 kB at 500/s", &ours);
  print_parts ("GtkTextView", &plain);
}

/* A plain view lays out no columns, so that there is nothing to compare the whole with. */
static void
print_table (const char *name, const BenchCost *cost, gboolean complete)
{
  print (name, "iteration_ms", cost->iteration_ms, 0, "worst <= 50 ms", cost->iteration_ms <= 50);
  print (name, "key_waits_ms", cost->wait_ms, 0, "worst <= 50 ms", cost->wait_ms <= 50);
  print (name, "complete", complete, 0, "1", complete);
  print_parts (name, cost);
}

static void
bench_table (const char *text)
{
  const char *name = "table of 3000 rows at 300/s";
  BenchCost cost;
  gboolean complete;

  measure (bench_stage_new_transcript (), text, TABLE_ROWS, 300, &cost, &complete);
  print (name, "own_iteration_ms", cost.own_ms, 0, "worst <= 16 ms", cost.own_ms <= 16);
  print_table (name, &cost, complete);
  print_growth (name, &cost);

  name = "table of 3000 rows in 0.1 s";
  measure (bench_stage_new_transcript (), text, FLOOD_DELTAS, 1000, &cost, &complete);
  print (name, "own_iteration_ms", cost.own_ms, 0, "none", TRUE);
  print_table (name, &cost, complete);
}

/* What one part of the answer a frame costs, to be counted by valgrind. */
static void
step (BenchStage *stage)
{
  g_autofree char *text = make_text (SHORT_BYTES);

  gadget_frame_throttle_set_enabled (FALSE);
  bench_stage_step (stage, text, STEPS);
  bench_stage_free (stage);
}

int
main (int argc, char **argv)
{
  const char *part = argc > 1 ? argv[1] : NULL;
  g_autofree char *answer = make_text (ANSWER_BYTES);
  g_autofree char *code = make_code ();
  g_autofree char *table = make_table ();

  gadget_test_ui_start ();
  gadget_frame_throttle_set_enabled (TRUE);
  if (part == NULL || g_str_equal (part, "short"))
    bench_short ();
  if (part == NULL || g_str_equal (part, "answer"))
    bench ("1 MB of Markdown at 2000/s", answer, ANSWER_DELTAS, 2000);
  if (part == NULL || g_str_equal (part, "code"))
    bench ("20000 lines of code at 2000/s", code, CODE_LINES, 2000);
  if (part == NULL || g_str_equal (part, "table"))
    bench_table (table);
  if (g_strcmp0 (part, "step") == 0)
    step (bench_stage_new_transcript ());
  if (g_strcmp0 (part, "step-plain") == 0)
    step (bench_stage_new_text_view ());
  return 0;
}
