/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The registry on D-Bus. Its rules:
 *
 * - Each call gets exactly one reply: when its caller is identified; or, for some, when attachments
 *   are read (Ask), when other processes have told what they stopped (Abort), when the run is over
 *   (Wait); or when the object leaves the bus.
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
  OPEN_REQUESTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetControl, gadget_control, G_TYPE_OBJECT)

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

/* Returns whether the run works on an incognito chat: then other programs may know that there is
 * something to stop, and nothing else. */
static gboolean
is_incognito (GadgetControl *self, GadgetRun *run)
{
  const char *id = gadget_run_get_session_id (gadget_run_get_uppermost (run));

  return gadget_engine_find_incognito (self->engine, id) != NULL;
}

static GVariant *
describe_run (GadgetControl *self, GadgetRun *run)
{
  g_auto (GStrv) in_flight = is_incognito (self, run)
                                 ? g_new0 (char *, 1)
                                 : gadget_receipt_dup_in_flight (gadget_run_get_receipt (run));
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

/* Returns who asked on the bus for the run that is being started now, or NULL. */
static const char *
find_requester (GadgetControl *self)
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
  record->requester = g_strdup (find_requester (self));
  record->incognito = is_incognito (self, run);
  g_ptr_array_add (self->records, record);
  return record;
}

static void
added_cb (GadgetRegistry *registry, GadgetRun *run, GadgetControl *self)
{
  _gadget_control_emit (
      self, add_record (self, run), "RunStarted",
      g_variant_new ("(s@a{sv})", gadget_run_get_id (run), describe_run (self, run)));
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

  if (record == NULL || record->over || record->incognito)
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
                                g_variant_new ("(sbs)", turn_id, success, record->message));
          forget_oldest (self);
          return;
        }
    }
}

/* --- Calls -------------------------------------------------------------------------------------*/

static GadgetMethodCall *
method_call_new (GadgetControl *self, GDBusMethodInvocation *invocation, GadgetMethodFunc func)
{
  GadgetMethodCall *call = g_rc_box_new0 (GadgetMethodCall);

  call->control = g_object_ref (self);
  call->invocation = invocation;
  call->func = func;
  return call;
}

GadgetMethodCall *
_gadget_method_call_ref (GadgetMethodCall *call)
{
  return g_rc_box_acquire (call);
}

/* A call that is given up without a reply ends its request as well, so that no later stop waits for
 * it. */
static void
end_request (GadgetMethodCall *call)
{
  if (!call->request->over)
    gadget_pending_request_end (call->request, NULL);
  g_ptr_array_remove (call->control->requests, call->request);
  gadget_pending_request_unref (call->request);
}

static void
method_call_clear (gpointer data)
{
  GadgetMethodCall *call = data;

  g_clear_object (&call->invocation);
  g_clear_pointer (&call->targets, _gadget_abort_targets_free);
  if (call->request != NULL)
    end_request (call);
  g_object_unref (call->control);
}

void
_gadget_method_call_unref (GadgetMethodCall *call)
{
  g_rc_box_release_full (call, method_call_clear);
}

void
_gadget_method_call_return (GadgetMethodCall *call, GVariant *value)
{
  g_dbus_method_invocation_return_value (g_steal_pointer (&call->invocation), value);
}

void
_gadget_method_call_return_error (GadgetMethodCall *call, GadgetControlError code,
                                  const char *message)
{
  g_dbus_method_invocation_return_error_literal (g_steal_pointer (&call->invocation),
                                                 GADGET_CONTROL_ERROR, (int) code, message);
}

GVariant *
_gadget_method_call_get_parameters (GadgetMethodCall *call)
{
  return g_dbus_method_invocation_get_parameters (call->invocation);
}

const char *
_gadget_method_call_get_sender (GadgetMethodCall *call)
{
  return g_dbus_method_invocation_get_sender (call->invocation);
}

gboolean
_gadget_method_call_may_access (GadgetMethodCall *call, const char *run_id)
{
  const GadgetRunRecord *record = _gadget_control_find_record (call->control, run_id);

  if (record == NULL)
    return call->caller == GADGET_CALLER_USER;
  return gadget_run_record_may_access (record, call->caller, _gadget_method_call_get_sender (call));
}

