/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs of other processes: here a second engine on the same folder, whose leases and writes are
 * seen as another process's are. */

#include "config.h"

#include "control-fixture.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "control/gadget-agent-interface.h"
#include "control/gadget-remote-run.h"
#include "store/gadget-sql.h"
#include "wait.h"

typedef ControlFixture Fixture;

static GadgetRun *
start_run_with (GadgetEngine *engine, FakeProvider *provider, gboolean interactive)
{
  const GadgetTurnOptions options = { .interactive = interactive };
  g_autoptr (GadgetSession) session = gadget_engine_new_session (engine);
  g_autoptr (GError) error = NULL;
  GadgetRun *run;

  gadget_session_set_model (session, "fake", "model");
  run = gadget_agent_start (gadget_engine_get_agent (engine), session, "prompt", &options, &error);
  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (provider));
  return run;
}

static GadgetRun *
start_run (GadgetEngine *engine, FakeProvider *provider)
{
  return start_run_with (engine, provider, FALSE);
}

static void
end_run (FakeProvider *provider, const char *text)
{
  fake_provider_text (provider, text);
  fake_provider_end (provider);
}

/* --- Other processes --------------------------------------------------------------------------
 */

typedef struct
{
  GadgetEngine *engine;
  FakeProvider *provider;
} Other;

static void
open_other (Fixture *fixture, Other *other)
{
  other->engine = gadget_engine_new (fixture->folder);
  test_engine_open (other->engine);
  other->provider = fake_provider_new ();
  gadget_provider_list_override (gadget_engine_get_providers (other->engine), "fake",
                                 GADGET_PROVIDER (other->provider));
}

static void
close_other (Other *other)
{
  test_engine_close (other->engine, GADGET_STOP_CLOSED);
  g_clear_object (&other->provider);
  g_clear_object (&other->engine);
}

static void
assert_waited (const ControlAnswer *answer, gboolean success, const char *message)
{
  gboolean found_success;
  const char *found_message;

  g_assert_cmpstr (answer->error, ==, NULL);
  g_variant_get (answer->reply, "(b&s)", &found_success, &found_message);
  g_assert_cmpint (found_success, ==, success);
  g_assert_cmpstr (found_message, ==, message);
}

/* Asks again until the other engine's turn is stored, which is a moment after its start. */
static void
wait_for_other (Fixture *fixture, const char *run_id, ControlAnswer *answer)
{
  g_auto (ControlAnswer) early = { 0 };

  for (guint i = 0; i < 100; i++)
    {
      g_auto (ControlAnswer) asked = { 0 };

      control_call_bus (
          fixture, "Ask",
          g_variant_new_parsed ("('', 'x', {'run-id': <%s>, 'provider': <'none'>})", run_id),
          &asked);
      wait_until (control_is_answered (&asked));
      if (asked.error == NULL)
        {
          const char *found;

          g_variant_get (asked.reply, "(&s&s&s)", NULL, NULL, &found);
          g_assert_cmpstr (found, ==, run_id);
          break;
        }
      /* What is not found would be started, were there such a provider. */
      g_assert_cmpstr (asked.error, ==, ERRORS "NotFound");
      g_usleep (10 * 1000);
    }
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", run_id), answer);
  control_call_bus (fixture, "ListRuns", NULL, &early);
  wait_until (control_is_answered (&early));
}

/* DATA says how it ends. */
static void
test_wait (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) after = { 0 };
  g_auto (ControlAnswer) again = { 0 };
  g_auto (ControlAnswer) unknown = { 0 };
  const gboolean aborts = g_str_equal (data, "aborted");

  gadget_control_set_accepts_work (fixture->control, TRUE);
  open_other (fixture, &other);
  run = start_run (other.engine, other.provider);
  wait_for_other (fixture, gadget_run_get_id (run), &waits);
  g_assert_false (control_is_answered (&waits));

  if (aborts)
    gadget_run_abort (run, GADGET_STOP_USER);
  else
    end_run (other.provider, "done");
  wait_until (control_is_answered (&waits));
  assert_waited (&waits, TRUE, aborts ? "aborted" : "finished");

  /* And when all of it is long over. */
  close_other (&other);
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &after);
  control_call_bus (fixture, "Ask",
                    g_variant_new_parsed ("('', 'x', {'run-id': <%s>})", gadget_run_get_id (run)),
                    &again);
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", "nobody"), &unknown);
  wait_until (control_is_answered (&after) && control_is_answered (&again)
              && control_is_answered (&unknown));
  assert_waited (&after, TRUE, aborts ? "aborted" : "finished");
  g_assert_cmpstr (again.error, ==, ERRORS "Exists");
  g_assert_cmpstr (unknown.error, ==, ERRORS "NotFound");
}

