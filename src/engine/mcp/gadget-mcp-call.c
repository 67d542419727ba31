/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One tool call. A call proceeds in rounds. In each round the client sends tools/call once; the
 * server responds with the result, or, in the modern version of the protocol, with questions that
 * it needs answered first:
 *
 *   tools/call ──▶ complete ──▶ over
 *       ▲ └──────▶ input_required ──▶ the user is asked ─┐
 *       └────────────── with the answers ◀──────────────┘
 *       └──────▶ a task ──▶ polled until it is over, see gadget-mcp-task.c
 *
 * In the older version the server's questions are requests of its own that arrive while it works.
 * The user is asked one question at a time; when the call ends first, open questions are withdrawn.
 * In that version the server may also fail a call until the user has opened some address; the call
 * is made again afterwards. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-call.h"

#include "common/gadget-json.h"
#include "gadget-mcp-elicit.h"
#include "gadget-mcp-task.h"

#include <glib/gi18n-lib.h>

/* A tool may work for a long time, and the user can stop it; but a server that sends nothing at all
 * for IDLE_MS is considered dead, and one that only reports progress ends after LIMIT_MS. */
#define IDLE_MS (60 * 60 * 1000)
#define LIMIT_MS (24 * 60 * 60 * 1000)
#define MAX_ROUNDS 16
#define MAX_QUESTIONS 16

typedef struct
{
  JsonNode *id; /* id of the server's own request; NULL in the modern version */
  char *key;    /* key in inputRequests; only in the modern version */
  JsonObject *params;
} Question;

struct _GadgetMcpCall
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  GadgetMcpCallSpec *spec;

  GTask *task; /* NULL once the call is over */
  GCancellable *cancellable;
  gint64 request_id;
  guint n_rounds;
  GQueue questions; /* of Question; while asking is set, the user is being asked the head */
  gboolean asking;
  JsonObject *responses; /* (nullable): the user's answers of this round, by key */
  char *state;           /* (nullable): requestState, which the server wants back */
  GError *required;      /* (nullable): failure that the user can resolve by opening addresses */
  gboolean declined;     /* the user refused to open an address */
  GadgetMcpTask *remote; /* (nullable): set while the server runs the call as a task */
};

G_DEFINE_FINAL_TYPE (GadgetMcpCall, gadget_mcp_call, G_TYPE_OBJECT)

static void start_round (GadgetMcpCall *self); /* mutually recursive with ask_next () */

GadgetMcpCallSpec *
gadget_mcp_call_spec_copy (const GadgetMcpCallSpec *self)
{
  GadgetMcpCallSpec *copy = g_new0 (GadgetMcpCallSpec, 1);

  *copy = *self;
  copy->server = g_strdup (self->server);
  copy->tool = g_strdup (self->tool);
  copy->headers = (const char *const *) g_strdupv ((char **) self->headers);
  copy->arguments =
      self->arguments != NULL ? json_object_ref (self->arguments) : json_object_new ();
  copy->item = self->item != NULL ? g_object_ref (self->item) : NULL;
  return copy;
}

/* gadget_mcp_call_spec_free: frees what gadget_mcp_call_spec_copy () returned; @self may be %NULL.
 * A struct that a caller filled by itself must not be freed by this. */
void
gadget_mcp_call_spec_free (GadgetMcpCallSpec *self)
{
  if (self == NULL)
    return;
  g_free ((char *) self->server);
  g_free ((char *) self->tool);
  g_strfreev ((char **) self->headers);
  json_object_unref (self->arguments);
  g_clear_object (&self->item);
  g_free (self);
}

static void
question_free (gpointer data)
{
  Question *question = data;

  g_clear_pointer (&question->id, json_node_unref);
  g_clear_pointer (&question->params, json_object_unref);
  g_free (question->key);
  g_free (question);
}

/* --- The end of the call ----------------------------------------------------------------------
 */

/* Ends the call and returns the GTask to complete (transfer full). A task of the server is stopped,
 * because nobody will fetch its result. */
static GTask *
end (GadgetMcpCall *self)
{
  GTask *task = g_steal_pointer (&self->task);

  if (self->asking)
    gadget_mcp_elicit_withdraw (self->spec->item);
  if (self->remote != NULL)
    gadget_mcp_task_stop (self->remote);
  return task;
}

