/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another program asks, and names files that are given with its text. */

#include "config.h"

#include "control-ask-fixture.h"
#include "session/gadget-attachment.h"
#include "slow-pdf.h"
#include "wait.h"

typedef ControlFixture Fixture;

#define HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

static char *
put (Fixture *fixture, const char *name, const char *bytes, gssize length)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  return path;
}

static GadgetRun *
find_reading (Fixture *fixture)
{
  g_autoptr (GPtrArray) runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (fixture->engine)));

  for (guint i = 0; i < runs->len; i++)
    if (gadget_run_get_kind (g_ptr_array_index (runs, i)) == GADGET_RUN_ATTACHMENT)
      return g_ptr_array_index (runs, i);
  return NULL;
}

static void
assert_nothing_sent (Fixture *fixture)
{
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 0);
  g_assert_null (find_reading (fixture));
}

static GPtrArray *
get_given (Fixture *fixture, const ControlAsked *asked)
{
  GadgetSession *session = gadget_engine_find_session (fixture->engine, asked->session);

  return gadget_attachments_get (gadget_session_get_last_turn (session));
}

/* --- Given --- */

static void
test_given (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notes = put (fixture, "some notes.txt", "Grüße\n", -1);
  g_autofree char *picture = put (fixture, "p.png", HEAD, sizeof HEAD - 1);
  g_autofree char *uri = g_filename_to_uri (notes, NULL, NULL);
  g_autofree char *options = g_strdup_printf ("{'attachments': <['%s', '%s']>}", uri, picture);
  g_auto (ControlAsked) asked = { 0 };
  GPtrArray *given;

  control_ask (fixture, "", options, &asked);
  given = get_given (fixture, &asked);
  g_assert_cmpuint (given->len, ==, 2);
  g_assert_cmpstr (gadget_attachment_get_text (g_ptr_array_index (given, 0)), ==, "Grüße\n");
  g_assert_cmpstr (gadget_attachment_get_name (g_ptr_array_index (given, 0)), ==, "some notes.txt");
  g_assert_nonnull (gadget_attachment_get_picture (g_ptr_array_index (given, 1)));
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_null (find_reading (fixture));
  g_assert_cmpuint (control_count_signals (fixture, "Completed"), ==, 0);
}

/* In a chat that is busy they wait with their message. */
static void
test_queued (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notes = put (fixture, "notes.txt", "Some notes", -1);
  g_autofree char *queue = g_strdup_printf ("{'attachments': <['%s']>}", notes);
  g_autofree char *steer = g_strdup_printf ("{'attachments': <['%s']>, 'when': <'steer'>}", notes);
  g_autofree char *refuse =
      g_strdup_printf ("{'attachments': <['%s']>, 'when': <'refuse'>}", notes);
  g_auto (ControlAsked) first = { 0 };
  g_auto (ControlAsked) queued = { 0 };
  g_auto (ControlAsked) steered = { 0 };
  GListModel *waiting;

  control_ask (fixture, "", NULL, &first);
  control_ask (fixture, first.session, queue, &queued);
  control_ask (fixture, first.session, steer, &steered);
  control_assert_refused (fixture, "Ask", control_make_ask (first.session, "x", refuse),
                          ERRORS "Busy");
  g_assert_cmpstr (queued.run, ==, "");
  g_assert_cmpstr (steered.run, ==, first.run);
  waiting = gadget_session_get_queue (gadget_engine_find_session (fixture->engine, first.session));
  g_assert_cmpuint (g_list_model_get_n_items (waiting), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (waiting, i);

      g_assert_cmpuint (gadget_attachments_get (message)->len, ==, 1);
    }
}

/* --- Refused --- */

