/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The registry on D-Bus. Its rules:
 *
 * - Each call gets exactly one reply: as soon as its caller is identified, or (Wait) when the run
 *   is over, or when the object leaves the bus.
 * - The runs that a call names are looked up when it arrives, before the bus is asked about the
 *   caller. So a stop of "the session's run" can only stop the run of that moment. Requests that
 *   came earlier and have no reply yet count as runs then.
 * - A call that comes before the engine is open waits until it is, in order. The object is exported
 *   before the bus name is owned, so that a program that starts Gadget by its name finds it.
 * - A program that is not the user's may see, stop and answer only what it started. It may not
 *   grant permissions; otherwise it could do through the agent what it may not do itself. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"
#include "gadget-peers.h"
#include "control/gadget-agent-interface.h"

/* The number of runs that Wait can report after they ended. */
#define N_REMEMBERED 256

enum
{
  WANTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetControl, gadget_control, G_TYPE_OBJECT)

/* The request has its reply, whatever it was. */
static void
end_request (GadgetControlCall *call)
{
  if (!call->request->over)
    gadget_pending_request_end (call->request, NULL);
  g_ptr_array_remove (call->control->requests, call->request);
  g_clear_pointer (&call->request, gadget_pending_request_unref);
}

void
_gadget_control_call_free (GadgetControlCall *call)
{
  g_clear_object (&call->invocation);
  g_strfreev (call->runs);
  g_clear_pointer (&call->parameters, g_variant_unref);
  if (call->request != NULL)
    end_request (call);
  g_clear_pointer (&call->matching_requests, g_ptr_array_unref);
  g_clear_pointer (&call->aborted, g_hash_table_unref);
  g_object_unref (call->control);
  g_free (call);
}
static GadgetRegistry *
get_registry (GadgetControl *self)
{
  return gadget_agent_get_registry (gadget_engine_get_agent (self->engine));
}

/* --- Runs that start and end -------------------------------------------------------------------*/

GadgetRunRecord *
_gadget_control_find_record (GadgetControl *self, const char *run_id)
{
  for (guint i = 0; i < self->records->len; i++)
    {
      GadgetRunRecord *record = g_ptr_array_index (self->records, i);

      if (g_str_equal (record->run_id, run_id))
        return record;
    }
  return NULL;
}

/* Removes the oldest records of runs that are over, down to N_REMEMBERED. */
static void
forget_oldest (GadgetControl *self)
{
  for (guint i = 0; self->records->len > N_REMEMBERED && i < self->records->len; i++)
    {
      const GadgetRunRecord *old = g_ptr_array_index (self->records, i);

      if (old->over)
        g_ptr_array_remove_index (self->records, i--);
    }
}

static GVariant *
describe_run (GadgetRun *run)
{
  g_auto (GStrv) in_flight = gadget_receipt_dup_in_flight (gadget_run_get_receipt (run));
  const char *session_id = gadget_run_get_session_id (run);
  const char *turn_id = gadget_run_get_turn_id (run);
  const char *kind = gadget_run_kind_to_string (gadget_run_get_kind (run));
  GVariantDict details;

  g_variant_dict_init (&details, NULL);
  g_variant_dict_insert (&details, "run", "s", gadget_run_get_id (run));
  g_variant_dict_insert (&details, "session", "s", session_id != NULL ? session_id : "");
  g_variant_dict_insert (&details, "turn", "s", turn_id != NULL ? turn_id : "");
  g_variant_dict_insert (&details, "kind", "s", kind);
  if (gadget_run_get_parent (run) != NULL)
    g_variant_dict_insert (&details, "parent", "s",
                           gadget_run_get_id (gadget_run_get_parent (run)));
  g_variant_dict_insert (&details, "started", "x", gadget_run_get_started_at (run));
  g_variant_dict_insert (&details, "in-flight", "^as", in_flight);
  return g_variant_dict_end (&details);
}

/* Returns who asked for the run that is being started now, or NULL if it was not requested on the
 * bus. */
