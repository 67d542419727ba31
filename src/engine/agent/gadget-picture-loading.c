/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loads a picture from the web.
 *
 *   started ─▶ loaded (web/gadget-web-picture.c) ─▶ checked, in a thread ─▶ settled
 *
 * The run is in the registry from the start to the end. Only the run tells whether it was stopped,
 * never an error; what arrives after a stop is dropped. A picture that arrived and could not be
 * checked, because no thread was available, is handed to the caller unchecked, so that it need not
 * be loaded again. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-loading.h"

#include "common/gadget-blocking.h"

/* The data of the task. */
typedef struct
{
  GadgetRegistry *registry;
  GadgetRun *run;
  GadgetPictureCheck check;
  guint in_flight;
  char *elsewhere;   /* (nullable): see gadget_web_picture_load_finish () */
  GBytes *unchecked; /* (nullable): while it is checked, and if it cannot be */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->registry);
  g_object_unref (work->run);
  g_free (work->elsewhere);
  g_clear_pointer (&work->unchecked, g_bytes_unref);
  g_free (work);
}

/* @data is (transfer full) (nullable): NULL with @error, which is (transfer full), too. */
static void
settle (GTask *task, GBytes *data, GError *error)
{
  Work *work = g_task_get_task_data (task);
  g_autoptr (GBytes) picture = data;
  g_autoptr (GError) failure = error;
  gboolean aborted;

  gadget_receipt_end (gadget_run_get_receipt (work->run), work->in_flight, "closed", 0);
  if (failure != NULL && !gadget_run_is_aborted (work->run))
    gadget_run_set_failure (work->run, failure->message);
  aborted = gadget_run_seal (work->run) != GADGET_STOP_NONE;
  gadget_run_end (work->run);
  gadget_registry_remove (work->registry, work->run);
  if (aborted)
    {
      g_clear_pointer (&work->unchecked, g_bytes_unref);
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
    }
  else if (failure != NULL)
    g_task_return_error (task, g_steal_pointer (&failure));
  else
    g_task_return_pointer (task, g_steal_pointer (&picture), (GDestroyNotify) g_bytes_unref);
}

/* --- In the thread --- */

typedef struct
{
  GadgetPictureCheck check;
  GBytes *data;
} Checking;

static void
checking_free (gpointer data)
{
  Checking *checking = data;

  g_bytes_unref (checking->data);
  g_free (checking);
}

static gpointer
check (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Checking *checking = data;

  return checking->check (checking->data, error);
}

/* --- On the main context --- */

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;
  GBytes *data = gadget_blocking_run_finish (result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
    g_clear_pointer (&work->unchecked, g_bytes_unref);
  settle (task, data, error);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;
  GBytes *data = gadget_web_picture_load_finish (result, &work->elsewhere, &error);
  Checking *checking;

  if (data == NULL || gadget_run_is_aborted (work->run))
    {
      settle (task, data, error);
      return;
    }
  checking = g_new0 (Checking, 1);
  checking->check = work->check;
  checking->data = data;
  work->unchecked = g_bytes_ref (data);
  gadget_blocking_run_async (gadget_run_get_cancellable (work->run), check, checking, checking_free,
                             (GDestroyNotify) g_bytes_unref, checked_cb, g_steal_pointer (&task));
}

/**
 * gadget_picture_loading_start:
 * @session_id: the chat that shows the picture
 * @setup: (nullable): %NULL for the setup of the system
 * @address: an http or https address
 * @check: called in a thread to find out whether the picture can be shown
 *
 * Returns: (transfer full): the run, which is registered
 */
GadgetRun *
gadget_picture_loading_start (GadgetRegistry *registry, const char *session_id,
                              const GadgetWebSetup *setup, const char *address,
                              GadgetPictureCheck check_func, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *server = NULL;
  GadgetWebSetup system;
  GadgetRun *run;
  Work *work;

  g_return_val_if_fail (GADGET_IS_REGISTRY (registry) && session_id != NULL, NULL);
  g_return_val_if_fail (address != NULL && check_func != NULL, NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  run = gadget_run_new (GADGET_RUN_PICTURE, NULL, session_id, NULL, NULL, NULL);
  work = g_new0 (Work, 1);
  work->registry = g_object_ref (registry);
  work->run = g_object_ref (run);
  work->check = check_func;
  g_task_set_source_tag (task, gadget_picture_loading_start);
  g_task_set_task_data (task, work, work_free);
  server = gadget_web_picture_dup_server (address);
  work->in_flight = gadget_receipt_begin (gadget_run_get_receipt (run), GADGET_RECEIPT_CONNECTION,
                                          server != NULL ? server : address);
  gadget_registry_add (registry, run);
  if (setup == NULL)
    gadget_web_setup_init (&system, gadget_clock_get_default ());
  gadget_web_picture_load_async (setup != NULL ? setup : &system, address,
                                 gadget_run_get_cancellable (run), loaded_cb,
                                 g_steal_pointer (&task));
  if (setup == NULL)
    gadget_web_setup_clear (&system);
  return run;
}

/**
 * gadget_picture_loading_finish:
 * @elsewhere: (out) (transfer full) (nullable): see gadget_web_picture_load_finish ()
 * @unchecked: (out) (transfer full) (nullable): the file, with %G_IO_ERROR_BUSY; else %NULL
 *
 * Returns: (transfer full) (nullable): the file, which can be shown; %NULL with
 *   %G_IO_ERROR_CANCELLED if the run was aborted, with a #GadgetWebPictureError, with the error of
 *   the check, or with %G_IO_ERROR_BUSY if the file was loaded and could not be checked
 */
GBytes *
gadget_picture_loading_finish (GAsyncResult *result, char **elsewhere, GBytes **unchecked,
                               GError **error)
{
  Work *work;

  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_picture_loading_start), NULL);

  work = g_task_get_task_data (G_TASK (result));
  *elsewhere = g_steal_pointer (&work->elsewhere);
  *unchecked = g_steal_pointer (&work->unchecked);
  return g_task_propagate_pointer (G_TASK (result), error);
}
