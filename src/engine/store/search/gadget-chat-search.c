/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search on the main context. It has two threads to ask:
 *
 * - the store's, for steps of indexing. One step is queued at a time: after the store has written
 *   (signal "written"), after another process has (signal "changed-outside"), and after a step that
 *   left something. Jobs of the store that were queued meanwhile run between two steps.
 * - "gadget-search", for searches, one after the other. A search that was cancelled while it waited
 *   costs nothing; the one that runs is interrupted. */

#define G_LOG_DOMAIN "gadget-search"

#include "config.h"

#include "gadget-chat-search.h"

#include "common/gadget-job-queue.h"
#include "gadget-chat-search-index-private.h"
#include "gadget-chat-search-query-private.h"

struct _GadgetChatSearch
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetJobQueue *queue;
  GadgetChatSearchReader *reader;
  GPtrArray *settling;       /* of GTask: those that wait until everything is indexed */
  GadgetChatSearchStep step; /* what the last one found */
  gboolean damaged;
  gboolean started;
  gboolean stepping; /* a step is queued or runs */
  gboolean again;    /* something was written since the step was queued */
};

typedef enum
{
  PROP_N_CHATS = 1,
  PROP_N_INDEXED,
  PROP_DAMAGED,
} Property;

static GParamSpec *properties[PROP_DAMAGED + 1];

G_DEFINE_FINAL_TYPE (GadgetChatSearch, gadget_chat_search, G_TYPE_OBJECT)

/* --- Indexing --------------------------------------------------------------------------------- */

static void
set_step (GadgetChatSearch *self, const GadgetChatSearchStep *step)
{
  const GadgetChatSearchStep before = self->step;

  self->step = *step;
  g_object_freeze_notify (G_OBJECT (self));
  if (before.n_chats != step->n_chats)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_CHATS]);
  if (before.n_indexed != step->n_indexed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_INDEXED]);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
set_damaged (GadgetChatSearch *self, gboolean damaged)
{
  if (self->damaged == damaged)
    return;
  self->damaged = damaged;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DAMAGED]);
}

/* Returns to those that wait. @error is (nullable). */
static void
return_settled (GadgetChatSearch *self, const GError *error)
{
  g_autoptr (GPtrArray) tasks = g_steal_pointer (&self->settling);

  self->settling = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < tasks->len; i++)
    {
      if (error != NULL)
        g_task_return_error (g_ptr_array_index (tasks, i), g_error_copy (error));
      else
        g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
    }
}

static void
queue_step (GadgetChatSearch *self); /* declared here because a step may queue the next */

static void
stepped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetChatSearch) self = user_data;
  const GadgetChatSearchStep *step = gadget_store_get_job_data (result);
  g_autoptr (GError) error = NULL;
  const gboolean ok = gadget_store_run_finish (GADGET_STORE (source), result, &error);

  self->stepping = FALSE;
  if (ok)
    {
      set_step (self, step);
      if (step->damaged)
        {
          set_damaged (self, TRUE);
          g_set_error_literal (&error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                               "the search index is damaged");
        }
      else if (step->more || self->again)
        {
          queue_step (self);
          return;
        }
    }
  /* A full disk, or a lock that another process holds: the next write tries again. */
  else if (!g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CLOSED))
    g_info ("cannot write the search index: %s", error->message);
  return_settled (self, error);
}

static void
queue_step (GadgetChatSearch *self)
{
  if (self->stepping || self->damaged || !self->started)
    return;
  self->stepping = TRUE;
  self->again = FALSE;
  gadget_store_run_async (self->store, _gadget_chat_search_index_step,
                          g_memdup2 (&self->step, sizeof self->step), g_free, stepped_cb,
                          g_object_ref (self));
}

static void
written_cb (GadgetStore *store, GadgetChatSearch *self)
{
  /* Jobs are done in their order, so what wrote while a step is queued was written before it, or is
   * that step. */
  queue_step (self);
}

static void
changed_outside_cb (GadgetStore *store, GadgetChatSearch *self)
{
  self->again = self->stepping;
  queue_step (self);
}

/* gadget_chat_search_start: documented in the header. */
void
gadget_chat_search_start (GadgetChatSearch *self)
{
  g_return_if_fail (GADGET_IS_CHAT_SEARCH (self) && !self->started);

  self->started = TRUE;
  g_signal_connect_object (self->store, "written", G_CALLBACK (written_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (changed_outside_cb), self,
                           G_CONNECT_DEFAULT);
  queue_step (self);
}

void
gadget_chat_search_settle_async (GadgetChatSearch *self, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_CHAT_SEARCH (self) && self->started);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_chat_search_settle_async);
  if (self->damaged)
    {
      g_task_return_new_error_literal (task, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                                       "the search index is damaged");
      g_object_unref (task);
      return;
    }
  g_ptr_array_add (self->settling, task);
  self->again = self->stepping;
  queue_step (self);
}

