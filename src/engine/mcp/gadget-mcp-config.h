/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* In the keyring: what stands before the id. */
#define GADGET_MCP_KEY_PREFIX "mcp-"

#define GADGET_MCP_CONFIG_ERROR (gadget_mcp_config_error_quark ())
GQuark gadget_mcp_config_error_quark (void);

/**
 * GadgetMcpConfigError:
 * @GADGET_MCP_CONFIG_ERROR_INVALID: something of it cannot be; the message, for people, says what
 */
typedef enum
{
  GADGET_MCP_CONFIG_ERROR_INVALID,
} GadgetMcpConfigError;

/**
 * GadgetMcpConfig:
 * @id: what the user calls it: small letters, digits, "-" and "_"
 * @command: (nullable): the program and its arguments, of a server that is a process
 * @url: (nullable): the address, of a server that is reached over HTTP
 * @environment: "NAME=value", for a process
 * @headers: "Name: value", for HTTP
 * @secrets: names of variables or headers whose values are in the keyring
 * @folders: folders that it may use, absolute; the first is where it runs
 * @network: whether it may use the network
 * @confined: whether it runs in the sandbox
 *
 * How a server is reached, and what it is granted. Plain data without secrets, which is what is
 * stored. Vectors are never %NULL.
 */
typedef struct
{
  char *id;
  char **command;
  char *url;
  char **environment;
  char **headers;
  char **secrets;
  char **folders;
  gboolean network;
  gboolean confined;
} GadgetMcpConfig;

GadgetMcpConfig *gadget_mcp_config_new       (const char             *id);
GadgetMcpConfig *gadget_mcp_config_copy      (const GadgetMcpConfig  *self);
void             gadget_mcp_config_free      (GadgetMcpConfig        *self);
gboolean         gadget_mcp_config_check     (const GadgetMcpConfig  *self,
                                              GError                **error);
char            *gadget_mcp_config_find_secret (const GadgetMcpConfig *self);
char            *gadget_mcp_config_to_json   (const GadgetMcpConfig  *self);
GadgetMcpConfig *gadget_mcp_config_from_json (const char             *id,
                                              const char             *json);
char            *gadget_mcp_config_describe  (const GadgetMcpConfig  *self);

/* With its secrets, which the keyring has as one text, see gadget-secret-values.h. */
char           **gadget_mcp_secrets_apply    (const GadgetMcpConfig  *self,
                                              const char             *json,
                                              GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMcpConfig, gadget_mcp_config_free)

G_END_DECLS
