/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prepares the start of a command: finds where the folders really are, the repositories in them,
 * and the sockets that are to be covered. A disk may be slow, or hang, and an index may be large,
 * so all of it runs in a thread, on copies, and nothing is started there. When it is cancelled the
 * callback comes at once, whatever the thread does; and the thread then creates nothing any more:
 * neither missing parts of a repository nor the workspace's cache. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "common/gadget-blocking.h"
#include "common/gadget-fd-limit.h"
#include "gadget-process-private.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GadgetSandbox *sandbox;
  char **argv;
  char *workspace; /* (nullable) */
  char **folders;  /* (nullable) */
  char *cache;     /* (nullable) */
  char *files;     /* "--files=…", one of the options */
  const char *options[5];
  gboolean network;
  gboolean scope;
} Plan;

static void
plan_free (gpointer data)
{
  Plan *self = data;

  g_object_unref (self->sandbox);
  g_strfreev (self->argv);
  g_free (self->workspace);
  g_strfreev (self->folders);
  g_free (self->cache);
  g_free (self->files);
  g_free (self);
}

static Plan *
plan_new (const GadgetProcessSpec *spec, gboolean scope)
{
  Plan *self = g_new0 (Plan, 1);
  guint n_options = 0;

  self->sandbox = spec->sandbox != NULL ? gadget_sandbox_copy (spec->sandbox)
                                        : gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  self->argv = g_strdupv ((char **) spec->argv);
  self->workspace = g_strdup (spec->workspace);
  self->folders = g_strdupv ((char **) spec->folders);
  self->cache = g_strdup (spec->cache);
  self->network = spec->network;
  self->scope = scope;
  self->files = g_strdup_printf ("--files=%u", gadget_fd_limit_get_usual ());
  self->options[n_options++] = self->files;
  if (spec->streams != NULL)
    self->options[n_options++] = "--input";
  if (spec->environment != NULL)
    self->options[n_options++] = "--environment";
  if (spec->terminal)
    self->options[n_options++] = "--terminal";
  return self;
}

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

static gpointer
prepare_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Plan *self = data;
  g_autofree char *helper = find_helper (error);

  if (helper == NULL)
    return NULL;
  if (self->workspace != NULL && !g_file_test (self->workspace, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY,
                   _ ("There is no folder %s"), self->workspace);
      return NULL;
    }

  const GadgetSandboxCommand command = {
    .helper = helper,
    .control_fd = _GADGET_PROCESS_CONTROL_FD,
    .options = self->options,
    .workspace = self->workspace,
    .folders = (const char *const *) self->folders,
    .cache = self->cache,
    .network = self->network,
    .scope = self->scope,
    .argv = (const char *const *) self->argv,
    .cancellable = cancellable,
  };

  return gadget_sandbox_prepare (self->sandbox, &command, error);
}

static void
drop_launch (gpointer launch)
{
  gadget_launch_free (launch);
}

/**
 * _gadget_process_prepare_async:
 * @spec: only needed during the call
 * @scope: bubblewrap is to report the first process of the sandbox
 * @cancellable: (nullable): when it is cancelled, the callback comes at once
 * @callback: (scope async): called on the caller's main context
 * @user_data: for @callback
 *
 * Prepares the launch of a command, in a thread.
 */
void
_gadget_process_prepare_async (const GadgetProcessSpec *spec, gboolean scope,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  gadget_blocking_run_async (cancellable, prepare_in_thread, plan_new (spec, scope), plan_free,
                             drop_launch, callback, user_data);
}

/**
 * _gadget_process_prepare_finish:
 * @result: what the callback was given
 * @error: %GADGET_PROCESS_ERROR or %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): what to start, or %NULL with @error
 */
GadgetLaunch *
_gadget_process_prepare_finish (GAsyncResult *result, GError **error)
{
  GError *failure = NULL;
  GadgetLaunch *launch = gadget_blocking_run_finish (result, &failure);

  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_BUSY))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                   _ ("The command could not be started: %s"), failure->message);
      g_error_free (failure);
    }
  else if (failure != NULL)
    g_propagate_error (error, failure);
  return launch;
}
