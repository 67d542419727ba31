/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connecting is nobody's run: it goes on when the call that caused it is stopped, since the next
 * will need it. Those who wait for it leave at once.
 *
 *   OFF ── a use ──▶ STARTING ──▶ READY ── lost ──▶ FAILED ── a use, after a pause ──▶ STARTING
 *                        └──────────────────────────▲
 *
 * The pause begins at a second and doubles with each failure in a row, to a minute at most; within
 * it a use fails with the reason of the last failure. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-server.h"

#include "gadget-mcp-http.h"
#include "gadget-mcp-stdio.h"

#include <glib/gi18n-lib.h>

#define FIRST_PAUSE_MS 1000
#define LONGEST_PAUSE_MS (60 * 1000)
#define MAX_REASON_LINES 400

struct _GadgetMcpServer
{
  GObject parent_instance;

  GadgetMcpHost host;
  GadgetMcpConfig *config;
  gboolean enabled;
  GadgetMcpStatus status;
  GError *failure;
  char *complaints; /* of the connection that failed last */
  GPtrArray *tools;
  char *known_tools;       /* (nullable): the text that they were read from, if any */
  GadgetMcpClient *client; /* NULL unless STARTING or READY */
  GPtrArray *waiting;      /* (element-type GTask) */
  guint n_failures;
  gint64 not_before_us;
};

enum
{
  PROP_STATUS = 1,
  PROP_ENABLED,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static guint tools_changed;

G_DEFINE_FINAL_TYPE (GadgetMcpServer, gadget_mcp_server, G_TYPE_OBJECT)

/* --- Those who wait ---------------------------------------------------------------------------
 */

static gboolean
wait_no_more (GadgetMcpServer *self, GTask *task)
{
  GSource *cancelled = g_task_get_task_data (task);

  if (cancelled != NULL)
    g_source_destroy (cancelled);
  return g_ptr_array_remove (self->waiting, task);
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
wait_for_it (GadgetMcpServer *self, GTask *task, GCancellable *cancellable)
{
  if (cancellable != NULL)
    {
      GSource *source = g_cancellable_source_new (cancellable);

      g_source_set_static_name (source, "gadget-mcp-server-cancelled");
      g_source_set_callback (source, G_SOURCE_FUNC (stopped_cb), task, NULL);
      g_source_attach (source, g_task_get_context (task));
      g_task_set_task_data (task, source, (GDestroyNotify) g_source_unref);
    }
  g_ptr_array_add (self->waiting, task);
}

static void
release (GadgetMcpServer *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = self->waiting;

  self->waiting = g_ptr_array_new ();
  for (guint i = 0; i < waiting->len; i++)
    {
      g_autoptr (GTask) task = g_ptr_array_index (waiting, i);

      wait_no_more (self, task);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, TRUE);
    }
}

/* --- Status -----------------------------------------------------------------------------------
 */

static void
set_status (GadgetMcpServer *self, GadgetMcpStatus status, const GError *failure)
{
  g_clear_error (&self->failure);
  self->failure = failure != NULL ? g_error_copy (failure) : NULL;
  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

static void
drop_client (GadgetMcpServer *self)
{
  g_autoptr (GadgetMcpClient) client = g_steal_pointer (&self->client);

  if (client == NULL)
    return;
  g_free (self->complaints);
  self->complaints = gadget_mcp_client_dup_complaints (client);
  g_signal_handlers_disconnect_by_data (client, self);
  gadget_mcp_client_close (client);
}

static void
fail (GadgetMcpServer *self, const GError *error)
{
  const guint pause = FIRST_PAUSE_MS << MIN (self->n_failures, 6);

  drop_client (self);
  self->n_failures++;
  self->not_before_us =
      gadget_clock_now (self->host.clock) + (gint64) MIN (pause, LONGEST_PAUSE_MS) * 1000;
  set_status (self, GADGET_MCP_FAILED, error);
  release (self, error);
}

static void
closed_cb (GadgetMcpClient *client, const GError *error, GadgetMcpServer *self)
{
  g_autoptr (GadgetMcpServer) keep = g_object_ref (self);

  if (error != NULL)
    fail (self, error);
}

static void
changed_cb (GadgetMcpClient *client, GadgetMcpServer *self)
{
  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_ref (gadget_mcp_client_get_tools (client));
  g_clear_pointer (&self->known_tools, g_free);
  g_signal_emit (self, tools_changed, 0);
}

/* --- Connecting -------------------------------------------------------------------------------
 */

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpServer) self = user_data;
  GadgetMcpClient *client = GADGET_MCP_CLIENT (source);
  g_autoptr (GError) error = NULL;
  const gboolean connected = gadget_mcp_client_connect_finish (client, result, &error);

