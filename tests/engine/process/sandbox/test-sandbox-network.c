/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The network of commands, with servers on this computer's loopback that must not be reached. */

#include "config.h"

#include "process/gadget-sandbox-probe.h"
#include "test-sandbox.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  TestSandbox base;
  GSocketListener *listener;
  char *command; /* tries to reach it */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  test_sandbox_set_up (&self->base, data);
  self->listener = g_socket_listener_new ();
  self->command =
      g_strdup_printf ("for a in 127.0.0.1 ::1 localhost 169.254.1.1; do (echo > "
                       "/dev/tcp/$a/%u) 2>/dev/null && echo reached; done; echo end",
                       g_socket_listener_add_any_inet_port (self->listener, NULL, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->listener);
  g_free (self->command);
  test_sandbox_tear_down (&self->base, data);
}

static TestProcess *
start (Fixture *self, const char *command, gboolean network)
{
  return test_process_start_with (command, (GadgetProcessSpec) {
                                               .workspace = self->base.workspace,
                                               .sandbox = self->base.sandbox,
                                               .network = network,
                                               .time_limit_ms = 20000,
                                           });
}

static char *
run (Fixture *self, const char *command, gboolean network)
{
  g_autoptr (TestProcess) process = start (self, command, network);

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  return g_strchomp (g_strdup (process->output->str));
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *probed = user_data;

  gadget_sandbox_probe_network_finish (result);
  *probed = TRUE;
}

/* Returns whether there can be a network of its own here. */
static gboolean
probe (Fixture *self)
{
  gboolean probed = FALSE;

  if (self->base.sandbox == NULL)
    return FALSE;
  gadget_sandbox_probe_network_async (self->base.sandbox, probed_cb, &probed);
  while (!probed)
    g_main_context_iteration (NULL, TRUE);
  if (gadget_sandbox_get_network_kind (self->base.sandbox) == GADGET_NETWORK_OWN)
    return TRUE;
  g_test_skip ("no network of its own can be had here (no pasta, or no /dev/net/tun)");
  return FALSE;
}

static void
test_none (Fixture *self, gconstpointer data)
{
  g_autofree char *output = NULL;

  if (self->base.sandbox == NULL)
    return;
  output = run (self, self->command, FALSE);
  g_assert_cmpstr (output, ==, "end");
}

/* A packet needs no answer: names, and with them anything, could leave by it. */
static void
assert_no_packet (Fixture *self, gboolean network)
{
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  g_autoptr (GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autofree char *command = NULL;
  g_autofree char *output = NULL;
  char bytes[16];

  g_assert_true (g_socket_bind (socket, any, FALSE, NULL));
  bound = g_socket_get_local_address (socket, NULL);
  command = g_strdup_printf ("for a in 127.0.0.1 localhost 169.254.1.1; do (echo inside > "
                             "/dev/udp/$a/%u) 2>/dev/null; done; echo end",
                             g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound)));
  output = run (self, command, network);
  g_assert_cmpstr (output, ==, "end");

  /* What is sent from outside comes first: so nothing came from inside. */
  g_assert_cmpint (g_socket_send_to (socket, bound, "outside", 7, NULL, NULL), ==, 7);
  g_assert_cmpint (g_socket_receive (socket, bytes, sizeof bytes, NULL, NULL), ==, 7);
  g_assert_cmpmem (bytes, 7, "outside", 7);
}

static void
test_no_packet (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox != NULL)
    assert_no_packet (self, FALSE);
}

static void
test_own_no_packet (Fixture *self, gconstpointer data)
{
  if (probe (self))
    assert_no_packet (self, TRUE);
}

static void
test_shared (Fixture *self, gconstpointer data)
{
  g_autofree char *output = NULL;
  g_autofree char *calls = NULL;

  if (self->base.sandbox == NULL)
    return;
  g_assert_cmpint (gadget_sandbox_get_network_kind (self->base.sandbox), ==, GADGET_NETWORK_SHARED);
  output = run (self, self->command, TRUE);
  g_assert_nonnull (strstr (output, "reached"));

  g_autofree char *program =
      g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "support", "try-call", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  /* Abstract sockets, of a bus or a display server, are in that network: no such socket is made. */
  g_assert_true (g_file_get_contents (program, &bytes, &length, NULL));

  g_autofree char *copy = g_build_filename (self->base.workspace, "try-call", NULL);

  g_assert_true (g_file_set_contents_full (copy, bytes, (gssize) length, G_FILE_SET_CONTENTS_NONE,
                                           0755, NULL));
  calls = run (self, "./try-call unix inet socketpair", TRUE);
  g_assert_cmpstr (calls, ==, "unix: EAFNOSUPPORT\ninet: done\nsocketpair: done");
}