static const char *
find_starter (GadgetControl *self)
{
  for (guint i = 0; i < self->requests->len; i++)
    {
      const GadgetPendingRequest *request = g_ptr_array_index (self->requests, i);

      if (request->starting)
        return request->sender;
    }
  return NULL;
}

static GadgetRunRecord *
add_record (GadgetControl *self, GadgetRun *run)
{
  GadgetRunRecord *record = _gadget_control_find_record (self, gadget_run_get_id (run));

  /* A run id that comes again is a new run; nothing waits for the old one any more. */
  if (record != NULL)
    g_ptr_array_remove (self->records, record);
  record = gadget_run_record_new (run);
  record->owner = g_strdup (find_starter (self));
  g_ptr_array_add (self->records, record);
  return record;
}

static void
added_cb (GadgetRegistry *registry, GadgetRun *run, GadgetControl *self)
{
  _gadget_control_emit (self, add_record (self, run), "RunStarted",
                        g_variant_new ("(s@a{sv})", gadget_run_get_id (run), describe_run (run)));
}

static void
event_cb (const char *run_id, GVariant *event, gpointer user_data)
{
  const GadgetRunRecord *record = _gadget_control_find_record (user_data, run_id);

  if (record != NULL)
    _gadget_control_emit (user_data, record, "Event", g_variant_new ("(s@a{sv})", run_id, event));
}

static void
turn_started_cb (GadgetAgent *agent, GadgetSession *session, GadgetTurn *turn, const char *run_id,
                 GadgetControl *self)
{
  GadgetRunRecord *record = _gadget_control_find_record (self, run_id);

  if (record == NULL || record->over)
    return;
  g_set_object (&record->turn, turn);
  if (record->feed == NULL)
    record->feed = gadget_event_feed_new (run_id, turn, event_cb, self);
}

static void
removed_cb (GadgetRegistry *registry, GadgetRun *run, GadgetControl *self)
{
  GadgetRunRecord *record = _gadget_control_find_record (self, gadget_run_get_id (run));

  /* The run of a turn is over when its turn is completed, which follows. */
  if (record == NULL || record->turn_id != NULL)
    return;
  if (gadget_run_get_failure (run) != NULL)
    gadget_run_record_finish (record, FALSE, gadget_run_get_failure (run));
  else
    gadget_run_record_finish (record, TRUE, gadget_run_is_aborted (run) ? "aborted" : "finished");
  forget_oldest (self);
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              GadgetControl *self)
{
  for (guint i = 0; i < self->records->len; i++)
    {
      GadgetRunRecord *record = g_ptr_array_index (self->records, i);

      if (!record->over && g_strcmp0 (record->turn_id, turn_id) == 0)
        {
          gadget_run_record_finish (record, success, message);
          _gadget_control_emit (self, record, "Completed",
                                g_variant_new ("(sbs)", turn_id, success, message));
          forget_oldest (self);
          return;
        }
    }
}

/* --- Calls -------------------------------------------------------------------------------------*/

void
_gadget_control_call_answer (GadgetControlCall *call, GVariant *value)
{
  g_dbus_method_invocation_return_value (g_steal_pointer (&call->invocation), value);
}

void
_gadget_control_call_refuse (GadgetControlCall *call, GadgetControlError code, const char *message)
{
  g_dbus_method_invocation_return_error_literal (g_steal_pointer (&call->invocation),
                                                 GADGET_CONTROL_ERROR, (int) code, message);
}

GadgetControlCall *
_gadget_control_call_steal (GadgetControlCall *call)
{
  GadgetControlCall *later = g_new0 (GadgetControlCall, 1);

  later->control = g_object_ref (call->control);
  later->invocation = g_steal_pointer (&call->invocation);
  later->request = g_steal_pointer (&call->request);
  return later;
}

static void
identified_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetControlCall) call = user_data;

  call->func (call, gadget_caller_identify_finish (result));
}

static GadgetControlCall *
begin_call (GadgetControl *self, GDBusMethodInvocation *invocation)
{
  GadgetControlCall *call = g_new0 (GadgetControlCall, 1);

  call->control = g_object_ref (self);
  call->invocation = invocation;
  return call;
}

