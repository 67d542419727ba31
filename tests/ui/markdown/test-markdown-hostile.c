/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown that nobody means well with: deep, long, broken, deceiving. */

#include "config.h"

#include "markdown-check.h"

#include "ui/markdown/gadget-markdown-scanner.h"
#include "ui/markdown/gadget-markdown.h"

#include <string.h>

static void
test_deep (void)
{
  static const char *const parts[] = {
    ">",  "> ",  "- ", "1. ", "[",    "](", "![",    "*",  "**a ", "_a ", "`", "``a`", "<a ", "<",
    "$a", "\\(", "|",  "a|",  "~~a ", "&#", "[a]: ", "\\", "#",    "\t",  "(", "<!--", "[^",  "- > "
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < 100000; k++)
        g_string_append (text, parts[i]);
      g_string_append (text, "end\n");
      markdown_check_all (text->str, text->len);
    }
}

/* Each line deeper in the last one. */
static void
test_stairs (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%*s- item\n", (int) (2 * i), "");
  markdown_check_all (text->str, text->len);
}

static void
test_long (void)
{
  static const char *const begins[] = {
    "",    "# ",    "- ",   "> ",        "```\n",      "    ", "| a |\n|---|\n| ",
    "<p>", "[a]: ", "$$\n", "- ```\n  ", "1. a\n\n   "
  };

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      g_autoptr (GString) text = g_string_new (begins[i]);

      for (guint k = 0; k < 1000000 / 2; k++)
        g_string_append (text, "\303\251");
      g_assert_cmpuint (markdown_check_all (text->str, text->len), >=, 1000000 / 37000);
    }
}

static void
test_many_lines (void)
{
  static const char *const lines[] = { "\n",           "a\n",       "- a\n", "> a\n",   "1. a\n",
                                       "    a\n",      "a\n\n",     "# a\n", "- a\n\n", "> a\n>\n",
                                       "a\r",          "a\r\n",     "---\n", "|a|\n",   "<p>\n",
                                       "- a\n  - b\n", "- a\n  b\n" };
  static const char *const begins[] = { "", "```\n", "|a|\n|-|\n", "- a\n\n", "<!--\n", "- ```\n" };

  for (guint i = 0; i < G_N_ELEMENTS (lines) * G_N_ELEMENTS (begins); i++)
    {
      g_autoptr (GString) text = g_string_new (begins[i / G_N_ELEMENTS (lines)]);

      for (guint k = 0; k < 6000; k++)
        g_string_append (text, lines[i % G_N_ELEMENTS (lines)]);
      markdown_check_all (text->str, text->len);
    }
}

/* What is shown of one paragraph. (transfer full) */
static char *
show (const char *text, gsize length)
{
  g_autoptr (GadgetMarkdownDocument) document =
      gadget_markdown_parse (text, 0, length, 0, NULL, FALSE);

  markdown_check_document (document, 0, length);
  g_assert_cmpuint (document->leaves->len, ==, 1);
  return g_strdup (gadget_markdown_document_get_leaf (document, 0)->text->text);
}

