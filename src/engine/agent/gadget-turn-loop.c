/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop that works on one turn.
 *
 *   read chat ─▶ find the key ─▶ ask ◀────────────────────────┐   (before it, if the chat has
 *                                 │ streamed into items       │    outgrown the model: summarize)
 *                                 ▼                           │
 *                        calls? ── yes ─▶ run them in parallel ┘ all settled
 *                                 │ no
 *                                 ▼
 *                               unwind ─▶ commit ─▶ done
 *
 * After each asynchronous step the loop first checks whether the run was aborted. If it was, the
 * loop unwinds, whatever the step returned. The loop unwinds once, and only when nothing that it
 * started is in flight any more: the provider has returned, and every call has settled. The
 * exception is what the user no longer wants to wait for: a tool that does not stop, or a subagent
 * that hangs in something else. These are given up, and what they return later is ignored.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-turn-loop"

#include "config.h"

#include "gadget-turn-loop.h"

#include "gadget-call-batch.h"
#include "gadget-compaction.h"
#include "gadget-context-fit.h"
#include "gadget-failure.h"
#include "agent/instructions/gadget-instructions.h"
#include "gadget-limiter.h"
#include "gadget-response-builder.h"
#include "gadget-steering.h"
#include "gadget-turn-commit.h"
#include "gadget-turn-instructions.h"
#include "gadget-turn-preparation.h"
#include "session/gadget-history.h"
#include "session/gadget-session-pictures.h"
#include "store/usage/gadget-usage-report.h"

#include <string.h>

struct _GadgetTurnLoop
{
  GObject parent_instance;

  GadgetTurnEnvironment *environment;
  GadgetRun *run;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal; /* (nullable) */
  GadgetTurnOptions options;
  GadgetTaskHost *task_host; /* runs its subagents */
  GadgetEffects *effects;    /* (nullable) */
  char *lease_session_id;    /* the session whose lease it works under */
  GTask *task;

  GadgetProvider *provider;
  GadgetModelLimit *limit; /* of the model; owned by the agent's table */
  guint step;
  gboolean compacted;                /* summarizing was tried for this step */
  gint64 sent_tokens;                /* the estimated size of the last request */
  gint64 sent_at;                    /* when it was made, in milliseconds of the turn's time */
  guint n_tools;                     /* how many tools that request offered */
  guint n_tools_left_out;            /* how many it left out for want of room */
  GError *too_long_error;            /* (nullable): the error of a request that was too long */
  GCancellable *context_length_call; /* (nullable): asks how much the model can read */
  GCancellable *request_call;        /* (nullable): requests the response of this step */
  gboolean repeats_request;          /* the user stopped that call; the request is repeated */
  GadgetResponseBuilder *response;   /* (nullable): of this step */
  GadgetCallBatch *batch;            /* (nullable): of this step */

  char *error_code;
  char *error_detail;

  GadgetBudget *budget;
  GadgetLimiter *limiter; /* (nullable): NULL until the loop runs */
  gboolean reading_day;   /* it waits for what the turns of this day cost */
  gboolean unwinding;     /* it only waits for what it is stopping */
  gboolean given_up;      /* it ended without what it waited for, which may still return */
};

G_DEFINE_FINAL_TYPE (GadgetTurnLoop, gadget_turn_loop, G_TYPE_OBJECT)

static void next_step (GadgetTurnLoop *self);        /* forms the cycle of the loop */
static void request_response (GadgetTurnLoop *self); /* called again after summarizing */

static void
gadget_turn_loop_dispose (GObject *object)
{
  GadgetTurnLoop *self = GADGET_TURN_LOOP (object);

  g_clear_object (&self->task_host);
  g_clear_object (&self->batch);
  g_clear_object (&self->context_length_call);
  g_clear_object (&self->request_call);
  g_clear_object (&self->effects);
  g_clear_object (&self->provider);
  g_clear_object (&self->journal);
  g_clear_object (&self->turn);
  g_clear_object (&self->options.chat);
  g_clear_object (&self->session);
  g_clear_object (&self->run);
  g_clear_object (&self->environment);

  G_OBJECT_CLASS (gadget_turn_loop_parent_class)->dispose (object);
}

