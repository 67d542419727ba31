/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The keyring is a real one, on a bus of the test's own. Each case runs in a process of its own
 * (g_test_trap_subprocess), because the connection to a session bus is made once in a process. */

#include "config.h"

#include "test-wait.h"

#include "secrets/gadget-key-file.h"
#include "secrets/gadget-secrets.h"

#include <glib/gstdio.h>
#include <libsecret/secret.h>
#include <signal.h>
#include <string.h>

#define SOON_MS 10000
#define KEY "sk-very-secret"

static void
store_for (GadgetSecrets *secrets, const char *id, const char *origin, const char *key)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_secrets_store_async (secrets, id, "Name", origin, key, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_true (gadget_secrets_store_finish (secrets, result, NULL));
}

static void
store (GadgetSecrets *secrets, const char *id, const char *key)
{
  store_for (secrets, id, NULL, key);
}

static char *
lookup_for (GadgetSecrets *secrets, const char *id, const char *origin, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_secrets_lookup_async (secrets, id, origin, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  return gadget_secrets_lookup_finish (secrets, result, error);
}

static char *
lookup (GadgetSecrets *secrets, const char *id, GError **error)
{
  return lookup_for (secrets, id, NULL, error);
}

static void
assert_key (GadgetSecrets *secrets, const char *id, const char *expected)
{
  g_autoptr (GError) error = NULL;
  char *found = lookup (secrets, id, &error);

  /* Where there is no keyring nothing is known of a key. */
  if (expected != NULL
      || !g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE))
    g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
  gadget_secrets_free_key (found);
}

static gboolean
clear (GadgetSecrets *secrets, const char *id)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_secrets_clear_async (secrets, id, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  return gadget_secrets_clear_finish (secrets, result, NULL);
}

static void
count_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
exercise (GadgetSecrets *secrets)
{
  assert_key (secrets, "one", NULL);
  store (secrets, "one", "first");
  store (secrets, "two", "second");
  assert_key (secrets, "one", "first");
  assert_key (secrets, "two", "second");
  store (secrets, "one", "changed");
  assert_key (secrets, "one", "changed");
  gadget_secrets_set_for_run (secrets, "one", "for this run\n");
  assert_key (secrets, "one", "for this run");
  gadget_secrets_set_for_run (secrets, "one", NULL);
  assert_key (secrets, "one", "changed");
  clear (secrets, "one");
  assert_key (secrets, "one", NULL);
  assert_key (secrets, "two", "second");
}

static void
assert_key_for (GadgetSecrets *secrets, const char *origin, const char *expected)
{
  g_autoptr (GError) error = NULL;
  char *found = lookup_for (secrets, "bound", origin, &error);

  if (expected == NULL)
    g_assert_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN);
  else
    g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
  gadget_secrets_free_key (found);
}

/* A key is not given for another address than the one that it was entered for. One that was stored
 * before keys were bound is. */
static void
exercise_origins (GadgetSecrets *secrets)
{
  store (secrets, "bound", "old");
  assert_key_for (secrets, "https://one.example:443", "old");
  store_for (secrets, "bound", "https://one.example:443", "first");
  assert_key_for (secrets, "https://one.example:443", "first");
  assert_key_for (secrets, "https://two.example:443", NULL);
  assert_key_for (secrets, "http://one.example:80", NULL);
  store_for (secrets, "bound", "https://two.example:443", "second");
  assert_key_for (secrets, "https://two.example:443", "second");
  assert_key_for (secrets, "https://one.example:443", NULL);
  clear (secrets, "bound");
  assert_key (secrets, "bound", NULL);
}

static void
test_memory (void)
{
  GadgetSecrets *secrets = gadget_secrets_new_in_memory ();

  g_assert_false (gadget_secrets_get_persistent (secrets));
  exercise (secrets);
  exercise_origins (secrets);
  g_assert_finalize_object (secrets);
}

/* --- A key in a file ------------------------------------------------------------------------- */

static void
assert_bad_file (GadgetSecrets *secrets, const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lookup (secrets, "a-b.c", &error));
  g_assert_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_KEY_FILE);
  g_assert_nonnull (strstr (error->message, said));
}

