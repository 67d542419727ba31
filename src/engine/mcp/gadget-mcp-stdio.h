/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-transport.h"
#include "process/gadget-sandbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_STDIO (gadget_mcp_stdio_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpStdio, gadget_mcp_stdio, GADGET, MCP_STDIO, GObject)

/**
 * GadgetMcpStdioSpec:
 * @argv: the server's program and its arguments
 * @environment: (nullable): "NAME=value", besides what the sandbox gives; may hold secrets
 * @folders: (nullable): folders that it may write to; it runs in the first
 * @cache: (nullable): the name of its cache in the sandbox, see #GadgetSandboxCommand
 * @network: whether it may use the network
 * @sandbox: (nullable): %NULL means the user's own rights
 *
 * Lent for the call.
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

/* A server that is a process of ours, spoken to over its standard input and output, one message a
 * line. Source: MCP 2026-07-28, basic/transports/stdio; that of 2025-11-25 is the same. */
GadgetMcpTransport *gadget_mcp_stdio_new (const GadgetMcpStdioSpec *spec);

G_END_DECLS
