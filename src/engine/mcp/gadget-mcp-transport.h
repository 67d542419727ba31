/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-json-rpc.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_MCP_ERROR (gadget_mcp_error_quark ())
GQuark gadget_mcp_error_quark (void);

/**
 * GadgetMcpError:
 * @GADGET_MCP_ERROR_START: the server could not be started or reached
 * @GADGET_MCP_ERROR_GONE: the server ended, or the connection did, while the request was pending
 * @GADGET_MCP_ERROR_VERSION: there is no version of the protocol that both sides speak
 * @GADGET_MCP_ERROR_PROTOCOL: the server's message violates the protocol
 * @GADGET_MCP_ERROR_TIMEOUT: no response in time
 * @GADGET_MCP_ERROR_WEDGED: the server no longer reads its input
 * @GADGET_MCP_ERROR_REFUSED: the server refused a request (HTTP status)
 * @GADGET_MCP_ERROR_SESSION: the server forgot the session; a new one must be started
 *
 * The messages are translated and shown to the user, apart from quotations of the server.
 */
typedef enum
{
  GADGET_MCP_ERROR_START,
  GADGET_MCP_ERROR_GONE,
  GADGET_MCP_ERROR_VERSION,
  GADGET_MCP_ERROR_PROTOCOL,
  GADGET_MCP_ERROR_TIMEOUT,
  GADGET_MCP_ERROR_WEDGED,
  GADGET_MCP_ERROR_REFUSED,
  GADGET_MCP_ERROR_SESSION,
} GadgetMcpError;

/* The size limit of one message of a server, in bytes: an image in base64 has to fit. */
#define GADGET_MCP_MAX_MESSAGE (32 * 1024 * 1024)

#define GADGET_TYPE_MCP_TRANSPORT (gadget_mcp_transport_get_type ())
G_DECLARE_INTERFACE (GadgetMcpTransport, gadget_mcp_transport, GADGET, MCP_TRANSPORT, GObject)

/**
 * GadgetMcpOutgoing:
 * @id: the id of a request, else 0
 * @method: (nullable): the method of a request or notification; %NULL for a response
 * @text: the message as one line of JSON
 * @headers: (nullable): names and values in turn, for a transport that has headers
 *
 * A message for the server. It needs to be valid only during the call that gets it.
 */
typedef struct
{
  gint64 id;
  const char *method;
  const char *text;
  const char *const *headers;
} GadgetMcpOutgoing;

/**
 * GadgetMcpTransportInterface:
 * @start: connects, or gets ready to; a failure is reported by "closed"
 * @send: sends a message, in the order of the calls, and never blocks
 * @cancel: the response to a request is not wanted any more. Returns whether the transport tells
 *   the server; if %FALSE, the caller has to
 * @set_version: (nullable): sets the version of the protocol that was agreed on
 * @close: ends the connection; only "closed" is emitted afterwards
 * @dup_complaints: (nullable): returns what the server wrote besides messages
 * @has_headers: whether parts of a message have to be repeated in headers
 *
 * A connection to a server. Signals:
 *
 *   received (message, stream)  a #GadgetJsonRpcMessage, valid during the emission; @stream is the
 *                               id of the request whose HTTP response it came in, or 0 if unknown
 *   failed (id, error)          the request will get no response; the connection may live on
 *   closed (error)              the connection ended; emitted once; @error is NULL after close ()
 */
struct _GadgetMcpTransportInterface
{
  GTypeInterface parent_iface;

  void      (*start)          (GadgetMcpTransport       *self);
  void      (*send)           (GadgetMcpTransport       *self,
                               const GadgetMcpOutgoing  *message);
  gboolean  (*cancel)         (GadgetMcpTransport       *self,
                               gint64                    id);
  void      (*set_version)    (GadgetMcpTransport       *self,
                               const char               *version,
                               gboolean                  modern);
  void      (*close)          (GadgetMcpTransport       *self);
  char     *(*dup_complaints) (GadgetMcpTransport       *self);
  gboolean    has_headers;
};

void      gadget_mcp_transport_start          (GadgetMcpTransport          *self);
void      gadget_mcp_transport_send           (GadgetMcpTransport          *self,
                                               const GadgetMcpOutgoing     *message);
gboolean  gadget_mcp_transport_cancel         (GadgetMcpTransport          *self,
                                               gint64                       id);
void      gadget_mcp_transport_set_version    (GadgetMcpTransport          *self,
                                               const char                  *version,
                                               gboolean                     modern);
void      gadget_mcp_transport_close          (GadgetMcpTransport          *self);
char     *gadget_mcp_transport_dup_complaints (GadgetMcpTransport          *self);
gboolean  gadget_mcp_transport_has_headers    (GadgetMcpTransport          *self);

/* For implementations: emit the signals. _emit_unreadable () is "failed" with
 * GADGET_MCP_ERROR_PROTOCOL. */
void      gadget_mcp_transport_emit_received  (GadgetMcpTransport          *self,
                                               const GadgetJsonRpcMessage  *message,
                                               gint64                       stream);
void      gadget_mcp_transport_emit_failed    (GadgetMcpTransport          *self,
                                               gint64                       id,
                                               const GError                *error);
void      gadget_mcp_transport_emit_unreadable (GadgetMcpTransport        *self,
                                                gint64                     id);
void      gadget_mcp_transport_emit_closed    (GadgetMcpTransport          *self,
                                               const GError                *error);

G_END_DECLS
