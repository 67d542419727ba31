/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A keyring that is locked and whose prompt nobody ever answers, not even when it is dismissed; or
 * whose prompt is closed or unlocks it, or that does not answer, or leaves. The keyring is played
 * on a bus of the test's own, in a process of its own, because the connection to a session bus is
 * made once in a process. */

#include "config.h"

#include "agent/gadget-agent-private.h"
#include "agent/gadget-engine.h"
#include "agent/gadget-title.h"
#include "fake-server.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "secrets/gadget-secrets.h"
#include "wait.h"

#include <libsecret/secret.h>
#include <string.h>
#include <unistd.h>

#define SERVICE "/org/freedesktop/secrets"
#define ITEM SERVICE "/collection/login/1"
#define PROMPT SERVICE "/prompt/1"

#define KEY "sk-very-secret"
#define NEW_KEY "sk-replaced"

typedef enum
{
  KEYRING_MUTE,      /* its prompt is never answered */
  KEYRING_DISMISSED, /* its prompt is closed by the user */
  KEYRING_UNLOCKED,  /* its prompt unlocks it */
  KEYRING_LATE,      /* it answers no search in time */
  KEYRING_GONE,      /* it leaves while it is asked */
  KEYRING_SLOW,      /* it does not answer when it is to unlock */
  KEYRING_STINGY,    /* it is not locked, and keeps the key */
  KEYRING_OPEN,      /* it is not locked */
} KeyringMood;

static int mood;
static int knows_session;
static int n_prompted;
static int n_dismissed;
static int n_searches;
static int n_opened;
static int n_closed;
static int n_deleted;
static int n_unlocks;
static int stores;     /* it takes keys without a prompt */
static int n_returned; /* keys that it has returned: the first one is old, later ones are new */
static GDBusMessage *last_prompt;

static GVariant *
make_search_result (void)
{
  static const char *const none[] = { NULL };
  static const char *const items[] = { ITEM, NULL };
  const gboolean open = g_atomic_int_get (&mood) >= KEYRING_STINGY;

  return g_variant_new ("(^ao^ao)", open ? items : none, open ? none : items);
}

static GVariant *
make_properties (GVariant *parameters)
{
  GVariantBuilder properties;
  GVariantBuilder attributes;
  const char *interface;

  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  g_variant_get_child (parameters, 0, "&s", &interface);
  if (g_str_has_suffix (interface, ".Item"))
    {
      g_variant_builder_init (&attributes, G_VARIANT_TYPE ("a{ss}"));
      g_variant_builder_add (&properties, "{sv}", "Locked",
                             g_variant_new_boolean (g_atomic_int_get (&mood) < KEYRING_STINGY));
      g_variant_builder_add (&properties, "{sv}", "Attributes",
                             g_variant_builder_end (&attributes));
      g_variant_builder_add (&properties, "{sv}", "Label", g_variant_new_string ("Gadget"));
    }
  return g_variant_new ("(a{sv})", &properties);
}

static GVariant *
make_secret (void)
{
  const char *key =
      g_atomic_int_add (&n_returned, 1) > 0 && g_atomic_int_get (&stores) ? NEW_KEY : KEY;

  return g_variant_new ("((o@ay@ays))", SERVICE "/session/1",
                        g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "", 0, 1),
                        g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, key, strlen (key), 1),
                        "text/plain");
}

/* (nullable): NULL for what this keyring does not know. */
static GVariant *
answer (const char *member, GVariant *parameters)
{
  static const char *const none[] = { NULL };
  const char *algorithm;

  if (g_str_equal (member, "OpenSession"))
    {
      g_variant_get_child (parameters, 0, "&s", &algorithm);
      if (g_str_equal (algorithm, "plain"))
        {
          g_atomic_int_set (&knows_session, TRUE);
          g_atomic_int_inc (&n_opened);
          return g_variant_new ("(vo)", g_variant_new_string (""), SERVICE "/session/1");
        }
    }
  if (g_str_equal (member, "SearchItems"))
    return make_search_result ();
  if (g_str_equal (member, "GetAll"))
    return make_properties (parameters);
  if (g_str_equal (member, "GetSecret") && g_atomic_int_get (&mood) == KEYRING_OPEN
      && g_atomic_int_get (&knows_session))
    return make_secret ();
  /* gnome-keyring refuses to delete an item that is locked. */
  if (g_str_equal (member, "Delete") && g_atomic_int_get (&mood) >= KEYRING_STINGY)
    {
      g_atomic_int_inc (&n_deleted);
      return g_variant_new ("(o)", "/");
    }
  if (g_str_equal (member, "CreateItem"))
    return g_atomic_int_get (&stores) ? g_variant_new ("(oo)", ITEM, "/")
                                      : g_variant_new ("(oo)", "/", PROMPT);
  if (g_str_equal (member, "Unlock"))
    return g_variant_new ("(^aoo)", none, PROMPT);
  if (g_str_equal (member, "Prompt"))
    g_atomic_int_inc (&n_prompted);
  if (g_str_equal (member, "Dismiss"))
    g_atomic_int_inc (&n_dismissed);
  if (g_str_equal (member, "Close"))
    g_atomic_int_inc (&n_closed);
  if (g_str_equal (member, "Prompt") || g_str_equal (member, "Dismiss")
      || g_str_equal (member, "Close"))
    return g_variant_new_tuple (NULL, 0);
  return NULL;
}

