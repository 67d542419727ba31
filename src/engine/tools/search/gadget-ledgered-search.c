/* SPDX-License-Identifier: GPL-3.0-or-later */

/* First the row in the ledger is written, then ripgrep runs. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-ledgered-search.h"

/* The data of the GTask. */
typedef struct
{
  GadgetSearch *search;
  GadgetRipgrep *ripgrep;
  GadgetSearchFormatFunc format;
  GadgetEffects *effects; /* (nullable) */
  gint64 effect;          /* 0 before the row is written */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  _gadget_search_unref (work->search);
  g_clear_object (&work->ripgrep);
  g_clear_object (&work->effects);
  g_free (work);
}

/* Returns the result. @error (transfer full) (nullable) is how the search ended. */
static void
answer (GTask *task, GError *error)
{
  Work *work = g_task_get_task_data (task);
  const gboolean stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GPtrArray) found = NULL;
  gboolean full;
  GadgetToolResult *result;

  if (work->effects != NULL)
    gadget_effects_end (work->effects, work->effect,
                        stopped         ? "aborted"
                        : error != NULL ? "failed"
                                        : "done");
  found = _gadget_search_results_take (work->search->results, &full);
  if (error != NULL && (!stopped || found->len == 0))
    {
      g_task_return_error (task, error);
      return;
    }
  result = work->format (work->search, found, full);
  result->cut = stopped;
  g_clear_error (&error);
  g_task_return_pointer (task, result, gadget_tool_result_free);
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  _gadget_ripgrep_run_finish (GADGET_RIPGREP (source), result, &error);
  answer (task, g_steal_pointer (&error));
}

static void
start (GTask *task)
{
  Work *work = g_task_get_task_data (task);

  _gadget_ripgrep_run_async (work->ripgrep, work->search, g_task_get_cancellable (task),
                             searched_cb, g_object_ref (task));
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

void
_gadget_ledgered_search_async (GadgetTool *tool, const GadgetToolContext *context,
                               GadgetSearch *search, GadgetRipgrep *ripgrep,
                               GadgetSearchFormatFunc format, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, _gadget_ledgered_search_async);
  /* The results count, even when a stop follows them immediately. */
  g_task_set_check_cancellable (task, FALSE);
  work->search = _gadget_search_ref (search);
  work->ripgrep = g_object_ref (ripgrep);
  work->format = format;
  g_set_object (&work->effects, context->effects);
  g_task_set_task_data (task, work, work_free);
  if (work->effects == NULL)
    start (task);
  else
    gadget_effects_begin_async (work->effects, gadget_item_get_call_id (context->item),
                                GADGET_EFFECT_READ, search->resolved, search->pattern, cancellable,
                                begun_cb, g_object_ref (task));
}
