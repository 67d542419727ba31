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
 * @total: what @progress goes up to, or 0 when that is not known
 * @message: (nullable): the server's words
 */
typedef void (*GadgetMcpProgressFunc) (double      progress,
                                       double      total,
                                       const char *message,
                                       gpointer    user_data);

/**
 * GadgetMcpRequest:
 * @headers: (nullable): names and values for a transport that has headers
 * @idle_ms: how long neither an answer nor progress may come; 0 for ever
 * @limit_ms: how long it may take in all; 0 for ever
 * @quiet: the server is not told when nobody waits for the answer any more
 * @progress: (nullable): called for each notice of progress, never after the callback
 *
 * Lent for the call.
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

/* Requests and their answers over one transport: gives ids, finds the request that an answer is
 * for, tells the server when it is not wanted any more. An answer that comes late, twice, or to a
 * request that was never made is ignored. Signals:
 *
 *   late-result (result)            a JsonObject, lent, of a request that was cancelled: the first
 *                                   that comes of each
 *   notification (method, params)   params is a JsonObject or NULL, lent
 *   request (message, stream)       a GadgetJsonRpcMessage, lent, to be answered; see the
 *                                   transport for @stream
 *   closed (error)                  after every request was answered with that
 */
GadgetMcpChannel *gadget_mcp_channel_new            (GadgetMcpTransport          *transport,
                                                     GadgetClock                 *clock);
void              gadget_mcp_channel_set_version    (GadgetMcpChannel            *self,
                                                     const char                  *version,
                                                     gboolean                     modern);
gboolean          gadget_mcp_channel_get_modern     (GadgetMcpChannel            *self);
gint64            gadget_mcp_channel_request_async  (GadgetMcpChannel            *self,
                                                     const GadgetMcpRequest      *request,
                                                     JsonObject                  *params,
                                                     GCancellable                *cancellable,
                                                     GAsyncReadyCallback          callback,
                                                     gpointer                     user_data);
JsonObject       *gadget_mcp_channel_request_finish (GadgetMcpChannel            *self,
                                                     GAsyncResult                *result,
                                                     JsonNode                   **data,
                                                     GError                     **error);
void              gadget_mcp_channel_give_up        (GadgetMcpChannel            *self,
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

G_END_DECLS
