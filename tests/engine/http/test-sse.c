/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "http/gadget-http.h"
#include "http/gadget-sse.h"

#include <string.h>

static gboolean
collect (const char *event, const char *data, gsize length, gpointer user_data, GError **error)
{
  GString *out = user_data;

  g_string_append_printf (out, "%s[", event);
  g_string_append_len (out, data, (gssize) length);
  g_string_append (out, "]");
  return TRUE;
}

/* Feeds in pieces of @piece bytes. */
static char *
parse (const char *bytes, gsize length, gsize piece)
{
  g_autoptr (GadgetSse) sse = gadget_sse_new (1024);
  GString *out = g_string_new (NULL);

  for (gsize i = 0; i < length; i += piece)
    g_assert_true (gadget_sse_feed (sse, bytes + i, MIN (piece, length - i), collect, out, NULL));
  return g_string_free (out, FALSE);
}

static void
assert_parses (const char *bytes, gsize length, const char *expected)
{
  for (gsize piece = 1; piece <= length; piece++)
    {
      g_autofree char *found = parse (bytes, length, piece);

      g_assert_cmpstr (found, ==, expected);
    }
}

#define ASSERT_PARSES(bytes, expected) assert_parses (bytes, sizeof (bytes) - 1, expected)

static void
test_events (void)
{
  ASSERT_PARSES ("data: a\n\ndata:b\n\n", "message[a]message[b]");
  ASSERT_PARSES ("data:  two spaces\n\n", "message[ two spaces]");
  ASSERT_PARSES ("data: YHOO\ndata: +2\ndata: 10\n\n", "message[YHOO\n+2\n10]");
  ASSERT_PARSES ("data\n\ndata\ndata\n\ndata:", "message[]message[\n]");
  ASSERT_PARSES ("event: add\ndata: 1\n\ndata: 2\n\n", "add[1]message[2]");
  ASSERT_PARSES ("event: nothing\n\ndata: 2\n\n", "message[2]");
  ASSERT_PARSES ("event: \0x\ndata: 2\n\n", "message[2]");
  ASSERT_PARSES (": comment\n\n:\ndata: 1\n: x\ndata: 2\n\n", "message[1\n2]");
  ASSERT_PARSES ("unknown: 1\nretry: 10\nid: 3\n data: no\ndata : no\ndata: 1\n\n", "message[1]");
  ASSERT_PARSES ("data: {\"a\":\"b: c\"}\n\n", "message[{\"a\":\"b: c\"}]");
}

static void
test_line_ends (void)
{
  ASSERT_PARSES ("data: a\r\rdata: b\r\r", "message[a]message[b]");
  ASSERT_PARSES ("data: a\r\n\r\ndata: b\r\n\r\n", "message[a]message[b]");
  ASSERT_PARSES ("data: a\r\ndata: b\rdata: c\ndata: d\n\r\n", "message[a\nb\nc\nd]");
  ASSERT_PARSES ("data: a\n\r", "message[a]");
  ASSERT_PARSES ("data: a\r\n\n", "message[a]");
}

static void
test_byte_order_mark (void)
{
  ASSERT_PARSES ("\xef\xbb\xbf"
                 "data: a\n\n",
                 "message[a]");
  ASSERT_PARSES ("\xef\xbb\xbf\xef\xbb\xbf"
                 "data: a\n\ndata: b\n\n",
                 "message[b]");
  ASSERT_PARSES ("\xef\xbb"
                 "data: a\n\ndata: b\n\n",
                 "message[b]");
  ASSERT_PARSES ("data: \xef\xbb\xbf\n\n", "message[\xef\xbb\xbf]");
}

static void
test_cut (void)
{
  g_autoptr (GadgetSse) sse = gadget_sse_new (1024);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_false (gadget_sse_has_fields (sse));
  g_assert_true (gadget_sse_feed (sse, "data: a\ndata: b", 15, collect, out, NULL));
  g_assert_true (gadget_sse_has_fields (sse));
  g_assert_cmpstr (out->str, ==, "");
  g_assert_true (gadget_sse_end (sse, collect, out, NULL));
  g_assert_cmpstr (out->str, ==, "message[a]");
}

static void
test_id (void)
{
  g_autoptr (GadgetSse) sse = gadget_sse_new (1024);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_null (gadget_sse_get_last_id (sse));
  gadget_sse_feed (sse, "id: 7\ndata: a\n\n", 15, collect, out, NULL);
  g_assert_cmpstr (gadget_sse_get_last_id (sse), ==, "7");
  gadget_sse_feed (sse, "id: 8\0\ndata\n\n", 13, collect, out, NULL);
  g_assert_cmpstr (gadget_sse_get_last_id (sse), ==, "7");
}

static void
test_limits (void)
{
  g_autofree char *line = g_strnfill (2000, 'x');
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSse) one = gadget_sse_new (1024);
  g_autoptr (GadgetSse) many = gadget_sse_new (1024);
  gboolean fits = TRUE;

  g_assert_false (gadget_sse_feed (one, line, 2000, collect, out, &error));
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE);
  g_clear_error (&error);

  /* Many short lines of one event are as large as one long line. */
  for (guint i = 0; i < 100 && fits; i++)
    fits = gadget_sse_feed (many, "data: 0123456789012345678\n", 26, collect, out, &error);
  g_assert_false (fits);
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE);
  g_assert_cmpstr (out->str, ==, "");
}

static gboolean
stop_at_first (const char *event, const char *data, gsize length, gpointer user_data,
               GError **error)
{
  (*(guint *) user_data)++;
  return FALSE;
}

static void
test_stop (void)
{
  g_autoptr (GadgetSse) sse = gadget_sse_new (1024);
  guint n = 0;

  g_assert_false (gadget_sse_feed (sse, "data: a\n\ndata: b\n\n", 18, stop_at_first, &n, NULL));
  g_assert_cmpuint (n, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/sse/events", test_events);
  g_test_add_func ("/engine/sse/line-ends", test_line_ends);
  g_test_add_func ("/engine/sse/byte-order-mark", test_byte_order_mark);
  g_test_add_func ("/engine/sse/cut", test_cut);
  g_test_add_func ("/engine/sse/id", test_id);
  g_test_add_func ("/engine/sse/limits", test_limits);
  g_test_add_func ("/engine/sse/stop", test_stop);
  return g_test_run ();
}
