/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A command that wants what is the user's: keys, cookies, and whoever listens and would work for
 * it. The thief knows every name and address; from outside each of them is had with these. */

#include "config.h"

#include "test-sandbox.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define SECRET "theft-7391"

static char *run_dir; /* $XDG_RUNTIME_DIR, where nothing else hides it */

static GSocketListener *
listen_at (const char *folder, const char *name, char **path)
{
  g_autofree char *parent = NULL;
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) error = NULL;
  GSocketListener *listener = g_socket_listener_new ();

  *path = g_build_filename (folder, name, NULL);
  parent = g_path_get_dirname (*path);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  address = g_unix_socket_address_new (*path);
  g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                 NULL, NULL, &error);
  g_assert_no_error (error);
  return listener;
}

static char *
run_outside (TestSandbox *self, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start (command, self->workspace, NULL, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  return g_strchomp (g_strdup (process->output->str));
}

/* It does this outside, and not inside. */
static void
assert_refused (TestSandbox *self, const char *command, const char *outside, const char *inside)
{
  g_autofree char *output = run_outside (self, command);

  g_assert_cmpstr (output, ==, outside);
  test_sandbox_assert (self, self->workspace, inside, command);
}

static void
assert_not_reached (TestSandbox *self, const char *path, const char *error)
{
  g_autofree char *command = g_strdup_printf ("./try-call 'named=%s'", path);
  g_autofree char *outside = g_strdup_printf ("named=%s: done", path);
  g_autofree char *inside = g_strdup_printf ("named=%s: %s", path, error);

  assert_refused (self, command, outside, inside);
}

/* The buses, the keyring, the agents, the display and the sound are here. */
static void
test_runtime_dir (TestSandbox *self, gconstpointer data)
{
  static const char *const names[] = { "bus",         "keyring/control", "gnupg/S.gpg-agent",
                                       "gcr/ssh",     "wayland-0",       "pipewire-0",
                                       "pulse/native" };
  g_autofree char *command =
      g_strdup_printf ("cat '%s/cookie' 2>/dev/null; ls -A '%s' 2>/dev/null", run_dir, run_dir);

  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = NULL;
      g_autoptr (GSocketListener) listener = listen_at (run_dir, names[i], &path);

      assert_not_reached (self, path, "EAFNOSUPPORT");
      test_remove_tree (path);
    }
  test_write_file (run_dir, "cookie", SECRET);
  test_sandbox_assert (self, self->workspace, "", command);
}

/* Daemons have sockets in other places as well, and a mount that is read-only refuses nobody. */
static void
test_socket_elsewhere (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "sock-XXXXXX", NULL);
  g_autofree char *path = NULL;
  g_autofree char *link = NULL;
  g_autoptr (GSocketListener) listener = NULL;

  if (self->sandbox == NULL)
    return;
  g_assert_nonnull (g_mkdtemp (folder));
  test_sandbox_install_try_call (self);
  listener = listen_at (folder, "s", &path);
  assert_not_reached (self, path, "EAFNOSUPPORT");
  link = g_build_filename (self->workspace, "link", NULL);
  g_assert_cmpint (symlink (path, link), ==, 0);
  assert_not_reached (self, "link", "EAFNOSUPPORT");
  test_remove_tree (folder);
}

/* The kernel's list has names as they were given, and those of one network namespace alone. */
static void
test_unlisted_socket (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "sock-XXXXXX", NULL);
  g_autofree char *server = NULL;
  g_autofree char *path = NULL;
  g_autofree char *pair = NULL;
  g_autofree char *reached = NULL;
  g_autofree char *refused = NULL;
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  g_assert_nonnull (g_mkdtemp (folder));
  test_sandbox_install_try_call (self);
  server = g_strdup_printf ("cd %s; exec python3 -c 'import socket as s, time\n"
                            "a = s.socket (s.AF_UNIX); a.bind (\"s\"); a.listen ()\n"
                            "b = s.socket (s.AF_UNIX, s.SOCK_DGRAM); b.bind (\"d\")\n"
                            "print (\"ready\", flush=True); time.sleep (600)'",
                            folder);
  process = test_process_start (server, self->workspace, NULL, 0);
  test_process_wait_output (process, "ready");
  path = g_build_filename (folder, "s", NULL);
  assert_not_reached (self, path, "EAFNOSUPPORT");
  pair = g_strdup_printf ("./try-call pair=%s/d", folder);
  reached = g_strdup_printf ("pair=%s/d: done", folder);
  refused = g_strdup_printf ("pair=%s/d: EPROTONOSUPPORT", folder);
  assert_refused (self, pair, reached, refused);
  test_process_abort (process);
  test_process_wait (process);
  test_remove_tree (folder);
}

