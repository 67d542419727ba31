/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runs of an engine as another program sees and stops them, on a private session bus. The other
 * program is a second connection of this process, which counts as the user's. */

#include "config.h"

#include "control-fixture.h"
#include "wait.h"

typedef ControlFixture Fixture;

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) none = { 0 };
  g_auto (ControlAnswer) one = { 0 };
  g_autoptr (GVariant) runs = NULL;
  g_autoptr (GVariant) details = NULL;
  g_autoptr (GadgetRun) run = NULL;
  g_autofree const char **in_flight = NULL;
  const char *text;
  gint64 started;

  control_call_bus (fixture, "ListRuns", NULL, &none);
  wait_until (control_is_answered (&none));
  g_assert_cmpstr (none.error, ==, NULL);
  runs = g_variant_get_child_value (none.reply, 0);
  g_assert_cmpuint (g_variant_n_children (runs), ==, 0);
  g_clear_pointer (&runs, g_variant_unref);

  run = control_start_run (fixture);
  control_call_bus (fixture, "ListRuns", NULL, &one);
  wait_until (control_is_answered (&one));
  runs = g_variant_get_child_value (one.reply, 0);
  g_assert_cmpuint (g_variant_n_children (runs), ==, 1);
  details = g_variant_get_child_value (runs, 0);
  g_assert_true (g_variant_lookup (details, "run", "&s", &text));
  g_assert_cmpstr (text, ==, gadget_run_get_id (run));
  g_assert_true (g_variant_lookup (details, "session", "&s", &text));
  g_assert_cmpstr (text, ==, gadget_session_get_id (fixture->session));
  g_assert_true (g_variant_lookup (details, "turn", "&s", &text));
  g_assert_cmpstr (text, ==, gadget_run_get_turn_id (run));
  g_assert_true (g_variant_lookup (details, "kind", "&s", &text));
  g_assert_cmpstr (text, ==, "turn");
  g_assert_true (g_variant_lookup (details, "started", "x", &started));
  g_assert_cmpint (started, ==, gadget_run_get_started_at (run));
  g_assert_true (g_variant_lookup (details, "in-flight", "^a&s", &in_flight));
}

/* Other programs see that something runs in an incognito chat, and can stop it; they are not told
 * what it is. */
static void
test_incognito (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) listed = { 0 };
  g_auto (ControlAnswer) asked = { 0 };
  g_auto (ControlAnswer) stopped = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_autofree char *text = NULL;
  GadgetReceipt *receipt;
  GVariantDict options;

  fixture->session = gadget_engine_new_incognito (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
  gadget_session_set_title (fixture->session, "xylophone");
  run = control_start_run (fixture);
  fake_provider_text (fixture->provider, "xylophone");
  receipt = gadget_run_get_receipt (run);
  gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "xylophone");
  control_call_bus (fixture, "ListRuns", NULL, &listed);
  wait_until (control_is_answered (&listed));
  text = g_variant_print (listed.reply, FALSE);
  g_assert_nonnull (strstr (text, gadget_run_get_id (run)));
  g_assert_null (strstr (text, "xylophone"));
  g_variant_dict_init (&options, NULL);
  control_call_bus (fixture, "Ask",
                    g_variant_new ("(ss@a{sv})", gadget_session_get_id (fixture->session), "more",
                                   g_variant_dict_end (&options)),
                    &asked);
  wait_until (control_is_answered (&asked));
  g_assert_nonnull (asked.error);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", gadget_run_get_id (run)),
                    &stopped);
  wait_until (control_is_answered (&stopped));
  control_assert_aborted_answer (&stopped, gadget_run_get_id (run));
  wait_until (control_count_signals (fixture, "Completed") == 1);
  g_assert_cmpuint (control_count_signals (fixture, "Event"), ==, 0);
}

/* DATA says what is named: "run", "session", "both" or "all". */
static void
test_abort (Fixture *fixture, gconstpointer data)
{
  const char *named = data;
  const gboolean by_session = g_str_equal (named, "session") || g_str_equal (named, "both");
  const gboolean by_run = g_str_equal (named, "run") || g_str_equal (named, "both");
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  const char *session_id = by_session ? gadget_session_get_id (fixture->session) : "";
  const char *run_id = by_run ? gadget_run_get_id (run) : "";
  GadgetTurn *turn = gadget_session_get_last_turn (fixture->session);
  g_auto (ControlAnswer) first = { 0 };
  g_auto (ControlAnswer) again = { 0 };

  fake_provider_text (fixture->provider, "half an ans");
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", session_id, run_id), &first);
  wait_until (control_is_answered (&first));
  control_assert_aborted_answer (&first, gadget_run_get_id (run));

  wait_until (control_count_signals (fixture, "Completed") > 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_API);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);

  /* What is over is not aborted again, and nothing else is. */
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", session_id, run_id), &again);
  wait_until (control_is_answered (&again));
  control_assert_aborted_answer (&again, NULL);
  g_assert_cmpuint (control_count_signals (fixture, "Completed"), ==, 1);
}

