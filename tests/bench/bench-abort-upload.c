/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-abort-upload.h"

#include "bench-row.h"
#include "test-exchange.h"
#include "test-wait.h"

#define N 5
#define MB 1000000
#define SOON_MS 60000
#define BEFORE (64 * 1024) /* bytes that the server has when the request is aborted */
#define SETTLED_MS 100

typedef struct
{
  guint size_mb;
  double rate_mb;
} Upload;

static const Upload uploads[] = {
  { 1, 0.25 }, { 3, 0.25 }, { 9, 0.25 }, { 1, 1 }, { 3, 1 }, { 9, 1 },
};

static gboolean
has_some (gpointer user_data)
{
  return fake_server_get_n_received (user_data) >= BEFORE;
}

static void
add (GArray *values, gsize n)
{
  const double value = (double) n;

  g_array_append_val (values, value);
}

static void
measure (FakeServerKind kind, const Upload *upload, GArray *after, GArray *late)
{
  const gsize size = (gsize) upload->size_mb * MB;
  TestExchange f = { 0 };
  gsize at_abort;
  gsize settled;

  test_exchange_set_up (&f, NULL);
  if (kind != FAKE_SERVER_PLAIN)
    test_exchange_use (&f, kind);
  fake_server_set_intake (f.server, (guint) (upload->rate_mb * MB));
  g_clear_pointer (&f.request->body, g_bytes_unref);
  f.request->body = g_bytes_new_take (g_strnfill (size, 'x'), size);
  test_exchange_start (&f);
  g_assert_true (test_wait_until (has_some, f.server, SOON_MS));
  at_abort = fake_server_get_n_received (f.server);
  g_cancellable_cancel (f.cancellable);
  test_run_for (SETTLED_MS);
  settled = fake_server_get_n_received (f.server);
  g_assert_true (test_wait_until (test_exchange_has_ended, f.server, SOON_MS));
  add (after, settled - at_abort);
  add (late, fake_server_get_n_received (f.server) - settled);
  g_assert_false (test_exchange_finish (&f, NULL));
  test_exchange_tear_down (&f, NULL);
}

static gboolean
run (FakeServerKind kind, const Upload *upload)
{
  g_autoptr (GArray) after = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) late = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *name =
      g_strdup_printf ("upload%s/%u-mb-at-%g", kind == FAKE_SERVER_TLS ? "-tls" : "",
                       upload->size_mb, upload->rate_mb);
  gboolean ok;

  for (guint i = 0; i < N; i++)
    measure (kind, upload, after, late);
  ok = bench_get_rank (late, 1) <= 0;
  bench_print_row ("abort", name, "bytes_within_100_ms", after, 0, "none, for comparison", TRUE);
  bench_print_row ("abort", name, "bytes_after_100_ms", late, 0, "worst <= 0", ok);
  return ok;
}

gboolean
bench_abort_upload (FakeServerKind kind)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (uploads); i++)
    ok &= run (kind, &uploads[i]);
  return ok;
}