/**
 * gadget_chat_search_settle_finish:
 *
 * Returns: whether everything is indexed; else @error is a #GadgetStoreError,
 *   %GADGET_STORE_ERROR_CORRUPT for a damaged index
 */
gboolean
gadget_chat_search_settle_finish (GadgetChatSearch *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Rebuilding and checking ------------------------------------------------------------------ */

static void
reset_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetChatSearch *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  set_damaged (self, FALSE);
  queue_step (self);
  g_task_return_boolean (task, TRUE);
}

void
gadget_chat_search_rebuild_async (GadgetChatSearch *self, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_CHAT_SEARCH (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_chat_search_rebuild_async);
  gadget_store_run_async (self->store, _gadget_chat_search_index_reset, NULL, NULL, reset_cb, task);
}

/**
 * gadget_chat_search_rebuild_finish:
 *
 * Returns: whether the building has begun, which "n-indexed" follows; else @error is a
 *   #GadgetStoreError
 */
gboolean
gadget_chat_search_rebuild_finish (GadgetChatSearch *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* A job for the thread of the searches. */
typedef struct
{
  GTask *task;
  GadgetChatSearchReader *reader;
  GadgetChatSearchQuery *query; /* NULL for a check of the index */
  GCancellable *cancellable;
  gulong handler;
  GadgetChatSearchFirstFunc first;
  gpointer first_data;
  GMainContext *context;
  GadgetChatSearchResults *results;
  gboolean damaged;
  GError *error;
} Job;

static void
job_free (Job *job)
{
  if (job->handler != 0)
    g_cancellable_disconnect (job->cancellable, job->handler);
  g_clear_object (&job->cancellable);
  g_clear_pointer (&job->query, gadget_chat_search_query_free);
  g_main_context_unref (job->context);
  g_object_unref (job->task);
  g_free (job);
}

static Job *
job_new (GadgetChatSearch *self, GTask *task)
{
  Job *job = g_new0 (Job, 1);

  job->task = task;
  job->reader = self->reader;
  job->context = g_main_context_ref_thread_default ();
  return job;
}

static void
check_in_thread (gpointer data)
{
  Job *job = data;
  gboolean intact = TRUE;

  if (_gadget_chat_search_reader_check (job->reader, &intact, &job->error))
    job->damaged = !intact;
}

static void
checked_cb (gpointer data)
{
  Job *job = data;
  GadgetChatSearch *self = g_task_get_source_object (job->task);

  if (job->damaged)
    set_damaged (self, TRUE);
  if (job->error != NULL)
    g_task_return_error (job->task, g_steal_pointer (&job->error));
  else
    g_task_return_boolean (job->task, !job->damaged);
  job_free (job);
}

void
gadget_chat_search_check_async (GadgetChatSearch *self, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_CHAT_SEARCH (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_chat_search_check_async);
  gadget_job_queue_push (self->queue, check_in_thread, checked_cb, job_new (self, task));
}

/**
 * gadget_chat_search_check_finish:
 *
 * Returns: whether the index was checked and is not damaged; %FALSE without @error if it is, which
 *   "damaged" says too; else @error is a #GadgetStoreError
 */
gboolean
gadget_chat_search_check_finish (GadgetChatSearch *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Searching -------------------------------------------------------------------------------- */

/* The first results on their way to the main context. */
typedef struct
{
  GadgetChatSearchFirstFunc func;
  gpointer data;
  GCancellable *cancellable;
  GadgetChatSearchResults *results;
} First;

static gboolean
first_cb (gpointer data)
{
  g_autofree First *first = data;

  if (!g_cancellable_is_cancelled (first->cancellable))
    first->func (first->results, first->data);
  gadget_chat_search_results_free (first->results);
  return G_SOURCE_REMOVE;
}

/* On the thread. The job outlives the source, since found_cb () runs in a later one. */
static void
emit (GadgetChatSearchResults *results, gpointer data)
{
  const Job *job = data;
  First first = { job->first, job->first_data, job->cancellable, results };
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gadget] the first results of a search");
  g_source_set_callback (source, first_cb, g_memdup2 (&first, sizeof first), NULL);
  g_source_attach (source, job->context);
}

static void
find_in_thread (gpointer data)
{
  Job *job = data;

  job->results =
      _gadget_chat_search_reader_find (job->reader, job->query, job->first != NULL ? emit : NULL,
                                       job, job->cancellable, &job->damaged, &job->error);
}

static void
found_cb (gpointer data)
{
  Job *job = data;

  if (job->damaged)
    set_damaged (g_task_get_source_object (job->task), TRUE);
  if (job->error != NULL)
    g_task_return_error (job->task, g_steal_pointer (&job->error));
  else
    g_task_return_pointer (job->task, g_steal_pointer (&job->results),
                           (GDestroyNotify) gadget_chat_search_results_free);
  job_free (job);
}

/* Interrupting takes no lock and posts nothing. The search that runs looks whether it is the
 * cancelled one. */
static void
cancelled_cb (GCancellable *cancellable, gpointer reader)
{
  _gadget_chat_search_reader_interrupt (reader);
}

/**
 * gadget_chat_search_find_async:
 * @query: what to search; copied
 * @first: (nullable): called at most once, before @callback, with the first results of a search
 *   that takes longer than some milliseconds, unless it was cancelled; these are a few chats
 *
 * Searches all chats that are indexed so far. Nothing is found without a word in the text, but the
 * next search is faster, as the turns are read already. Searches wait for each other, so one whose
 * results are of no use any more is to be cancelled.
 */
void
gadget_chat_search_find_async (GadgetChatSearch *self, const GadgetChatSearchQuery *query,
                               GadgetChatSearchFirstFunc first, gpointer first_data,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task;
  Job *job;

  g_return_if_fail (GADGET_IS_CHAT_SEARCH (self) && query != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_chat_search_find_async);
  job = job_new (self, task);
  job->query = gadget_chat_search_query_copy (query);
  job->first = first;
  job->first_data = first_data;
  if (cancellable != NULL)
    {
      job->cancellable = g_object_ref (cancellable);
      job->handler =
          g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self->reader, NULL);
    }
  gadget_job_queue_push (self->queue, find_in_thread, found_cb, job);
}

