/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpClient share. */

#pragma once

#include "gadget-mcp-client.h"

G_BEGIN_DECLS

/* The negotiation of a version that both sides speak; see gadget-mcp-handshake.c. */
typedef struct
{
  gboolean open;        /* TRUE until a version is agreed on or the negotiation failed */
  gint64 probe_id;      /* id of the pending probe, or 0 */
  gint64 initialize_id; /* id of the pending initialize request, or 0 */
  guint timer;
  guint n_probes;
  JsonObject *discovered; /* (nullable): the server's response to a probe, while initialize is
                           * pending */
  GError *refusal;        /* (nullable): the error of initialize */
} GadgetMcpSearch;

/* The state of listing the tools and of the subscription to changes; see
 * gadget-mcp-client-tools.c. */
typedef struct
{
  GPtrArray *listing;  /* (nullable): tools of the pages received so far */
  GHashTable *cursors; /* (nullable) (element-type utf8): of the pages requested so far */
  gint64 due_us;       /* monotonic time at which the list must be complete */
  gboolean again;
  guint timer;      /* 0, or the clock's timer until the tools are listed again */
  gint64 listed_us; /* monotonic time at which the list was last complete */
  guint n_listed;   /* number of lists in a row, without a rest in between */
  guint renewal;    /* 0, or the clock's timer until the subscription is renewed */
  gint64 subscribed_us;
  guint n_renewals; /* number of subscriptions in a row that ended soon */
  gboolean renewed; /* list again when the subscription stands: changes may have been missed */
  gboolean renewal_abandoned; /* renewing was given up, though the server has subscriptions */
} GadgetMcpTools;

struct _GadgetMcpClient
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  GadgetMcpTransport *transport;
  GadgetClock *clock;
  char *version;
  guint probe_ms; /* milliseconds that a server may take to respond to a probe */
  GadgetMcpSearch search;
  gboolean lists_change;
  gboolean has_tasks; /* in 2025-11-25: calls may be made as tasks */
  gboolean closing;
  gboolean closed;
  GTask *connecting;   /* (nullable) */
  GPtrArray *renewing; /* (nullable) (element-type GadgetPending): wait for a new session */
  GPtrArray *tools;
  GadgetMcpTools list;
  GPtrArray *calls; /* (element-type GadgetMcpCall): pending, the latest at the end */
};

/* The handshake. It ends the GTask in connecting, or the calls in renewing, whatever the outcome
 * is. _fail () takes @error. */
void        _gadget_mcp_client_begin_handshake    (GadgetMcpClient  *self);
void        _gadget_mcp_client_initialize         (GadgetMcpClient  *self);
void        _gadget_mcp_client_fail               (GadgetMcpClient  *self,
                                                   GError           *error);

/* The list of tools, whose end completes the GTask in connecting; and the subscription to
 * changes. */
void        _gadget_mcp_client_list_tools         (GadgetMcpClient  *self);
void        _gadget_mcp_client_subscribe          (GadgetMcpClient  *self);

/* The server said that its tools changed, or acknowledged a subscription. */
void        _gadget_mcp_client_tools_changed      (GadgetMcpClient  *self);
void        _gadget_mcp_client_subscribed         (GadgetMcpClient  *self);

/* The server responds again. If the renewal of the subscription was given up, it is tried once
 * more. */
void        _gadget_mcp_client_retry_subscription (GadgetMcpClient  *self);

/* Stops listing and subscribing, as the connection ends. */
void        _gadget_mcp_client_forget_tools       (GadgetMcpClient  *self);

/* Makes the calls that waited for a new session, or fails them with @error (nullable). */
void        _gadget_mcp_client_renewed            (GadgetMcpClient  *self,
                                                   const GError     *error);

/* Does the same as gadget_mcp_channel_request_finish () for a callback's @source, without the
 * data. */
JsonObject *_gadget_mcp_client_finish_request     (GObject          *source,
                                                   GAsyncResult     *result,
                                                   GError          **error);

G_END_DECLS
