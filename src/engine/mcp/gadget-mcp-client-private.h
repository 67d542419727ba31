/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpClient share. */

#pragma once

#include "gadget-mcp-client.h"

G_BEGIN_DECLS

struct _GadgetMcpClient
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  GadgetMcpTransport *transport;
  char *version;
  guint probe_ms; /* how long a server may take to say that it speaks the modern version */
  gboolean probe_late;
  gboolean probed_again;
  gboolean lists_change;
  gboolean has_tasks; /* of 2025-11-25: calls may be made as tasks */
  gboolean closing;
  GTask *connecting;   /* (nullable) */
  GPtrArray *renewing; /* (nullable) (element-type GTask): calls that wait for a new session */
  GPtrArray *tools;
  GPtrArray *listing; /* (nullable): tools of the pages that came */
  guint n_pages;
  gboolean list_again;
  GPtrArray *calls; /* (element-type GadgetMcpCall): under way, the latest at the end */
};

/* The handshake: begins with the probe, and ends the task of connecting, or what waits for a new
 * session, whichever way it goes. */
void        _gadget_mcp_client_probe          (GadgetMcpClient  *self);
void        _gadget_mcp_client_initialize     (GadgetMcpClient  *self);
void        _gadget_mcp_client_fail           (GadgetMcpClient  *self,
                                               GError           *error);

/* The list of tools, which ends the connecting; and being told of its changes. */
void        _gadget_mcp_client_list_tools     (GadgetMcpClient  *self);
void        _gadget_mcp_client_subscribe      (GadgetMcpClient  *self);

/* Calls that waited for a new session go on, or fail with the error (nullable). */
void        _gadget_mcp_client_renewed        (GadgetMcpClient  *self,
                                               const GError     *error);

JsonObject *_gadget_mcp_client_finish_request (GObject          *source,
                                               GAsyncResult     *result,
                                               GError          **error);

G_END_DECLS