static void
gadget_turn_loop_finalize (GObject *object)
{
  GadgetTurnLoop *self = GADGET_TURN_LOOP (object);

  g_clear_pointer (&self->limiter, _gadget_limiter_free);
  g_clear_pointer (&self->budget, _gadget_budget_unref);
  g_clear_error (&self->too_long_error);
  g_clear_pointer (&self->response, _gadget_response_builder_free);
  g_free (self->lease_session_id);
  g_free (self->error_code);
  g_free (self->error_detail);

  G_OBJECT_CLASS (gadget_turn_loop_parent_class)->finalize (object);
}

static void
gadget_turn_loop_class_init (GadgetTurnLoopClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_turn_loop_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_turn_loop_finalize;
}

static void
gadget_turn_loop_init (GadgetTurnLoop *self)
{
}

static void
set_phase (GadgetTurnLoop *self, GadgetTurnPhase phase)
{
  if (!gadget_run_is_aborted (self->run))
    gadget_turn_set_phase (self->turn, phase);
}

static void
set_error (GadgetTurnLoop *self, const GError *error)
{
  g_free (self->error_code);
  self->error_code = gadget_failure_code_from_error (error);
  g_set_str (&self->error_detail, error->message);
}

/* --- The end ---------------------------------------------------------------------------------- */

static void
return_once (GadgetTurnLoop *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
committed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;

  _gadget_turn_commit_finish (result);
  gadget_session_drop_pictures (self->session);
  return_once (self);
}

static void
commit (GadgetTurnLoop *self)
{
  if (self->journal == NULL)
    return_once (self);
  else
    _gadget_turn_commit_async (self->environment, self->journal, self->turn, self->lease_session_id,
                               committed_cb, g_object_ref (self));
}

/* Fixes the outcome of the run first, then applies it to the turn and has the turn written. */
static void
seal (GadgetTurnLoop *self)
{
  GadgetStopReason reason;
  gboolean aborted;

  /* The loop was given up, and what it waited for has returned only now. */
  if (gadget_run_get_state (self->run) != GADGET_RUN_RUNNING)
    return;
  reason = gadget_run_seal (self->run);
  aborted = reason != GADGET_STOP_NONE;
  _gadget_limiter_stop (self->limiter);
  gadget_turn_settle_items (self->turn, aborted);
  gadget_receipt_mark_settled (gadget_run_get_receipt (self->run));

  if (aborted)
    gadget_turn_abort (self->turn, reason);
  else if (self->error_code != NULL)
    {
      gadget_run_set_failure (self->run, self->error_detail);
      gadget_turn_fail (self->turn, self->error_code, self->error_detail);
      gadget_session_set_queue_paused (self->session, TRUE);
    }
  else if (self->response != NULL && _gadget_response_builder_is_short (self->response))
    gadget_turn_finish_short (self->turn);
  else
    gadget_turn_finish (self->turn);
  commit (self);
}

/* Called once, when nothing that the loop waits for is in flight any more. The question about the
 * model's context length, which runs beside the loop, is stopped here. */
static void
unwind (GadgetTurnLoop *self)
{
  if (self->context_length_call == NULL)
    {
      seal (self);
      return;
    }
  self->unwinding = TRUE;
  gadget_run_stop_call (self->run, self->context_length_call);
}

static void
context_length_answered_cb (gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;

  g_clear_object (&self->context_length_call);
  if (self->unwinding && !self->given_up)
    seal (self);
}

/* --- Tool calls ------------------------------------------------------------------------------- */

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;

  _gadget_call_batch_run_finish (GADGET_CALL_BATCH (source), result);
  next_step (self);
}

static GadgetCall *
make_call (GadgetTurnLoop *self, GadgetItem *item)
{
  GadgetTool *tool = gadget_toolbox_find (self->environment->toolbox, gadget_item_get_name (item));
  const GadgetPolicyCase given = { self->options.chat, self->options.approval,
                                   self->options.interactive, item };
  GadgetCall *call =
      _gadget_call_new (self->run, tool, gadget_session_get_workspace (self->session),
                        self->environment->policy, &given, self->task_host, self->effects);

  _gadget_call_set_versions_read (call, gadget_versions_read_of (G_OBJECT (self->session)));
  return call;
}