static void
fail (GadgetMcpCall *self, GError *error)
{
  g_autoptr (GTask) task = end (self);

  g_task_return_error (task, error);
}

static void
fail_protocol (GadgetMcpCall *self, const char *text)
{
  fail (self, g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL, text));
}

static void
succeed (GadgetMcpCall *self, JsonObject *result)
{
  g_autoptr (GTask) task = end (self);

  g_task_return_pointer (task, gadget_mcp_result_parse (result),
                         (GDestroyNotify) gadget_mcp_result_free);
}

/* --- Questions --------------------------------------------------------------------------------
 */

static void ask_next (GadgetMcpCall *self); /* recursive through asked_cb () */

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpCall) self = user_data;
  g_autoptr (JsonObject) answer = gadget_mcp_elicit_finish (result);
  Question *question = g_queue_pop_head (&self->questions);

  self->asking = FALSE;
  if (question->id != NULL)
    gadget_mcp_channel_answer (self->channel, question->id, g_steal_pointer (&answer));
  else if (question->key == NULL)
    self->declined |= g_strcmp0 (gadget_json_get_string (answer, "action"), "accept") != 0;
  else if (self->responses != NULL)
    json_object_set_object_member (self->responses, question->key, g_steal_pointer (&answer));
  question_free (question);
  ask_next (self);
}

static void
ask_next (GadgetMcpCall *self)
{
  Question *question = g_queue_peek_head (&self->questions);

  if (question != NULL)
    {
      /* Questions that are still queued when the call ends are answered without the user: without
       * an item, gadget_mcp_elicit_async () does not show them. */
      self->asking = TRUE;
      gadget_mcp_elicit_async (self->spec->server, question->params,
                               self->task != NULL ? self->spec->item : NULL, self->cancellable,
                               asked_cb, g_object_ref (self));
      return;
    }
  if (self->task == NULL || (self->responses == NULL && self->required == NULL))
    return;
  if (self->required != NULL && self->declined && !g_cancellable_is_cancelled (self->cancellable))
    {
      fail (self, g_steal_pointer (&self->required));
      return;
    }
  g_clear_error (&self->required);
  if (self->remote != NULL)
    {
      g_autoptr (JsonObject) responses = g_steal_pointer (&self->responses);

      gadget_mcp_task_update (self->remote, responses);
    }
  else if (g_cancellable_is_cancelled (self->cancellable))
    fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped"));
  else
    start_round (self);
}

static void
push_question (GadgetMcpCall *self, JsonNode *id, const char *key, JsonObject *params)
{
  Question *question = g_new0 (Question, 1);

  question->id = id != NULL ? json_node_copy (id) : NULL;
  question->key = g_strdup (key);
  question->params = params != NULL ? json_object_ref (params) : NULL;
  g_queue_push_tail (&self->questions, question);
}

/**
 * gadget_mcp_call_ask:
 * @message: a request "elicitation/create" that belongs to this call; not kept
 *
 * Queues a question of the server for the user. When too many questions are open the question is
 * cancelled at once; a question of an unknown kind is refused.
 */
void
gadget_mcp_call_ask (GadgetMcpCall *self, const GadgetJsonRpcMessage *message)
{
  g_return_if_fail (GADGET_IS_MCP_CALL (self) && message != NULL);

  if (g_queue_get_length (&self->questions) >= MAX_QUESTIONS)
    {
      gadget_mcp_channel_answer (self->channel, message->id,
                                 gadget_mcp_elicit_make_answer ("cancel"));
      return;
    }
  if (!gadget_mcp_elicit_is_known (message->object))
    {
      gadget_mcp_channel_refuse (self->channel, message->id, GADGET_JSON_RPC_INVALID_PARAMS,
                                 "This client does not ask in that way");
      return;
    }
  push_question (self, message->id, NULL, message->object);
  if (!self->asking)
    ask_next (self);
}

/* --- Rounds -----------------------------------------------------------------------------------
 */

