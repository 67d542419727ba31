/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a pattern finds: case, accents, other scripts, words; and that text with markup is never
 * passed over where its shown form has a match. */

#include "config.h"

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-text-pattern.h"

#include <string.h>

/* Returns the matches as "start-end" with spaces between. */
static char *
find (const char *query, const char *text, gboolean match_case, gboolean whole_words)
{
  g_autoptr (GadgetTextPattern) pattern = gadget_text_pattern_new (query, match_case, whole_words);
  GString *out = g_string_new (NULL);
  gsize start, end = 0;

  while (pattern != NULL
         && gadget_text_pattern_next (pattern, text, strlen (text), end, &start, &end))
    g_string_append_printf (out, "%s%" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT, out->len > 0 ? " " : "",
                            start, end);
  return g_string_free_and_steal (out);
}

static const struct
{
  const char *query;
  const char *text;
  const char *any_case; /* what is found */
  const char *same_case;
  const char *words;
} cases[] = {
  { "close", "Close, closed; CLOSE", "0-5 7-12 15-20", "7-12", "0-5 15-20" },
  { "aa", "aaaaa", "0-2 2-4", "0-2 2-4", "" },
  { "straße", "STRASSE Straße", "0-7 8-15", "", "0-7 8-15" },
  { "strasse", "Straße", "0-7", "", "0-7" },
  { "s", "ß", "", "", "" },
  { "é", "e\u0301 É a", "0-3 4-6", "0-3", "0-3 4-6" },
  { "e", "é e\u0301 e", "7-8", "7-8", "7-8" },
  { "привет", "Привет, привет", "0-12 14-26", "14-26", "0-12 14-26" },
  { "σ", "ΟΔΟΣ ς σ", "6-8 9-11 12-14", "12-14", "9-11 12-14" },
  { "中文", "这是中文的文本", "6-12", "6-12", "6-12" },
  { "k", "\u212a k", "0-3 4-5", "4-5", "0-3 4-5" },
  { "ﬁ", "ﬁ fi", "0-3 4-6", "0-3", "0-3 4-6" },
  { "a b", "a\nb a\u00a0b a\tb a  b", "0-3 4-8 9-12", "0-3 4-8 9-12", "0-3 4-8 9-12" },
  { "ran ls", "Ran \u2068ls\u2069 now", "0-9", "", "0-9" },
  { "hyphen", "hy\u00adphen", "0-8", "0-8", "0-8" },
  { "close", "g_input_stream_close_async", "15-20", "15-20", "" },
  { "don't", "don't", "0-5", "0-5", "0-5" },
  { "don", "don't", "0-3", "0-3", "" },
  { "(", "f (x)", "2-3", "2-3", "2-3" },
  { "👩‍💻", "an 👩‍💻", "3-14", "3-14", "3-14" },
  { "कि", "कि क", "0-6", "0-6", "0-6" },
  { "क", "कि क", "7-10", "7-10", "7-10" },
  { "x", "", "", "", "" },
};

