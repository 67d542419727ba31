/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call of an MCP server's tool is stopped while the server works on it. Measured from the stop:
 *
 *   over_ms   to the end of the call
 *   heard_ms  to the server hearing of it: the notification on its input, or the end of the
 *             connection over HTTP; the mock server says when, by the same clock */

#include "config.h"

#include "bench-row.h"
#include "mcp-fixture.h"
#include "test-process.h"
#include "test-wait.h"

#include "common/gadget-json.h"

#include <string.h>

#define N 50

typedef struct
{
  const char *name;
  const char *options;
  const char *heard; /* in the log */
  gboolean sandboxed;
} Case;

static const Case cases[] = {
  { "stdio", "--era legacy", "\"method\": \"notifications/cancelled\"", FALSE },
  { "stdio-sandboxed", "--era modern", "\"method\": \"notifications/cancelled\"", TRUE },
  { "http-2025-11-25", "--era legacy --http", "\"kind\": \"closed\"", FALSE },
  { "http-2026-07-28", "--era modern --http", "\"kind\": \"closed\"", FALSE },
};

/* When the server wrote the last line that has this text, in microseconds. */
static gint64
get_time (McpFixture *f, const char *text)
{
  g_autofree char *log = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 at_us = 0;

  g_assert_true (g_file_get_contents (f->log, &log, NULL, NULL));
  lines = g_strsplit (log, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (JsonNode) node = strstr (lines[i], text) != NULL
                                      ? gadget_json_parse (lines[i], strlen (lines[i]), NULL)
                                      : NULL;

      if (node != NULL)
        at_us = (gint64) (json_object_get_double_member (json_node_get_object (node), "at") * 1e6);
    }
  return at_us;
}

static void
measure (McpFixture *f, const Case *self, guint i, GArray *over, GArray *heard)
{
  gint64 stopped_us;
  double ms;

  mcp_start_call (f, "slow", "{\"seconds\":600}");
  mcp_wait_log (f, "\"name\": \"slow\"", i + 1);
  test_run_for (10 + i * 7 % 20);
  stopped_us = g_get_monotonic_time ();
  ms = mcp_abort (f);
  g_array_append_val (over, ms);
  mcp_wait_log (f, self->heard, i + 1);
  ms = (double) (get_time (f, self->heard) - stopped_us) / 1000;
  g_array_append_val (heard, ms);
}

static gboolean
print (const Case *self, const char *metric, GArray *times, double goal, double hard)
{
  const gboolean ok = bench_get_rank (times, 0.5) <= goal && bench_get_rank (times, 1) <= hard;
  g_autofree char *limit = g_strdup_printf ("median <= %g ms, worst <= %g ms", goal, hard);

  bench_print_row ("mcp-stop", self->name, metric, times, 0, limit, ok);
  return ok;
}

static gboolean
run_case (const Case *self)
{
  McpFixture f = { 0 };
  g_autoptr (GArray) over = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) heard = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean ok;

  if (self->sandboxed)
    f.sandbox = test_get_sandbox ();
  if (self->sandboxed && f.sandbox == NULL)
    return TRUE;
  mcp_set_up (&f, self->options);
  mcp_connect (&f);
  for (guint i = 0; i < N; i++)
    measure (&f, self, i, over, heard);
  ok = print (self, "over_ms", over, 16, 50);
  ok &= print (self, "heard_ms", heard, 5, 100);
  mcp_tear_down (&f, self->options);
  return ok;
}

int
main (void)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ok &= run_case (&cases[i]);
  return ok ? 0 : 1;
}