static void
run_calls (GadgetTurnLoop *self)
{
  const GPtrArray *items = _gadget_response_builder_get_calls (self->response);

  g_clear_object (&self->batch);
  self->batch = _gadget_call_batch_new (self->environment->clock, self->run, self->turn);
  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (GadgetCall) call = NULL;

      if (g_ptr_array_index (items, i) == NULL
          || gadget_item_get_status (g_ptr_array_index (items, i)) != GADGET_ITEM_PENDING)
        continue;
      call = make_call (self, g_ptr_array_index (items, i));
      _gadget_call_batch_add (self->batch, call);
    }
  _gadget_call_batch_run_async (self->batch, settled_cb, g_object_ref (self));
}

/* --- The model's answer ----------------------------------------------------------------------- */

static void
event_cb (const GadgetChatEvent *event, gpointer user_data)
{
  GadgetTurnLoop *self = user_data;
  g_autofree char *replay_source = NULL;
  GadgetTurnPhase phase;

  if (gadget_run_is_aborted (self->run) || self->repeats_request)
    return;
  /* If the chat names no model, the provider has asked its server for one by now. */
  if (event->replay != NULL)
    replay_source =
        gadget_provider_dup_replay_source (self->provider, gadget_turn_get_model (self->turn));
  _gadget_response_builder_set_replay_source (self->response, replay_source);
  phase = _gadget_response_builder_take (self->response, event);
  if (phase != GADGET_PHASE_IDLE)
    set_phase (self, phase);
}

/* The user no longer waits for a connection on which nothing arrives. If nothing of the response
 * has arrived, the request is made again; else the turn fails with what has arrived. */
static void
repeat_request (GadgetTurnLoop *self)
{
  g_autoptr (GError) error = NULL;

  self->repeats_request = FALSE;
  if (_gadget_response_builder_is_silent (self->response))
    {
      request_response (self);
      return;
    }
  error = g_error_new_literal (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT,
                               "Nothing more came on the connection, so it was closed");
  set_error (self, error);
  unwind (self);
}

/* Reports the tools that were left out, once for each model and only after a response: a request
 * that is refused as too long is repeated with fewer tools. */
static void
report_tools_left_out (GadgetTurnLoop *self)
{
  const GadgetTurnEnvironment *environment = self->environment;

  if (!self->limit->lowered || self->n_tools_left_out == 0)
    return;
  self->limit->lowered = FALSE;
  self->limit->reported = TRUE;
  if (environment->tools_left_out != NULL)
    environment->tools_left_out (self->options.chat, self->turn, self->n_tools,
                                 self->n_tools_left_out, environment->tools_left_out_data);
}

/* (nullable): the id of the user's chat */
static const char *
get_stored_chat (GadgetTurnLoop *self)
{
  return self->journal != NULL ? self->lease_session_id : NULL;
}

/* Returns what the request that has ended used. */
static GadgetUsageRecord
count_request (GadgetTurnLoop *self, gboolean whole, gboolean *used)
{
  GadgetRun *uppermost = gadget_run_get_uppermost (self->run);
  GadgetUsageRecord record = {
    .chat = get_stored_chat (self),
    .turn = gadget_run_get_turn_id (uppermost),
    .provider = gadget_turn_get_provider (self->turn),
    .model = gadget_turn_get_model (self->turn),
    .purpose = uppermost == self->run ? GADGET_USAGE_REPLY : GADGET_USAGE_SUBAGENT,
    .ms = MAX (gadget_turn_get_now (self->turn) - self->sent_at, 0),
  };

  *used = _gadget_response_builder_get_usage (self->response, whole, &record.usage);
  if (*used)
    _gadget_turn_environment_count (self->environment, &record);
  return record;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean answered = gadget_provider_chat_finish (GADGET_PROVIDER (source), result, &error);
  const gboolean aborted = gadget_run_is_aborted (self->run);
  gboolean used;
  const GadgetUsageRecord record = count_request (self, answered && !aborted, &used);

  gadget_run_remove_call (self->run, self->request_call);
  g_clear_object (&self->request_call);
  if (self->given_up)
    return;
  _gadget_response_builder_settle (self->response, answered && !aborted,
                                   used ? &record.usage : NULL);
  if (aborted)
    {
      unwind (self);
      return;
    }
  if (self->repeats_request && !answered)
    {
      repeat_request (self);
      return;
    }
  self->repeats_request = FALSE;
  if (answered && _gadget_response_builder_is_silent (self->response))
    g_set_error_literal (&error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_EMPTY,
                         "the answer has no content");
  if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CONTEXT)
      && _gadget_response_builder_is_silent (self->response))
    {
      self->too_long_error = g_steal_pointer (&error);
      _gadget_model_limits_learn_refusal (self->environment->model_limits, self->limit,
                                          self->sent_tokens);
      request_response (self);
      return;
    }
  if (error != NULL)
    {
      set_error (self, error);
      unwind (self);
      return;
    }
  _gadget_model_limits_learn (self->environment->model_limits, self->limit, self->sent_tokens,
                              _gadget_response_builder_get_input_tokens (self->response));
  report_tools_left_out (self);
  if (_gadget_response_builder_has_whole_calls (self->response))
    run_calls (self);
  else
    unwind (self);
}