static void
test_bytes (void)
{
  static const struct
  {
    const char *text;
    gsize length;
    const char *shown;
  } cases[] = {
    { "a\0b", 3, "a\357\277\275b" },
    { "a\377b", 3, "a\357\277\275b" },
    { "a\303", 2, "a\357\277\275" },
    { "\355\240\200", 3, "\357\277\275\357\277\275\357\277\275" },
    { "a\033[31mb", 7, "a\\x1b[31mb" },
    { "a\342\200\256b", 5, "a\\u202eb" },
    { "a\342\201\246b", 5, "a\\u2066b" },
    { "a&#x202e;b", 10, "a\\u202eb" },
    { "`a\342\200\256b`", 7, "a\\u202eb" },
    { "&#0;", 4, "\357\277\275" },
    { "a\342\200\217b", 5, "a\342\200\217b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = show (cases[i].text, cases[i].length);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_links (void)
{
  static const struct
  {
    const char *text;
    const char *shown;
    gboolean opens;
  } cases[] = {
    { "[a](https://b.org)", "a", TRUE },
    { "[a](HTTP://b.org)", "a", TRUE },
    { "[a](mailto:b@c.org)", "a", TRUE },
    { "<https://b.org>", "https://b.org", TRUE },
    { "[a](javascript:alert%281%29)", "a (javascript:alert%281%29)", FALSE },
    { "[a](JavaScript:x)", "a (JavaScript:x)", FALSE },
    { "[a](&#106;avascript:x)", "a (javascript:x)", FALSE },
    { "[a](<java\tscript:x>)", "a (java\tscript:x)", FALSE },
    { "[a](data:text/html,x)", "a (data:text/html,x)", FALSE },
    { "[a](file:///etc/passwd)", "a (file:///etc/passwd)", FALSE },
    { "[a](/b)", "a (/b)", FALSE },
    { "[b.c](b.c)", "b.c", FALSE },
    { "[a](https:b)", "a (https:b)", FALSE },
    { "[a](< https://b.org>)", "a ( https://b.org)", FALSE },
    { "![a](https://b.org/c.png)", "a (https://b.org/c.png)", FALSE },
    { "![](c.png)", "(c.png)", FALSE },
    { "<javascript:x>", "javascript:x", FALSE },
    { "[a](https://b.org/\342\200\256c)", "a", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gsize length = strlen (cases[i].text);
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse (cases[i].text, 0, length, 0, NULL, FALSE);
      const GadgetMarkdownText *text = gadget_markdown_document_get_leaf (document, 0)->text;
      gboolean opens = FALSE;

      for (guint k = 0; k < text->spans->len; k++)
        opens =
            opens
            || g_array_index (text->spans, GadgetMarkdownSpan, k).kind == GADGET_MARKDOWN_SPAN_LINK;
      g_assert_cmpstr (text->text, ==, cases[i].shown);
      g_assert_true (opens == cases[i].opens);
    }
}

/* Lines that end as those of old computers do, where they stand. */
static void
test_returns (void)
{
  static const char *const texts[] = { "```\na\r\rb\n", "```\r\na\r\n\r\nb\r\n```\r\n",
                                       "```\na\r\r**b&amp;\n", "    a\r    b\r\rc\r",
                                       "a\rb\r\nc  \rd\r" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    markdown_check_all (texts[i], strlen (texts[i]));
}

/* Lines of any length end where they end. */
static void
test_line_ends (void)
{
  static const char *const ends[] = { "", "\n", "\r", "\r\n" };

  for (gsize length = 0; length < 2000; length++)
    for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
      {
        g_autofree char *line = g_strnfill (length, 'x');
        g_autofree char *text = g_strdup_printf ("\n%s%s", line, ends[i]);
        g_autofree char *more = g_strconcat (text, "\r\n", NULL);
        gsize next = 0;

        g_assert_cmpuint (gadget_markdown_find_line (text, strlen (text), 1, &next), ==,
                          length + 1);
        g_assert_cmpuint (next, ==, strlen (text));
        if (i > 0)
          g_assert_cmpuint (gadget_markdown_find_line (more, strlen (more), 1, &next), ==,
                            length + 1);
        g_assert_cmpuint (next, ==, strlen (text));
      }
}

/* A definition counts when its line is complete, which a return alone ends, too. */
static void
test_returned_definition (void)
{
  static const char *const ends[] = { "\n", "\r", "\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text = g_strdup_printf ("[a]: https://b.org%s[c", ends[i]);
      g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();

      g_assert_false (gadget_markdown_definitions_scan (definitions, text, 18, TRUE));
      g_assert_true (gadget_markdown_definitions_scan (definitions, text, strlen (text), TRUE));
    }
}

/* Anything at all, of pieces that mean something: also cut short, as it comes. */
static void
test_random (void)
{
  static const char *const pieces[] = {
    "a",      "b ",  "\n",       "\n\n", "- ",  "  ",    "    ", "1. ", "> ",  "# ",
    "```\n",  "`",   "*",        "**",   "_",   "[",     "](",   ")",   "]",   "![",
    "|",      "|-|", "---",      "===",  "$",   "$$",    "\\",   "\\(", "\\)", "\\[",
    "\\]",    "<b>", "<div>",    "<!--", "-->", "&amp;", "\t",   "\r",  "~~",  "https://a.b",
    "[x]: y", "[ ]", "\303\251", "\377", "\"",  "'"
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 3000; i++)
    {
      const guint n = (guint) g_rand_int_range (random, 1, 60);
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < n; k++)
        g_string_append (text, pieces[g_rand_int_range (random, 0, (int) G_N_ELEMENTS (pieces))]);
      markdown_check_all (text->str, text->len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown-hostile/deep", test_deep);
  g_test_add_func ("/ui/markdown-hostile/stairs", test_stairs);
  g_test_add_func ("/ui/markdown-hostile/long", test_long);
  g_test_add_func ("/ui/markdown-hostile/many-lines", test_many_lines);
  g_test_add_func ("/ui/markdown-hostile/bytes", test_bytes);
  g_test_add_func ("/ui/markdown-hostile/links", test_links);
  g_test_add_func ("/ui/markdown-hostile/returns", test_returns);
  g_test_add_func ("/ui/markdown-hostile/line-ends", test_line_ends);
  g_test_add_func ("/ui/markdown-hostile/returned-definition", test_returned_definition);
  g_test_add_func ("/ui/markdown-hostile/random", test_random);
  return g_test_run ();
}
