/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-transport.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_STDIO (gadget_mcp_stdio_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpStdio, gadget_mcp_stdio, GADGET, MCP_STDIO, GObject)

/**
 * GadgetMcpStdioSpec:
 * @argv: the server's program and its arguments
 * @environment: (nullable): "NAME=value", in addition to the sandbox's variables; may contain
 *   secrets
 * @folders: (nullable): folders that the server may write to; it runs in the first one
 * @cache: (nullable): the name of its cache in the sandbox, see #GadgetSandboxCommand
 * @network: whether the server may use the network
 * @sandbox: (nullable): %NULL to run it with the user's own rights
 *
 * How to start a server. The members need to be valid only during gadget_mcp_stdio_new ().
 */
typedef struct
{
  const char *const *argv;
  const char *const *environment;
  const char *const *folders;
  const char *cache;
  gboolean network;
  GadgetSandbox *sandbox;
} GadgetMcpStdioSpec;

/* A server that runs as a child process. The messages are lines of its standard input and output.
 * Source: MCP 2026-07-28, basic/transports/stdio; 2025-11-25 has the same. */
GadgetMcpTransport *gadget_mcp_stdio_new (const GadgetMcpStdioSpec *spec);

G_END_DECLS
