/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Waits for runs of other processes. Such a run is over when the store says so. The store is read
 * again when another process wrote to it, and when a lease ended, because a process that is killed
 * writes nothing. Nothing polls. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-remote-run-watcher.h"

struct _GadgetRemoteRunWatcher
{
  GObject parent_instance;

  GadgetStore *store;
  GPtrArray *waiting; /* (element-type GTask): all waits that are not over, owned */
  gboolean closed;
};

/* The task data of one wait. */
typedef struct
{
  char *run_id;
  gboolean searching; /* the store is being read */
  gboolean again;     /* the store changed meanwhile, so it is read again */
} Wait;

G_DEFINE_FINAL_TYPE (GadgetRemoteRunWatcher, gadget_remote_run_watcher, G_TYPE_OBJECT)

static void find_run (GTask *task); /* recursive through found_cb () */

static void
wait_free (gpointer data)
{
  Wait *wait = data;

  g_free (wait->run_id);
  g_free (wait);
}

/* Removes a wait from the list. Only the caller that gets TRUE completes the GTask. */
static gboolean
remove_wait (GadgetRemoteRunWatcher *self, GTask *task)
{
  return g_ptr_array_remove (self->waiting, task);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetRemoteRunWatcher *self = g_task_get_source_object (task);
  Wait *wait = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GadgetStoreRun) run =
      gadget_store_find_run_finish (GADGET_STORE (source), result, &error);

  wait->searching = FALSE;
  if (run != NULL && !run->over)
    {
      if (wait->again && !self->closed)
        find_run (task);
      return;
    }
  if (!remove_wait (self, task))
    g_clear_error (&error);
  else if (run != NULL)
    g_task_return_pointer (task, g_steal_pointer (&run), (GDestroyNotify) gadget_store_run_free);
  else
    g_task_return_error (task, error);
}

static void
find_run (GTask *task)
{
  GadgetRemoteRunWatcher *self = g_task_get_source_object (task);
  Wait *wait = g_task_get_task_data (task);

  wait->again = wait->searching;
  if (wait->searching)
    return;
  wait->searching = TRUE;
  gadget_store_find_run_async (self->store, wait->run_id, found_cb, g_object_ref (task));
}

static void
changed_cb (GadgetRemoteRunWatcher *self)
{
  for (guint i = 0; i < self->waiting->len; i++)
    find_run (g_ptr_array_index (self->waiting, i));
}

/**
 * gadget_remote_run_watcher_wait_async:
 * @run_id: the id of the run
 *
 * Waits until the run is over.
 */
void
gadget_remote_run_watcher_wait_async (GadgetRemoteRunWatcher *self, const char *run_id,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Wait *wait;

  g_return_if_fail (GADGET_IS_REMOTE_RUN_WATCHER (self) && run_id != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_remote_run_watcher_wait_async);
  wait = g_new0 (Wait, 1);
  wait->run_id = g_strdup (run_id);
  g_task_set_task_data (task, wait, wait_free);
  g_ptr_array_add (self->waiting, task);
  find_run (task);
}

/**
 * gadget_remote_run_watcher_wait_finish:
 *
 * Returns: (transfer full): the run, which is over; or %NULL with %GADGET_STORE_ERROR_NOT_FOUND
 *   when no process has such a run, %G_IO_ERROR_CLOSED after gadget_remote_run_watcher_close (), or
 *   another error of the store
 */
GadgetStoreRun *
gadget_remote_run_watcher_wait_finish (GadgetRemoteRunWatcher *self, GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
gadget_remote_run_watcher_close (GadgetRemoteRunWatcher *self)
{
  g_return_if_fail (GADGET_IS_REMOTE_RUN_WATCHER (self));

  self->closed = TRUE;
  while (self->waiting->len > 0)
    {
      g_autoptr (GTask) task = g_object_ref (g_ptr_array_index (self->waiting, 0));

      remove_wait (self, task);
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED,
                                       "Gadget leaves the bus");
    }
}

static void
gadget_remote_run_watcher_finalize (GObject *object)
{
  GadgetRemoteRunWatcher *self = GADGET_REMOTE_RUN_WATCHER (object);

  /* Each waiting GTask holds a reference to the watcher. */
  g_assert (self->waiting->len == 0);
  g_ptr_array_unref (self->waiting);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_remote_run_watcher_parent_class)->finalize (object);
}

static void
gadget_remote_run_watcher_class_init (GadgetRemoteRunWatcherClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_remote_run_watcher_finalize;
}

static void
gadget_remote_run_watcher_init (GadgetRemoteRunWatcher *self)
{
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetRemoteRunWatcher *
gadget_remote_run_watcher_new (GadgetStore *store)
{
  GadgetRemoteRunWatcher *self;

  g_return_val_if_fail (GADGET_IS_STORE (store), NULL);

  self = g_object_new (GADGET_TYPE_REMOTE_RUN_WATCHER, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_object (store, "changed-outside", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "lease-ended", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}
