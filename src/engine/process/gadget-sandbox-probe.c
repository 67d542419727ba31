/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Offers a sandbox only after a command has run in it. The candidates, in order: inside of Flatpak,
 * the sandbox of Flatpak; otherwise bubblewrap with a new /proc; otherwise bubblewrap with the
 * /proc that Gadget sees, where mounting one is not allowed (in containers). With a workspace the
 * command also checks that it can write there: Flatpak shows some folders (of the document portal)
 * as empty without an error. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-probe.h"
#include "gadget-process.h"

#include <glib/gi18n-lib.h>

/* As long as the start of a command may take. */
#define PROBE_LIMIT_MS 10000

typedef struct
{
  char *workspace;
  GQueue candidates; /* (element-type GadgetSandbox) */
  GadgetSandbox *current;
  GError *first_error;
} Probe;

static void try_next (GTask *task);

static void
probe_free (Probe *self)
{
  g_free (self->workspace);
  g_queue_clear_full (&self->candidates, g_object_unref);
  g_clear_object (&self->current);
  g_clear_error (&self->first_error);
  g_free (self);
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Probe *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (ended != NULL && ended->exit_status == 0)
    {
      g_task_return_pointer (task, g_steal_pointer (&self->current), g_object_unref);
      return;
    }
  if (error == NULL)
    g_set_error_literal (&error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                         _ ("The sandbox here cannot show the folder to commands"));
  if (self->first_error == NULL)
    self->first_error = g_steal_pointer (&error);
  try_next (task);
}

static void
try_next (GTask *task)
{
  static const char *const look[] = { "/bin/sh", "-c", "test -w .", NULL };
  Probe *self = g_task_get_task_data (task);

  g_clear_object (&self->current);
  self->current = g_queue_pop_head (&self->candidates);
  if (self->current == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&self->first_error));
      return;
    }

  GadgetProcessSpec spec = {
    .argv = look,
    .workspace = self->workspace,
    .sandbox = self->current,
    .time_limit_ms = PROBE_LIMIT_MS,
  };

  gadget_process_run_async (&spec, g_task_get_cancellable (task), probed_cb, g_object_ref (task));
}

/**
 * gadget_sandbox_probe_async:
 * @workspace: (nullable): a folder that must be writable in the sandbox
 * @cancellable: (nullable): ends the probe
 * @callback: (scope async): called with the result
 * @user_data: for @callback
 *
 * Finds a sandbox that works on this system. One probe is enough for all commands; in Flatpak one
 * is needed for each workspace.
 */
void
gadget_sandbox_probe_async (const char *workspace, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Probe *self = g_new0 (Probe, 1);

  g_task_set_source_tag (task, gadget_sandbox_probe_async);
  g_task_set_static_name (task, "gadget-sandbox-probe");
  g_task_set_task_data (task, self, (GDestroyNotify) probe_free);
  self->workspace = g_strdup (workspace);
  g_queue_init (&self->candidates);
  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    g_queue_push_tail (&self->candidates, gadget_sandbox_new (GADGET_SANDBOX_FLATPAK, FALSE));
  else
    {
      g_queue_push_tail (&self->candidates, gadget_sandbox_new (GADGET_SANDBOX_BUBBLEWRAP, TRUE));
      g_queue_push_tail (&self->candidates, gadget_sandbox_new (GADGET_SANDBOX_BUBBLEWRAP, FALSE));
    }
  try_next (task);
}

/**
 * gadget_sandbox_probe_finish:
 * @result: what the callback was given
 * @error: %GADGET_PROCESS_ERROR of the first candidate when none works, or %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): a sandbox that works, never one without confinement; or %NULL with
 *   @error
 */
GadgetSandbox *
gadget_sandbox_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_sandbox_probe_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Network -----------------------------------------------------------------------------------
 */

static void
network_probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSandbox *sandbox = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProcessResult) ended = gadget_process_run_finish (result, &error);

  if (ended == NULL || ended->exit_status != 0)
    {
      gadget_sandbox_set_network_kind (sandbox, GADGET_NETWORK_SHARED);
      g_debug ("no network of their own for commands: %s",
               error != NULL ? error->message : "the probe failed");
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * gadget_sandbox_probe_network_async:
 * @sandbox: its network kind is set
 * @callback: (scope async): called when the kind is known
 * @user_data: for @callback
 *
 * Runs a command with a network of its own, by pasta, if that is installed. Until then, and where
 * it fails, a granted network is shared.
 */
void
gadget_sandbox_probe_network_async (GadgetSandbox *sandbox, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  static const char *const look[] = { "/bin/sh", "-c", "exit 0", NULL };
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autofree char *program = g_find_program_in_path ("pasta");
  const GadgetProcessSpec spec = {
    .argv = look,
    .sandbox = sandbox,
    .network = TRUE,
    .time_limit_ms = PROBE_LIMIT_MS,
  };

  g_task_set_source_tag (task, gadget_sandbox_probe_network_async);
  g_task_set_static_name (task, "gadget-sandbox-probe-network");
  g_task_set_task_data (task, g_object_ref (sandbox), g_object_unref);
  if (program == NULL || gadget_sandbox_get_kind (sandbox) != GADGET_SANDBOX_BUBBLEWRAP)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  gadget_sandbox_set_network_kind (sandbox, GADGET_NETWORK_OWN);
  gadget_process_run_async (&spec, NULL, network_probed_cb, g_steal_pointer (&task));
}

/**
 * gadget_sandbox_probe_network_finish:
 * @result: what the callback was given
 *
 * Ends the probe, which never fails: gadget_sandbox_get_network_kind () tells its outcome.
 */
void
gadget_sandbox_probe_network_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, gadget_sandbox_probe_network_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