/* (nullable): the error that a search gets. */
static const char *
get_search_error (void)
{
  switch (g_atomic_int_get (&mood))
    {
    case KEYRING_LATE:
      return "org.freedesktop.DBus.Error.Timeout";
    case KEYRING_GONE:
      return "org.freedesktop.DBus.Error.NoReply";
    default:
      return NULL;
    }
}

/* The user closes the window of the prompt, or enters the password. */
static void
complete_prompt (GDBusConnection *connection, GDBusMessage *call)
{
  static const char *const none[] = { NULL };
  static const char *const items[] = { ITEM, NULL };
  const gboolean unlocks = g_atomic_int_get (&mood) == KEYRING_UNLOCKED;
  g_autoptr (GDBusMessage) message =
      g_dbus_message_new_signal (PROMPT, "org.freedesktop.Secret.Prompt", "Completed");

  g_dbus_message_set_destination (message, g_dbus_message_get_sender (call));
  if (unlocks)
    g_atomic_int_set (&mood, KEYRING_OPEN);
  g_dbus_message_set_body (
      message, g_variant_new ("(bv)", !unlocks, g_variant_new_objv (unlocks ? items : none, -1)));
  g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
}

/* On the connection's thread. */
static GDBusMessage *
filter_cb (GDBusConnection *connection, GDBusMessage *message, gboolean incoming,
           gpointer user_data)
{
  g_autoptr (GDBusMessage) reply = NULL;
  const char *error = NULL;
  GVariant *body;

  if (!incoming || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    return message;
  if (g_str_equal (g_dbus_message_get_member (message), "Unlock"))
    {
      g_atomic_int_inc (&n_unlocks);
      if (g_atomic_int_get (&mood) == KEYRING_SLOW)
        {
          g_object_unref (message);
          return NULL;
        }
    }
  if (g_str_equal (g_dbus_message_get_member (message), "Prompt"))
    g_atomic_pointer_set (&last_prompt, g_object_ref (message));
  body = answer (g_dbus_message_get_member (message), g_dbus_message_get_body (message));
  if (g_str_equal (g_dbus_message_get_member (message), "SearchItems"))
    {
      g_atomic_int_inc (&n_searches);
      error = get_search_error ();
    }
  if (error != NULL)
    {
      g_variant_unref (g_variant_ref_sink (body));
      reply = g_dbus_message_new_method_error_literal (message, error, "played");
    }
  else if (body != NULL)
    {
      reply = g_dbus_message_new_method_reply (message);
      g_dbus_message_set_body (reply, body);
    }
  else
    {
      reply = g_dbus_message_new_method_error_literal (
          message, "org.freedesktop.DBus.Error.NotSupported", "not here");
    }
  g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  if (g_str_equal (g_dbus_message_get_member (message), "Prompt")
      && (g_atomic_int_get (&mood) == KEYRING_DISMISSED
          || g_atomic_int_get (&mood) == KEYRING_UNLOCKED))
    complete_prompt (connection, message);
  g_object_unref (message);
  return NULL;
}

static GDBusConnection *
play_keyring (GTestDBus *bus)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  GDBusConnection *connection =
      g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (bus),
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);

  g_assert_no_error (error);
  g_dbus_connection_add_filter (connection, filter_cb, NULL, NULL);
  reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "RequestName",
                                       g_variant_new ("(su)", "org.freedesktop.secrets", 4u), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static void
