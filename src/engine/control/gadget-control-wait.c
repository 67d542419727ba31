/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The method Wait, for runs of this process and of others. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"

static gboolean
is_on_bus (GadgetControlCall *call)
{
  if (call->control->connection != NULL)
    return TRUE;
  _gadget_control_call_refuse (call, GADGET_CONTROL_ERROR_FAILED, GADGET_CONTROL_LEAVING);
  return FALSE;
}

static void
remote_ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetControlCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetStoreRun) run =
      gadget_remote_run_watcher_wait_finish (GADGET_REMOTE_RUN_WATCHER (source), result, &error);

  if (run != NULL)
    _gadget_control_call_answer (call, g_variant_new ("(bs)", run->success, run->message));
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
    _gadget_control_call_refuse (call, GADGET_CONTROL_ERROR_NOT_FOUND, "There is no such run");
  else
    _gadget_control_call_refuse (call, GADGET_CONTROL_ERROR_FAILED, error->message);
}

void
_gadget_control_wait (GadgetControlCall *call, GadgetCaller caller)
{
  GadgetControl *self = call->control;
  GadgetRunRecord *record;

  if (!_gadget_control_call_is_open (call, call->runs[0], caller))
    {
      _gadget_control_call_refuse (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who started a run, and the user's own programs, may wait for it");
      return;
    }
  if (!is_on_bus (call))
    return;
  record = _gadget_control_find_record (self, call->runs[0]);
  if (record == NULL && self->remote_watcher != NULL)
    gadget_remote_run_watcher_wait_async (self->remote_watcher, call->runs[0], remote_ended_cb,
                                          _gadget_control_call_steal (call));
  else if (record == NULL)
    _gadget_control_call_refuse (call, GADGET_CONTROL_ERROR_NOT_FOUND, "There is no such run");
  else if (record->over)
    gadget_run_record_answer_wait (record, g_steal_pointer (&call->invocation));
  else
    g_ptr_array_add (record->waiting, g_steal_pointer (&call->invocation));
}
