/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A turn of gadget-cli, stopped by another program that shows it, as the window does: from the call
 * of the abort to the end of the connection at the server. In between are the bus, and the owner's
 * question to the bus who calls. usage: bench-abort-remote GADGET-CLI */

#include "config.h"

#include "bench-row.h"
#include "fake-server.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "wait.h"

#include "control/gadget-remote-run.h"

#include <stdio.h>

#define N 50

typedef struct
{
  const char *cli;
  FakeServer *server;
  GadgetEngine *engine;
  GDBusConnection *bus;
} Bench;

static GSubprocess *
start_cli (Bench *bench, const char *const *arguments)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_strv_builder_add (builder, bench->cli);
  g_strv_builder_addv (builder, (const char **) arguments);
  argv = g_strv_builder_end (builder);
  process = g_subprocess_newv (
      (const char *const *) argv,
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  return process;
}

/* (nullable): The session of which another process's turn is shown. */
static GadgetSession *
find_working (Bench *bench)
{
  GListModel *sessions = gadget_engine_get_sessions (bench->engine);

  for (guint i = 0; i < g_list_model_get_n_items (sessions); i++)
    {
      g_autoptr (GadgetSession) session = g_list_model_get_item (sessions, i);

      if (gadget_session_get_remote_run (session) != NULL)
        return session; /* the list holds it */
    }
  return NULL;
}

static double
measure (Bench *bench)
{
  static const char *const ask[] = { "ask", "--provider", "bench", "talk", NULL };
  const guint n_before = fake_server_count_ends (bench->server);
  g_autoptr (GSubprocess) cli = start_cli (bench, ask);
  g_autoptr (GadgetRemoteRun) remote = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetSession *session;
  gint64 begin;
  gint64 end;

  wait_until ((session = find_working (bench)) != NULL);
  remote = gadget_remote_run_new (bench->engine, bench->bus, session);
  /* Some of the answer is there, and the owner was found, as in a window that shows it. */
  wait_until (fake_server_get_n_sent (bench->server) > 0);
  for (gint64 until = g_get_monotonic_time () + 100000; g_get_monotonic_time () < until;)
    g_main_context_iteration (NULL, FALSE);

  begin = g_get_monotonic_time ();
  gadget_remote_run_abort_async (remote, test_result_cb, &result);
  wait_until (fake_server_count_ends (bench->server) > n_before);
  end = fake_server_get_time (bench->server, FAKE_EVENT_FIN,
                              fake_server_count (bench->server, FAKE_EVENT_FIN) - 1);
  if (end < begin)
    end = fake_server_get_time (bench->server, FAKE_EVENT_RST,
                                fake_server_count (bench->server, FAKE_EVENT_RST) - 1);
  wait_until (result != NULL);
  g_assert_true (gadget_remote_run_abort_finish (remote, result, &error));
  wait_until (find_working (bench) == NULL);
  g_subprocess_wait (cli, NULL, NULL);
  return (double) (end - begin) / 1000;
}

static void
open_engine (Bench *bench, const char *directory)
{
  bench->engine = gadget_engine_new (directory);
  test_engine_open (bench->engine);
}

static void
close_engine (Bench *bench)
{
  test_engine_close (bench->engine, GADGET_STOP_CLOSED);
  g_clear_object (&bench->engine);
}

int
main (int argc, char **argv)
{
  g_autoptr (GTestDBus) bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_autoptr (GArray) close = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  g_autofree char *data = test_dir_new ();
  g_autofree char *directory = g_build_filename (data, "gadget", NULL);
  g_autofree char *url = NULL;
  Bench bench = { .cli = argv[1] };
  gboolean ok;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-abort-remote GADGET-CLI\n");
      return 2;
    }
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_dbus_up (bus);
  bench.bus =
      g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (bus),
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);
  g_assert_no_error (error);
  bench.server = fake_server_new ();
  url = fake_server_dup_url (bench.server, "/v1");
  {
    const char *const add[] = { "provider",   "add", "bench",   "--kind",     "openai-chat",
                                "--base-url", url,   "--model", "fake-model", NULL };
    FakeReply *reply = fake_server_add_reply (bench.server);
    g_autoptr (GSubprocess) cli = start_cli (&bench, add);

    fake_reply_chat_begin (reply);
    fake_reply_chat_flow (reply, "word ", 1000000, 100);
    g_assert_true (g_subprocess_wait_check (cli, NULL, &error));
  }
  open_engine (&bench, directory);
  for (guint i = 0; i < N; i++)
    {
      const double ms = measure (&bench);

      g_array_append_val (close, ms);
    }
  ok = bench_get_rank (close, 0.5) <= 10 && bench_get_rank (close, 1) <= 100;
  bench_print_row ("abort", "another-process", "close_ms", close, 0,
                   "median <= 10 ms, worst <= 100 ms", ok);
  close_engine (&bench);
  g_dbus_connection_close_sync (bench.bus, NULL, NULL);
  g_clear_object (&bench.bus);
  fake_server_free (bench.server);
  g_test_dbus_down (bus);
  test_dir_free (g_steal_pointer (&data));
  return ok ? 0 : 1;
}