static void
test_key_file (void)
{
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new_in_memory ();
  g_autofree char *folder = g_dir_make_tmp ("gadget-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "key", NULL);
  g_autofree char *large = g_strnfill (100000, 'x');
  g_autofree char *variable = gadget_key_file_make_variable ("a-b.c");

  g_assert_cmpstr (variable, ==, "GADGET_KEY_FILE_A_B_C");
  g_setenv (variable, path, TRUE);
  assert_bad_file (secrets, "can't be read");

  g_assert_true (
      g_file_set_contents_full (path, KEY "\n", -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  assert_key (secrets, "a-b.c", KEY);
  gadget_secrets_set_for_run (secrets, "a-b.c", "other");
  assert_key (secrets, "a-b.c", "other");
  gadget_secrets_set_for_run (secrets, "a-b.c", NULL);

  g_chmod (path, 0640);
  assert_bad_file (secrets, "0600");
  g_chmod (path, 0604);
  assert_bad_file (secrets, "0600");
  g_chmod (path, 0600);
  g_assert_true (g_file_set_contents_full (path, large, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  assert_bad_file (secrets, "too large");
  g_assert_true (g_file_set_contents_full (path, " \n", -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  assert_bad_file (secrets, "empty");
  g_setenv (variable, folder, TRUE);
  assert_bad_file (secrets, "");

  g_unsetenv (variable);
  g_unlink (path);
  g_rmdir (folder);
}

/* --- No keyring ------------------------------------------------------------------------------ */

static void
test_no_keyring_subprocess (void)
{
  guint n_notified = 0;
  GadgetSecrets *secrets;

  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
  secrets = gadget_secrets_new ();
  g_signal_connect (secrets, "notify::persistent", G_CALLBACK (count_cb), &n_notified);
  g_assert_true (gadget_secrets_get_persistent (secrets));
  exercise (secrets);
  exercise_origins (secrets);
  g_assert_false (gadget_secrets_get_persistent (secrets));
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_finalize_object (secrets);
}

static void
test_no_keyring (void)
{
  g_test_trap_subprocess ("/engine/secrets/no-keyring/subprocess", 0,
                          G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* --- A keyring ------------------------------------------------------------------------------- */

typedef struct
{
  GSubprocess *bus;
  char *folder;
} Keyring;

static void
start_bus (Keyring *keyring)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *address = NULL;

  keyring->bus =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                        "dbus-daemon", "--session", "--nofork", "--print-address", NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (keyring->bus));
  address = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
}

/* The daemon goes into the background once it is ready, and ends with its bus. */
static void
start_daemon (void)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) daemon = NULL;
  g_autoptr (GError) error = NULL;

  launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                 | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  /* The daemon's warnings are not ours to die of. */
  g_subprocess_launcher_unsetenv (launcher, "G_DEBUG");
  daemon = g_subprocess_launcher_spawn (launcher, &error, "gnome-keyring-daemon", "--unlock",
                                        "--components=secrets", NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (daemon, "password", NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
start_keyring (Keyring *keyring)
{
  const char *variables[] = { "HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME" };

  keyring->folder = g_dir_make_tmp ("gadget-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], keyring->folder, TRUE);
  start_bus (keyring);
  start_daemon ();
}

static void
name_owned_cb (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static gboolean
is_true (gpointer user_data)
{
  return *(gboolean *) user_data;
}

static void
await_keyring (void)
{
  gboolean there = FALSE;
  guint watch = g_bus_watch_name (G_BUS_TYPE_SESSION, "org.freedesktop.secrets",
                                  G_BUS_NAME_WATCHER_FLAGS_NONE, name_owned_cb, NULL, &there, NULL);

  g_assert_true (test_wait_until (is_true, &there, SOON_MS));
  g_bus_unwatch_name (watch);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

static void
stop_keyring (Keyring *keyring)
{
  GDBusConnection *connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);

  g_dbus_connection_set_exit_on_close (connection, FALSE);
  g_object_unref (connection);
  g_subprocess_send_signal (keyring->bus, SIGTERM);
  g_subprocess_wait (keyring->bus, NULL, NULL);
  g_object_unref (keyring->bus);
  remove_tree (keyring->folder);
  g_free (keyring->folder);
}

static void
kill_daemon (void)
{
  g_autoptr (GDBusConnection) connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetConnectionUnixProcessID", g_variant_new ("(s)", "org.freedesktop.secrets"), NULL,
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  guint32 pid;

  g_assert_no_error (error);
  g_variant_get (reply, "(u)", &pid);
  g_assert_cmpint (kill ((pid_t) pid, SIGKILL), ==, 0);
}

static void
name_lost_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
await_no_keyring (void)
{
  gboolean gone = FALSE;
  guint watch = g_bus_watch_name (G_BUS_TYPE_SESSION, "org.freedesktop.secrets",
                                  G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, name_lost_cb, &gone, NULL);

  g_assert_true (test_wait_until (is_true, &gone, SOON_MS));
  g_bus_unwatch_name (watch);
}

/* The session with the service that was killed leads nowhere. */
static void
test_restart_subprocess (void)
{
  Keyring keyring = { NULL };
  g_autoptr (SecretService) service = NULL;
  GadgetSecrets *secrets;

  start_keyring (&keyring);
  await_keyring ();
  /* In a window something else keeps the service in use. */
  service = secret_service_get_sync (SECRET_SERVICE_OPEN_SESSION, NULL, NULL);
  g_assert_nonnull (service);
  secrets = gadget_secrets_new ();
  store (secrets, "one", KEY);
  assert_key (secrets, "one", KEY);
  for (guint i = 0; i < 2; i++)
    {
      kill_daemon ();
      await_no_keyring ();
      start_daemon ();
      await_keyring ();
      assert_key (secrets, "one", KEY);
      store (secrets, "one", KEY);
      g_assert_true (gadget_secrets_get_persistent (secrets));
    }
  g_assert_finalize_object (secrets);
  stop_keyring (&keyring);
}

static void
test_keyring_subprocess (void)
{
  Keyring keyring = { NULL };
  GadgetSecrets *secrets;
  GadgetSecrets *later;

  start_keyring (&keyring);
  await_keyring ();
  secrets = gadget_secrets_new ();
  exercise (secrets);
  exercise_origins (secrets);
  g_assert_true (gadget_secrets_get_persistent (secrets));
  store (secrets, "three", KEY);

  /* The next start of the program finds it. */
  later = gadget_secrets_new ();
  assert_key (later, "three", KEY);
  g_assert_true (clear (later, "three"));
  assert_key (secrets, "three", NULL);
  g_assert_finalize_object (later);
  g_assert_finalize_object (secrets);
  stop_keyring (&keyring);
}

static void
lock_keyring (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SecretService) service = secret_service_get_sync (SECRET_SERVICE_NONE, NULL, &error);
  g_autoptr (SecretCollection) collection = secret_collection_for_alias_sync (
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, NULL, &error);
  GList one = { collection, NULL, NULL };

  g_assert_no_error (error);
  g_assert_nonnull (collection);
  g_assert_cmpint (secret_service_lock_sync (service, &one, NULL, NULL, &error), ==, 1);
  g_assert_no_error (error);
}

/* Where the user cannot be asked for the password the key stays, and is not said to be removed. */
static void
test_locked_subprocess (void)
{
  Keyring keyring = { NULL };
  GadgetSecrets *secrets;

  /* No window asks whoever runs the test for a password. */
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  start_keyring (&keyring);
  await_keyring ();
  secrets = gadget_secrets_new ();
  store (secrets, "one", KEY);
  lock_keyring ();
  g_assert_false (clear (secrets, "one"));
  /* A new daemon is unlocked again. */
  kill_daemon ();
  await_no_keyring ();
  start_daemon ();
  await_keyring ();
  assert_key (secrets, "one", KEY);
  g_assert_true (clear (secrets, "one"));
  assert_key (secrets, "one", NULL);
  g_assert_finalize_object (secrets);
  stop_keyring (&keyring);
}

static void
test_with_keyring (gconstpointer path)
{
  g_autofree char *daemon = g_find_program_in_path ("gnome-keyring-daemon");
  g_autofree char *bus = g_find_program_in_path ("dbus-daemon");

  if (daemon == NULL || bus == NULL)
    {
      g_test_skip ("gnome-keyring-daemon or dbus-daemon is not installed");
      return;
    }
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/secrets/memory", test_memory);
  g_test_add_func ("/engine/secrets/key-file", test_key_file);
  g_test_add_func ("/engine/secrets/no-keyring", test_no_keyring);
  g_test_add_func ("/engine/secrets/no-keyring/subprocess", test_no_keyring_subprocess);
  g_test_add_data_func ("/engine/secrets/keyring", "/engine/secrets/keyring/subprocess",
                        test_with_keyring);
  g_test_add_func ("/engine/secrets/keyring/subprocess", test_keyring_subprocess);
  g_test_add_data_func ("/engine/secrets/locked", "/engine/secrets/locked/subprocess",
                        test_with_keyring);
  g_test_add_func ("/engine/secrets/locked/subprocess", test_locked_subprocess);
  g_test_add_data_func ("/engine/secrets/restart", "/engine/secrets/restart/subprocess",
                        test_with_keyring);
  g_test_add_func ("/engine/secrets/restart/subprocess", test_restart_subprocess);
  return g_test_run ();
}
