/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A task of the server is polled with tasks/get until it is over. The modern version includes the
 * result in the response to tasks/get; the older one has the request tasks/result, which waits.
 *
 * A stop sends tasks/cancel, and never the notification that cancels a request. The server only
 * acknowledges that and may finish the work all the same; nothing waits for it, and its result is
 * ignored. If the server reports the start of a task only after the stop, the task is stopped
 * then.
 *
 * A poll that fails says nothing about the task, so it is repeated a few times. Before a task is
 * given up the server is told to stop it. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-task.h"

#include "common/gadget-json.h"
#include "common/gadget-pending.h"
#include "gadget-mcp-headers.h"

#include <glib/gi18n-lib.h>

/* POLL_MS is the interval if the server names none; what it names is kept between SHORTEST_POLL_MS
 * and LONGEST_POLL_MS. The others are time limits of requests: nobody waits for the answer to a
 * cancellation, and "tasks/result" is answered at the end of the task. */
#define POLL_MS 2000
#define SHORTEST_POLL_MS 50
#define LONGEST_POLL_MS (30 * 1000)
#define ANSWER_MS (60 * 1000)
#define CANCEL_MS (10 * 1000)
#define RESULT_MS (24 * 60 * 60 * 1000)
/* So many polls in a row may fail, and requests for a result. */
#define MAX_FAILED_POLLS 3

struct _GadgetMcpTask
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  char *id;
  char **headers;
  guint poll_ms;
  guint n_failed;    /* requests since the task was last seen at work */
  gint64 request_id; /* of the latest poll */
  GadgetMcpTaskAskFunc ask;
  gpointer ask_data;
  GHashTable *asked;      /* (element-type utf8): keys of questions that were asked */
  GadgetPending *pending; /* (nullable): over when the server's task is; the timeout is a poll */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (GadgetMcpTask, gadget_mcp_task, G_TYPE_OBJECT)

static void poll_soon (GadgetMcpTask *self); /* recursive: each poll schedules the next */

/* --- The end ----------------------------------------------------------------------------------
 */

static gboolean
is_over (GadgetMcpTask *self)
{
  return self->pending == NULL || gadget_pending_is_over (self->pending);
}

static void
fail (GadgetMcpTask *self, GError *error)
{
  g_autoptr (GTask) task = gadget_pending_take (self->pending);

  g_task_return_error (task, error);
}

static void
succeed (GadgetMcpTask *self, JsonObject *result)
{
  g_autoptr (GTask) task = gadget_pending_take (self->pending);

  g_task_return_pointer (task, json_object_ref (result), (GDestroyNotify) json_object_unref);
}

/* --- Requests ---------------------------------------------------------------------------------
 */

static gint64
request (GadgetMcpTask *self, const char *method, JsonObject *params, guint limit_ms,
         GCancellable *cancellable, GAsyncReadyCallback callback)
{
  const GadgetMcpRequest asked = { .method = method,
                                   .headers = (const char *const *) self->headers,
                                   .limit_ms = limit_ms,
                                   .quiet = TRUE };

  json_object_set_string_member (params, "taskId", self->id);
  return gadget_mcp_channel_request_async (self->channel, &asked, params, cancellable, callback,
                                           g_object_ref (self));
}

static void
acknowledged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpTask) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) answer =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, NULL, &error);

  if (answer == NULL)
    g_debug ("the server did not take it: %s", error->message);
}

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  g_autoptr (GadgetMcpTask) self = g_object_ref (data);

  gadget_mcp_task_stop (self);
}

static void
cancel (GadgetMcpTask *self)
{
  request (self, "tasks/cancel", json_object_new (), CANCEL_MS, NULL, acknowledged_cb);
}

/* Returns whether the next poll may succeed. An error that the server sent is its response. */
static gboolean
is_temporary (GadgetMcpTask *self, const GError *error)
{
  return !gadget_mcp_channel_is_closed (self->channel)
         && (g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START)
             || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE)
             || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT)
             || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED));
}

/* Takes the @error of a poll. */
static void
handle_error (GadgetMcpTask *self, GError *error)
{
  if (is_temporary (self, error) && self->n_failed++ < MAX_FAILED_POLLS)
    {
      g_error_free (error);
      poll_soon (self);
      return;
    }
  if (error->domain != GADGET_JSON_RPC_ERROR)
    cancel (self);
  fail (self, error);
}

/* Returns a response that has to be handled (transfer full). Handles errors and returns NULL for
 * them, and when the server's task is over. */