static void
test_display (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new_with_type (
      "/tmp/.X11-unix/X7391", -1, G_UNIX_SOCKET_ADDRESS_ABSTRACT);

  if (self->sandbox == NULL)
    return;
  test_sandbox_install_try_call (self);
  g_assert_true (g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL));
  assert_refused (self, "./try-call abstract=/tmp/.X11-unix/X7391",
                  "abstract=/tmp/.X11-unix/X7391: done",
                  "abstract=/tmp/.X11-unix/X7391: EAFNOSUPPORT");
}

/* Nothing of ours is in the environment of a command, of its helper or of anything it can see. */
static void
test_environment (TestSandbox *self, gconstpointer data)
{
  static const char *const names[] = {
    "OPENAI_API_KEY", "ANTHROPIC_API_KEY",        "GITHUB_TOKEN", "SSH_AUTH_SOCK",
    "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",      "WAYLAND_DISPLAY",
    "XAUTHORITY",     "GNOME_KEYRING_CONTROL",    "LD_PRELOAD",   "BASH_ENV"
  };

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_setenv (names[i], "/nowhere/" SECRET, TRUE);
  test_sandbox_assert (self, self->workspace, "0 0",
                       "echo $(env | grep -c '[t]heft-') "
                       "$(cat /proc/[0-9]*/{environ,cmdline} 2>/dev/null | grep -ac '[t]heft-')");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_unsetenv (names[i]);
}

/* A bus with a real keyring, unlocked, with a key in it. */
#define KEYRING                                                                                    \
  "cd '%s'; export XDG_RUNTIME_DIR=$PWD HOME=$PWD XDG_DATA_HOME=$PWD; "                            \
  "exec dbus-run-session -- bash -c '"                                                             \
  "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "         \
  "printf " SECRET " | secret-tool store --label=x service gadget-test; "                          \
  "echo \"at $DBUS_SESSION_BUS_ADDRESS\"; echo ready; exec sleep 600'"

static void
test_keyring (TestSandbox *self, gconstpointer data)
{
  g_autofree char *daemon = g_find_program_in_path ("gnome-keyring-daemon");
  g_autofree char *tool = g_find_program_in_path ("secret-tool");
  g_autofree char *folder = g_dir_make_tmp ("gadget-ring-XXXXXX", NULL);
  g_autofree char *keyring = g_strdup_printf (KEYRING, folder);
  g_autofree char *command = NULL;
  g_autoptr (TestProcess) bus = NULL;
  g_autofree char *address = NULL;
  const char *at;

  if (self->sandbox == NULL)
    return;
  if (daemon == NULL || tool == NULL)
    {
      g_test_skip ("gnome-keyring-daemon or secret-tool is not installed");
      return;
    }
  bus = test_process_start (keyring, self->workspace, NULL, 0);
  test_process_wait_output (bus, "ready");
  at = strstr (bus->output->str, "at unix:");
  g_assert_nonnull (at);
  address = g_strndup (at + 3, strcspn (at + 3, "\n"));
  command = g_strdup_printf ("DBUS_SESSION_BUS_ADDRESS='%s' secret-tool lookup service gadget-test "
                             "2>/dev/null; echo; echo end",
                             address);
  assert_refused (self, command, SECRET "\nend", "\nend");
  test_process_abort (bus);
  test_process_wait (bus);
  test_remove_tree (folder);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-theft/" path, TestSandbox, NULL, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  int status;

  run_dir = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "run-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (run_dir));
  g_setenv ("XDG_RUNTIME_DIR", run_dir, TRUE);
  test_sandbox_init (&argc, &argv);
  ADD ("runtime-dir", test_runtime_dir);
  ADD ("socket-elsewhere", test_socket_elsewhere);
  ADD ("unlisted-socket", test_unlisted_socket);
  ADD ("display", test_display);
  ADD ("environment", test_environment);
  ADD ("keyring", test_keyring);
  status = test_sandbox_finish ();
  test_remove_tree (run_dir);
  g_free (run_dir);
  return status;
}
