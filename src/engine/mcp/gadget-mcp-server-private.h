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
  char *complaints; /* of the connection that failed last */
  GPtrArray *tools;
  char *known_tools;       /* (nullable): the text that they were read from, if any */
  GadgetMcpClient *client; /* NULL unless STARTING or READY */
  GPtrArray *waiting;      /* (element-type GTask) */
  guint n_failures;
  gint64 not_before_us;
};

/* It is another now; @failure (nullable) is why. */
void _gadget_mcp_server_set_status  (GadgetMcpServer *self,
                                     GadgetMcpStatus  status,
                                     const GError    *failure);
void _gadget_mcp_server_drop_client (GadgetMcpServer *self);

/* Those who wait for the connection go on, or fail with the error (nullable). */
void _gadget_mcp_server_release     (GadgetMcpServer *self,
                                     const GError    *error);

G_END_DECLS
