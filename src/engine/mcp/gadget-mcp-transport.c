/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The interface of transports: its signals, and functions that call the implementation. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-transport.h"

#include <glib/gi18n-lib.h>

enum
{
  RECEIVED,
  FAILED,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_INTERFACE (GadgetMcpTransport, gadget_mcp_transport, G_TYPE_OBJECT)
G_DEFINE_QUARK (gadget-mcp-error-quark, gadget_mcp_error)

static void
gadget_mcp_transport_default_init (GadgetMcpTransportInterface *iface)
{
  signals[RECEIVED] = g_signal_new ("received", GADGET_TYPE_MCP_TRANSPORT, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_INT64);
  signals[FAILED] = g_signal_new ("failed", GADGET_TYPE_MCP_TRANSPORT, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_POINTER);
  signals[CLOSED] = g_signal_new ("closed", GADGET_TYPE_MCP_TRANSPORT, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

/**
 * gadget_mcp_transport_start:
 *
 * Connects, or gets ready to. A failure is reported by "closed".
 */
void
gadget_mcp_transport_start (GadgetMcpTransport *self)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self));
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->start (self);
}

/**
 * gadget_mcp_transport_send:
 * @message: not kept
 *
 * Sends a message, in the order of the calls. Never blocks.
 */
void
gadget_mcp_transport_send (GadgetMcpTransport *self, const GadgetMcpOutgoing *message)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self) && message != NULL && message->text != NULL);
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->send (self, message);
}

/**
 * gadget_mcp_transport_cancel:
 * @id: the id of a request whose response is not wanted any more
 *
 * Returns: whether the server is told by the transport; if %FALSE, the caller has to tell it
 */
gboolean
gadget_mcp_transport_cancel (GadgetMcpTransport *self, gint64 id)
{
  g_return_val_if_fail (GADGET_IS_MCP_TRANSPORT (self), TRUE);
  return GADGET_MCP_TRANSPORT_GET_IFACE (self)->cancel (self, id);
}

/**
 * gadget_mcp_transport_set_version:
 * @version: the version that was agreed on
 * @modern: whether it is a version without initialize and sessions
 *
 * Sets the version for the messages that follow.
 */
void
gadget_mcp_transport_set_version (GadgetMcpTransport *self, const char *version, gboolean modern)
{
  GadgetMcpTransportInterface *iface;

  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self) && version != NULL);

  iface = GADGET_MCP_TRANSPORT_GET_IFACE (self);
  if (iface->set_version != NULL)
    iface->set_version (self, version, modern);
}

/**
 * gadget_mcp_transport_close:
 *
 * Ends the connection. Only "closed" is emitted afterwards.
 */
void
gadget_mcp_transport_close (GadgetMcpTransport *self)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self));
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->close (self);
}

/**
 * gadget_mcp_transport_dup_complaints:
 *
 * Returns: (transfer full) (nullable): what the server wrote besides messages, to be shown to the
 *   user; %NULL if nothing
 */
char *
gadget_mcp_transport_dup_complaints (GadgetMcpTransport *self)
{
  GadgetMcpTransportInterface *iface;

  g_return_val_if_fail (GADGET_IS_MCP_TRANSPORT (self), NULL);

  iface = GADGET_MCP_TRANSPORT_GET_IFACE (self);
  return iface->dup_complaints != NULL ? iface->dup_complaints (self) : NULL;
}

/**
 * gadget_mcp_transport_has_headers:
 *
 * Returns: whether parts of a message have to be repeated in headers
 */
gboolean
gadget_mcp_transport_has_headers (GadgetMcpTransport *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_TRANSPORT (self), FALSE);
  return GADGET_MCP_TRANSPORT_GET_IFACE (self)->has_headers;
}

void
gadget_mcp_transport_emit_received (GadgetMcpTransport *self, const GadgetJsonRpcMessage *message,
                                    gint64 stream)
{
  g_signal_emit (self, signals[RECEIVED], 0, message, stream);
}

/* gadget_mcp_transport_emit_failed: emits "failed": the request @id will get no response, for the
 * reason @error. The connection may live on. */
void
gadget_mcp_transport_emit_failed (GadgetMcpTransport *self, gint64 id, const GError *error)
{
  g_signal_emit (self, signals[FAILED], 0, id, error);
}

/* Emits "failed" for a response that arrived but cannot be read. */
void
gadget_mcp_transport_emit_unreadable (GadgetMcpTransport *self, gint64 id)
{
  g_autoptr (GError) error =
      g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                           _ ("The server sent an answer that cannot be read"));

  gadget_mcp_transport_emit_failed (self, id, error);
}

/* gadget_mcp_transport_emit_closed: emits "closed", which an implementation does once. @error is
 * the reason; %NULL after gadget_mcp_transport_close (). */
void
gadget_mcp_transport_emit_closed (GadgetMcpTransport *self, const GError *error)
{
  g_signal_emit (self, signals[CLOSED], 0, error);
}
