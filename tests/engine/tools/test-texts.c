/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tools for files are made of, without files: differences, edits, ranges, heads of
 * pictures. */

#include "config.h"

#include "common/gadget-image-info.h"
#include "common/gadget-line-diff.h"
#include "tools/files/gadget-text-edit.h"
#include "tools/files/gadget-text-range.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

/* --- Differences ------------------------------------------------------------------------------ */

static void
assert_diff (const char *old_text, const char *new_text, const char *unified)
{
  g_autoptr (GadgetLineDiff) diff = gadget_line_diff_new (
      old_text, old_text != NULL ? strlen (old_text) : 0, new_text, strlen (new_text), "f", 10000);

  g_assert_cmpstr (diff->unified, ==, unified);
}

static void
test_diff_format (void)
{
  assert_diff ("a\nb\nc\n", "a\nb\nc\n", "");
  assert_diff ("a\nb\nc\n", "a\nx\nc\n", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  assert_diff (NULL, "a\nb\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  assert_diff ("a\n", "", "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n");
  assert_diff ("a\nb", "a\nb\n",
               "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  /* Six equal lines between two changes: one piece; seven: two. */
  assert_diff ("x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n",
               "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
  assert_diff (
      "x\n1\n2\n3\n4\n5\n6\n7\ny\n", "X\n1\n2\n3\n4\n5\n6\n7\nY\n",
      "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n"
      "+Y\n");
}

static char *
make_lines (guint n, int n_kinds)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%d\n", g_test_rand_int_range (0, n_kinds));
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Applies what was written, with every line checked, to OLD_TEXT. */
static char *
apply (const char *old_text, const char *unified)
{
  g_auto (GStrv) lines = g_strsplit (old_text, "\n", -1);
  g_auto (GStrv) changes = g_strsplit (unified, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint at = 0;

  for (guint i = 2; i < g_strv_length (changes) && *changes[i] != '\0'; i++)
    {
      guint first;

      if (sscanf (changes[i], "@@ -%u,", &first) == 1)
        {
          /* An empty range stands behind its line. */
          first -= strstr (changes[i], ",0 +") != NULL ? 0 : 1;
          while (at < first)
            g_string_append_printf (text, "%s\n", lines[at++]);
          continue;
        }
      if (*changes[i] != '+')
        g_assert_cmpstr (lines[at], ==, changes[i] + 1);
      at += *changes[i] != '+' ? 1 : 0;
      if (*changes[i] != '-')
        g_string_append_printf (text, "%s\n", changes[i] + 1);
    }
  while (lines[at] != NULL && (*lines[at] != '\0' || lines[at + 1] != NULL))
    g_string_append_printf (text, "%s\n", lines[at++]);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* The least number of lines that are new or gone, the slow way. */
static guint
count_least (const char *old_text, const char *new_text)
{
  g_auto (GStrv) old_lines = g_strsplit (old_text, "\n", -1);
  g_auto (GStrv) new_lines = g_strsplit (new_text, "\n", -1);
  const guint n_old = MAX (g_strv_length (old_lines), 1) - 1;
  const guint n_new = MAX (g_strv_length (new_lines), 1) - 1;
  g_autofree guint *row = g_new0 (guint, n_new + 1);

  for (guint i = 0; i < n_old; i++)
    {
      guint corner = 0;

      for (guint j = 0; j < n_new; j++)
        {
          const guint above = row[j + 1];

          row[j + 1] =
              g_str_equal (old_lines[i], new_lines[j]) ? corner + 1 : MAX (row[j + 1], row[j]);
          corner = above;
        }
    }
  return n_old + n_new - 2 * row[n_new];
}

static void
test_diff_random (void)
{
  for (guint i = 0; i < 2000; i++)
    {
      const int n_kinds = g_test_rand_int_range (1, 30);
      g_autofree char *old_text = make_lines ((guint) g_test_rand_int_range (0, 40), n_kinds);
      g_autofree char *new_text = make_lines ((guint) g_test_rand_int_range (0, 40), n_kinds);
      g_autoptr (GadgetLineDiff) diff = gadget_line_diff_new (old_text, strlen (old_text), new_text,
                                                              strlen (new_text), "f", 1 << 20);
      g_autofree char *applied = apply (old_text, diff->unified);

      g_assert_cmpstr (applied, ==, new_text);
      g_assert_cmpuint (diff->n_added + diff->n_removed, ==, count_least (old_text, new_text));
    }
}

static void
test_diff_large (void)
{
  g_autofree char *old_text = make_lines (50000, 1000000);
  g_autofree char *new_text = make_lines (50000, 1000000);
  g_autoptr (GadgetLineDiff) diff =
      gadget_line_diff_new (old_text, strlen (old_text), new_text, strlen (new_text), "f", 1000);

  g_assert_cmpuint (diff->n_added, <=, 50000);
  g_assert_cmpuint (diff->n_added, >, 40000);
  g_assert_cmpuint (strlen (diff->unified), <, 1100);
  g_assert_true (g_str_has_suffix (diff->unified, "is not shown.]\n"));
}

static void
test_diff_not_utf8 (void)
{
  g_autoptr (GadgetLineDiff) diff = gadget_line_diff_new ("a\n", 2, "gr\xfcn\n", 5, "f", 1000);

  g_assert_true (g_utf8_validate (diff->unified, -1, NULL));
  g_assert_cmpuint (gadget_line_count ("a\nb", 3), ==, 2);
  g_assert_cmpuint (gadget_line_count ("a\nb\n", 4), ==, 2);
  g_assert_cmpuint (gadget_line_count ("", 0), ==, 0);
}

/* --- Edits ------------------------------------------------------------------------------------ */

typedef struct
{
  const char *text;
  const char *edits[7]; /* old, new, … */
  gboolean all;
  const char *result; /* or what the error must say */
} EditCase;

static char *
apply_edits (const EditCase *given, GError **error)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_text_edit_free);
  g_autofree char *note = NULL;
  gsize length = 0;
  char *result;

  for (guint i = 0; given->edits[i] != NULL; i += 2)
    g_ptr_array_add (edits,
                     _gadget_text_edit_new (given->edits[i], given->edits[i + 1], given->all));
  result = _gadget_text_edit_apply (given->text, strlen (given->text), NULL, edits, &length, &note,
                                    error);
  if (result != NULL)
    g_assert_cmpuint (length, ==, strlen (result));
  return result;
}

static void
test_edits (void)
{
  static const EditCase cases[] = {
    { "a b c", { "b", "x" }, FALSE, "a x c" },
    { "a b c", { "b", "" }, FALSE, "a  c" },
    { "a b c", { "a", "b", "b b", "d" }, FALSE, "d c" },
    { "aaaa", { "a", "bb" }, TRUE, "bbbbbbbb" },
    { "aaa", { "aa", "b" }, TRUE, "ba" },
    /* Line ends stay as they are. */
    { "a\r\nb\r\nc\r\n", { "a\nb", "x\ny\nz" }, FALSE, "x\r\ny\r\nz\r\nc\r\n" },
    { "a\r\nb\r\nc\r\n", { "b", "x\ny" }, FALSE, "a\r\nx\r\ny\r\nc\r\n" },
    { "a\r\nb\r\n", { "a\r\nb", "x\r\ny" }, FALSE, "x\r\ny\r\n" },
    { "a\nb\r\nc\n", { "b\nc", "x\ny" }, FALSE, "a\nx\r\ny\n" },
    { "a\nb\n", { "b", "x\ny" }, FALSE, "a\nx\ny\n" },
    /* So does a byte order mark, whether or not the model has seen it. */
    { "\xef\xbb\xbf"
      "a\nb",
      { "a\nb", "x" },
      FALSE,
      "\xef\xbb\xbfx" },
    { "\xef\xbb\xbf"
      "a",
      { "\xef\xbb\xbf"
        "a",
        "\xef\xbb\xbfx" },
      FALSE,
      "\xef\xbb\xbfx" },
    { "\xef\xbb\xbf"
      "a",
      { "\xef\xbb\xbf"
        "a",
        "x" },
      FALSE,
      "\xef\xbb\xbfx" },
    /* What is not UTF-8 stays. */
    { "gr\xfcn b", { "b", "x" }, FALSE, "gr\xfcn x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *result = apply_edits (&cases[i], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (result, ==, cases[i].result);
    }
}

static void
test_edits_refused (void)
{
  static const EditCase cases[] = {
    { "a\nb\na\nb\na", { "a", "x" }, FALSE, "3 times, at lines 1, 3, 5." },
    { "a\n\n\nfoo (x);\n", { "foo (y);", "z" }, FALSE, "-foo (y);\n+foo (x);\n" },
    { "a\n\n\nfoo (x);\n", { "something (y);", "z" }, FALSE, "No place of it is similar" },
    { "a\n\n  foo (x);\n", { "foo (x);\nbar", "z" }, FALSE, "lines 3 to 3" },
    { "a\n\tfoo (x);\n", { "  foo (x);", "   foo (y);" }, FALSE, "fits at line 2, but" },
    { "a b", { "a", "x", "c", "y" }, FALSE, "Edit 2 of 2: " },
    { "\xef\xbb\xbf"
      "a",
      { "\xef\xbb\xbf", "x" },
      FALSE,
      "is empty" },
    { "", { "a", "x" }, FALSE, "No place of it is similar" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *result = apply_edits (&cases[i], &error);

      g_assert_null (result);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].result));
      g_assert_true (g_str_has_suffix (error->message, "Nothing was changed."));
    }
}

/* --- Ranges ----------------------------------------------------------------------------------- */

static char *
take_range (const char *text, gint64 first_line, gint64 max_lines, gint64 first_byte,
            gsize max_bytes, gsize piece, char **note)
{
  g_auto (GadgetTextRange) range = { .first_line = first_line,
                                     .max_lines = max_lines,
                                     .first_byte = first_byte,
                                     .max_bytes = max_bytes };
  const gsize length = strlen (text);

  _gadget_text_range_init (&range);
  for (gsize at = 0; at < length; at += piece)
    _gadget_text_range_feed (&range, text + at, MIN (piece, length - at));
  *note = _gadget_text_range_finish (&range, _gadget_text_range_count (&range));
  return g_strdup (range.text->str);
}

static void
test_ranges (void)
{
  static const struct
  {
    gint64 first_line;
    gint64 max_lines;
    gint64 first_byte;
    gsize max_bytes;
    const char *text;
    const char *note;
  } cases[] = {
    { 1, 0, 0, 100, "one\ntwo\nthr\u00e9\u00e9\nfour", NULL },
    { 2, 2, 0, 100, "two\nthr\u00e9\u00e9\n", NULL },
    { 4, 0, 0, 100, "four", NULL },
    { 9, 0, 0, 100, "", "[There are only 4 lines.]" },
    { 1, 0, 99, 100, "", "[There are only 20 bytes.]" },
    { 1, 0, 5, 100, "wo\nthr\u00e9\u00e9\nfour", NULL },
    { 1, 0, 0, 10, "one\ntwo\n",
      "[Lines 1 to 2 of 4. To go on, call this with \"start_line\": 3.]" },
    { 2, 0, 0, 5, "two\n", "[Lines 2 to 2 of 4. To go on, call this with \"start_line\": 3.]" },
    { 3, 0, 0, 4, "thr",
      "[This is a part of line 3, which is too long to be given at once. To go on, call this with "
      "\"start_byte\": 11.]" },
    { 1, 0, 11, 4, "\u00e9\u00e9",
      "[This is a part of line 3, which is too long to be given at once. To go on, call this with "
      "\"start_byte\": 15.]" },
    { 1, 0, 15, 100, "\nfour", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize piece = 1; piece < 25; piece++)
      {
        g_autofree char *note = NULL;
        g_autofree char *text =
            take_range ("one\ntwo\nthr\u00e9\u00e9\nfour", cases[i].first_line, cases[i].max_lines,
                        cases[i].first_byte, cases[i].max_bytes, piece, &note);

        g_assert_cmpstr (text, ==, cases[i].text);
        g_assert_cmpstr (note, ==, cases[i].note);
      }
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void
test_images (void)
{
#define IMAGE(bytes, mime_type, width, height) { bytes, sizeof bytes - 1, mime_type, width, height }
  static const struct
  {
    const char *data;
    gsize length;
    const char *mime_type;
    guint width;
    guint height;
  } cases[] = {
    IMAGE ("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x02\0\0\0\x40\x08", "image/png", 258, 64),
    IMAGE ("GIF89a\x02\x01\x40\0\0", "image/gif", 258, 64),
    IMAGE ("\xff\xd8\xff\xe0\0\x04xx\xff\xff\xc4\0\x02\xff\xc2\0\x11\x08\0\x40\x01\x02\x03",
           "image/jpeg", 258, 64),
    IMAGE ("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\x01\0\x3f\0\0", "image/webp", 258, 64),
    IMAGE ("RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x01\xc1\x0f\0\0\0\0\0\0", "image/webp", 258, 64),
    IMAGE ("RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x02\x01\x40\0", "image/webp", 258, 64),
    IMAGE ("\x89PNG\r\n\x1a\n", "image/png", 0, 0),
    IMAGE ("\xff\xd8\xff\xe0\0\0", "image/jpeg", 0, 0),
    IMAGE ("RIFF\0\0\0\0WAVEfmt ", NULL, 0, 0),
    IMAGE ("", NULL, 0, 0),
  };
#undef IMAGE

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize cut = 0; cut <= cases[i].length; cut++)
      {
        /* Of its own, so that a tool that looks for reading too far sees it. */
        g_autofree char *data = g_memdup2 (cases[i].data, cut);
        GadgetImageInfo image;
        const gboolean is_image = gadget_image_info_read (&image, data, cut);

        if (cut < cases[i].length)
          continue;
        g_assert_cmpint (is_image, ==, cases[i].mime_type != NULL);
        g_assert_cmpstr (image.mime_type, ==, cases[i].mime_type);
        g_assert_cmpuint (image.width, ==, cases[i].width);
        g_assert_cmpuint (image.height, ==, cases[i].height);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/line-diff/format", test_diff_format);
  g_test_add_func ("/engine/line-diff/random", test_diff_random);
  g_test_add_func ("/engine/line-diff/large", test_diff_large);
  g_test_add_func ("/engine/line-diff/not-utf8", test_diff_not_utf8);
  g_test_add_func ("/engine/text-edit/applied", test_edits);
  g_test_add_func ("/engine/text-edit/refused", test_edits_refused);
  g_test_add_func ("/engine/text-range/pieces", test_ranges);
  g_test_add_func ("/engine/image-info/heads", test_images);

  return g_test_run ();
}
