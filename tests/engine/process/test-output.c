/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "process/gadget-output-decoder.h"
#include "process/gadget-output-ring.h"

#include <string.h>

#define BAD "\xef\xbf\xbd"

/* Decodes in pieces of that size. */
static char *
decode (const char *bytes, gsize length, gsize piece)
{
  g_autoptr (GadgetOutputDecoder) decoder = gadget_output_decoder_new ();
  GString *text = g_string_new (NULL);

  for (gsize at = 0; at < length; at += piece)
    {
      gsize n = MIN (piece, length - at);

      gadget_output_decoder_push (decoder, bytes + at, n, at + n == length, text);
      g_assert_true (g_utf8_validate_len (text->str, text->len, NULL));
    }
  return g_string_free (text, FALSE);
}

static void
test_decoder (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    const char *text;
  } cases[] = {
    { "plain", 5, "plain" },
    { "a\xe2\x82\xac"
      "b\xf0\x9f\x98\x80",
      9,
      "a\xe2\x82\xac"
      "b\xf0\x9f\x98\x80" },
    { "a\0b", 3, "a" BAD "b" },
    { "\xff\xfe", 2, BAD BAD },
    { "\xe2\x82", 2, BAD BAD },
    { "\xe2\x82x", 3, BAD BAD "x" },
    { "\xed\xa0\x80", 3, BAD BAD BAD },
    { "\xc0\xaf", 2, BAD BAD },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize piece = 1; piece <= cases[i].length; piece++)
      {
        g_autofree char *text = decode (cases[i].bytes, cases[i].length, piece);

        g_assert_cmpstr (text, ==, cases[i].text);
      }
}

/* However bytes are cut, the text is the same. */
static void
test_decoder_random (void)
{
  for (guint round = 0; round < 300; round++)
    {
      char bytes[64];
      g_autofree char *whole = NULL;

      for (guint i = 0; i < sizeof bytes; i++)
        bytes[i] = (char) (g_test_rand_int_range (0, 3) == 0 ? g_test_rand_int_range (0, 128)
                                                             : g_test_rand_int_range (128, 256));
      whole = decode (bytes, sizeof bytes, sizeof bytes);
      for (gsize piece = 1; piece < 9; piece++)
        {
          g_autofree char *text = decode (bytes, sizeof bytes, piece);

          g_assert_cmpstr (text, ==, whole);
        }
    }
}

static void
test_ring_small (void)
{
  g_autoptr (GadgetOutputRing) ring = gadget_output_ring_new (4, 6);
  g_autofree char *empty = gadget_output_ring_dup_text (ring);
  g_autofree char *full = NULL;
  g_autofree char *over = NULL;

  g_assert_cmpstr (empty, ==, "");
  for (guint i = 0; i < 10; i++)
    gadget_output_ring_append (ring, &"0123456789"[i], 1);
  full = gadget_output_ring_dup_text (ring);
  g_assert_cmpstr (full, ==, "0123456789");
  gadget_output_ring_append (ring, "abc", 3);
  over = gadget_output_ring_dup_text (ring);
  g_assert_cmpstr (over, ==, "0123\n[3 bytes left out]\n789abc");
  g_assert_cmpuint (gadget_output_ring_get_total (ring), ==, 13);
}

static void
test_ring_characters (void)
{
  for (gsize piece = 1; piece <= 3; piece++)
    {
      g_autoptr (GadgetOutputRing) ring = gadget_output_ring_new (4, 7);
      g_autofree char *text = NULL;
      guint64 n_left_out;
      g_autofree char *tail = NULL;

      for (guint i = 0; i < 6; i += piece)
        for (guint j = 0; j < piece && i + j < 6; j++)
          gadget_output_ring_append (ring, "\xe2\x82\xac", 3);
      text = gadget_output_ring_dup_text (ring);
      g_assert_cmpstr (text, ==, "€\n[9 bytes left out]\n€€");
      tail = gadget_output_ring_dup_tail (ring, &n_left_out);
      g_assert_cmpstr (tail, ==, "€€");
      g_assert_cmpuint (n_left_out, ==, 9);
    }
}

static void
test_ring_ten_megabytes (void)
{
  g_autoptr (GadgetOutputRing) ring = gadget_output_ring_new (1000, 1000);
  g_autofree char *piece = g_strnfill (10000, 'x');
  g_autofree char *text = NULL;

  gadget_output_ring_append (ring, "first", 5);
  for (guint i = 0; i < 1000; i++)
    gadget_output_ring_append (ring, piece, 10000);
  gadget_output_ring_append (ring, "last", 4);
  text = gadget_output_ring_dup_text (ring);
  g_assert_true (g_str_has_prefix (text, "firstx"));
  g_assert_true (g_str_has_suffix (text, "xlast"));
  g_assert_nonnull (strstr (text, "\n[9998009 bytes left out]\n"));
  g_assert_cmpuint (strlen (text), <, 2100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/output/decoder", test_decoder);
  g_test_add_func ("/engine/output/decoder-random", test_decoder_random);
  g_test_add_func ("/engine/output/ring-small", test_ring_small);
  g_test_add_func ("/engine/output/ring-characters", test_ring_characters);
  g_test_add_func ("/engine/output/ring-ten-megabytes", test_ring_ten_megabytes);
  return g_test_run ();
}
