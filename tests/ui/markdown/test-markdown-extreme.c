/* SPDX-License-Identifier: GPL-3.0-or-later */

/* So much of one thing that what is slow shows: each text is looked at as a whole, and while it
 * comes, within a time that only what grows with its square takes. */

#include "config.h"

#include "markdown-check.h"

#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/markdown/gadget-markdown.h"

#include <string.h>

/* Of work. What is as it should be takes less than two; with a sanitizer, on a busy machine,
 * seventy. What grows with the square of the length takes hours. */
#define MAX_SECONDS 200

#define N_STEPS 300

static double
get_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* As the rows of a text do that grows: the last segment is parsed again for each piece. */
static void
grow (const char *text, gsize length)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  gsize start = 0, context = 0;

  for (guint step = 1; step <= N_STEPS; step++)
    {
      const gsize now = length * step / N_STEPS;
      gsize end, next;

      gadget_markdown_definitions_scan (definitions, text, now, TRUE);
      while (start < now
             && (end = gadget_markdown_segment_end (text, now, start, context, &next)) < now)
        {
          g_autoptr (GadgetMarkdownDocument) closed =
              gadget_markdown_parse_in (text, now, start, end, context, definitions, TRUE);

          g_assert_nonnull (closed);
          start = end;
          context = next;
        }
      if (start < now)
        {
          g_autoptr (GadgetMarkdownDocument) open =
              gadget_markdown_parse_in (text, now, start, now, context, definitions, TRUE);

          g_assert_nonnull (open);
        }
    }
}

static void
check (const char *name, const char *text, gsize length)
{
  const double begin = get_work ();

  markdown_check_all (text, length);
  grow (text, length);
  g_test_message ("%s: %.2f s for %zu bytes", name, get_work () - begin, length);
  g_assert_cmpfloat (get_work () - begin, <, MAX_SECONDS);
}

static void
test_many (void)
{
  static const struct
  {
    const char *name;
    const char *first;
    const char *again;
    guint n;
    const char *last;
  } cases[] = {
    { "quotes", "", ">", 100000, "x\n" },
    { "no space", "", "x", 1000000, "" },
    { "tables", "", "| a | b |\n|---|---|\n| 1 | 2 |\n\n", 5000, "" },
    { "columns", "|", " a |", 10000, "\n" },
    { "digits", "", "1", 10000, ". item\n" },
    { "emphasis", "", "*a **b ", 20000, "\n" },
    { "closed emphasis", "", "*a **b** c* ", 20000, "\n" },
    { "marks", "", "*_", 100000, "x\n" },
    { "zalgo", "Z", "\314\201\314\222\315\240", 10000, "\n" },
    { "bidi", "", "\342\200\256\342\201\246a ", 20000, "\n" },
    { "escapes", "", "\033[31m\033]0;x\a\r", 20000, "\n" },
    { "markup", "", "<span foreground='red'>&lt;b&gt;</span>", 10000, "\n" },
    { "backticks", "", "` `` ``` ", 20000, "\n" },
    { "dollars", "", "$a ", 50000, "\n" },
    { "formulas", "", "\\(a ", 50000, "\n" },
    { "links", "", "[a](b ", 30000, "\n" },
    { "brackets", "", "[a][", 50000, "\n" },
    { "tags", "", "<a b='", 30000, "\n" },
    { "footnotes", "", "[^1]", 50000, "\n" },
    { "references", "", "[a] [b] ", 50000, "\n\n[a]: https://example.org\n" },
    { "code in items", "- ```\n", "  x\n", 50000, "  ```\n" },
    { "codes in items", "", "- ```\n  x\n  ```\n", 10000, "" },
    { "quoted lines", "", "> **a\n", 50000, "" },
    { "items", "", "1. a\n", 50000, "" },
    { "rules", "", "- - - x\n", 20000, "" },
    { "invalid", "", "\377\300\200\355\240\200 ", 50000, "\n" },
    { "urls", "", "https://example.org/_a_ ", 20000, "\n" },
    { "mails", "", "a@b.c_", 50000, "\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (cases[i].first);

      for (guint k = 0; k < cases[i].n; k++)
        g_string_append (text, cases[i].again);
      g_string_append (text, cases[i].last);
      check (cases[i].name, text->str, text->len);
    }
}

/* A table that is as wide as its header says, with rows of as many cells. */
static void
test_wide_table (void)
{
  g_autoptr (GString) text = g_string_new ("|");

  for (guint i = 0; i < 10000; i++)
    g_string_append (text, "a|");
  g_string_append (text, "\n|");
  for (guint i = 0; i < 10000; i++)
    g_string_append (text, "-|");
  for (guint row = 0; row < 50; row++)
    g_string_append (text, "\n| 1 | 2 |");
  check ("wide table", text->str, text->len);
}

/* Each with a label of its own, used before and behind them. */
static void
test_definitions (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "[l%u] ", i);
  g_string_append (text, "\n\n");
  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "[l%u]: https://example.org/%u\n", i, i);
  g_string_append (text, "\n[l99999] [l0]\n");
  check ("definitions", text->str, text->len);
}

