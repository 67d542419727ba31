/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpServer share. */

#pragma once

#include "gadget-mcp-server.h"

G_BEGIN_DECLS

struct _GadgetMcpServer
{
  GObject parent_instance;

  GadgetMcpHost host;
  GadgetMcpConfig *config;
  gboolean enabled;
  GadgetMcpStatus status;
  GError *failure;
  char *diagnostics; /* (nullable): what the last client's server wrote */
  GPtrArray *tools;
  char *known_tools;       /* (nullable): JSON that the tools were read from */
  GadgetMcpClient *client; /* NULL unless STARTING or READY */
  GPtrArray *waiting;      /* (element-type GadgetPending): connect_async () tasks, owned */
  guint n_failures;        /* failures in a row */
  gint64 not_before_us;    /* monotonic time of the end of the pause after a failure */
};

/* Sets the status; @failure (nullable) is the reason. */
void _gadget_mcp_server_set_status  (GadgetMcpServer *self,
                                     GadgetMcpStatus  status,
                                     const GError    *failure);
/* Closes the connection, if there is one, and keeps what the server wrote besides messages. */
void _gadget_mcp_server_drop_client (GadgetMcpServer *self);

/* Completes the waiting GTasks: with success, or with @error (nullable). */
void _gadget_mcp_server_release     (GadgetMcpServer *self,
                                     const GError    *error);

G_END_DECLS
