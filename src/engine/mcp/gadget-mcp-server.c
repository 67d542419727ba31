/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A server that the user set up: its properties, its known tools, and calls, which connect it
 * first. Connecting is in gadget-mcp-server-connect.c. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-server-private.h"

#include <glib/gi18n-lib.h>

enum
{
  PROP_STATUS = 1,
  PROP_ENABLED,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (GadgetMcpServer, gadget_mcp_server, G_TYPE_OBJECT)

void
_gadget_mcp_server_set_status (GadgetMcpServer *self, GadgetMcpStatus status, const GError *failure)
{
  g_clear_error (&self->failure);
  self->failure = failure != NULL ? g_error_copy (failure) : NULL;
  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

/* --- Calls ------------------------------------------------------------------------------------
 */

/* A call that waits for the connection, or is being made. */
typedef struct
{
  GadgetMcpCallSpec *spec;
  GCancellable *cancellable;
} CallData;

static void
use_free (gpointer data)
{
  CallData *use = data;

  gadget_mcp_call_spec_free (use->spec);
  g_clear_object (&use->cancellable);
  g_free (use);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GadgetMcpResult *answer =
      gadget_mcp_client_call_finish (GADGET_MCP_CLIENT (source), result, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) gadget_mcp_result_free);
  else
    g_task_return_error (task, error);
}

static void
ready_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpServer *self = GADGET_MCP_SERVER (source);
  CallData *use = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_mcp_server_connect_finish (self, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->client == NULL)
    {
      g_task_return_new_error_literal (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                       _ ("The server was switched off"));
      return;
    }
  gadget_mcp_client_call_async (self->client, use->spec, use->cancellable, called_cb,
                                g_steal_pointer (&task));
}

/**
 * gadget_mcp_server_call_async:
 * @spec: copied; @server in it is ignored
 * @cancellable: (nullable): ends the call at once, whatever the server does
 *
 * Calls a tool, after connecting the server if needed.
 */
void
gadget_mcp_server_call_async (GadgetMcpServer *self, const GadgetMcpCallSpec *spec,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GadgetMcpCallSpec copy;
  GTask *task;
  CallData *use;

  g_return_if_fail (GADGET_IS_MCP_SERVER (self) && spec != NULL);

  copy = *spec;
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_server_call_async);
  use = g_new0 (CallData, 1);
  g_task_set_task_data (task, use, use_free);
  copy.server = self->config->id;
  use->spec = gadget_mcp_call_spec_copy (&copy);
  g_set_object (&use->cancellable, cancellable);
  gadget_mcp_server_connect_async (self, FALSE, cancellable, ready_cb, task);
}

/**
 * gadget_mcp_server_call_finish:
 *
 * Returns: (transfer full): see gadget_mcp_call_run_finish () and gadget_mcp_server_connect_finish
 *   ()
 */
GadgetMcpResult *
gadget_mcp_server_call_finish (GadgetMcpServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_server_finalize (GObject *object)
{
  GadgetMcpServer *self = GADGET_MCP_SERVER (object);

  /* Each waiting GTask holds a reference to the server. */
  g_assert (self->waiting->len == 0);
  _gadget_mcp_server_drop_client (self);
  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->tools);
  gadget_mcp_config_free (self->config);
  g_clear_object (&self->host.sandbox);
  g_clear_object (&self->host.http);
  g_clear_object (&self->host.secrets);
  g_clear_object (&self->host.clock);
  g_clear_error (&self->failure);
  g_free (self->diagnostics);
  g_free (self->known_tools);

  G_OBJECT_CLASS (gadget_mcp_server_parent_class)->finalize (object);
}