static void
identify (GadgetControlCall *call, GadgetControlCallFunc func)
{
  call->func = func;
  gadget_caller_identify_async (g_dbus_method_invocation_get_connection (call->invocation),
                                g_dbus_method_invocation_get_sender (call->invocation),
                                identified_cb, call);
}

const char *
_gadget_control_call_get_sender (GadgetControlCall *call)
{
  return g_dbus_method_invocation_get_sender (call->invocation);
}

gboolean
_gadget_control_call_is_open (GadgetControlCall *call, const char *run_id, GadgetCaller caller)
{
  const GadgetRunRecord *record = _gadget_control_find_record (call->control, run_id);

  if (record == NULL)
    return caller == GADGET_CALLER_USER;
  return gadget_run_record_is_open_to (record, caller, _gadget_control_call_get_sender (call));
}

/* Stops the requests that had no reply when the stop came. A request that has become a run by now
 * is aborted, and the id of its run is added to @aborted; any other request is aborted as its run
 * starts. Returns FALSE if the caller may not stop any of them. */
static gboolean
abort_asked (GadgetControlCall *call, GadgetCaller caller, GHashTable *aborted, guint *n_stopped)
{
  GadgetAgent *agent = gadget_engine_get_agent (call->control->engine);
  guint n_open = 0;

  for (guint i = 0; i < call->matching_requests->len; i++)
    {
      GadgetPendingRequest *request = g_ptr_array_index (call->matching_requests, i);
      g_autoptr (GadgetAbortAck) ack = NULL;

      if (caller != GADGET_CALLER_USER
          && g_strcmp0 (request->sender, _gadget_control_call_get_sender (call)) != 0)
        continue;
      n_open++;
      if (!request->over)
        request->stopped = TRUE;
      if (request->reading != NULL)
        ack =
            gadget_agent_abort (agent, NULL, gadget_run_get_id (request->reading), GADGET_STOP_API);
      else if (request->over && request->started)
        ack = gadget_agent_abort (agent, NULL, request->run, GADGET_STOP_API);
      if (request->over && (ack == NULL || !ack->aborted))
        continue;
      (*n_stopped)++;
      if (*request->run != '\0')
        g_hash_table_add (aborted, g_strdup (request->run));
    }
  return n_open > 0;
}

static void
answer_abort (GadgetControlCall *call, GHashTable *aborted, gboolean any)
{
  g_autofree const char **runs = (const char **) g_hash_table_get_keys_as_array (aborted, NULL);
  const gboolean stopped = any || runs[0] != NULL;

  _gadget_control_call_answer (
      call, g_variant_new ("(b^ass)", stopped, runs,
                           stopped ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING));
}

/* Returns whether other processes are told to stop as well: when the user stops everything, and
 * when nothing here has the name. Only a program that takes work tells others, so that a stop does
 * not go around in a circle. */
static gboolean
concerns_others (GadgetControlCall *call, GadgetCaller caller)
{
  return call->control->accepts_work && call->control->connection != NULL
         && caller == GADGET_CALLER_USER && (call->all || !call->named);
}

static void
others_aborted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetControlCall) call = user_data;
  g_autoptr (GadgetPeerAnswers) answers = gadget_peers_call_finish (result, NULL);
  gboolean any = FALSE;
  g_auto (GStrv) runs = answers != NULL ? gadget_peer_answers_dup_aborted (answers, &any) : NULL;

  for (guint i = 0; runs != NULL && runs[i] != NULL; i++)
    g_hash_table_add (call->aborted, g_strdup (runs[i]));
  answer_abort (call, call->aborted, call->any_aborted || any);
}

/* @aborted: (transfer full): ids of the runs that were stopped here */
static void
abort_others (GadgetControlCall *call, GHashTable *aborted, gboolean any)
{
  GadgetControlCall *later = _gadget_control_call_steal (call);
  const char *session_id;
  const char *run_id;

  later->aborted = aborted;
  later->any_aborted = any;
  g_variant_get (call->parameters, "(&s&s)", &session_id, &run_id);
  gadget_peers_abort_async (call->control->connection, session_id, run_id, others_aborted_cb,
                            later);
}

