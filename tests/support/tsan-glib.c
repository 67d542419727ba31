/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Only in the build with ThreadSanitizer. GLib is not instrumented: its queues, mutexes and main
 * contexts synchronise with atomics and futexes that the sanitizer does not see, so whatever one
 * thread hands to another through them looks like a race. These stand in front of GLib's functions
 * and say what happens before what: a push before its pop, an unlock before the next lock, the
 * setting of an idle or timeout callback before its call, what is given to a pool of threads or to
 * a task's thread before the work, and a task's result before it is taken. */

#include <dlfcn.h>
#include <gio/gio.h>
#include <sanitizer/tsan_interface.h>

#define NEXT(function) ((__typeof__ (&function)) dlsym (RTLD_NEXT, #function))

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  __tsan_release (queue);
  NEXT (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data = NEXT (g_async_queue_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data = NEXT (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
{
  gpointer data = NEXT (g_async_queue_timeout_pop) (queue, timeout);

  __tsan_acquire (queue);
  return data;
}

#undef g_mutex_lock
void
g_mutex_lock (GMutex *mutex)
{
  NEXT (g_mutex_lock) (mutex);
  __tsan_acquire (mutex);
}

#undef g_mutex_unlock
void
g_mutex_unlock (GMutex *mutex)
{
  __tsan_release (mutex);
  NEXT (g_mutex_unlock) (mutex);
}

/* A wait unlocks, and locks again. */
void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  NEXT (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  __tsan_release (mutex);
  signalled = NEXT (g_cond_wait_until) (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return signalled;
}

/* The last reference frees what the others have used. */
static __thread GDestroyNotify box_clear;

static void
clear_box (gpointer box)
{
  __tsan_acquire (box);
  if (box_clear != NULL)
    box_clear (box);
}

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  __tsan_release (box);
  box_clear = clear;
  NEXT (g_atomic_rc_box_release_full) (box, clear_box);
}

typedef struct
{
  GSourceFunc function;
  gpointer data;
  GDestroyNotify notify;
} Callback;

static gboolean
call_cb (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (callback);
  return callback->function (callback->data);
}

static void
callback_free (gpointer data)
{
  Callback *callback = data;

  if (callback->notify != NULL)
    callback->notify (callback->data);
  g_free (callback);
}

void
g_source_set_callback (GSource *source, GSourceFunc function, gpointer data, GDestroyNotify notify)
{
  Callback *callback;

  /* Only of these is it known that the function is called with nothing but the data. */
  if (source->source_funcs != &g_idle_funcs && source->source_funcs != &g_timeout_funcs)
    {
      NEXT (g_source_set_callback) (source, function, data, notify);
      return;
    }

  callback = g_new0 (Callback, 1);
  callback->function = function;
  callback->data = data;
  callback->notify = notify;
  __tsan_release (callback);
  NEXT (g_source_set_callback) (source, call_cb, callback, callback_free);
}

typedef struct
{
  GFunc function;
  gpointer data;
} Worker;

/* All pools as one: what one of them hands over is seen by the threads of the others as well. */
static int pools;

static void
work (gpointer data, gpointer user_data)
{
  Worker *worker = user_data;

  __tsan_acquire (&pools);
  worker->function (data, worker->data);
}

/* A pool lives as long as the program, and so does its worker. */
GThreadPool *
g_thread_pool_new (GFunc function, gpointer user_data, gint max_threads, gboolean exclusive,
                   GError **error)
{
  Worker *worker = g_new0 (Worker, 1);

  worker->function = function;
  worker->data = user_data;
  return NEXT (g_thread_pool_new) (work, worker, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  __tsan_release (&pools);
  return NEXT (g_thread_pool_push) (pool, data, error);
}

static void
work_for_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc function =
      (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "tsan-thread-function");

  __tsan_acquire (task);
  function (task, source, data, cancellable);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc function)
{
  g_object_set_data (G_OBJECT (task), "tsan-thread-function", (gpointer) function);
  __tsan_release (task);
  NEXT (g_task_run_in_thread) (task, work_for_task);
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify destroy)
{
  __tsan_release (task);
  NEXT (g_task_return_pointer) (task, result, destroy);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return NEXT (g_task_propagate_pointer) (task, error);
}