static void
ask_all (GadgetMcpCall *self, JsonObject *requests)
{
  g_autoptr (GList) keys = requests != NULL ? json_object_get_members (requests) : NULL;

  if (++self->n_rounds > MAX_ROUNDS || g_list_length (keys) > MAX_QUESTIONS)
    {
      fail_protocol (self, _ ("The server asks without an end"));
      return;
    }
  if (self->responses == NULL)
    self->responses = json_object_new ();
  for (GList *link = keys; link != NULL; link = link->next)
    {
      JsonObject *request = gadget_json_get_object (requests, link->data);

      if (g_strcmp0 (gadget_json_get_string (request, "method"), "elicitation/create") != 0)
        {
          fail_protocol (self, _ ("The server asks for something that Gadget does not offer"));
          return;
        }
      push_question (self, NULL, link->data, gadget_json_get_object (request, "params"));
    }
  if (!self->asking)
    ask_next (self);
}

static void
handle_input_required (GadgetMcpCall *self, JsonObject *result)
{
  JsonObject *requests = gadget_json_get_object (result, "inputRequests");
  const char *state = gadget_json_get_string (result, "requestState");

  if (requests == NULL && state == NULL)
    {
      fail_protocol (self, _ ("The server asks for nothing"));
      return;
    }
  g_set_str (&self->state, state);
  ask_all (self, requests);
}

/* Asks the user to open the addresses that @data lists, if @error is a failure that this can
 * resolve. Returns whether that is so; @error is consumed only then. */
static gboolean
ask_for_addresses (GadgetMcpCall *self, GError *error, JsonNode *data)
{
  JsonObject *object =
      data != NULL && JSON_NODE_HOLDS_OBJECT (data) ? json_node_get_object (data) : NULL;
  JsonArray *wanted = gadget_json_get_array (object, "elicitations");

  if (!g_error_matches (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_URL_ELICITATION_REQUIRED)
      || gadget_mcp_channel_get_modern (self->channel) || wanted == NULL
      || json_array_get_length (wanted) == 0 || json_array_get_length (wanted) > MAX_QUESTIONS
      || ++self->n_rounds > MAX_ROUNDS)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (wanted); i++)
    {
      JsonObject *params = gadget_json_get_element (wanted, i);

      if (g_strcmp0 (gadget_json_get_string (params, "mode"), "url") != 0)
        return FALSE;
    }
  self->declined = FALSE;
  self->required = error;
  for (guint i = 0; i < json_array_get_length (wanted); i++)
    push_question (self, NULL, NULL, gadget_json_get_element (wanted, i));
  if (!self->asking)
    ask_next (self);
  return TRUE;
}

/* --- The server's task ------------------------------------------------------------------------
 */

static void
task_asks (JsonObject *requests, gpointer user_data)
{
  GadgetMcpCall *self = user_data;

  if (self->task != NULL)
    ask_all (self, requests);
}

static void
task_over_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GadgetMcpCall) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonObject) result =
      gadget_mcp_task_run_finish (GADGET_MCP_TASK (source), async_result, &error);

  g_clear_object (&self->remote);
  if (self->task == NULL)
    g_clear_error (&error);
  else if (result != NULL)
    succeed (self, result);
  else
    fail (self, error);
}

static void
follow_task (GadgetMcpCall *self, JsonObject *task)
{
  self->remote = gadget_mcp_task_new (self->channel, task);
  if (self->remote == NULL)
    {
      fail_protocol (self, _ ("The server answered in a way that is not known"));
      return;
    }
  if (self->spec->task_begun != NULL)
    self->spec->task_begun (gadget_mcp_task_get_id (self->remote), self->spec->user_data);
  gadget_mcp_task_run_async (self->remote, task_asks, self, self->cancellable, task_over_cb,
                             g_object_ref (self));
}

static void
answered_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GadgetMcpCall) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonNode) data = NULL;
  g_autoptr (JsonObject) result =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), async_result, &data, &error);
  const char *type;

  if (result == NULL)
    {
      if (!ask_for_addresses (self, error, data))
        fail (self, error);
      return;
    }
  type = gadget_json_get_string (result, "resultType");
  if (self->spec->as_task && gadget_json_get_object (result, "task") != NULL)
    follow_task (self, gadget_json_get_object (result, "task"));
  else if (type != NULL && g_str_equal (type, "task"))
    follow_task (self, result);
  else if (type == NULL || g_str_equal (type, "complete"))
    succeed (self, result);
  else if (g_str_equal (type, "input_required"))
    handle_input_required (self, result);
  else
    fail_protocol (self, _ ("The server answered in a way that is not known"));
}

