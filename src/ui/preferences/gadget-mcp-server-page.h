/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-mcp-list.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_SERVER_PAGE (gadget_mcp_server_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpServerPage, gadget_mcp_server_page, GADGET, MCP_SERVER_PAGE,
                      AdwNavigationPage)

/* A page to add an MCP server (@id is NULL), or to view and change one. Property: "dirty". Signal:
 * "done". */
GtkWidget *gadget_mcp_server_page_new (GadgetMcpList *servers,
                                       const char    *id);

G_END_DECLS
