/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-mcp-transport.h"

G_BEGIN_DECLS

#define GADGET_MCP_VERSION_MODERN "2026-07-28"
#define GADGET_MCP_VERSION_LEGACY "2025-11-25"

#define GADGET_TYPE_MCP_CHANNEL (gadget_mcp_channel_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpChannel, gadget_mcp_channel, GADGET, MCP_CHANNEL, GObject)

/**
 * GadgetMcpProgressFunc:
 * @total: the value of @progress at the end, or 0 when the server does not say
 * @message: (nullable): the server's description of the progress
 *
 * Receives a progress notification.
 */
typedef void (*GadgetMcpProgressFunc) (double      progress,
                                       double      total,
                                       const char *message,
                                       gpointer    user_data);

/**
 * GadgetMcpRequest:
 * @headers: (nullable): names and values in turn, for a transport that has headers
 * @idle_ms: milliseconds without a response or progress after which the request fails; 0 for no
 *   limit
 * @limit_ms: milliseconds that the request may take in all; 0 for no limit
 * @quiet: do not tell the server when the request is cancelled
 * @progress: (nullable): called for each progress notification, never after the callback
 *
 * A request. The struct and its members need to be valid only while the function that gets it runs.
 */
typedef struct
{
  const char *method;
  const char *const *headers;
  guint idle_ms;
  guint limit_ms;
  gboolean quiet;
  GadgetMcpProgressFunc progress;
  gpointer progress_data;
} GadgetMcpRequest;

/* Matches requests with responses over one transport: it assigns ids, finds the request that a
 * response belongs to, and tells the server when a request is cancelled. A response that comes
 * late, twice, or for a request that was never made is ignored. Signals:
 *
 *   late-result (result)            the first result that arrives for a cancelled request; a
 *                                   JsonObject that is valid during the emission
 *   notification (method, params)   params is a JsonObject or NULL, valid during the emission
 *   request (message, stream)       a GadgetJsonRpcMessage, valid during the emission, that must
 *                                   be answered; see GadgetMcpTransport for @stream
 *   closed (error)                  the transport closed; each pending request has failed with that
 *                                   error (NULL after a regular close) by then */
GadgetMcpChannel *gadget_mcp_channel_new            (GadgetMcpTransport          *transport,
                                                     GadgetClock                 *clock);
void              gadget_mcp_channel_set_version    (GadgetMcpChannel            *self,
                                                     const char                  *version,
                                                     gboolean                     modern);
gboolean          gadget_mcp_channel_get_modern     (GadgetMcpChannel            *self);
gint64            gadget_mcp_channel_request_async  (GadgetMcpChannel            *self,
                                                     const GadgetMcpRequest      *spec,
                                                     JsonObject                  *params,
                                                     GCancellable                *cancellable,
                                                     GAsyncReadyCallback          callback,
                                                     gpointer                     user_data);
JsonObject       *gadget_mcp_channel_request_finish (GadgetMcpChannel            *self,
                                                     GAsyncResult                *result,
                                                     JsonNode                   **data,
                                                     GError                     **error);
void              gadget_mcp_channel_abandon        (GadgetMcpChannel            *self,
                                                     gint64                       id);
void              gadget_mcp_channel_notify         (GadgetMcpChannel            *self,
                                                     const char                  *method,
                                                     JsonObject                  *params);
void              gadget_mcp_channel_answer         (GadgetMcpChannel            *self,
                                                     JsonNode                    *id,
                                                     JsonObject                  *result);
void              gadget_mcp_channel_refuse         (GadgetMcpChannel            *self,
                                                     JsonNode                    *id,
                                                     int                          code,
                                                     const char                  *text);
guint             gadget_mcp_channel_get_n_pending  (GadgetMcpChannel            *self);
gboolean          gadget_mcp_channel_is_closed      (GadgetMcpChannel            *self);

G_END_DECLS
