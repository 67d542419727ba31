/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown while it is written: a byte more at a time. */

#include "config.h"

#include "markdown-forms.h"
#include "markdown-html.h"

#include "ui/markdown/gadget-markdown-segment.h"

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
      changes = markdown_forms_count_changes (example->markdown, length, 1, NULL, &at);
      if ((changes > 1) != is_changing (example->number))
        {
          g_test_message ("%u %s: %u changes at %zu\n%s", example->number, example->section,
                          changes, at, example->markdown);
          g_test_fail ();
        }
    }
}

/* The same in pieces of any length. */
static void
test_pieces (gconstpointer data)
{
  g_autoptr (GPtrArray) examples = markdown_examples_load (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 4 * examples->len; i++)
    {
      const MarkdownExample *example = g_ptr_array_index (examples, i % examples->len);
      gsize at = 0;
      const guint changes = markdown_forms_count_changes (
          example->markdown, strlen (example->markdown), 1, random, &at);

      if (changes <= 1 || is_changing (example->number))
        continue;
      g_test_message ("%u %s: %u changes at %zu\n%s", example->number, example->section, changes,
                      at, example->markdown);
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
    { "It costs $5 and $10.", "<p>It costs $5 and $10.</p>\n" },
    { "US$5, $6-$7, $8/$9", "<p>US$5, $6-$7, $8/$9</p>\n" },
    { "a $x$ for $5", "<p>a <x-math>x</x-math> for $5</p>\n" },
    { "a \\(x\\) b", "<p>a <x-math>x</x-math> b</p>\n" },
    { "a $$x$$ b", "<p>a <x-math>x</x-math> b</p>\n" },
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
    { "a <kb", "<p>a</p>\n" },
    { "a <kbd>", "<p>a</p>\n" },
    { "a <kbd>b", "<p>a <code>b</code></p>\n" },
    { "a **b <u>c", "<p>a <strong>b <u>c</u></strong></p>\n" },
    { "a <u>b **c</u> d", "<p>a <u>b <strong>c</u> d</strong></u></p>\n" },
    { "a <u>b</u", "<p>a <u>b</u></p>\n" },
    { "a <u>b</u> c", "<p>a <u>b</u> c</p>\n" },
    { "a <section", "<p>a &lt;section</p>\n" },
    { "a <", "<p>a</p>\n" },
    { "a < b", "<p>a &lt; b</p>\n" },
    { "a<br>", "<p>a</p>\n" },
    { "a<br>b", "<p>a<br />\nb</p>\n" },
    { "<u>", "" },
    { "<details>", "" },
    { "<details>\n<summ", "" },
    { "<details>\n<summary>Wh", "<p><strong>Wh</strong></p>\n" },
    { "<details>\n<summary>Why</sum", "<p><strong>Why</strong></p>\n" },
    { "<u>b", "<p><u>b</u></p>\n" },
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
  g_test_add_data_func ("/ui/markdown-stream/pieces/commonmark", "commonmark-0.31.2.txt",
                        test_pieces);
  g_test_add_data_func ("/ui/markdown-stream/pieces/gfm", "gfm-0.29.txt", test_pieces);
  g_test_add_func ("/ui/markdown-stream/long", test_long);
  g_test_add_func ("/ui/markdown-stream/tails", test_tails);
  return g_test_run ();
}
