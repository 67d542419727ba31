/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The method Abort of the D-Bus interface. What it stops is looked up when the call arrives: the
 * runs, and the requests that came earlier and have no reply yet. Other processes are told as well
 * where nothing here has the name, and when everything is to be stopped. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"
#include "gadget-peers.h"

struct _GadgetAbortTargets
{
  GStrv runs;                /* ids */
  GPtrArray *requests;       /* (element-type GadgetPendingRequest) */
  gboolean stops_everything; /* the call names neither a session nor a run */
  gboolean has_match;        /* the call names a session or a run that exists here */
  GHashTable *aborted;       /* (element-type utf8): ids of the runs that were stopped */
  gboolean any_aborted;      /* something was stopped, which need not be a run */
};

void
_gadget_abort_targets_free (GadgetAbortTargets *self)
{
  g_strfreev (self->runs);
  g_ptr_array_unref (self->requests);
  g_hash_table_unref (self->aborted);
  g_free (self);
}

static GadgetRegistry *
get_registry (GadgetMethodCall *call)
{
  return gadget_agent_get_registry (gadget_engine_get_agent (call->control->engine));
}

/* --- When the call arrives --- */

static GStrv
dup_runs (GadgetMethodCall *call, const char *session_id, const char *run_id)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (get_registry (call));
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if ((*run_id == '\0' || g_strcmp0 (gadget_run_get_id (run), run_id) == 0)
          && (*session_id == '\0' || g_strcmp0 (gadget_run_get_session_id (run), session_id) == 0))
        g_strv_builder_add (ids, gadget_run_get_id (run));
    }
  return g_strv_builder_end (ids);
}

static GPtrArray *
list_requests (GadgetMethodCall *call, const char *session_id, const char *run_id)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_pending_request_unref);

  for (guint i = 0; i < call->control->requests->len; i++)
    {
      GadgetPendingRequest *request = g_ptr_array_index (call->control->requests, i);

      if (gadget_pending_request_matches (request, session_id, run_id))
        g_ptr_array_add (list, gadget_pending_request_ref (request));
    }
  return list;
}

void
_gadget_control_prepare_abort (GadgetMethodCall *call)
{
  GadgetAbortTargets *targets = g_new0 (GadgetAbortTargets, 1);
  const char *session_id;
  const char *run_id;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s&s)", &session_id, &run_id);
  targets->runs = dup_runs (call, session_id, run_id);
  targets->requests = list_requests (call, session_id, run_id);
  targets->stops_everything = *session_id == '\0' && *run_id == '\0';
  targets->has_match =
      !targets->stops_everything && (targets->runs[0] != NULL || targets->requests->len > 0);
  targets->aborted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  call->targets = targets;
}

/* --- When the caller is known --- */

static gboolean
may_abort_request (GadgetMethodCall *call, const GadgetPendingRequest *request)
{
  return call->caller == GADGET_CALLER_USER
         || g_strcmp0 (request->sender, _gadget_method_call_get_sender (call)) == 0;
}

/* Returns whether the caller may stop any of what the call names. */
static gboolean
may_abort_any (GadgetMethodCall *call)
{
  const GadgetAbortTargets *targets = call->targets;

  for (guint i = 0; i < targets->requests->len; i++)
    if (may_abort_request (call, g_ptr_array_index (targets->requests, i)))
      return TRUE;
  for (guint i = 0; targets->runs[i] != NULL; i++)
    if (_gadget_method_call_may_access (call, targets->runs[i]))
      return TRUE;
  return FALSE;
}

/* A request that has become a run by now is aborted like one; any other is marked, so that its run
 * is aborted as it starts. */
static void
abort_request (GadgetMethodCall *call, GadgetPendingRequest *request)
{
  GadgetAgent *agent = gadget_engine_get_agent (call->control->engine);
  g_autoptr (GadgetAbortAck) ack = NULL;

  if (!request->over)
    request->stopped = TRUE;
  if (request->reading != NULL)
    ack = gadget_agent_abort (agent, NULL, gadget_run_get_id (request->reading), GADGET_STOP_API);
  else if (request->over && request->started)
    ack = gadget_agent_abort (agent, NULL, request->run, GADGET_STOP_API);
  if (request->over && (ack == NULL || !ack->aborted))
    return;
  call->targets->any_aborted = TRUE;
  if (*request->run != '\0')
    g_hash_table_add (call->targets->aborted, g_strdup (request->run));
}