count_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
          guint *n_completed)
{
  g_assert_true (success);
  g_assert_cmpstr (message, ==, "aborted");
  ++*n_completed;
}

static GadgetAgent *
make_agent (GadgetClock *clock, const char *url)
{
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();
  g_autoptr (GadgetToolbox) toolbox = gadget_toolbox_new ();
  g_autoptr (GadgetProviderList) providers = gadget_provider_list_new (NULL, secrets, clock);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "remote", "Remote", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "model");

  gadget_provider_list_add_async (providers, config, NULL, NULL, NULL, NULL, NULL);
  wait_idle ();
  g_assert_nonnull (gadget_provider_list_find (providers, "remote"));
  return gadget_agent_new (providers, toolbox, NULL, clock);
}

static guint
count_runs (GadgetAgent *agent)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (agent));

  return runs->len;
}

static void
titled_cb (GadgetSession *session, const GError *error, gpointer n_failures)
{
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  ++*(guint *) n_failures;
}

/* A title waits for the key too: its run is over at once when it is stopped, and after a while when
 * nobody stops it, with the look-up still hanging. */
static void
check_title (GadgetAgent *agent, GadgetClock *clock)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("titled");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "go");
  const int n_before = g_atomic_int_get (&n_prompted);
  guint n_failures = 0;

  gadget_turn_set_model (turn, "remote", "model");
  gadget_turn_finish (turn);
  gadget_session_append (session, turn);
  for (guint i = 0; i < 2; i++)
    {
      _gadget_title_start (_gadget_agent_get_environment (agent), NULL, session, FALSE, titled_cb,
                           &n_failures, NULL);
      wait_until (g_atomic_int_get (&n_prompted) == n_before + (int) i + 1);
      g_assert_cmpuint (count_runs (agent), ==, 1);
      if (i == 0)
        gadget_abort_ack_free (gadget_agent_abort (agent, NULL, NULL, GADGET_STOP_CLOSED));
      else
        gadget_clock_advance (clock, 31 * G_USEC_PER_SEC);
      wait_idle ();
      g_assert_cmpuint (count_runs (agent), ==, 0);
      g_assert_cmpuint (n_failures, ==, i);
    }
}

static void
assert_waits_for_keyring (GadgetClock *clock, GadgetTurn *turn)
{
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_WAITING);
  gadget_clock_advance (clock, 2 * G_USEC_PER_SEC);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_KEYRING);
}

static void
assert_receipt (GadgetTurn *turn)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);

  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 1);
  g_assert_cmpint (gadget_receipt_get_line (receipt, 0)->kind, ==, GADGET_RECEIPT_KEYRING);
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 0)->name, ==, "Remote");
}

static void
test_abort_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (0);
  GadgetAgent *agent;
  guint n_completed = 0;

  g_test_dbus_up (bus);
  play_keyring (bus);
  agent = make_agent (clock, "http://127.0.0.1:1/v1");
  gadget_session_set_model (session, "remote", "model");
  g_signal_connect (agent, "completed", G_CALLBACK (count_cb), &n_completed);
  /* The second one settles as well, with the first prompt still open. */
  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (GadgetRun) run = gadget_agent_start (agent, session, "go", NULL, NULL);
      g_autoptr (GadgetAbortAck) ack = NULL;

      g_assert_nonnull (run);
      wait_until (g_atomic_int_get (&n_prompted) == (int) i);
      g_assert_cmpuint (n_completed, ==, i - 1);
      assert_waits_for_keyring (clock, gadget_session_get_last_turn (session));
      ack = gadget_agent_abort (agent, "session", NULL, GADGET_STOP_USER);
      g_assert_true (ack->aborted);
      /* The acknowledgement comes first. */
      g_assert_cmpuint (n_completed, ==, i - 1);
      wait_until (n_completed == i);
      g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (session)), ==,
                       GADGET_TURN_ABORTED);
      assert_receipt (gadget_session_get_last_turn (session));
      g_assert_null (gadget_session_get_active_run (session));
    }
  /* The user is not left with the keyring's window. */
  wait_until (g_atomic_int_get (&n_dismissed) == 2);
  check_title (agent, clock);
  g_test_dbus_stop (bus);
  /* libsecret does not stand it in good order that a keyring goes away while it prompts. */
  _exit (0);
}