/* Compilers of the home folder are shown, and some of them have a server that listens. */
static void
test_own_socket_of_tool (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (TestProcess) outside = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *command = NULL;
  g_autofree char *output = NULL;

  if (!probe (self))
    return;
  folder = test_sandbox_show_folder (&self->base);
  test_write_file (folder, "program", "shown\n");
  path = g_build_filename (folder, "s", NULL);
  address = g_unix_socket_address_new (path);
  g_assert_true (g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL));
  test_sandbox_install_try_call (&self->base);
  command = g_strdup_printf ("cat %s/program; ./try-call named=%s | sed 's/.*: //'", folder, path);
  outside = test_process_start (command, self->base.workspace, NULL, 20000);
  test_process_wait (outside);
  g_assert_cmpstr (outside->output->str, ==, "shown\ndone\n");
  output = run (self, command, TRUE);
  g_assert_cmpstr (output, ==, "shown\nECONNREFUSED");
}

/* There is a way out of it, and none to this computer's loopback. */
static void
test_own (Fixture *self, gconstpointer data)
{
  g_autofree char *output = NULL;
  g_autofree char *devices = NULL;
  g_autofree char *sockets = NULL;
  g_autofree char *resolver = NULL;

  if (!probe (self))
    return;
  devices = run (self, "tail -n +3 /proc/net/dev | cut -d: -f1 | grep -vcw lo", TRUE);
  g_assert_cmpstr (devices, ==, "1");
  output = run (self, self->command, TRUE);
  g_assert_cmpstr (output, ==, "end");
  sockets =
      run (self, "python3 -c 'import socket; socket.socket (socket.AF_UNIX)' && echo made", TRUE);
  g_assert_cmpstr (sockets, ==, "made");
  resolver = run (self, "cat /etc/resolv.conf", TRUE);
  g_assert_cmpstr (resolver, ==, "nameserver 169.254.1.1");
  /* The gateway's address is the gateway's. */
  g_free (output);
  output = run (self,
                "g=$(awk '$2 == \"00000000\" { print $3; exit }' /proc/net/route); echo ${g:-none}",
                TRUE);
  g_test_message ("gateway: %s", output);
}

/* It joins nobody else's servers to ours either. */
static void
test_own_is_not_reached (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) server = NULL;
  g_autoptr (TestProcess) client = NULL;
  g_autofree char *command = NULL;

  if (!probe (self))
    return;
  server =
      start (self,
             "exec python3 -c 'import socket; s = socket.create_server ((\"0.0.0.0\", 34567)); "
             "print (\"ready\", flush=True); s.accept ()'",
             TRUE);
  test_process_wait_output (server, "ready");
  client = test_process_start ("(echo > /dev/tcp/127.0.0.1/34567) 2>/dev/null && echo reached",
                               NULL, NULL, 0);
  test_process_wait (client);
  g_assert_cmpstr (client->output->str, ==, "");
  test_process_abort (server);
  test_process_wait (server);
  g_assert_true (server->result->confirmed);
}

static guint
count_children (const char *name)
{
  g_autofree char *command =
      g_strdup_printf ("ps -e -o pid=,args= | grep -c '[%c]%s --foreground'", name[0], name + 1);
  g_autoptr (TestProcess) process = test_process_start (command, NULL, NULL, 0);

  test_process_wait (process);
  return (guint) g_ascii_strtoull (process->output->str, NULL, 10);
}

/* pasta ends with the command, however that ends. */
static void
test_own_abort (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command =
      g_strdup_printf ("setsid sleep %s & trap '' TERM; echo ready; sleep %s", marker, marker);

  if (!probe (self))
    return;
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (TestProcess) process = start (self, command, TRUE);

      test_process_wait_output (process, "ready");
      g_assert_cmpuint (count_children ("pasta"), >=, 1);
      test_process_abort (process);
      test_process_wait (process);
      g_assert_no_error (process->error);
      g_assert_true (process->result->confirmed);
      test_assert_none_alive (marker);
    }
}

/* The child of that process whose name begins so; 0 if there is none. */
static pid_t
find_child (pid_t parent, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", (int) parent, (int) parent);
  g_autofree char *text = NULL;
  g_auto (GStrv) numbers = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  numbers = g_strsplit (g_strstrip (text), " ", -1);
  for (guint i = 0; numbers[i] != NULL && *numbers[i] != '\0'; i++)
    {
      g_autofree char *file = g_strdup_printf ("/proc/%s/comm", numbers[i]);
      g_autofree char *found = NULL;

      if (g_file_get_contents (file, &found, NULL, NULL) && g_str_has_prefix (found, name))
        return (pid_t) g_ascii_strtoll (numbers[i], NULL, 10);
    }
  return 0;
}

