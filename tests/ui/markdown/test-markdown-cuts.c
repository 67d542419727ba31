/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Long blocks are cut; what is at a cut is shown as if it had not been there. */

#include "config.h"

#include "markdown-forms.h"

#include "ui/markdown/gadget-markdown-segment.h"

#include <string.h>

#define CUT GADGET_MARKDOWN_SEGMENT_BYTES

/* Where the paragraph is, and what its lines begin with. */
typedef struct
{
  const char *first;
  const char *others;
} Container;

static const Container containers[] = {
  { "", "" }, { "- ", "  " }, { "> ", "> " }, { "1. > - ", "   >   " }, { "> ", "" },
};

static const char *const constructs[] = {
  "**bold words here**",
  "*emphasis with words*",
  "***both of them***",
  "_some **mixed** words_",
  "~~struck words~~",
  "`code with words`",
  "`` code ` with ``",
  "[a link with words](https://example.org/path \"and a title\")",
  "![an image here](https://example.org/a.png)",
  "[a reference with words][later]",
  "[later]",
  "<https://example.org/path>",
  "https://example.org/a_b_c/d",
  "$a + b + c$",
  "\\(a + b + c\\)",
  "$$a + b + c$$",
  "a \\*b c\\* d",
  "&amp; &lt; &copy;",
  "snake_case_name 2 * 3 * 4",
  "**bold `code words` and [a link](https://example.org)**",
  "<b>tag with words</b>",
  "<kbd>Ctrl</kbd> and <br />a break",
  "<b title='a tag'>with **bold <i>words</i>** in it</b>",
  "10<sup>-6</sup> and H<sub>2</sub>O",
  "a <mark>tag that is not closed",
  "<span>some tag</span>",
  "an *unclosed one",
  "an ` unclosed one",
  "[an unclosed one",
};

/* A paragraph with @construct at @offset, in lines of @width or in one. */
static GString *
make_text (const Container *container, const char *construct, gsize offset, gsize width)
{
  GString *text = g_string_new (container->first);
  gsize line = 0;

  while (text->len < 3 * CUT)
    {
      const gboolean now = text->len < offset && text->len + 6 >= offset;

      g_string_append (text, now ? construct : "words");
      if (width > 0 && text->len - line > width)
        {
          g_string_append_printf (text, "\n%s", container->others);
          line = text->len;
        }
      else
        g_string_append_c (text, ' ');
    }
  g_string_append (text, "end.\n\n[later]: https://example.org/later\n");
  return text;
}

static void
check_whole (const char *text, gsize length)
{
  g_autofree guint64 *whole = g_new0 (guint64, length);
  g_autofree guint64 *parts = g_new0 (guint64, length);

  markdown_forms_get_whole (text, length, whole);
  markdown_forms_get (text, length, FALSE, parts);
  for (gsize i = 0; i < length; i++)
    {
      if (whole[i] == parts[i] || g_ascii_isspace (text[i]))
        continue;
      /* A formula that is cut is shown where it begins. */
      if (parts[i] == 0 && (whole[i] & MARKDOWN_FORMS_SPAN (GADGET_MARKDOWN_SPAN_MATH)) != 0)
        continue;
      g_test_message ("%" G_GINT64_MODIFIER "x in parts, %" G_GINT64_MODIFIER
                      "x as a whole, at %zu of %zu: %.40s|%.40s",
                      parts[i], whole[i], i, length, text + i - MIN (i, 40), text + i);
      g_test_fail ();
      return;
    }
}

static void
test_inlines (void)
{
  for (guint c = 0; c < G_N_ELEMENTS (containers); c++)
    for (guint i = 0; i < G_N_ELEMENTS (constructs); i++)
      for (gsize offset = CUT - 64; offset < CUT + 16; offset += 7)
        for (gsize width = 0; width <= 70; width += 70)
          {
            g_autoptr (GString) text = make_text (&containers[c], constructs[i], offset, width);

            check_whole (text->str, text->len);
          }
}

/* Longer than a segment. */
static void
test_long (void)
{
  static const char *const marks[] = { "**", "*", "***", "~~", "`", "``" };

  for (guint c = 0; c < G_N_ELEMENTS (containers); c++)
    for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
      for (gsize width = 0; width <= 70; width += 70)
        {
          g_autoptr (GString) text = make_text (&containers[c], "x", CUT, width);
          const char *inner = strstr (text->str, "words words") + 6;

          g_string_insert (text, inner - text->str, marks[i]);
          g_string_insert (text, strstr (text->str, " end.") - text->str, marks[i]);
          check_whole (text->str, text->len);
        }
}

