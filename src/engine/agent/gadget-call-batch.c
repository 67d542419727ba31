/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool calls of one step. The batch keeps the calls that have not settled, and returns when the
 * last of them has. Calls that do not stop are marked as unresponsive, so that the user can end the
 * wait for them. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-call-batch"

#include "config.h"

#include "gadget-call-batch.h"

#define UNRESPONSIVE_MS 3000

struct _GadgetCallBatch
{
  GObject parent_instance;

  GadgetClock *clock;
  GadgetRun *run;
  GadgetTurn *turn;
  GTask *task;
  GPtrArray *calls;    /* of GadgetCall: those that have not settled */
  GPtrArray *stopping; /* of Stopping: calls that were stopped without the turn */
  guint unresponsive;  /* timeout after an abort; 0 for none */
};

/* A call that was told to stop while its turn goes on. */
typedef struct
{
  GadgetCallBatch *batch;
  GadgetCall *call; /* (unowned): the batch has a reference */
  guint timeout;
} Stopping;

G_DEFINE_FINAL_TYPE (GadgetCallBatch, gadget_call_batch, G_TYPE_OBJECT)

static void
clear_timeout (GadgetCallBatch *self, guint *timeout)
{
  if (*timeout != 0)
    gadget_clock_remove (self->clock, *timeout);
  *timeout = 0;
}

static void
stopping_free (gpointer data)
{
  Stopping *stopping = data;

  clear_timeout (stopping->batch, &stopping->timeout);
  g_free (stopping);
}

static void
gadget_call_batch_dispose (GObject *object)
{
  GadgetCallBatch *self = GADGET_CALL_BATCH (object);

  if (self->clock != NULL)
    {
      g_ptr_array_set_size (self->stopping, 0);
      clear_timeout (self, &self->unresponsive);
    }
  g_clear_object (&self->turn);
  g_clear_object (&self->run);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_call_batch_parent_class)->dispose (object);
}

static void
gadget_call_batch_finalize (GObject *object)
{
  GadgetCallBatch *self = GADGET_CALL_BATCH (object);

  g_ptr_array_unref (self->stopping);
  g_ptr_array_unref (self->calls);

  G_OBJECT_CLASS (gadget_call_batch_parent_class)->finalize (object);
}

static void
gadget_call_batch_class_init (GadgetCallBatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_call_batch_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_call_batch_finalize;
}

static void
gadget_call_batch_init (GadgetCallBatch *self)
{
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = g_ptr_array_new_with_free_func (stopping_free);
}

GadgetCallBatch *
_gadget_call_batch_new (GadgetClock *clock, GadgetRun *run, GadgetTurn *turn)
{
  GadgetCallBatch *self = g_object_new (GADGET_TYPE_CALL_BATCH, NULL);

  self->clock = g_object_ref (clock);
  self->run = g_object_ref (run);
  self->turn = g_object_ref (turn);
  return self;
}

/* --- Running ---------------------------------------------------------------------------------- */

static void
set_phase (GadgetCallBatch *self, GadgetTurnPhase phase)
{
  if (!gadget_run_is_aborted (self->run))
    gadget_turn_set_phase (self->turn, phase);
}

static void
prompt_changed_cb (GadgetItem *item, GParamSpec *pspec, GadgetCallBatch *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      GadgetItem *call = _gadget_call_get_item (g_ptr_array_index (self->calls, i));

      if (gadget_item_get_prompt (call) == NULL && !gadget_item_get_asking (call))
        continue;
      set_phase (self, GADGET_PHASE_ASKING);
      return;
    }
  set_phase (self, GADGET_PHASE_TOOLS);
}

void
_gadget_call_batch_add (GadgetCallBatch *self, GadgetCall *call)
{
  GadgetItem *item = _gadget_call_get_item (call);

  g_ptr_array_add (self->calls, g_object_ref (call));
  g_signal_connect_object (item, "notify::prompt", G_CALLBACK (prompt_changed_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (item, "notify::asking", G_CALLBACK (prompt_changed_cb), self,
                           G_CONNECT_DEFAULT);
}

static void
forget_stopping (GadgetCallBatch *self, GadgetCall *call)
{
  for (guint i = self->stopping->len; i > 0; i--)
    if (((Stopping *) g_ptr_array_index (self->stopping, i - 1))->call == call)
      g_ptr_array_remove_index (self->stopping, i - 1);
}

static void
call_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetCallBatch) self = user_data;

  _gadget_call_run_finish (GADGET_CALL (source), result);
  forget_stopping (self, GADGET_CALL (source));
  g_ptr_array_remove (self->calls, source);
  if (self->calls->len == 0)
    {
      g_autoptr (GTask) task = g_steal_pointer (&self->task);

      clear_timeout (self, &self->unresponsive);
      g_task_return_boolean (task, TRUE);
    }
}

