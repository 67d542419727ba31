/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "http/gadget-ndjson.h"
#include "http/gadget-http.h"

#include <string.h>

static gboolean
collect (const char *line, gsize length, gpointer user_data, GError **error)
{
  GString *out = user_data;

  g_assert_true (line[length] == '\0');
  g_string_append_c (out, '[');
  g_string_append_len (out, line, (gssize) length);
  g_string_append_c (out, ']');
  return TRUE;
}

/* Feeds in pieces of @piece bytes. */
static char *
parse (const char *bytes, gsize length, gsize piece)
{
  g_autoptr (GadgetNdjson) reader = gadget_ndjson_new (1024);
  GString *out = g_string_new (NULL);

  for (gsize i = 0; i < length; i += piece)
    g_assert_true (
        gadget_ndjson_feed (reader, bytes + i, MIN (piece, length - i), collect, out, NULL));
  g_string_append_c (out, '|');
  g_assert_true (gadget_ndjson_end (reader, collect, out, NULL));
  return g_string_free (out, FALSE);
}

static void
assert_parses (const char *bytes, gsize length, const char *expected)
{
  for (gsize piece = 1; piece <= length + 1; piece++)
    {
      g_autofree char *found = parse (bytes, length, piece);

      g_assert_cmpstr (found, ==, expected);
    }
}

#define ASSERT_PARSES(bytes, expected) assert_parses (bytes, sizeof (bytes) - 1, expected)

static void
test_lines (void)
{
  ASSERT_PARSES ("", "|");
  ASSERT_PARSES ("{}\n[1]\n", "[{}][[1]]|");
  ASSERT_PARSES ("{\"a\": \"b c\"}\n", "[{\"a\": \"b c\"}]|");
  ASSERT_PARSES ("{}\r\n{}\r\n", "[{}][{}]|");
  ASSERT_PARSES ("\n\n{}\n \t\r\n\n{}\n", "[{}][{}]|");
  ASSERT_PARSES ("  {} \n\t{}", "[{}]|[{}]");
}

static void
test_last_line (void)
{
  ASSERT_PARSES ("{}\n{\"cu", "[{}]|[{\"cu]");
  ASSERT_PARSES ("{}", "|[{}]");
  ASSERT_PARSES ("{}\n  ", "[{}]|");
}

static void
test_byte_order_mark (void)
{
  ASSERT_PARSES ("\xef\xbb\xbf{}\n", "[{}]|");
  ASSERT_PARSES ("{}\n\xef\xbb\xbf{}\n", "[{}][\xef\xbb\xbf{}]|");
  ASSERT_PARSES ("\xef\xbb{}\n", "[\xef\xbb{}]|");
}

static void
test_limit (void)
{
  g_autofree char *line = g_strnfill (1024, 'x');
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetNdjson) reader = gadget_ndjson_new (1024);

  g_assert_true (gadget_ndjson_feed (reader, line, 1024, collect, out, &error));
  g_assert_true (gadget_ndjson_feed (reader, "\n", 1, collect, out, &error));
  g_assert_cmpuint (out->len, ==, 1026);
  g_assert_true (gadget_ndjson_feed (reader, line, 1024, collect, out, &error));
  g_assert_false (gadget_ndjson_feed (reader, "x", 1, collect, out, &error));
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE);
}

static gboolean
stop_at_first (const char *line, gsize length, gpointer user_data, GError **error)
{
  (*(guint *) user_data)++;
  return FALSE;
}

static void
test_stop (void)
{
  g_autoptr (GadgetNdjson) reader = gadget_ndjson_new (1024);
  guint n = 0;

  g_assert_false (gadget_ndjson_feed (reader, "{}\n{}\n", 6, stop_at_first, &n, NULL));
  g_assert_cmpuint (n, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/ndjson/lines", test_lines);
  g_test_add_func ("/engine/ndjson/last-line", test_last_line);
  g_test_add_func ("/engine/ndjson/byte-order-mark", test_byte_order_mark);
  g_test_add_func ("/engine/ndjson/limit", test_limit);
  g_test_add_func ("/engine/ndjson/stop", test_stop);
  return g_test_run ();
}
