/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another program asks, follows what happens, and answers what it is asked. */

#include "config.h"

#include "control-ask-fixture.h"
#include "store/lease/gadget-lease.h"
#include "store/gadget-store-sessions.h"
#include "engine-fixture.h"
#include "wait.h"

typedef ControlFixture Fixture;

#define QUESTION "{\"question\":\"Where to?\",\"choices\":[\"Here\",\"There\"]}"

static GadgetTurn *
get_turn (Fixture *fixture, const ControlAsked *asked)
{
  GadgetSession *session = gadget_engine_find_session (fixture->engine, asked->session);

  g_assert_nonnull (session);
  return gadget_session_get_last_turn (session);
}

/* The text of what happened, in its order. */
static char *
join_events (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < fixture->events->len; i++)
    {
      GVariant *event = g_ptr_array_index (fixture->events, i);
      const char *name = NULL;
      const char *delta = "";

      g_variant_lookup (event, "event", "&s", &name);
      g_variant_lookup (event, "delta", "&s", &delta);
      g_string_append_printf (text, "%s:%s ", name, delta);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- Asking --- */

static void
test_ask (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) asked = { 0 };
  g_auto (ControlAsked) again = { 0 };
  g_autofree char *events = NULL;
  GadgetTurn *turn;

  control_ask (fixture, "", "{'run-id': <'mine'>, 'model': <'other'>, 'workspace': <'/tmp'>}",
               &asked);
  g_assert_cmpstr (asked.run, ==, "mine");
  g_assert_nonnull (gadget_registry_find (
      gadget_agent_get_registry (gadget_engine_get_agent (fixture->engine)), "mine"));
  turn = get_turn (fixture, &asked);
  g_assert_cmpstr (gadget_turn_get_id (turn), ==, asked.turn);
  g_assert_cmpstr (gadget_turn_get_model (turn), ==, "other");
  g_assert_cmpstr (
      gadget_session_get_workspace (gadget_engine_find_session (fixture->engine, asked.session)),
      ==, "/tmp");

  /* The same id is the same run, and nothing more is started. */
  control_ask (fixture, "", "{'run-id': <'mine'>}", &again);
  g_assert_cmpstr (again.turn, ==, asked.turn);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "one ");
  fake_provider_text (fixture->provider, "two");
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
  events = join_events (fixture);
  g_assert_cmpstr (events, ==, "text:one two ");
  /* What happened is told before the end. */
  g_assert_true (g_str_has_prefix (g_ptr_array_index (fixture->signals, fixture->signals->len - 1),
                                   "Completed"));
  control_assert_refused (fixture, "Ask", control_make_ask ("", "more", "{'run-id': <'mine'>}"),
                          ERRORS "Exists");
}

static void
test_go_on (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) first = { 0 };
  g_auto (ControlAsked) second = { 0 };

  control_ask (fixture, "", NULL, &first);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 1);
  control_ask (fixture, first.session, NULL, &second);
  g_assert_cmpstr (second.session, ==, first.session);
  g_assert_cmpstr (second.run, !=, first.run);
  wait_until (fake_provider_is_waiting (fixture->provider));
}

static void
test_busy (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) first = { 0 };
  g_auto (ControlAsked) queued = { 0 };
  g_auto (ControlAsked) steered = { 0 };
  GadgetSession *session;

  control_ask (fixture, "", NULL, &first);
  session = gadget_engine_find_session (fixture->engine, first.session);
  control_assert_refused (
      fixture, "Ask", control_make_ask (first.session, "x", "{'when': <'refuse'>}"), ERRORS "Busy");
  control_assert_refused (fixture, "Ask",
                          control_make_ask (first.session, "x", "{'approve': <'auto'>}"),
                          ERRORS "Busy");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 0);
  control_ask (fixture, first.session, NULL, &queued);
  g_assert_cmpstr (queued.run, ==, "");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 1);
  control_ask (fixture, first.session, "{'when': <'steer'>}", &steered);
  g_assert_cmpstr (steered.run, ==, first.run);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 2);
}

