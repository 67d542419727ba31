/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A socket that is covered goes at the very moment a command starts. In front of bubblewrap is a
 * script that takes it away, so that this moment is always met. */

#include "config.h"

#include "test-sandbox.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BIND "python3 -c 'import socket, sys; socket.socket (socket.AF_UNIX).bind (sys.argv[1])' "

typedef struct
{
  TestSandbox base;
  char *folder; /* that commands see */
  char *socket;
  char *path;
  char *bwrap;
  GSocketListener *listener;
} Fixture;

static void
listen_at (GSocketListener *listener, const char *path)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                 NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  test_sandbox_set_up (&self->base, NULL);
  if (self->base.sandbox == NULL)
    return;
  self->folder = test_sandbox_show_folder (&self->base);
  self->socket = g_build_filename (self->folder, "s", NULL);
  self->listener = g_socket_listener_new ();
  listen_at (self->listener, self->socket);
  self->path = g_strdup (g_getenv ("PATH"));
  self->bwrap = g_find_program_in_path ("bwrap");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->folder != NULL)
    {
      g_setenv ("PATH", self->path, TRUE);
      g_object_unref (self->listener);
    }
  test_sandbox_tear_down (&self->base, NULL);
  g_free (self->folder);
  g_free (self->socket);
  g_free (self->path);
  g_free (self->bwrap);
}

/* What is done instead of starting bubblewrap; it counts itself in a file. */
static void
put_before (Fixture *self, const char *script)
{
  g_autofree char *path = g_strconcat (self->folder, "/bin:", self->path, NULL);
  g_autofree char *name = g_build_filename (self->folder, "bin", "bwrap", NULL);
  g_autofree char *text =
      g_strdup_printf ("#!/bin/bash\ns=%s f=%s real=%s; echo >>$f/count\n%s\nexec $real \"$@\"\n",
                       self->socket, self->folder, self->bwrap, script);

  test_write_file (self->folder, "bin/bwrap", text);
  g_assert_cmpint (g_chmod (name, 0755), ==, 0);
  g_setenv ("PATH", path, TRUE);
}

static gsize
count_starts (Fixture *self)
{
  g_autofree char *name = g_build_filename (self->folder, "count", NULL);
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_get_contents (name, &text, &length, NULL) ? length : 0;
}

static void
test_gone (Fixture *self, gconstpointer data)
{
  guint n_fds;

  if (self->base.sandbox == NULL)
    return;
  n_fds = test_count_fds ();
  put_before (self, "rm -f $s");
  test_sandbox_assert (&self->base, self->base.workspace, "said", "echo said");
  g_assert_cmpuint (count_starts (self), ==, 2);
  test_sandbox_assert (&self->base, self->base.workspace, "said", "echo said");
  g_assert_cmpuint (count_starts (self), ==, 3);
  g_assert_cmpuint (test_count_fds (), ==, n_fds);
}

/* The second start has the environment and the limit of time as well. */
static void
test_environment (Fixture *self, gconstpointer data)
{
  const char *environment[] = { "SECRET=told", NULL };
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  put_before (self, "rm -f $s");
  process = test_process_start_with ("echo $SECRET; sleep 600",
                                     (GadgetProcessSpec) { .workspace = self->base.workspace,
                                                           .sandbox = self->base.sandbox,
                                                           .environment = environment,
                                                           .time_limit_ms = 500 });
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_cmpstr (process->output->str, ==, "told\n");
  g_assert_true (process->result->timed_out);
  g_assert_true (process->result->confirmed);
}

/* A device is in the place of that one as well. */
static void
test_another (Fixture *self, gconstpointer data)
{
  g_autofree char *command =
      g_strdup_printf ("test -c %s && echo covered || stat -c %%F %s", self->socket, self->socket);

  if (self->base.sandbox == NULL)
    return;
  put_before (self, "if [ $(wc -l <$f/count) = 1 ]; then rm $s; $real \"$@\"; status=$?; " BIND
                    "$s; exit $status; fi");
  test_sandbox_assert (&self->base, self->base.workspace, "covered", command);
  g_assert_cmpuint (count_starts (self), ==, 2);
}

/* What comes and goes all the time lets commands start in the end. */
static void
test_flapping (Fixture *self, gconstpointer data)
{
  if (self->base.sandbox == NULL)
    return;
  put_before (self, "rm -f $s; $real \"$@\"; status=$?; " BIND "$s; exit $status");
  test_sandbox_assert (&self->base, self->base.workspace, "said", "echo said");
  g_assert_cmpuint (count_starts (self), ==, 4);
}

/* A start that fails for another reason is made once. */
static void
test_other_failure (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  put_before (self, "echo broken >&2; exit 1");
  process = test_process_start ("echo said", self->base.workspace, self->base.sandbox, 0);
  test_process_wait (process);
  g_assert_error (process->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START);
  g_assert_nonnull (strstr (process->error->message, "broken"));
  g_assert_cmpuint (count_starts (self), ==, 1);
}

/* Who stops it does not get another one. */
static void
test_abort (Fixture *self, gconstpointer data)
{
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  put_before (self, "rm -f $s; sleep 0.3");
  process = test_process_start ("echo said", self->base.workspace, self->base.sandbox, 0);
  test_spin (100);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_error (process->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_spin (500);
  g_assert_cmpuint (count_starts (self), ==, 1);
}

static gboolean stop_storm;

static gpointer
storm (gpointer data)
{
  Fixture *self = data;

  for (guint i = 0; !g_atomic_int_get (&stop_storm); i++)
    {
      g_autoptr (GSocketListener) listener = g_socket_listener_new ();
      g_autofree char *path = g_strdup_printf ("%s/storm-%u", self->folder, i % 7);

      listen_at (listener, path);
      g_usleep (1000 * (i % 5));
      g_unlink (path);
    }
  return NULL;
}

/* And by chance, without the script. */
static void
test_storm (Fixture *self, gconstpointer data)
{
  GThread *thread;

  if (self->base.sandbox == NULL)
    return;
  g_atomic_int_set (&stop_storm, FALSE);
  thread = g_thread_new ("storm", storm, self);
  for (guint i = 0; i < 60; i++)
    test_sandbox_assert (&self->base, self->base.workspace, "said", "echo said");
  g_atomic_int_set (&stop_storm, TRUE);
  g_thread_join (thread);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-race/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("gone", test_gone);
  ADD ("environment", test_environment);
  ADD ("another", test_another);
  ADD ("flapping", test_flapping);
  ADD ("other-failure", test_other_failure);
  ADD ("abort", test_abort);
  ADD ("storm", test_storm);
  return test_sandbox_finish ();
}