static void
abort_runs (GadgetControlCall *call, GadgetCaller caller)
{
  GadgetAgent *agent = gadget_engine_get_agent (call->control->engine);
  g_autoptr (GHashTable) aborted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_open = 0;
  guint n_stopped = 0;

  if (abort_asked (call, caller, aborted, &n_stopped))
    n_open++;
  for (guint i = 0; call->runs[i] != NULL; i++)
    n_open += _gadget_control_call_is_open (call, call->runs[i], caller) ? 1 : 0;
  if (n_open == 0 && call->named)
    {
      _gadget_control_call_refuse (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who started a run, and the user's own programs, may abort it");
      return;
    }
  for (guint i = 0; call->runs[i] != NULL; i++)
    {
      g_autoptr (GadgetAbortAck) ack = NULL;

      if (!_gadget_control_call_is_open (call, call->runs[i], caller))
        continue;
      /* The acknowledgement lists the run and its children, which stop with it. */
      ack = gadget_agent_abort (agent, NULL, call->runs[i], GADGET_STOP_API);
      for (guint j = 0; ack->aborted && ack->runs[j] != NULL; j++)
        g_hash_table_add (aborted, g_strdup (ack->runs[j]));
    }
  if (call->all && caller == GADGET_CALLER_USER
      && gadget_registry_abort_uploads (get_registry (call->control)))
    n_stopped++;
  if (concerns_others (call, caller))
    abort_others (call, g_steal_pointer (&aborted), n_stopped > 0);
  else
    answer_abort (call, aborted, n_stopped > 0);
}

static void
begin_abort (GadgetControl *self, GDBusMethodInvocation *invocation, GVariant *parameters)
{
  const char *session_id;
  const char *run_id;

  g_autoptr (GPtrArray) runs = gadget_registry_list (get_registry (self));
  g_autoptr (GStrvBuilder) named = g_strv_builder_new ();
  GadgetControlCall *call = begin_call (self, invocation);

  call->parameters = g_variant_ref (parameters);
  g_variant_get (parameters, "(&s&s)", &session_id, &run_id);
  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (*run_id != '\0' && g_strcmp0 (gadget_run_get_id (run), run_id) != 0)
        continue;
      if (*session_id != '\0' && g_strcmp0 (gadget_run_get_session_id (run), session_id) != 0)
        continue;
      g_strv_builder_add (named, gadget_run_get_id (run));
    }
  call->runs = g_strv_builder_end (named);
  call->matching_requests =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_pending_request_unref);
  for (guint i = 0; i < self->requests->len; i++)
    {
      GadgetPendingRequest *request = g_ptr_array_index (self->requests, i);

      if (gadget_pending_request_matches (request, session_id, run_id))
        g_ptr_array_add (call->matching_requests, gadget_pending_request_ref (request));
    }
  call->all = *session_id == '\0' && *run_id == '\0';
  call->named = (*session_id != '\0' || *run_id != '\0')
                && (call->runs[0] != NULL || call->matching_requests->len > 0);
  identify (call, abort_runs);
}

static void
list_runs (GadgetControlCall *call, GadgetCaller caller)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (get_registry (call->control));
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < runs->len; i++)
    if (_gadget_control_call_is_open (call, gadget_run_get_id (g_ptr_array_index (runs, i)),
                                      caller))
      g_variant_builder_add_value (&builder, describe_run (g_ptr_array_index (runs, i)));
  _gadget_control_call_answer (call, g_variant_new ("(aa{sv})", &builder));
}