static JsonObject *
finish_response (GadgetMcpTask *self, GObject *source, GAsyncResult *result)
{
  GError *error = NULL;
  g_autoptr (JsonObject) answer =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, NULL, &error);

  if (is_over (self))
    {
      g_clear_error (&error);
      return NULL;
    }
  if (answer != NULL)
    return g_steal_pointer (&answer);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (error);
      gadget_mcp_task_stop (self);
    }
  else
    {
      handle_error (self, error);
    }
  return NULL;
}

/* --- Polling ----------------------------------------------------------------------------------
 */

static void
result_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GadgetMcpTask) self = user_data;
  g_autoptr (JsonObject) result = finish_response (self, source, async_result);

  if (result != NULL)
    succeed (self, result);
}

static void
fail_task (GadgetMcpTask *self, JsonObject *task)
{
  JsonObject *error = gadget_json_get_object (task, "error");
  const char *words = gadget_json_get_string (error, "message");
  gint64 code = GADGET_JSON_RPC_INTERNAL_ERROR;

  if (words == NULL)
    words = gadget_json_get_string (task, "statusMessage");
  gadget_json_get_int (error, "code", &code);
  fail (self, g_error_new_literal (GADGET_JSON_RPC_ERROR, (int) CLAMP (code, G_MININT, G_MAXINT),
                                   words != NULL ? words : _ ("The task failed")));
}

static void
ask_for_input (GadgetMcpTask *self, JsonObject *task)
{
  JsonObject *requests = gadget_json_get_object (task, "inputRequests");
  g_autoptr (GList) keys = requests != NULL ? json_object_get_members (requests) : NULL;
  g_autoptr (JsonObject) fresh = json_object_new ();

  for (GList *link = keys; link != NULL; link = link->next)
    if (g_hash_table_add (self->asked, g_strdup (link->data)))
      json_object_set_member (fresh, link->data,
                              json_node_copy (json_object_get_member (requests, link->data)));
  if (json_object_get_size (fresh) > 0)
    self->ask (fresh, self->ask_data);
}

static void
handle_task (GadgetMcpTask *self, JsonObject *task)
{
  const gboolean modern = gadget_mcp_channel_get_modern (self->channel);
  const char *status = gadget_json_get_string (task, "status");
  JsonObject *result = gadget_json_get_object (task, "result");
  gint64 poll_ms;

  if (gadget_json_get_int (task, modern ? "pollIntervalMs" : "pollInterval", &poll_ms))
    self->poll_ms = (guint) CLAMP (poll_ms, SHORTEST_POLL_MS, LONGEST_POLL_MS);
  if (g_strcmp0 (status, "cancelled") == 0)
    fail (self, g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                     _ ("The server ended the task")));
  else if (!modern && status != NULL && !g_str_equal (status, "working"))
    self->request_id =
        request (self, "tasks/result", json_object_new (), RESULT_MS, self->cancellable, result_cb);
  else if (g_strcmp0 (status, "failed") == 0)
    fail_task (self, task);
  else if (g_strcmp0 (status, "completed") == 0 && result != NULL)
    succeed (self, result);
  else if (g_strcmp0 (status, "working") == 0 || g_strcmp0 (status, "input_required") == 0)
    {
      self->n_failed = 0;
      ask_for_input (self, task);
      if (!is_over (self))
        poll_soon (self);
    }
  else
    fail (self, g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                                     _ ("The server answered in a way that is not known")));
}

static void
polled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpTask) self = user_data;
  g_autoptr (JsonObject) task = finish_response (self, source, result);

  if (task != NULL)
    handle_task (self, task);
}

static void
poll_cb (GadgetPending *pending, gpointer data)
{
  GadgetMcpTask *self = data;

  self->request_id =
      request (self, "tasks/get", json_object_new (), ANSWER_MS, self->cancellable, polled_cb);
}