/* A1: a title is listed and stopped as a turn is, however it is named. */
static void
test_abort_title (Fixture *fixture, gconstpointer data)
{
  const char *named = data;
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  g_autoptr (GadgetRun) turn = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *id = NULL;
  g_auto (ControlAnswer) first = { 0 };
  g_auto (ControlAnswer) again = { 0 };

  gadget_agent_set_titles (agent, TRUE);
  turn = control_start_run (fixture);
  fake_provider_text (fixture->provider, "an answer");
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  runs = gadget_registry_list (gadget_agent_get_registry (agent));
  g_assert_cmpuint (runs->len, ==, 1);
  id = g_strdup (gadget_run_get_id (g_ptr_array_index (runs, 0)));
  g_assert_cmpint (gadget_run_get_kind (g_ptr_array_index (runs, 0)), ==, GADGET_RUN_TITLE);

  control_call_bus (
      fixture, "Abort",
      g_variant_new ("(ss)",
                     g_str_equal (named, "session") ? gadget_session_get_id (fixture->session) : "",
                     g_str_equal (named, "run") ? id : ""),
      &first);
  wait_until (control_is_answered (&first));
  control_assert_aborted_answer (&first, id);
  wait_until (!fake_provider_is_waiting (fixture->provider));
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", ""), &again);
  wait_until (control_is_answered (&again));
  control_assert_aborted_answer (&again, NULL);
  wait_until (control_count_signals (fixture, "Completed") == 1);
}

static void
test_abort_names_another (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_auto (ControlAnswer) wrong_run = { 0 };
  g_auto (ControlAnswer) wrong_session = { 0 };
  g_auto (ControlAnswer) mixed = { 0 };

  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", "nobody"), &wrong_run);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "nothing", ""), &wrong_session);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "nothing", gadget_run_get_id (run)),
                    &mixed);
  wait_until (control_is_answered (&wrong_run) && control_is_answered (&wrong_session)
              && control_is_answered (&mixed));
  control_assert_aborted_answer (&wrong_run, NULL);
  control_assert_aborted_answer (&wrong_session, NULL);
  control_assert_aborted_answer (&mixed, NULL);
  g_assert_false (gadget_run_is_aborted (run));
}

static void
assert_wait_answer (const ControlAnswer *answer, gboolean success, const char *message)
{
  gboolean found_success;
  const char *found_message;

  g_assert_cmpstr (answer->error, ==, NULL);
  g_variant_get (answer->reply, "(b&s)", &found_success, &found_message);
  g_assert_cmpint (found_success, ==, success);
  g_assert_cmpstr (found_message, ==, message);
}

static void
test_wait (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_auto (ControlAnswer) before = { 0 };
  g_auto (ControlAnswer) listed = { 0 };
  g_auto (ControlAnswer) after = { 0 };
  g_auto (ControlAnswer) unknown = { 0 };

  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &before);
  /* One that is answered later shows that the first still waits. */
  control_call_bus (fixture, "ListRuns", NULL, &listed);
  wait_until (control_is_answered (&listed));
  g_assert_false (control_is_answered (&before));

  fake_provider_text (fixture->provider, "text");
  fake_provider_end (fixture->provider);
  wait_until (control_is_answered (&before));
  assert_wait_answer (&before, TRUE, "finished");

  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &after);
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", "nobody"), &unknown);
  wait_until (control_is_answered (&after) && control_is_answered (&unknown));
  assert_wait_answer (&after, TRUE, "finished");
  g_assert_cmpstr (unknown.error, ==, ERRORS "NotFound");
}

/* The request that waits hands work to a subagent, whose first request is then waited for. */
static void
hand_over (Fixture *fixture)
{
  const guint n_requests = fake_provider_get_n_requests (fixture->provider);

  fake_provider_call (fixture->provider, 0, "task", "task",
                      "{\"description\":\"Look\",\"prompt\":\"look\"}");
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_requests (fixture->provider) == n_requests + 1
              && fake_provider_is_waiting (fixture->provider));
}

