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
 * @GADGET_MCP_ERROR_GONE: the server ended, or the connection did, with the request under way
 * @GADGET_MCP_ERROR_VERSION: no version of the protocol that both sides speak
 * @GADGET_MCP_ERROR_PROTOCOL: what the server says is not the protocol
 * @GADGET_MCP_ERROR_TIMEOUT: no answer in time
 * @GADGET_MCP_ERROR_WEDGED: the server no longer reads what it is told
 * @GADGET_MCP_ERROR_REFUSED: the server refused a request (HTTP status)
 * @GADGET_MCP_ERROR_SESSION: the server forgot the session; a new one must be begun
 *
 * The message is for people, except for words of the server in it.
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

/* How large one message of a server may be: an image in base64 has to fit. */
#define GADGET_MCP_MAX_MESSAGE (32 * 1024 * 1024)

#define GADGET_TYPE_MCP_TRANSPORT (gadget_mcp_transport_get_type ())
G_DECLARE_INTERFACE (GadgetMcpTransport, gadget_mcp_transport, GADGET, MCP_TRANSPORT, GObject)

/**
 * GadgetMcpOutgoing:
 * @id: of a request, else 0
 * @method: (nullable): of a request or notification
 * @text: the message itself
 * @headers: (nullable): names and values, one after the other, for a transport that has headers
 *
 * A message for the server. Lent for the call.
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
 * @start: connects, or gets ready to; failing is a "closed"
 * @send: sends a message, in the order of the calls, and never waits
 * @cancel: the answer to a request is not wanted any more. Returns whether the server is so told;
 *   FALSE leaves telling it to the caller
 * @set_version: (nullable): the version of the protocol that was agreed on
 * @close: ends the connection; nothing is heard of it afterwards but "closed"
 * @dup_complaints: (nullable): what the server wrote besides, for people
 * @has_headers: whether what is in a message has to be told in headers as well
 *
 * A way to a server. Signals:
 *
 *   received (message, stream)  a #GadgetJsonRpcMessage, lent; @stream is the id of the request in
 *                               whose answer it came, where that can be told, else 0
 *   failed (id, error)          the request will not be answered; the connection may live on
 *   closed (error)              the connection ended, once; @error is NULL after close ()
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

/* For those that implement it. */
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
