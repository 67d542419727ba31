/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-ledgered-task.h"

typedef struct
{
  GadgetEffects *effects; /* (nullable) */
  gint64 effect;          /* 0 before the row is written */
  GCancellable *cancellable;
  GadgetBlockingFunc work;
  gpointer data; /* NULL once the work owns it */
  GDestroyNotify destroy;
  GDestroyNotify result_destroy;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_object (&work->effects);
  g_clear_object (&work->cancellable);
  if (work->data != NULL && work->destroy != NULL)
    work->destroy (work->data);
  g_free (work);
}

static void
worked_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gpointer result = gadget_blocking_run_finish (async_result, &error);
  const gboolean stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (work->effects != NULL)
    gadget_effects_end (work->effects, work->effect,
                        result != NULL ? "done"
                        : stopped      ? "aborted"
                                       : "failed");
  if (result != NULL)
    g_task_return_pointer (task, result, work->result_destroy);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
start (GTask *task)
{
  Work *work = g_task_get_task_data (task);

  gadget_blocking_run_async (work->cancellable, work->work, g_steal_pointer (&work->data),
                             work->destroy, work->result_destroy, worked_cb, g_object_ref (task));
}

static void
begun_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  work->effect = gadget_effects_begin_finish (work->effects, result, &error);
  if (work->effect == 0)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    start (task);
}

/**
 * _gadget_ledgered_task_async:
 * @tool: (nullable): the tool whose call ends with this; %NULL for a part of a call
 * @context: the call's context; only used during this function
 * @kind: of the effect
 * @subject: see gadget_effects_begin_async ()
 * @detail: (nullable): the same
 * @work: runs in a thread
 * @data: (transfer full): for @work; not %NULL
 * @destroy: frees @data
 * @result_destroy: frees a result that nobody takes
 */
void
_gadget_ledgered_task_async (GadgetTool *tool, const GadgetToolContext *context,
                             GadgetEffectKind kind, const char *subject, const char *detail,
                             GCancellable *cancellable, GadgetBlockingFunc work_func, gpointer data,
                             GDestroyNotify destroy, GDestroyNotify result_destroy,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, _gadget_ledgered_task_async);
  /* The result of the work counts, even when a stop follows it immediately. */
  g_task_set_check_cancellable (task, FALSE);
  g_set_object (&work->effects, context->effects);
  g_set_object (&work->cancellable, cancellable);
  work->work = work_func;
  work->data = data;
  work->destroy = destroy;
  work->result_destroy = result_destroy;
  g_task_set_task_data (task, work, work_free);
  if (work->effects == NULL)
    start (task);
  else
    gadget_effects_begin_async (work->effects, gadget_item_get_call_id (context->item), kind,
                                subject, detail, cancellable, begun_cb, g_object_ref (task));
}

gpointer
_gadget_ledgered_task_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