/* pasta ends in the middle, however: the command goes on, is told, and can be stopped. */
static void
test_own_pasta_dies (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("echo ready; read -t 2 < <(sleep 5); "
                                              "echo still; sleep %s",
                                              marker);
  g_autoptr (TestProcess) process = NULL;
  pid_t connect;
  pid_t pasta;

  if (!probe (self))
    return;
  process = start (self, command, TRUE);
  test_process_wait_output (process, "ready");
  connect = find_child (getpid (), "gadget-connect");
  g_assert_cmpint (connect, >, 0);
  pasta = find_child (connect, "pasta");
  g_assert_cmpint (pasta, >, 0);
  g_assert_cmpint (kill (pasta, SIGKILL), ==, 0);
  test_process_wait_output (process, "[The network of this command broke off");
  test_process_wait_output (process, "still");
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (process->result->confirmed);
  test_assert_none_alive (marker);
}

static void
put_script (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

/* Nobody reads what pasta says while the command runs: it must not have to wait for a reader. The
 * bubblewrap of this test ends well when its pasta has said more than a pipe holds. */
static void
test_own_pasta_talks (void)
{
  g_autofree char *helper =
      g_build_filename (g_getenv ("GADGET_LIBEXEC_DIR"), "gadget-connect", NULL);
  g_autofree char *folder = g_dir_make_tmp ("gadget-connect-XXXXXX", NULL);
  g_autofree char *pasta = g_build_filename (folder, "pasta", NULL);
  g_autofree char *bubblewrap = g_build_filename (folder, "bwrap", NULL);
  g_autofree char *said = g_build_filename (folder, "bwrap.said", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  put_script (bubblewrap, "#!/bin/sh\n"
                          "echo \"{ \\\"child-pid\\\": $$, }\" >&8\n"
                          "read -r line <&9\n"
                          "for i in $(seq 100); do\n"
                          "  test -e \"$0.said\" && exit 7\n"
                          "  sleep 0.05\n"
                          "done\n");
  put_script (pasta, "#!/bin/sh\n"
                     "while [ \"$1\" != --pid ]; do shift; done\n"
                     "echo $$ > \"$2\"\n"
                     "head -c 200000 /dev/zero >&2\n"
                     "echo > \"${0%/*}/bwrap.said\"\n"
                     "exec sleep 60\n");
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, helper, "8", "9", "--",
                              pasta, "--", bubblewrap, NULL);
  g_assert_no_error (error);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 7);
  g_remove (said);
  g_remove (pasta);
  g_remove (bubblewrap);
  g_assert_no_errno (g_rmdir (folder));
}

/* Without a process to connect no folder is made, and none is removed: not even one that has the
 * name of which the name of a folder is made. */
static void
test_own_without_process (void)
{
  static const char folder[] = "/tmp/gadget-connect-XXXXXX";
  g_autofree char *helper =
      g_build_filename (g_getenv ("GADGET_LIBEXEC_DIR"), "gadget-connect", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, helper, "8", "9", "--", "pasta",
                              "--", "/bin/true", NULL);
  g_assert_no_error (error);
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
  g_assert_no_errno (g_rmdir (folder));
}

/* At moments at which the network is not there yet. */
static void
test_own_abort_early (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("sleep %s", marker);

  if (!probe (self))
    return;
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (TestProcess) process = start (self, command, TRUE);

      test_spin (i * 4);
      test_process_abort (process);
      test_process_wait (process);
      if (process->error != NULL)
        g_assert_error (process->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      test_wait_alive (marker, 0);
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-network/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("none", test_none);
  ADD ("no-packet", test_no_packet);
  ADD ("shared", test_shared);
  ADD ("own", test_own);
  ADD ("own-no-packet", test_own_no_packet);
  ADD ("own-socket-of-tool", test_own_socket_of_tool);
  ADD ("own-is-not-reached", test_own_is_not_reached);
  ADD ("own-abort", test_own_abort);
  ADD ("own-pasta-dies", test_own_pasta_dies);
  g_test_add_func ("/engine/sandbox-network/own-pasta-talks", test_own_pasta_talks);
  g_test_add_func ("/engine/sandbox-network/own-without-process", test_own_without_process);
  ADD ("own-abort-early", test_own_abort_early);
  return test_sandbox_finish ();
}