static void
gadget_mcp_server_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GadgetMcpServer *self = GADGET_MCP_SERVER (object);

  switch (id)
    {
    case PROP_STATUS:
      g_value_set_uint (value, self->status);
      break;
    case PROP_ENABLED:
      g_value_set_boolean (value, self->enabled);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
gadget_mcp_server_class_init (GadgetMcpServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_mcp_server_finalize;
  object_class->get_property = gadget_mcp_server_get_property;

  properties[PROP_STATUS] = g_param_spec_uint ("status", NULL, NULL, GADGET_MCP_OFF,
                                               GADGET_MCP_FAILED, GADGET_MCP_OFF, flags);
  properties[PROP_ENABLED] = g_param_spec_boolean ("enabled", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_signal_new ("tools-changed", GADGET_TYPE_MCP_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
gadget_mcp_server_init (GadgetMcpServer *self)
{
  self->enabled = TRUE;
  self->waiting = g_ptr_array_new ();
}

/**
 * gadget_mcp_server_new:
 * @host: references to its members are kept
 * @config: a config that passed gadget_mcp_config_check (); copied
 * @tools: (nullable): the tools of the last connection, as gadget_mcp_tool_infos_to_json () writes
 *   them
 *
 * Returns: (transfer full): a server that is switched on and not connected
 */
GadgetMcpServer *
gadget_mcp_server_new (const GadgetMcpHost *host, const GadgetMcpConfig *config, const char *tools)
{
  GadgetMcpServer *self;

  g_return_val_if_fail (host != NULL && config != NULL, NULL);

  self = g_object_new (GADGET_TYPE_MCP_SERVER, NULL);
  g_set_object (&self->host.sandbox, host->sandbox);
  g_set_object (&self->host.http, host->http);
  g_set_object (&self->host.secrets, host->secrets);
  g_set_object (&self->host.clock, host->clock);
  self->config = gadget_mcp_config_copy (config);
  self->tools = gadget_mcp_tool_infos_from_json (tools);
  self->known_tools = g_strdup (tools);
  return self;
}

/* gadget_mcp_server_get_config: returns how the server is reached, without secrets; never %NULL.
 * (transfer none) */
const GadgetMcpConfig *
gadget_mcp_server_get_config (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->config;
}

/* gadget_mcp_server_get_id: returns the name that the user gave the server. (transfer none) */
const char *
gadget_mcp_server_get_id (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->config->id;
}

/* gadget_mcp_server_get_status: returns the state of the connection, which the property "status"
 * notifies. */
GadgetMcpStatus
gadget_mcp_server_get_status (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), GADGET_MCP_OFF);
  return self->status;
}

/* Returns why the server failed (transfer none), with a translated message; NULL unless the status
 * is GADGET_MCP_FAILED. */
const GError *
gadget_mcp_server_get_failure (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->failure;
}

/* Returns what the server wrote besides messages, now or before it failed (transfer full)
 * (nullable). */
char *
gadget_mcp_server_dup_complaints (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  if (self->client != NULL)
    return gadget_mcp_client_dup_complaints (self->client);
  return g_strdup (self->diagnostics);
}

/* gadget_mcp_server_get_enabled: returns whether the tools of the server are offered to models. The
 * property "enabled" notifies it. */
gboolean
gadget_mcp_server_get_enabled (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), FALSE);
  return self->enabled;
}

/* Switches the server on or off. When it is switched off, its connection is closed; its tools must
 * not be offered then. */
void
gadget_mcp_server_set_enabled (GadgetMcpServer *self, gboolean enabled)
{
  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  if (self->enabled == enabled)
    return;
  self->enabled = enabled;
  if (!enabled)
    gadget_mcp_server_close (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENABLED]);
}

/* Returns the tools as the server listed them last, possibly in an earlier process (transfer none)
 * (element-type GadgetMcpToolInfo). */
GPtrArray *
gadget_mcp_server_get_tools (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->tools;
}

/**
 * gadget_mcp_server_set_known_tools:
 * @tools: (nullable): as for gadget_mcp_server_new ()
 *
 * Takes over tools that another process listed. They are ignored while this process has a
 * connection, whose list is newer.
 *
 * Returns: whether the tools changed
 */
gboolean
gadget_mcp_server_set_known_tools (GadgetMcpServer *self, const char *tools)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), FALSE);

  if (self->client != NULL || tools == NULL || !g_set_str (&self->known_tools, tools))
    return FALSE;
  g_ptr_array_unref (self->tools);
  self->tools = gadget_mcp_tool_infos_from_json (tools);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
  return TRUE;
}

/* Returns the version of the protocol, or NULL when the server is not connected. */
const char *
gadget_mcp_server_get_version (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->client != NULL ? gadget_mcp_client_get_version (self->client) : NULL;
}

/* Closes the connection. The next use makes a new one. */
void
gadget_mcp_server_close (GadgetMcpServer *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  _gadget_mcp_server_drop_client (self);
  self->n_failures = 0;
  _gadget_mcp_server_set_status (self, GADGET_MCP_OFF, NULL);
  error = g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                               _ ("The server was switched off"));
  _gadget_mcp_server_release (self, error);
}
