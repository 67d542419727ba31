/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-config.h"
#include "providers/gadget-provider-headers.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * GadgetVariableMode:
 * @GADGET_VARIABLE_ENVIRONMENT: environment variables of a program
 * @GADGET_VARIABLE_SERVER_HEADERS: HTTP headers of a remote MCP server
 * @GADGET_VARIABLE_PROVIDER_HEADERS: HTTP headers of a provider
 *
 * The kind of variable that the rows of the group are.
 */
typedef enum
{
  GADGET_VARIABLE_ENVIRONMENT,
  GADGET_VARIABLE_SERVER_HEADERS,
  GADGET_VARIABLE_PROVIDER_HEADERS,
} GadgetVariableMode;

#define GADGET_TYPE_VARIABLE_GROUP (gadget_variable_group_get_type ())
G_DECLARE_FINAL_TYPE (GadgetVariableGroup, gadget_variable_group, GADGET, VARIABLE_GROUP,
                      AdwPreferencesGroup)

/* A group for environment variables or HTTP headers; the former if no mode is set. Secret values
 * are kept in the keyring; stored ones are never shown. Signal: "changed". */
void  gadget_variable_group_set_mode      (GadgetVariableGroup          *self,
                                           GadgetVariableMode            mode);

/* Show the variables or headers of an MCP server, and write those of the rows to @config, whose URL
 * tells which they are. gadget_variable_group_store () returns the new secret values, for the
 * keyring, or NULL when there are none. (transfer full): free with gadget_secrets_free_key () */
void  gadget_variable_group_load          (GadgetVariableGroup          *self,
                                           const GadgetMcpConfig        *config);
char *gadget_variable_group_store         (GadgetVariableGroup          *self,
                                           GadgetMcpConfig              *config);

/* Show the headers of a provider, and make headers from the rows: NULL for none, and not checked
 * yet, see gadget_provider_headers_check (). gadget_variable_group_store_headers () returns new
 * secret values as gadget_variable_group_store () does. */
void  gadget_variable_group_load_headers  (GadgetVariableGroup          *self,
                                           const GadgetProviderHeaders  *headers);
char *gadget_variable_group_store_headers (GadgetVariableGroup          *self,
                                           GadgetProviderHeaders       **headers);

G_END_DECLS
