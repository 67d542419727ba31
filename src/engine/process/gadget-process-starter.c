/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts the outer process of a command (bubblewrap, flatpak-spawn or the helper itself), with the
 * control socket and the pipe for its output. Runs on the main context and does not block. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_ENVIRONMENT 65536 /* in bytes; the limit of gadget-supervise */
/* Each retry follows a change of a covered file, so that several programs that start and end have
 * to come in its way. After two retries files that were replaced are left open. */
#define MAX_RETRIES 6
#define MAX_PATIENT_RETRIES 2

struct _GadgetProcessStarter
{
  GadgetLaunch *launch;   /* (nullable): NULL before the first start */
  GadgetSystemd *systemd; /* (nullable) */
  GString *environment;   /* (nullable): in the form that the helper reads */
  int streams[2];         /* -1: the output's pipe, and empty input */
  guint n_retries;
};

void
_gadget_process_starter_free (GadgetProcessStarter *self)
{
  g_clear_pointer (&self->launch, gadget_launch_free);
  g_clear_object (&self->systemd);
  if (self->environment != NULL)
    {
      explicit_bzero (self->environment->str, self->environment->len);
      g_string_free (self->environment, TRUE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    g_clear_fd (&self->streams[i], NULL);
  g_free (self);
}

/* Returns (transfer full) the strings "NAME=value", each followed by a NUL, and one more NUL. */
static GString *
make_block (const char *const *environment)
{
  gsize length = 1;
  GString *block;

  for (guint i = 0; environment[i] != NULL; i++)
    length += strlen (environment[i]) + 1;
  /* The buffer has its final size at once: growing it would leave copies of a secret in memory. */
  block = g_string_sized_new (length);
  for (guint i = 0; environment[i] != NULL; i++)
    g_string_append_len (block, environment[i], (gssize) strlen (environment[i]) + 1);
  return g_string_append_c (block, '\0');
}

/* Returns FALSE. */
static gboolean
set_errno_error (GError **error, int number)
{
  g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
               _ ("The command could not be started: %s"), g_strerror (number));
  return FALSE;
}

GadgetProcessStarter *
_gadget_process_starter_new (const GadgetProcessSpec *spec, GError **error)
{
  g_autoptr (GadgetProcessStarter) self = g_new0 (GadgetProcessStarter, 1);

  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    self->streams[i] = spec->streams != NULL ? fcntl (spec->streams[i], F_DUPFD_CLOEXEC, 3) : -1;
  if (spec->streams != NULL && (self->streams[0] < 0 || self->streams[1] < 0))
    {
      set_errno_error (error, EMFILE);
      return NULL;
    }
  if (spec->environment != NULL)
    self->environment = make_block (spec->environment);
  if (spec->sandbox != NULL)
    self->systemd = gadget_sandbox_dup_systemd (spec->sandbox);
  if (spec->sandbox != NULL && spec->workspace != NULL)
    gadget_sandbox_clean_caches (spec->sandbox);
  return g_steal_pointer (&self);
}

gboolean
_gadget_process_starter_has_scope (GadgetProcessStarter *self)
{
  return self->systemd != NULL;
}

/* The environment fits into the socket's buffer, so that it can be sent before the helper runs. */
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

/* Opens the control socket and the pipe of the output. This process's ends go to SELF, the other
 * ends to CONTROL and OUTPUT. */
static gboolean
open_ends (GadgetOuterProcess *self, int *control, int *output, GError **error)
{
  int sockets[2];
  int pipes[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
    return set_errno_error (error, errno);
  self->control = sockets[0];
  *control = sockets[1];
  if (pipe2 (pipes, O_CLOEXEC) < 0)
    return set_errno_error (error, errno);
  self->pipe = pipes[0];
  *output = pipes[1];
  return fcntl (self->pipe, F_SETFL, O_NONBLOCK) == 0 || set_errno_error (error, errno);
}

static void
give (GArray *sources, GArray *targets, int source, int target)
{
  g_array_append_val (sources, source);
  g_array_append_val (targets, target);
}

static gboolean
spawn (GadgetOuterProcess *self, GadgetProcessStarter *starter, GError **error)
{
  GadgetLaunch *launch = starter->launch;
  g_autofd int control = -1;
  g_autofd int output = -1;
  g_autoptr (GArray) sources = g_array_copy (launch->sources);
  g_autoptr (GArray) targets = g_array_copy (launch->targets);

  if (!open_ends (self, &control, &output, error))
    return FALSE;
  if (starter->environment != NULL
      && !send_environment (self->control, starter->environment, error))
    return FALSE;
  if (starter->streams[0] >= 0)
    give (sources, targets, starter->streams[0], STDIN_FILENO);
  give (sources, targets, starter->streams[1] >= 0 ? starter->streams[1] : output, STDOUT_FILENO);
  give (sources, targets, output, STDERR_FILENO);
  give (sources, targets, control, _GADGET_PROCESS_CONTROL_FD);

  const GadgetDescriptors descriptors = {
    .sources = (const int *) (gpointer) sources->data,
    .targets = (const int *) (gpointer) targets->data,
    .n = sources->len,
  };

  self->outer = _gadget_process_spawn (launch->folder, launch->argv, launch->environment,
                                       &descriptors, error);
  return self->outer != 0;
}

void
_gadget_outer_process_free (GadgetOuterProcess *self)
{
  g_clear_fd (&self->control, NULL);
  g_clear_fd (&self->pipe, NULL);
  g_clear_pointer (&self->git, g_ptr_array_unref);
  g_clear_pointer (&self->scope, gadget_scope_free);
  g_free (self);
}

/* The scope gets a descriptor of its own: the launch keeps the original for a further start, whose
 * status this scope must not read. */
static void
add_scope (GadgetOuterProcess *self, GadgetProcessStarter *starter)
{
  if (starter->systemd != NULL && starter->launch->status >= 0)
    self->scope = gadget_scope_new (starter->systemd, self->outer,
                                    fcntl (starter->launch->status, F_DUPFD_CLOEXEC, 3));
}

static GadgetOuterProcess *
start (GadgetProcessStarter *starter, GError **error)
{
  g_autoptr (GadgetOuterProcess) self = g_new0 (GadgetOuterProcess, 1);

  self->control = -1;
  self->pipe = -1;
  if (!spawn (self, starter, error))
    return NULL;
  self->git = g_steal_pointer (&starter->launch->git);
  add_scope (self, starter);
  return g_steal_pointer (&self);
}

GadgetOuterProcess *
_gadget_process_starter_start (GadgetProcessStarter *self, GadgetLaunch *launch, GError **error)
{
  self->launch = launch;
  return start (self, error);
}

gboolean
_gadget_process_starter_may_retry (GadgetProcessStarter *self)
{
  return self->launch != NULL && self->launch->covered != NULL;
}

GadgetOuterProcess *
_gadget_process_starter_retry (GadgetProcessStarter *self)
{
  GadgetLaunch *launch = self->launch;
  g_autoptr (GError) error = NULL;
  GadgetOuterProcess *started;
  char bytes[512];

  self->n_retries++;
  if (self->n_retries > MAX_RETRIES
      || !gadget_launch_refresh_covers (launch, self->n_retries <= MAX_PATIENT_RETRIES))
    return NULL;
  /* Drop what the first bubblewrap reported about its processes and the scope has not read. */
  if (launch->status >= 0 && g_unix_set_fd_nonblocking (launch->status, TRUE, NULL))
    while (read (launch->status, bytes, sizeof bytes) > 0)
      continue;
  started = start (self, &error);
  if (started == NULL)
    g_debug ("not started again: %s", error->message);
  return started;
}
