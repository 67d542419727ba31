/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "killed-stream.h"
#include "test-store.h"
#include "test-wait.h"

#include "session/gadget-history.h"

#include <signal.h>

#define SESSION_ID "s"

/* What the worker showed, in whole lines, until it was killed after @milliseconds. */
static char *
kill_after (GSubprocess *worker, guint milliseconds, gint64 *killed_at)
{
  GInputStream *pipe = g_subprocess_get_stdout_pipe (worker);
  g_autoptr (GString) shown = g_string_new (NULL);
  char buffer[4096];
  gssize n_read;

  /* The clock starts with the first line. */
  n_read = g_input_stream_read (pipe, buffer, sizeof (buffer), NULL, NULL);
  g_assert_cmpint (n_read, >, 0);
  g_string_append_len (shown, buffer, n_read);
  test_run_for (milliseconds);
  g_subprocess_send_signal (worker, SIGKILL);
  *killed_at = g_get_monotonic_time ();
  while ((n_read = g_input_stream_read (pipe, buffer, sizeof (buffer), NULL, NULL)) > 0)
    g_string_append_len (shown, buffer, n_read);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  return g_string_free_and_steal (g_steal_pointer (&shown));
}

static gint64
last_time (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines);

  /* The last is what follows the last newline: nothing. */
  return n >= 2 ? g_ascii_strtoll (lines[n - 2], NULL, 10) : 0;
}

gint64
test_killed_stream (const char *directory, guint milliseconds)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("stream", directory, SESSION_ID, NULL);
  gint64 killed_at;
  g_autofree char *shown = kill_after (worker, milliseconds, &killed_at);
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = test_store_load (store, SESSION_ID);
  g_autoptr (GadgetRequest) request = NULL;
  GadgetTurn *turn;
  const char *stored = "";
  gint64 first = g_ascii_strtoll (shown, NULL, 10);
  gint64 last;

  test_store_close (store);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
  turn = gadget_session_get_turn (session, 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  if (gadget_turn_get_n_items (turn) > 0)
    {
      stored = gadget_item_get_text (gadget_turn_get_item (turn, 0));
      g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                       GADGET_ITEM_ABORTED);
    }
  /* Nothing is stored that was not shown, and it is the beginning, byte for byte. */
  g_assert_true (g_str_has_prefix (shown, stored));
  last = *stored != '\0' ? last_time (stored) : first;

  request = gadget_history_build (session, NULL);
  g_assert_cmpuint (request->messages->len, >=, 1);
  return last_time (shown) - last;
}
