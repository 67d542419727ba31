/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What it would cost if md4c alone read a growing answer, each time from its last open top-level
 * block on, beside what is done today: the segments of the scanner, the definitions, and the last
 * segment read by md4c. gadget-markdown-scanner.h says what follows from the figures. Times are
 * those of the thread's work.
 *
 * md4c reports no offsets, so a block is taken to begin in the line of its first text; the examples
 * of CommonMark say how often that is wrong. A block above MAX_BLOCK is cut at a line. */

#include "config.h"

#include "bench-row.h"

#include "ui/markdown/gadget-markdown-scanner.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown.h"

#include <md4c.h>
#include <string.h>

#define FLAGS                                                                                      \
  (MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS)
#define MAX_BLOCK 100000
#define N_SAMPLES 40

/* A text: its beginning, and what is repeated behind it. */
typedef struct
{
  const char *name;
  const char *head;
  const char *unit;
} Shape;

static const Shape shapes[] = {
  { "an answer", "",
    "A paragraph with **bold**, `code` and [a link](https://example.org/a/b), then more.\n\n"
    "- an item\n- another one\n  - nested\n\n```c\nint main (void)\n{\n  return 0;\n}\n```\n\n"
    "| a | b |\n|---|---|\n| one | two |\n\n> a quote\n\n## A heading\n\n" },
  { "a list", "", "- an item with **bold** and `code` and plain words\n" },
  { "a table", "| a | b |\n|---|---|\n", "| one **bold** | two `code` |\n" },
  { "code", "```c\n", "  static const int number = 42; /* a line */\n" },
  { "a paragraph", "", "some **bold** words and `code`, then plain text in a line;\n" },
  { "quotes", "", "> > a line in two quotes with **bold** words\n> >\n" },
};

static const gsize sizes[] = { 1000, 10000, 100000, 1000000 };
static const gsize deltas[] = { 4, 40, 400 };

/* Microseconds of work of this thread. */
static double
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

/* --- Blocks, as md4c reports them ----------------------------------------------------------------
 */

/* The state while md4c calls back. */
typedef struct
{
  const char *text;
  gsize length;
  guint depth;
  GArray *begins; /* of gsize: the first text of each top-level block, G_MAXSIZE without one */
} Blocks;

static int
enter_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  Blocks *blocks = data;
  const gsize unknown = G_MAXSIZE;

  if (type != MD_BLOCK_DOC && blocks->depth++ == 0)
    g_array_append_val (blocks->begins, unknown);
  return 0;
}

static int
leave_block_cb (MD_BLOCKTYPE type, void *detail, void *data)
{
  ((Blocks *) data)->depth -= type != MD_BLOCK_DOC;
  return 0;
}

static int
span_cb (MD_SPANTYPE type, void *detail, void *data)
{
  return 0;
}

static int
text_cb (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
  Blocks *blocks = data;
  gsize *begin = &g_array_index (blocks->begins, gsize, blocks->begins->len - 1);
  gsize at;

  if (*begin != G_MAXSIZE || text < blocks->text || text >= blocks->text + blocks->length)
    return 0;
  for (at = (gsize) (text - blocks->text); at > 0 && blocks->text[at - 1] != '\n';)
    at--;
  *begin = at;
  return 0;
}

/* (transfer full) */
static GArray *
find_blocks (const char *text, gsize length)
{
  const MD_PARSER parser = { .flags = FLAGS,
                             .enter_block = enter_block_cb,
                             .leave_block = leave_block_cb,
                             .enter_span = span_cb,
                             .leave_span = span_cb,
                             .text = text_cb };
  Blocks blocks = { text, length, 0, g_array_new (FALSE, FALSE, sizeof (gsize)) };

  md_parse (text, (MD_SIZE) length, &parser, &blocks);
  return blocks.begins;
}

/* --- Cost ----------------------------------------------------------------------------------------
 */

/* A growing text, as each of the two ways knows it. */
typedef struct
{
  const char *text;
  gsize start; /* today: of the last segment */
  gsize context;
  GadgetMarkdownDefinitions *definitions;
  gsize block; /* md4c alone: of the last top-level block */
} Growth;

static double
read_today (Growth *self, gsize length)
{
  const double begin = get_time ();
  gsize context, end;

  gadget_markdown_definitions_scan (self->definitions, self->text, length, TRUE);
  while (
      (end = gadget_markdown_segment_end (self->text, length, self->start, self->context, &context))
      < length)
    {
      self->start = end;
      self->context = context;
    }
  gadget_markdown_document_free (gadget_markdown_parse (self->text, self->start, length,
                                                        self->context, self->definitions, TRUE));
  return get_time () - begin;
}

/* Reads with md4c, and makes leaves of it, whose time @leaves is. */
static double
read_block (Growth *self, gsize length, double *leaves)
{
  double begin = get_time ();
  const gsize start = self->block;
  g_autoptr (GArray) begins = find_blocks (self->text + start, length - start);
  double time;

  for (guint i = begins->len; i-- > 0;)
    if (g_array_index (begins, gsize, i) != G_MAXSIZE)
      {
        self->block = start + g_array_index (begins, gsize, i);
        break;
      }
  time = get_time () - begin;
  begin = get_time ();
  gadget_markdown_document_free (
      gadget_markdown_parse (self->text, start, length, start, NULL, TRUE));
  *leaves = get_time () - begin;
  while (length - self->block > MAX_BLOCK)
    gadget_markdown_find_line (self->text, length, MAX (self->block, length - 100), &self->block);
  return time;
}