/* A stop that follows at once: what was asked for before it is not sent after it. */
static void
test_stopped_before_queue (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) first = { 0 };
  g_auto (ControlAnswer) later = { 0 };
  g_auto (ControlAnswer) aborted = { 0 };
  GadgetSession *session;

  control_ask (fixture, "", NULL, &first);
  session = gadget_engine_find_session (fixture->engine, first.session);
  wait_until (fake_provider_is_waiting (fixture->provider));
  control_call_bus (fixture, "Ask", control_make_ask (first.session, "later", NULL), &later);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", first.session, ""), &aborted);
  wait_until (control_is_answered (&later) && control_is_answered (&aborted));
  g_assert_cmpstr (aborted.error, ==, NULL);
  g_assert_cmpstr (later.error, ==, ERRORS "Aborted");
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 0);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
}

/* A chat takes nothing while its deletion can still be undone, nor afterwards. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) first = { 0 };
  g_auto (ControlAsked) again = { 0 };
  GadgetSession *session;
  g_autoptr (GError) error = NULL;

  control_ask (fixture, "", NULL, &first);
  session = gadget_engine_find_session (fixture->engine, first.session);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 1);

  gadget_engine_begin_delete (fixture->engine, session, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
  control_assert_refused (fixture, "Ask", control_make_ask (first.session, "x", NULL),
                          ERRORS "NotFound");
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, session));
  control_ask (fixture, first.session, NULL, &again);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 2);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 2);

  engine_fixture_delete (fixture->engine, session, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
  control_assert_refused (fixture, "Ask", control_make_ask (first.session, "x", NULL),
                          ERRORS "NotFound");
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
}

/* What is chosen for a turn that does not start is not chosen for the chat. */
static void
test_refused_changes_nothing (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) first = { 0 };
  g_autoptr (GadgetLease) lease = NULL;
  GadgetSession *session;

  control_ask (fixture, "", "{'model': <'model'>, 'workspace': <'/usr'>}", &first);
  session = gadget_engine_find_session (fixture->engine, first.session);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 1);
  /* Another process works on it. */
  wait_until ((lease = gadget_lease_acquire (fixture->folder, first.session, NULL)) != NULL);
  control_assert_refused (
      fixture, "Ask",
      control_make_ask (first.session, "x",
                        "{'provider': <'guide'>, 'model': <'other'>, 'workspace': <'/tmp'>}"),
      ERRORS "Busy");
  g_assert_cmpstr (gadget_session_get_provider (session), !=, "guide");
  g_assert_cmpstr (gadget_session_get_model (session), ==, "model");
  g_assert_cmpstr (gadget_session_get_workspace (session), ==, "/usr");
}

/* Nothing was sent: who asks again with the same id gets a run, from memory and from the disk. */
static void
test_run_id_of_nothing (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (ControlAnswer) asked = { 0 };
      g_auto (ControlAnswer) aborted = { 0 };
      g_auto (ControlAsked) again = { 0 };

      control_call_bus (fixture, "Ask", control_make_ask ("", "x", "{'run-id': <'mine'>}"), &asked);
      control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", "mine"), &aborted);
      wait_until (control_is_answered (&asked) && control_is_answered (&aborted));
      g_assert_cmpstr (asked.error, ==, NULL);
      wait_until (control_count_signals (fixture, "Completed") == i + 1);
      g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
      if (i == 1)
        {
          /* A program that was started later. */
          gadget_control_unexport (fixture->control);
          g_object_unref (fixture->control);
          fixture->control = gadget_control_new (fixture->engine);
          gadget_control_set_accepts_work (fixture->control, TRUE);
          g_assert_true (gadget_control_export (fixture->control, fixture->service, NULL));
          control_ask (fixture, "", "{'run-id': <'mine'>}", &again);
          g_assert_cmpstr (again.run, ==, "mine");
          wait_until (fake_provider_is_waiting (fixture->provider));
        }
    }
}

/* A program in a sandbox asks for a chat that is not its own, with a run id; the user's program
 * asks with the same id while both are being identified. The refusal of the first does not take the
 * second with it. */
