/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connecting a server. An attempt to connect does not belong to the call that caused it: it
 * continues when that call is stopped, because the next call will need the connection, and it ends
 * when everything is stopped. The calls that wait for the connection leave as soon as they are
 * stopped.
 *
 *   OFF ── first use ──▶ STARTING ──▶ READY ── lost ──▶ FAILED ── use after a pause ──▶ STARTING
 *                           └───────────────────────────▲
 *
 * The pause starts at one second and doubles with each failure in a row, up to a minute. A use
 * within the pause fails with the reason of the last failure. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-server-private.h"

#include "common/gadget-pending.h"
#include "gadget-mcp-http.h"
#include "gadget-mcp-stdio.h"
#include "secrets/gadget-secret-values.h"

#include <glib/gi18n-lib.h>

#define FIRST_PAUSE_MS 1000
#define LONGEST_PAUSE_MS (60 * 1000)

/* --- Waiting calls ----------------------------------------------------------------------------
 */

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  GadgetMcpServer *self = data;

  g_ptr_array_remove (self->waiting, pending);
  gadget_pending_return_stopped (pending);
  gadget_pending_free (pending);
}

void
_gadget_mcp_server_release (GadgetMcpServer *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = self->waiting;

  self->waiting = g_ptr_array_new ();
  for (guint i = 0; i < waiting->len; i++)
    {
      g_autoptr (GTask) task = gadget_pending_free_and_take (g_ptr_array_index (waiting, i));

      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, TRUE);
    }
}

/* --- Status -----------------------------------------------------------------------------------
 */

void
_gadget_mcp_server_drop_client (GadgetMcpServer *self)
{
  g_autoptr (GadgetMcpClient) client = g_steal_pointer (&self->client);

  if (client == NULL)
    return;
  g_free (self->diagnostics);
  self->diagnostics = gadget_mcp_client_dup_complaints (client);
  g_signal_handlers_disconnect_by_data (client, self);
  gadget_mcp_client_close (client);
}

static void
fail (GadgetMcpServer *self, const GError *error)
{
  const guint pause = FIRST_PAUSE_MS << MIN (self->n_failures, 6);

  _gadget_mcp_server_drop_client (self);
  self->n_failures++;
  self->not_before_us =
      gadget_clock_now (self->host.clock) + (gint64) MIN (pause, LONGEST_PAUSE_MS) * 1000;
  _gadget_mcp_server_set_status (self, GADGET_MCP_FAILED, error);
  _gadget_mcp_server_release (self, error);
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
  g_signal_emit_by_name (self, "tools-changed");
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
    return; /* the server was switched off meanwhile */
  if (!connected)
    {
      fail (self, error);
      return;
    }
  self->n_failures = 0;
  _gadget_mcp_server_set_status (self, GADGET_MCP_READY, NULL);
  _gadget_mcp_server_release (self, NULL);
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
      g_autofree char *cache = g_strconcat ("server ", config->id, NULL);
      const GadgetMcpStdioSpec spec = {
        .argv = (const char *const *) config->command,
        .environment = (const char *const *) words,
        .folders = (const char *const *) config->folders,
        .cache = cache,
        .network = config->network,
        .sandbox = config->confined ? self->host.sandbox : NULL,
      };

      transport = gadget_mcp_stdio_new (&spec);
    }
  gadget_secret_values_free (words);
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
  _gadget_mcp_server_set_status (self, GADGET_MCP_STARTING, NULL);
  if (self->config->secrets[0] == NULL)
    {
      connect_with (self, NULL);
      return;
    }

  g_autofree char *key = g_strconcat (GADGET_MCP_KEY_PREFIX, self->config->id, NULL);

  gadget_secrets_lookup_async (self->host.secrets, key, NULL, NULL, looked_up_cb,
                               g_object_ref (self));
}

/**
 * gadget_mcp_server_connect_async:
 * @now: whether to connect even within the pause after a failure
 * @cancellable: (nullable): ends the wait, but not the attempt to connect
 *
 * Waits until the server is connected, and connects it if it is not.
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
      g_ptr_array_add (self->waiting,
                       gadget_pending_new (g_steal_pointer (&task), cancellable, stopped_cb, self));
      if (self->status != GADGET_MCP_STARTING)
        start (self);
    }
}

/**
 * gadget_mcp_server_connect_finish:
 *
 * Returns: %TRUE when the server is connected; else %FALSE with an error as of
 *   gadget_mcp_client_connect_finish () or gadget_mcp_secrets_apply (), with an error of the
 *   keyring, with %GADGET_MCP_ERROR_START when it is switched off or within the pause after a
 *   failure, or with %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_mcp_server_connect_finish (GadgetMcpServer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_mcp_server_try:
 *
 * Starts to connect the server if it is switched on and neither connected nor connecting. The
 * outcome is the property "status".
 */
void
gadget_mcp_server_try (GadgetMcpServer *self)
{
  g_return_if_fail (GADGET_IS_MCP_SERVER (self));

  if (self->enabled && (self->status == GADGET_MCP_OFF || self->status == GADGET_MCP_FAILED))
    start (self);
}

/**
 * gadget_mcp_server_stop_connecting:
 *
 * Ends an attempt to connect. This is not a failure: the next use connects again without a pause.
 * An established connection stays open.
 *
 * Returns: whether there was an attempt
 */
gboolean
gadget_mcp_server_stop_connecting (GadgetMcpServer *self)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GADGET_IS_MCP_SERVER (self), FALSE);

  if (self->status != GADGET_MCP_STARTING)
    return FALSE;
  _gadget_mcp_server_drop_client (self);
  _gadget_mcp_server_set_status (self, GADGET_MCP_OFF, NULL);
  error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  _gadget_mcp_server_release (self, error);
  return TRUE;
}
