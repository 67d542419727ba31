/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts the outer process of a command (bubblewrap, flatpak-spawn or the helper itself), with the
 * control socket and the pipe of its output. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"
#include "gadget-sandbox-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROL_FD 3          /* in the helper */
#define MAX_ENVIRONMENT 65536 /* the helper's limit */
#define MAX_AGAIN 6
#define MAX_PATIENT 2

static char *
find_helper (GError **error)
{
  const char *folder = g_getenv ("GADGET_LIBEXEC_DIR");
  g_autofree char *path = NULL;

  path = g_build_filename (folder != NULL ? folder : GADGET_LIBEXECDIR, "gadget-supervise", NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_HELPER,
                   _ ("Gadget is not installed completely: %s is missing"), path);
      return NULL;
    }
  return g_steal_pointer (&path);
}

/* In the child, between fork and exec: out of our session, so that no key pressed in a terminal of
 * ours, and no hangup of it, goes past the abort. */
static void
child_setup (gpointer user_data)
{
  setsid ();
}

struct _GadgetAttempt
{
  GadgetLaunch *launch;
  GString *environment; /* (nullable): as the helper hears it */
  int streams[2];       /* -1: the output's pipe, and no input */
  guint n_again;
};

void
_gadget_attempt_free (GadgetAttempt *self)
{
  gadget_launch_free (self->launch);
  if (self->environment != NULL)
    {
      explicit_bzero (self->environment->str, self->environment->len);
      g_string_free (self->environment, TRUE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    g_clear_fd (&self->streams[i], NULL);
  g_free (self);
}

/* "NAME=value", each with a NUL behind it, and one NUL more. */
static GString *
make_block (const char *const *environment)
{
  gsize length = 1;
  GString *block;

  for (guint i = 0; environment[i] != NULL; i++)
    length += strlen (environment[i]) + 1;
  /* It does not grow, so that no copy of a secret is left behind. */
  block = g_string_sized_new (length);
  for (guint i = 0; environment[i] != NULL; i++)
    g_string_append_len (block, environment[i], (gssize) strlen (environment[i]) + 1);
  return g_string_append_c (block, '\0');
}

static GadgetAttempt *
attempt_new (GadgetLaunch *launch, const GadgetProcessSpec *spec)
{
  GadgetAttempt *self = g_new0 (GadgetAttempt, 1);

  self->launch = launch;
  if (spec->environment != NULL)
    self->environment = make_block (spec->environment);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    self->streams[i] = spec->streams != NULL ? fcntl (spec->streams[i], F_DUPFD_CLOEXEC, 3) : -1;
  return self;
}

/* Into the socket's buffer, before there is somebody who reads it. */
static gboolean
send_environment (int control, GString *block, GError **error)
{
  const gboolean sent =
      block->len <= MAX_ENVIRONMENT
      && send (control, block->str, block->len, MSG_NOSIGNAL | MSG_DONTWAIT) == (gssize) block->len;

  if (!sent)
    g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                         _ ("The command could not be started: its environment is too large"));
  return sent;
}

static gboolean
spawn (GadgetStarted *self, GadgetAttempt *attempt, GError **error)
{
  GadgetLaunch *launch = attempt->launch;
  g_autofd int remote_control = -1;
  g_autofd int write_end = -1;
  int sockets[2];
  int pipes[2];
  const int control_target = CONTROL_FD;
  g_autoptr (GArray) sources = g_array_copy (launch->sources);
  g_autoptr (GArray) targets = g_array_copy (launch->targets);
  g_autoptr (GError) local_error = NULL;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                   _ ("The command could not be started: %s"), g_strerror (errno));
      return FALSE;
    }
  self->control = sockets[0];
  remote_control = sockets[1];
  if (attempt->environment != NULL
      && !send_environment (self->control, attempt->environment, error))
    return FALSE;
  if (!g_unix_open_pipe (pipes, O_CLOEXEC, error))
    return FALSE;
  self->pipe = pipes[0];
  write_end = pipes[1];
  if (!g_unix_set_fd_nonblocking (self->pipe, TRUE, error))
    return FALSE;

  g_array_prepend_val (sources, remote_control);
  g_array_prepend_val (targets, control_target);

  const int output = attempt->streams[1] >= 0 ? attempt->streams[1] : write_end;

  if (g_spawn_async_with_pipes_and_fds (
          launch->folder, (const char *const *) launch->argv,
          (const char *const *) launch->environment, G_SPAWN_DO_NOT_REAP_CHILD, child_setup, NULL,
          attempt->streams[0], output, write_end, (const int *) (gpointer) sources->data,
          (const int *) (gpointer) targets->data, sources->len, &self->outer, NULL, NULL, NULL,
          &local_error))
    return TRUE;
  self->outer = 0;
  g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
               _ ("The command could not be started: %s"), local_error->message);
  return FALSE;
}