static void
test_refused_with_run_id (Fixture *fixture, gconstpointer data)
{
  const char *service = g_dbus_connection_get_unique_name (fixture->service);
  g_autoptr (GSubprocess) sandboxed = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (ControlAnswer) first = { 0 };
  g_auto (ControlAnswer) asked = { 0 };

  /* Nothing is handled before all calls have arrived: the identification of the user's program
   * begins with its first one. */
  control_call_bus (fixture, "Unsubscribe", NULL, &first);
  sandboxed = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, "unshare", "--map-current-user", "gdbus", "call",
      "--address", g_test_dbus_get_bus_address (fixture->bus), "--dest", service, "--object-path",
      GADGET_CONTROL_PATH, "--method", GADGET_CONTROL_INTERFACE ".Ask", "not-its-own", "x",
      "{'run-id': <'mine'>}", NULL);
  g_assert_no_error (error);
  g_usleep (500 * 1000);
  control_call_bus (fixture, "Ask", control_make_ask ("", "x", "{'run-id': <'mine'>}"), &asked);
  g_usleep (200 * 1000);

  wait_until (control_is_answered (&asked));
  g_assert_cmpstr (asked.error, ==, NULL);
  g_subprocess_wait (sandboxed, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (g_subprocess_get_successful (sandboxed));
}

static void
test_deadline (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) asked = { 0 };
  GadgetTurn *turn;

  control_ask (fixture, "", "{'deadline': <uint32 1>}", &asked);
  turn = get_turn (fixture, &asked);
  wait_until (control_count_signals (fixture, "Completed") == 1);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_DEADLINE);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const invalid[] = {
    "{'deadline': <'soon'>}",      "{'approve': <'all'>}", "{'workspace': <'relative'>}",
    "{'workspace': <'/no/such'>}", "{'run-id': <''>}",     "{'when': <'later'>}",
    "{'surprise': <1>}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    control_assert_refused (fixture, "Ask", control_make_ask ("", "x", invalid[i]),
                            ERRORS "Invalid");
  control_assert_refused (fixture, "Ask", control_make_ask ("", " \n", NULL), ERRORS "Invalid");
  control_assert_refused (fixture, "Ask", control_make_ask ("nowhere", "x", NULL),
                          ERRORS "NotFound");
  control_assert_refused (fixture, "Ask", control_make_ask ("", "x", "{'provider': <'none'>}"),
                          ERRORS "NotFound");
  gadget_control_set_accepts_work (fixture->control, FALSE);
  control_assert_refused (fixture, "Ask", control_make_ask ("", "x", NULL), ERRORS "Failed");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 0);
}

/* --- Answering --- */

static GVariant *
find_event (Fixture *fixture, const char *name)
{
  for (guint i = 0; i < fixture->events->len; i++)
    {
      GVariant *event = g_ptr_array_index (fixture->events, i);
      const char *found = NULL;

      g_variant_lookup (event, "event", "&s", &found);
      if (g_str_equal (found, name))
        return event;
    }
  return NULL;
}

static void
answer (Fixture *fixture, const ControlAsked *asked, const char *id, const char *value)
{
  g_auto (ControlAnswer) answered = { 0 };

  control_call_bus (fixture, "Answer",
                    g_variant_new ("(ssv)", asked->run, id, g_variant_new_parsed (value)),
                    &answered);
  wait_until (control_is_answered (&answered));
  g_assert_cmpstr (answered.error, ==, NULL);
}

static void
test_question (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) asked = { 0 };
  g_autofree const char **choices = NULL;
  GVariant *question;
  const char *id;
  gboolean allow_text;

  control_ask (fixture, "", NULL, &asked);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, "call", "ask_user", QUESTION);
  fake_provider_end (fixture->provider);
  wait_until ((question = find_event (fixture, "question")) != NULL);
  g_assert_true (g_variant_lookup (question, "id", "&s", &id));
  g_assert_true (g_variant_lookup (question, "choices", "^a&s", &choices));
  g_assert_true (g_variant_lookup (question, "allow-text", "b", &allow_text));
  g_assert_cmpstr (choices[0], ==, "Here");
  g_assert_cmpstr (choices[1], ==, "There");
  control_assert_refused (fixture, "Answer",
                          g_variant_new ("(ssv)", asked.run, "x", g_variant_new ("s", "y")),
                          ERRORS "NotFound");
  control_assert_refused (fixture, "Answer",
                          g_variant_new ("(ssv)", asked.run, id, g_variant_new ("u", 1)),
                          ERRORS "Invalid");
  answer (fixture, &asked, id, "'There'");
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_nonnull (strstr (
      gadget_item_get_result (gadget_turn_get_item (get_turn (fixture, &asked), 0)), "There"));
  g_assert_nonnull (find_event (fixture, "prompt-gone"));
  /* The first one counts. */
  control_assert_refused (fixture, "Answer",
                          g_variant_new ("(ssv)", asked.run, id, g_variant_new ("s", "Here")),
                          ERRORS "NotFound");
}