void
_gadget_call_batch_run_async (GadgetCallBatch *self, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GadgetCallBatch) hold = g_object_ref (self); /* a call may drop the last reference */
  g_autoptr (GPtrArray) starting = NULL;

  g_return_if_fail (self->task == NULL && self->calls->len > 0);
  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->task, _gadget_call_batch_run_async);
  set_phase (self, GADGET_PHASE_TOOLS);
  /* This is a copy, because a call that settles at once leaves the list. */
  starting = g_ptr_array_copy (self->calls, (GCopyFunc) g_object_ref, NULL);
  for (guint i = 0; i < starting->len; i++)
    _gadget_call_run_async (g_ptr_array_index (starting, i), call_settled_cb, g_object_ref (self));
}

void
_gadget_call_batch_run_finish (GadgetCallBatch *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

gboolean
_gadget_call_batch_is_settled (GadgetCallBatch *self)
{
  return self->calls->len == 0;
}

/* --- Stopping --------------------------------------------------------------------------------- */

/* Returns whether the call is a subagent with an unsettled call of its own. The batch of the
 * subagent warns of that call. */
static gboolean
waits_for_tool (GadgetItem *item)
{
  GadgetTurn *child = gadget_item_get_child_turn (item);

  for (guint i = 0; child != NULL && i < gadget_turn_get_n_items (child); i++)
    if (gadget_item_get_kind (gadget_turn_get_item (child, i)) == GADGET_ITEM_TOOL_CALL
        && !gadget_item_is_settled (gadget_turn_get_item (child, i)))
      return TRUE;
  return FALSE;
}

/* Warns once for each call. */
static void
mark_unresponsive (GadgetCall *call)
{
  GadgetItem *item = _gadget_call_get_item (call);

  /* A handler that was notified of another call may have ended the wait for this one. */
  if (gadget_item_is_settled (item) || gadget_item_get_unresponsive (item))
    return;
  if (!waits_for_tool (item))
    g_warning ("the tool \"%s\" has not stopped for 3 s after it was told to",
               gadget_item_get_name (item));
  gadget_item_set_unresponsive (item, TRUE);
}

static void
unresponsive_cb (gpointer user_data)
{
  g_autoptr (GadgetCallBatch) self = g_object_ref (user_data);
  g_autoptr (GPtrArray) calls = g_ptr_array_copy (self->calls, (GCopyFunc) g_object_ref, NULL);

  self->unresponsive = 0;
  for (guint i = 0; i < calls->len; i++)
    mark_unresponsive (g_ptr_array_index (calls, i));
}

void
_gadget_call_batch_watch (GadgetCallBatch *self)
{
  if (self->calls->len > 0 && self->unresponsive == 0)
    self->unresponsive = gadget_clock_add_timeout (
        self->clock, UNRESPONSIVE_MS, "[gadget] unresponsive tools", unresponsive_cb, self);
}

static void
stopping_cb (gpointer user_data)
{
  Stopping *stopping = user_data;
  g_autoptr (GadgetCallBatch) hold = g_object_ref (stopping->batch);
  g_autoptr (GadgetCall) call = g_object_ref (stopping->call);

  stopping->timeout = 0;
  forget_stopping (hold, call);
  mark_unresponsive (call);
}

/* Does what _gadget_call_batch_watch () does, for one call that was stopped without the turn. */
static void
watch_stopping (GadgetCallBatch *self, GadgetCall *call)
{
  Stopping *stopping = g_new0 (Stopping, 1);

  forget_stopping (self, call);
  stopping->batch = self;
  stopping->call = call;
  stopping->timeout = gadget_clock_add_timeout (
      self->clock, UNRESPONSIVE_MS, "[gadget] unresponsive tool", stopping_cb, stopping);
  g_ptr_array_add (self->stopping, stopping);
}

void
_gadget_call_batch_stop_waiting (GadgetCallBatch *self)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_copy (self->calls, (GCopyFunc) g_object_ref, NULL);

  for (guint i = 0; i < calls->len; i++)
    _gadget_call_stop_waiting (g_ptr_array_index (calls, i));
}

GadgetCall *
_gadget_call_batch_find (GadgetCallBatch *self, const char *call_id)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      GadgetCall *call = g_ptr_array_index (self->calls, i);

      if (g_strcmp0 (gadget_item_get_call_id (_gadget_call_get_item (call)), call_id) == 0)
        return call;
    }
  return NULL;
}

gboolean
_gadget_call_batch_stop (GadgetCallBatch *self, const char *call_id)
{
  GadgetCall *call = _gadget_call_batch_find (self, call_id);

  if (call == NULL)
    return FALSE;
  watch_stopping (self, call);
  _gadget_call_stop (call);
  return TRUE;
}
