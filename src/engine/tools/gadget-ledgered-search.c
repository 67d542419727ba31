/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A search has these steps: the row in the ledger; a thread that looks up the folder, and searches
 * it if ripgrep is not allowed; ripgrep; the thread again, if ripgrep failed. ripgrep is used only
 * for folders in the workspace, since the sandbox shows no others. */

#define G_LOG_DOMAIN "gadget-tool"

#include "config.h"

#include "gadget-ledgered-search.h"

#include "common/gadget-blocking.h"
#include "workspace/gadget-workspace.h"

/* The data of the GTask. */
typedef struct
{
  GadgetSearchTask *search;
  GadgetRipgrep *ripgrep;
  GadgetSearchFormatFunc format;
  GadgetEffects *effects; /* (nullable) */
  gint64 effect;          /* 0 before the row is written */
  GCancellable *cancellable;
  char *real; /* (nullable): the folder that ripgrep searches */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->real);
  _gadget_search_task_unref (work->search);
  g_clear_object (&work->ripgrep);
  g_clear_object (&work->effects);
  g_clear_object (&work->cancellable);
  g_free (work);
}

/* Returns the result. @error (transfer full) (nullable) is how the search ended. */
static void
answer (GTask *task, GError *error)
{
  Work *work = g_task_get_task_data (task);
  const gboolean stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GPtrArray) found = NULL;
  g_autofree char *notes = NULL;
  gboolean full;
  GadgetToolResult *result;

  if (work->effects != NULL)
    gadget_effects_end (work->effects, work->effect,
                        stopped         ? "aborted"
                        : error != NULL ? "failed"
                                        : "done");
  found = _gadget_search_results_take (work->search->results, &full, &notes);
  if (error != NULL && (!stopped || found->len == 0))
    {
      g_task_return_error (task, error);
      return;
    }
  result = work->format (work->search, found, full, notes);
  result->cut = stopped;
  g_clear_error (&error);
  g_task_return_pointer (task, result, gadget_tool_result_free);
}

/* --- Without ripgrep ---------------------------------------------------------------------------
 */

/* The data of the thread, and what it returns. */
typedef struct
{
  GadgetSearchTask *search;
  gboolean only_look;
} Job;

typedef struct
{
  char *real;
  gboolean searched;
} Outcome;

static void
job_free (gpointer data)
{
  Job *job = data;

  _gadget_search_task_unref (job->search);
  g_free (job);
}

static void
outcome_free (gpointer data)
{
  Outcome *outcome = data;

  g_free (outcome->real);
  g_free (outcome);
}

static gpointer
work_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  Outcome *outcome = g_new0 (Outcome, 1);

  if (_gadget_search_task_run (job->search, job->only_look, &outcome->real, &outcome->searched,
                               cancellable, error)
      && !g_cancellable_set_error_if_cancelled (cancellable, error))
    return outcome;
  outcome_free (outcome);
  return NULL;
}

static void start_ripgrep (GTask *task, const char *real);

static void
worked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Outcome *outcome = gadget_blocking_run_finish (result, &error);

  if (outcome != NULL && !outcome->searched)
    start_ripgrep (task, outcome->real);
  else
    answer (task, g_steal_pointer (&error));
  g_clear_pointer (&outcome, outcome_free);
}

static void
start_thread (GTask *task, gboolean only_look)
{
  Work *work = g_task_get_task_data (task);
  Job *job = g_new0 (Job, 1);

  job->search = _gadget_search_task_ref (work->search);
  job->only_look = only_look;
  gadget_blocking_run_async (work->cancellable, work_in_thread, job, job_free, outcome_free,
                             worked_cb, g_object_ref (task));
}

/* --- With ripgrep ------------------------------------------------------------------------------
 */

static void
ripgrep_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (_gadget_ripgrep_run_finish (GADGET_RIPGREP (source), result, &error)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT)
      || _gadget_search_results_get_n (work->search->results) > 0)
    {
      answer (task, g_steal_pointer (&error));
      return;
    }
  g_debug ("searching without ripgrep: %s", error->message);
  start_thread (task, FALSE);
}

static void
start_ripgrep (GTask *task, const char *real)
{
  Work *work = g_task_get_task_data (task);

  g_set_str (&work->real, real);
  _gadget_ripgrep_run_async (work->ripgrep, work->search,
                             gadget_workspace_get_relative (work->search->root, work->real),
                             work->cancellable, ripgrep_cb, g_object_ref (task));
}

/* --- The sequence ------------------------------------------------------------------------------
 */

static void
start (GTask *task)
{
  Work *work = g_task_get_task_data (task);

  start_thread (task, work->search->root != NULL && gadget_ripgrep_is_allowed (work->ripgrep));
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
                               GadgetSearchTask *search, GadgetRipgrep *ripgrep,
                               GadgetSearchFormatFunc format, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, _gadget_ledgered_search_async);
  /* The results count, even when a stop follows them immediately. */
  g_task_set_check_cancellable (task, FALSE);
  work->search = _gadget_search_task_ref (search);
  work->ripgrep = g_object_ref (ripgrep);
  work->format = format;
  g_set_object (&work->effects, context->effects);
  g_set_object (&work->cancellable, cancellable);
  g_task_set_task_data (task, work, work_free);
  if (work->effects == NULL)
    start (task);
  else
    gadget_effects_begin_async (work->effects, gadget_item_get_call_id (context->item),
                                GADGET_EFFECT_READ, search->resolved, search->pattern, cancellable,
                                begun_cb, g_object_ref (task));
}