/* The run of a subagent that failed is no success. */
static void
test_wait_for_subagent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_autoptr (GPtrArray) runs = NULL;
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) turn = { 0 };

  hand_over (fixture);
  runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (fixture->engine)));
  g_assert_cmpuint (runs->len, ==, 2);
  control_call_bus (fixture, "Wait",
                    g_variant_new ("(s)", gadget_run_get_id (g_ptr_array_index (runs, 1))), &waits);
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "reset"));
  wait_until (control_is_answered (&waits) && fake_provider_is_waiting (fixture->provider));
  assert_wait_answer (&waits, FALSE, "reset");
  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &turn);
  fake_provider_text (fixture->provider, "It failed.");
  fake_provider_end (fixture->provider);
  wait_until (control_is_answered (&turn));
  assert_wait_answer (&turn, TRUE, "finished");
}

/* Everything: the turn, its subagent, and that one's, which runs a tool. */
static void
test_abort_all_subagents (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (fixture->engine));
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) aborts = { 0 };
  g_autofree const char **ids = NULL;
  gboolean aborted;

  hand_over (fixture);
  hand_over (fixture);
  fake_provider_call (fixture->provider, 0, "w", "wait", "{\"seconds\":600}");
  fake_provider_end (fixture->provider);
  wait_until (!fake_provider_is_waiting (fixture->provider));
  before = gadget_registry_list (registry);
  g_assert_cmpuint (before->len, ==, 3);
  control_call_bus (fixture, "Wait",
                    g_variant_new ("(s)", gadget_run_get_id (g_ptr_array_index (before, 2))),
                    &waits);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", ""), &aborts);
  wait_until (control_is_answered (&waits) && control_is_answered (&aborts));
  g_variant_get (aborts.reply, "(b^a&s&s)", &aborted, &ids, NULL);
  g_assert_true (aborted);
  g_assert_cmpuint (g_strv_length ((char **) ids), ==, 3);
  assert_wait_answer (&waits, TRUE, "aborted");
  wait_until (gadget_session_get_active_run (fixture->session) == NULL);
  after = gadget_registry_list (registry);
  g_assert_cmpuint (after->len, ==, 0);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 3);
}

static void
test_wait_for_abort (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) aborts = { 0 };

  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &waits);
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", "", gadget_run_get_id (run)), &aborts);
  wait_until (control_is_answered (&waits) && control_is_answered (&aborts));
  control_assert_aborted_answer (&aborts, gadget_run_get_id (run));
  assert_wait_answer (&waits, TRUE, "aborted");
}

static void
test_unexport_answers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = control_start_run (fixture);
  g_auto (ControlAnswer) waits = { 0 };
  g_auto (ControlAnswer) listed = { 0 };

  control_call_bus (fixture, "Wait", g_variant_new ("(s)", gadget_run_get_id (run)), &waits);
  control_call_bus (fixture, "ListRuns", NULL, &listed);
  wait_until (control_is_answered (&listed));
  gadget_control_unexport (fixture->control);
  wait_until (control_is_answered (&waits));
  g_assert_cmpstr (waits.error, ==, ERRORS "Failed");
  /* To leave the bus is no abort. */
  g_assert_false (gadget_run_is_aborted (run));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, function)                                                                  \
  g_test_add ("/engine/control/" path, Fixture, data, control_set_up, function, control_tear_down)
  ADD ("list", NULL, test_list);
  ADD ("incognito", NULL, test_incognito);
  ADD ("abort-run", "run", test_abort);
  ADD ("abort-session", "session", test_abort);
  ADD ("abort-both-named", "both", test_abort);
  ADD ("abort-all", "all", test_abort);
  ADD ("A1-title-run", "run", test_abort_title);
  ADD ("A1-title-session", "session", test_abort_title);
  ADD ("A1-title-all", "all", test_abort_title);
  ADD ("abort-names-another", NULL, test_abort_names_another);
  ADD ("wait", NULL, test_wait);
  ADD ("wait-for-subagent", NULL, test_wait_for_subagent);
  ADD ("abort-all-subagents", NULL, test_abort_all_subagents);
  ADD ("wait-for-abort", NULL, test_wait_for_abort);
  ADD ("unexport-answers", NULL, test_unexport_answers);

  return g_test_run ();
}
