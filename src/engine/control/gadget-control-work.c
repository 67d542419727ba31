/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The methods Ask, Answer and StopTool of the D-Bus interface. A program that is not the user's may
 * continue, answer and stop only what it started itself. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"
#include "gadget-start-request.h"

#define FOREIGN_RUN "A run of this id is somebody else's"
#define ENDED_RUN "A run of this id has ended already"

static void
reply_to_ask (GadgetMethodCall *call, const GadgetStartResult *started, const GError *error)
{
  if (started == NULL)
    g_dbus_method_invocation_return_gerror (g_steal_pointer (&call->invocation), error);
  else
    _gadget_method_call_return (
        call, g_variant_new ("(sss)", started->session, started->turn, started->run));
}

static void
started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMethodCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetStartResult) started = gadget_start_request_finish (result, &error);

  while (call->request->duplicates->len > 0)
    {
      g_autoptr (GadgetMethodCall) same = g_ptr_array_steal_index (call->request->duplicates, 0);

      reply_to_ask (same, started, error);
    }
  reply_to_ask (call, started, error);
}

/* Returns the request for the same run that was accepted already, while it is being prepared
 * (transfer none) (nullable). */
static GadgetPendingRequest *
find_accepted (GadgetMethodCall *call)
{
  const char *run_id = call->request->run;

  for (guint i = 0; *run_id != '\0' && i < call->control->requests->len; i++)
    {
      GadgetPendingRequest *other = g_ptr_array_index (call->control->requests, i);

      if (other->accepted && !other->over && g_str_equal (other->run, run_id))
        return other;
    }
  return NULL;
}

/* Makes a call wait for the reply of another request for the same run id. The other parameters of
 * the later call are ignored. Returns FALSE if there is no such request. */
static gboolean
ask_together (GadgetMethodCall *call)
{
  GadgetPendingRequest *same = find_accepted (call);

  if (same == NULL)
    return FALSE;
  if (call->caller != GADGET_CALLER_USER
      && g_strcmp0 (same->sender, _gadget_method_call_get_sender (call)) != 0)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED, FOREIGN_RUN);
  else
    g_ptr_array_add (same->duplicates, _gadget_method_call_ref (call));
  return TRUE;
}

/* Handles a call whose run id is known: while the run works, the reply names that run. A run that
 * was stopped before it sent anything may be started again. Returns FALSE if a run is to be
 * started. */
static gboolean
ask_again (GadgetMethodCall *call)
{
  const char *run_id = call->request->run;
  const GadgetRunRecord *record = _gadget_control_find_record (call->control, run_id);

  if (record == NULL)
    return FALSE;
  if (!_gadget_method_call_may_access (call, run_id))
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED, FOREIGN_RUN);
  else if (record->over && record->unsent)
    return FALSE;
  else if (record->over)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_EXISTS, ENDED_RUN);
  else
    _gadget_method_call_return (
        call, g_variant_new ("(sss)", record->session_id != NULL ? record->session_id : "",
                             record->turn_id != NULL ? record->turn_id : "", run_id));
  return TRUE;
}

static gboolean
owns_session (GadgetMethodCall *call, const char *session_id)
{
  for (guint i = 0; i < call->control->records->len; i++)
    {
      const GadgetRunRecord *record = g_ptr_array_index (call->control->records, i);

      if (g_strcmp0 (record->session_id, session_id) == 0
          && gadget_run_record_may_access (record, GADGET_CALLER_UNKNOWN,
                                           _gadget_method_call_get_sender (call)))
        return TRUE;
    }
  return FALSE;
}

static void
ask_now (GadgetMethodCall *call)
{
  g_autoptr (GVariant) options = NULL;
  const char *session_id;
  const char *text;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s&s@a{sv})", &session_id, &text,
                 &options);
  if (!call->control->accepts_work || call->control->connection == NULL)
    {
      _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED,
                                        "This program takes no work; the window does");
      return;
    }
  if (ask_again (call) || ask_together (call))
    return;
  if (call->caller != GADGET_CALLER_USER && *session_id != '\0' && !owns_session (call, session_id))
    {
      _gadget_method_call_return_error (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who began a chat, and the user's own programs, may go on with it");
      return;
    }
  call->request->accepted = TRUE;
  gadget_start_request_async (call->control->engine, session_id, text, options,
                              call->caller == GADGET_CALLER_USER, call->control->shrink,
                              call->request, started_cb, _gadget_method_call_ref (call));
}

