/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another program that asks and stops in the same breath, and one that stops a hundred times. */

#include "config.h"

#include "control-fixture.h"
#include "wait.h"

typedef ControlFixture Fixture;

#define N_STOPS 100

static void
set_up (Fixture *fixture, gconstpointer data)
{
  control_set_up (fixture, data);
  gadget_control_set_accepts_work (fixture->control, TRUE);
  gadget_provider_list_set_default (gadget_engine_get_providers (fixture->engine), "fake");
}

static void
call_ask (Fixture *fixture, const char *session, const char *run, ControlAnswer *answer)
{
  GVariantDict options;

  g_variant_dict_init (&options, NULL);
  if (run != NULL)
    g_variant_dict_insert (&options, "run-id", "s", run);
  control_call_bus (fixture, "Ask",
                    g_variant_new ("(ss@a{sv})", session, "prompt", g_variant_dict_end (&options)),
                    answer);
}

static void
call_abort (Fixture *fixture, const char *session, const char *run, ControlAnswer *answer)
{
  control_call_bus (fixture, "Abort", g_variant_new ("(ss)", session, run), answer);
}

static gboolean
is_aborted (const ControlAnswer *answer)
{
  gboolean aborted = FALSE;

  g_assert_cmpstr (answer->error, ==, NULL);
  g_variant_get (answer->reply, "(bass)", &aborted, NULL, NULL);
  return aborted;
}

/* A chat with one turn, which is over. */
static char *
make_chat (Fixture *fixture)
{
  g_auto (ControlAnswer) asked = { 0 };
  char *session_id;

  call_ask (fixture, "", NULL, &asked);
  wait_until (control_is_answered (&asked) && fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "an answer");
  fake_provider_end (fixture->provider);
  wait_until (control_count_signals (fixture, "Completed") == 1);
  g_variant_get (asked.reply, "(sss)", &session_id, NULL, NULL);
  return session_id;
}

/* The run that @asked was answered with ends aborted, and the model, which was asked @n_before
 * times, never hears of it. */
static void
assert_never_began (Fixture *fixture, const ControlAnswer *asked, guint n_before)
{
  const char *session_id;
  const char *turn_id;
  GadgetTurn *turn;

  g_assert_cmpstr (asked->error, ==, NULL);
  g_variant_get (asked->reply, "(&s&s&s)", &session_id, &turn_id, NULL);
  wait_until (control_count_signals (fixture, "Completed") == n_before + 1);
  turn = gadget_session_get_last_turn (gadget_engine_find_session (fixture->engine, session_id));
  g_assert_cmpstr (gadget_turn_get_id (turn), ==, turn_id);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_API);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_before);
}

/* DATA says what the stop names: "run", "session" or "all". */
static void
test_before_answer (Fixture *fixture, gconstpointer data)
{
  const char *named = data;
  const gboolean by_session = g_str_equal (named, "session");
  g_autofree char *session = by_session ? make_chat (fixture) : g_strdup ("");
  const guint n_before = fake_provider_get_n_requests (fixture->provider);
  g_auto (ControlAnswer) asked = { 0 };
  g_auto (ControlAnswer) other = { 0 };
  g_auto (ControlAnswer) stopped = { 0 };
  g_auto (ControlAnswer) again = { 0 };

  call_ask (fixture, session, "mine", &asked);
  call_abort (fixture, "", "another", &other);
  call_abort (fixture, session, g_str_equal (named, "run") ? "mine" : "", &stopped);
  wait_until (control_is_answered (&asked) && control_is_answered (&other)
              && control_is_answered (&stopped));
  g_assert_false (is_aborted (&other));
  g_assert_true (is_aborted (&stopped));
  assert_never_began (fixture, &asked, n_before);

  /* It was meant for that run, not for the next one. */
  call_ask (fixture, session, "next", &again);
  wait_until (control_is_answered (&again) && fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_before + 1);
}

/* A run whose name is not known yet is one of "all". */
static void
test_without_name (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) asked = { 0 };
  g_auto (ControlAnswer) stopped = { 0 };

  call_ask (fixture, "", NULL, &asked);
  call_abort (fixture, "", "", &stopped);
  wait_until (control_is_answered (&asked) && control_is_answered (&stopped));
  g_assert_true (is_aborted (&stopped));
  assert_never_began (fixture, &asked, 0);
}

/* What is refused is not a run, and a stop behind it finds nothing later. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_auto (ControlAnswer) asked = { 0 };
  g_auto (ControlAnswer) late = { 0 };

  call_ask (fixture, "no-such-session", "mine", &asked);
  wait_until (control_is_answered (&asked));
  g_assert_cmpstr (asked.error, ==, ERRORS "NotFound");
  call_abort (fixture, "", "mine", &late);
  wait_until (control_is_answered (&late));
  g_assert_false (is_aborted (&late));
}

/* --- A hundred -------------------------------------------------------------------------------- */

/* On the thread of the bus. */
static GDBusMessage *
count_cb (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer user_data)
{
  if (!incoming && g_strcmp0 (g_dbus_message_get_member (message), "GetConnectionCredentials") == 0)
    g_atomic_int_inc ((int *) user_data);
  return message;
}

static gboolean
are_answered (const ControlAnswer *answers)
{
  for (guint i = 0; i < N_STOPS; i++)
    if (!control_is_answered (&answers[i]))
      return FALSE;
  return TRUE;
}

/* The bus is not asked about each of them who it is that calls: the first would have to wait for
 * all that the bus has to say. */
static void
test_storm (Fixture *fixture, gconstpointer data)
{
  g_autofree ControlAnswer *answers = g_new0 (ControlAnswer, N_STOPS);
  g_auto (ControlAnswer) asked = { 0 };
  int n_questions = 0;
  guint n_aborted = 0;
  guint filter;

  call_ask (fixture, "", "mine", &asked);
  wait_until (control_is_answered (&asked) && fake_provider_is_waiting (fixture->provider));
  filter = g_dbus_connection_add_filter (fixture->service, count_cb, &n_questions, NULL);
  for (guint i = 0; i < N_STOPS; i++)
    call_abort (fixture, "", "mine", &answers[i]);
  wait_until (are_answered (answers));
  wait_until (control_count_signals (fixture, "Completed") == 1);
  g_dbus_connection_remove_filter (fixture->service, filter);
  for (guint i = 0; i < N_STOPS; i++)
    {
      n_aborted += is_aborted (&answers[i]) ? 1 : 0;
      control_answer_clear (&answers[i]);
    }
  g_assert_cmpuint (n_aborted, >, 0);
  g_assert_cmpint (g_atomic_int_get (&n_questions), <, N_STOPS / 2);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, function)                                                                  \
  g_test_add ("/abort/bus/" path, Fixture, data, set_up, function, control_tear_down)
  ADD ("A2-run-before-its-answer", "run", test_before_answer);
  ADD ("A2-session-before-its-answer", "session", test_before_answer);
  ADD ("A2-all-before-their-answer", "all", test_before_answer);
  ADD ("A2-without-a-name", NULL, test_without_name);
  ADD ("A2-refused", NULL, test_refused);
  ADD ("U4-storm", NULL, test_storm);

  return g_test_run ();
}