static char *
make_many (const char *path, guint n)
{
  g_autoptr (GString) text = g_string_new ("{'attachments': <[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s'%s'", i > 0 ? ", " : "", path);
  g_string_append (text, "]>}");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const invalid[] = {
    "{'attachments': <'/etc/hostname'>}",
    "{'attachments': <['etc/hostname']>}",
    "{'attachments': <['']>}",
    "{'attachments': <['http://localhost/a.txt']>}",
    "{'attachments': <['file://elsewhere/etc/hostname']>}",
    "{'attachments': <['/']>}",
    "{'attachments': <['/dev/zero']>}",
  };
  g_autofree char *notes = put (fixture, "notes.txt", "Some notes", -1);
  g_autofree char *program = put (fixture, "program",
                                  "\x7f"
                                  "ELF\0\0",
                                  6);
  g_autofree char *most = make_many (notes, 20);
  g_autofree char *more = make_many (notes, 21);
  g_autofree char *half = g_strdup_printf ("{'attachments': <['%s', '%s']>}", notes, program);
  g_auto (ControlAsked) asked = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    control_assert_refused (fixture, "Ask", control_make_ask ("", "x", invalid[i]),
                            ERRORS "Invalid");
  control_assert_refused (fixture, "Ask", control_make_ask ("", "x", more), ERRORS "Invalid");
  control_assert_refused (fixture, "Ask", control_make_ask ("", "x", half), ERRORS "Invalid");
  control_assert_refused (fixture, "Ask",
                          control_make_ask ("", "x", "{'attachments': <['/no/such.txt']>}"),
                          ERRORS "NotFound");
  assert_nothing_sent (fixture);
  control_ask (fixture, "", most, &asked);
  g_assert_cmpuint (get_given (fixture, &asked)->len, ==, 20);
}

/* Whoever cannot be told has nothing read: not even whether it is there is said. */
static void
test_unknown_caller (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notes = put (fixture, "notes.txt", "Some notes", -1);
  g_autofree char *options = g_strdup_printf ("{'attachments': <['%s']>}", notes);
  ControlPeer peer = { 0 };

  control_peer_open (&peer, fixture);
  control_assert_peer_refused (&peer, "Ask", control_make_ask ("", "x", options));
  control_assert_peer_refused (&peer, "Ask",
                               control_make_ask ("", "x", "{'attachments': <['/no/such.txt']>}"));
  assert_nothing_sent (fixture);
  control_peer_close (&peer);
}

/* --- Stopped while they are read --- */

static void
begin (Fixture *fixture, const char *more, ControlAnswer *answer)
{
  g_autofree char *path = slow_pdf_make (fixture->folder);
  g_autofree char *options = g_strdup_printf ("{'attachments': <['%s']>%s}", path, more);

  control_call_bus (fixture, "Ask", control_make_ask ("", "x", options), answer);
  wait_until (slow_pdf_is_read ());
}

static void
assert_stopped (Fixture *fixture, const ControlAnswer *answer)
{
  wait_until (control_is_answered (answer));
  g_assert_cmpstr (answer->error, ==, ERRORS "Aborted");
  wait_until (!slow_pdf_is_read ());
  assert_nothing_sent (fixture);
}

static void
stop (Fixture *fixture, const char *run_id)
{
  g_auto (ControlAnswer) stopped = { 0 };
  gboolean aborted = FALSE;

  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", run_id), &stopped);
  wait_until (control_is_answered (&stopped));
  g_assert_cmpstr (stopped.error, ==, NULL);
  g_variant_get (stopped.reply, "(bass)", &aborted, NULL, NULL);
  g_assert_true (aborted);
}

/* By the id that its run would have had, by that of the reading, and with everything. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    {
      g_auto (ControlAnswer) answer = { 0 };
      g_autofree char *reading = NULL;

      begin (fixture, ", 'run-id': <'mine'>", &answer);
      reading = g_strdup (gadget_run_get_id (find_reading (fixture)));
      stop (fixture, i == 0 ? "mine" : i == 1 ? reading : "");
      assert_stopped (fixture, &answer);
    }
}

/* The same request once more, while the first still reads its files: one run comes of both. */
static void
test_same_run (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notes = put (fixture, "notes.txt", "Some notes", -1);
  g_autofree char *options =
      g_strdup_printf ("{'run-id': <'mine'>, 'attachments': <['%s']>}", notes);
  g_auto (ControlAnswer) first = { 0 };
  g_auto (ControlAnswer) second = { 0 };

  control_call_bus (fixture, "Ask", control_make_ask ("", "x", options), &first);
  control_call_bus (fixture, "Ask", control_make_ask ("", "x", "{'run-id': <'mine'>}"), &second);
  wait_until (control_is_answered (&first) && control_is_answered (&second));
  g_assert_cmpstr (first.error, ==, NULL);
  g_assert_cmpstr (second.error, ==, NULL);
  g_assert_true (g_variant_equal (first.reply, second.reply));
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
}