  if (client != self->client)
    return; /* it was switched off meanwhile */
  if (!connected)
    {
      fail (self, error);
      return;
    }
  self->n_failures = 0;
  set_status (self, GADGET_MCP_READY, NULL);
  release (self, NULL);
}

static GadgetMcpTransport *
make_transport (GadgetMcpServer *self, const char *secrets, GError **error)
{
  const GadgetMcpConfig *config = self->config;
  g_autofree char *nothing = NULL;
  char **words = gadget_mcp_secrets_apply (config, secrets, error);
  GadgetMcpTransport *transport = NULL;

  if (words == NULL)
    return NULL;
  if (config->url != NULL)
    {
      transport = gadget_mcp_http_new (self->host.http, config->id, config->url,
                                       (const char *const *) words);
    }
  else if (config->confined && self->host.sandbox == NULL)
    {
      g_set_error_literal (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START,
                           _ ("There is no sandbox here that the server could run in"));
    }
  else
    {
      const GadgetMcpStdioSpec spec = {
        .argv = (const char *const *) config->command,
        .environment = (const char *const *) words,
        .folders = (const char *const *) config->folders,
        .network = config->network,
        .sandbox = config->confined ? self->host.sandbox : NULL,
      };

      transport = gadget_mcp_stdio_new (&spec);
    }
  gadget_mcp_secrets_free (words);
  return transport;
}

static void
connect_with (GadgetMcpServer *self, const char *secrets)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpTransport) transport = make_transport (self, secrets, &error);

  if (transport == NULL)
    {
      fail (self, error);
      return;
    }
  self->client = gadget_mcp_client_new (transport, self->host.clock);
  g_signal_connect (self->client, "closed", G_CALLBACK (closed_cb), self);
  g_signal_connect (self->client, "tools-changed", G_CALLBACK (changed_cb), self);
  gadget_mcp_client_connect_async (self->client, connected_cb, g_object_ref (self));
}

static void
looked_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpServer) self = user_data;
  g_autoptr (GError) error = NULL;
  char *secrets = gadget_secrets_lookup_finish (GADGET_SECRETS (source), result, &error);

  if (self->status == GADGET_MCP_STARTING && self->client == NULL)
    {
      if (error != NULL)
        fail (self, error);
      else
        connect_with (self, secrets);
    }
  gadget_secrets_free_key (secrets);
}

static void
start (GadgetMcpServer *self)
{
  set_status (self, GADGET_MCP_STARTING, NULL);
  if (self->config->secrets[0] == NULL)
    {
      connect_with (self, NULL);
      return;
    }

  g_autofree char *key = g_strconcat (GADGET_MCP_KEY_PREFIX, self->config->id, NULL);

  gadget_secrets_lookup_async (self->host.secrets, key, NULL, looked_up_cb, g_object_ref (self));
}

/**
 * gadget_mcp_server_connect_async:
 * @now: whether to try although the last failure was a moment ago
 * @cancellable: (nullable): ends the wait, not the connecting
 */
void
gadget_mcp_server_connect_async (GadgetMcpServer *self, gboolean now, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_server_connect_async);
  if (g_cancellable_is_cancelled (cancellable))
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else if (!self->enabled)
    g_task_return_new_error (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START,
                             _ ("The server “%s” is switched off"), self->config->id);
  else if (self->status == GADGET_MCP_READY)
    g_task_return_boolean (task, TRUE);
  else if (!now && self->status == GADGET_MCP_FAILED
           && gadget_clock_now (self->host.clock) < self->not_before_us)
    g_task_return_new_error_literal (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START,
                                     self->failure->message);
  else
    {
      wait_for_it (self, g_steal_pointer (&task), cancellable);
      if (self->status != GADGET_MCP_STARTING)
        start (self);
    }
}