/* While it comes: at most one change, also for what is cut. */
static void
test_streaming (void)
{
  for (guint c = 0; c < 3; c++)
    for (guint i = 0; i < G_N_ELEMENTS (constructs); i++)
      {
        g_autoptr (GString) text = make_text (&containers[c], constructs[i], CUT - 12, 0);
        gsize at = 0;
        guint changes;

        g_string_truncate (text, CUT + 300);
        g_string_append (text, "\n\n[later]: https://example.org/later\n");
        changes = markdown_forms_count_changes (text->str, text->len, CUT - 50, NULL, &at);
        if (changes <= 1)
          continue;
        g_test_message ("%s: %u changes at %zu: %.40s", constructs[i], changes, at, text->str + at);
        g_test_fail ();
      }
}

/* The rest of a line that was cut is a part of its paragraph, whatever it begins with. */
static void
test_rest_of_line (void)
{
  static const char *const rests[] = { "```c", "~~~", "- x", "1. x", "> x", "# x", "$$", "<p>" };

  for (guint i = 0; i < G_N_ELEMENTS (rests); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gsize at = 0;
      guint changes;

      while (text->len + 5 < GADGET_MARKDOWN_SEGMENT_BYTES)
        g_string_append (text, "word ");
      g_string_append_printf (text, "%s\n- item\n", rests[i]);
      changes = markdown_forms_count_changes (text->str, text->len, text->len - 20, NULL, &at);
      if (changes <= 1)
        continue;
      g_test_message ("%s: %u changes at %zu: %.40s", rests[i], changes, at, text->str + at);
      g_test_fail ();
    }
}

/* --- Code ---------------------------------------------------------------------------------------
 */

/* The text of all code, parts joined as they are for copying. */
static char *
dup_code (const char *text, gsize length)
{
  GString *code = g_string_new (NULL);
  gsize start = 0, context = 0;

  while (start < length)
    {
      gsize next;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse_in (text, length, start, end, context, NULL, FALSE);

      for (guint i = 0; i < document->leaves->len; i++)
        {
          const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);

          if (leaf->kind != GADGET_MARKDOWN_CODE)
            continue;
          if (start > 0 && i == 0 && (text[start - 1] == '\n' || text[start - 1] == '\r'))
            g_string_append_c (code, '\n');
          g_string_append_len (code, leaf->text->text, leaf->text->length);
        }
      start = end;
      context = next;
    }
  return g_string_free_and_steal (code);
}

/* Lines of code, many of them blank or indented, wherever the cut is. */
static void
test_code (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint k = 0; k < 100; k++)
    {
      const Container *container = &containers[k % 4];
      const guint n_blank = (guint) g_rand_int_range (random, 0, 9);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GString) expected = g_string_new (NULL);
      g_autofree char *code = NULL;

      g_string_append_printf (text, "%s```c\n", container->first);
      while (expected->len < 20000)
        {
          g_autofree char *line = (guint) g_rand_int_range (random, 0, 10) < n_blank
                                      ? g_strdup ("")
                                      : g_strnfill ((gsize) g_rand_int_range (random, 1, 60), 'x');
          const int indent = *line != '\0' ? g_rand_int_range (random, 0, 6) : 0;

          g_string_append_printf (text, "%s%*s%s\n", container->others, indent, "", line);
          g_string_append_printf (expected, "%*s%s\n", indent, "", line);
        }
      g_string_append_printf (text, "%slast\n%s```\n", container->others, container->others);
      g_string_append (expected, "last");
      code = dup_code (text->str, text->len);
      g_assert_true (g_str_equal (code, expected->str));
    }
}

