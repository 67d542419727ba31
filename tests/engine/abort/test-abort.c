/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abort contract from end to end: a real store, a real connection to a server that this test
 * scripts, real commands in the real sandbox. One case a moment; after each the invariants that
 * abort-fixture.h lists. */

#include "config.h"

#include "abort-fixture.h"
#include "test-process.h"
#include "wait.h"

#include <string.h>

typedef struct
{
  const char *name;
  void (*script) (AbortFixture *fixture);
  gboolean (*ready) (AbortFixture *fixture);
  GadgetApproval approval;
  FakeServerKind server;
  const char *receipt; /* a kind that must be in it, or NULL */
} Moment;

/* --- What the server does before the abort ---------------------------------------------------- */

static void
script_mute (AbortFixture *fixture)
{
  fake_reply_stall (fake_server_add_reply (fixture->server));
}

static void
script_head (AbortFixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_stall (reply);
}

static void
script_text (AbortFixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "The key is 42");
  fake_reply_stall (reply);
}

static void
script_flow (AbortFixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chat_flow (reply, "word ", 100000, 2000);
  fake_reply_chat_finish (reply, "stop");
}

static void
script_cut_call (AbortFixture *fixture)
{
  FakeReply *reply = fake_server_add_reply (fixture->server);

  fake_reply_chat_begin (reply);
  fake_reply_chunk (reply,
                    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
                    "\"id\":\"c\",\"function\":{\"name\":\"shell\",\"arguments\":"
                    "\"{\\\"comm\"}}]}}]}\n\n");
  fake_reply_stall (reply);
}

static void
script_retry (AbortFixture *fixture)
{
  fake_reply_body (fake_server_add_reply (fixture->server), 429, "application/json",
                   "{\"error\":{\"message\":\"slow down\"}}", "Retry-After: 30\r\n");
}

static void
script_wait (AbortFixture *fixture)
{
  abort_script_call (fixture, "wait", "{\"seconds\":3600}");
}

static void
script_question (AbortFixture *fixture)
{
  abort_script_call (fixture, "ask_user", "{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}");
}

static void
script_command (AbortFixture *fixture)
{
  g_autofree char *arguments =
      g_strdup_printf ("{\"command\":\"echo begun; sleep %s\"}", fixture->marker);

  abort_script_call (fixture, "shell", arguments);
}

/* The line that others leave running: in the background, in a session of its own, deaf to TERM. */
static void
script_stubborn (AbortFixture *fixture)
{
  g_autofree char *arguments = g_strdup_printf (
      "{\"command\":\"echo begun; sleep %s & setsid sleep %s & trap '' TERM; sleep %s\"}",
      fixture->marker, fixture->marker, fixture->marker);

  abort_script_call (fixture, "shell", arguments);
}

/* --- When it is aborted ----------------------------------------------------------------------- */

static gboolean
ready_at_once (AbortFixture *fixture)
{
  return TRUE;
}

static gboolean
ready_connecting (AbortFixture *fixture)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (fixture->turn);

  /* The key is looked up first. */
  for (guint i = 0; i < gadget_receipt_get_n_in_flight (receipt); i++)
    if (gadget_receipt_get_in_flight (receipt, i)->kind == GADGET_RECEIPT_CONNECTION)
      return TRUE;
  return FALSE;
}

static gboolean
ready_accepted (AbortFixture *fixture)
{
  return fake_server_count (fixture->server, FAKE_EVENT_ACCEPT) > 0;
}

static gboolean
ready_asked (AbortFixture *fixture)
{
  return fake_server_get_n_requests (fixture->server) > 0;
}

static gboolean
ready_head (AbortFixture *fixture)
{
  return fake_server_count (fixture->server, FAKE_EVENT_HEAD) > 0;
}

static gboolean
ready_shown (AbortFixture *fixture)
{
  return gadget_turn_get_n_items (fixture->turn) > 0;
}

static gboolean
ready_retrying (AbortFixture *fixture)
{
  return gadget_turn_get_phase (fixture->turn) == GADGET_PHASE_RETRYING;
}

static gboolean
ready_running (AbortFixture *fixture)
{
  return ready_shown (fixture)
         && gadget_item_get_status (gadget_turn_get_item (fixture->turn, 0)) == GADGET_ITEM_RUNNING;
}

static gboolean
ready_output (AbortFixture *fixture)
{
  return ready_running (fixture)
         && strstr (gadget_item_get_text (gadget_turn_get_item (fixture->turn, 0)), "begun") != NULL
         && test_count_alive (fixture->marker) > 0;
}

static gboolean
ready_prompt (AbortFixture *fixture)
{
  return ready_shown (fixture)
         && gadget_item_get_prompt (gadget_turn_get_item (fixture->turn, 0)) != NULL;
}

static const Moment moments[] = {
  { "A2-at-once", script_mute, ready_at_once, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN, NULL },
  { "T2-connecting", NULL, ready_connecting, GADGET_APPROVAL_ASK, FAKE_SERVER_DEAF, "connection" },
  { "T3-no-server-hello", NULL, ready_accepted, GADGET_APPROVAL_ASK, FAKE_SERVER_TLS_MUTE,
    "connection" },
  { "T3-half-a-handshake", NULL, ready_accepted, GADGET_APPROVAL_ASK, FAKE_SERVER_TLS_HALF,
    "connection" },
  { "T6-before-headers", script_mute, ready_asked, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "connection" },
  { "T1-headers-then-stall", script_head, ready_head, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "connection" },
  { "T8-mid-text", script_text, ready_shown, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN, "connection" },
  { "T1-2000-chunks-a-second", script_flow, ready_shown, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "connection" },
  { "H3-mid-arguments", script_cut_call, ready_shown, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "connection" },
  { "T17-retry-wait", script_retry, ready_retrying, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "retry" },
  { "X16-in-wait", script_wait, ready_running, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN, "tool" },
  { "X15-in-question", script_question, ready_prompt, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "question" },
  { "X15-in-permission", script_command, ready_prompt, GADGET_APPROVAL_ASK, FAKE_SERVER_PLAIN,
    "question" },
  { "X1-in-command", script_command, ready_output, GADGET_APPROVAL_AUTO, FAKE_SERVER_PLAIN,
    "process" },
  { "X3-X4-stubborn-command", script_stubborn, ready_output, GADGET_APPROVAL_AUTO,
    FAKE_SERVER_PLAIN, "process" },
};

/* --- The test --------------------------------------------------------------------------------- */

static void
set_up (AbortFixture *fixture, gconstpointer data)
{
  abort_set_up (fixture, ((const Moment *) data)->server, NULL);
}

static void
tear_down (AbortFixture *fixture, gconstpointer data)
{
  abort_tear_down (fixture);
}

static void
test_moment (AbortFixture *fixture, gconstpointer data)
{
  const Moment *moment = data;

  if (moment->script != NULL)
    moment->script (fixture);
  abort_start (fixture, "go", moment->approval);
  wait_until (moment->ready (fixture));
  abort_press (fixture);
  g_assert_cmpuint (fixture->n_completed, ==, 1);
  if (moment->receipt != NULL)
    g_assert_true (abort_has_receipt (fixture->turn, moment->receipt));
  abort_assert_invariants (fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_autofree char *path = g_strdup_printf ("/abort/%s", moments[i].name);

      g_test_add (path, AbortFixture, &moments[i], set_up, test_moment, tear_down);
    }
  return g_test_run ();
}
