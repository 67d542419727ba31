/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocking calls that report a stop at once. A file system can hang forever, and a thread cannot be
 * ended inside a system call; a job that is stopped is therefore given up: its thread is left
 * behind and its task returns.
 *
 *     waiting ───▶ working ───▶ done            the task returns the result
 *        │            │ └─▶ committing ─▶ done  the task returns the result, even after a stop
 *        └────────────┴─▶ given up              the task returns "cancelled"; the result is freed
 *
 * A result that exists before the stop is noticed wins. A job that is given up while it waits for a
 * thread never starts. The threads are limited in number and have a pool of their own, so that
 * hanging threads use up none of GLib's; when too many jobs were given up, a new job fails with
 * %G_IO_ERROR_BUSY. An urgent job does not: it has a thread of its own and is never given up.
 *
 * Struct members above the separator are written only in the caller's context. The members below it
 * are shared with the thread and protected by the lock. */

#define G_LOG_DOMAIN "gadget-blocking"

#include "config.h"

#include "gadget-blocking.h"

#include "gadget-pending.h"

/* The pool is larger than the number of jobs that may be given up, so that the others still run. */
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
  GadgetPending *pending; /* (nullable) */
  /* ---- */
  State state;
  gboolean given_up;
  gpointer result;
  GError *error;
};

static GMutex lock;
static guint n_given_up; /* given-up jobs whose threads still run */

static void
job_clear (gpointer data)
{
  GadgetBlocking *job = data;

  if (job->result != NULL && job->result_destroy != NULL)
    job->result_destroy (job->result);
  if (job->data != NULL && job->destroy != NULL)
    job->destroy (job->data);
  g_clear_error (&job->error);
  g_clear_pointer (&job->pending, gadget_pending_free);
  g_clear_object (&job->cancellable);
  g_main_context_unref (job->context);
}

static void
job_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, job_clear);
}

static gboolean
done_cb (gpointer user_data)
{
  GadgetBlocking *job = user_data;
  g_autoptr (GTask) task = gadget_pending_take (job->pending);

  if (job->error != NULL)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else
    g_task_return_pointer (task, g_steal_pointer (&job->result), job->result_destroy);
  return G_SOURCE_REMOVE;
}

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  GadgetBlocking *job = data;

  g_mutex_lock (&lock);
  job->given_up = job->state == WAITING || job->state == WORKING;
  if (job->given_up && job->state == WORKING)
    n_given_up++;
  g_mutex_unlock (&lock);

  if (job->given_up)
    gadget_pending_return_stopped (pending);
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

/* @task returns the result of the new job, and owns the job as its task data. */
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
 * @cancellable: (nullable): when it is cancelled, the call returns at once, whatever @work does
 * @data: (transfer full) (nullable): for @work
 * @destroy: (nullable): frees @data, in any thread
 * @result_destroy: (nullable): frees a result that is not returned, in any thread
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
  job->pending = gadget_pending_new (g_object_ref (task), cancellable, stopped_cb, job);
  g_thread_pool_push (get_pool (), g_atomic_rc_box_acquire (job), NULL);
}

/**
 * gadget_blocking_run_urgent_async:
 *
 * Like gadget_blocking_run_async (), for work that has to be tried even when the file system hangs:
 * it cannot be stopped, and it is never refused for lack of free threads. It fails with a
 * %G_THREAD_ERROR when no thread can be created. The caller must make sure that few urgent jobs can
 * hang at a time.
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
  job->pending = gadget_pending_new (g_object_ref (task), NULL, NULL, NULL);
  thread =
      g_thread_try_new ("gadget-urgent", work_in_own_thread, g_atomic_rc_box_acquire (job), &error);
  if (thread != NULL)
    return;
  job_unref (job);
  g_object_unref (gadget_pending_take (job->pending));
  g_task_return_error (task, error);
}

/**
 * gadget_blocking_run_finish:
 *
 * Returns: (transfer full): the result of the work, or %NULL with its error, with
 *   %G_IO_ERROR_CANCELLED when the job was stopped first, or with %G_IO_ERROR_BUSY when too many
 *   given-up jobs still hang; an urgent job can fail with a %G_THREAD_ERROR
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
 * The work function calls this before it changes something. After a commit, a stop no longer takes
 * the place of the result, so that the caller learns what was changed.
 *
 * Returns: %TRUE when the work may go on; %FALSE when the job was stopped, in which case the work
 *   must return with any error
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