/* The types of the parameters have been checked against the interface by GDBus. */
static void
handle_call (GadgetControl *self, GDBusMethodInvocation *invocation)
{
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  const char *method = g_dbus_method_invocation_get_method_name (invocation);
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  const char *run_id;

  if (g_str_equal (method, "Abort"))
    {
      begin_abort (self, invocation, parameters);
    }
  else if (g_str_equal (method, "ListRuns"))
    {
      identify (begin_call (self, invocation), list_runs);
    }
  else if (g_str_equal (method, "Ask") || g_str_equal (method, "Answer"))
    {
      GadgetControlCall *call = begin_call (self, invocation);

      call->parameters = g_variant_ref (parameters);
      if (g_str_equal (method, "Ask"))
        {
          call->request = gadget_pending_request_new (sender, parameters);
          g_ptr_array_add (self->requests, gadget_pending_request_ref (call->request));
        }
      identify (call, g_str_equal (method, "Ask") ? _gadget_control_ask : _gadget_control_answer);
    }
  else if (g_str_equal (method, "Subscribe") || g_str_equal (method, "StopTool"))
    {
      GadgetControlCall *call = begin_call (self, invocation);

      call->parameters = g_variant_ref (parameters);
      identify (call, g_str_equal (method, "Subscribe") ? _gadget_control_subscribe
                                                        : _gadget_control_stop_tool);
    }
  else if (g_str_equal (method, "Unsubscribe"))
    {
      identify (begin_call (self, invocation), _gadget_control_unsubscribe);
    }
  else
    {
      GadgetControlCall *call = begin_call (self, invocation);

      g_variant_get (parameters, "(&s)", &run_id);
      call->runs = g_strdupv ((char *[]) { (char *) run_id, NULL });
      identify (call, _gadget_control_wait);
    }
}

static void
refuse_early (GadgetControl *self, const char *message)
{
  GDBusMethodInvocation *invocation;

  while ((invocation = g_queue_pop_head (&self->early)) != NULL)
    g_dbus_method_invocation_return_error_literal (invocation, GADGET_CONTROL_ERROR,
                                                   GADGET_CONTROL_ERROR_FAILED, message);
}

static void
method_call_cb (GDBusConnection *connection, const char *sender, const char *path,
                const char *interface, const char *method, GVariant *parameters,
                GDBusMethodInvocation *invocation, gpointer user_data)
{
  GadgetControl *self = user_data;
  const gboolean first = g_queue_is_empty (&self->early);

  if (!self->opening)
    {
      handle_call (self, invocation);
      return;
    }
  g_queue_push_tail (&self->early, invocation);
  if (self->failure != NULL)
    refuse_early (self, self->failure);
  else if (first)
    g_signal_emit (self, signals[WANTED], 0);
}

/* -----------------------------------------------------------------------------------------------*/

static void
gadget_control_dispose (GObject *object)
{
  GadgetControl *self = GADGET_CONTROL (object);

  gadget_control_unexport (self);
  g_clear_object (&self->engine);
  g_clear_pointer (&self->failure, g_free);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->requests, g_ptr_array_unref);
  g_clear_pointer (&self->subscribers, g_ptr_array_unref);

  G_OBJECT_CLASS (gadget_control_parent_class)->dispose (object);
}

static void
gadget_control_class_init (GadgetControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_control_dispose;

  signals[WANTED] = g_signal_new ("wanted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_control_init (GadgetControl *self)
{
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_run_record_free);
  self->subscribers = _gadget_control_subscribers_new ();
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_pending_request_unref);
}

/**
 * gadget_control_new:
 * @engine: the engine whose runs are shown; need not be open yet
 *
 * Returns: (transfer full): an object that is on no bus yet
 */
