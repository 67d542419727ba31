/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocking calls that come back at once when they are stopped. A file system can hang for ever,
 * and a thread in a system call cannot be ended; so it is left behind:
 *
 *     waiting ───▶ working ───▶ done            answered with its result
 *        │            │ └─▶ committing ─▶ done  answered with its result, whatever was stopped
 *        └────────────┴─▶ given up              answered with "cancelled"; the result is dropped
 *
 * A result that is there before the stop was noticed wins. A job that waits for a thread never
 * starts once it was given up. Threads are few and have a pool of their own, so that those which
 * hang take none from GLib's; and when too many were left behind, a new job is refused. An urgent
 * job is not: it has a thread of its own, and is never given up.
 *
 * What is above the line in the struct belongs to the context of the caller, what is below it to
 * both, under the lock. */

#define G_LOG_DOMAIN "gadget-blocking"

#include "config.h"

#include "gadget-blocking.h"

#include "gadget-stop-source.h"

/* More than may be left behind: the others are still served. */
#define MAX_THREADS (GADGET_BLOCKING_MAX_GIVEN_UP + 6)

typedef enum
{
  WAITING,
  WORKING,
  COMMITTING,
  DONE,
} State;

struct _GadgetBlocking
{
  GadgetBlockingFunc work;
  gpointer data;
  GDestroyNotify destroy;
  GDestroyNotify result_destroy;
  GCancellable *cancellable;
  GMainContext *context;
  GTask *task;   /* NULL once it was answered */
  GSource *stop; /* (nullable) */
  /* ---- */
  State state;
  gboolean given_up;
  gpointer result;
  GError *error;
};

static GMutex lock;
static guint n_given_up; /* of those that work */

static void
job_clear (gpointer data)
{
  GadgetBlocking *job = data;

  if (job->result != NULL && job->result_destroy != NULL)
    job->result_destroy (job->result);
  if (job->data != NULL && job->destroy != NULL)
    job->destroy (job->data);
  g_clear_error (&job->error);
  g_clear_object (&job->cancellable);
  g_main_context_unref (job->context);
}

static void
job_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, job_clear);
}

/* Drops what the caller's side holds. */
static GTask *
steal_task (GadgetBlocking *job)
{
  gadget_stop_source_end (&job->stop);
  return g_steal_pointer (&job->task);
}

static gboolean
done_cb (gpointer user_data)
{
  GadgetBlocking *job = user_data;
  g_autoptr (GTask) task = steal_task (job);

  if (job->error != NULL)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else
    g_task_return_pointer (task, g_steal_pointer (&job->result), job->result_destroy);
  return G_SOURCE_REMOVE;
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  GadgetBlocking *job = user_data;
  g_autoptr (GTask) task = NULL;

  g_mutex_lock (&lock);
  job->given_up = job->state == WAITING || job->state == WORKING;
  if (job->given_up && job->state == WORKING)
    n_given_up++;
  g_mutex_unlock (&lock);

  if (!job->given_up)
    return G_SOURCE_REMOVE;
  task = steal_task (job);
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
  return G_SOURCE_REMOVE;
}

static gboolean
begin (GadgetBlocking *job)
{
  gboolean wanted;

  g_mutex_lock (&lock);
  wanted = !job->given_up;
  if (wanted)
    job->state = WORKING;
  g_mutex_unlock (&lock);
  return wanted;
}

static gboolean
end (GadgetBlocking *job, gpointer result, GError *error)
{
  gboolean wanted;

  g_mutex_lock (&lock);
  job->result = result;
  job->error = error;
  job->state = DONE;
  wanted = !job->given_up;
  if (!wanted)
    n_given_up--;
  g_mutex_unlock (&lock);
  return wanted;
}

static void
work_in_thread (gpointer data, gpointer user_data)
{
  GadgetBlocking *job = data;
  GError *error = NULL;
  gpointer result;

  if (begin (job))
    {
      result = job->work (job, job->data, job->cancellable, &error);
      g_assert ((result == NULL) == (error != NULL));
      if (end (job, result, error))
        {
          g_autoptr (GSource) source = g_idle_source_new ();

          g_source_set_static_name (source, "[gadget] blocking work is done");
          g_source_set_priority (source, G_PRIORITY_DEFAULT);
          g_source_set_callback (source, done_cb, g_atomic_rc_box_acquire (job), job_unref);
          g_source_attach (source, job->context);
        }
    }
  job_unref (job);
}