static gboolean
leave_turn (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_exec (
      db,
      "INSERT INTO session (id, created_at, updated_at) VALUES ('dead', 1, 1);"
      "INSERT INTO turn (id, session, position, prompt, status, stop_reason, started_at, ended_at,"
      " changed_at, input_tokens, output_tokens, usage_estimated) VALUES ('dead-turn',"
      " last_insert_rowid (), 0, 'x', 'processing', 'none', 1, 0, 1, 0, 0, 0);"
      "INSERT INTO run (id, turn) VALUES ('dead-run', last_insert_rowid ())",
      error);
}

/* Its process died, and nobody has looked at what it left yet. */
static void
test_dead (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_auto (ControlAnswer) waits = { 0 };

  test_store_run (store, leave_turn, NULL);
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", "dead-run"), &waits);
  wait_until (control_is_answered (&waits));
  assert_waited (&waits, TRUE, "aborted");
}

/* Who waits when the object leaves the bus is told so. */
static void
test_leaves (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_auto (ControlAnswer) waits = { 0 };

  gadget_control_set_accepts_work (fixture->control, TRUE);
  open_other (fixture, &other);
  run = start_run (other.engine, other.provider);
  wait_for_other (fixture, gadget_run_get_id (run), &waits);
  gadget_control_unexport (fixture->control);
  wait_until (control_is_answered (&waits));
  g_assert_cmpstr (waits.error, ==, ERRORS "Failed");
  close_other (&other);
}

/* --- Turns of other processes that are shown here ----------------------------------------------
 */

static void
own_name (GDBusConnection *connection, const char *run_id)
{
  g_autofree char *name = gadget_control_dup_cli_name (run_id);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "RequestName", g_variant_new ("(su)", name, 4), G_VARIANT_TYPE ("(u)"),
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  g_assert_no_error (error);
}

/* The session of RUN, as the other engine sees it. */
static GadgetSession *
wait_for_session (Other *other, GadgetRun *run)
{
  const char *id = gadget_run_get_session_id (run);
  GadgetSession *session;

  wait_until ((session = gadget_engine_find_session (other->engine, id)) != NULL
              && gadget_session_get_remote_run (session) != NULL);
  g_assert_cmpstr (gadget_session_get_remote_run (session), ==, gadget_run_get_id (run));
  gadget_engine_load_async (other->engine, session, NULL, NULL);
  wait_until (gadget_session_get_loaded (session));
  return session;
}

static gboolean
abort_remote (GadgetRemoteRun *remote, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_remote_run_abort_async (remote, test_result_cb, &result);
  wait_until (result != NULL);
  return gadget_remote_run_abort_finish (remote, result, error);
}

/* DATA: "named" for an owner that is on the bus, "nameless" for one that is not. */
static void
test_remote_abort (Fixture *fixture, gconstpointer data)
{
  Other viewer = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GadgetRemoteRun) remote = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (ControlAnswer) last = { 0 };
  GadgetSession *session;
  GadgetTurn *turn;

  open_other (fixture, &viewer);
  run = start_run (fixture->engine, fixture->provider);
  fake_provider_text (fixture->provider, "half an ans");
  session = wait_for_session (&viewer, run);
  if (g_str_equal (data, "named"))
    own_name (fixture->service, gadget_run_get_id (run));
  remote = gadget_remote_run_new (viewer.engine, fixture->client, session);

  if (g_str_equal (data, "nameless"))
    {
      g_assert_false (abort_remote (remote, &error));
      g_assert_error (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND);
      g_assert_false (gadget_run_is_aborted (run));
      g_assert_true (gadget_session_is_working (session));
      gadget_run_abort (run, GADGET_STOP_USER);
    }
  else
    {
      g_assert_true (abort_remote (remote, &error));
      g_assert_no_error (error);
      g_assert_cmpint (gadget_run_get_stop_reason (run), ==, GADGET_STOP_API);
    }
  wait_until (!gadget_session_is_working (session));
  turn = gadget_session_get_last_turn (session);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);

  if (g_str_equal (data, "named"))
    {
      /* Now there is nothing left. */
      g_assert_false (abort_remote (remote, &error));
      g_assert_error (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND);
    }
  g_clear_object (&remote);
  /* It says good-bye before this. */
  control_call_bus (fixture, "ListRuns", NULL, &last);
  wait_until (control_is_answered (&last));
  close_other (&viewer);
}