static void
limit_answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;

  _gadget_limiter_halt_finish (result);
  next_step (self);
}

/* A tool is not offered if its calls would be refused whatever the arguments are. */
static gboolean
is_offered (GadgetTool *tool, gpointer user_data)
{
  GadgetTurnLoop *self = user_data;
  GadgetAccess access;

  if (!gadget_task_host_may_offer (self->task_host, gadget_tool_get_name (tool)))
    return FALSE;
  return !gadget_tool_get_least_access (tool, &access)
         || gadget_policy_may_allow (self->environment->policy, self->options.chat,
                                     self->options.approval, gadget_tool_get_name (tool), &access);
}

static void
set_instructions (GadgetTurnLoop *self, GadgetRequest *request)
{
  g_free (request->system);
  request->system =
      gadget_instructions_new (self->session, gadget_turn_get_started_at (self->turn),
                               request->tools, _gadget_model_limit_is_small (self->limit));
}

static GadgetRequest *
make_request (GadgetTurnLoop *self, const char *replay_source)
{
  GadgetRequest *request = gadget_history_build (self->session, replay_source);

  request->model = g_strdup (gadget_turn_get_model (self->turn));
  gadget_toolbox_add_to (self->environment->toolbox, request, is_offered, self);
  set_instructions (self, request);
  return request;
}

static void
compacted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;
  const gboolean done = _gadget_compaction_finish (result);

  if (self->given_up)
    return;
  if (gadget_run_is_aborted (self->run))
    {
      unwind (self);
      return;
    }
  if (done)
    {
      g_clear_error (&self->too_long_error);
      /* If it is not known how much the model can read, there may be room for all tools now. */
      if (self->limit->context_length == 0)
        _gadget_model_limits_set_tool_tokens (self->environment->model_limits, self->limit, -1);
    }
  request_response (self);
}

static void
ask_context_length (GadgetTurnLoop *self, GadgetRequest *request)
{
  if (self->context_length_call != NULL)
    return;
  self->context_length_call =
      _gadget_model_limits_ask (self->environment->model_limits, self->limit, self->provider,
                                request, self->run, context_length_answered_cb, self);
  if (self->context_length_call != NULL)
    g_object_ref (self); /* until context_length_answered_cb () */
}

static void
summarize (GadgetTurnLoop *self, GadgetRequest *request)
{
  self->compacted = TRUE;
  set_phase (self, GADGET_PHASE_COMPACTING);
  _gadget_compaction_async (self->environment, get_stored_chat (self), self->run, self->provider,
                            self->session, self->turn, self->step, request,
                            _gadget_model_limit_get_window (self->limit), compacted_cb,
                            g_object_ref (self));
}

static void
send_request (GadgetTurnLoop *self, GadgetRequest *request, const char *replay_source)
{
  g_clear_error (&self->too_long_error);
  set_phase (self, GADGET_PHASE_WAITING);
  g_clear_pointer (&self->response, _gadget_response_builder_free);
  self->sent_tokens = gadget_request_count_tokens (request);
  self->sent_at = gadget_turn_get_now (self->turn);
  self->response =
      _gadget_response_builder_new (self->turn, self->step, replay_source, self->sent_tokens);
  self->request_call = gadget_run_add_call (self->run);
  gadget_provider_chat_async (self->provider, request, event_cb, self,
                              gadget_run_get_receipt (self->run), self->request_call, answered_cb,
                              g_object_ref (self));
}