/* The acknowledgement lists the run and its children, which stop with it. */
static void
abort_run (GadgetMethodCall *call, const char *run_id)
{
  GadgetAgent *agent = gadget_engine_get_agent (call->control->engine);
  g_autoptr (GadgetAbortAck) ack = gadget_agent_abort (agent, NULL, run_id, GADGET_STOP_API);

  call->targets->any_aborted |= ack->aborted;
  for (guint i = 0; ack->aborted && ack->runs[i] != NULL; i++)
    g_hash_table_add (call->targets->aborted, g_strdup (ack->runs[i]));
}

static void
abort_here (GadgetMethodCall *call)
{
  GadgetAbortTargets *targets = call->targets;

  for (guint i = 0; i < targets->requests->len; i++)
    if (may_abort_request (call, g_ptr_array_index (targets->requests, i)))
      abort_request (call, g_ptr_array_index (targets->requests, i));
  for (guint i = 0; targets->runs[i] != NULL; i++)
    if (_gadget_method_call_may_access (call, targets->runs[i]))
      abort_run (call, targets->runs[i]);
  if (targets->stops_everything && call->caller == GADGET_CALLER_USER
      && gadget_registry_abort_uploads (get_registry (call)))
    targets->any_aborted = TRUE;
}

static void
return_aborted (GadgetMethodCall *call)
{
  const gboolean aborted = call->targets->any_aborted;
  g_autofree const char **runs =
      (const char **) g_hash_table_get_keys_as_array (call->targets->aborted, NULL);

  _gadget_method_call_return (
      call, g_variant_new ("(b^ass)", aborted, runs,
                           aborted ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING));
}

/* --- Other processes --- */

/* Only a program that takes work tells others, so that a stop does not go around in a circle. */
static gboolean
concerns_peers (GadgetMethodCall *call)
{
  return call->control->accepts_work && call->control->connection != NULL
         && call->caller == GADGET_CALLER_USER
         && (call->targets->stops_everything || !call->targets->has_match);
}

/* Nothing is known of a program that does not answer: it may have stopped, or be suspended. */
static void
return_silent (GadgetMethodCall *call, guint n_silent)
{
  g_autofree char *message =
      g_strdup_printf ("%u of Gadget's programs got the stop and did not answer", n_silent);

  _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED, message);
}

static void
peers_aborted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMethodCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetPeerAnswers) answers = gadget_peers_call_finish (result, &error);
  GadgetAbortTargets *targets = call->targets;
  gboolean any = FALSE;
  g_auto (GStrv) runs = answers != NULL ? gadget_peer_answers_dup_aborted (answers, &any) : NULL;

  for (guint i = 0; runs != NULL && runs[i] != NULL; i++)
    g_hash_table_add (targets->aborted, g_strdup (runs[i]));
  targets->any_aborted |= any;
  if (targets->any_aborted)
    return_aborted (call);
  else if (answers == NULL)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED, error->message);
  else if (answers->n_silent > 0)
    return_silent (call, answers->n_silent);
  else if (answers->refused != NULL)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED, answers->refused);
  else
    return_aborted (call);
}

static void
abort_peers (GadgetMethodCall *call)
{
  const char *session_id;
  const char *run_id;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s&s)", &session_id, &run_id);
  gadget_peers_abort_async (call->control->connection, session_id, run_id, peers_aborted_cb,
                            _gadget_method_call_ref (call));
}

void
_gadget_control_abort (GadgetMethodCall *call)
{
  if (call->targets->has_match && !may_abort_any (call))
    {
      _gadget_method_call_return_error (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who started a run, and the user's own programs, may abort it");
      return;
    }
  abort_here (call);
  if (concerns_peers (call))
    abort_peers (call);
  else
    return_aborted (call);
}