static void
assert_aborted (const ControlAnswer *answer, const char *run_id)
{
  g_autofree const char **runs = NULL;
  gboolean aborted;

  g_assert_cmpstr (answer->error, ==, NULL);
  g_variant_get (answer->reply, "(b^a&ss)", &aborted, &runs, NULL);
  g_assert_true (aborted);
  g_assert_cmpuint (g_strv_length ((char **) runs), ==, 1);
  g_assert_cmpstr (runs[0], ==, run_id);
}

/* What the window is asked to stop, and another process does. DATA says what is named. */
static void
test_abort_forwarded (Fixture *fixture, gconstpointer data)
{
  Other other = { 0 };
  g_autoptr (GDBusConnection) connection = NULL;
  g_autoptr (GadgetControl) control = NULL;
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (ControlAnswer) answer = { 0 };
  const char *session_id = "";
  const char *run_id = "";

  gadget_control_set_accepts_work (fixture->control, TRUE);
  open_other (fixture, &other);
  connection = control_connect (fixture);
  control = gadget_control_new (other.engine);
  g_assert_true (gadget_control_export (control, connection, &error));
  run = start_run (other.engine, other.provider);
  own_name (connection, gadget_run_get_id (run));

  if (g_str_equal (data, "session"))
    session_id = gadget_run_get_session_id (run);
  else if (g_str_equal (data, "run"))
    run_id = gadget_run_get_id (run);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", session_id, run_id), &answer);
  wait_until (control_is_answered (&answer));
  assert_aborted (&answer, gadget_run_get_id (run));
  g_assert_true (gadget_run_is_aborted (run));

  wait_until (gadget_run_get_state (run) == GADGET_RUN_ENDED);
  g_clear_object (&control);
  g_dbus_connection_close_sync (connection, NULL, NULL);
  close_other (&other);
}

static void
keep_call_cb (GDBusConnection *connection, const char *sender, const char *path,
              const char *interface, const char *method, GVariant *parameters,
              GDBusMethodInvocation *invocation, gpointer user_data)
{
  GDBusMethodInvocation **kept = user_data;

  g_assert_cmpstr (method, ==, "Abort");
  *kept = invocation;
}

/* A program that got the stop and does not say what became of it, as one that is suspended. */
static void
test_abort_silent (Fixture *fixture, gconstpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = keep_call_cb };
  GDBusMethodInvocation *kept = NULL;
  g_autoptr (GDBusConnection) connection = control_connect (fixture);
  g_autoptr (GError) error = NULL;
  g_auto (ControlAnswer) answer = { 0 };
  guint id;

  gadget_control_set_accepts_work (fixture->control, TRUE);
  id = g_dbus_connection_register_object (connection, GADGET_CONTROL_PATH,
                                          (GDBusInterfaceInfo *) &gadget_dbus_agent1_interface,
                                          &vtable, &kept, NULL, &error);
  g_assert_no_error (error);
  own_name (connection, "00000000-0000-0000-0000-000000000000");
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", ""), &answer);
  wait_until (control_is_answered (&answer));
  g_assert_nonnull (kept);
  g_assert_cmpstr (answer.error, ==, ERRORS "Failed");

  g_dbus_method_invocation_return_dbus_error (kept, ERRORS "Failed", "");
  g_dbus_connection_unregister_object (connection, id);
  g_dbus_connection_close_sync (connection, NULL, NULL);
}

/* --- What the subagents of such a turn ask ----------------------------------------------------- */

/* What waits for the user in the chat as it is read here, in a subagent's too; NULL for nothing. */
static GadgetPrompt *
find_prompt (GadgetSession *session)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  GadgetPrompt *found = NULL;

  for (guint i = 0; found == NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      found = gadget_item_get_prompt (item);
      if (found == NULL && gadget_item_get_child_turn (item) != NULL)
        {
          found = find_prompt (gadget_item_get_child (item));
          /* Only so the card of a subagent is shown unfolded. */
          if (gadget_item_get_asking (item) != (found != NULL))
            return NULL;
        }
    }
  return found;
}

static gboolean
is_asked (GadgetSession *session, const char *text)
{
  GadgetPrompt *prompt = find_prompt (session);

  return prompt != NULL && g_str_equal (gadget_prompt_get_title (prompt), text)
         && gadget_turn_get_phase (gadget_session_get_last_turn (session)) == GADGET_PHASE_ASKING;
}

static gboolean
is_asked_nothing (GadgetSession *session)
{
  return find_prompt (session) == NULL
         && gadget_turn_get_phase (gadget_session_get_last_turn (session)) != GADGET_PHASE_ASKING;
}

/* The request that waits calls one tool. */
static void
play_call (Fixture *fixture, const char *id, const char *name, const char *arguments)
{
  fake_provider_call (fixture->provider, 0, id, name, arguments);
  fake_provider_end (fixture->provider);
}