static GadgetTurn *
run_turn (GadgetAgent *agent, GadgetSession *session, KeyringMood new_mood, guint *n_completed)
{
  const guint n_before = *n_completed;
  g_autoptr (GadgetRun) run = NULL;

  g_atomic_int_set (&mood, new_mood);
  run = gadget_agent_start (agent, session, "my prompt", NULL, NULL);
  g_assert_nonnull (run);
  wait_until (*n_completed == n_before + 1);
  return gadget_session_get_last_turn (session);
}

static void
expect_failure (GadgetAgent *agent, GadgetSession *session, KeyringMood new_mood,
                guint *n_completed, const char *code)
{
  GadgetTurn *turn = run_turn (agent, session, new_mood, n_completed);

  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, code);
}

static gboolean
is_chat (const FakeRequest *request)
{
  return g_str_equal (request->method, "POST");
}

/* A key that cannot be had is no missing key: nothing is sent without it. */
static void
test_failures_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  FakeServer *server = fake_server_new ();
  FakeReply *reply = fake_server_add_reply (server);
  g_autofree char *url = fake_server_dup_url (server, "/v1");
  g_autoptr (GDBusConnection) connection = NULL;
  SecretService *service;
  GadgetAgent *agent;
  guint n_completed = 0;
  guint n_chats = 0;

  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "Hello");
  fake_reply_chat_finish (reply, "stop");
  fake_reply_end (reply);
  g_test_dbus_up (bus);
  play_keyring (bus);
  /* The program is on the bus all the time, as the window is. A session of a program that leaves
   * the bus ends without being closed. */
  connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_assert_nonnull (connection);
  agent = make_agent (gadget_clock_get_default (), url);
  test_count_completed (agent, &n_completed);
  gadget_session_set_model (session, "remote", "model");

  expect_failure (agent, session, KEYRING_DISMISSED, &n_completed, "secrets/locked");
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 1);
  expect_failure (agent, session, KEYRING_STINGY, &n_completed, "secrets/unreadable");
  g_assert_cmpuint (fake_server_get_n_requests (server), ==, 0);
  g_assert_cmpint (gadget_turn_get_status (run_turn (agent, session, KEYRING_OPEN, &n_completed)),
                   ==, GADGET_TURN_FINISHED);
  /* Sessions are closed again. One that is cancelled while it is opened is libsecret's. */
  wait_until (g_atomic_int_get (&n_closed) >= 3
              && g_atomic_int_get (&n_closed) + 1 >= g_atomic_int_get (&n_opened));
  /* Restarted, it does not know the session that libsecret has with it. Something else in the
   * program keeps that in use. */
  service = secret_service_get_sync (SECRET_SERVICE_OPEN_SESSION, NULL, NULL);
  g_assert_nonnull (service);
  g_atomic_int_set (&knows_session, FALSE);
  g_assert_cmpint (gadget_turn_get_status (run_turn (agent, session, KEYRING_OPEN, &n_completed)),
                   ==, GADGET_TURN_FINISHED);
  for (guint i = 0; i < fake_server_get_n_requests (server); i++)
    if (is_chat (fake_server_get_request (server, i)))
      {
        n_chats++;
        g_assert_nonnull (strstr (fake_server_get_request (server, i)->head, "Bearer " KEY));
      }
  g_assert_cmpuint (n_chats, >=, 2);
  g_test_dbus_stop (bus);
  _exit (0);
}

/* As if its key had been stored before. */
static void
remember_key (GadgetAgent *agent)
{
  GadgetProviderConfig *config =
      gadget_provider_list_find (_gadget_agent_get_environment (agent)->providers, "remote");
  g_autofree char *origin = gadget_provider_config_dup_origin (config);

  gadget_provider_config_set_key_origin (config, origin);
}

/* Of a provider of which a key is known. A connection that was lost is made anew, once. */
static void
test_lost_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  GadgetAgent *agent;
  guint n_completed = 0;

  g_test_dbus_up (bus);
  play_keyring (bus);
  /* Its address is public, and nothing answers there; it is never asked. */
  agent = make_agent (gadget_clock_get_default (), "https://198.51.101.1/v1");
  test_count_completed (agent, &n_completed);
  gadget_session_set_model (session, "remote", "model");
  remember_key (agent);

  expect_failure (agent, session, KEYRING_GONE, &n_completed, "secrets/gone");
  g_assert_cmpint (g_atomic_int_get (&n_searches), ==, 2);
  expect_failure (agent, session, KEYRING_LATE, &n_completed, "secrets/late");
  g_assert_cmpint (g_atomic_int_get (&n_searches), ==, 3);
  g_test_dbus_stop (bus);
  _exit (0);
}