static void
request_response (GadgetTurnLoop *self)
{
  g_autofree char *replay_source =
      gadget_provider_dup_replay_source (self->provider, gadget_turn_get_model (self->turn));
  g_autoptr (GadgetRequest) request = make_request (self, replay_source);
  const guint n_tools = request->tools->len;

  ask_context_length (self, request);
  switch (_gadget_context_fit (self->environment->model_limits, self->limit, request,
                               self->too_long_error != NULL ? self->sent_tokens : 0,
                               !self->compacted))
    {
    case GADGET_CONTEXT_FIT_SUMMARIZE:
      summarize (self, request);
      break;
    case GADGET_CONTEXT_FIT_TOO_LONG:
      /* A request can be too long only after the provider has refused it. */
      g_assert (self->too_long_error != NULL);
      set_error (self, self->too_long_error);
      unwind (self);
      break;
    case GADGET_CONTEXT_FIT_SEND:
    default:
      self->n_tools = request->tools->len;
      self->n_tools_left_out = n_tools - self->n_tools;
      /* The instructions name no tool that is not offered. */
      if (self->n_tools_left_out > 0)
        set_instructions (self, request);
      send_request (self, request, replay_source);
    }
}

static void take_step (GadgetTurnLoop *self);

static void
day_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUsageReport) report = gadget_usage_report_finish (result, &error);

  if (!self->reading_day || self->given_up)
    return;
  self->reading_day = FALSE;
  /* Without the sum the limit would not hold. */
  if (report == NULL)
    {
      g_prefix_error_literal (&error, "what the replies of this day cost could not be read: ");
      set_error (self, error);
      unwind (self);
      return;
    }
  _gadget_budget_set_day_cost (self->budget, report->total.usage.cost);
  take_step (self);
}

static gint64
get_midnight_ms (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) midnight =
      g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                             g_date_time_get_day_of_month (now), 0, 0, 0);

  return g_date_time_to_unix (midnight) * 1000;
}

/* The store has the usage of all requests that have ended, also of those of other processes. */
static void
next_step (GadgetTurnLoop *self)
{
  if (gadget_run_is_aborted (self->run))
    {
      unwind (self);
      return;
    }
  if (self->environment->storage == NULL
      || _gadget_budget_get_limit (self->budget, GADGET_LIMIT_DAY_COST) == 0)
    {
      take_step (self);
      return;
    }
  self->reading_day = TRUE;
  gadget_usage_report_async (self->environment->storage->store, self->environment->prices,
                             get_midnight_ms (), G_MAXINT64, 0, day_read_cb, g_object_ref (self));
}

/* The question about instructions comes before the first step. */
static gboolean
has_steps (GadgetTurn *turn)
{
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    if (gadget_item_get_kind (gadget_turn_get_item (turn, i)) != GADGET_ITEM_NOTE)
      return TRUE;
  return FALSE;
}

static void
take_step (GadgetTurnLoop *self)
{
  if (_gadget_limiter_is_reached (self->limiter))
    {
      _gadget_limiter_halt_async (self->limiter, limit_answered_cb, g_object_ref (self));
      return;
    }
  if (has_steps (self->turn))
    self->step++;
  _gadget_limiter_count_step (self->limiter);
  _gadget_steering_take (self->session, self->turn, self->step);
  self->compacted = FALSE;
  request_response (self);
}

/* --- The beginning ---------------------------------------------------------------------------- */

static void
instructions_ready_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;

  _gadget_turn_instructions_finish (result);
  if (!self->given_up)
    next_step (self);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetTurnLoop) self = user_data;
  g_autoptr (GError) error = NULL;

  self->provider = _gadget_turn_preparation_finish (result, &error);
  self->limit = _gadget_model_limits_get (self->environment->model_limits,
                                          gadget_turn_get_provider (self->turn),
                                          gadget_turn_get_model (self->turn));
  if (self->provider == NULL && !gadget_run_is_aborted (self->run))
    {
      set_error (self, error);
      unwind (self);
      return;
    }
  if (self->provider == NULL)
    next_step (self);
  else
    _gadget_turn_instructions_async (self->environment, self->run, self->session, self->turn,
                                     &self->options, instructions_ready_cb, g_object_ref (self));
}

