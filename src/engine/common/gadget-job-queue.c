/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs on one named thread, which the first of them starts.
 *
 *   main context                                thread
 *   gadget_job_queue_push () ───── queue ─────→ run (job), one after the other
 *   done (job) ←── an idle source each ──────── the job has run
 *
 * A job that was pushed always runs, since nothing can be removed from the queue. The thread works
 * with plain data only: a GTask in a job travels through it as a pointer, and `done` returns and
 * unreferences it, so that no GObject is finalized on the thread. */

#define G_LOG_DOMAIN "gadget-job-queue"

#include "config.h"

#include "gadget-job-queue.h"

struct _GadgetJobQueue
{
  char *thread_name;
  GMainContext *context;
  GAsyncQueue *entries;
  GThread *thread;  /* (nullable) */
  gboolean started; /* written before the thread starts, which reads it when it pushes a job */
};

typedef struct
{
  GadgetJobFunc run;  /* %NULL: the thread ends when nothing else waits */
  GadgetJobFunc done; /* (nullable) */
  gpointer job;
} Entry;

/* --- On the thread ---------------------------------------------------------------------------- */

static gboolean
done_cb (gpointer data)
{
  g_autofree Entry *entry = data;

  entry->done (entry->job);
  return G_SOURCE_REMOVE;
}

static void
report (GadgetJobQueue *self, Entry *entry)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gadget] a queued job is done");
  g_source_set_callback (source, done_cb, entry, NULL);
  g_source_attach (source, self->context);
}

static gpointer
thread_main (gpointer data)
{
  GadgetJobQueue *self = data;
  gboolean finishing = FALSE;
  Entry *next;

  while (
      (next = finishing ? g_async_queue_try_pop (self->entries) : g_async_queue_pop (self->entries))
      != NULL)
    {
      g_autofree Entry *entry = next;

      if (entry->run == NULL)
        finishing = TRUE;
      else
        entry->run (entry->job);
      if (entry->done != NULL)
        report (self, g_steal_pointer (&entry));
    }
  return NULL;
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_job_queue_new:
 * @thread_name: at most 15 bytes, which debuggers show
 *
 * Returns: (transfer full): a queue whose `done` functions run in the caller's thread-default main
 *   context
 */
GadgetJobQueue *
gadget_job_queue_new (const char *thread_name)
{
  GadgetJobQueue *self = g_new0 (GadgetJobQueue, 1);

  self->thread_name = g_strdup (thread_name);
  self->context = g_main_context_ref_thread_default ();
  self->entries = g_async_queue_new ();
  return self;
}

static void
push_entry (GadgetJobQueue *self, Entry entry)
{
  g_async_queue_push (self->entries, g_memdup2 (&entry, sizeof entry));
}

/**
 * gadget_job_queue_push:
 * @run: runs on the thread
 * @done: (nullable): called on the main context after @run
 * @job: (transfer full): for both functions, of which the last one frees it
 *
 * Queues a job behind all earlier ones. A job that runs may queue another one, too; nobody may
 * after gadget_job_queue_finish () was called on the main context.
 */
void
gadget_job_queue_push (GadgetJobQueue *self, GadgetJobFunc run, GadgetJobFunc done, gpointer job)
{
  g_return_if_fail (self != NULL && run != NULL);

  push_entry (self, (Entry) { run, done, job });
  if (self->started)
    return;
  self->started = TRUE;
  self->thread = g_thread_new (self->thread_name, thread_main, self);
}

/* gadget_job_queue_has_waiting: tells whether a job waits for the one that runs. Any thread may ask
 * it. */
gboolean
gadget_job_queue_has_waiting (GadgetJobQueue *self)
{
  return g_async_queue_length (self->entries) > 0;
}

/**
 * gadget_job_queue_finish:
 *
 * Blocks until all jobs have run, and those that they queued. Their `done` functions are called
 * only when the main context is iterated once more.
 */
void
gadget_job_queue_finish (GadgetJobQueue *self)
{
  g_return_if_fail (self != NULL);

  if (self->thread == NULL)
    return;
  push_entry (self, (Entry) { NULL });
  g_clear_pointer (&self->thread, g_thread_join);
}

/* gadget_job_queue_free: finishes the queue, too. */
void
gadget_job_queue_free (GadgetJobQueue *self)
{
  gadget_job_queue_finish (self);
  g_async_queue_unref (self->entries);
  g_main_context_unref (self->context);
  g_free (self->thread_name);
  g_free (self);
}