static void
leave (GDBusConnection *keyring)
{
  g_autoptr (GError) error = NULL;

  g_dbus_connection_close_sync (keyring, NULL, &error);
  g_assert_no_error (error);
  g_object_unref (keyring);
}

/* It leaves while it prompts: nobody waits for it any more, and it is not asked for another prompt.
 * gnome-keyring (48) does so when its prompt is dismissed. */
static void
test_left_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  GDBusConnection *keyring;
  GadgetAgent *agent;
  GadgetTurn *turn;
  guint n_completed = 0;

  g_test_dbus_up (bus);
  keyring = play_keyring (bus);
  agent = make_agent (gadget_clock_get_default (), "https://198.51.101.1/v1");
  test_count_completed (agent, &n_completed);
  gadget_session_set_model (session, "remote", "model");
  remember_key (agent);
  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (GadgetRun) run = gadget_agent_start (agent, session, "go", NULL, NULL);

      g_assert_nonnull (run);
      wait_until (g_atomic_int_get (&n_prompted) == (int) i);
      if (i == 2)
        {
          gadget_abort_ack_free (gadget_agent_abort (agent, "session", NULL, GADGET_STOP_USER));
          wait_until (g_atomic_int_get (&n_dismissed) == 1);
        }
      leave (keyring);
      wait_until (n_completed == i);
      turn = gadget_session_get_last_turn (session);
      g_assert_cmpint (gadget_turn_get_status (turn), ==,
                       i == 1 ? GADGET_TURN_ERROR : GADGET_TURN_ABORTED);
      g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, i == 1 ? "secrets/locked" : NULL);
      keyring = play_keyring (bus);
    }
  g_assert_cmpint (
      gadget_turn_get_status (run_turn (agent, session, KEYRING_DISMISSED, &n_completed)), ==,
      GADGET_TURN_ERROR);
  g_test_dbus_stop (bus);
  _exit (0);
}

/* The user enters the password of the prompt that is there. */
static void
unlock (GDBusConnection *keyring)
{
  g_atomic_int_set (&mood, KEYRING_UNLOCKED);
  complete_prompt (keyring, g_atomic_pointer_get (&last_prompt));
}

/* A stop while the keyring was asked to unlock and has not answered yet: it is over at once, and
 * the message is still there. */
static void
test_unlocking_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  g_autoptr (GadgetRun) run = NULL;
  GadgetAgent *agent;
  GadgetTurn *turn;
  guint n_completed = 0;

  g_test_dbus_up (bus);
  play_keyring (bus);
  agent = make_agent (gadget_clock_get_default (), "https://198.51.101.1/v1");
  gadget_session_set_model (session, "remote", "model");
  g_signal_connect (agent, "completed", G_CALLBACK (count_cb), &n_completed);
  remember_key (agent);
  g_atomic_int_set (&mood, KEYRING_SLOW);
  run = gadget_agent_start (agent, session, "my prompt", NULL, NULL);
  g_assert_nonnull (run);
  wait_until (g_atomic_int_get (&n_unlocks) == 1);
  wait_idle ();
  g_assert_cmpuint (n_completed, ==, 0);
  gadget_abort_ack_free (gadget_agent_abort (agent, "session", NULL, GADGET_STOP_USER));
  wait_until (n_completed == 1);
  turn = gadget_session_get_last_turn (session);
  g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, "my prompt");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  assert_receipt (turn);
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 0);
  g_test_dbus_stop (bus);
  _exit (0);
}

/* Starts a turn, and returns when it waits for the password. */
static GadgetRun *
start_locked (GadgetAgent *agent, GadgetSession *session)
{
  GadgetRun *run;

  gadget_session_set_model (session, "remote", "model");
  run = gadget_agent_start (agent, session, "my prompt", NULL, NULL);
  g_assert_nonnull (run);
  wait_until (g_atomic_int_get (&n_prompted) == 1);
  return run;
}