/* The run with that id may belong to another process, or may have ended long ago. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMethodCall) call = user_data;
  g_autoptr (GadgetStoreRun) run =
      gadget_store_find_run_finish (GADGET_STORE (source), result, NULL);
  const char *run_id = call->request->run;

  /* The records of this process are newer than the store. */
  if (run == NULL || _gadget_control_find_record (call->control, run_id) != NULL)
    ask_now (call);
  else if (call->caller != GADGET_CALLER_USER)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED, FOREIGN_RUN);
  else if (run->over && run->unsent)
    ask_now (call);
  else if (run->over)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_EXISTS, ENDED_RUN);
  else
    _gadget_method_call_return (call,
                                g_variant_new ("(sss)", run->session_id, run->turn_id, run_id));
}

void
_gadget_control_prepare_ask (GadgetMethodCall *call)
{
  call->request = gadget_pending_request_new (_gadget_method_call_get_sender (call),
                                              _gadget_method_call_get_parameters (call));
  g_ptr_array_add (call->control->requests, gadget_pending_request_ref (call->request));
}

void
_gadget_control_ask (GadgetMethodCall *call)
{
  GadgetStore *store = gadget_engine_get_store (call->control->engine);
  const char *run_id = call->request->run;

  if (store == NULL || !call->control->accepts_work || *run_id == '\0'
      || _gadget_control_find_record (call->control, run_id) != NULL)
    ask_now (call);
  else
    gadget_store_find_run_async (store, run_id, found_cb, _gadget_method_call_ref (call));
}

/* @value is a string, or a dictionary with "answer" and optionally "note". The results point into
 * it. */
static gboolean
read_answer (GVariant *value, const char **answer, const char **note)
{
  *note = NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      *answer = g_variant_get_string (value, NULL);
      return TRUE;
    }
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT)
      || !g_variant_lookup (value, "answer", "&s", answer))
    return FALSE;
  g_variant_lookup (value, "note", "&s", note);
  return TRUE;
}

void
_gadget_control_answer (GadgetMethodCall *call)
{
  g_autoptr (GVariant) value = NULL;
  const GadgetRunRecord *record;
  GadgetPrompt *prompt = NULL;
  const char *run_id;
  const char *id;
  const char *text;
  const char *note;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s&s@v)", &run_id, &id, &value);
  g_autoptr (GVariant) inner = g_variant_get_variant (value);

  record = _gadget_control_find_record (call->control, run_id);
  if (!_gadget_method_call_may_access (call, run_id))
    {
      _gadget_method_call_return_error (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who started a run, and the user's own programs, may answer it");
      return;
    }
  if (record != NULL && record->feed != NULL)
    prompt = gadget_event_feed_find_prompt (record->feed, id);
  if (prompt == NULL || !gadget_prompt_is_open (prompt))
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_NOT_FOUND,
                                      "Nothing of that id waits for an answer");
  else if (!read_answer (inner, &text, &note))
    _gadget_method_call_return_error (
        call, GADGET_CONTROL_ERROR_INVALID,
        "The answer is neither a string nor a dictionary with \"answer\"");
  else if (call->caller != GADGET_CALLER_USER
           && gadget_prompt_get_kind (prompt) == GADGET_PROMPT_PERMISSION
           && !g_str_equal (text, GADGET_PROMPT_DENY))
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
                                      "Only the user may allow that");
  else if (!gadget_prompt_answer_with_note (prompt, text, note))
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_INVALID,
                                      "The answer is not among the choices");
  else
    _gadget_method_call_return (call, NULL);
}

/* Returns the run that does the work shown in the session, which may be a subagent's (transfer
 * full) (nullable). */
static GadgetRun *
find_working_run (GadgetControl *self, const char *session_id)
{
  GadgetRegistry *registry = gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
  g_autoptr (GPtrArray) runs = gadget_registry_list (registry);

  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);
      const GadgetRunKind kind = gadget_run_get_kind (run);

      if ((kind == GADGET_RUN_TURN || kind == GADGET_RUN_SUBAGENT)
          && g_str_equal (gadget_run_get_session_id (run), session_id))
        return g_object_ref (run);
    }
  return NULL;
}

void
_gadget_control_stop_tool (GadgetMethodCall *call)
{
  g_autoptr (GadgetRun) run = NULL;
  const char *session_id;
  const char *call_id;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s&s)", &session_id, &call_id);
  run = find_working_run (call->control, session_id);
  if (run == NULL)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_NOT_FOUND,
                                      "Nothing is going on in that session");
  else if (!_gadget_method_call_may_access (call, gadget_run_get_id (run)))
    _gadget_method_call_return_error (
        call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
        "Only who started a run, and the user's own programs, may stop its tools");
  else
    _gadget_method_call_return (
        call, g_variant_new (
                  "(b)", gadget_agent_stop_call (gadget_engine_get_agent (call->control->engine),
                                                 gadget_run_get_id (run), call_id)));
}
