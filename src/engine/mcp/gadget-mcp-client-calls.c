/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tool calls of a client. In the older version a server may forget a session (HTTP 404): the call
 * that finds this out starts a new session and is made again, once. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "common/gadget-pending.h"
#include "gadget-mcp-client-private.h"

/* A call of the client, over all its attempts. */
typedef struct
{
  GadgetMcpCallSpec *spec;
  GCancellable *cancellable;
  GadgetMcpCall *call;
  gboolean again;
} CallData;

static void
call_data_free (gpointer data)
{
  CallData *call_data = data;

  gadget_mcp_call_spec_free (call_data->spec);
  g_clear_object (&call_data->cancellable);
  g_clear_object (&call_data->call);
  g_free (call_data);
}

static void make_call (GTask *task); /* recursive: a call may be made again */

/* A wait that is not over is in the list, since _gadget_mcp_client_renewed () ends all at once. */
static void
stopped_cb (GadgetPending *pending, gpointer user_data)
{
  GadgetMcpClient *self = user_data;

  g_ptr_array_remove (self->renewing, pending);
  gadget_pending_return_stopped (pending);
  gadget_pending_free (pending);
}

static void
wait_for_session (GadgetMcpClient *self, GTask *task)
{
  const CallData *call_data = g_task_get_task_data (task);
  GadgetPending *pending = gadget_pending_new (task, call_data->cancellable, stopped_cb, self);

  if (self->renewing == NULL)
    {
      self->renewing = g_ptr_array_new ();
      _gadget_mcp_client_initialize (self);
    }
  g_ptr_array_add (self->renewing, pending);
}

static void
called_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpClient *self = g_task_get_source_object (task);
  CallData *call_data = g_task_get_task_data (task);
  GError *error = NULL;
  GadgetMcpResult *result =
      gadget_mcp_call_run_finish (GADGET_MCP_CALL (source), async_result, &error);

  g_ptr_array_remove (self->calls, source);
  g_clear_object (&call_data->call);
  if (result != NULL)
    {
      _gadget_mcp_client_retry_subscription (self);
      g_task_return_pointer (task, result, (GDestroyNotify) gadget_mcp_result_free);
    }
  else if (!call_data->again && g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION))
    {
      g_error_free (error);
      call_data->again = TRUE;
      wait_for_session (self, g_steal_pointer (&task));
    }
  else
    {
      g_task_return_error (task, error);
    }
}

static void
make_call (GTask *task)
{
  GadgetMcpClient *self = g_task_get_source_object (task);
  CallData *call_data = g_task_get_task_data (task);

  call_data->call = gadget_mcp_call_new (self->channel, call_data->spec);
  g_ptr_array_add (self->calls, g_object_ref (call_data->call));
  gadget_mcp_call_run_async (call_data->call, call_data->cancellable, called_cb, task);
}

void
_gadget_mcp_client_renewed (GadgetMcpClient *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->renewing);

  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    {
      g_autoptr (GTask) task = gadget_pending_free_and_take (g_ptr_array_index (waiting, i));

      if (task == NULL)
        continue;
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        make_call (g_steal_pointer (&task));
    }
}

/* Returns the HTTP headers that the tool's schema asks for (transfer full) (nullable). */
static char **
make_headers (GadgetMcpClient *self, const char *name, JsonObject *arguments)
{
  for (guint i = 0; i < self->tools->len; i++)
    {
      GadgetMcpToolInfo *tool = g_ptr_array_index (self->tools, i);

      if (g_str_equal (gadget_mcp_tool_info_get_name (tool), name))
        return gadget_mcp_tool_info_make_headers (tool, arguments);
    }
  return NULL;
}

/**
 * gadget_mcp_client_call_async:
 * @spec: copied; @headers in it are ignored and made from the tool's schema instead
 * @cancellable: (nullable): ends the call at once; the connection stays open
 *
 * Calls a tool. A call whose session was forgotten by the server is made again in a new session.
 */
void
gadget_mcp_client_call_async (GadgetMcpClient *self, const GadgetMcpCallSpec *spec,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;
  CallData *call_data;

  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && spec != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_client_call_async);
  call_data = g_new0 (CallData, 1);
  g_task_set_task_data (task, call_data, call_data_free);
  g_set_object (&call_data->cancellable, cancellable);
  call_data->spec = gadget_mcp_call_spec_copy (spec);
  call_data->spec->as_task = spec->as_task && self->has_tasks;
  g_strfreev ((char **) call_data->spec->headers);
  call_data->spec->headers =
      (const char *const *) make_headers (self, spec->tool, call_data->spec->arguments);
  if (self->renewing != NULL)
    wait_for_session (self, task);
  else
    make_call (task);
}

/**
 * gadget_mcp_client_call_finish:
 *
 * Returns: (transfer full): see gadget_mcp_call_run_finish ()
 */
GadgetMcpResult *
gadget_mcp_client_call_finish (GadgetMcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