/* The provider is removed while its key waits for the password: nothing is sent. */
static void
test_removed_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  FakeServer *server = fake_server_new ();
  g_autofree char *url = fake_server_dup_url (server, "/v1");
  g_autoptr (GadgetRun) run = NULL;
  GDBusConnection *keyring;
  GadgetAgent *agent;
  GadgetProviderList *providers;
  guint n_completed = 0;

  g_test_dbus_up (bus);
  keyring = play_keyring (bus);
  agent = make_agent (gadget_clock_get_default (), url);
  providers = _gadget_agent_get_environment (agent)->providers;
  test_count_completed (agent, &n_completed);
  run = start_locked (agent, session);
  gadget_provider_list_remove_async (providers, "remote", NULL, NULL);
  g_assert_null (gadget_provider_list_find (providers, "remote"));
  wait_until (g_atomic_int_get (&n_prompted) == 2);
  unlock (keyring);
  wait_until (n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (session)), ==,
                   GADGET_TURN_ERROR);
  g_assert_cmpint (g_atomic_int_get (&n_returned), ==, 1);
  g_assert_cmpuint (fake_server_get_n_requests (server), ==, 0);
  g_test_dbus_stop (bus);
  _exit (0);
}

/* The key is replaced while the old one waits for the password: only the new one is sent. */
static void
test_replaced_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  GadgetSession *session = gadget_session_new ("session");
  FakeServer *server = fake_server_new ();
  FakeReply *reply = fake_server_add_reply (server);
  g_autofree char *url = fake_server_dup_url (server, "/v1");
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "remote", "Remote", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "model");
  g_autoptr (GAsyncResult) result = NULL;
  GDBusConnection *keyring;
  GadgetAgent *agent;
  GadgetProviderList *providers;
  guint n_completed = 0;
  guint n_chats = 0;

  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "Hello");
  fake_reply_chat_finish (reply, "stop");
  fake_reply_end (reply);
  g_test_dbus_up (bus);
  keyring = play_keyring (bus);
  agent = make_agent (gadget_clock_get_default (), url);
  providers = _gadget_agent_get_environment (agent)->providers;
  test_count_completed (agent, &n_completed);
  run = start_locked (agent, session);
  g_atomic_int_set (&stores, TRUE);
  gadget_provider_list_add_async (providers, config, NEW_KEY, NULL, NULL, test_result_cb, &result);
  wait_until (result != NULL);
  g_assert_true (gadget_provider_list_add_finish (providers, result, NULL));
  g_assert_cmpint (g_atomic_int_get (&n_returned), ==, 0);
  unlock (keyring);
  wait_until (n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (session)), ==,
                   GADGET_TURN_FINISHED);
  for (guint i = 0; i < fake_server_get_n_requests (server); i++)
    {
      const FakeRequest *request = fake_server_get_request (server, i);

      n_chats += is_chat (request);
      g_assert_null (strstr (request->head, KEY));
      g_assert_true (!is_chat (request) || strstr (request->head, "Bearer " NEW_KEY) != NULL);
    }
  g_assert_cmpuint (n_chats, ==, 1);
  g_assert_cmpint (g_atomic_int_get (&n_returned), >=, 1);
  g_test_dbus_stop (bus);
  _exit (0);
}

static gboolean
clears (GadgetSecrets *secrets, KeyringMood new_mood)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean cleared;

  g_atomic_int_set (&mood, new_mood);
  gadget_secrets_clear_async (secrets, "remote", NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  cleared = gadget_secrets_clear_finish (secrets, result, &error);
  g_assert_no_error (error);
  return cleared;
}

/* A key in a locked keyring is removed once the user has unlocked that, and is not said to be
 * removed before. */
static void
test_clear_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();

  g_test_dbus_up (bus);
  play_keyring (bus);
  g_assert_false (clears (secrets, KEYRING_DISMISSED));
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 1);
  g_assert_cmpint (g_atomic_int_get (&n_deleted), ==, 0);
  /* The keyring is there, so later keys are kept. */
  g_assert_true (gadget_secrets_get_persistent (secrets));
  g_assert_true (clears (secrets, KEYRING_UNLOCKED));
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 2);
  g_assert_cmpint (g_atomic_int_get (&n_deleted), ==, 1);
  g_assert_true (clears (secrets, KEYRING_OPEN));
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 2);
  g_assert_cmpint (g_atomic_int_get (&n_deleted), ==, 2);
  g_assert_false (clears (secrets, KEYRING_GONE));
  g_assert_false (gadget_secrets_get_persistent (secrets));
  g_test_dbus_stop (bus);
  _exit (0);
}

