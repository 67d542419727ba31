/* SPDX-License-Identifier: GPL-3.0-or-later */

/* bench-escape GADGET GADGET-CLI BARE-ESCAPE, under with-display: from the second press of Esc to
 * the model server seeing the connection end, with the built program, driven from outside by its
 * keyboard. A bare window that does nothing else (bare-escape.c) takes turns with it, to tell what
 * of the figure is the machine's.
 *
 * The clock is read just before the press is handed to the display server (XTEST), and by the fake
 * model server's thread as soon as its read says that the connection has ended. So the figure has
 * the way of the key through the display server, GTK's input handling, the abort, the close, the
 * loopback, and the switches between processes; nothing is taken off. */

#include "config.h"

#include "bench-row.h"
#include "bench-window.h"
#include "fake-server.h"
#include "test-wait.h"

#include <X11/keysym.h>
#include <dlfcn.h>

#define N 60
#define SOON_MS 10000
#define OPEN_MS 2000
#define SETTLE_MS 400
#define BETWEEN_MS 50
#define PER_SECOND 20
#define MEDIAN_LIMIT_MS 5.0
#define P95_LIMIT_MS 20.0

/* The library is there wherever xdotool is, its header is not. */
typedef int (*FakeKeyFunc) (Display *display, unsigned int keycode, Bool down, unsigned long delay);

typedef struct
{
  FakeServer *server;
  Display *display;
  FakeKeyFunc fake_key;
  guint n_requests; /* those of earlier rounds */
  guint connection; /* this round's */
} Bench;

/* --- The keyboard ---------------------------------------------------------------------------- */

static void
send_key (Bench *bench, KeySym symbol, gboolean down)
{
  bench->fake_key (bench->display, XKeysymToKeycode (bench->display, symbol), down, CurrentTime);
  XFlush (bench->display);
}

static void
press (Bench *bench, KeySym symbol)
{
  send_key (bench, symbol, TRUE);
  test_run_for (5);
  send_key (bench, symbol, FALSE);
  test_run_for (5);
}

static void
load_keyboard (Bench *bench)
{
  void *library = dlopen ("libXtst.so.6", RTLD_NOW);

  if (library == NULL)
    bench_fail ("%s", dlerror ());
  bench->fake_key = (FakeKeyFunc) dlsym (library, "XTestFakeKeyEvent");
  if (bench->fake_key == NULL)
    bench_fail ("%s", dlerror ());
}

/* --- One round ------------------------------------------------------------------------------- */

static gboolean
has_request (gpointer user_data)
{
  Bench *bench = user_data;
  const FakeRequest *request;

  while ((request = fake_server_get_request (bench->server, bench->n_requests)) != NULL)
    {
      bench->n_requests++;
      if (g_str_equal (request->method, "POST"))
        {
          bench->connection = request->connection;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
has_ended (gpointer user_data)
{
  const Bench *bench = user_data;

  return fake_server_get_end_time (bench->server, bench->connection) != 0;
}

/* A message goes out, its answer flows for a time that is different at each turn, and is stopped.
 */
static double
measure (Bench *bench, BenchWindow *window, guint turn)
{
  gint64 pressed_us;
  gint64 ended_us;

  bench_window_focus (window);
  test_run_for (SETTLE_MS);
  press (bench, XK_h);
  press (bench, XK_i);
  press (bench, XK_Return);
  if (!test_wait_until (has_request, bench, SOON_MS))
    bench_fail ("message %u never reached the server", turn + 1);
  test_run_for (200 + turn * 7 % 50);

  press (bench, XK_Escape);
  test_run_for (BETWEEN_MS);
  if (has_ended (bench))
    bench_fail ("the first Esc ended the connection of message %u", turn + 1);
  pressed_us = g_get_monotonic_time ();
  send_key (bench, XK_Escape, TRUE);
  if (!test_wait_until (has_ended, bench, SOON_MS))
    bench_fail ("the server never saw the end of message %u", turn + 1);
  send_key (bench, XK_Escape, FALSE);
  ended_us = fake_server_get_end_time (bench->server, bench->connection);
  return (double) (ended_us - pressed_us) / 1000;
}

/* --- The whole ------------------------------------------------------------------------------- */

static void
run (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  int status;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status,
                     &error)
      || !g_spawn_check_wait_status (status, &error))
    bench_fail ("%s: %s\n%s", argv[0], error->message, err != NULL ? err : "");
}

static void
add_provider (Bench *bench, const char *cli)
{
  g_autofree char *url = fake_server_dup_url (bench->server, "/v1");
  const char *const add[] = { cli,       "provider",    "add",        "fake",
                              "--kind",  "openai-chat", "--base-url", url,
                              "--model", "fake-model",  NULL };
  const char *const choose[] = { cli, "provider", "default", "fake", NULL };

  run (add);
  run (choose);
}

static void
report (GArray *gadget, GArray *bare)
{
  const double floor = bench_get_rank (bare, 0.5);
  const gboolean ok = bench_get_rank (gadget, 0.5) <= MEDIAN_LIMIT_MS
                      && bench_get_rank (gadget, 0.95) <= P95_LIMIT_MS;

  bench_print_row ("abort", "escape-escape/mid-text-20", "close_ms", gadget, floor,
                   "median <= 5 ms, p95 <= 20 ms", ok);
  bench_print_row ("abort", "bare-escape-escape/mid-text-20", "close_ms", bare, 0,
                   "none, for comparison", TRUE);
}

static BenchWindow *
open_window (const char *program, const char *argument)
{
  BenchWindow *window = bench_window_start (program, argument);

  bench_window_await_frame (window);
  test_run_for (OPEN_MS);
  return window;
}

int
main (int argc, char **argv)
{
  g_autoptr (GArray) gadget_ms = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) bare_ms = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *port = NULL;
  Bench bench = { 0 };
  BenchWindow *gadget;
  BenchWindow *bare;
  FakeReply *reply;

  if (argc != 4)
    bench_fail ("usage: bench-escape GADGET GADGET-CLI BARE-ESCAPE");
  bench.server = fake_server_new ();
  reply = fake_server_add_reply (bench.server);
  fake_reply_chat_begin (reply);
  fake_reply_chat_flow (reply, "word ", 1000000, PER_SECOND);
  port = g_strdup_printf ("%u", fake_server_get_port (bench.server));
  add_provider (&bench, argv[2]);

  gadget = open_window (argv[1], NULL);
  bare = open_window (argv[3], port);
  bench.display = bench_window_get_display (gadget);
  load_keyboard (&bench);
  for (guint i = 0; i < N; i++)
    {
      const double gadget_took = measure (&bench, gadget, i);
      const double bare_took = measure (&bench, bare, i);

      g_array_append_val (gadget_ms, gadget_took);
      g_array_append_val (bare_ms, bare_took);
    }
  report (gadget_ms, bare_ms);
  bench_window_end (gadget);
  bench_window_end (bare);
  fake_server_free (bench.server);
  return 0;
}
