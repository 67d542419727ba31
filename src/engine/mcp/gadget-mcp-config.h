/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Precedes the server's id in the name of its keyring entry. */
#define GADGET_MCP_KEY_PREFIX "mcp-"

#define GADGET_MCP_CONFIG_ERROR (gadget_mcp_config_error_quark ())
GQuark gadget_mcp_config_error_quark (void);

/**
 * GadgetMcpConfigError:
 * @GADGET_MCP_CONFIG_ERROR_INVALID: the config is not valid; the translated message says why
 */
typedef enum
{
  GADGET_MCP_CONFIG_ERROR_INVALID,
} GadgetMcpConfigError;

/**
 * GadgetMcpConfig:
 * @id: the user's name for the server: small letters, digits, "-" and "_"
 * @command: (nullable): the program and its arguments, for a server that runs as a process
 * @url: (nullable): the address, for a server that is reached over HTTP
 * @environment: "NAME=value", for a process
 * @headers: "Name: value", for HTTP
 * @secrets: names of variables or headers whose values are in the keyring
 * @folders: absolute paths of folders that the server may use; it runs in the first one
 * @network: whether the server may use the network
 * @confined: whether the server runs in the sandbox
 *
 * How a server is reached and what it is granted. This is the data that is stored; it contains no
 * secrets. The vectors are never %NULL, except for @command.
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

/* Adds the secrets, which the keyring has as one text; see gadget-secret-values.h. */
char           **gadget_mcp_secrets_apply    (const GadgetMcpConfig  *self,
                                              const char             *json,
                                              GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMcpConfig, gadget_mcp_config_free)

G_END_DECLS