static gboolean
erase (GadgetEngine *engine, const char *cache, KeyringMood new_mood, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_atomic_int_set (&mood, new_mood);
  gadget_engine_erase_async (engine, cache, TRUE, test_result_cb, &result);
  wait_until (result != NULL);
  return gadget_engine_erase_finish (engine, result, error);
}

/* Everything is to be deleted with the keys: as long as the keyring keeps a key, nobody is told
 * that it is done, and chats and providers are there. Afterwards neither is. */
static void
test_erase_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_autofree char *directory = test_dir_new ();
  g_autofree char *cache = g_build_filename (directory, "cache", NULL);
  g_autoptr (GadgetEngine) engine = gadget_engine_new (directory);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "remote", "Remote", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://198.51.101.1/v1", "model");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_dbus_up (bus);
  play_keyring (bus);
  test_engine_open (engine);
  g_atomic_int_set (&stores, TRUE);
  gadget_provider_list_add_async (gadget_engine_get_providers (engine), config, KEY, NULL, NULL,
                                  test_result_cb, &result);
  wait_until (result != NULL);
  test_store_run_sql (gadget_engine_get_store (engine),
                      "INSERT INTO session (id, created_at, updated_at) VALUES ('s', 1, 1)");
  g_assert_false (erase (engine, cache, KEYRING_DISMISSED, &error));
  g_assert_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED);
  g_clear_error (&error);
  g_assert_cmpint (g_atomic_int_get (&n_deleted), ==, 0);
  test_store_run_sql (gadget_engine_get_store (engine),
                      "CREATE TEMP TABLE left_over (n INTEGER CHECK (n = 2));"
                      "INSERT INTO left_over SELECT (SELECT count(*) FROM session)"
                      " + (SELECT count(*) FROM provider); DROP TABLE left_over");
  g_assert_false (erase (engine, cache, KEYRING_GONE, &error));
  g_assert_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE);
  g_clear_error (&error);
  g_assert_true (erase (engine, cache, KEYRING_UNLOCKED, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_atomic_int_get (&n_deleted), >=, 1);
  test_store_run_sql (gadget_engine_get_store (engine),
                      "CREATE TEMP TABLE left_over (n INTEGER CHECK (n = 0));"
                      "INSERT INTO left_over SELECT (SELECT count(*) FROM session)"
                      " + (SELECT count(*) FROM provider); DROP TABLE left_over");
  test_dir_free (g_steal_pointer (&directory));
  g_test_dbus_stop (bus);
  _exit (0);
}

/* A provider whose adding is cancelled while the keyring prompts is not added, and the user is not
 * left with the prompt. */
static void
test_adding_subprocess (void)
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();
  g_autoptr (GadgetProviderList) providers =
      gadget_provider_list_new (NULL, secrets, gadget_clock_get_default ());
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "remote", "Remote", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://198.51.101.1/v1", "model");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_dbus_up (bus);
  play_keyring (bus);
  gadget_provider_list_add_async (providers, config, KEY, NULL, cancellable, test_result_cb,
                                  &result);
  wait_until (g_atomic_int_get (&n_prompted) == 1);
  g_assert_null (result);
  g_cancellable_cancel (cancellable);
  wait_until (result != NULL);
  g_assert_false (gadget_provider_list_add_finish (providers, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (gadget_provider_list_find (providers, "remote"));
  wait_until (g_atomic_int_get (&n_dismissed) == 1);
  g_assert_cmpint (g_atomic_int_get (&n_prompted), ==, 1);
  g_test_dbus_stop (bus);
  _exit (0);
}

static void
run_subprocess (gconstpointer path)
{
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");

  if (daemon == NULL)
    {
      g_test_skip ("dbus-daemon is not installed");
      return;
    }
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

#define ADD(name, func)                                                                            \
  g_test_add_data_func ("/engine/locked-keyring/" name,                                            \
                        "/engine/locked-keyring/" name "/subprocess", run_subprocess);             \
  g_test_add_func ("/engine/locked-keyring/" name "/subprocess", func)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("abort", test_abort_subprocess);
  ADD ("failures", test_failures_subprocess);
  ADD ("lost", test_lost_subprocess);
  ADD ("left", test_left_subprocess);
  ADD ("clear", test_clear_subprocess);
  ADD ("adding", test_adding_subprocess);
  ADD ("erase", test_erase_subprocess);
  ADD ("unlocking", test_unlocking_subprocess);
  ADD ("removed", test_removed_subprocess);
  ADD ("replaced", test_replaced_subprocess);
  return g_test_run ();
}