/* Denied with a reason, which the model is told. */
static void
test_permission (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAsked) asked = { 0 };
  g_autofree const char **choices = NULL;
  GVariant *permission;
  const char *id;
  const char *tool;
  const char *result;

  control_ask (fixture, "", "{'approve': <'ask'>}", &asked);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, "call", "read_file", "{\"path\":\"/etc/hostname\"}");
  fake_provider_end (fixture->provider);
  wait_until ((permission = find_event (fixture, "permission")) != NULL);
  g_assert_true (g_variant_lookup (permission, "id", "&s", &id));
  g_assert_true (g_variant_lookup (permission, "tool", "&s", &tool));
  g_assert_cmpstr (tool, ==, "read_file");
  g_assert_true (g_variant_lookup (permission, "choices", "^a&s", &choices));
  g_assert_true (g_strv_contains (choices, GADGET_PROMPT_ALLOW));
  g_assert_true (g_strv_contains (choices, GADGET_PROMPT_DENY));
  control_assert_refused (fixture, "Answer",
                          g_variant_new ("(ssv)", asked.run, id, g_variant_new ("s", "perhaps")),
                          ERRORS "Invalid");
  answer (fixture, &asked, id, "{'answer': <'deny'>, 'note': <'use the other file'>}");
  wait_until (fake_provider_is_waiting (fixture->provider));
  result = gadget_item_get_result (gadget_turn_get_item (get_turn (fixture, &asked), 0));
  g_assert_nonnull (strstr (result, "use the other file"));
}

/* --- A caller that cannot be told --- */

/* It goes on with nobody's chat, chooses no folder, allows nothing and answers for nobody. */
static void
test_unknown_caller (Fixture *fixture, gconstpointer data)
{
  ControlPeer peer = { 0 };
  g_auto (ControlAsked) asked = { 0 };
  GVariant *permission;
  const char *id;

  control_peer_open (&peer, fixture);
  control_assert_peer_refused (&peer, "Ask", control_make_ask ("", "x", "{'workspace': <'/tmp'>}"));
  control_assert_peer_refused (&peer, "Ask", control_make_ask ("", "x", "{'approve': <'auto'>}"));
  control_ask (fixture, "", "{'approve': <'ask'>, 'run-id': <'mine'>}", &asked);
  control_assert_peer_refused (&peer, "Ask", control_make_ask (asked.session, "x", NULL));
  control_assert_peer_refused (&peer, "Ask", control_make_ask ("", "x", "{'run-id': <'mine'>}"));
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, "call", "read_file", "{\"path\":\"/etc/hostname\"}");
  fake_provider_end (fixture->provider);
  wait_until ((permission = find_event (fixture, "permission")) != NULL);
  g_assert_true (g_variant_lookup (permission, "id", "&s", &id));
  control_assert_peer_refused (
      &peer, "Answer", g_variant_new ("(ssv)", asked.run, id, g_variant_new ("s", "allow")));
  control_assert_peer_refused (&peer, "Answer",
                               g_variant_new ("(ssv)", asked.run, id, g_variant_new ("s", "deny")));
  g_assert_null (find_event (fixture, "prompt-gone"));
  control_peer_close (&peer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/control-ask/" path, Fixture, NULL, control_ask_set_up, function,            \
              control_tear_down)
  ADD ("ask", test_ask);
  ADD ("go-on", test_go_on);
  ADD ("busy", test_busy);
  ADD ("stopped-before-queue", test_stopped_before_queue);
  ADD ("deleted", test_deleted);
  ADD ("refused-changes-nothing", test_refused_changes_nothing);
  ADD ("run-id-of-nothing", test_run_id_of_nothing);
  ADD ("refused-with-run-id", test_refused_with_run_id);
  ADD ("deadline", test_deadline);
  ADD ("refused", test_refused);
  ADD ("question", test_question);
  ADD ("permission", test_permission);
  ADD ("unknown-caller", test_unknown_caller);

  return g_test_run ();
}
