/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown as it is shown, against the examples of its specifications. */

#include "config.h"

#include "markdown-html.h"

#include <string.h>

/* An example that is shown otherwise, on purpose or not. */
typedef struct
{
  guint number;
  const char *reason;
} Difference;

static const Difference commonmark_differences[] = {
  { 608, "an address is a link without angle brackets, too, as on GitHub" },
  { 611, "the same" },
  { 612, "the same, of mail" },
};

static const Difference gfm_differences[] = {
  { 625, "md4c ends an address before a parenthesis that was not opened, wherever it is" },
  { 626, "md4c does not take \"&hl;\" at the end of an address for an entity" },
  { 627, "md4c has no address end at \"<\"" },
};

typedef struct
{
  const char *file;
  guint n_examples;
  const Difference *differences;
  guint n_differences;
} Specification;

static const Specification commonmark = { "commonmark-0.31.2.txt", 652, commonmark_differences,
                                          G_N_ELEMENTS (commonmark_differences) };
static const Specification gfm = { "gfm-0.29.txt", 23, gfm_differences,
                                   G_N_ELEMENTS (gfm_differences) };

static const char *
find_reason (const Specification *specification, guint number)
{
  for (guint i = 0; i < specification->n_differences; i++)
    if (specification->differences[i].number == number)
      return specification->differences[i].reason;
  return NULL;
}

/* Every example but those listed gives the very HTML of the specification; those listed do not, so
 * that the list stays true. */
static void
test_specification (gconstpointer data)
{
  const Specification *specification = data;
  g_autoptr (GPtrArray) examples = markdown_examples_load (specification->file);
  guint n_same = 0;

  g_assert_cmpuint (examples->len, ==, specification->n_examples);
  for (guint i = 0; i < examples->len; i++)
    {
      const MarkdownExample *example = g_ptr_array_index (examples, i);
      const char *reason = find_reason (specification, example->number);
      g_autofree char *html =
          markdown_to_html (example->markdown, strlen (example->markdown), FALSE);
      const gboolean same = strcmp (html, example->html) == 0;

      n_same += same;
      if (same == (reason == NULL))
        continue;
      g_test_message ("%u %s\n--- %s--- expected\n%s--- got\n%s", example->number, example->section,
                      example->markdown, example->html, html);
      g_test_fail ();
    }
  g_test_message ("%s: %u of %u", specification->file, n_same, examples->len);
}

/* Four columns of indentation make code of what would be a formula, also as a tab. */
static void
test_indented_formula (void)
{
  static const char *const indents[] = { "", " ", "   ", "    ", "\t", " \t", "   \t" };

  for (guint i = 0; i < G_N_ELEMENTS (indents); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("%s$$\n%sx\n%s$$\n", indents[i], indents[i], indents[i]);
      g_autofree char *html = markdown_to_html (text, strlen (text), FALSE);

      g_assert_true (g_str_has_prefix (html, "<pre><code>") == (i >= 3));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ui/markdown/commonmark", &commonmark, test_specification);
  g_test_add_data_func ("/ui/markdown/gfm", &gfm, test_specification);
  g_test_add_func ("/ui/markdown/indented-formula", test_indented_formula);
  return g_test_run ();
}
