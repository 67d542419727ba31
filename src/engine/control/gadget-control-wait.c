/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The method Wait, for runs of this process and of others. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"

static gboolean
is_on_bus (GadgetMethodCall *call)
{
  if (call->control->connection != NULL)
    return TRUE;
  _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED, GADGET_CONTROL_LEAVING);
  return FALSE;
}

static void
remote_ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMethodCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetStoreRun) run =
      gadget_remote_run_watcher_wait_finish (GADGET_REMOTE_RUN_WATCHER (source), result, &error);

  if (run != NULL)
    _gadget_method_call_return (call, g_variant_new ("(bs)", run->success, run->message));
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_NOT_FOUND, "There is no such run");
  else
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED, error->message);
}

void
_gadget_control_wait (GadgetMethodCall *call)
{
  GadgetControl *self = call->control;
  GadgetRunRecord *record;
  const char *run_id;

  g_variant_get (_gadget_method_call_get_parameters (call), "(&s)", &run_id);
  if (!_gadget_method_call_may_access (call, run_id))
    {
      _gadget_method_call_return_error (
          call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
          "Only who started a run, and the user's own programs, may wait for it");
      return;
    }
  if (!is_on_bus (call))
    return;
  record = _gadget_control_find_record (self, run_id);
  if (record == NULL && self->remote_watcher != NULL)
    gadget_remote_run_watcher_wait_async (self->remote_watcher, run_id, remote_ended_cb,
                                          _gadget_method_call_ref (call));
  else if (record == NULL)
    _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_NOT_FOUND, "There is no such run");
  else if (record->over)
    gadget_run_record_answer_wait (record, g_steal_pointer (&call->invocation));
  else
    g_ptr_array_add (record->waiting, g_steal_pointer (&call->invocation));
}