static gpointer
work_in_own_thread (gpointer job)
{
  work_in_thread (job, NULL);
  return NULL;
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter_pointer (&pool))
    g_once_init_leave_pointer (&pool,
                               g_thread_pool_new (work_in_thread, NULL, MAX_THREADS, FALSE, NULL));
  return pool;
}

guint
gadget_blocking_get_n_given_up (void)
{
  guint n;

  g_mutex_lock (&lock);
  n = n_given_up;
  g_mutex_unlock (&lock);
  return n;
}

/* @task: what it answers */
static GadgetBlocking *
job_new (GTask *task, GCancellable *cancellable, GadgetBlockingFunc work, gpointer data,
         GDestroyNotify destroy, GDestroyNotify result_destroy)
{
  GadgetBlocking *job = g_atomic_rc_box_new0 (GadgetBlocking);

  g_task_set_check_cancellable (task, FALSE);
  job->work = work;
  job->data = data;
  job->destroy = destroy;
  job->result_destroy = result_destroy;
  g_set_object (&job->cancellable, cancellable);
  job->context = g_main_context_ref (g_task_get_context (task));
  g_task_set_task_data (task, job, job_unref);
  return job;
}

/**
 * gadget_blocking_run_async:
 * @cancellable: (nullable): answered at once when it is cancelled, whatever @work does
 * @data: (transfer full) (nullable): for @work
 * @destroy: (nullable): frees @data, in any thread
 * @result_destroy: (nullable): frees a result that nobody took, in any thread
 *
 * Runs @work in a thread. @callback is called in the thread-default main context of the caller.
 */
void
gadget_blocking_run_async (GCancellable *cancellable, GadgetBlockingFunc work, gpointer data,
                           GDestroyNotify destroy, GDestroyNotify result_destroy,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GadgetBlocking *job = job_new (task, cancellable, work, data, destroy, result_destroy);

  g_task_set_source_tag (task, gadget_blocking_run_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (gadget_blocking_get_n_given_up () >= GADGET_BLOCKING_MAX_GIVEN_UP)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY,
                               "The file system does not answer: %d earlier calls still hang in "
                               "it. Nothing more is begun until one of them returns.",
                               GADGET_BLOCKING_MAX_GIVEN_UP);
      return;
    }
  job->task = g_object_ref (task);
  job->stop = gadget_stop_source_new (cancellable, "[gadget] stop blocking work", stopped_cb, job);
  g_thread_pool_push (get_pool (), g_atomic_rc_box_acquire (job), NULL);
}

/**
 * gadget_blocking_run_urgent_async:
 *
 * Like gadget_blocking_run_async (), for what has to be tried also when the file system hangs: it
 * cannot be stopped, and is refused only when there can be no thread for it (%G_THREAD_ERROR). The
 * caller sees to it that few of these hang.
 */
void
gadget_blocking_run_urgent_async (GadgetBlockingFunc work, gpointer data, GDestroyNotify destroy,
                                  GDestroyNotify result_destroy, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GadgetBlocking *job = job_new (task, NULL, work, data, destroy, result_destroy);
  g_autoptr (GThread) thread = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, gadget_blocking_run_urgent_async);
  job->task = g_object_ref (task);
  thread =
      g_thread_try_new ("gadget-urgent", work_in_own_thread, g_atomic_rc_box_acquire (job), &error);
  if (thread != NULL)
    return;
  job_unref (job);
  g_clear_object (&job->task);
  g_task_return_error (task, error);
}

/**
 * gadget_blocking_run_finish:
 *
 * Returns: (transfer full): what the work returned, or %NULL with its error, with
 *   %G_IO_ERROR_CANCELLED when it was stopped before, or with %G_IO_ERROR_BUSY when too many of
 *   those that were stopped still hang; of an urgent one, with a %G_THREAD_ERROR
 */
gpointer
gadget_blocking_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_blocking_commit:
 *
 * Called by the work before it changes something: from then on a stop no longer comes before its
 * result, which says what happened.
 *
 * Returns: whether it may; if not, it was stopped, and returns with any error
 */
gboolean
gadget_blocking_commit (GadgetBlocking *job)
{
  gboolean may;

  g_return_val_if_fail (job != NULL, FALSE);

  g_mutex_lock (&lock);
  may = !job->given_up && !g_cancellable_is_cancelled (job->cancellable);
  if (may)
    job->state = COMMITTING;
  g_mutex_unlock (&lock);
  return may;
}
