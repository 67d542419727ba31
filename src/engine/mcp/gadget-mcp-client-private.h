/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpClient share. */

#pragma once

#include "gadget-mcp-client.h"

G_BEGIN_DECLS

/* The search for a version that both sides speak; see gadget-mcp-handshake.c. */
typedef struct
{
  gboolean open;          /* until one is agreed on, or none is found */
  gint64 probe_id;        /* of the request under way, or 0 */
  gint64 initialize_id;   /* likewise */
  guint timer;
  guint n_probes;
  JsonObject *discovered; /* (nullable): what it says of itself, while initialize is under way */
  GError *refusal;        /* (nullable): what came of initialize, when that was nothing */
} GadgetMcpSearch;

/* The list of tools, and being told of its changes; see gadget-mcp-client-tools.c. */
typedef struct
{
  GPtrArray *listing;  /* (nullable): tools of the pages that came */
  GHashTable *cursors; /* (nullable) (element-type utf8): of the pages that were asked for */
  gint64 due_us;       /* when it must be complete */
  gboolean again;
  guint timer;         /* until it is listed again */
  gint64 listed_us;    /* when it was complete the last time */
  guint n_listed;      /* how often in a row, without a rest */
  guint renewal;       /* timer: until a subscription is renewed */
  gint64 subscribed_us;
  guint n_renewals;    /* how often in a row it ended soon */
  gboolean renewed;    /* what was missed meanwhile is to be looked for */
  gboolean unheard;    /* there is none any more, though there should be */
} GadgetMcpTools;

struct _GadgetMcpClient
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  GadgetMcpTransport *transport;
  GadgetClock *clock;
  char *version;
  guint probe_ms; /* how long a server may take to say that it speaks the modern version */
  GadgetMcpSearch search;
  gboolean lists_change;
  gboolean has_tasks; /* of 2025-11-25: calls may be made as tasks */
  gboolean closing;
  gboolean closed;
  GTask *connecting;   /* (nullable) */
  GPtrArray *renewing; /* (nullable) (element-type GTask): calls that wait for a new session */
  GPtrArray *tools;
  GadgetMcpTools list;
  GPtrArray *calls; /* (element-type GadgetMcpCall): under way, the latest at the end */
};

/* The handshake: ends the task of connecting, or what waits for a new session, whichever way it
 * goes. */
void        _gadget_mcp_client_shake_hands    (GadgetMcpClient  *self);
void        _gadget_mcp_client_initialize     (GadgetMcpClient  *self);
void        _gadget_mcp_client_fail           (GadgetMcpClient  *self,
                                               GError           *error);

/* The list of tools, which ends the connecting; and being told of its changes. */
void        _gadget_mcp_client_list_tools     (GadgetMcpClient  *self);
void        _gadget_mcp_client_subscribe      (GadgetMcpClient  *self);

/* The server said so. */
void        _gadget_mcp_client_tools_changed  (GadgetMcpClient  *self);
void        _gadget_mcp_client_subscribed     (GadgetMcpClient  *self);

/* It answers again: where being told of changes was given up, that is asked for once more. */
void        _gadget_mcp_client_heard          (GadgetMcpClient  *self);

/* Nothing is listed or subscribed to any more. */
void        _gadget_mcp_client_forget_tools   (GadgetMcpClient  *self);

/* Calls that waited for a new session go on, or fail with the error (nullable). */
void        _gadget_mcp_client_renewed        (GadgetMcpClient  *self,
                                               const GError     *error);

JsonObject *_gadget_mcp_client_finish_request (GObject          *source,
                                               GAsyncResult     *result,
                                               GError          **error);

G_END_DECLS