void
_gadget_started_free (GadgetStarted *self)
{
  g_clear_fd (&self->control, NULL);
  g_clear_fd (&self->pipe, NULL);
  g_clear_pointer (&self->git, gadget_git_guard_free);
  g_clear_pointer (&self->scope, _gadget_scope_free);
  g_clear_pointer (&self->attempt, _gadget_attempt_free);
  g_free (self);
}

/* The scope reads from a descriptor of its own: what it is told by another start is not its. */
static void
add_scope (GadgetStarted *self, GadgetLaunch *launch)
{
  if (launch->systemd != NULL)
    self->scope = _gadget_scope_new (launch->systemd, self->outer,
                                     fcntl (launch->status, F_DUPFD_CLOEXEC, 3));
}

static GadgetStarted *
start (GadgetAttempt *attempt, GError **error)
{
  g_autoptr (GadgetStarted) self = g_new0 (GadgetStarted, 1);

  self->control = -1;
  self->pipe = -1;
  if (!spawn (self, attempt, error))
    return NULL;
  self->git = g_steal_pointer (&attempt->launch->git);
  add_scope (self, attempt->launch);
  return g_steal_pointer (&self);
}

GadgetStarted *
_gadget_process_start (const GadgetProcessSpec *spec, GError **error)
{
  g_autoptr (GadgetSandbox) none = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  GadgetSandbox *sandbox = spec->sandbox != NULL ? spec->sandbox : none;
  g_autoptr (GadgetLaunch) launch = NULL;
  g_autoptr (GadgetAttempt) attempt = NULL;
  GadgetStarted *self;
  g_autofree char *helper = find_helper (error);
  const char *options[4] = { NULL };
  guint n_options = 0;

  if (helper == NULL)
    return NULL;
  if (spec->workspace != NULL && !g_file_test (spec->workspace, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY,
                   _ ("There is no folder %s"), spec->workspace);
      return NULL;
    }
  if (spec->streams != NULL)
    options[n_options++] = "--input";
  if (spec->environment != NULL)
    options[n_options++] = "--environment";
  if (spec->terminal)
    options[n_options++] = "--terminal";

  const GadgetSandboxCommand command = {
    .helper = helper,
    .control_fd = CONTROL_FD,
    .options = options,
    .workspace = spec->workspace,
    .folders = spec->folders,
    .network = spec->network,
    .argv = spec->argv,
  };

  launch = gadget_sandbox_prepare (sandbox, &command, error);
  if (launch == NULL)
    return NULL;
  attempt = attempt_new (g_steal_pointer (&launch), spec);
  if (spec->streams != NULL && (attempt->streams[0] < 0 || attempt->streams[1] < 0))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                   _ ("The command could not be started: %s"), g_strerror (EMFILE));
      return NULL;
    }
  self = start (attempt, error);
  if (self != NULL && attempt->launch->covered != NULL)
    self->attempt = g_steal_pointer (&attempt);
  return self;
}

GadgetStarted *
_gadget_process_start_again (GadgetAttempt *attempt)
{
  GadgetLaunch *launch = attempt->launch;
  g_autoptr (GError) error = NULL;
  GadgetStarted *self;
  char bytes[512];

  attempt->n_again++;
  if (attempt->n_again > MAX_AGAIN
      || !_gadget_launch_look_again (launch, attempt->n_again <= MAX_PATIENT))
    return NULL;
  /* What the first one said about its processes, if nobody has read it. */
  if (launch->status >= 0 && g_unix_set_fd_nonblocking (launch->status, TRUE, NULL))
    while (read (launch->status, bytes, sizeof bytes) > 0)
      continue;
  self = start (attempt, &error);
  if (self == NULL)
    g_debug ("not started again: %s", error->message);
  return self;
}
