/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-mcp-list.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_PAGE (gadget_mcp_page_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpPage, gadget_mcp_page, GADGET, MCP_PAGE, AdwPreferencesPage)

/* A page of the MCP servers that were set up, here or with gadget-cli, each with its state. Signal:
 * "open" (const char *id): to change a server, or with NULL to add one. */
AdwPreferencesPage *gadget_mcp_page_new (GadgetMcpList *servers);

G_END_DECLS
