/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tool calls of a client. In the older version a server may forget a session (HTTP 404): the call
 * that finds this out starts a new session and is made again, once. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "common/gadget-stop-source.h"
#include "gadget-mcp-client-private.h"

/* A call of the client, over all its attempts. */
typedef struct
{
  GadgetMcpCallSpec *spec;
  GCancellable *cancellable;
  GadgetMcpCall *call;
  GSource *cancelled; /* (nullable): set while the call waits for a new session */
  gboolean again;
} CallData;

static void
use_free (gpointer data)
{
  CallData *use = data;

  gadget_mcp_call_spec_free (use->spec);
  g_clear_object (&use->cancellable);
  g_clear_object (&use->call);
  g_free (use);
}

static void make_call (GTask *task); /* recursive: a call may be made again */

/* Removes a call from those that wait for a new session. Returns whether it was among them. */
static gboolean
wait_no_more (GadgetMcpClient *self, GTask *task)
{
  CallData *use = g_task_get_task_data (task);

  gadget_stop_source_end (&use->cancelled);
  return self->renewing != NULL && g_ptr_array_remove (self->renewing, task);
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  wait_no_more (g_task_get_source_object (task), task);
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  return G_SOURCE_REMOVE;
}

static void
renew (GadgetMcpClient *self, GTask *task)
{
  CallData *use = g_task_get_task_data (task);

  use->cancelled =
      gadget_stop_source_new (use->cancellable, "gadget-mcp-renew-cancelled", stopped_cb, task);
  if (self->renewing == NULL)
    {
      self->renewing = g_ptr_array_new ();
      _gadget_mcp_client_initialize (self);
    }
  g_ptr_array_add (self->renewing, task);
}

static void
called_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpClient *self = g_task_get_source_object (task);
  CallData *use = g_task_get_task_data (task);
  GError *error = NULL;
  GadgetMcpResult *result =
      gadget_mcp_call_run_finish (GADGET_MCP_CALL (source), async_result, &error);

  g_ptr_array_remove (self->calls, source);
  g_clear_object (&use->call);
  if (result != NULL)
    {
      _gadget_mcp_client_heard (self);
      g_task_return_pointer (task, result, (GDestroyNotify) gadget_mcp_result_free);
    }
  else if (!use->again && g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION))
    {
      g_error_free (error);
      use->again = TRUE;
      renew (self, g_steal_pointer (&task));
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
  CallData *use = g_task_get_task_data (task);

  use->call = gadget_mcp_call_new (self->channel, use->spec);
  g_ptr_array_add (self->calls, g_object_ref (use->call));
  gadget_mcp_call_run_async (use->call, use->cancellable, called_cb, task);
}

void
_gadget_mcp_client_renewed (GadgetMcpClient *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->renewing);

  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    {
      g_autoptr (GTask) task = g_ptr_array_index (waiting, i);

      wait_no_more (self, task);
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
  CallData *use;

  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && spec != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_client_call_async);
  use = g_new0 (CallData, 1);
  g_task_set_task_data (task, use, use_free);
  g_set_object (&use->cancellable, cancellable);
  use->spec = gadget_mcp_call_spec_copy (spec);
  use->spec->as_task = spec->as_task && self->has_tasks;
  g_strfreev ((char **) use->spec->headers);
  use->spec->headers = (const char *const *) make_headers (self, spec->tool, use->spec->arguments);
  if (self->renewing != NULL)
    renew (self, task);
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