/* The closing fence is never shown while it comes, in whichever segment it is. */
static void
test_closing_fence (void)
{
  for (guint n_lines = 0; n_lines < 200; n_lines += 20)
    {
      g_autoptr (GString) text = g_string_new ("````\n");

      for (guint i = 0; i < n_lines; i++)
        g_string_append_printf (text, "line %u of the code\n", i);
      g_string_append (text, "```\n``");
      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (GadgetMarkdownDocument) document = NULL;
          const GadgetMarkdownText *code;
          gsize end, next, start = 0, context = 0;

          while ((end = gadget_markdown_segment_end (text->str, text->len, start, context, &next))
                 < text->len)
            {
              start = end;
              context = next;
            }
          document = gadget_markdown_parse (text->str, start, end, context, NULL, TRUE);
          code = gadget_markdown_document_get_leaf (document, 0)->text;
          g_assert_true (g_str_has_suffix (code->text, n_lines > 0 ? "code\n```" : "```"));
          g_string_append (text, "`");
        }
    }
}

/* The first line of code, however long, is where its fence is, and nowhere an empty line. */
static void
test_long_line (void)
{
  for (gsize length = 3000; length < 20000; length += 500)
    for (guint words = 0; words < 2; words++)
      {
        g_autofree char *line = g_strnfill (length, 'x');
        g_autofree char *text = NULL;
        g_autofree char *expected = NULL;
        g_autofree char *code = NULL;
        gsize start = 0, context = 0;

        for (gsize i = 5; words == 1 && i < length; i += 6)
          line[i] = ' ';
        text = g_strdup_printf ("```json\n%s\nlast\n```\n", line);
        expected = g_strdup_printf ("%s\nlast", line);
        while (text[start] != '\0')
          {
            gsize next;
            const gsize end =
                gadget_markdown_segment_end (text, strlen (text), start, context, &next);
            g_autoptr (GadgetMarkdownDocument) document =
                gadget_markdown_parse (text, start, end, context, NULL, FALSE);

            g_assert_cmpuint (document->leaves->len, ==, 1);
            g_assert_cmpuint (gadget_markdown_document_get_leaf (document, 0)->text->length, >, 0);
            start = end;
            context = next;
          }
        code = dup_code (text, strlen (text));
        g_assert_true (g_str_equal (code, expected));
      }
}

/* Tabs are a part of the code, wherever it is cut, as a makefile needs them; a fence that a tab
 * indents closes no code. Part of a tab becomes spaces. */
static void
test_tab (void)
{
  static const char *const codes[][2] = {
    { "```\na:\n\tb\n\t\n  \tc\n \t \td\n```\n", "a:\n\tb\n\t\n  \tc\n \t \td" },
    { "```\n\ta\n```\n", "\ta" },
    { "\ta\n\t\tb\n", "a\n\tb" },
    { "```\r\n\ta\r\n\t\t\t\t\t\tb\r\n```\r\n", "\ta\n\t\t\t\t\t\tb" },
    { "  ```\n\ta\n   \tb\n  ```\n", "  a\n \tb" },
    { "- ```\n  \ta\n\tb\n  ```\n", "\ta\n  b" },
    { "> ```\n> \ta\n>\tb\n> ```\n", "\ta\n  b" },
    { "1. - ```\n     \ta\n     ```\n", "\ta" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autofree char *code = dup_code (codes[i][0], strlen (codes[i][0]));

      g_assert_cmpstr (code, ==, codes[i][1]);
    }
  for (guint n_lines = 0; n_lines < 200; n_lines += 20)
    {
      g_autoptr (GString) expected = g_string_new (NULL);
      g_autofree char *text = NULL;
      g_autofree char *code = NULL;

      for (guint i = 0; i < n_lines; i++)
        g_string_append_printf (expected, "line %u of the code\n", i);
      g_string_append (expected, "\t```\nlast");
      text = g_strdup_printf ("```\n%s\n```\n", expected->str);
      code = dup_code (text, strlen (text));
      g_assert_cmpstr (code, ==, expected->str);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown-cuts/inlines", test_inlines);
  g_test_add_func ("/ui/markdown-cuts/long", test_long);
  g_test_add_func ("/ui/markdown-cuts/streaming", test_streaming);
  g_test_add_func ("/ui/markdown-cuts/rest-of-line", test_rest_of_line);
  g_test_add_func ("/ui/markdown-cuts/code", test_code);
  g_test_add_func ("/ui/markdown-cuts/tab", test_tab);
  g_test_add_func ("/ui/markdown-cuts/closing-fence", test_closing_fence);
  g_test_add_func ("/ui/markdown-cuts/long-line", test_long_line);
  return g_test_run ();
}