static void
bench_growth (const Shape *shape, gsize size, gsize delta)
{
  g_autoptr (GString) text = g_string_new (shape->head);
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  g_autoptr (GArray) today = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) md4c = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) leaves = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *name = g_strdup_printf ("%s of %zu kB by %zu", shape->name, size / 1000, delta);
  Growth growth = { .definitions = definitions };
  double floor;

  while (text->len < size)
    g_string_append (text, shape->unit);
  growth.text = text->str;
  for (gsize length = 3 * delta; length <= size; length += MAX (size / N_SAMPLES, 3 * delta))
    {
      double time, own;

      read_today (&growth, length - 2 * delta);
      read_today (&growth, length - delta);
      time = read_today (&growth, length);
      g_array_append_val (today, time);
      read_block (&growth, length - 2 * delta, &own);
      read_block (&growth, length - delta, &own);
      time = read_block (&growth, length, &own);
      g_array_append_val (md4c, time);
      g_array_append_val (leaves, own);
    }
  floor = bench_get_rank (today, 0.5);
  bench_print_row ("markdown-blocks", name, "today_us", today, 0, "none", TRUE);
  bench_print_row ("markdown-blocks", name, "md4c_us", md4c, floor, "none", TRUE);
  bench_print_row ("markdown-blocks", name, "leaves_us", leaves, floor, "none", TRUE);
}

/* --- Beginnings ----------------------------------------------------------------------------------
 */

/* The beginnings of the top-level blocks by the scanner, among which are definitions. (transfer
 * full) */
static GArray *
scan_blocks (const char *text, gsize length)
{
  GArray *begins = g_array_new (FALSE, FALSE, sizeof (gsize));
  GadgetMarkdownScanner scanner;
  gsize next;

  gadget_markdown_scanner_init (&scanner, text);
  for (gsize line = 0; line < length; line = next)
    {
      gadget_markdown_scanner_read_line (&scanner, line,
                                         gadget_markdown_find_line (text, length, line, &next));
      if (scanner.began && scanner.kept == 0 && !scanner.sibling)
        g_array_append_val (begins, line);
    }
  return begins;
}

static gboolean
has_block_at (const GArray *blocks, gsize at)
{
  for (guint i = 0; i < blocks->len; i++)
    if (g_array_index (blocks, gsize, i) == at)
      return TRUE;
  return FALSE;
}

static void
print_count (const char *metric, guint n, guint of)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const double count = n;

  g_array_append_val (values, count);
  bench_print_row ("markdown-blocks", "examples of CommonMark", metric, values, of, "none", TRUE);
}

/* Returns the Markdown of an example: "number and section, Markdown, a line ".", HTML". (transfer
 * full) */
static char *
dup_markdown (const char *example)
{
  const char *begin = strchr (example, '\n') + 1;
  const char *end = strstr (begin - 1, "\n.\n") + 1;
  g_autofree char *raw = g_strndup (begin, (gsize) (MAX (end, begin) - begin));
  g_auto (GStrv) pieces = g_strsplit (raw, "→", -1);

  return g_strjoinv ("\t", pieces);
}

/* Counts the top-level blocks that have no text, those that begin before the line of their first
 * text, and the examples in which md4c does not report a block, which are those with definitions.
 */
static void
bench_examples (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), "tests", "data",
                                            "markdown", "commonmark-0.31.2.txt", NULL);
  g_autofree char *file = NULL;
  g_auto (GStrv) examples = NULL;
  guint n = 0, n_silent = 0, n_earlier = 0, n_unreported = 0;

  if (!g_file_get_contents (path, &file, NULL, NULL))
    g_error ("%s cannot be read", path);
  examples = g_strsplit (file, "```````````````````````````````` example", -1);
  for (guint i = 1; examples[i] != NULL; i++)
    {
      g_autofree char *text = dup_markdown (examples[i]);
      g_autoptr (GArray) reported = find_blocks (text, strlen (text));
      g_autoptr (GArray) scanned = scan_blocks (text, strlen (text));

      n += reported->len;
      n_unreported += scanned->len > reported->len;
      for (guint k = 0; k < reported->len; k++)
        {
          const gsize at = g_array_index (reported, gsize, k);

          n_silent += at == G_MAXSIZE;
          n_earlier += at != G_MAXSIZE && !has_block_at (scanned, at);
        }
    }
  print_count ("blocks_without_text", n_silent, n);
  print_count ("blocks_before_text", n_earlier, n);
  print_count ("examples_with_unreported", n_unreported, g_strv_length (examples) - 1);
}

int
main (void)
{
  bench_examples ();
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (guint d = 0; d < G_N_ELEMENTS (deltas); d++)
        if (sizes[k] >= 10 * deltas[d])
          bench_growth (&shapes[i], sizes[k], deltas[d]);
  return 0;
}