/* And one stop ends both. */
static void
test_same_run_stopped (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) first = { 0 };
  g_auto (ControlAnswer) second = { 0 };

  begin (fixture, ", 'run-id': <'mine'>", &first);
  control_call_bus (fixture, "Ask", control_make_ask ("", "x", "{'run-id': <'mine'>}"), &second);
  stop (fixture, "mine");
  assert_stopped (fixture, &first);
  assert_stopped (fixture, &second);
}

static void
test_deadline (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) answer = { 0 };

  begin (fixture, ", 'deadline': <uint32 1>", &answer);
  assert_stopped (fixture, &answer);
}

/* A stop of the chat that it is for, from anywhere, and one that comes with the call. */
static void
test_stopped_in_chat (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) early = { 0 };
  g_auto (ControlAnswer) answer = { 0 };
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autofree char *path = slow_pdf_make (fixture->folder);
  g_autofree char *options =
      g_strdup_printf ("{'attachments': <['%s']>, 'run-id': <'early'>}", path);

  control_call_bus (fixture, "Ask", control_make_ask ("", "x", options), &early);
  stop (fixture, "early");
  assert_stopped (fixture, &early);
  begin (fixture, "", &answer);
  ack = gadget_agent_abort (gadget_engine_get_agent (fixture->engine),
                            gadget_run_get_session_id (find_reading (fixture)), NULL,
                            GADGET_STOP_USER);
  g_assert_true (ack->aborted);
  assert_stopped (fixture, &answer);
}

static gboolean
stop_besides_cb (GadgetRegistry *registry, guint *n)
{
  (*n)++;
  return TRUE;
}

/* What is being prepared in the window is stopped with everything, by who may stop everything. */
static void
test_stop_besides (Fixture *fixture, gconstpointer data)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (fixture->engine));
  ControlPeer peer = { 0 };
  g_auto (ControlAnswer) refused = { 0 };
  g_auto (ControlAnswer) one = { 0 };
  gboolean aborted = TRUE;
  guint n = 0;

  g_signal_connect (registry, "abort-all", G_CALLBACK (stop_besides_cb), &n);
  control_peer_open (&peer, fixture);
  control_call (peer.there, NULL, "Abort", g_variant_new ("(ss)", "", ""), &refused);
  wait_until (control_is_answered (&refused));
  g_variant_get (refused.reply, "(bass)", &aborted, NULL, NULL);
  g_assert_false (aborted);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", "none"), &one);
  wait_until (control_is_answered (&one));
  g_assert_cmpuint (n, ==, 0);
  stop (fixture, "");
  g_assert_cmpuint (n, ==, 1);
  g_signal_handlers_disconnect_by_func (registry, stop_besides_cb, &n);
  control_peer_close (&peer);
}

int
main (int argc, char **argv)
{
  int status;

  slow_pdf_init ();
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/control-attach/" path, Fixture, NULL, control_ask_set_up, function,         \
              control_tear_down)
  ADD ("given", test_given);
  ADD ("queued", test_queued);
  ADD ("refused", test_refused);
  ADD ("unknown-caller", test_unknown_caller);
  ADD ("stopped", test_stopped);
  ADD ("same-run", test_same_run);
  ADD ("same-run-stopped", test_same_run_stopped);
  ADD ("deadline", test_deadline);
  ADD ("stopped-in-chat", test_stopped_in_chat);
  ADD ("stop-besides", test_stop_besides);

  status = g_test_run ();
  slow_pdf_clear ();
  return status;
}
