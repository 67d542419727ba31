/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-config.h"
#include "providers/gadget-provider-headers.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_VARIABLES (gadget_mcp_variables_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpVariables, gadget_mcp_variables, GADGET, MCP_VARIABLES,
                      AdwPreferencesGroup)

/* A group for the environment variables of a program, or for the HTTP headers of a remote MCP
 * server or of a provider. Secret values are kept in the keyring; stored ones are never shown.
 * Signal: "changed". */
void  gadget_mcp_variables_set_headers (GadgetMcpVariables     *self,
                                        gboolean                headers);
void  gadget_mcp_variables_load        (GadgetMcpVariables     *self,
                                        const GadgetMcpConfig  *config);

/* Writes the variables to @config. Returns the new secret values, for the keyring, or NULL when
 * there are none. (transfer full): free with gadget_secrets_free_key () */
char *gadget_mcp_variables_store       (GadgetMcpVariables     *self,
                                        GadgetMcpConfig        *config);

/* Makes this a group for the headers of a provider. */
void  gadget_mcp_variables_set_provider  (GadgetMcpVariables           *self);

/* Show the headers of a provider, and make headers from the rows: NULL for none, and not checked
 * yet, see gadget_provider_headers_check (). gadget_mcp_variables_store_headers() returns new
 * secret values as gadget_mcp_variables_store() does. */
void  gadget_mcp_variables_load_headers  (GadgetMcpVariables           *self,
                                          const GadgetProviderHeaders  *headers);
char *gadget_mcp_variables_store_headers (GadgetMcpVariables           *self,
                                          GadgetProviderHeaders       **headers);

G_END_DECLS