static gboolean
unwind_cb (gpointer user_data)
{
  unwind (user_data);
  return G_SOURCE_REMOVE;
}

static void
aborted_cb (GadgetRun *run, GadgetTurnLoop *self)
{
  g_autoptr (GSource) source = NULL;

  /* The last thing in flight may have returned while the run was being aborted, and sealed it. */
  if (gadget_run_get_state (run) != GADGET_RUN_RUNNING)
    return;
  gadget_turn_set_phase (self->turn, GADGET_PHASE_ABORTING);
  if (self->batch != NULL)
    _gadget_call_batch_watch (self->batch);
  if (!self->reading_day)
    return;
  self->reading_day = FALSE;
  /* Nothing completes before the call that aborts has returned. */
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gadget] unwind a turn");
  g_source_set_callback (source, unwind_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, NULL);
}

/* The changes that a subagent makes belong to the turn of the user's chat. */
static GadgetEffects *
make_effects (GadgetTurnLoop *self)
{
  const GadgetTurnStorage *storage =
      _gadget_turn_environment_get_storage (self->environment, self->options.chat);
  const char *workspace = gadget_session_get_workspace (self->session);

  if (storage == NULL)
    return NULL;
  /* The first snapshot is taken now: it takes less time than the model until its first command. */
  if (workspace != NULL)
    gadget_snapshot_service_prepare (storage->snapshots, workspace);
  return gadget_effects_new (storage->snapshots,
                             gadget_run_get_turn_id (gadget_run_get_uppermost (self->run)),
                             gadget_turn_get_id (self->turn), workspace);
}

static void
take_journal (GadgetTurnLoop *self, GadgetJournal *journal)
{
  self->journal = g_object_ref (journal);
  gadget_unsaved_turns_watch (self->environment->storage->unsaved_turns, journal);
}

GadgetTurnLoop *
_gadget_turn_loop_new (GadgetTurnEnvironment *environment, GadgetRun *run, GadgetSession *session,
                       GadgetTurn *turn, GadgetJournal *journal, const GadgetTurnOptions *options,
                       GadgetBudget *budget)
{
  GadgetTurnLoop *self = g_object_new (GADGET_TYPE_TURN_LOOP, NULL);

  self->environment = g_object_ref (environment);
  self->run = g_object_ref (run);
  self->session = g_object_ref (session);
  self->turn = g_object_ref (turn);
  if (journal != NULL)
    take_journal (self, journal);
  self->options = *options;
  gadget_turn_options_drop_lent (&self->options);
  if (self->options.chat == NULL)
    self->options.chat = session;
  g_object_ref (self->options.chat);
  self->budget = budget != NULL ? _gadget_budget_ref (budget)
                                : _gadget_budget_new (environment->clock, run, turn,
                                                      &options->limits, options->interactive);
  self->effects = make_effects (self);
  self->lease_session_id = g_strdup (gadget_run_get_session_id (gadget_run_get_uppermost (run)));
  g_signal_connect_object (run, "aborted", G_CALLBACK (aborted_cb), self, G_CONNECT_DEFAULT);
  return self;
}

void
_gadget_turn_loop_keep (GadgetTurnLoop *self, GadgetJournal *journal)
{
  g_return_if_fail (self->journal == NULL);

  take_journal (self, journal);
  self->effects = make_effects (self);
}

void
_gadget_turn_loop_run_async (GadgetTurnLoop *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TURN_LOOP (self) && self->task == NULL && self->task_host != NULL);

  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->task, _gadget_turn_loop_run_async);
  set_phase (self, GADGET_PHASE_WAITING);
  self->limiter = _gadget_limiter_new (self->environment->clock, self->budget, self->run,
                                       self->turn, self->options.deadline_ms);
  if (self->given_up)
    {
      seal (self);
      return;
    }
  _gadget_turn_preparation_async (self->environment, self->run, self->session, self->turn,
                                  self->journal != NULL, prepared_cb, g_object_ref (self));
}

