/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-config.h"
#include "providers/gadget-provider-headers.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_VARIABLES (gadget_mcp_variables_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpVariables, gadget_mcp_variables, GADGET, MCP_VARIABLES,
                      AdwPreferencesGroup)

/* The variables of a server that is a program, or the headers of one that has an address, of a
 * provider too. Secret ones are for the keyring: those that are in it already are never shown. Signal: "changed". */
void  gadget_mcp_variables_set_headers (GadgetMcpVariables     *self,
                                        gboolean                headers);
void  gadget_mcp_variables_load        (GadgetMcpVariables     *self,
                                        const GadgetMcpConfig  *config);

/* Puts them into CONFIG; returns the values for the keyring, or NULL where none is new. (transfer
 * full): free with gadget_secrets_free_key () */
char *gadget_mcp_variables_store       (GadgetMcpVariables     *self,
                                        GadgetMcpConfig        *config);

/* The headers of a provider are meant. */
void  gadget_mcp_variables_set_provider  (GadgetMcpVariables           *self);

/* The same of a provider; NULL for none. The result may still be refused by
 * gadget_provider_headers_check (). */
void  gadget_mcp_variables_load_headers  (GadgetMcpVariables           *self,
                                          const GadgetProviderHeaders  *headers);
char *gadget_mcp_variables_store_headers (GadgetMcpVariables           *self,
                                          GadgetProviderHeaders       **headers);

G_END_DECLS
