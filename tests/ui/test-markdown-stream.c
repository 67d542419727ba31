/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown while it is written: a byte more at a time. */

#include "config.h"

#include "markdown-html.h"

#include "transcript/markdown/gadget-markdown-segment.h"

#include <string.h>

#define MAX_SEGMENTS 64

typedef struct
{
  gsize ends[MAX_SEGMENTS];
  gsize contexts[MAX_SEGMENTS]; /* of the segments behind them */
  guint n;
} Segments;

static void
cut (Segments *segments, const char *text, gsize length)
{
  gsize start = 0, context = 0;

  segments->n = 0;
  while (start < length && segments->n < MAX_SEGMENTS)
    {
      gsize next = G_MAXSIZE;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);

      g_assert_cmpuint (end, >, start);
      g_assert_cmpuint (end, <=, length);
      g_assert_cmpuint (next, <=, end);
      segments->ends[segments->n] = start = end;
      segments->contexts[segments->n++] = context = next;
    }
}

/* Segments that are closed stay as they are. */
static void
check_closed (const char *text, gsize length)
{
  Segments whole = { 0 };
  Segments part = { 0 };

  cut (&whole, text, length);
  for (gsize n = 0; n < length; n++)
    {
      cut (&part, text, n);
      for (guint i = 0; i + 1 < part.n; i++)
        {
          g_assert_cmpuint (part.ends[i], ==, whole.ends[i]);
          g_assert_cmpuint (part.contexts[i], ==, whole.contexts[i]);
        }
    }
}

/* --- What form each byte of the source has ------------------------------------------------------
 */

typedef struct
{
  guint *forms; /* of each byte: 0 is not shown */
  gsize length;
} Forms;

static void
add_forms (Forms *forms, guint leaf, const GadgetMarkdownText *text)
{
  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *run = &g_array_index (text->runs, GadgetMarkdownRun, i);
      guint form = leaf;

      for (guint k = 0; k < text->spans->len; k++)
        {
          const GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, k);

          g_assert_cmpuint (span->start, <=, span->end);
          g_assert_cmpuint (span->end, <=, text->length);
          if (span->kind != GADGET_MARKDOWN_SPAN_HTML && span->kind != GADGET_MARKDOWN_SPAN_BREAK
              && span->start <= run->text && run->text + run->length <= span->end)
            form |= 256U << span->kind;
        }
      for (guint at = run->source; at < run->source + run->source_length; at++)
        {
          g_assert_cmpuint (at, <, forms->length);
          forms->forms[at] = form;
        }
    }
}

static void
get_forms (Forms *forms, const char *text, gsize length, gboolean open)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  gsize start = 0, context = 0;

  memset (forms->forms, 0, forms->length * sizeof *forms->forms);
  gadget_markdown_definitions_scan (definitions, text, length, open);
  while (start < length)
    {
      gsize next;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse (text, start, end, context, definitions, open && end == length);

      for (guint i = 0; i < document->leaves->len; i++)
        {
          const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);
          const guint form = 1 + (guint) leaf->kind + (leaf->n_containers << 3);

          add_forms (forms, form, leaf->text);
          for (guint k = 0; leaf->table != NULL && k < leaf->table->cells->len; k++)
            add_forms (forms, form, g_ptr_array_index (leaf->table->cells, k));
        }
      start = end;
      context = next;
    }
}

/* What a form is made of; each may change once. Where a byte is hidden, the rest of it stays. */
static const guint aspects[] = { 7,
                                 31U << 3,
                                 256U << GADGET_MARKDOWN_SPAN_STRONG,
                                 256U << GADGET_MARKDOWN_SPAN_EMPHASIS,
                                 256U << GADGET_MARKDOWN_SPAN_STRIKE,
                                 256U << GADGET_MARKDOWN_SPAN_CODE,
                                 256U << GADGET_MARKDOWN_SPAN_LINK
                                     | 256U << GADGET_MARKDOWN_SPAN_REFUSED,
                                 256U << GADGET_MARKDOWN_SPAN_IMAGE,
                                 256U << GADGET_MARKDOWN_SPAN_MATH };

typedef struct
{
  guint last;
  gboolean seen;
  guint hidden;
  guint changes[G_N_ELEMENTS (aspects)];
} Byte;