void
_gadget_turn_loop_run_finish (GadgetTurnLoop *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

GadgetRun *
_gadget_turn_loop_get_run (GadgetTurnLoop *self)
{
  return self->run;
}

GadgetSession *
_gadget_turn_loop_get_session (GadgetTurnLoop *self)
{
  return self->session;
}

GadgetTurn *
_gadget_turn_loop_get_turn (GadgetTurnLoop *self)
{
  return self->turn;
}

const GadgetTurnOptions *
_gadget_turn_loop_get_options (GadgetTurnLoop *self)
{
  return &self->options;
}

GadgetBudget *
_gadget_turn_loop_get_budget (GadgetTurnLoop *self)
{
  return self->budget;
}

void
_gadget_turn_loop_set_task_host (GadgetTurnLoop *self, GadgetTaskHost *task_host)
{
  g_set_object (&self->task_host, task_host);
}

void
_gadget_turn_loop_register (GadgetTurnLoop *self)
{
  g_hash_table_insert (self->environment->loops, g_strdup (gadget_run_get_id (self->run)),
                       g_object_ref (self));
  gadget_registry_add (self->environment->registry, self->run);
}

/* The registry drops the run last: as long as it has the id, no other run can be added with it. */
void
_gadget_turn_loop_unregister (GadgetTurnLoop *self)
{
  g_autoptr (GadgetTurnEnvironment) environment = g_object_ref (self->environment);
  g_autoptr (GadgetRun) run = g_object_ref (self->run);

  g_hash_table_remove (environment->loops, gadget_run_get_id (run));
  gadget_run_end (run);
  gadget_registry_remove (environment->registry, run);
}

GadgetTurnLoop *
_gadget_turn_loop_find (GadgetTurnEnvironment *environment, GadgetSession *session)
{
  const char *run_id = gadget_session_get_active_run (session);

  return run_id != NULL ? g_hash_table_lookup (environment->loops, run_id) : NULL;
}

gboolean
_gadget_turn_loop_stop_tool (GadgetTurnLoop *self, const char *call_id)
{
  return self->batch != NULL && _gadget_call_batch_stop (self->batch, call_id);
}

gboolean
_gadget_turn_loop_ask_again (GadgetTurnLoop *self)
{
  if (self->request_call == NULL || self->given_up || gadget_run_is_aborted (self->run))
    return FALSE;
  self->repeats_request = TRUE;
  gadget_run_stop_call (self->run, self->request_call);
  return TRUE;
}

gboolean
_gadget_turn_loop_give_up (GadgetTurnLoop *self)
{
  if (gadget_run_get_state (self->run) != GADGET_RUN_RUNNING
      || (self->batch != NULL && !_gadget_call_batch_is_settled (self->batch)))
    return FALSE;
  self->given_up = TRUE;
  gadget_receipt_end_all (gadget_run_get_receipt (self->run), "stopped-waiting");
  /* A handler that heard of the turn's start may give it up before the loop runs, which seals it
   * then. */
  if (self->task != NULL)
    seal (self);
  return TRUE;
}

gboolean
_gadget_turn_loop_is_given_up (GadgetTurnLoop *self)
{
  return self->given_up;
}

gboolean
_gadget_turn_loop_stop_waiting (GadgetTurnLoop *self, const char *call_id)
{
  GadgetCall *call = self->batch != NULL ? _gadget_call_batch_find (self->batch, call_id) : NULL;
  GadgetItem *item = call != NULL ? _gadget_call_get_item (call) : NULL;

  if (call == NULL || !gadget_item_get_unresponsive (item))
    return FALSE;
  if (gadget_task_host_stop_waiting (self->task_host, item))
    return TRUE;
  _gadget_call_stop_waiting (call);
  return TRUE;
}

void
_gadget_turn_loop_give_up_all (GadgetTurnLoop *self)
{
  g_autoptr (GadgetTurnLoop) hold = g_object_ref (self);

  if (gadget_run_get_state (self->run) != GADGET_RUN_RUNNING)
    return;
  gadget_task_host_give_up (self->task_host);
  /* The loop unwinds when the last call has settled. */
  if (self->batch != NULL && !_gadget_call_batch_is_settled (self->batch))
    _gadget_call_batch_stop_waiting (self->batch);
  else
    _gadget_turn_loop_give_up (self);
}