/* A number above nine digits is none of a list. */
static void
test_digits (void)
{
  static const char *const texts[] = { "1234567890. x\n", "99999999999999999999. x\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse (texts[i], 0, strlen (texts[i]), 0, NULL, FALSE);

      g_assert_cmpuint (document->leaves->len, ==, 1);
      g_assert_cmpuint (gadget_markdown_document_get_leaf (document, 0)->n_containers, ==, 0);
    }
}

/* Nothing is opened that is no web page and no mail, however it is written. */
static void
test_addresses (void)
{
  static const char *const texts[] = {
    "[a]( javascript:alert(1))",
    "[a](<\tjavascript:x>)",
    "[a](java&#10;script:x)",
    "[a](java&Tab;script:x)",
    "[a](javascript&colon;x)",
    "[a](&#x6A;&#x61;vascript:x)",
    "[a](\\javascript:x)",
    "[a](JAVASCRIPT:x)",
    "[a](\001javascript:x)",
    "[a](\302\240javascript:x)",
    "[a](vbscript:x)",
    "[a](DATA:text/html;base64,PHNjcmlwdD4=)",
    "[a](FILE:///etc/passwd)",
    "[a](file://localhost/etc/passwd)",
    "[a](smb://host/share)",
    "[a](//example.org/x)",
    "[a](http:example.org)",
    "[a](https:/example.org)",
    "[a](x-scheme:https://example.org)",
    "[a](javascript:https://example.org)",
    "[a][b]\n\n[b]: javascript:x",
    "[a][b]\n\n[b]: <data:text/html,x>",
    "[b]\n\n[b]: FiLe:///etc/passwd",
    "<data:text/html,x>",
    "<file:///etc/passwd>",
    "<JavaScript:x>",
    "![a](javascript:x)",
    "![a](file:///etc/passwd)",
    "[![a](file:///x)](javascript:x)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
      const gsize length = strlen (texts[i]);
      g_autoptr (GadgetMarkdownDocument) document = NULL;

      gadget_markdown_definitions_scan (definitions, texts[i], length, FALSE);
      document = gadget_markdown_parse (texts[i], 0, length, 0, definitions, FALSE);
      for (guint k = 0; k < document->leaves->len; k++)
        {
          const GArray *spans = gadget_markdown_document_get_leaf (document, k)->text->spans;

          for (guint n = 0; n < spans->len; n++)
            g_assert_cmpint (g_array_index (spans, GadgetMarkdownSpan, n).kind, !=,
                             GADGET_MARKDOWN_SPAN_LINK);
        }
    }
}

/* Characters that reorder and those that are not printed are seen as such, in code of any kind,
 * too; what looks like the markup of Pango is text. */
static void
test_shown (void)
{
  static const struct
  {
    const char *text;
    const char *shown;
  } cases[] = {
    { "```\na\342\200\256b\n```\n", "a\\u202eb" },
    { "    a\342\201\247b\n", "a\\u2067b" },
    { "- ```\n  a\342\200\252b\n  ```\n", "a\\u202ab" },
    { "# a\342\200\256b\n", "a\\u202eb" },
    { "<p>\342\200\256</p>\n", "<p>\\u202e</p>" },
    { "```\n\033[2J\a\n```\n", "\\x1b[2J\\x07" },
    { "$a\342\200\256b$", "a\\u202eb" },
    { "<big>a</big> &lt;i&gt; <span size='99'>", "<big>a</big> <i> <span size='99'>" },
    { "<b>&lt;i&gt;</b> &lt;/b&gt;", "<i> </b>" },
    { "`<b>&amp;</b>`", "<b>&amp;</b>" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse (cases[i].text, 0, strlen (cases[i].text), 0, NULL, FALSE);

      g_assert_cmpuint (document->leaves->len, ==, 1);
      g_assert_cmpstr (gadget_markdown_document_get_leaf (document, 0)->text->text, ==,
                       cases[i].shown);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown-extreme/many", test_many);
  g_test_add_func ("/ui/markdown-extreme/wide-table", test_wide_table);
  g_test_add_func ("/ui/markdown-extreme/definitions", test_definitions);
  g_test_add_func ("/ui/markdown-extreme/digits", test_digits);
  g_test_add_func ("/ui/markdown-extreme/addresses", test_addresses);
  g_test_add_func ("/ui/markdown-extreme/shown", test_shown);
  return g_test_run ();
}
