/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-worker.h"

/* In µs: the time for work in one slice; a frame at 60 Hz has 16.7 ms. */
#define SLICE_US 3000
#define FRAME_US 16000

/* Lower than the priorities of input, of frames and of the engine's results. */
#define PRIORITY G_PRIORITY_DEFAULT_IDLE

/* Work for one @data. */
typedef struct
{
  GadgetCodeWork work;
  gpointer data;
} Job;

static GQueue jobs = G_QUEUE_INIT; /* of Job, owned */
static guint source_id;

/* The current frame of gadget_code_worker_do (): its monotonic begin, and the time spent in it, in
 * µs. */
static gint64 frame;
static gint64 spent;

static gboolean
work_cb (gpointer unused)
{
  const gint64 begin = g_get_monotonic_time ();

  while (!g_queue_is_empty (&jobs) && g_get_monotonic_time () - begin < SLICE_US)
    {
      Job *job = g_queue_peek_head (&jobs);
      gpointer data = job->data;

      if (job->work (data))
        continue;
      /* The job may have removed itself. */
      if (!g_queue_is_empty (&jobs) && g_queue_peek_head (&jobs) == job)
        g_free (g_queue_pop_head (&jobs));
    }
  if (!g_queue_is_empty (&jobs))
    return G_SOURCE_CONTINUE;
  source_id = 0;
  return G_SOURCE_REMOVE;
}

static GList *
find (gpointer data)
{
  for (GList *link = jobs.head; link != NULL; link = link->next)
    if (((Job *) link->data)->data == data)
      return link;
  return NULL;
}

void
gadget_code_worker_add (GadgetCodeWork work, gpointer data)
{
  const Job job = { work, data };

  if (find (data) != NULL)
    return;
  g_queue_push_tail (&jobs, g_memdup2 (&job, sizeof job));
  if (source_id == 0)
    {
      source_id = g_idle_add_full (PRIORITY, work_cb, NULL, NULL);
      g_source_set_name_by_id (source_id, "gadget-code colors");
    }
}

void
gadget_code_worker_remove (gpointer data)
{
  GList *link = find (data);

  if (link == NULL)
    return;
  g_free (link->data);
  g_queue_delete_link (&jobs, link);
}

gboolean
gadget_code_worker_do (GadgetCodeWork work, gpointer data)
{
  const gint64 begin = g_get_monotonic_time ();
  gint64 now = begin;
  gboolean more = TRUE;

  if (begin - frame > FRAME_US)
    {
      frame = begin;
      spent = 0;
    }
  while (more && spent + (now - begin) < SLICE_US)
    {
      more = work (data);
      now = g_get_monotonic_time ();
    }
  spent += now - begin;
  return more;
}