static void
test_find (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *any_case = find (cases[i].query, cases[i].text, FALSE, FALSE);
      g_autofree char *same_case = find (cases[i].query, cases[i].text, TRUE, FALSE);
      g_autofree char *words = find (cases[i].query, cases[i].text, FALSE, TRUE);

      g_test_message ("“%s” in “%s”", cases[i].query, cases[i].text);
      g_assert_cmpstr (any_case, ==, cases[i].any_case);
      g_assert_cmpstr (same_case, ==, cases[i].same_case);
      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

static void
test_nothing (void)
{
  g_assert_null (gadget_text_pattern_new ("", FALSE, FALSE));
  g_assert_null (gadget_text_pattern_new ("\u2068\u2069", FALSE, FALSE));
}

/* A boundary is found by what is around the match, also far into a long line. */
static void
test_long_line (void)
{
  g_autofree char *before = g_strnfill (5000, 'x');
  g_autofree char *text = g_strconcat (before, " word sword ", before, NULL);
  g_autofree char *found = find ("word", text, FALSE, TRUE);

  g_assert_cmpstr (found, ==, "5001-5005");
}

static const char *const sources[] = {
  "It is now cl**os**ed in `two` steps, a *b*c d_e_ and ~~no~~ more.",
  "# A `heading`\n\nand a line\nthat goes on\n  with spaces   \nand a break\\\nhere",
  "- one *two*\n  three\n- [ ] four\n  > five\n  > six\n",
  "See [the man**ual**](https://example.org/a_b?c=1 \"title\"), ![alt](https://e.org/p.png) and "
  "<https://example.org> or [ref][x] ok\n\n[x]: https://example.com/ref\n",
  "Tom &amp; Jerry, &eacute;t&eacute;, x &lt; y, \\*not\\* and \\_so\\_",
  "The sum $\\alpha_1 + \\beta^2$ and \\(\\frac{1}{2}\\) is $$\\int_0^1 x\\,dx$$ good",
  "| a | b **c** |\n|---|:-:|\n| d `e` f | g \\| h |\n",
  "```c\nint x = a < b && c > d;\n```\n\n    indented *code* here\n\nText<br>more <b>bo</b>ld "
  "<kbd>x</kbd>",
  "> quote\n> goes *on\n> and* on\n\nfoot[^1]: x: y\n***a***b __c__ d",
};

static void
check_part (const char *part, const char *source)
{
  g_autoptr (GadgetTextPattern) pattern = gadget_text_pattern_new (part, TRUE, FALSE);

  if (pattern != NULL && !gadget_text_pattern_may_be_in_markup (pattern, source, strlen (source)))
    g_error ("“%s” is shown, but passed over in “%s”", part, source);
}

static guint
check_text (const GadgetMarkdownText *text, const char *source)
{
  guint n = 0;

  for (const char *p = text->text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const char *end = p;

      for (guint length = 1; length <= 9 && *end != '\0'; length++)
        {
          g_autofree char *part = NULL;

          end = g_utf8_next_char (end);
          part = g_strndup (p, (gsize) (end - p));
          check_part (part, source);
          n++;
        }
    }
  return n;
}

static void
test_markup (void)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
      g_autoptr (GadgetMarkdownDocument) document = NULL;
      const gsize length = strlen (sources[i]);

      /* Where there are definitions, an address may come from anywhere: all is read then. */
      if (strstr (sources[i], "]:") == NULL)
        gadget_markdown_definitions_scan (definitions, sources[i], length, FALSE);
      document = gadget_markdown_parse_in (sources[i], length, 0, length, 0, definitions, FALSE);
      for (guint k = 0; k < document->leaves->len; k++)
        {
          const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, k);

          n += check_text (leaf->text, sources[i]);
          for (guint c = 0; leaf->table != NULL && c < leaf->table->cells->len; c++)
            n += check_text (g_ptr_array_index (leaf->table->cells, c), sources[i]);
        }
    }
  g_assert_cmpuint (n, >, 3000);
}

/* Most of what is not there is passed over, which is what it is for. */
static void
test_markup_passed (void)
{
  g_autoptr (GadgetTextPattern) pattern = gadget_text_pattern_new ("closely", FALSE, FALSE);

  g_assert_false (gadget_text_pattern_may_be_in_markup (pattern, sources[0], strlen (sources[0])));
  g_assert_false (gadget_text_pattern_may_be_in_markup (pattern, sources[1], strlen (sources[1])));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-pattern/find", test_find);
  g_test_add_func ("/text-pattern/nothing", test_nothing);
  g_test_add_func ("/text-pattern/long-line", test_long_line);
  g_test_add_func ("/text-pattern/markup", test_markup);
  g_test_add_func ("/text-pattern/markup-passed", test_markup_passed);
  return g_test_run ();
}
