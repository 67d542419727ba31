/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "hung-jobs.h"

#include "common/gadget-blocking.h"
#include "wait.h"

static GMutex mutex;
static GCond cond;
static gboolean hang;
static guint n_hanging;

static gpointer
wait_for_end (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_mutex_lock (&mutex);
  n_hanging++;
  while (hang)
    g_cond_wait (&cond, &mutex);
  n_hanging--;
  g_mutex_unlock (&mutex);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Nobody asks any more.");
  return NULL;
}

static void
set_hang (gboolean now)
{
  g_mutex_lock (&mutex);
  hang = now;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

static guint
count (void)
{
  guint n;

  g_mutex_lock (&mutex);
  n = n_hanging;
  g_mutex_unlock (&mutex);
  return n;
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gadget_blocking_run_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

void
hung_jobs_begin (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  set_hang (TRUE);
  for (guint i = 0; i < GADGET_BLOCKING_MAX_GIVEN_UP; i++)
    gadget_blocking_run_async (cancellable, wait_for_end, NULL, NULL, NULL, stopped_cb, NULL);
  wait_until (count () == GADGET_BLOCKING_MAX_GIVEN_UP);
  g_cancellable_cancel (cancellable);
  wait_until (gadget_blocking_get_n_given_up () == GADGET_BLOCKING_MAX_GIVEN_UP);
}

void
hung_jobs_end (void)
{
  set_hang (FALSE);
  wait_until (gadget_blocking_get_n_given_up () == 0);
}