static void
play_question (Fixture *fixture, const char *id, const char *text)
{
  g_autofree char *arguments =
      g_strdup_printf ("{\"question\":\"%s\",\"choices\":[\"Here\",\"There\"]}", text);

  play_call (fixture, id, "ask_user", arguments);
}

static void
play_task (Fixture *fixture, const char *id)
{
  play_call (fixture, id, "task", "{\"description\":\"Look\",\"prompt\":\"look\"}");
  wait_until (fake_provider_is_waiting (fixture->provider));
}

static void
answer_here (Fixture *fixture, GadgetSession *session)
{
  g_assert_true (gadget_prompt_answer (find_prompt (session), "There"));
  wait_until (fake_provider_is_waiting (fixture->provider) && is_asked_nothing (session));
}

/* By the owner, as a third program asks it to. */
static void
answer_there (Fixture *fixture, GadgetRun *run, GadgetSession *session)
{
  GVariant *event = g_ptr_array_index (fixture->events, fixture->events->len - 1);
  g_auto (ControlAnswer) answer = { 0 };
  const char *id;

  g_assert_true (g_variant_lookup (event, "id", "&s", &id));
  control_call_bus (
      fixture, "Answer",
      g_variant_new_parsed ("(%s, %s, <{'answer': <'Here'>}>)", gadget_run_get_id (run), id),
      &answer);
  wait_until (control_is_answered (&answer));
  g_assert_cmpstr (answer.error, ==, NULL);
  wait_until (fake_provider_is_waiting (fixture->provider) && is_asked_nothing (session));
}

static void
assert_all_ended (GadgetSession *session, guint depth)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  GadgetItem *item = gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);

  wait_until (gadget_turn_get_status (turn) == GADGET_TURN_ABORTED);
  if (depth > 0)
    assert_all_ended (gadget_item_get_child (item), depth - 1);
}

/* Every card of every subagent appears, goes when it was answered, wherever that was, and is
 * followed by the next. */
static void
test_remote_subagents (Fixture *fixture, gconstpointer data)
{
  Other viewer = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GadgetRemoteRun) remote = NULL;
  g_auto (ControlAnswer) last = { 0 };
  GadgetSession *session;

  open_other (fixture, &viewer);
  run = start_run_with (fixture->engine, fixture->provider, TRUE);
  own_name (fixture->service, gadget_run_get_id (run));
  session = wait_for_session (&viewer, run);
  remote = gadget_remote_run_new (viewer.engine, fixture->client, session);

  play_task (fixture, "t1");
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *text = g_strdup_printf ("Where to, %u?", i);
      g_autofree char *id = g_strdup_printf ("q%u", i);

      play_question (fixture, id, text);
      wait_until (is_asked (session, text));
      if (i == 1)
        answer_there (fixture, run, session);
      else
        answer_here (fixture, session);
    }
  play_task (fixture, "t2");
  for (guint i = 0; i < 2; i++)
    {
      /* Models give each answer's calls the same id. */
      play_question (fixture, "q", i == 0 ? "Deep?" : "Deeper?");
      wait_until (is_asked (session, i == 0 ? "Deep?" : "Deeper?"));
      answer_here (fixture, session);
    }
  /* What waits when it is looked at no more goes with that. */
  play_question (fixture, "q", "Deepest?");
  wait_until (is_asked (session, "Deepest?"));
  g_clear_object (&remote);
  g_assert_true (is_asked_nothing (session));

  gadget_run_abort (run, GADGET_STOP_USER);
  wait_until (!gadget_session_is_working (session));
  /* And what the subagents did has its end here too. */
  assert_all_ended (session, 2);
  control_call_bus (fixture, "ListRuns", NULL, &last);
  wait_until (control_is_answered (&last));
  close_other (&viewer);
}

#define ADD(name, data, function)                                                                  \
  g_test_add ("/engine/control-elsewhere/" name, Fixture, data, control_set_up, function,          \
              control_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("wait-finished", "finished", test_wait);
  ADD ("wait-aborted", "aborted", test_wait);
  ADD ("dead", NULL, test_dead);
  ADD ("leaves", NULL, test_leaves);
  ADD ("remote-abort", "named", test_remote_abort);
  ADD ("remote-abort-unreachable", "nameless", test_remote_abort);
  ADD ("remote-subagents", NULL, test_remote_subagents);
  ADD ("abort-forwarded-session", "session", test_abort_forwarded);
  ADD ("abort-forwarded-run", "run", test_abort_forwarded);
  ADD ("abort-forwarded-all", "all", test_abort_forwarded);
  ADD ("abort-silent", NULL, test_abort_silent);

  return g_test_run ();
}
