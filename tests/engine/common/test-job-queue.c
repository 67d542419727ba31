/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs run one after the other on a thread of their own, all of them, also at the end. */

#include "config.h"

#include "common/gadget-job-queue.h"
#include "wait.h"

typedef struct
{
  GadgetJobQueue *queue;
  GThread *main;
  GThread *thread; /* of the last job that ran */
  GString *ran;    /* a letter for each job; written on the thread */
  GString *done;   /* written on the main context */
  GMutex gate;     /* held while jobs must not run */
} Fixture;

typedef struct
{
  Fixture *fixture;
  char letter;
} Job;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->main = g_thread_self ();
  self->queue = gadget_job_queue_new ("gadget-test");
  self->ran = g_string_new (NULL);
  self->done = g_string_new (NULL);
  g_mutex_init (&self->gate);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_clear_pointer (&self->queue, gadget_job_queue_free);
  g_string_free (self->ran, TRUE);
  g_string_free (self->done, TRUE);
  g_mutex_clear (&self->gate);
}

static void
run (gpointer data)
{
  const Job *job = data;

  g_mutex_lock (&job->fixture->gate);
  g_mutex_unlock (&job->fixture->gate);
  job->fixture->thread = g_thread_self ();
  g_string_append_c (job->fixture->ran, job->letter);
}

static void
done_cb (gpointer data)
{
  g_autofree Job *job = data;

  g_assert_true (g_thread_self () == job->fixture->main);
  g_string_append_c (job->fixture->done, job->letter);
}

static void
run_and_free (gpointer data)
{
  g_autofree Job *job = data;

  run (job);
}

static Job *
job_new (Fixture *self, char letter)
{
  Job *job = g_new0 (Job, 1);

  job->fixture = self;
  job->letter = letter;
  return job;
}

/* Queues "b" behind all others, on the thread. */
static void
run_and_push (gpointer data)
{
  Fixture *fixture = ((Job *) data)->fixture;

  run_and_free (data);
  gadget_job_queue_push (fixture->queue, run_and_free, NULL, job_new (fixture, 'b'));
}

static void
test_order (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 26; i++)
    gadget_job_queue_push (self->queue, run, done_cb, job_new (self, (char) ('a' + i)));
  wait_until (self->done->len == 26);
  g_assert_cmpstr (self->ran->str, ==, "abcdefghijklmnopqrstuvwxyz");
  g_assert_cmpstr (self->done->str, ==, self->ran->str);
  g_assert_false (self->thread == self->main);
}

static void
test_waiting (Fixture *self, gconstpointer data)
{
  g_mutex_lock (&self->gate);
  gadget_job_queue_push (self->queue, run, done_cb, job_new (self, 'a'));
  wait_until (!gadget_job_queue_has_waiting (self->queue));
  gadget_job_queue_push (self->queue, run_and_free, NULL, job_new (self, 'b'));
  g_assert_true (gadget_job_queue_has_waiting (self->queue));
  g_mutex_unlock (&self->gate);
  wait_until (self->done->len == 1);
  gadget_job_queue_finish (self->queue);
  g_assert_cmpstr (self->ran->str, ==, "ab");
  g_assert_false (gadget_job_queue_has_waiting (self->queue));
}

static void
test_finish (Fixture *self, gconstpointer data)
{
  g_mutex_lock (&self->gate);
  gadget_job_queue_push (self->queue, run_and_push, NULL, job_new (self, 'a'));
  gadget_job_queue_push (self->queue, run, done_cb, job_new (self, 'c'));
  g_mutex_unlock (&self->gate);

  /* The job that is queued by a job runs, too, though the end waited before it. */
  gadget_job_queue_finish (self->queue);
  g_assert_cmpstr (self->ran->str, ==, "acb");
  g_assert_cmpstr (self->done->str, ==, "");
  wait_until (self->done->len == 1);
  gadget_job_queue_finish (self->queue);
}

/* A queue that never had a job has no thread to wait for. */
static void
test_unused (Fixture *self, gconstpointer data)
{
  gadget_job_queue_finish (self->queue);
  g_assert_false (gadget_job_queue_has_waiting (self->queue));
}

static void
test_context (Fixture *self, gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  GadgetJobQueue *queue;

  g_main_context_push_thread_default (context);
  queue = gadget_job_queue_new ("gadget-test");
  g_main_context_pop_thread_default (context);
  gadget_job_queue_push (queue, run, done_cb, job_new (self, 'a'));
  gadget_job_queue_finish (queue);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (self->done->len, ==, 0);
  g_main_context_iteration (context, TRUE);
  g_assert_cmpstr (self->done->str, ==, "a");
  gadget_job_queue_free (queue);
}

#define add(name, func) g_test_add ("/job-queue/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("order", test_order);
  add ("waiting", test_waiting);
  add ("finish", test_finish);
  add ("unused", test_unused);
  add ("context", test_context);
  return g_test_run ();
}
