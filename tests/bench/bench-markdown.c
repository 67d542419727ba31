/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What Markdown costs before anything is drawn: cutting a long chat into segments, reading one, and
 * an answer that grows. Times are those of the thread's work. */

#include "config.h"

#include "bench-row.h"

#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown.h"

#include <string.h>

#define CHAT_BYTES 20000000
#define ANSWER_BYTES 1000000
#define DELTA 20

static const char *const blocks[] = {
  "# A heading\n\n",
  "A paragraph with **bold**, *emphasis*, `code`, [a link](https://example.org/a/b) and more.\n\n",
  "- an item\n- another one with `code`\n  - nested, with **bold**\n- the last\n\n",
  "```python\ndef main():\n    print('hello')\n    for i in range(10):\n        work(i)\n```\n\n",
  "| name | value |\n|---|---:|\n| one | 1 |\n| two | 2 |\n\n",
  "> a quote of two lines\n> that goes on\n\n",
  "1. first\n2. second\n3. third, \\(x^2\\)\n\n"
};

static GString *
make_text (gsize length)
{
  GString *text = g_string_sized_new (length + 256);

  for (guint i = 0; text->len < length; i++)
    g_string_append (text, blocks[(i * 7 + i / 5) % G_N_ELEMENTS (blocks)]);
  return text;
}

/* Microseconds of work of this thread. */
static double
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

static void
bench_segments (void)
{
  g_autoptr (GString) text = make_text (CHAT_BYTES);
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < 9; i++)
    {
      const double begin = get_time ();
      gsize start = 0, context = 0;
      double rate;

      while (start < text->len)
        start = gadget_markdown_segment_end (text->str, text->len, start, context, &context);
      rate = (double) text->len / (get_time () - begin);
      g_array_append_val (rates, rate);
    }
  bench_print_row ("markdown", "segments of 20 MB", "mb_per_s", rates, 0, "median >= 150 MB/s",
                   bench_get_rank (rates, 0.5) >= 150);
}

static void
bench_parse (const char *name, const char *head, const char *unit)
{
  g_autoptr (GString) text = g_string_new (head);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  while (text->len + strlen (unit) <= GADGET_MARKDOWN_SEGMENT_BYTES)
    g_string_append (text, unit);
  for (guint i = 0; i < 200; i++)
    {
      const double begin = get_time ();
      double time;

      gadget_markdown_document_free (
          gadget_markdown_parse (text->str, 0, text->len, 0, NULL, TRUE));
      time = get_time () - begin;
      g_array_append_val (times, time);
    }
  bench_print_row ("markdown", name, "parse_us", times, 0, "median <= 500 us",
                   bench_get_rank (times, 0.5) <= 500);
}

/* The mean cost of a delta in one tenth of an answer. */
static double
grow (const GString *text, guint tenth, gsize *start, gsize *context)
{
  const gsize limit = text->len / 10 * tenth;
  double time = 0;
  guint n = 0;

  for (gsize length = limit - text->len / 10 + DELTA; length <= limit; length += DELTA, n++)
    {
      const double begin = get_time ();
      gsize next, end;

      while ((end = gadget_markdown_segment_end (text->str, length, *start, *context, &next))
             < length)
        {
          *start = end;
          *context = next;
        }
      gadget_markdown_document_free (
          gadget_markdown_parse (text->str, *start, length, *context, NULL, TRUE));
      time += get_time () - begin;
    }
  return time / n;
}

/* Of three rounds the best counts for each tenth: what else the machine does is not meant. */
static void
bench_growth (const char *name, const GString *text)
{
  g_autoptr (GArray) tenths = g_array_new (FALSE, TRUE, sizeof (double));
  double first, last;

  g_array_set_size (tenths, 10);
  for (guint round = 0; round < 3; round++)
    {
      gsize start = 0, context = 0;

      for (guint i = 0; i < 10; i++)
        {
          const double time = grow (text, i + 1, &start, &context);
          double *best = &g_array_index (tenths, double, i);

          *best = round == 0 ? time : MIN (*best, time);
        }
    }
  first = g_array_index (tenths, double, 0);
  last = g_array_index (tenths, double, 9);
  bench_print_row ("markdown", name, "delta_us", tenths, 0, "last tenth <= 1.2 x first",
                   last <= 1.2 * first);
}

int
main (void)
{
  g_autoptr (GString) answer = make_text (ANSWER_BYTES);
  g_autoptr (GString) code = g_string_new ("```c\n");

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (code, "  int line_%u = %u;\n", i, i);
  bench_segments ();
  bench_parse ("a paragraph of 4 kB", "",
               "some **bold** words, `code` and [a link](https://example.org), then plain text; ");
  bench_parse ("a list of 4 kB", "", "- an item with **bold** and `code` and plain words\n");
  bench_parse ("a table of 4 kB", "| a | b |\n|---|---|\n", "| one **bold** | two `code` |\n");
  bench_growth ("an answer of 1 MB", answer);
  bench_growth ("20,000 lines of code", code);
  return 0;
}
