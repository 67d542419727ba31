/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tags of HTML that say how words look. */

#include "config.h"

#include "markdown-check.h"
#include "markdown-html.h"

#include <string.h>

typedef struct
{
  const char *markdown;
  const char *html;
} Case;

static void
check (const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *html =
          markdown_to_html (cases[i].markdown, strlen (cases[i].markdown), FALSE);

      markdown_check_all (cases[i].markdown, strlen (cases[i].markdown));
      if (strcmp (html, cases[i].html) == 0)
        continue;
      g_test_message ("\"%s\" is %s, not %s", cases[i].markdown, html, cases[i].html);
      g_test_fail ();
    }
}

static void
test_pairs (void)
{
  static const Case cases[] = {
    { "<b>a</b> <strong>b</strong>", "<p><strong>a</strong> <strong>b</strong></p>\n" },
    { "<i>a</i> <em>b</em>", "<p><em>a</em> <em>b</em></p>\n" },
    { "<s>a</s> <del>b</del> <strike>c</strike>",
      "<p><del>a</del> <del>b</del> <del>c</del></p>\n" },
    { "<u>a</u> <ins>b</ins> <mark>c</mark>", "<p><u>a</u> <u>b</u> <mark>c</mark></p>\n" },
    { "<kbd>Ctrl</kbd>+<code>C</code>", "<p><code>Ctrl</code>+<code>C</code></p>\n" },
    { "<B CLASS=\"x\" id=y>a</b >", "<p><strong>a</strong></p>\n" },
    { "**a <u>b** c</u>", "<p><strong>a <u>b</strong> c</u></p>\n" },
    { "**a <u>b</u>** c", "<p><strong>a <u>b</u></strong> c</p>\n" },
    { "<u>a **b** c</u>", "<p><u>a <strong>b</strong> c</u></p>\n" },
    { "<b>a <i>b</i></b>", "<p><strong>a <em>b</em></strong></p>\n" },
    { "<u>a\nb</u>", "<p><u>a\nb</u></p>\n" },
    { "# <u>a</u>", "<h1><u>a</u></h1>\n" },
    { "- <u>a</u>\n- b", "<ul>\n<li><u>a</u></li>\n<li>b</li>\n</ul>\n" },
    /* Code in code is one piece of it. */
    { "<kbd>`a`</kbd>", "<p><code>a</code></p>\n" },
    { "<code><kbd>a</kbd> b</code>", "<p><code>a</code> b</p>\n" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* What has no partner within its paragraph, and what is not known, is what was written. */
static void
test_text (void)
{
  static const Case cases[] = {
    { "a <b>b", "<p>a <b>b</p>\n" },
    { "a</b> b", "<p>a</b> b</p>\n" },
    { "a <b>b\n\nc</b>", "<p>a <b>b</p>\n<p>c</b></p>\n" },
    { "<u>a <i>b</u>", "<p><u>a <i>b</u></p>\n" },
    { "<span>a</span> <x>b</x>", "<p><span>a</span> <x>b</x></p>\n" },
    { "`<b>a</b>`", "<p><code>&lt;b&gt;a&lt;/b&gt;</code></p>\n" },
    { "a < b and c > d, x<y>z", "<p>a &lt; b and c &gt; d, x<y>z</p>\n" },
    { "a <summary>b</summary>", "<p>a <summary>b</summary></p>\n" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_breaks (void)
{
  static const Case cases[] = {
    { "a<br>b", "<p>a<br />\nb</p>\n" },
    { "a <br/> b<br />c", "<p>a <br />\nb<br />\nc</p>\n" },
    { "a<br>\nb", "<p>a\nb</p>\n" },
    { "a<br><br>b", "<p>a<br />\n<br />\nb</p>\n" },
    { "a<br>", "<p>a</p>\n" },
    { "| a |\n|---|\n| b<br>c |",
      "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b<br />\nc</td>\n"
      "</tr>\n</tbody>\n</table>\n" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* A summary is a bold line; what is between the blocks is Markdown. */
static void
test_details (void)
{
  static const Case cases[] = {
    { "<details>\n<summary>Why</summary>\n\nSo *it* is.\n\n</details>\n",
      "<p><strong>Why</strong></p>\n<p>So <em>it</em> is.</p>\n" },
    { "<details><summary>Why</summary>\n\n- a\n\n</details>\n",
      "<p><strong>Why</strong></p>\n<ul>\n<li>a</li>\n</ul>\n" },
    { "<details open>\n  <summary>The <code>why</code> of it</summary>\n  It is.\n</details>\n",
      "<p><strong>The <code>why</code> of it</strong>\nIt is.</p>\n" },
    { "<details>\n<summary>Why</summary>\n</details>\n", "<p><strong>Why</strong></p>\n" },
    { "a\n\n<br>\n\nb", "<p>a</p>\n<p>b</p>\n" },
    { "- <details>\n  <summary>Why</summary>\n- b\n",
      "<ul>\n<li><strong>Why</strong></li>\n<li>b</li>\n</ul>\n" },
    /* Not all of it is known, or it is not whole. */
    { "<details>\n<summary>Why</summary>\n<table><tr><td>a</table>\n</details>\n",
      "<details>\n<summary>Why</summary>\n<table><tr><td>a</table>\n</details>\n" },
    { "<details>\n<summary>Why\n\na\n", "<details>\n<summary>Why\n<p>a</p>\n" },
    { "<details>\n<summary>Why <kb\n", "<details>\n<summary>Why <kb\n" },
    { "<div>\n<b>a</b>\n</div>\n", "<div>\n<b>a</b>\n</div>\n" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* Numbers have characters of their own, which they keep wherever they are copied to. */
static void
test_scripts (void)
{
  static const Case cases[] = {
    { "10<sup>-6</sup>", "<p>10⁻⁶</p>\n" },
    { "H<sub>2</sub>O", "<p>H₂O</p>\n" },
    { "x<sup>n+1</sup>", "<p>xⁿ⁺¹</p>\n" },
    { "x<sup>&#54;</sup> y", "<p>x⁶ y</p>\n" },
    { "1<sup>st</sup>", "<p>1<sup>st</sup></p>\n" },
    { "v<sub>max</sub>", "<p>v<sub>max</sub></p>\n" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* The tags are in what is copied of the source. */
static void
test_source (void)
{
  static const char source[] = "Press <kbd>Ctrl</kbd> and 10<sup>6</sup> or<br>x <u>now</u>.";
  g_autoptr (GadgetMarkdownDocument) document =
      gadget_markdown_parse (source, 0, strlen (source), 0, NULL, FALSE);
  const GadgetMarkdownText *text = gadget_markdown_document_get_leaf (document, 0)->text;
  static const struct
  {
    const char *shown;
    const char *source;
  } cases[] = {
    { "Ctrl", "<kbd>Ctrl</kbd>" }, { "tr", "tr" },          { "10⁶", "10<sup>6" },
    { "or\nx", "or<br>x" },        { "now", "<u>now</u>" },
  };

  g_assert_cmpstr (text->text, ==, "Press Ctrl and 10⁶ or\nx now.");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *at = strstr (text->text, cases[i].shown);
      const guint start = (guint) (at - text->text);
      g_autofree char *copied = NULL;
      gsize from, to;

      g_assert_true (gadget_markdown_text_get_source (
          text, start, start + (guint) strlen (cases[i].shown), &from, &to));
      copied = g_strndup (source + from, to - from);
      g_assert_cmpstr (copied, ==, cases[i].source);
    }
}

/* No tag hides where a link leads. */
static void
test_links (void)
{
  static const char *const sources[] = {
    "[<b>good.org</b>](https://evil.org)",
    "[good<u></u>.org](https://evil.org)",
    "[see <i>www.</i>good.org](https://evil.org)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse (sources[i], 0, strlen (sources[i]), 0, NULL, FALSE);

      g_assert_true (g_str_has_suffix (gadget_markdown_document_get_leaf (document, 0)->text->text,
                                       " (evil.org)"));
    }
}

/* As many as there may be: nothing is slow, and offsets stay in order. */
static void
test_many (void)
{
  static const char *const parts[] = { "<b>",  "</b>",     "<b>a</b>", "<br>",
                                       "<u>x", "</u><u>y", "<sup>1",   "a<sub>2</sub> **b** " };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new ("| a |\n|---|\n| ");

      while (text->len < 20000)
        g_string_append (text, parts[i]);
      markdown_check_all (text->str, text->len);
      markdown_check_all (text->str + 14, text->len - 14);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown/tags/pairs", test_pairs);
  g_test_add_func ("/ui/markdown/tags/text", test_text);
  g_test_add_func ("/ui/markdown/tags/breaks", test_breaks);
  g_test_add_func ("/ui/markdown/tags/details", test_details);
  g_test_add_func ("/ui/markdown/tags/scripts", test_scripts);
  g_test_add_func ("/ui/markdown/tags/source", test_source);
  g_test_add_func ("/ui/markdown/tags/links", test_links);
  g_test_add_func ("/ui/markdown/tags/many", test_many);
  return g_test_run ();
}