static void
start_round (GadgetMcpCall *self)
{
  const GadgetMcpRequest request = {
    .method = "tools/call",
    .headers = self->spec->headers,
    .idle_ms = IDLE_MS,
    .limit_ms = LIMIT_MS,
    .progress = self->spec->progress,
    .progress_data = self->spec->user_data,
  };
  JsonObject *params = json_object_new ();

  json_object_set_string_member (params, "name", self->spec->tool);
  json_object_set_object_member (params, "arguments", json_object_ref (self->spec->arguments));
  if (self->responses != NULL && json_object_get_size (self->responses) > 0)
    json_object_set_object_member (params, "inputResponses", json_object_ref (self->responses));
  if (self->state != NULL)
    json_object_set_string_member (params, "requestState", self->state);
  if (self->spec->as_task)
    json_object_set_object_member (params, "task", json_object_new ());
  g_clear_pointer (&self->responses, json_object_unref);
  self->request_id = gadget_mcp_channel_request_async (
      self->channel, &request, params, self->cancellable, answered_cb, g_object_ref (self));
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_call_finalize (GObject *object)
{
  GadgetMcpCall *self = GADGET_MCP_CALL (object);

  g_assert (self->task == NULL);
  g_queue_clear_full (&self->questions, question_free);
  g_clear_object (&self->channel);
  g_clear_object (&self->cancellable);
  gadget_mcp_call_spec_free (self->spec);
  g_clear_pointer (&self->responses, json_object_unref);
  g_free (self->state);
  g_clear_error (&self->required);

  G_OBJECT_CLASS (gadget_mcp_call_parent_class)->finalize (object);
}

static void
gadget_mcp_call_class_init (GadgetMcpCallClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_call_finalize;
}

static void
gadget_mcp_call_init (GadgetMcpCall *self)
{
  g_queue_init (&self->questions);
}

/**
 * gadget_mcp_call_new:
 * @channel: a reference is kept
 * @spec: copied
 *
 * Returns: (transfer full): a call that gadget_mcp_call_run_async () can run once
 */
GadgetMcpCall *
gadget_mcp_call_new (GadgetMcpChannel *channel, const GadgetMcpCallSpec *spec)
{
  GadgetMcpCall *self;

  g_return_val_if_fail (GADGET_IS_MCP_CHANNEL (channel) && spec != NULL, NULL);

  self = g_object_new (GADGET_TYPE_MCP_CALL, NULL);
  self->channel = g_object_ref (channel);
  self->spec = gadget_mcp_call_spec_copy (spec);
  return self;
}

/**
 * gadget_mcp_call_is_of:
 * @request_id: the id of a request, or 0
 * @task_id: (nullable): the server's id of a task
 *
 * Returns: whether the server runs the call as that task, or the request is the latest one that the
 *   call, or its task, has made
 */
gboolean
gadget_mcp_call_is_of (GadgetMcpCall *self, gint64 request_id, const char *task_id)
{
  g_return_val_if_fail (GADGET_IS_MCP_CALL (self), FALSE);

  if (self->remote != NULL && g_strcmp0 (gadget_mcp_task_get_id (self->remote), task_id) == 0)
    return TRUE;
  return request_id != 0
         && (request_id == self->request_id
             || (self->remote != NULL
                 && request_id == gadget_mcp_task_get_request_id (self->remote)));
}

/**
 * gadget_mcp_call_run_async:
 * @cancellable: (nullable): ends the call at once, whatever the server does, and withdraws a
 *   question that the user is being asked
 *
 * Runs the call. To be called once.
 */
void
gadget_mcp_call_run_async (GadgetMcpCall *self, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_MCP_CALL (self) && self->task == NULL);

  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->task, gadget_mcp_call_run_async);
  g_set_object (&self->cancellable, cancellable);
  start_round (self);
}

/**
 * gadget_mcp_call_run_finish:
 *
 * Returns: (transfer full): the result of the tool, which may be a failure reported by the tool
 *   itself; or %NULL with an error as of gadget_mcp_channel_request_finish (), or with
 *   %GADGET_MCP_ERROR_PROTOCOL
 */
GadgetMcpResult *
gadget_mcp_call_run_finish (GadgetMcpCall *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
