/* SPDX-License-Identifier: GPL-3.0-or-later */

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

void
gadget_mcp_transport_start (GadgetMcpTransport *self)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self));
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->start (self);
}

void
gadget_mcp_transport_send (GadgetMcpTransport *self, const GadgetMcpOutgoing *message)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self) && message != NULL && message->text != NULL);
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->send (self, message);
}

/**
 * gadget_mcp_transport_cancel:
 *
 * Returns: whether the server needs no notification any more
 */
gboolean
gadget_mcp_transport_cancel (GadgetMcpTransport *self, gint64 id)
{
  g_return_val_if_fail (GADGET_IS_MCP_TRANSPORT (self), TRUE);
  return GADGET_MCP_TRANSPORT_GET_IFACE (self)->cancel (self, id);
}

/**
 * gadget_mcp_transport_set_version:
 * @modern: it is one without initialize and sessions
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

void
gadget_mcp_transport_close (GadgetMcpTransport *self)
{
  g_return_if_fail (GADGET_IS_MCP_TRANSPORT (self));
  GADGET_MCP_TRANSPORT_GET_IFACE (self)->close (self);
}

/**
 * gadget_mcp_transport_dup_complaints:
 *
 * Returns: (transfer full) (nullable): what the server wrote besides messages, %NULL if nothing
 */
char *
gadget_mcp_transport_dup_complaints (GadgetMcpTransport *self)
{
  GadgetMcpTransportInterface *iface;

  g_return_val_if_fail (GADGET_IS_MCP_TRANSPORT (self), NULL);

  iface = GADGET_MCP_TRANSPORT_GET_IFACE (self);
  return iface->dup_complaints != NULL ? iface->dup_complaints (self) : NULL;
}

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

void
gadget_mcp_transport_emit_failed (GadgetMcpTransport *self, gint64 id, const GError *error)
{
  g_signal_emit (self, signals[FAILED], 0, id, error);
}

/* "failed", for an answer that came and cannot be read. */
void
gadget_mcp_transport_emit_unreadable (GadgetMcpTransport *self, gint64 id)
{
  g_autoptr (GError) error =
      g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                           _ ("The server sent an answer that cannot be read"));

  gadget_mcp_transport_emit_failed (self, id, error);
}

void
gadget_mcp_transport_emit_closed (GadgetMcpTransport *self, const GError *error)
{
  g_signal_emit (self, signals[CLOSED], 0, error);
}
