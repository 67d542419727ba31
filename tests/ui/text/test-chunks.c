/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "ui/text/gadget-chunks.h"

#include <glib.h>
#include <string.h>

/* Cuts a text as it is when only the first @length bytes have come. */
static GArray *
cut (const char *text, gsize length)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize at = 0;

  while (at < length)
    {
      const gsize end = gadget_chunk_end (text, length, at);

      g_assert_cmpuint (end, >, at);
      g_assert_cmpuint (end, <=, length);
      g_assert_cmpuint (end - at, <=, GADGET_CHUNK_BYTES);
      g_array_append_val (ends, end);
      at = end;
    }
  return ends;
}

static void
test_short (void)
{
  g_assert_cmpuint (gadget_chunk_end ("one line", 8, 0), ==, 8);
  g_assert_cmpuint (gadget_chunk_visible ("one line\n\n", 10, 0, 10), ==, 8);
}

static void
test_lines (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) ends = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "\n");
  ends = cut (text->str, text->len);
  g_assert_cmpuint (ends->len, ==, (1000 + GADGET_CHUNK_LINES - 1) / GADGET_CHUNK_LINES);
}

static void
test_one_long_line (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) ends = NULL;

  /* Three bytes a character, and nowhere to cut but between two of them. */
  while (text->len < 100000)
    g_string_append (text, "函");
  ends = cut (text->str, text->len);
  for (guint i = 0; i < ends->len; i++)
    g_assert_cmpuint (g_array_index (ends, gsize, i) % 3, ==, 0);
}

/* Text of many lines is cut into pieces that are smaller than one line may be. */
static void
test_goal (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) ends = NULL;
  gsize start = 0;

  while (text->len < 50000)
    g_string_append (text, "Forty bytes, the end of its line there.\n");
  ends = cut (text->str, text->len);
  for (guint i = 0; i < ends->len; i++)
    {
      const gsize end = g_array_index (ends, gsize, i);

      g_assert_cmpuint (end - start, <=, GADGET_CHUNK_GOAL);
      g_assert_true (end == text->len || end - start > GADGET_CHUNK_GOAL - 40);
      start = end;
    }
}

/* A line is not cut where it need not be. */
static void
test_paragraph (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) ends = NULL;

  while (text->len < 3 * GADGET_CHUNK_GOAL)
    g_string_append (text, "word ");
  g_string_append_c (text, '\n');
  ends = cut (text->str, text->len);
  g_assert_cmpuint (ends->len, ==, 1);
  g_string_append (text, text->str);
  g_clear_pointer (&ends, g_array_unref);
  ends = cut (text->str, text->len);
  g_assert_cmpuint (ends->len, ==, 2);
  g_assert_cmpuint (g_array_index (ends, gsize, 0), ==, text->len / 2);
}

static void
test_visible (void)
{
  g_autofree char *text = g_strnfill (2 * GADGET_CHUNK_BYTES, 'x');
  gsize end;

  text[GADGET_CHUNK_BYTES - 10] = '\n';
  end = gadget_chunk_end (text, 2 * GADGET_CHUNK_BYTES, 0);
  g_assert_cmpuint (end, ==, GADGET_CHUNK_BYTES - 9);
  g_assert_cmpuint (gadget_chunk_visible (text, 2 * GADGET_CHUNK_BYTES, 0, end), ==, end - 1);
}

/* Whatever has come so far, a cut that was made stays. */
static void
test_growing (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) whole = NULL;

  for (guint i = 0; i < 30000; i++)
    g_string_append_c (text, g_rand_int_range (random, 0, i < 15000 ? 60 : 3000) == 0
                                 ? '\n'
                                 : 'a' + (char) (i % 26));
  whole = cut (text->str, text->len);
  for (gsize length = 100; length < text->len; length += 997)
    {
      g_autoptr (GArray) part = cut (text->str, length);

      for (guint i = 0; i + 1 < part->len; i++)
        g_assert_cmpuint (g_array_index (part, gsize, i), ==, g_array_index (whole, gsize, i));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/chunks/short", test_short);
  g_test_add_func ("/ui/chunks/lines", test_lines);
  g_test_add_func ("/ui/chunks/one-long-line", test_one_long_line);
  g_test_add_func ("/ui/chunks/goal", test_goal);
  g_test_add_func ("/ui/chunks/paragraph", test_paragraph);
  g_test_add_func ("/ui/chunks/visible", test_visible);
  g_test_add_func ("/ui/chunks/growing", test_growing);
  return g_test_run ();
}
