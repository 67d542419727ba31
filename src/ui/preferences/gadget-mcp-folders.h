/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_FOLDERS (gadget_mcp_folders_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpFolders, gadget_mcp_folders, GADGET, MCP_FOLDERS,
                      AdwPreferencesGroup)

/* A group for the folders that an MCP server may use. Signal: "changed". */
void   gadget_mcp_folders_load (GadgetMcpFolders   *self,
                                const char *const  *folders);

/* Returns the folders in their order. (transfer full) */
char **gadget_mcp_folders_dup  (GadgetMcpFolders   *self);

G_END_DECLS