gboolean
gadget_mcp_server_connect_finish (GadgetMcpServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_mcp_server_try:
 *
 * Connects it now, if it is switched on and not connected. How that went is its status.
 */
void
gadget_mcp_server_try (GadgetMcpServer *self)
{
  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  if (self->enabled && (self->status == GADGET_MCP_OFF || self->status == GADGET_MCP_FAILED))
    start (self);
}

/* --- Calls ------------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetMcpCallSpec spec;
  char *server;
  char *tool;
  GCancellable *cancellable;
} Use;

static void
use_free (gpointer data)
{
  Use *use = data;

  g_free (use->server);
  g_free (use->tool);
  g_clear_object (&use->spec.item);
  g_clear_pointer (&use->spec.arguments, json_object_unref);
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
  Use *use = g_task_get_task_data (task);
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
  gadget_mcp_client_call_async (self->client, &use->spec, use->cancellable, called_cb,
                                g_steal_pointer (&task));
}

/**
 * gadget_mcp_server_call_async:
 * @spec: @server in it is ignored
 * @cancellable: (nullable): ends it at once, whatever the server does
 */
void
gadget_mcp_server_call_async (GadgetMcpServer *self, const GadgetMcpCallSpec *spec,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;
  Use *use;

  g_return_if_fail (GADGET_IS_MCP_SERVER (self) && spec != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_server_call_async);
  use = g_new0 (Use, 1);
  g_task_set_task_data (task, use, use_free);
  use->server = g_strdup (self->config->id);
  use->tool = g_strdup (spec->tool);
  use->spec = *spec;
  use->spec.server = use->server;
  use->spec.tool = use->tool;
  use->spec.item = spec->item != NULL ? g_object_ref (spec->item) : NULL;
  use->spec.arguments =
      spec->arguments != NULL ? json_object_ref (spec->arguments) : json_object_new ();
  g_set_object (&use->cancellable, cancellable);
  gadget_mcp_server_connect_async (self, FALSE, cancellable, ready_cb, task);
}

/**
 * gadget_mcp_server_call_finish:
 *
 * Returns: (transfer full): see gadget_mcp_call_run_finish ()
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

  /* Those who wait hold it. */
  g_assert (self->waiting->len == 0);
  drop_client (self);
  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->tools);
  gadget_mcp_config_free (self->config);
  g_clear_object (&self->host.sandbox);
  g_clear_object (&self->host.http);
  g_clear_object (&self->host.secrets);
  g_clear_object (&self->host.clock);
  g_clear_error (&self->failure);
  g_free (self->complaints);
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

  tools_changed = g_signal_new ("tools-changed", GADGET_TYPE_MCP_SERVER, G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_mcp_server_init (GadgetMcpServer *self)
{
  self->enabled = TRUE;
  self->waiting = g_ptr_array_new ();
}

/**
 * gadget_mcp_server_new:
 * @config: a valid one
 * @tools: (nullable): what it offered the last time, of gadget_mcp_tool_infos_to_json ()
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

const GadgetMcpConfig *
gadget_mcp_server_get_config (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->config;
}

const char *
gadget_mcp_server_get_id (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->config->id;
}

GadgetMcpStatus
gadget_mcp_server_get_status (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), GADGET_MCP_OFF);
  return self->status;
}

/* (transfer none) (nullable): why it failed; the message is for people */
const GError *
gadget_mcp_server_get_failure (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->failure;
}

/* (transfer full) (nullable): what it wrote besides, now or before it failed */
char *
gadget_mcp_server_dup_complaints (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  if (self->client != NULL)
    return gadget_mcp_client_dup_complaints (self->client);
  return g_strdup (self->complaints);
}

gboolean
gadget_mcp_server_get_enabled (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), FALSE);
  return self->enabled;
}

/* Switched off, it is closed, and its tools are not offered. */
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

/* (transfer none) (element-type GadgetMcpToolInfo): as it listed them last, in this run or before
 */
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
 * Another process listed them. One that is connected here knows better.
 *
 * Returns: whether they are others now
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

/* (nullable): what is spoken with it, when it is connected */
const char *
gadget_mcp_server_get_version (GadgetMcpServer *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), NULL);
  return self->client != NULL ? gadget_mcp_client_get_version (self->client) : NULL;
}

/* Ends its connection; its next use makes a new one. */
void
gadget_mcp_server_close (GadgetMcpServer *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  drop_client (self);
  self->n_failures = 0;
  set_status (self, GADGET_MCP_OFF, NULL);
  error = g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                               _ ("The server was switched off"));
  release (self, error);
}