static void
poll_soon (GadgetMcpTask *self)
{
  gadget_pending_set_timeout (self->pending, gadget_clock_get_default (), self->poll_ms, poll_cb);
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_task_finalize (GObject *object)
{
  GadgetMcpTask *self = GADGET_MCP_TASK (object);

  g_clear_pointer (&self->pending, gadget_pending_free);
  g_clear_object (&self->channel);
  g_clear_object (&self->cancellable);
  g_hash_table_unref (self->asked);
  g_strfreev (self->headers);
  g_free (self->id);

  G_OBJECT_CLASS (gadget_mcp_task_parent_class)->finalize (object);
}

static void
gadget_mcp_task_class_init (GadgetMcpTaskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_task_finalize;
}

static void
gadget_mcp_task_init (GadgetMcpTask *self)
{
  self->poll_ms = POLL_MS;
  self->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * gadget_mcp_task_new:
 * @channel: a reference is kept
 * @task: the object with which the server reports the start of the task
 *
 * Returns: (transfer full) (nullable): %NULL if @task has no id
 */
GadgetMcpTask *
gadget_mcp_task_new (GadgetMcpChannel *channel, JsonObject *task)
{
  const char *id = gadget_json_get_string (task, "taskId");
  GadgetMcpTask *self;
  gint64 poll_ms;

  if (id == NULL || *id == '\0')
    return NULL;
  self = g_object_new (GADGET_TYPE_MCP_TASK, NULL);
  self->channel = g_object_ref (channel);
  self->id = g_strdup (id);
  self->headers = gadget_mcp_headers_make (id, NULL, NULL);
  if (gadget_json_get_int (task, "pollIntervalMs", &poll_ms)
      || gadget_json_get_int (task, "pollInterval", &poll_ms))
    self->poll_ms = (guint) CLAMP (poll_ms, SHORTEST_POLL_MS, LONGEST_POLL_MS);
  return self;
}

/**
 * gadget_mcp_task_stop_late:
 * @result: the result of a request that was cancelled before the result arrived
 *
 * Makes the server stop the task that @result reports, if it reports one. Does not wait for that.
 */
void
gadget_mcp_task_stop_late (GadgetMcpChannel *channel, JsonObject *result)
{
  JsonObject *task = gadget_json_get_object (result, "task");
  g_autoptr (GadgetMcpTask) self = NULL;

  g_return_if_fail (GADGET_IS_MCP_CHANNEL (channel) && result != NULL);

  if (task == NULL && g_strcmp0 (gadget_json_get_string (result, "resultType"), "task") == 0)
    task = result;
  if (task != NULL)
    self = gadget_mcp_task_new (channel, task);
  if (self != NULL)
    cancel (self);
}

/**
 * gadget_mcp_task_get_id:
 *
 * Returns: the server's id of the task
 */
const char *
gadget_mcp_task_get_id (GadgetMcpTask *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_TASK (self), NULL);
  return self->id;
}

/**
 * gadget_mcp_task_get_request_id:
 *
 * Returns: the id of the latest request that asked for the task's state or result, or 0
 */
gint64
gadget_mcp_task_get_request_id (GadgetMcpTask *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_TASK (self), 0);
  return self->request_id;
}

/**
 * gadget_mcp_task_run_async:
 * @ask: called when the server asks questions, never after the callback
 * @ask_data: for @ask
 * @cancellable: (nullable): ends the wait at once and tells the server
 *
 * Polls until the task is over. To be called once.
 */
void
gadget_mcp_task_run_async (GadgetMcpTask *self, GadgetMcpTaskAskFunc ask, gpointer ask_data,
                           GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_MCP_TASK (self) && self->pending == NULL && ask != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_task_run_async);
  self->pending = gadget_pending_new (task, cancellable, stopped_cb, self);
  self->ask = ask;
  self->ask_data = ask_data;
  g_set_object (&self->cancellable, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    gadget_mcp_task_stop (self);
  else
    poll_soon (self);
}

/**
 * gadget_mcp_task_run_finish:
 *
 * Returns: (transfer full): the result of the request that the task stands for, or %NULL with an
 *   error as of gadget_mcp_channel_request_finish ()
 */
JsonObject *
gadget_mcp_task_run_finish (GadgetMcpTask *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_mcp_task_stop:
 *
 * Ends the wait at once with %G_IO_ERROR_CANCELLED, and tells the server. Does nothing when the
 * task is over.
 */
void
gadget_mcp_task_stop (GadgetMcpTask *self)
{
  g_return_if_fail (GADGET_IS_MCP_TASK (self));

  if (is_over (self))
    return;
  cancel (self);
  gadget_pending_return_stopped (self->pending);
}

/**
 * gadget_mcp_task_update:
 * @responses: the answers, by the keys of the questions
 *
 * Sends answers to the server. Does nothing when the task is over.
 */
void
gadget_mcp_task_update (GadgetMcpTask *self, JsonObject *responses)
{
  JsonObject *params;

  g_return_if_fail (GADGET_IS_MCP_TASK (self) && responses != NULL);

  if (is_over (self))
    return;
  params = json_object_new ();
  json_object_set_object_member (params, "inputResponses", json_object_ref (responses));
  request (self, "tasks/update", params, ANSWER_MS, self->cancellable, acknowledged_cb);
}