/**
 * gadget_chat_search_find_finish:
 *
 * Returns: (transfer full): the results; %NULL with %G_IO_ERROR_CANCELLED or a #GadgetStoreError. A
 *   damaged index is %GADGET_STORE_ERROR_CORRUPT, and "damaged" is set
 */
GadgetChatSearchResults *
gadget_chat_search_find_finish (GadgetChatSearch *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- The object ------------------------------------------------------------------------------- */

static void
gadget_chat_search_finalize (GObject *object)
{
  GadgetChatSearch *self = GADGET_CHAT_SEARCH (object);

  /* Each queued job's task holds a reference, so the queue is empty here. */
  gadget_job_queue_free (self->queue);
  _gadget_chat_search_reader_free (self->reader);
  g_ptr_array_unref (self->settling);
  g_object_unref (self->store);

  G_OBJECT_CLASS (gadget_chat_search_parent_class)->finalize (object);
}

static void
gadget_chat_search_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GadgetChatSearch *self = GADGET_CHAT_SEARCH (object);

  switch ((Property) id)
    {
    case PROP_N_CHATS:
      g_value_set_uint (value, self->step.n_chats);
      break;
    case PROP_N_INDEXED:
      g_value_set_uint (value, self->step.n_indexed);
      break;
    case PROP_DAMAGED:
      g_value_set_boolean (value, self->damaged);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
gadget_chat_search_class_init (GadgetChatSearchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_chat_search_finalize;
  object_class->get_property = gadget_chat_search_get_property;

  properties[PROP_N_CHATS] = g_param_spec_uint ("n-chats", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_N_INDEXED] = g_param_spec_uint ("n-indexed", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_DAMAGED] = g_param_spec_boolean ("damaged", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gadget_chat_search_init (GadgetChatSearch *self)
{
  self->settling = g_ptr_array_new_with_free_func (g_object_unref);
  self->queue = gadget_job_queue_new ("gadget-search");
}

/**
 * gadget_chat_search_new:
 *
 * Returns: (transfer full): the search in the chats of @store, to be used on this main context
 *   only. Searches fail until the store has been opened for the first time
 */
GadgetChatSearch *
gadget_chat_search_new (GadgetStore *store)
{
  GadgetChatSearch *self = g_object_new (GADGET_TYPE_CHAT_SEARCH, NULL);
  g_autofree char *path = g_build_filename (gadget_store_get_directory (store), "gadget.db", NULL);

  self->store = g_object_ref (store);
  self->reader = _gadget_chat_search_reader_new (path);
  return self;
}

/* Return the properties. */
guint
gadget_chat_search_get_n_chats (GadgetChatSearch *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_SEARCH (self), 0);
  return self->step.n_chats;
}

guint
gadget_chat_search_get_n_indexed (GadgetChatSearch *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_SEARCH (self), 0);
  return self->step.n_indexed;
}

gboolean
gadget_chat_search_get_damaged (GadgetChatSearch *self)
{
  g_return_val_if_fail (GADGET_IS_CHAT_SEARCH (self), FALSE);
  return self->damaged;
}