GadgetControl *
gadget_control_new (GadgetEngine *engine)
{
  GadgetControl *self;
  GadgetAgent *agent;
  g_autoptr (GPtrArray) runs = NULL;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_CONTROL, NULL);
  self->engine = g_object_ref (engine);
  agent = gadget_engine_get_agent (engine);
  g_signal_connect_object (agent, "completed", G_CALLBACK (completed_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (agent, "turn-started", G_CALLBACK (turn_started_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (get_registry (self), "added", G_CALLBACK (added_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (get_registry (self), "removed", G_CALLBACK (removed_cb), self,
                           G_CONNECT_DEFAULT);
  runs = gadget_registry_list (get_registry (self));
  for (guint i = 0; i < runs->len; i++)
    add_record (self, g_ptr_array_index (runs, i));
  return self;
}

/**
 * gadget_control_set_taking:
 * @accepts_work: whether other programs may ask for work; initially %FALSE
 */
void
gadget_control_set_taking (GadgetControl *self, gboolean accepts_work)
{
  g_return_if_fail (GADGET_IS_CONTROL (self));
  self->accepts_work = accepts_work;
}

void
gadget_control_set_shrink (GadgetControl *self, GadgetShrinkFunc shrink)
{
  g_return_if_fail (GADGET_IS_CONTROL (self));
  self->shrink = shrink;
}

/**
 * gadget_control_begin_opening:
 *
 * Makes calls wait from now on, until gadget_control_end_opening ().
 */
void
gadget_control_begin_opening (GadgetControl *self)
{
  g_return_if_fail (GADGET_IS_CONTROL (self));
  self->opening = TRUE;
}

/**
 * gadget_control_end_opening:
 * @error: (nullable): why the engine could not be opened; later calls are refused as well then
 *
 * Handles the calls that waited, or refuses them with @error.
 */
void
gadget_control_end_opening (GadgetControl *self, const GError *error)
{
  GDBusMethodInvocation *invocation;

  g_return_if_fail (GADGET_IS_CONTROL (self));

  if (error != NULL)
    {
      g_set_str (&self->failure, error->message);
      refuse_early (self, self->failure);
      return;
    }
  self->opening = FALSE;
  while ((invocation = g_queue_pop_head (&self->early)) != NULL)
    handle_call (self, invocation);
}

/**
 * gadget_control_export:
 *
 * Puts the object on @connection. The caller has to own a bus name if it wants one.
 *
 * Returns: whether the object was registered; else %FALSE with an error of
 *   g_dbus_connection_register_object ()
 */
gboolean
gadget_control_export (GadgetControl *self, GDBusConnection *connection, GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = method_call_cb };

  g_return_val_if_fail (GADGET_IS_CONTROL (self) && self->connection == NULL, FALSE);
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), FALSE);

  self->registration = g_dbus_connection_register_object (
      connection, GADGET_CONTROL_PATH, (GDBusInterfaceInfo *) &gadget_dbus_agent1_interface,
      &vtable, self, NULL, error);
  if (self->registration == 0)
    return FALSE;
  self->connection = g_object_ref (connection);
  if (gadget_engine_get_store (self->engine) != NULL)
    self->remote_watcher = gadget_remote_run_watcher_new (gadget_engine_get_store (self->engine));
  return TRUE;
}

/**
 * gadget_control_unexport:
 *
 * Takes the object off the bus and replies to the calls that still wait, with an error. No run is
 * aborted by this.
 */
void
gadget_control_unexport (GadgetControl *self)
{
  g_return_if_fail (GADGET_IS_CONTROL (self));

  if (self->connection == NULL)
    return;
  for (guint i = 0; i < self->records->len; i++)
    {
      GadgetRunRecord *record = g_ptr_array_index (self->records, i);

      while (record->waiting->len > 0)
        g_dbus_method_invocation_return_error_literal (
            g_ptr_array_steal_index (record->waiting, 0), GADGET_CONTROL_ERROR,
            GADGET_CONTROL_ERROR_FAILED, GADGET_CONTROL_LEAVING);
    }
  if (self->remote_watcher != NULL)
    gadget_remote_run_watcher_close (self->remote_watcher);
  g_clear_object (&self->remote_watcher);
  g_ptr_array_set_size (self->subscribers, 0);
  refuse_early (self, GADGET_CONTROL_LEAVING);
  g_dbus_connection_unregister_object (self->connection, self->registration);
  self->registration = 0;
  g_clear_object (&self->connection);
}

/**
 * gadget_control_dup_cli_name:
 *
 * The name ends with the last twelve digits of the id, because the first digits are the time, which
 * two runs may have in common.
 *
 * Returns: (transfer full): the bus name under which gadget-cli makes the run visible
 */
char *
gadget_control_dup_cli_name (const char *run_id)
{
  const gsize length = strlen (run_id);

  return g_strconcat (APPLICATION_ID, GADGET_CONTROL_CLI_INFIX,
                      run_id + (length > 12 ? length - 12 : 0), NULL);
}
