/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads files to attach, one after the other. The first file that cannot be attached ends the run
 * with an error, so that no message is sent without a part of what it was meant to have. The run is
 * in the registry from the start to the end: a stop of all work, of the chat, or of this run stops
 * it, and so does its deadline. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-attachment"

#include "config.h"

#include "gadget-attachment-loading.h"

/* The data of the task. */
typedef struct
{
  GadgetEngine *engine;
  GadgetRun *run;
  GPtrArray *files;
  GPtrArray *attachments;
  GadgetPictureFileFunc shrink;
  guint deadline;
  guint in_flight;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->engine);
  g_object_unref (work->run);
  g_ptr_array_unref (work->files);
  g_ptr_array_unref (work->attachments);
  g_free (work);
}

static void
deadline_cb (gpointer user_data)
{
  Work *work = user_data;

  work->deadline = 0;
  gadget_run_abort (work->run, GADGET_STOP_DEADLINE);
}

/* @error is (transfer full) (nullable): why not all of the files could be read. */
static void
settle (GTask *task, GError *error)
{
  Work *work = g_task_get_task_data (task);
  g_autoptr (GError) failure = error;
  gboolean aborted;

  if (work->deadline != 0)
    gadget_clock_remove (gadget_clock_get_default (), work->deadline);
  work->deadline = 0;
  if (failure != NULL && !gadget_run_is_aborted (work->run))
    gadget_run_set_failure (work->run, failure->message);
  aborted = gadget_run_seal (work->run) != GADGET_STOP_NONE;
  gadget_run_end (work->run);
  gadget_registry_remove (gadget_agent_get_registry (gadget_engine_get_agent (work->engine)),
                          work->run);
  if (aborted)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
  else if (failure != NULL)
    g_task_return_error (task, g_steal_pointer (&failure));
  else
    g_task_return_pointer (task, g_ptr_array_ref (work->attachments),
                           (GDestroyNotify) g_ptr_array_unref);
}

static void read_next (GTask *task);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;
  GadgetAttachment *attachment = gadget_attachment_read_finish (result, &error);

  gadget_receipt_end (gadget_run_get_receipt (work->run), work->in_flight, "stopped", 0);
  if (attachment != NULL)
    g_ptr_array_add (work->attachments, attachment);
  if (attachment == NULL || gadget_run_is_aborted (work->run)
      || work->attachments->len == work->files->len)
    settle (task, error);
  else
    read_next (task);
}

static void
read_next (GTask *task)
{
  Work *work = g_task_get_task_data (task);
  GFile *file = g_ptr_array_index (work->files, work->attachments->len);
  g_autofree char *name = g_file_get_parse_name (file);
  const GadgetAttachmentSource source = {
    .file = file,
    .sandbox = gadget_commands_get_sandbox (gadget_engine_get_commands (work->engine)),
    .shrink = work->shrink,
  };

  work->in_flight =
      gadget_receipt_begin (gadget_run_get_receipt (work->run), GADGET_RECEIPT_TOOL, name);
  gadget_attachment_read_async (&source, gadget_run_get_cancellable (work->run), read_cb,
                                g_object_ref (task));
}

/**
 * gadget_attachment_loading_start:
 * @session: the chat that the message is for
 * @files: (element-type GFile): at least one file
 * @shrink: (nullable): see #GadgetAttachmentSource
 * @deadline_ms: the run is aborted after this many milliseconds; 0 for no limit
 *
 * Returns: (transfer full): the run, which is registered. It tells whether, and why, it was
 *   stopped.
 */
GadgetRun *
gadget_attachment_loading_start (GadgetEngine *engine, GadgetSession *session, GPtrArray *files,
                                 GadgetPictureFileFunc shrink, guint deadline_ms,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GadgetRun *run;
  Work *work;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine) && GADGET_IS_SESSION (session), NULL);
  g_return_val_if_fail (files != NULL && files->len > 0, NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  run = gadget_run_new (GADGET_RUN_ATTACHMENT, NULL, gadget_session_get_id (session), NULL, NULL,
                        NULL);
  work = g_new0 (Work, 1);
  work->engine = g_object_ref (engine);
  work->run = g_object_ref (run);
  work->files = g_ptr_array_ref (files);
  work->attachments = gadget_attachments_new ();
  work->shrink = shrink;
  g_task_set_source_tag (task, gadget_attachment_loading_start);
  g_task_set_task_data (task, work, work_free);
  gadget_registry_add (gadget_agent_get_registry (gadget_engine_get_agent (engine)), run);
  if (deadline_ms > 0)
    work->deadline =
        gadget_clock_add_timeout (gadget_clock_get_default (), deadline_ms,
                                  "[gadget] deadline of attachments", deadline_cb, work);
  read_next (task);
  return run;
}

/**
 * gadget_attachment_loading_finish:
 * @failed: (out) (transfer full) (nullable): the file that could not be read; not set on success
 *
 * Returns: (transfer full) (nullable) (element-type GadgetAttachment): the files as attachments;
 *   %NULL with %G_IO_ERROR_CANCELLED if the run was aborted, with a #GadgetAttachmentError, or with
 *   the error of reading a file
 */
GPtrArray *
gadget_attachment_loading_finish (GAsyncResult *result, GFile **failed, GError **error)
{
  const Work *work;
  GPtrArray *attachments;

  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_attachment_loading_start), NULL);

  work = g_task_get_task_data (G_TASK (result));
  attachments = g_task_propagate_pointer (G_TASK (result), error);
  if (attachments == NULL && work->attachments->len < work->files->len)
    *failed = g_object_ref (g_ptr_array_index (work->files, work->attachments->len));
  return attachments;
}