static void
list_runs (GadgetMethodCall *call)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (get_registry (call->control));
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < runs->len; i++)
    if (_gadget_method_call_may_access (call, gadget_run_get_id (g_ptr_array_index (runs, i))))
      g_variant_builder_add_value (&builder,
                                   describe_run (call->control, g_ptr_array_index (runs, i)));
  _gadget_method_call_return (call, g_variant_new ("(aa{sv})", &builder));
}

static void
identified_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMethodCall) call = user_data;

  call->caller = gadget_caller_identify_finish (result);
  call->func (call);
}

/* GDBus has checked the method and the types of its parameters against the interface. */
static void
handle_call (GadgetControl *self, GDBusMethodInvocation *invocation)
{
  /* @prepare is called when the call arrives, @func when its caller is identified. */
  static const struct
  {
    const char *name;
    GadgetMethodFunc prepare; /* (nullable) */
    GadgetMethodFunc func;
  } methods[] = {
    { "Abort", _gadget_control_prepare_abort, _gadget_control_abort },
    { "Answer", NULL, _gadget_control_answer },
    { "Ask", _gadget_control_prepare_ask, _gadget_control_ask },
    { "ListRuns", NULL, list_runs },
    { "StopTool", NULL, _gadget_control_stop_tool },
    { "Subscribe", NULL, _gadget_control_subscribe },
    { "Unsubscribe", NULL, _gadget_control_unsubscribe },
    { "Wait", NULL, _gadget_control_wait },
  };
  const char *name = g_dbus_method_invocation_get_method_name (invocation);
  GadgetMethodCall *call;
  guint i = 0;

  while (i < G_N_ELEMENTS (methods) - 1 && !g_str_equal (methods[i].name, name))
    i++;
  call = method_call_new (self, invocation, methods[i].func);
  if (methods[i].prepare != NULL)
    methods[i].prepare (call);
  gadget_caller_identify_async (g_dbus_method_invocation_get_connection (invocation),
                                g_dbus_method_invocation_get_sender (invocation), identified_cb,
                                call);
}

static void
refuse_deferred (GadgetControl *self, const char *message)
{
  GDBusMethodInvocation *invocation;

  while ((invocation = g_queue_pop_head (&self->deferred_calls)) != NULL)
    g_dbus_method_invocation_return_error_literal (invocation, GADGET_CONTROL_ERROR,
                                                   GADGET_CONTROL_ERROR_FAILED, message);
}

static void
method_call_cb (GDBusConnection *connection, const char *sender, const char *path,
                const char *interface, const char *method, GVariant *parameters,
                GDBusMethodInvocation *invocation, gpointer user_data)
{
  GadgetControl *self = user_data;
  const gboolean first = g_queue_is_empty (&self->deferred_calls);

  if (!self->engine_pending)
    {
      handle_call (self, invocation);
      return;
    }
  g_queue_push_tail (&self->deferred_calls, invocation);
  if (self->failure != NULL)
    refuse_deferred (self, self->failure);
  else if (first)
    g_signal_emit (self, signals[OPEN_REQUESTED], 0);
}

/* --- The object --------------------------------------------------------------------------------*/

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

  signals[OPEN_REQUESTED] = g_signal_new ("open-requested", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
 * gadget_control_set_accepts_work:
 * @accepts_work: whether other programs may ask for work; initially %FALSE
 */
void
gadget_control_set_accepts_work (GadgetControl *self, gboolean accepts_work)
{
  g_return_if_fail (GADGET_IS_CONTROL (self));
  self->accepts_work = accepts_work;
}

void
gadget_control_set_shrink (GadgetControl *self, GadgetPictureFileFunc shrink)
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
  self->engine_pending = TRUE;
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
      refuse_deferred (self, self->failure);
      return;
    }
  self->engine_pending = FALSE;
  while ((invocation = g_queue_pop_head (&self->deferred_calls)) != NULL)
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
  refuse_deferred (self, GADGET_CONTROL_LEAVING);
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