static void
take_form (Byte *byte, guint form)
{
  if (!byte->seen)
    {
      byte->seen = form != 0;
      byte->last = form;
      return;
    }
  byte->hidden += (byte->hidden % 2 == 0) == (form == 0);
  if (form == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    byte->changes[i] += ((byte->last ^ form) & aspects[i]) != 0;
  byte->last = form;
}

static guint
get_worst (const Byte *byte)
{
  guint worst = byte->hidden;

  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    worst = MAX (worst, byte->changes[i]);
  return worst;
}

/* How often a byte of the text changes an aspect of its form after it was shown first; the worst
 * one is at @at. */
static guint
count_changes (const char *text, gsize length, gsize *at)
{
  g_autofree Byte *bytes = g_new0 (Byte, length + 1);
  g_autofree guint *now = g_new0 (guint, length + 1);
  Forms forms = { now, length };
  guint worst = 0;

  for (gsize n = 1; n <= length + 1; n++)
    {
      get_forms (&forms, text, MIN (n, length), n <= length);
      for (gsize i = 0; i < MIN (n, length); i++)
        take_form (&bytes[i], now[i]);
    }
  for (gsize i = 0; i < length; i++)
    if (get_worst (&bytes[i]) > worst)
      {
        worst = get_worst (&bytes[i]);
        *at = i;
      }
  return worst;
}

/* Examples in which something changes twice, since two things happen to it. */
static const guint changing[] = {
  520, 575, /* a link is found, and then the image that it is within, whose text is plain */
  570,      /* definitions come later, the one that counts less first */
};

static gboolean
is_changing (guint number)
{
  for (guint i = 0; i < G_N_ELEMENTS (changing); i++)
    if (changing[i] == number)
      return TRUE;
  return FALSE;
}

static void
test_examples (gconstpointer data)
{
  g_autoptr (GPtrArray) examples = markdown_examples_load (data);

  for (guint i = 0; i < examples->len; i++)
    {
      const MarkdownExample *example = g_ptr_array_index (examples, i);
      const gsize length = strlen (example->markdown);
      guint changes;
      gsize at = 0;

      check_closed (example->markdown, length);
      changes = count_changes (example->markdown, length, &at);
      if ((changes > 1) == is_changing (example->number))
        continue;
      g_test_message ("%u %s: %u changes at %zu\n%s", example->number, example->section, changes,
                      at, example->markdown);
      g_test_fail ();
    }
}

/* What models write. */
static void
test_answer (void)
{
  static const char *const answers[] = {
    "# Title\n\nSome **bold**, *thin*, `code`, ~~gone~~ and [a link](https://a.org/b_c_d).\n",
    "Text before a list:\n- one\n- **two** of\n  them\n  1. in it\n  2. second\n\nAfter it.\n",
    "```python\nprint (\"**no**\")\n```\nDone: see https://example.com/a_b_c/.\n",
    "| a | b |\n|---|:-:|\n| **1** | `2|3` |\n| x | y |\n\nEnd\n",
    "- [ ] open\n- [x] done with *stars*\n",
    "The formula \\(a^2 + b^2 = c^2\\) and\n\\[\nE = mc^2\n- x\n\\]\nand $$x$$.\n",
    "It costs $5, or 6$ for ***both***, and 2 * 3 * 4 = 24, snake_case_name, ~5 minutes.\n",
    "> quoted **bold\n> on two lines** and\nlazy\n\n---\n***\n",
    "Heading\n===\nOther\n---\nA - b\n- - -\n",
    "See [1] and [^1].\n\n[1]: https://example.org \"One\"\n[^1]: a footnote\n",
    "A <b>tag</b> and <https://example.org> &amp; &copy; 2024\n<details>\n<summary>x</summary>\n",
    "**Note:** a `**` in code, an *unclosed emphasis\n\nNext **unclosed\n\nEnd\n",
    "1984. A year\n\n1. One\n1. Two\n\n10) ten\n",
    "![picture](https://example.org/a.png \"title\") and ![](x)\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      gsize at = 0;
      guint changes;

      check_closed (answers[i], strlen (answers[i]));
      changes = count_changes (answers[i], strlen (answers[i]), &at);
      if (changes <= 1)
        continue;
      g_test_message ("%u changes at %zu\n%s", changes, at, answers[i]);
      g_test_fail ();
    }
}

typedef struct
{
  const char *text;
  const char *html;
} Tail;

static const char table[] = "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
                            "<td><strong>b</strong></td>\n</tr>\n</tbody>\n</table>\n";

/* What is shown of a text that has come so far. */
static void
test_tails (void)
{
  static const Tail tails[] = {
    { "a **bold", "<p>a <strong>bold</strong></p>\n" },
    { "a **bold ", "<p>a <strong>bold</strong></p>\n" },
    { "a **bold*", "<p>a <strong>bold</strong></p>\n" },
    { "a **bold**", "<p>a <strong>bold</strong></p>\n" },
    { "a **", "<p>a</p>\n" },
    { "*a **b", "<p><em>a <strong>b</strong></em></p>\n" },
    { "***a", "<p><em><strong>a</strong></em></p>\n" },
    { "a `cod", "<p>a <code>cod</code></p>\n" },
    { "a ``c`d", "<p>a <code>c`d</code></p>\n" },
    { "a ~~b", "<p>a <del>b</del></p>\n" },
    { "about ~5 minutes", "<p>about ~5 minutes</p>\n" },
    { "2 * 3", "<p>2 * 3</p>\n" },
    { "a [b](https://c", "<p>a [b]</p>\n" },
    { "a [b](c d", "<p>a [b](c d</p>\n" },
    { "a https://b.org/_c", "<p>a https://b.org/_c</p>\n" },
    { "a https://b.org/_c ", "<p>a https://b.org/_c</p>\n" },
    { "a\n-", "<p>a</p>\n" },
    { "a\n=", "<p>a</p>\n" },
    { "a\n==\n", "<h1>a</h1>\n" },
    { "- ", "" },
    { "- a", "<ul>\n<li>a</li>\n</ul>\n" },
    { "12", "" },
    { "12.", "" },
    { "12 a", "<p>12 a</p>\n" },
    { "##", "" },
    { "## a", "<h2>a</h2>\n" },
    { "```", "" },
    { "```py", "" },
    { "```py\n", "<pre><code class=\"language-py\"></code></pre>\n" },
    { "```py\na\n``", "<pre><code class=\"language-py\">a\n</code></pre>\n" },
    { "|a|b|\n|-", "<p>|a|b|</p>\n" },
    { "|a|\n|-|\n|**b", table },
    { "[a]: https://b", "" },
    { "[a", "" },
    { "[a] b", "<p>[a] b</p>\n" },
    { "<di", "" },
    { "$$\nx", "<x-math>x</x-math>\n" },
    { "$$\nx\n$", "<x-math>x</x-math>\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    {
      g_autofree char *html = markdown_to_html (tails[i].text, strlen (tails[i].text), TRUE);

      if (strcmp (html, tails[i].html) == 0)
        continue;
      g_test_message ("\"%s\" is %s, not %s", tails[i].text, html, tails[i].html);
      g_test_fail ();
    }
}

/* Long texts are cut, too, and cuts stay. */
static void
test_long (void)
{
  static const char *const lines[] = { "a line of text, of which there are many more\n",
                                       "- an item\n",
                                       "  more of it\n",
                                       "1. one\n",
                                       "> quoted\n",
                                       "\n",
                                       "```\n",
                                       "    code\n",
                                       "| a | b |\n|---|---|\n",
                                       "# heading\n",
                                       "- \n",
                                       "<p>\n",
                                       "$$\n",
                                       "  - inner\n",
                                       "\r\n",
                                       "word word word word word word word word word " };
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gsize start = 0, context = 0;

      while (text->len < 30000)
        {
          const guint n = (guint) g_rand_int_range (random, 1, i % 2 == 0 ? 3 : 400);
          const char *line = lines[g_rand_int_range (random, 0, (int) G_N_ELEMENTS (lines))];

          for (guint k = 0; k < n; k++)
            g_string_append (text, line);
        }
      while (start < text->len)
        {
          gsize next;
          const gsize end =
              gadget_markdown_segment_end (text->str, text->len, start, context, &next);

          for (gsize n = start + 1; n < text->len && n < end + 9000; n += 1 + (n - start) / 16)
            {
              gsize other;
              const gsize part = gadget_markdown_segment_end (text->str, n, start, context, &other);

              g_assert_true (part == n || (part == end && other == next));
            }
          start = end;
          context = next;
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ui/markdown-stream/commonmark", "commonmark-0.31.2.txt", test_examples);
  g_test_add_data_func ("/ui/markdown-stream/gfm", "gfm-0.29.txt", test_examples);
  g_test_add_func ("/ui/markdown-stream/long", test_long);
  g_test_add_func ("/ui/markdown-stream/answers", test_answer);
  g_test_add_func ("/ui/markdown-stream/tails", test_tails);
  return g_test_run ();
}
